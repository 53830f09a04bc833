#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs models that other programs write, torch.onnx.export (both exporters), tf2onnx and skl2onnx, by examples/run_model, and compares the
outputs with theirs.

    peers.py PROGRAM VENV      PROGRAM is run_model; VENV is a virtual environment, made once"""
import pathlib
import subprocess
import sys
import tempfile

PACKAGES = ["numpy==2.4.6", "onnx==1.23.2", "onnxscript==0.7.2", "torch==2.15.0", "scikit-learn==1.9.1", "skl2onnx==1.20.0", "tensorflow-cpu==2.21.0", "tf2onnx==1.17.0"]


def torch_models(folder):
    import torch
    from torch import nn

    class attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv, self.out, self.norm = nn.Linear(16, 48), nn.Linear(16, 16), nn.LayerNorm(16)

        def forward(self, x):
            q, k, v = (y.unflatten(-1, (4, 4)).transpose(1, 2) for y in self.qkv(self.norm(x)).chunk(3, -1))
            return x + self.out(nn.functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))

    class reading(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.rnn, self.out = nn.Embedding(20, 8), nn.LSTM(8, 12, batch_first=True, bidirectional=True), nn.Linear(24, 3)

        def forward(self, words):
            return self.out(self.rnn(self.words(words))[0].mean(1))

    torch.manual_seed(1)
    images = nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 8, 3, stride=2, groups=4), nn.GELU(),
        nn.ConvTranspose2d(8, 4, 3, stride=2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 5), nn.Softmax(-1))
    networks = {
        "mlp": (nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4)), torch.randn(3, 8)),
        "images": (images, torch.randn(2, 3, 13, 12)),
        "attention": (attention(), torch.randn(2, 5, 16)),
        "reading": (reading(), torch.randint(0, 20, (2, 7))),
    }
    for name, (net, x) in networks.items():
        net.eval()
        with torch.no_grad():
            want = net(x).numpy()
        for dynamo in (False, True):
            file = folder / f"torch-{name}-{'dynamo' if dynamo else 'script'}.onnx"
            torch.onnx.export(net, (x,), file, dynamo=dynamo, external_data=dynamo, verbose=False)
            yield file, [x.numpy()], [want]


def tensorflow_models(folder):
    import numpy
    import tensorflow as tf
    import tf2onnx

    layers = tf.keras.layers
    tf.keras.utils.set_random_seed(1)
    networks = {
        "mlp": ([layers.Dense(16, "relu"), layers.Dense(4, "softmax")], (3, 8)),
        "images": ([layers.Conv2D(8, 3, padding="same", activation="relu"), layers.MaxPool2D(), layers.BatchNormalization(),
                    layers.Conv2D(4, 3, strides=2), layers.GlobalAveragePooling2D(), layers.Dense(5)], (2, 13, 12, 3)),
    }
    for name, (parts, shape) in networks.items():
        net = tf.keras.Sequential([layers.Input(shape[1:]), *parts])
        x = numpy.random.default_rng(1).standard_normal(shape).astype("f")
        call = tf.function(lambda x, net=net: net(x, training=False), input_signature=[tf.TensorSpec((None, *shape[1:]), tf.float32, name="x")])
        file = folder / f"tensorflow-{name}.onnx"
        tf2onnx.convert.from_function(call, input_signature=call.input_signature, output_path=str(file))
        yield file, [x], [call(x).numpy()]


def sklearn_models(folder):
    import numpy
    import skl2onnx
    from sklearn import datasets, decomposition, linear_model, neural_network, pipeline, preprocessing

    x, y = datasets.load_iris(return_X_y=True)
    x = x.astype("f")
    networks = {
        "regressor": (neural_network.MLPRegressor(hidden_layer_sizes=(8,), max_iter=300, random_state=1), lambda net: net.predict(x).reshape(-1, 1)),
        "linear": (pipeline.make_pipeline(decomposition.PCA(3), linear_model.LinearRegression()), lambda net: net.predict(x).reshape(-1, 1)),
        "scaled": (preprocessing.StandardScaler(), lambda net: net.transform(x)),
    }
    for name, (net, predict) in networks.items():
        net.fit(x, y)
        file = folder / f"sklearn-{name}.onnx"
        file.write_bytes(skl2onnx.to_onnx(net, x[:1], target_opset=18).SerializeToString())
        yield file, [x], [predict(net).astype("f")]


# Functions of the model's own that call each other, with attributes, a branch and an operand that is left out; weights in another file.
def onnx_models(folder):
    import numpy
    import onnx
    from onnx import helper, parser, reference

    model = parser.parse_model("""
        <ir_version: 8, opset_import: ["" : 17, "local" : 1]>
        g (float[N, 4] x) => (float[N, 3] y, float[N, 4] z) <float[4, 3] weight = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}> {
            a = local.twice <by = 0.5> (x)
            y = local.dense <to = 1> (a, weight)
            b = local.dense <to = 11> (a, weight)
            c = Shape (b)
            z, unused = local.same (a)
        }
        <domain: "local", opset_import: ["" : 17, "local" : 1]>
        plus (a, b) => (c) { h = Identity (a) c = Add (h, b) }
        <domain: "local", opset_import: ["" : 17, "local" : 1]>
        twice <by: float = 3.0> (x) => (y) { k = Constant <value_float: float = @by> () h = Mul (x, k) y = local.plus (h, x) }
        <domain: "local", opset_import: ["" : 17, "local" : 1]>
        dense <to> (x, weight) => (y) { h = MatMul (x, weight) h1 = Cast <to: int = @to> (h) y = Identity (h) }
        <domain: "local", opset_import: ["" : 17, "local" : 1]>
        same (x) => (x, y) { y = Neg (x) }
        """)
    x = numpy.random.default_rng(1).standard_normal((5, 4)).astype("f")
    want = reference.ReferenceEvaluator(model).run(None, {"x": x})
    onnx.save(model, folder / "functions.onnx")
    yield folder / "functions.onnx", [x], want
    weights = helper.make_tensor("weight", onnx.TensorProto.FLOAT, [4, 3], numpy.arange(1, 13, dtype="f").tobytes(), raw=True)
    del model.graph.initializer[:]
    model.graph.initializer.append(weights)
    onnx.save(model, folder / "apart.onnx", save_as_external_data=True, size_threshold=0, location="apart.bin")
    yield folder / "apart.onnx", [x], want


def compare(program, folder, makers):
    """Runs what each of `makers` yields, given a folder: a file, its inputs in their order and the outputs that are wanted."""
    import numpy

    folder, wrong, all_models = pathlib.Path(folder), [], 0
    for models in makers:
        for file, inputs, want in models(folder):
            all_models += 1
            names = []
            for i, x in enumerate(inputs):
                names.append(str(folder / f"in{i}.npy"))
                numpy.save(names[-1], x)
            ran = subprocess.run([program, file, *names, "--out", folder], capture_output=True, text=True)
            if ran.returncode:
                wrong.append(f"{file.name}: {ran.stderr.strip()}")
                continue
            apart = 0
            for i, expected in enumerate(want):
                got = numpy.load(folder / f"output{i}.npy")
                if got.shape != expected.shape or got.dtype != expected.dtype:
                    wrong.append(f"{file.name}: {got.dtype} {got.shape} and not {expected.dtype} {expected.shape}")
                    break
                apart = max(apart, (abs(got - expected) / (1 + abs(expected))).max())
            if not apart < 1e-5:
                wrong.append(f"{file.name}: {apart} apart")
            print(f"{file.name}: {apart:.1e} apart")
    print(f"{all_models - len(wrong)} of {all_models} models give the same", *wrong, sep="\n")
    return bool(wrong)


def main(program, venv, packages=PACKAGES, script=__file__):
    """Calls `script --compare program folder` by a Python that has the packages, installed once."""
    venv = pathlib.Path(venv)
    python = venv / "bin" / "python"
    if not (venv / "done").exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        (venv / "done").touch()
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([python, "-B", script, "--compare", program, folder]).returncode


if __name__ == "__main__":
    makers = (onnx_models, torch_models, tensorflow_models, sklearn_models)
    sys.exit(compare(*sys.argv[2:], makers) if sys.argv[1] == "--compare" else main(*sys.argv[1:]))
