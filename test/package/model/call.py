#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls the shared library by ctypes, from two threads at once: call.py LIBRARY PARAMETERS"""
import ctypes
import sys
import threading

library = ctypes.CDLL(sys.argv[1])
library.by_python_create.restype = ctypes.c_void_p
library.by_python_create.argtypes = [ctypes.c_char_p]
library.by_python_destroy.argtypes = [ctypes.c_void_p]
library.by_python_error.restype = ctypes.c_char_p
library.by_python_output_extent.restype = ctypes.c_int64
library.by_python_run.argtypes = [ctypes.c_void_p] * 4


def run(model, rows):
    numbers = (ctypes.c_float * len(rows))(*rows)
    sizes = (ctypes.c_int64 * 1)(len(rows) // 4)
    result = (ctypes.c_float * (len(rows) // 2))()
    inputs = (ctypes.c_void_p * 1)(ctypes.addressof(numbers))
    outputs = (ctypes.c_void_p * 1)(ctypes.addressof(result))
    assert library.by_python_run(model, sizes, inputs, outputs) == 0, library.by_python_error()
    return list(result)


embedded = library.by_python_create(None)
assert embedded, library.by_python_error()
loaded = library.by_python_create(sys.argv[2].encode())
assert loaded, library.by_python_error()
assert library.by_python_create(b"there/is/none") is None
assert b"there/is/none" in library.by_python_error()

rows = [i / 8 for i in range(40)]
expected = run(loaded, rows)
assert any(expected)
wrong = []


def repeat():
    for _ in range(200):
        if run(embedded, rows) != expected:
            wrong.append(1)


threads = [threading.Thread(target=repeat) for _ in range(2)]
for t in threads:
    t.start()
for t in threads:
    t.join()
assert not wrong
library.by_python_destroy(embedded)
library.by_python_destroy(loaded)
