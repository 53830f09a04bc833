#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes small.onnx beside this file, with names as PyTorch's exporter gives them, and ONNX Runtime's output for an input: small-input.npy,
small-output0.npy, small-output1.npy. Needs onnx, onnxruntime and numpy."""
import pathlib

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).parent
rng = np.random.default_rng(5)
weights = {
    "features.0.weight": rng.normal(size=(4, 1, 3, 3)) / 3,
    "features.0.bias": rng.normal(size=4),
    "features.1.weight": rng.uniform(0.5, 1.5, 4),
    "features.1.bias": rng.normal(size=4),
    "features.1.running_mean": rng.normal(size=4),
    "features.1.running_var": rng.uniform(0.5, 1.5, 4),
    "classifier.weight": rng.normal(size=(5, 64)) / 8,
    "classifier.bias": rng.normal(size=5),
}
weights = {name: w.astype(np.float32) for name, w in weights.items()}
numbers = {"zero": np.array(0), "minus_one": np.array([-1])}
nodes = [
    helper.make_node("Conv", ["input.1", "features.0.weight", "features.0.bias"], ["c"], "/features/0/Conv", pads=[1, 1, 1, 1]),
    helper.make_node("BatchNormalization", ["c", *list(weights)[2:6]], ["n"], "/features/1/BatchNormalization"),
    helper.make_node("Relu", ["n"], ["r"], "/features/2/Relu"),
    helper.make_node("MaxPool", ["r"], ["p"], "/features/3/MaxPool", kernel_shape=[2, 2], strides=[2, 2]),
    helper.make_node("Shape", ["p"], ["s"], "/Shape"),
    helper.make_node("Gather", ["s", "zero"], ["batch"], "/Gather"),
    helper.make_node("Unsqueeze", ["batch", "axes"], ["batches"], "/Unsqueeze"),
    helper.make_node("Concat", ["batches", "minus_one"], ["to"], "/Concat", axis=0),
    helper.make_node("Reshape", ["p", "to"], ["flat"], "/Reshape"),
    helper.make_node("Gemm", ["flat", "classifier.weight", "classifier.bias"], ["scores"], "/classifier/Gemm", transB=1),
    helper.make_node("Softmax", ["scores"], ["probabilities"], "/Softmax", axis=1),
    helper.make_node("ArgMax", ["scores"], ["class"], "/ArgMax", axis=1, keepdims=0),
]
numbers["axes"] = np.array([0])
graph = helper.make_graph(
    nodes, "small", [helper.make_tensor_value_info("input.1", TensorProto.FLOAT, [3, 1, 8, 8])],
    [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [3, 5]),
     helper.make_tensor_value_info("class", TensorProto.INT64, [3])],
    [numpy_helper.from_array(w, name) for name, w in weights.items()] +
    [numpy_helper.from_array(n.astype(np.int64), name) for name, n in numbers.items()])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
onnx.checker.check_model(model)
onnx.save(model, HERE / "small.onnx")
x = rng.normal(size=(3, 1, 8, 8)).astype(np.float32)
outputs = onnxruntime.InferenceSession(str(HERE / "small.onnx")).run(None, {"input.1": x})
np.save(HERE / "small-input.npy", x)
for i, y in enumerate(outputs):
    np.save(HERE / f"small-output{i}.npy", y)

# beside.onnx, whose only weight lies in another file.
weight = numpy_helper.from_array(np.arange(6, dtype=np.float32).reshape(2, 3) / 4, "weight")
beside = helper.make_graph([helper.make_node("MatMul", ["x", "weight"], ["y"])], "beside", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4, 2])],
                           [helper.make_tensor_value_info("y", TensorProto.FLOAT, [4, 3])], [weight])
onnx.save(helper.make_model(beside, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), HERE / "beside.onnx", save_as_external_data=True,
          location="beside weights.bin", size_threshold=0)
