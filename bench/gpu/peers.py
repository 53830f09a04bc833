#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rows of bench.cu in PyTorch on the same device, in float32 without TF32: eager, compiled, and as a CUDA graph of the eager calls."""
import statistics
import torch
from torch import nn
from torchvision.models import resnet18


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


def graph_of(call):
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return graph.replay


def row(what, net, *x, compile=True):
    call = lambda: net(*x)
    times = [microseconds(call)]
    if compile:
        compiled = torch.compile(net)
        times.append(microseconds(lambda: compiled(*x)))
    else:
        times.append(float("nan"))
    times.append(microseconds(graph_of(call)))
    print(f"{what:<44} " + " ".join(f"{t:14.2f}" for t in times), flush=True)


def attend(q, k, v):
    heads = [t.view(t.shape[0], t.shape[1], 12, 64).transpose(1, 2) for t in (q, k, v)]
    return nn.functional.scaled_dot_product_attention(*heads).transpose(1, 2).reshape(q.shape)


torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
print(f"PyTorch {torch.__version__}, {torch.cuda.get_device_name()}, microseconds a call")
print(f"{'':<44} {'eager':>14} {'compiled':>14} {'graph':>14}")
with torch.inference_mode():
    for batch in 1, 256, 4096:
        mlp = nn.Sequential(nn.Linear(512, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 2)).cuda()
        row(f"512-256-128-2, batch {batch}", mlp, torch.randn(batch, 512, device="cuda"))
    for n, size in (4096, 1024), (65536, 64):
        row(f"softmax, {n} x {size}", nn.Softmax(-1), torch.randn(n, size, device="cuda"))
    for n, size in (4096, 1024), (16384, 4096):
        row(f"layer_norm, {n} x {size}", nn.LayerNorm(size).cuda(), torch.randn(n, size, device="cuda"))
    a, b = (torch.randn(8192, 8192, device="cuda") for _ in range(2))
    row("product of 8192 x 8192", torch.matmul, a, b, compile=False)
    for channels, size, outputs, kernel, stride in ((64, 56, 64, 3, 1), (128, 28, 128, 3, 1), (256, 14, 256, 3, 1), (512, 7, 512, 3, 1),
                                                    (256, 56, 64, 1, 1), (3, 224, 64, 7, 2)):
        row(f"{kernel} x {kernel}, {channels} to {outputs} channels, {size} x {size}, 32 images",
            nn.Conv2d(channels, outputs, kernel, stride, kernel // 2).cuda(), torch.randn(32, channels, size, size, device="cuda"), compile=False)
    net = resnet18().cuda().eval()
    for batch in 1, 32:
        row(f"ResNet-18, {batch} images", net, torch.randn(batch, 3, 224, 224, device="cuda"), compile=batch == 1)
    layer = nn.TransformerEncoderLayer(384, 12, 1536, activation="gelu", batch_first=True).cuda().eval()
    for batch in 1, 32:
        row(f"MiniLM's layer, {batch} x 128 tokens", layer, torch.randn(batch, 128, 384, device="cuda"))
    for batch, tokens in (1, 128), (1, 1024), (8, 1024):
        row(f"attention, 12 heads of 64, {batch} x {tokens} tokens", attend, *(torch.randn(batch, tokens, 768, device="cuda") for _ in range(3)))
