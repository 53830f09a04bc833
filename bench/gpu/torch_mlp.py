#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The seed network in PyTorch on the same device: eager, compiled, and as a CUDA graph."""
import statistics
import torch


def microseconds(call):
    for _ in range(5):
        call()
    times = []
    for _ in range(21):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        for _ in range(20):
            call()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) * 1000 / 20)
    return statistics.median(times)


torch.backends.cuda.matmul.allow_tf32 = False
print(f"PyTorch {torch.__version__}, microseconds a call\n{'batch':>12} {'eager':>14} {'compiled':>14} {'graph':>14}")
with torch.inference_mode():
    for batch in 1, 256, 4096:
        layers = torch.nn.Sequential(torch.nn.Linear(512, 256), torch.nn.ReLU(), torch.nn.Linear(256, 128), torch.nn.ReLU(),
                                     torch.nn.Linear(128, 2)).cuda()
        x = torch.zeros(batch, 512, device="cuda")
        compiled = torch.compile(layers)
        row = [microseconds(lambda: layers(x)), microseconds(lambda: compiled(x))]
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            layers(x)
        row.append(microseconds(graph.replay))
        print(f"{batch:12} " + " ".join(f"{t:14.2f}" for t in row))
