# SPDX-License-Identifier: Apache-2.0
"""Parameters and operands that follow from a name and a place alone; formula.hpp makes the same ones."""
import numpy


def numbers(name, n):
    """n numbers from 0 to 1."""
    h = 14695981039346656037
    for c in name.encode():
        h = (h ^ c) * 1099511628211 % 2**64
    v = (h % 2**32 + numpy.arange(n, dtype=numpy.uint64) * 0x9E3779B1) % 2**32
    v ^= v >> 16
    v = v * 0x85EBCA6B % 2**32
    v ^= v >> 13
    v = v * 0xC2B2AE35 % 2**32
    v ^= v >> 16
    return v / 2**32


def values(name, shape):
    n = int(numpy.prod(shape))
    u = numbers(name, n)
    if name.endswith("weight"):
        u = (2 * u - 1) * numpy.sqrt(6 / (n / shape[0]))
    elif name.endswith("gamma"):
        u = 0.75 + 0.5 * u
    elif name.endswith("running_var"):
        u = 0.5 + u
    else:
        u = 0.2 * u - 0.1
    return u.astype(numpy.float32).reshape(shape)
