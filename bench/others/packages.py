# SPDX-License-Identifier: Apache-2.0
"""A peer from PyPI, inside its environment: packages.py PEER THREADS, started by bench/peers.

A line with a row, as "mlp 64", is answered with the names of the ways to run it, between tabs, or with "-" where there is none; a line with a
number with the microseconds of a block of that way. "gradient mlp 64" are the gradients of all parameters, of the mean cross entropy with the
labels 0, 1, ... of the classes, and again, and "step mlp 64" is a step of stochastic gradient descent with them, which gives the loss before
it. The row "model PATH" is what sinter's bench wrote: PATH.onnx, its input PATH.x.npy, and PATH.y.npy, sinter's result.
"""
import functools
import gc
import math
import os
import sys
import time
import traceback
from types import SimpleNamespace


def dense(*widths):
    return [(n_out, n_in) for n_in, n_out in zip(widths, widths[1:])]


# the shapes of their weights; those of four dimensions are of convolutions, each with a pooling behind it that takes the mean of 2 x 2
NETWORKS = {"mlp": dense(512, 256, 128, 2), "wide": dense(*[4096] * 4), "tiny": dense(8, 16, 16, 1),
            "lenet": [(6, 1, 5, 5), (16, 6, 5, 5), *dense(400, 120, 84, 10)]}
EPSILON = 1e-5  # of layer norm


def numbers(count, middle, divisor):
    import numpy
    i = numpy.arange(count, dtype=numpy.int64)
    return ((i * 2654435761 % 1009 - middle) / divisor).astype(numpy.float32)


def make(kind, *sizes):
    """The inputs and the layers as sinter's bench makes them: [input], [(weights, bias, activation)]."""
    weights = dense(sizes[2], sizes[1]) if kind == "dense" else NETWORKS.get(kind, [])
    layers = []
    for i, shape in enumerate(weights):
        last = i + 1 == len(weights) and kind != "dense"
        layers.append((numbers(math.prod(shape), 504.5, 504.5 * math.sqrt(shape[-1])).reshape(shape),
                       numbers(shape[0], 504.5, 504.5 * math.sqrt(shape[0])), None if last else "tanh" if kind in ("tiny", "lenet") else "relu"))
    shape = (sizes[0], 1, 28, 28) if kind == "lenet" else (sizes[0], weights[0][1]) if weights else sizes * 2 if kind == "matmul" else sizes
    x = numbers(math.prod(shape), 504, 252).reshape(shape)
    more = {"layer_norm": [numbers(shape[-1], 504, 252)] * 2, "matmul": [x], "add": [x]}.get(kind, [])
    return [x, *more], layers


def activated(act, x):
    import numpy
    return numpy.maximum(x, 0) if act == "relu" else numpy.tanh(x) if act else x


def reference(kind, inputs, layers):
    """The result in double precision."""
    import numpy
    x, *more = [v.astype(numpy.float64) for v in inputs]
    for weights, bias, act in layers:
        x = x @ weights.T.astype(numpy.float64) + bias
        x = activated(act, x)
    if layers:
        return x
    if kind in ("add", "matmul"):
        return x + more[0] if kind == "add" else x @ more[0]
    if kind == "cheap":
        return 3 * numpy.maximum(numpy.maximum(1.5 * x + 0.25, 0) * 0.75 - 1 + 0.125, 0)
    if kind == "dear":
        return 3 * (numpy.tanh(0.75 / (1 + numpy.exp(-1.5 * x - 0.25)) - 1) + 0.125)
    if kind == "gelu":
        return x / 2 * (1 + numpy.vectorize(math.erf)(x * math.sqrt(0.5)))
    if kind == "gelu_tanh":
        return x / 2 * (1 + numpy.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))
    x = x - x.max(1, keepdims=True)
    total = numpy.exp(x).sum(1, keepdims=True)
    if kind == "layer_norm":
        return (x - x.mean(1, keepdims=True)) / numpy.sqrt(x.var(1, keepdims=True) + EPSILON) * more[0] + more[1]
    return numpy.exp(x) / total if kind == "softmax" else x - numpy.log(total)


def function(kind, layers, f):
    """What the row computes, in the operations `f` of a framework; for layers `f.dense` of weights that it holds."""
    def chain(x):
        if kind == "cheap":
            return f.relu(f.relu(x * 1.5 + 0.25) * 0.75 - 1.0 + 0.125) * 3.0
        return (f.tanh(f.sigmoid(x * 1.5 + 0.25) * 0.75 - 1.0) + 0.125) * 3.0

    def network(x):
        for weights, bias, act in layers:
            x = f.dense(x, weights, bias)
            x = getattr(f, act)(x) if act else x
        return x
    return network if layers else chain if kind in ("cheap", "dear") else getattr(f, kind)


# ---- the peers: each yields (name, run, what run computed)


def onnxruntime_ways(kind, inputs, layers, threads):
    import numpy
    import onnx
    from onnx import helper, numpy_helper
    nodes, constants = [], []

    def add(op, *more, **attributes):
        names = [nodes[-1].output[0] if nodes else "x0"]
        for value in more:
            if not isinstance(value, str):
                constants.append(numpy_helper.from_array(numpy.asarray(value, numpy.float32), f"c{len(constants)}"))
            names.append(value if isinstance(value, str) else constants[-1].name)
        nodes.append(helper.make_node(op, names, [f"y{len(nodes)}"], **attributes))

    if kind in ("cheap", "dear"):
        first, second = ("Relu", "Relu") if kind == "cheap" else ("Sigmoid", "Tanh")
        add("Mul", 1.5), add("Add", 0.25), add(first), add("Mul", 0.75), add("Sub", 1)
        add("Add", 0.125) if kind == "cheap" else add(second)
        add(second) if kind == "cheap" else add("Add", 0.125)
        add("Mul", 3)
    elif not layers:
        op, *more = {"gelu": ["Gelu"], "gelu_tanh": ["Gelu"], "softmax": ["Softmax"], "log_softmax": ["LogSoftmax"], "add": ["Add", "x1"],
                     "matmul": ["MatMul", "x1"], "layer_norm": ["LayerNormalization", *inputs[1:]]}[kind]
        add(op, *more, **{"gelu_tanh": {"approximate": "tanh"}, "layer_norm": {"axis": -1, "epsilon": EPSILON}, "softmax": {"axis": -1},
                          "log_softmax": {"axis": -1}}.get(kind, {}))
    for weights, bias, act in layers:
        add("Gemm", weights, bias, transB=1)
        if act:
            add(act.capitalize())
    float32, last = onnx.TensorProto.FLOAT, nodes[-1].output[0]
    given = {f"x{i}": v for i, v in enumerate(inputs[:1] if kind == "layer_norm" else inputs)}
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info(name, float32, v.shape) for name, v in given.items()],
                              [helper.make_tensor_value_info(last, float32, None)], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    yield onnxruntime_way(model.SerializeToString(), given, last, threads)


def onnxruntime_way(model, given, last, threads):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    binding = session.io_binding()
    for name, v in given.items():
        binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(v))
    binding.bind_output(last)
    session.run_with_iobinding(binding)
    result = binding.get_outputs()[0]
    binding.bind_ortvalue_output(last, result)

    def run():
        session.run_with_iobinding(binding)
        return result
    return f"ONNX Runtime {onnxruntime.__version__}", run, lambda y: y.numpy()


def torch_ways(kind, inputs, layers, threads):
    import torch
    import torch.nn.functional as F
    torch.set_num_threads(threads)
    f = SimpleNamespace(relu=torch.relu, tanh=torch.tanh, sigmoid=torch.sigmoid, gelu=F.gelu, matmul=torch.matmul, add=torch.add,
                        gelu_tanh=lambda x: F.gelu(x, approximate="tanh"), softmax=lambda x: torch.softmax(x, -1),
                        log_softmax=lambda x: torch.log_softmax(x, -1), layer_norm=lambda x, g, b: F.layer_norm(x, g.shape, g, b, EPSILON))

    class Net(torch.nn.Module):
        def forward(self, *x):
            return function(kind, [], f)(*x)

    net = Net()
    if layers:
        net = torch.nn.Sequential()
        for weights, bias, act in layers:
            net.append(torch.nn.Linear(*weights.shape[::-1]))
            net[-1].weight.data, net[-1].bias.data = torch.from_numpy(weights), torch.from_numpy(bias)
            if act:
                net.append(torch.nn.ReLU() if act == "relu" else torch.nn.Tanh())
    out = torch.empty(1)
    yield from ways_in_torch(net, [torch.from_numpy(v) for v in inputs], (lambda given: torch.add(*given, out=out)) if kind == "add" else None)


def ways_in_torch(net, given, eager=None):
    import torch
    net.eval()
    name = f"PyTorch {torch.__version__.split('+')[0]} "
    yield name + "eager", (lambda: eager(given)) if eager else (lambda: net(*given)), lambda y: y.numpy()
    script = torch.jit.freeze(torch.jit.trace(net, given))
    yield name + "TorchScript", lambda: script(*given), lambda y: y.numpy()
    torch._dynamo.reset()
    compiled = torch.compile(net, options={"freezing": True})
    yield name + "compiled", lambda: compiled(*given), lambda y: y.numpy()


def mxnet_ways(kind, inputs, layers, threads):
    from mxnet import nd
    from mxnet.gluon import nn

    class Net(nn.HybridBlock):
        def hybrid_forward(self, F, *x):
            f = SimpleNamespace(relu=F.relu, tanh=F.tanh, sigmoid=F.sigmoid, softmax=F.softmax, log_softmax=F.log_softmax, matmul=F.dot,
                                add=F.elemwise_add, gelu=lambda v: F.LeakyReLU(v, act_type="gelu"),
                                gelu_tanh=lambda v: 0.5 * v * (1 + F.tanh(math.sqrt(2 / math.pi) * (v + 0.044715 * v * v * v))),
                                layer_norm=lambda v, g, b: F.LayerNorm(v, g, b, axis=-1, eps=EPSILON))
            return function(kind, [], f)(*x)

    def network(compiled):
        net = nn.HybridSequential() if layers else Net()
        for weights, _, act in layers:
            net.add(nn.Dense(weights.shape[0], activation=act, in_units=weights.shape[1]))
        net.initialize()
        for (weights, bias, _), layer in zip(layers, net if layers else []):
            layer.weight.set_data(nd.array(weights))
            layer.bias.set_data(nd.array(bias))
        if compiled:
            net.hybridize(static_alloc=True, static_shape=True)
        return net

    def waited(run):
        def wait():
            y = run()
            y.wait_to_read()
            return y
        return wait

    given, out = [nd.array(v) for v in inputs], nd.empty((1,))
    imperative, hybridized = network(False), network(True)
    run = (lambda: nd.elemwise_add(*given, out=out)) if kind == "add" else (lambda: imperative(*given))
    yield "MXNet 1.9.1 imperative", waited(run), lambda y: y.asnumpy()
    yield "MXNet 1.9.1 hybridized", waited(lambda: hybridized(*given)), lambda y: y.asnumpy()


def jax_ways(kind, inputs, layers, threads):
    import jax
    import jax.numpy as jnp
    f = SimpleNamespace(relu=jax.nn.relu, tanh=jnp.tanh, sigmoid=jax.nn.sigmoid, softmax=jax.nn.softmax, log_softmax=jax.nn.log_softmax,
                        matmul=jnp.matmul, add=jnp.add, gelu=lambda x: jax.nn.gelu(x, approximate=False), gelu_tanh=jax.nn.gelu,
                        layer_norm=lambda x, g, b: jax.nn.standardize(x, epsilon=EPSILON) * g + b, dense=lambda x, w, b: x @ w + b)
    held = [(jax.device_put(w.T.copy()), jax.device_put(b)) for w, b, _ in layers]
    acts = [act for *_, act in layers]
    run = jax.jit(lambda parameters, *x: function(kind, [(w, b, act) for (w, b), act in zip(parameters, acts)], f)(*x))
    given = [jax.device_put(v) for v in inputs]
    yield f"JAX {jax.__version__} jit", lambda: run(held, *given).block_until_ready(), lambda y: y


def tensorflow_on(threads):
    import tensorflow as tf
    if tf.config.threading.get_intra_op_parallelism_threads() != threads:
        tf.config.threading.set_intra_op_parallelism_threads(threads)
        tf.config.threading.set_inter_op_parallelism_threads(1)
    return tf


def tensorflow_ways(kind, inputs, layers, threads):
    tf = tensorflow_on(threads)

    def layer_norm(x, gamma, beta):
        mean, variance = tf.nn.moments(x, [-1], keepdims=True)
        return tf.nn.batch_normalization(x, mean, variance, beta, gamma, EPSILON)
    f = SimpleNamespace(relu=tf.nn.relu, tanh=tf.tanh, sigmoid=tf.sigmoid, softmax=tf.nn.softmax, log_softmax=tf.nn.log_softmax, matmul=tf.matmul,
                        add=tf.add, gelu=tf.nn.gelu, gelu_tanh=lambda x: tf.nn.gelu(x, approximate=True), layer_norm=layer_norm,
                        dense=lambda x, w, b: tf.matmul(x, w) + b)
    given = [tf.constant(v) for v in inputs]
    eager = function(kind, [(tf.constant(w.T.copy()), tf.constant(b), act) for w, b, act in layers], f)
    graph, xla = tf.function(eager), tf.function(eager, jit_compile=True)
    name = f"TensorFlow {tf.__version__} "
    yield name + "eager", lambda: eager(*given), lambda y: y.numpy()
    yield name + "function", lambda: graph(*given), lambda y: y.numpy()
    yield name + "XLA", lambda: xla(*given), lambda y: y.numpy()


# ---- gradients of all parameters, of which the first is compared


def labels_of(layers, x):
    """0, 1, 2, ... of the classes, and again."""
    import numpy
    return numpy.arange(len(x)) % len(layers[-1][1])


def first_gradient(x, layers):
    """That of the first weights, in double precision."""
    import numpy
    weights = [w.astype(numpy.float64) for w, *_ in layers]
    kept = [x.astype(numpy.float64)]
    for w, (_, bias, act) in zip(weights, layers):
        y = kept[-1] @ w.T + bias
        kept.append(numpy.maximum(y, 0) if act else y)
    d = numpy.exp(kept[-1] - kept[-1].max(1, keepdims=True))
    d /= d.sum(1, keepdims=True)
    d[numpy.arange(len(d)), labels_of(layers, x)] -= 1
    for i in range(len(weights) - 1, 0, -1):
        d = d @ weights[i] * (kept[i] > 0)
    return d.T @ kept[0] / len(x)


def padding(weights):
    """What a convolution of LeNet has around its image: the first one keeps 28 x 28."""
    return 2 if weights.shape[1] == 1 else 0


def pooled(x):
    """The means of 2 x 2, of NumPy or JAX."""
    n, c, height, width = x.shape
    return x.reshape(n, c, height // 2, 2, width // 2, 2).mean((3, 5))


def torch_network(layers):
    import torch
    net, images = torch.nn.Sequential(), False
    for weights, bias, act in layers:
        if images and weights.ndim == 2:
            net.append(torch.nn.Flatten())
        images, (n_out, n_in, *kernel) = weights.ndim == 4, weights.shape
        net.append(torch.nn.Conv2d(n_in, n_out, kernel, padding=padding(weights)) if images else torch.nn.Linear(n_in, n_out))
        net[-1].weight.data, net[-1].bias.data = torch.tensor(weights), torch.tensor(bias)
        if act:
            net.append({"relu": torch.nn.ReLU, "tanh": torch.nn.Tanh}[act]())
        if images:
            net.append(torch.nn.AvgPool2d(2))
    return net


def mxnet_network(layers):
    """With its loss, both hybridized."""
    from mxnet import gluon, nd
    net, cross_entropy = gluon.nn.HybridSequential(), gluon.loss.SoftmaxCrossEntropyLoss()
    for weights, bias, act in layers:
        n_out, n_in, *kernel = weights.shape
        layer = (gluon.nn.Conv2D(n_out, kernel, padding=padding(weights), activation=act, in_channels=n_in) if kernel
                 else gluon.nn.Dense(n_out, activation=act, in_units=n_in))
        net.add(layer)
        layer.initialize()
        layer.weight.set_data(nd.array(weights))
        layer.bias.set_data(nd.array(bias))
        if kernel:
            net.add(gluon.nn.AvgPool2D())
    for block in (net, cross_entropy):
        block.hybridize(static_alloc=True, static_shape=True)
    return net, cross_entropy


def jax_loss(acts, labels):
    import jax
    import jax.numpy as jnp

    def loss(parameters, v):
        for (w, b), act in zip(parameters, acts):
            if w.ndim == 4:
                v = jax.lax.conv_general_dilated(v, w, (1, 1), [(padding(w),) * 2] * 2) + b[:, None, None]
            else:
                v = v.reshape(len(v), -1) @ w.T + b
            v = getattr(jax.nn, act)(v) if act else v
            if w.ndim == 4:
                v = pooled(v)
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(v), labels[:, None], 1))
    return loss


def torch_gradient(x, layers, threads):
    import torch
    import torch.nn.functional as F
    torch.set_num_threads(threads)
    with torch.inference_mode(False):
        net = torch_network(layers)
        given, labels = torch.tensor(x), torch.tensor(labels_of(layers, x))

    def loss(f):
        return F.cross_entropy(f(given), labels)

    def run(of):
        def all_gradients():
            with torch.inference_mode(False):
                for p in net.parameters():
                    p.grad = None
                of().backward()
                return net[0].weight.grad
        return all_gradients
    name = f"PyTorch {torch.__version__.split('+')[0]} "
    yield name + "eager", run(lambda: loss(net)), lambda y: y.numpy()
    torch._dynamo.reset()
    compiled = torch.compile(lambda: loss(net))
    yield name + "compiled", run(compiled), lambda y: y.numpy()


def jax_gradient(x, layers, threads):
    import jax
    held = [(jax.device_put(w), jax.device_put(b)) for w, b, _ in layers]
    acts, given, labels = [act for *_, act in layers], jax.device_put(x), jax.device_put(labels_of(layers, x))

    loss = jax_loss(acts, labels)
    run = jax.jit(jax.grad(loss))
    yield f"JAX {jax.__version__} jit", lambda: jax.block_until_ready(run(held, given)), lambda y: y[0][0]


def mxnet_gradient(x, layers, threads):
    from mxnet import autograd, nd
    net, cross_entropy = mxnet_network(layers)
    given, labels = nd.array(x), nd.array(labels_of(layers, x))

    def run():
        with autograd.record():
            loss = cross_entropy(net(given), labels).mean()
        loss.backward()
        nd.waitall()
        return net[0].weight.grad()
    yield "MXNet 1.9.1 hybridized", run, lambda y: y.asnumpy()


def tensorflow_parameters(layers):
    """Weights and biases; of images the channels come last, as TensorFlow has them."""
    return [(w.transpose(2, 3, 1, 0) if w.ndim == 4 else w, b) for w, b, _ in layers]


def tensorflow_loss(x, layers):
    import tensorflow as tf
    given, labels = tf.constant(x.transpose(0, 2, 3, 1) if x.ndim == 4 else x), tf.constant(labels_of(layers, x))

    def loss(parameters):
        v = given
        for (w, b), (weights, _, act) in zip(parameters, layers):
            if weights.ndim == 4:
                v = tf.nn.conv2d(v, w, 1, [[0, 0], *[[padding(weights)] * 2] * 2, [0, 0]])
            else:
                v = tf.matmul(tf.reshape(tf.transpose(v, [0, 3, 1, 2]), [len(x), -1]) if len(v.shape) == 4 else v, w, transpose_b=True)
            v = getattr(tf.nn, act)(v + b) if act else v + b
            v = tf.nn.avg_pool2d(v, 2, 2, "VALID") if weights.ndim == 4 else v
        return tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, v))
    return loss


def tensorflow_gradient(x, layers, threads):
    tf = tensorflow_on(threads)
    held, loss_of = [(tf.constant(w), tf.constant(b)) for w, b in tensorflow_parameters(layers)], tensorflow_loss(x, layers)

    @tf.function(jit_compile=True)
    def run():
        with tf.GradientTape() as tape:
            tape.watch(held)
            loss = loss_of(held)
        return tape.gradient(loss, held)
    yield f"TensorFlow {tf.__version__} XLA", run, lambda y: y[0][0].numpy()


# ---- steps of stochastic gradient descent, whose loss is compared; the rate is so small that all steps are alike

RATE = 1e-9


def first_loss(x, layers):
    """The mean cross entropy, in double precision."""
    import numpy
    x = x.astype(numpy.float64)
    for w, bias, act in layers:
        if w.ndim == 4:
            around = [(0, 0)] * 2 + [(padding(w),) * 2] * 2
            windows = numpy.lib.stride_tricks.sliding_window_view(numpy.pad(x, around), w.shape[2:], (2, 3))
            x = numpy.einsum("nchwij,ocij->nohw", windows, w.astype(numpy.float64), optimize=True) + bias[:, None, None]
        else:
            x = x.reshape(len(x), -1) @ w.astype(numpy.float64).T + bias
        x = activated(act, x)
        if w.ndim == 4:
            x = pooled(x)
    top = x.max(1, keepdims=True)
    return numpy.mean(numpy.log(numpy.exp(x - top).sum(1)) + top[:, 0] - x[numpy.arange(len(x)), labels_of(layers, x)])


def torch_step(x, layers, threads):
    import torch
    import torch.nn.functional as F
    torch.set_num_threads(threads)
    with torch.inference_mode(False):
        net = torch_network(layers)
        given, labels = torch.tensor(x), torch.tensor(labels_of(layers, x))
        trainer = torch.optim.SGD(net.parameters(), lr=RATE)

    def whole(of, update):
        def step():
            with torch.inference_mode(False):
                trainer.zero_grad()
                loss = of()
                loss.backward()
                update()
                return loss.detach()
        return step

    def loss():
        return F.cross_entropy(net(given), labels)
    name = f"PyTorch {torch.__version__.split('+')[0]} "
    yield name + "eager", whole(loss, trainer.step), lambda y: y.numpy()
    torch._dynamo.reset()
    yield name + "compiled", whole(torch.compile(loss), torch.compile(trainer.step)), lambda y: y.numpy()


def jax_step(x, layers, threads):
    import jax
    acts, given, labels = [act for *_, act in layers], jax.device_put(x), jax.device_put(labels_of(layers, x))
    held = [[(jax.device_put(w), jax.device_put(b)) for w, b, _ in layers]]

    loss = jax_loss(acts, labels)

    @functools.partial(jax.jit, donate_argnums=0)
    def step(parameters, v):
        value, slopes = jax.value_and_grad(loss)(parameters, v)
        return jax.tree.map(lambda p, d: p - RATE * d, parameters, slopes), value

    def run():
        held[0], value = step(held[0], given)
        jax.block_until_ready(held[0])
        return value
    yield f"JAX {jax.__version__} jit", run, lambda y: y


def mxnet_step(x, layers, threads):
    from mxnet import autograd, gluon, nd
    net, cross_entropy = mxnet_network(layers)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": RATE})
    given, labels = nd.array(x), nd.array(labels_of(layers, x))

    def run():
        with autograd.record():
            loss = cross_entropy(net(given), labels)
        loss.backward()
        trainer.step(len(x))
        nd.waitall()
        return loss
    yield "MXNet 1.9.1 hybridized", run, lambda y: y.mean().asnumpy()


def tensorflow_step(x, layers, threads):
    tf = tensorflow_on(threads)
    held, loss_of = [(tf.Variable(w), tf.Variable(b)) for w, b in tensorflow_parameters(layers)], tensorflow_loss(x, layers)

    @tf.function(jit_compile=True)
    def run():
        with tf.GradientTape() as tape:
            loss = loss_of(held)
        for parameters, slopes in zip(held, tape.gradient(loss, held)):
            for p, d in zip(parameters, slopes):
                p.assign_sub(RATE * d)
        return loss
    yield f"TensorFlow {tf.__version__} XLA", run, lambda y: y.numpy()


# ---- models, which sinter wrote as ONNX


def onnxruntime_model(path, x, threads):
    import onnx
    with open(path + ".onnx", "rb") as file:
        model = file.read()
    graph = onnx.load_from_string(model).graph
    yield onnxruntime_way(model, {graph.input[0].name: x}, graph.output[0].name, threads)


def torch_model(path, x, threads):
    """The same layers as modules of PyTorch, where all operators are those of a network of images."""
    import onnx
    import torch
    import torch.nn.functional as F
    from onnx import helper, numpy_helper
    torch.set_num_threads(threads)
    graph = onnx.load(path + ".onnx").graph
    constants = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()) for t in graph.initializer}

    def symmetric(pads):
        n = len(pads) // 2
        assert list(pads[:n]) == list(pads[n:])
        return list(pads[:n])

    def pool(v, a):
        return F.max_pool2d(v, a["kernel_shape"], a["strides"], symmetric(a.get("pads", [0] * 4)))

    def average(v, a):
        return F.avg_pool2d(v, a["kernel_shape"], a["strides"], symmetric(a.get("pads", [0] * 4)), count_include_pad=bool(a.get("count_include_pad", 0)))
    operators = {
        "Conv": lambda v, a: F.conv2d(*v, stride=a.get("strides", [1, 1]), padding=symmetric(a.get("pads", [0] * 4)), groups=a.get("group", 1)),
        "BatchNormalization": lambda v, a: F.batch_norm(v[0], v[3], v[4], v[1], v[2], eps=a.get("epsilon", 1e-5)),
        "Relu": lambda v, a: F.relu(v[0]), "Tanh": lambda v, a: torch.tanh(v[0]), "Add": lambda v, a: v[0] + v[1],
        "Max": lambda v, a: torch.clamp_min(v[0], v[1][0]), "Min": lambda v, a: torch.clamp_max(v[0], v[1][0]),
        "Identity": lambda v, a: v[0], "ReduceMean": lambda v, a: torch.mean(v[0], v[1], bool(a.get("keepdims", 1))),
        "MaxPool": lambda v, a: pool(v[0], a), "AveragePool": lambda v, a: average(v[0], a),
        "Flatten": lambda v, a: torch.flatten(v[0], a.get("axis", 1)),
        "Gemm": lambda v, a: F.linear(v[0], v[1] if a.get("transB", 0) else v[1].t(), v[2] if len(v) > 2 else None),
    }
    if any(n.op_type not in operators for n in graph.node):
        return
    # Bounds and axes are no parameters, but numbers in the program.
    held = {name for n in graph.node if n.op_type not in ("Max", "Min", "ReduceMean") for name in n.input if name in constants}
    numbers_of = {name: value.reshape(-1).tolist() for name, value in constants.items() if name not in held}
    place = {name: f"p{i}" for i, name in enumerate(sorted(held))}
    steps = [(operators[n.op_type], list(n.input), n.output[0], {a.name: helper.get_attribute_value(a) for a in n.attribute}) for n in graph.node]

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            for name, member in place.items():
                self.register_parameter(member, torch.nn.Parameter(constants[name], requires_grad=False))

        def forward(self, x):
            values = {graph.input[0].name: x}
            for operator, names, output, attributes in steps:
                read = [values[n] if n in values else getattr(self, place[n]) if n in place else numbers_of[n] for n in names if n]
                values[output] = operator(read, attributes)
            return values[graph.output[0].name]

    yield from ways_in_torch(Net(), [torch.from_numpy(x)])


# ---- answers


def prepare(peer, line, threads):
    """[(name, run, repeats for two milliseconds)], each seen to be right."""
    import numpy
    kind, rest = line.split(" ", 1)
    ways = []
    if kind == "model":
        x, want = (numpy.load(f"{rest}.{side}.npy") for side in "xy")
        made = globals()[peer + "_model"](rest, x, threads) if peer + "_model" in globals() else []
    elif kind == "gradient":
        name, rows = rest.split()
        (x,), layers = make(name, int(rows))
        want = first_gradient(x, layers)
        made = globals()[peer + "_gradient"](x, layers, threads) if peer + "_gradient" in globals() else []
    elif kind == "step":
        name, rows = rest.split()
        (x,), layers = make(name, int(rows))
        want = first_loss(x, layers)
        made = globals()[peer + "_step"](x, layers, threads) if peer + "_step" in globals() else []
    else:
        inputs, layers = make(kind, *map(int, rest.split()))
        want = reference(kind, inputs, layers)
        made = globals()[peer + "_ways"](kind, inputs, layers, threads)
    for name, run, read in made:
        error = numpy.max(numpy.abs(numpy.asarray(read(run()), numpy.float64) - want))
        if not error <= 1e-4 * max(1, numpy.max(numpy.abs(want))):
            sys.exit(f"{name}, {line}: {error} away from what it should be")
        for _ in range(3):  # some compile at their second call
            run()
        repeats, seconds = 1, 0
        while seconds < 2e-3:
            repeats = repeats if seconds == 0 else repeats * 2
            seconds = min(block(run, repeats) for _ in range(3))  # one may have been interrupted
        ways.append((name, run, repeats))
    return ways


def block(run, repeats):
    if repeats > 1:
        run()  # its code and data are in the cache again
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    return time.perf_counter() - start


def main():
    peer, threads = sys.argv[1], int(sys.argv[2])
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what else is printed is no answer
    if peer == "torch":
        import torch
        mode = torch.inference_mode()
        mode.__enter__()
    ways = []
    for line in sys.stdin:
        if line[0].isdigit():
            _, run, repeats = ways[int(line)]
            answer = block(run, repeats) / repeats * 1e6
        else:
            ways.clear()
            gc.collect()
            try:
                ways = prepare(peer, line.strip(), threads)
                answer = "\t".join(name for name, *_ in ways) or "-"
            except Exception:
                traceback.print_exc()
                answer = ""
        print(answer, file=answers, flush=True)


main()
