#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hands arrays of NumPy and, where they are installed, PyTorch and JAX over to sinter and back by DLPack, and reads with NumPy what sinter
saved.

    check.py LIBRARY     the library that peer.cpp became
"""
import ctypes
import gc
import pathlib
import sys
import tempfile

import numpy as np

peer = ctypes.CDLL(sys.argv[1])
peer.peer_give.restype = ctypes.c_void_p
peer.peer_take.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p]
python = ctypes.pythonapi
python.PyCapsule_New.restype = ctypes.py_object
python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
python.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
python.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
# As capsules keep pointers to their names.
NAMES = {0: (b"dltensor", b"used_dltensor"), 1: (b"dltensor_versioned", b"used_dltensor_versioned")}
TYPES = {"float32": 0, "float64": 1, "float16": 2, "uint8": 3, "int32": 4, "int8": 5, "int64": 6, "bool": 7, "int16": 8, "bfloat16": 12}
EXPECTED = np.arange(6).reshape(2, 3)
HOW = [EXPECTED, EXPECTED.T, EXPECTED[::-1, ::-1], EXPECTED[[0, 0]], EXPECTED, EXPECTED[:0]]
checks = 0


class Given:
    """A tensor of sinter's, as libraries ask for it."""

    def __init__(self, dtype, how=0):
        self.dtype, self.how, self.versioned = dtype, how, None

    def __dlpack__(self, stream=None, max_version=None, dl_device=None, copy=None):
        self.versioned = int(max_version is not None and max_version[0] >= 1)
        return python.PyCapsule_New(peer.peer_give(TYPES[self.dtype], self.how, self.versioned), NAMES[self.versioned][0], None)

    def __dlpack_device__(self):
        return (1, 0)


def take(array, dtype, add=0.0, **asked):
    """What sinter sees of it: the elements, whether they are read-only, or the error."""
    capsule = array.__dlpack__(**asked)
    versioned = int(bool(python.PyCapsule_IsValid(capsule, NAMES[1][0])))
    pointer = python.PyCapsule_GetPointer(capsule, NAMES[versioned][0])
    python.PyCapsule_SetName(capsule, NAMES[versioned][1])
    elements, said, error = (ctypes.c_double * 64)(), (ctypes.c_int64 * 3)(), ctypes.create_string_buffer(400)
    if peer.peer_take(pointer, TYPES[dtype], versioned, add, elements, said, error):
        return error.value.decode(), None
    rows, columns, read_only = said
    return np.array(elements[:rows * columns]).reshape(rows, columns), bool(read_only)


def check(what, condition):
    global checks
    checks += 1
    if not condition:
        sys.exit(f"FAILED: {what}")


def given_to(name, read, types, to_numpy, may_copy=False):
    """sinter's tensors in another library, and that they are given back once."""
    for dtype in types:
        for how, expected in enumerate(HOW):
            before = peer.peer_given_back()
            given = Given(dtype, how)
            there = read(given)
            values = to_numpy(there)
            what = f"{dtype}, way {how}, to {name}{', versioned' if given.versioned else ''}"
            check(what, values.shape == expected.shape and (values == expected.astype(bool if dtype == "bool" else float)).all())
            copied = how == 2 or (how in (3, 4) and not given.versioned)  # then sinter's own is free already
            check(what + ": given back too early", may_copy or peer.peer_given_back() == before + copied)
            del there, values
            gc.collect()
            check(what + ": not given back once", peer.peer_given_back() == before + 1)


def numpy_gives():
    newer = tuple(int(n) for n in np.__version__.split(".")[:2]) >= (2, 1)
    for asked in [{}, {"max_version": (1, 0)}] if newer else [{}]:
        for dtype in ["float32", "float64", "float16", "uint8", "int8", "int16", "int32", "int64"]:
            a = np.arange(6).reshape(2, 3).astype(dtype)
            for view in [a, a.T, a[::-1], a[:, 1:], a[:0]]:
                seen, read_only = take(view, dtype, **asked)
                check(f"{dtype} from NumPy {asked}", (seen == view).all() and seen.shape == view.shape and not read_only)
            take(a, dtype, add=2.0, **asked)
            check(f"{dtype} of NumPy is written by sinter", (a == np.arange(6).reshape(2, 3) + 2).all())
        seen, _ = take(np.zeros((2, 3), "float32"), "float64", **asked)
        check("another dtype is an error", seen == "sinter: a DLPack tensor has elements of float32, not of float64")
        seen, _ = take(np.zeros(3, "float32"), "float32", **asked)
        check("another rank is an error", seen == "sinter: a DLPack tensor has shape (3,), and a tensor of shape (?, ?) was asked for")
    if newer:
        a.flags.writeable = False
        check("a read-only array stays so", take(a, "int64", max_version=(1, 0))[1])


def files():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "x.npz")
        peer.peer_save(str(path).encode())
        with np.load(path) as read:
            check("the names in .npz", read.files == ["float", "turned", "long", "half", "empty", "bool"])
            for name, dtype, expected in [("float", "float32", EXPECTED), ("turned", "float64", EXPECTED.T), ("long", "int64", EXPECTED),
                                          ("half", "float16", EXPECTED), ("empty", "uint8", EXPECTED[:0]), ("bool", "bool", EXPECTED > 0)]:
                check(f"{name} in .npz", read[name].dtype == dtype and read[name].shape == expected.shape and (read[name] == expected).all())


numpy_types = [t for t in TYPES if t != "bfloat16" and (t != "bool" or np.lib.NumpyVersion(np.__version__) >= "1.25.0")]
given_to("NumPy", np.from_dlpack, numpy_types, lambda a: a)
numpy_gives()
if len(sys.argv) > 2:
    files()
done = ["NumPy " + np.__version__]
try:
    import torch
except ImportError:
    pass
else:
    given_to("PyTorch", torch.from_dlpack, TYPES, lambda t: t.clone().double().numpy())
    for dtype in TYPES:
        t = torch.arange(6).reshape(2, 3).to(getattr(torch, dtype))
        seen, _ = take(t.T, dtype)
        check(f"{dtype} from PyTorch", (seen == t.T.double().numpy()).all())
    take(t, dtype, add=2.0)
    check("PyTorch's elements are written by sinter", (t.double().numpy() == EXPECTED + 2).all())
    done.append("PyTorch " + torch.__version__)
try:
    import jax
except ImportError:
    pass
else:
    given_to("JAX", jax.dlpack.from_dlpack, ["float32", "int32", "int8", "bfloat16"], lambda a: np.array(a).astype(float),
             may_copy=True)
    seen, _ = take(jax.numpy.arange(6.0).reshape(2, 3), "float32")
    check("float32 from JAX", (seen == EXPECTED).all())
    done.append("JAX " + jax.__version__)
print(f"{checks} checks with {', '.join(done)}")
