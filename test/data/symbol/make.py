#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small symbols with inputs and MXNet's outputs: cases.json has the symbols, cases.params the arrays NAME/in0, NAME/out0, ...

    python -m venv v && v/bin/pip install mxnet==1.9.1 numpy==1.23.5 && v/bin/python make.py
"""
import json
import pathlib

import numpy as np

np.bool = bool
import mxnet as mx

S, draw = mx.sym, np.random.RandomState(7)
HERE = pathlib.Path(__file__).parent
cases, arrays = {}, {}


def case(name, make, *inputs):
    inputs = [np.asarray(i, np.float32) for i in inputs]
    variables = [S.var("in%d" % i) for i in range(len(inputs))]
    symbol = make(*variables)
    given = {"in%d" % i: mx.nd.array(a, dtype=a.dtype) for i, a in enumerate(inputs)}
    given = {k: v for k, v in given.items() if k in symbol.list_inputs()}
    outputs = symbol.bind(mx.cpu(), {k: v for k, v in given.items() if k in symbol.list_arguments()},
                          aux_states={k: v for k, v in given.items() if k in symbol.list_auxiliary_states()}).forward()
    cases[name] = json.loads(symbol.tojson())
    arrays.update({"%s/in%d" % (name, i): mx.nd.array(a, dtype=a.dtype) for i, a in enumerate(inputs)})
    arrays.update({"%s/out%d" % (name, i): a for i, a in enumerate(mx.nd.array(o.asnumpy(), dtype=o.dtype) for o in outputs)})


def normal(*shape):
    return draw.standard_normal(shape)


x, y, image = normal(3, 4), normal(3, 4), normal(2, 4, 5, 6)
cube = normal(2, 3, 4)
for op in ("abs negative square exp expm1 sin cos tan arctan sinh cosh tanh arcsinh erf sigmoid relu softsign floor ceil trunc sign "
           "degrees radians cbrt zeros_like ones_like hard_sigmoid smooth_l1").split():
    case(op, getattr(S, op), x)
for op in "sqrt rsqrt log log2 log10 log1p gamma gammaln reciprocal arccosh".split():
    case(op, getattr(S, op), np.abs(x) + 1.25)
for op in "arcsin arccos arctanh erfinv".split():
    case(op, getattr(S, op), np.tanh(x) * 0.9)
halves = np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.49999997, -0.3, 1.2])
case("round", S.round, halves)
case("rint", S.rint, halves)
case("fix", S.fix, halves)
for op in "add sub mul div maximum minimum hypot mod equal not_equal greater greater_equal lesser lesser_equal".split():
    case("broadcast_" + op, getattr(S, "broadcast_" + op), np.round(x), np.round(normal(1, 4)) + (op == "div") * 9)
case("broadcast_power", S.broadcast_power, np.abs(x), y)
for op in "and or xor".split():
    case("logical_" + op, getattr(S, "broadcast_logical_" + op), np.round(x), np.round(y))
case("logical_not", S.logical_not, np.round(x))
case("scalars", lambda a: S.Group([a + 2, a - 2, 2 - a, a * 3, a / 4, 4 / (a + 9), a % 3, S.broadcast_mod(S.ones_like(a) * 3, a), (a * a) ** 1.5,
                                   S._internal._rpower_scalar(a, scalar=2), S.maximum(a, 0.5), S.minimum(a, 0.5), a > 0, a < 0.5, a >= 0.5,
                                   a <= 0.5, a == 0, a != 0, S._internal._rmod_scalar(S.round(a), scalar=5), S.hypot(a, 2)]), x)
case("clip", lambda a: S.clip(a, -0.5, 0.25), x)
case("add_n", lambda a, b: S.add_n(a, b, a), x, y)
case("where", S.where, np.round(x), y, x)
case("where_rows", S.where, np.array([0, 1, 2]), x, y)
for act in "relu sigmoid tanh softrelu softsign".split():
    case("Activation." + act, lambda a: S.Activation(a, act_type=act), x)
case("LeakyReLU.rrelu", lambda a: S.LeakyReLU(a, act_type="rrelu")[0], x)
for act in "leaky elu selu gelu".split():
    case("LeakyReLU." + act, lambda a: S.LeakyReLU(a, act_type=act, slope=0.3), x)
case("LeakyReLU.prelu", lambda a, g: S.LeakyReLU(a, g, act_type="prelu"), image, normal(4))
case("Cast", lambda a: S.Cast(S.Cast(a, dtype="int32"), dtype="float64"), x * 3)

for shape, to, reverse in [((2, 3, 4), (4, 0, -1), 0), ((2, 3, 4), (-1, 0), 0), ((2, 3, 4), (-2,), 0), ((2, 3, 4), (2, -2), 0), ((2, 3, 4), (-2, 1, 1), 0),
                           ((2, 3, 4), (-3, 4), 0), ((2, 3, 4, 5), (-3, -3), 0), ((2, 3, 4), (0, -3), 0), ((2, 3, 4), (-4, 1, 2, -2), 0),
                           ((2, 3, 4), (2, -4, -1, 3, -2), 0), ((10, 5, 4), (-1, 0), 1), ((2, 3, 4), (-1, 0), 1), ((8, 3), (-4, 2, -1, 0), 0)]:
    case("Reshape%s%s%d" % (shape, to, reverse), lambda a: S.Reshape(a, shape=to, reverse=bool(reverse)), normal(*shape))
case("reshape_like", S.reshape_like, cube, normal(4, 6))
case("Flatten", S.Flatten, cube)
case("transpose", lambda a: S.Group([S.transpose(a), S.transpose(a, axes=(1, 2, 0)), S.SwapAxis(a, dim1=0, dim2=2)]), cube)
case("axes", lambda a: S.Group([S.expand_dims(a, axis=-1), S.squeeze(S.expand_dims(a, axis=1)), S.squeeze(S.expand_dims(a, axis=1), axis=1)]), cube)
case("slice", lambda a: S.Group([S.slice(a, begin=(None, 1), end=(None, 3)), S.slice(a, begin=(1, -1, None), end=(0, 0, None), step=(-1, -2, 2)),
                                 S.slice_axis(a, axis=-1, begin=-3, end=None), S.slice_axis(a, axis=1, begin=0, end=-1)]), cube)
case("slice_like", lambda a, b: S.Group([S.slice_like(a, b), S.slice_like(a, b, axes=(1, -1))]), cube, normal(1, 2, 3))
case("join", lambda a, b: S.Group([S.Concat(a, b), S.Concat(a, b, dim=-1), S.stack(a, b), S.stack(a, b, axis=1)]), x, y)
case("split", lambda a: S.Group([*S.SliceChannel(a, num_outputs=3), *S.SliceChannel(a, num_outputs=2, axis=0, squeeze_axis=True)]), cube)
case("split_v2", lambda a: S.Group([*S.split_v2(a, (1, 2), axis=1), *S.split_v2(a, 2, axis=2)]), cube)
case("broadcast", lambda a, b: S.Group([S.broadcast_to(a, shape=(3, 4)), S.broadcast_to(a, shape=(5, 0)), S.broadcast_axis(a, axis=0, size=2),
                                        S.broadcast_like(a, b)]), normal(1, 4), normal(3, 4))
case("copies", lambda a: S.Group([S.tile(a, reps=(2, 1, 3)), S.repeat(a, repeats=2, axis=1), S.repeat(a, repeats=2), S.reverse(a, axis=(0, 2))]), cube)
for mode in "constant edge reflect".split():
    case("Pad." + mode, lambda a: S.Pad(a, mode=mode, pad_width=(0, 0, 0, 0, 1, 2, 2, 1), constant_value=0.5), image)
case("blocks", lambda a: S.Group([S.depth_to_space(a, block_size=2), S.space_to_depth(S.slice_axis(a, axis=2, begin=0, end=4), block_size=2)]), image)
case("made", lambda a: S.Group([a + S.zeros((3, 4)), a * S.ones((3, 4)), a + S.full((3, 4), 2.5), S.arange(1, 9, 2, dtype="float32")]), x)

for op in "sum mean max min prod".split():
    case(op, lambda a: S.Group([getattr(S, op)(a), getattr(S, op)(a, axis=1), getattr(S, op)(a, axis=(0, 2), keepdims=True),
                                getattr(S, op)(a, axis=1, exclude=True), getattr(S, op)(a, axis=(0, 1, 2)), getattr(S, op)(a, axis=())]), cube)
case("norm", lambda a: S.Group([S.norm(a), S.norm(a, ord=1, axis=1), S.norm(a, axis=(1, 2), keepdims=True)]), cube)
case("argmax", lambda a: S.Group([S.argmax(a), S.argmax(a, axis=1), S.argmin(a, axis=-1, keepdims=True), S.argmax_channel(S.argmax(a, axis=2))]), cube)
case("order", lambda a: S.Group([S.sort(a), S.sort(a, axis=0, is_ascend=False), S.sort(a, axis=None), S.argsort(a, axis=0), S.argsort(a, is_ascend=False),
                                 S.topk(a, k=2), S.topk(a, k=2, ret_typ="value", axis=0), *S.topk(a, k=3, ret_typ="both", is_ascend=True)]), x)
case("Embedding", lambda i, w: S.Embedding(i, w, input_dim=5, output_dim=3), [[0, 1.7, 4], [9, -2, 3]], normal(5, 3))
case("take", lambda a, i: S.Group([S.take(a, i), S.take(a, i, axis=1), S.take(a, i, axis=-1, mode="wrap")]), x, [[0, 2, 7], [-1, 1, -6]])
case("pick", lambda a, i: S.Group([S.pick(a, i), S.pick(a, i, axis=1, keepdims=True), S.batch_take(a, S.Cast(i, dtype="int32"))]), x, [0, 3, 2])
case("one_hot", lambda i: S.Group([S.one_hot(i, depth=4), S.one_hot(i, depth=3, on_value=2, off_value=-1, dtype="int32")]), [0, 2, 3])
case("gather_nd", S.gather_nd, x, [[0, 2], [3, 1]])
case("scatter_nd", lambda d, i: S.scatter_nd(d, i, shape=(3, 4)), [1, 2], [[0, 2], [3, 1]])
case("arange_like", lambda a: S.Group([S.contrib.arange_like(a, axis=1), S.contrib.arange_like(a, start=2, step=0.5)]), x)
case("SequenceMask", lambda a, n: S.Group([S.SequenceMask(a, n, use_sequence_length=True, value=-1), S.SequenceMask(a),
                                           S.SequenceMask(S.transpose(a, axes=(1, 0, 2)), n, use_sequence_length=True, axis=1)]), cube, [1, 2, 1])
case("SequenceLast", lambda a, n: S.Group([S.SequenceLast(a, n, use_sequence_length=True), S.SequenceLast(a), S.SequenceLast(a, axis=1)]), cube, [1, 2, 1])
case("SequenceReverse", lambda a, n: S.Group([S.SequenceReverse(a, n, use_sequence_length=True), S.SequenceReverse(a)]), cube, [1, 2, 1])

case("FullyConnected", lambda a, w, b: S.FullyConnected(a, w, b, num_hidden=5), cube, normal(5, 12), normal(5))
case("FullyConnected.last", lambda a, w: S.FullyConnected(a, w, num_hidden=5, no_bias=True, flatten=False), cube, normal(5, 4))
case("Convolution", lambda a, w, b: S.Convolution(a, w, b, kernel=(3, 2), num_filter=6, stride=(2, 1), pad=(1, 0), dilate=(1, 2), num_group=2), image,
     normal(6, 2, 3, 2), normal(6))
case("Convolution.1d", lambda a, w: S.Convolution(a, w, kernel=(2,), num_filter=5, no_bias=True), cube, normal(5, 3, 2))
case("Deconvolution", lambda a, w: S.Deconvolution(a, w, kernel=(3, 2), num_filter=6, stride=(2, 1), pad=(1, 0), adj=(1, 0), num_group=2), image,
     normal(4, 3, 3, 2))
case("Deconvolution.bias", lambda a, w, b: S.Deconvolution(a, w, b, kernel=(2, 2), num_filter=3, no_bias=False), image, normal(4, 3, 2, 2), normal(3))
for kind in "max avg sum lp".split():
    more = {"p_value": 3} if kind == "lp" else {}
    case("Pooling." + kind, lambda a: S.Pooling(a, kernel=(2, 3), stride=(2, 1), pad=(1, 1), pool_type=kind, **more), image)
    case("Pooling.global." + kind, lambda a: S.Pooling(a, global_pool=True, pool_type=kind, kernel=(1, 1), **more), image)
for kind in "max avg".split():
    case("Pooling.full." + kind, lambda a: S.Pooling(a, kernel=(2, 3), stride=(2, 2), pool_type=kind, pooling_convention="full"), image)
case("Pooling.inside", lambda a: S.Pooling(a, kernel=(2, 2), pad=(1, 1), pool_type="avg", count_include_pad=False), image)
case("BatchNorm", lambda a, g, b, m, v: S.BatchNorm(a, g, b, m, v), image, normal(4), normal(4), normal(4), np.abs(normal(4)))
case("BatchNorm.gamma", lambda a, g, b, m, v: S.BatchNorm(a, g, b, m, v, fix_gamma=False, eps=0.01, axis=3), image, normal(6), normal(6), normal(6),
     np.abs(normal(6)))
case("LayerNorm", lambda a, g, b: S.LayerNorm(a, g, b), cube, normal(4), normal(4))
case("LayerNorm.axis", lambda a, g, b: S.LayerNorm(a, g, b, axis=1, eps=0.1), cube, normal(3), normal(3))
case("InstanceNorm", lambda a, g, b: S.InstanceNorm(a, g, b), image, normal(4), normal(4))
case("GroupNorm", lambda a, g, b: S.GroupNorm(a, g, b, num_groups=2), image, normal(2), normal(2))
for mode in "instance channel spatial".split():
    case("L2Normalization." + mode, lambda a: S.L2Normalization(a, mode=mode), image)
case("LRN", lambda a: S.LRN(a, nsize=3), image)
case("softmax", lambda a: S.Group([S.softmax(a), S.softmax(a, axis=1), S.softmax(a, temperature=2.5), S.log_softmax(a, axis=0), S.softmin(a),
                                   S.softmax(a, dtype="float64")]), cube)
case("softmax.length", lambda a, n: S.softmax(a, S.Cast(n, dtype="int32"), axis=1, use_length=True), cube, [[1, 2, 3, 1], [3, 1, 2, 2]])
case("SoftmaxActivation", lambda a: S.Group([S.SoftmaxActivation(a), S.SoftmaxActivation(a, mode="channel")]), image)
case("dot", lambda a, b: S.Group([S.dot(a, b), S.dot(a, a, transpose_b=True), S.dot(a, a, transpose_a=True)]), x, normal(4, 2))
case("dot.axes", lambda a, b, c: S.Group([S.dot(a, b), S.dot(c, c)]), cube, normal(4, 2, 3), normal(4))
case("batch_dot", lambda a, b: S.Group([S.batch_dot(a, b, transpose_b=True), S.batch_dot(a, b, transpose_a=True)]), cube, normal(2, 3, 4))
case("gemm2", lambda a, b: S.linalg.gemm2(a, b, transpose_b=True, alpha=0.5), cube, normal(2, 5, 4))
case("div_sqrt_dim", S.contrib.div_sqrt_dim, cube)
case("UpSampling", lambda a: S.UpSampling(a, scale=2, sample_type="nearest", num_args=1), image)
for mode, gates in (("rnn_relu", 1), ("rnn_tanh", 1), ("lstm", 4), ("gru", 3)):
    for layers, both in ((1, False), (2, True)):
        h, d = 3, 2 if both else 1
        n = sum(d * gates * h * ((4 if layer == 0 else h * d) + h + 2) for layer in range(layers))
        states = [normal(layers * d, 3, h)] * (2 if mode == "lstm" else 1)
        case("RNN.%s%d" % (mode, layers), lambda a, w, *s: S.Group(list(S.RNN(a, w, *s, mode=mode, state_size=h, num_layers=layers, bidirectional=both,
                                                                           state_outputs=True))), normal(2, 3, 4), normal(n), *states)

(HERE / "cases.json").write_text(json.dumps(cases, separators=(",", ":")) + "\n")
mx.nd.save(str(HERE / "cases.params"), arrays)
