#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A hundred steps of each optimizer by MXNet 1.9.1, and of AdamW by PyTorch: writes reference.txt, with which optimizers.cpp compares sinter's.

    python3 -m venv mx && mx/bin/pip install 'numpy<1.24' mxnet==1.9.1 && mx/bin/python test/train/reference.py mxnet > test/train/reference.txt
    python3 -m venv pt && pt/bin/pip install numpy torch==2.4.1 && pt/bin/python test/train/reference.py torch >> test/train/reference.txt

The network is dense(16, relu), dense(4) on 24 examples of 8 numbers, whose values are formulas, in double. A line is an optimizer, the mean losses of steps
1, 10, 20, ..., 100, each taken before its update, and the weights and biases after the last step, one behind the other."""
import sys

import numpy as np

RATES = {"sgd": 0.1, "sgd_decay": 0.1, "sgd_mom": 0.05, "nag": 0.05, "adam": 0.01, "adam_decay": 0.01, "adamw": 0.01}
DECAY = {"sgd_decay": 0.02, "adam_decay": 0.02, "adamw": 0.02}


def numbers(n, step):  # as in optimizers.cpp
    return ((np.arange(n) + 1) * step * 48271 % 65521 / 65521 - 0.5)


X, Y = numbers(24 * 8, 7).reshape(24, 8), np.arange(24) * 5 % 4
START = [numbers(16 * 8, 3).reshape(16, 8), numbers(16, 5), numbers(4 * 16, 11).reshape(4, 16), numbers(4, 2)]


def line(name, losses, parameters):
    print(name, *(f"{v:.12g}" for v in losses + [v for p in parameters for v in p.reshape(-1)]))


def by_mxnet():
    import mxnet as mx
    from mxnet import autograd, gluon
    for name in ("sgd", "sgd_decay", "sgd_mom", "nag", "adam", "adam_decay"):
        net = gluon.nn.HybridSequential()
        net.add(gluon.nn.Dense(16, activation="relu", in_units=8), gluon.nn.Dense(4, in_units=16))
        net.cast("float64")
        net.initialize()
        parameters = list(net.collect_params().values())
        for p, v in zip(parameters, START):
            p.set_data(mx.nd.array(v, dtype="float64"))
        how = {"learning_rate": RATES[name], "wd": DECAY.get(name, 0)}
        if name in ("sgd_mom", "nag"):
            how["momentum"] = 0.9
        trainer = gluon.Trainer(net.collect_params(), name.split("_")[0], how)
        loss_of, losses = gluon.loss.SoftmaxCrossEntropyLoss(), []
        for i in range(1, 101):
            with autograd.record():
                loss = loss_of(net(mx.nd.array(X, dtype="float64")), mx.nd.array(Y))
            loss.backward()
            if i == 1 or i % 10 == 0:
                losses.append(float(loss.mean().asscalar()))
            trainer.step(24)
        line(name, losses, [p.data().asnumpy() for p in parameters])


def by_torch():
    import torch
    net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4)).double()
    with torch.no_grad():
        for p, v in zip(net.parameters(), START):
            p.copy_(torch.tensor(v))
    trainer, losses = torch.optim.AdamW(net.parameters(), lr=RATES["adamw"], weight_decay=DECAY["adamw"]), []
    for i in range(1, 101):
        trainer.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(torch.tensor(X)), torch.tensor(Y))
        loss.backward()
        if i == 1 or i % 10 == 0:
            losses.append(loss.item())
        trainer.step()
    line("adamw", losses, [p.detach().numpy() for p in net.parameters()])


{"mxnet": by_mxnet, "torch": by_torch}[sys.argv[1]]()
