# SPDX-License-Identifier: Apache-2.0
"""Writes the small .npz files of this folder with NumPy: python3 make.py. They are committed; tests only read them. `stored` and `deflated`
are from a Python of 3.11.4 or later, which puts the sizes into the extra field of zip64 alone; `earlier` is from one before that."""
import pathlib
import sys

import numpy as np

here = pathlib.Path(__file__).parent
arrays = {"arg:fc1_weight": np.arange(6, dtype="<f4").reshape(2, 3), "aux:mean": np.array([0.5, -1.0]), "scalar": np.array(7, "<i8"),
          "a/b": np.zeros((0, 2), "|u1"), "\u00e9": np.array([True, False])}
if sys.version_info >= (3, 11, 4):
    np.savez(here / "stored.npz", **arrays)
    np.savez_compressed(here / "deflated.npz", **arrays, long=np.zeros(5000, "<f4"))
    np.savez(here / "list.npz", np.arange(3, dtype="<i4"), np.arange(2, dtype="<f4"))
else:
    np.savez(here / "earlier.npz", **arrays)
