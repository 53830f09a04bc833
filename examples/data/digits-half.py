#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A network that PyTorch trained to tell the digits 0 to 4 apart, on those of them that are not in digits-unseen.txt: writes digits-half.safetensors.

    python3 -m venv env && env/bin/pip install numpy torch==2.15.0 safetensors
    env/bin/python examples/data/digits-half.py"""
import csv
import pathlib

import torch
from safetensors.torch import save_file

DATA = pathlib.Path(__file__).parent
unseen = {int(row) for row in (DATA / "digits-unseen.txt").read_text().split()}
with open(DATA / "digits.csv") as file:
    rows = [[int(v) for v in row] for row in list(csv.reader(file))[1:]]
known = [row for i, row in enumerate(rows) if i not in unseen and row[64] < 5]
x, y = torch.tensor([row[:64] for row in known]) / 16.0, torch.tensor([row[64] for row in known])
torch.manual_seed(1)
net = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.ReLU(), torch.nn.Linear(128, 5))
trainer = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(20):
    for batch in torch.randperm(len(x)).split(64):
        trainer.zero_grad()
        torch.nn.functional.cross_entropy(net(x[batch]), y[batch]).backward()
        trainer.step()
save_file(net.state_dict(), DATA / "digits-half.safetensors")
