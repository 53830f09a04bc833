#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the models of this folder: small.onnx, with names as PyTorch's exporter gives them, and ONNX Runtime's output for an input,
small-input.npy, small-output0.npy, small-output1.npy; beside.onnx, whose weight lies in another file; hints.onnx, whose declared shapes are
negative, or name what differs; captured.onnx, whose graphs read values of the graphs around them. Needs onnx, onnxruntime and numpy."""
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
(HERE / "beside weights.bin").unlink(missing_ok=True)
onnx.save(helper.make_model(beside, opset_imports=[helper.make_opsetid("", 18)], ir_version=9), HERE / "beside.onnx", save_as_external_data=True,
          location="beside weights.bin", size_threshold=0)

# hints.onnx: every place where a shape stands has negative extents and one name for all; the graph computes tanh(x) times 3, or -x.
def value(name, kind, shape):
    r = helper.make_tensor_value_info(name, kind, shape)
    for i, e in enumerate(shape):
        if isinstance(e, int):
            r.type.tensor_type.shape.dim[i].dim_value = e
    return r


def branch(name, nodes, output):
    inner = value("inner_" + name, TensorProto.FLOAT, [-7, "?", -1])
    return helper.make_graph(nodes, name, [], [value(output, TensorProto.FLOAT, ["?", -1, "?"])], value_info=[inner])


then = branch("then", [helper.make_node("Tanh", ["x"], ["inner_then"]), helper.make_node("Mul", ["inner_then", "three"], ["yes"])], "yes")
other = branch("other", [helper.make_node("Neg", ["x"], ["no"])], "no")
hints = helper.make_graph(
    [helper.make_node("If", ["k"], ["h"], then_branch=then, else_branch=other), helper.make_node("Mul", ["h", "z"], ["y"])], "hints",
    [value("x", TensorProto.FLOAT, [-1, "?", "?"]), value("z", TensorProto.FLOAT, ["?", "?", -9]), helper.make_tensor_value_info("k", TensorProto.BOOL, [])],
    [value("y", TensorProto.FLOAT, [-1, 5])], [numpy_helper.from_array(np.array(3, np.float32), "three")],
    value_info=[value("h", TensorProto.FLOAT, ["?", "?", -1])])
onnx.save(helper.make_model(hints, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), HERE / "hints.onnx")

# captured.onnx: in order; the test has its nodes in other orders.
captured = onnx.parser.parse_model("""
    <ir_version: 8, opset_import: ["" : 17, "local" : 1]>
    captured (float[N, 2] x, bool k, int64 m) => (float[N, 2] y, rows, float[N, 2] z) <float[2] w = {1, -2}, float one = {1}> {
        a = Mul (x, w)
        b = local.twice (a)
        c = Neg (b)
        v = Exp (w)
        late = Neg (v)
        s = If (k) <
            then_branch = then () => (float[N, 2] to) { h = Add (a, c) q = Sqrt (one) to = Mul (h, q) },
            else_branch = other () => (float[N, 2] no) { h2 = Sub (b, v) no = Relu (h2) }>
        y, rows = Loop (m, , s) <body = body (int64 i, bool go, float[N, 2] state) => (bool again, float[N, 2] next, float[N, 2] row) {
            f = Cast <to = 1> (i)
            u = Add (state, f)
            positive = Greater (f, one)
            d = If (positive) <
                then_branch = then2 () => (float[N, 2] yes) { yes = Add (u, late) },
                else_branch = other2 () => (float[N, 2] no2) { p = Mul (u, v) no2 = Sub (p, c) }>
            next = Tanh (d)
            row = Mul (next, a)
            again = Identity (go)
        }>
        z = Sub (y, late)
    }
    <domain: "local", opset_import: ["" : 17]>
    twice (p) => (r) { t = Identity (p) t2 = Add (t, p) r = Identity (t2) }
    """)
onnx.save(captured, HERE / "captured.onnx")
x = np.array([[0.5, 1], [-0.25, 2]], np.float32)
for k in (True, False):
    print(k, onnxruntime.InferenceSession(captured.SerializeToString()).run(None, {"x": x, "k": np.array(k), "m": np.array(3)}))
