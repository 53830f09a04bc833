# SPDX-License-Identifier: Apache-2.0
"""Writes the small .npy files of this folder with NumPy (1.24 or later): python3 make.py. They are committed; tests only read them.

`c-*.npy` are in the one form that sinter writes too, so tests compare its bytes with them. `r-*.npy` are forms that it only reads; all of
those hold arange(6) as (2, 3), or arange(24) as (2, 3, 4)."""
import pathlib

import numpy as np

here = pathlib.Path(__file__).parent


def save(name, a):
    np.save(here / (name + ".npy"), a, allow_pickle=False)


def raw(name, header, data, version=(1, 0)):
    size = len(header).to_bytes(2 if version[0] == 1 else 4, "little")
    (here / (name + ".npy")).write_bytes(b"\x93NUMPY" + bytes(version) + size + header + data)


for t in ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]:
    save("c-" + t, np.arange(6, dtype="<" + t).reshape(2, 3))
save("c-b1", np.array([[True, False, True], [False, False, True]]))
save("c-scalar", np.array(1.5))
save("c-one", np.arange(3, dtype="<f4"))
save("c-empty", np.zeros((0, 7), "<f4"))
save("c-long", np.arange(12345, dtype="|u1") % 3)
save("c-rank9", np.arange(2, dtype="<f4").reshape(1, 1, 1, 1, 2, 1, 1, 1, 1))
# Full headers: one space more or less than NumPy leaves for the first extent would move the data by 64 bytes.
save("c-full", np.arange(10, dtype="|u1").reshape((1,) * 13 + (10,)))
save("c-fuller", np.arange(100, dtype="|u1").reshape((1,) * 12 + (10, 10)))
save("c-rank32", np.arange(4, dtype="|i1").reshape((1,) * 15 + (2, 2) + (1,) * 15))

six = np.arange(6, dtype="<f4").reshape(2, 3)
save("r-fortran", np.asfortranarray(six))
save("r-fortran3", np.asfortranarray(np.arange(24, dtype="<i8").reshape(2, 3, 4)))
save("r-big", six.astype(">f4"))
save("r-big-fortran", np.asfortranarray(np.arange(24, dtype=">i2").reshape(2, 3, 4)))
for v in [2, 3]:
    with open(here / f"r-version{v}.npy", "wb") as f:
        np.lib.format.write_array(f, six, version=(v, 0))
text = b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"
raw("r-old", text + b" " * ((-10 - len(text) - 1) % 16) + b"\n", six.tobytes())  # NumPy before 1.14 aligned to 16
raw("r-unpadded", text, six.tobytes())
raw("r-python2", b'{ "shape" :(2L,3L,),"fortran_order":False,  "descr":"f4"}\n', six.tobytes())

for name in here.glob("r-*.npy"):  # NumPy reads them as it reads its own (it does not read the L of Python 2 any more)
    if name.stem != "r-python2":
        a = np.load(name)
        assert (a.ravel() == np.arange(a.size)).all() and a.shape in [(2, 3), (2, 3, 4)], name
