# SPDX-License-Identifier: Apache-2.0
"""Writes the small safetensors files of this folder with the format's own library: python3 make.py, with safetensors and torch from PyPI
(0.8 and 2.15 wrote them). They are committed; tests only read them. Each array but the last three of `all` holds 0 to 5 as (2, 3)."""
import pathlib

import torch
from safetensors.torch import save_file

here = pathlib.Path(__file__).parent
types = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8,
         torch.bool, torch.uint16, torch.uint32, torch.uint64]
arrays = {f"layers.{i}.weight": torch.arange(6).to(t).reshape(2, 3) for i, t in enumerate(types)}
arrays |= {"empty": torch.zeros(0, 7), "name\n\u00e9\"": torch.tensor(1.5), "w": torch.tensor([1.0, -2.0])}
save_file(arrays, here / "all.safetensors")
save_file({"w": arrays["w"]}, here / "w.safetensors", metadata={"format": "pt"})
# What torch.nn.Sequential(Linear(4, 3), ReLU(), Linear(3, 2)) writes, in a model with a name.
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU(), torch.nn.Linear(3, 2))
x = torch.tensor([[1.0, -2.0, 0.5, 3.0]])
state = {"model.layers." + name: value for name, value in model.state_dict().items()}
save_file(state | {"input": x, "output": model(x).detach()}, here / "torch.safetensors", metadata={"format": "pt"})
