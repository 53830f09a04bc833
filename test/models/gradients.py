#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The gradients of all parameters of five networks by PyTorch, in double: writes gradients.txt, with which gradients.cpp compares sinter's.

    python3 -m venv env && env/bin/pip install torch==2.15.0
    env/bin/python test/models/gradients.py > test/models/gradients.txt

A line is a network and a parameter as sinter names it, its number of elements, the largest magnitude among the elements of its gradient, their sum
with a factor of its own for each, and six of them. The digits networks have the weights that MXNet trained, the others those of formula.py; batch
norm is in inference in digits-cnn and in training in resnet18.
"""
import csv
import pathlib
import struct

import numpy
import torch
import torch.nn.functional as F

from formula import numbers, values

ROOT = pathlib.Path(__file__).resolve().parents[2]
torch.set_default_dtype(torch.float64)


def parameters_of(path):
    """The arrays of a file of MXNet's, by their names."""
    data, at = path.read_bytes(), 0

    def take(form):
        nonlocal at
        v = struct.unpack_from("<" + form, data, at)
        at += struct.calcsize("<" + form)
        return v[0] if len(v) == 1 else v

    def array():
        nonlocal at
        magic, stored, rank = take("IiI")
        shape = [take("q") for _ in range(rank)]
        device, number, dtype = take("iii")
        if (magic, stored, dtype) != (0xF993FAC9, 0, 0):
            raise ValueError(f"{path} has an array that this does not read")
        a = numpy.frombuffer(data, "<f4", int(numpy.prod(shape)), at).reshape(shape)
        at += a.nbytes
        return a

    def name():
        nonlocal at
        n = take("Q")
        at += n
        return data[at - n:at].decode().split(":")[1]

    take("QQ")
    arrays = [array() for _ in range(take("Q"))]
    names = [name() for _ in range(take("Q"))]
    return dict(zip(names, arrays))


def leaves(arrays):
    return {name: torch.tensor(a, dtype=torch.float64, requires_grad="running" not in name) for name, a in arrays.items()}


def say(network, parameters, loss):
    print(f"{network}.loss {loss.item():.12g}")
    loss.backward()
    for name, p in parameters.items():
        if not p.requires_grad:
            continue
        g = p.grad.numpy().ravel()
        factors = 2 * numbers(name, g.size) - 1
        samples = [g[(k * 7919 + 13) % g.size] for k in range(6)]
        print(f"{network}.{name}", *(f"{v:.12g}" for v in [g.size, abs(g).max(), (g * factors).sum(), *samples]))


def cross_entropy(scores, labels):
    return F.cross_entropy(scores, torch.tensor(labels))


with open(ROOT / "examples/data/digits.csv") as f:
    rows = [[int(v) for v in row] for row in list(csv.reader(f))[1:17]]
pixels, labels = torch.tensor([r[:64] for r in rows]) / 16.0, [r[64] for r in rows]

p = leaves(parameters_of(ROOT / "examples/data/digits-mlp-0000.params"))
h = pixels
for i in range(3):
    h = F.linear(h, p[f"dense{i}_weight"], p[f"dense{i}_bias"])
    if i < 2:
        h = F.relu(h)
say("digits-mlp", p, cross_entropy(h, labels))

p = leaves(parameters_of(ROOT / "test/data/models/digits-cnn/digits-cnn-0000.params"))
h = F.max_pool2d(F.relu(F.conv2d(pixels.reshape(-1, 1, 8, 8), p["conv0_weight"], p["conv0_bias"], padding=1)), 2)
h = F.conv2d(h, p["conv1_weight"], p["conv1_bias"], padding=1)
h = F.batch_norm(h, *(p[f"batchnorm0_{k}"] for k in ("running_mean", "running_var", "gamma", "beta")))
h = F.avg_pool2d(F.relu(h), 2).flatten(1)
h = F.relu(F.linear(h, p["dense3_weight"], p["dense3_bias"]))
say("digits-cnn", p, cross_entropy(F.linear(h, p["dense4_weight"], p["dense4_bias"]), labels))

p = leaves(parameters_of(ROOT / "test/data/models/digits-transformer/digits-transformer-0000.params"))


def dense(name, x):
    return F.linear(x, p[name + "_weight"], p[name + "_bias"])


def norm(name, x):
    return F.layer_norm(x, x.shape[-1:], p[name + "_gamma"], p[name + "_beta"])


h = dense("rowstransformer0_dense0", pixels.reshape(-1, 8, 8)) + p["rowstransformer0_position"]
for i in range(2):
    name = f"rowstransformer0_attention{i}_"
    q, k, v = (a.unflatten(2, (4, 8)).transpose(1, 2) for a in dense(name + "dense0", norm(name + "layernorm0", h)).chunk(3, 2))
    attended = torch.softmax(q @ k.transpose(2, 3) * 8**-0.5, -1) @ v
    h = h + dense(name + "dense1", attended.transpose(1, 2).flatten(2))
    h = h + dense(name + "dense3", F.gelu(dense(name + "dense2", norm(name + "layernorm1", h))))
say("digits-transformer", p, cross_entropy(dense("rowstransformer0_dense1", norm("rowstransformer0_layernorm0", h).mean(1)), labels))

# ---- ResNet-18 in training: its parameters are named by their place
p = {}


def next_parameter(kind, *shape):
    name = f"{len(p)}.{kind}"
    p[name] = torch.tensor(values(name, shape), dtype=torch.float64, requires_grad=True)
    return p[name]


def convolution(x, outputs, kernel, stride):
    weight = next_parameter("weight", outputs, x.shape[1], kernel, kernel)
    y = F.conv2d(x, weight, stride=stride, padding=kernel // 2)
    return F.batch_norm(y, None, None, next_parameter("gamma", outputs), next_parameter("beta", outputs), training=True)


def residual(x, outputs, stride):
    y = convolution(F.relu(convolution(x, outputs, 3, stride)), outputs, 3, 1)
    return F.relu(y + (x if stride == 1 and x.shape[1] == outputs else convolution(x, outputs, 1, stride)))


SIZE = 48
image = torch.tensor((2 * numbers("image", 2 * 3 * SIZE * SIZE) - 1).astype(numpy.float32), dtype=torch.float64).reshape(2, 3, SIZE, SIZE)
h = F.max_pool2d(F.relu(convolution(image, 64, 7, 2)), 3, 2, 1)
for stage, outputs in enumerate((64, 128, 256, 512)):
    h = residual(residual(h, outputs, 1 if stage == 0 else 2), outputs, 1)
h = h.mean((2, 3))
h = F.linear(h, next_parameter("weight", 10, 512), next_parameter("bias", 10))
say("resnet18", p, cross_entropy(h, [3, 7]))

# ---- a layer of all-MiniLM-L6-v2
UNITS, HEADS = 384, 12
p = {}


def linear(name, x, outputs):
    for key, shape in ((".weight", (outputs, x.shape[-1])), (".bias", (outputs,))):
        p[name + key] = torch.tensor(values(name + key, shape), dtype=torch.float64, requires_grad=True)
    return F.linear(x, p[name + ".weight"], p[name + ".bias"])


def layer_norm(name, x):
    for key in (".gamma", ".beta"):
        p[name + key] = torch.tensor(values(name + key, (UNITS,)), dtype=torch.float64, requires_grad=True)
    return F.layer_norm(x, (UNITS,), p[name + ".gamma"], p[name + ".beta"], 1e-12)


x = torch.tensor((2 * numbers("x", 2 * 6 * UNITS) - 1).astype(numpy.float32), dtype=torch.float64).reshape(2, 6, UNITS)
q, k, v = (linear("attention.self." + n, x, UNITS).unflatten(2, (HEADS, -1)).transpose(1, 2) for n in ("query", "key", "value"))
attended = (torch.softmax(q @ k.transpose(2, 3) * (UNITS // HEADS)**-0.5, -1) @ v).transpose(1, 2).flatten(2)
h = layer_norm("attention.output.LayerNorm", linear("attention.output.dense", attended, UNITS) + x)
y = layer_norm("output.LayerNorm", linear("output.dense", F.gelu(linear("intermediate.dense", h, 4 * UNITS)), UNITS) + h)
factors = torch.tensor((2 * numbers("factors", y.numel()) - 1).astype(numpy.float32), dtype=torch.float64).reshape(y.shape)
say("minilm-layer", p, (y * factors).mean())
