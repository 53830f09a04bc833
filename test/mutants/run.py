#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants bugs in the library, one at a time, and lists which test finds each.

    test/mutants/run.py --gate             all of them (hours); goes on where it stopped
    test/mutants/run.py --gate fold arena  those whose name holds one of the words
    test/mutants/run.py --gate --changed   those whose header is another than when they were last planted
    test/mutants/run.py fold arena         the same with the tests of .ci/run all, for bugs that survive the gate
    test/mutants/run.py --list             their names
    test/mutants/run.py --check            whether each can be planted in the tree as it is, and docs/mutants.md has a row that says what finds it

A bug is a replacement of one text in one header, in a copy of the tree, which is configured by the presets of the gate, gcc and clang. With
--gate no other test than those that these register is built: first the bug's own, then the others of the header's room, until one fails. A test
that does not compile any more, because the compiler evaluates it, has found the bug, too. A test that fails without a bug stops everything.
What no test finds survives: it needs one. Each result is written into its row of docs/mutants.md."""
import argparse
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / "build/mutants"
COPY = WORK / "source"
STATE = WORK / "state.json"  # what --gate has planted, and the programs that pass without a bug
PAGE = ROOT / "docs/mutants.md"
PRESETS = ["clang", "gcc"]  # of the gate, the faster compiler first
SLOW = ["asan", "asan512", "tsan"]  # columns that are tried after the others

NEVER = "not planted yet"
REFUSED = re.compile(r":\d+:\d+: (fatal )?error: ")  # by the compiler

# Bugs that only .ci/run all finds, and why the gate need not: at most 8.
ONLY_ALL = {}

# name, header, what stands there, what the bug makes of it, the tests of test/list.cmake in the order in which they are tried
P, X, N = "include/sinter/passes/", "include/sinter/backend/xsimd/", "include/sinter/"
D = "include/sinter/backend/thrust/kernels/"
GRAPHS, LAWS, KERNELS = "plan.random_graphs", "passes.laws", "backend.xsimd.kernels"
GRADIENTS = [GRAPHS, "ops.gradients"]
MUTANTS = [
    ("canonicalise: an operand is left out", P + "canonicalise.hpp", "if (!done[in]) next = in;", "if (!done[in] && at[i] == 0) next = in;", [GRAPHS, LAWS]),
    ("dead: operands of the last node only", P + "canonicalise.hpp", "for (int j = 0; j < k.in.n; ++j) live[", "for (int j = 0; j + 1 < k.in.n; ++j) live[", [GRAPHS, LAWS]),
    ("dead: one that is needed keeps all", P + "canonicalise.hpp", "all = all && l;", "all = all || l;", [LAWS]),
    ("common: attributes are not compared", P + "common.hpp", "a.index == b.index && g.same_attributes(a, b)", "a.index == b.index", [GRAPHS, LAWS]),
    ("common: which result is not compared", P + "common.hpp", "a.index == b.index && g.same_attributes(a, b)", "g.same_attributes(a, b)", [GRAPHS, "ops.contract"]),
    ("common: any two operands commute", P + "common.hpp", "if (a.in.n == 2 && a.op->commutative &&", "if (a.in.n == 2 &&", [GRAPHS, LAWS]),
    ("common: constants by their number of data", P + "common.hpp", "if (g.data[a.index + i] != g.data[b.index + i]) return false;", "", [LAWS, GRAPHS]),
    ("common: two nodes are too few", P + "common.hpp", "found > 1", "found > 2", [LAWS]),
    ("expand: a reduction keeps its axes", P + "expand.hpp", "a.keepdims = true;", "a.keepdims = false;", [GRAPHS, LAWS]),
    ("expand: narrow numbers are no reason", P + "expand.hpp", "is_short(g, i) || is_widened(g, i) || (g.kind", "is_short(g, i) || (g.kind", ["ops.narrow"]),
    ("fold: the wrong datum of a broadcast constant", P + "fold.hpp", "if (own != 1) place += k * step;", "place += k * step;", [LAWS, GRAPHS]),
    ("fold: a cast is folded as its operand", P + "fold.hpp", "casts ? cast_bits(t, k.type.type, v[0]) :", "casts ? v[0] :", [GRAPHS, LAWS]),
    ("fold: huge numbers, too", P + "fold.hpp", "? 2e9 : 1e18)", "? 2e9 : 1e308)", [LAWS, GRAPHS]),
    ("fold: constants are no reason", P + "fold.hpp", "if (*k.op == constant_op || *k.op", "if (*k.op", [LAWS]),
    ("simplify: x + 0 is x", P + "simplify.hpp", "return is_fill(r, o, 0) && (whole || (r.data[r.nodes[o].index] == 0) == positive);", "return is_fill(r, o, 0);", [LAWS, GRAPHS]),
    ("simplify: x * 1 whatever its shape", P + "simplify.hpp", "if (is_fill(r, y, 1) && same_type(x)) return x;  // x * 1", "if (is_fill(r, y, 1)) return x;  // x * 1", [GRAPHS, LAWS]),
    ("simplify: x / 3 becomes x * (1 / 3)", P + "simplify.hpp", "power_of_two(v) ? 1 / v : 0", "v != 0 ? 1 / v : 0", [LAWS, GRAPHS]),
    ("simplify: transposes in the wrong order", P + "simplify.hpp", "axes.at[j] = first[static_cast<int>(axes[j])];", "axes.at[j] = axes[static_cast<int>(first[j])];", [LAWS, GRAPHS]),
    ("simplify: where takes the other branch", P + "simplify.hpp", "r.data[condition.index] ? 1 : 2", "r.data[condition.index] ? 2 : 1", [GRAPHS, LAWS]),
    ("simplify: a reshape of another shape", P + "simplify.hpp", "if (r.nodes[x].type == k.type) return x;  // a reshape to the same shape", "return x;", [GRAPHS, LAWS]),
    ("sink: operands of different shapes", P + "simplify.hpp", "if (inner.rank >= 0 && !(source.type.shape == inner)) return i;", "", [GRAPHS, LAWS]),
    ("place: a branch begins where the one before does", P + "place.hpp", "before = g.dimensions.sum(before,", "(void)g.dimensions.sum(before,", [GRAPHS, LAWS]),
    ("place: an output given twice has one place", P + "place.hpp", "if (gives_output(g, o) && !taken[o]) taken[o] = 1;", "if (gives_output(g, o)) continue;", [GRAPHS, LAWS]),
    ("place: an opaque operation reads a view as it lies", P + "place.hpp", "case family::opaque: return !in_a_row(g, p, o);", "case family::opaque: return false;", [GRAPHS, "ops.contract"]),
    ("fuse: a view does not matter", P + "fuse.hpp", "if (int const o = operands_[k.in.at + j]; f.of[o] < 0) sources(o, memory_);", "", [GRAPHS, LAWS]),
    ("fuse: groups move before their readers", P + "fuse.hpp", ".position <= position) return false;", ".position < position) return false;", [GRAPHS, LAWS]),
    ("fuse: reductions over other axes", P + "fuse.hpp", "(x.axes != y.axes || !(shape(x.shape) == shape(y.shape)))", "(!(shape(x.shape) == shape(y.shape)))", [GRAPHS, LAWS]),
    ("fuse: a prologue that others read", P + "fuse.hpp", "if (f.of[o] < 0 || notes.uses[o] != 1 ||", "if (f.of[o] < 0 ||", [GRAPHS, LAWS]),
    ("fuse: what is inside of a prologue is read elsewhere", P + "fuse.hpp", "if (m != o && notes.uses[m] != 1) return -1;", "", ["plan.judge"]),
    ("fuse: a prologue on a transposed operand", P + "fuse.hpp", "if (*k.op == ops::info<ops::product> && ops::attributes_in<ops::product>(g_, k).transpose_a) return -1;", "", [GRAPHS, LAWS]),
    ("phases: a reduction ends no phase", N + "plan/phases.hpp", "if (s[i].op->kind == family::reduction) ++s[i].phase;", "", [GRAPHS, LAWS]),
    ("phases: kept in an output that is written before", N + "plan/phases.hpp", "|| s[j].phase < last) continue;", ") continue;", [GRAPHS, LAWS]),
    ("phases: an element is computed in the first phase only", N + "plan/phases.hpp", "need(s, i, s[i].keep >= 0 ? 1u << s[i].phase : s[i].needed);", "need(s, i, 1u << s[i].phase);", [GRAPHS, LAWS]),
    ("loops: neighbours are merged whatever their strides", N + "plan/loops.hpp", "merge = o.stride[to - 1] == o.stride[i] * q.extents[i];", "merge = true || o.stride[to - 1] == o.stride[i] * q.extents[i];", [GRAPHS, KERNELS]),
    ("loops: the reduced loops first", N + "plan/loops.hpp", "if (!((axes >> i) & 1)) from[n++] = i;", "if ((axes >> i) & 1) from[n++] = i;", [GRAPHS, KERNELS]),
    ("in place: although the operand is read later", N + "plan/in_place.hpp", "last_read(s) > last_safe_read(p, q, j)", "last_read(s) > last_safe_read(p, q, j) + 1", [GRAPHS, "plan.judge"]),
    ("in place: lanes that share a row begin together", N + "plan/in_place.hpp", "w.phase > 0 ? w.phase - 1 : -2", "w.phase > 0 ? w.phase - 1 : -1", ["plan.judge"]),
    ("in place: two results in one operand's bytes", N + "plan/in_place.hpp", "used.push(source);", "", [GRAPHS, "plan.judge"]),
    ("in place: an operand that is read by a later kernel", N + "plan/in_place.hpp", "a.last != id ||", "", [GRAPHS, "plan.judge"]),
    ("arena: a buffer ends a kernel early", N + "plan/arena.hpp", "for (int t = r.first; t <= r.last; ++t) top[t] = end;", "for (int t = r.first; t < r.last; ++t) top[t] = end;", [GRAPHS, "plan.arena"]),
    ("arena: who reuses bytes lives no longer", N + "plan/arena.hpp", "if (f.last > l.last) l.last = f.last;", "", [GRAPHS, "plan.arena"]),
    ("build: a life ends with the first reader", N + "plan/build.hpp", "if (q > b.last) b.last = q;", "if (b.last < 0) b.last = q;", [GRAPHS, "plan.arena"]),
    ("build: equal strides are the same operand", N + "plan/build.hpp", "o.buffer == r.buffer && o.offset == r.offset && o.written == r.written", "o.buffer == r.buffer && o.written == r.written", ["nn.overlap", GRAPHS]),
    ("dimensions: the last of several offsets", N + "graph/dimensions.hpp", "d = {d.k + s.k, s.powers};", "d = {s.k, s.powers};", [GRAPHS, LAWS]),
    ("lines: one column too many at the end of a line", X + "kernels/lines.hpp", "clamped(-at, columns - at)", "clamped(-at, columns - at + 1)", [KERNELS]),
    ("lines: the line below the image is one of it", X + "kernels/lines.hpp", "at < x.lines ?", "at <= x.lines ?", [KERNELS]),
    ("lines: both elements of a step are the first", X + "kernels/lines.hpp", "every_second<C % 2>", "every_second<0>", [KERNELS]),
    ("lines: masks come one window too late", X + "kernels/lines.hpp", "first + Window - 1 + Step * lanes <= x.columns", "first + Step * lanes <= x.columns", [KERNELS]),
    ("pointwise: the tail is a whole vector", X + "kernels/pointwise.hpp", "if (i < to) vector<true>(f, s, i, static_cast<int>(to - i));", "if (i < to) vector<true>(f, s, i, lanes);", [KERNELS]),
    ("pointwise: the tail is left out", X + "kernels/pointwise.hpp", "if (i < to) vector<true>(f, s, i, static_cast<int>(to - i));", "", [KERNELS]),
    ("pointwise: threads begin at their first line", X + "kernels/pointwise.hpp", "lines(0, outer, from, to)", "lines(0, outer, 0, to - from)", [KERNELS]),
    ("cursor: only the last loop", X + "kernels/common.hpp", "for (int d = last - 1; d >= first && n > 0; --d) {\n      i[d] = n % l.extent[d];", "for (int d = last - 1; d >= last - 1 && n > 0; --d) {\n      i[d] = n % l.extent[d];", [KERNELS]),
    ("cursor: a loop does not go back", X + "kernels/common.hpp", "at[j] -= (i[d] - 1) * step[j * max_loop];", "at[j] -= i[d] * step[j * max_loop];", [KERNELS]),
    ("rows: the tail counts as whole", X + "kernels/rows.hpp", "vector<P, true>(f, t, s, i, when, static_cast<int>(to - i));", "vector<P, true>(f, t, s, i, when, lanes);", [KERNELS]),
    ("rows: one row too few in a bundle", X + "kernels/rows.hpp", "begin += size * step;", "begin += (size - 1) * step;", [KERNELS]),
    ("rows: a phase without its lag", X + "kernels/rows.hpp", "bundles[(turn - P * lag) % Phases]", "bundles[turn % Phases]", [KERNELS]),
    ("rows: lanes across rows beyond the last", X + "kernels/rows.hpp", "std::min<std::int64_t>(lanes, width - first)", "lanes", [KERNELS]),
    ("reduce: argmax takes the last maximum", N + "ops/reduction.hpp", "return (v > best) | ((v != v) & (best == best));", "return (v >= best) | ((v != v) & (best == best));", [KERNELS, "ops.data"]),
    ("reduce: argmax does not see NaN", N + "ops/reduction.hpp", "return (v > best) | ((v != v) & (best == best));", "return v > best;", ["backend.xsimd.special", "ops.data"]),
    ("element: maximum drops a NaN on the left", N + "ops/element.hpp", "return a >= b || a != a ? a : b;", "return a >= b ? a : b;", ["backend.xsimd.special"]),
    ("sort: NaN first", N + "ops/order.hpp", "if (a != a) return false;\n    if (b != b) return true;", "if (b != b) return false;\n    if (a != a) return true;", ["ops.data"]),
    ("topk: equal elements in any order", N + "ops/order.hpp", "&& a.place < b.place", "&& a.place > b.place", ["ops.data"]),
    ("take: an index is not clipped", N + "ops/movement.hpp", ": asked > last        ? last", ": asked > last + 1        ? last", ["ops.data"]),
    ("concat: dynamic extents need not agree", N + "ops/movement.hpp", "t.same(x, y);", "", [GRAPHS, "nd.dynamic_networks"]),
    ("product: depths need not agree", N + "ops/product.hpp", "t.same(k, l);", "", [GRAPHS, "nd.dynamic_networks"]),
    ("slice: a negative step begins one too late", N + "core/part.hpp", "(step > 0 ? 0 : n - 1)", "(step > 0 ? 0 : n - 2)", ["nd.tensor", "ops.data"]),
    ("eager: an operand of one element moves", N + "nd/pointwise.hpp", "unsigned{typed.d[k] != 1}", "unsigned{typed.d[k] != 2}", ["nd.tensor", "nd.dynamic"]),
    ("eager: a view that runs backwards begins where it ends", N + "nd/sharing.hpp", "(last < 0 ? low : high) += last;", "high += last;", ["nd.tensor"]),
    ("eager: a tensor that was moved from keeps its pointer", N + "nd/tensor.hpp", "if (!owner_) refuse_moved();", "", ["nd.tensor"]),
    ("creation: the last number of a range is not looked at", N + "ops/creation.hpp", "!holds(t, last)", "!holds(dtype::int64, last)", ["ops.integers"]),
    ("creation: a range with fractions, the same", N + "ops/creation.hpp", " || !truncates(t, math::mul(by, n - 1) + start)", "", ["ops.integers"]),
    ("save: over a pipe", N + "io/write.hpp", 'if (S_ISFIFO(info.st_mode)) throw file_error(path, "it is a pipe, not a file");', "if (S_ISFIFO(info.st_mode)) return 0;", ["io.file"]),
    ("save: a link is replaced", N + "io/write.hpp", "detail::end_of_links(path)", "path", ["io.file"]),
    ("save: the mode is a new one", N + "io/write.hpp", "mode == 0 ||", "true ||", ["io.file"]),
    ("eager: written while it is read", N + "nd/sharing.hpp", "return x.data() == out.data() && x.is_contiguous() && x.shape() == out.shape();", "return x.data() == out.data() && x.is_contiguous();", ["nd.tensor"]),
    ("eager: extents of a call are those of its type", N + "run/extents.hpp", "if (!fits) refuse_extents(op, actual, n);", "", ["nd.dynamic"]),
    ("overlap: an input may be read after a result is written", N + "plan/sharing.hpp", "if (last > first) return sharing::nothing;", "", ["nn.overlap"]),
    ("weights: a changed parameter stays packed", N + "run/prepare.hpp", "if (changed) prepare<Device>(f,", "if (false) prepare<Device>(f,", ["nn.weights", "nn.block"]),
    ("loops: the last states stay in memory", N + "run/region.hpp", "(turns - turn) % 2 == 1", "turn % 2 == 0", ["backend.interpreter.networks", "nn.block"]),
    ("slice: a dynamic axis backwards begins behind its end", N + "ops/view.hpp", "first = -1;", "first = 0;", ["symbol.symbol"]),
    ("slice: a step of -1 from a place of a dynamic axis", N + "ops/view.hpp", "a.step[i] == -1 && a.begin[i] == open", "a.step[i] == -1", ["ops.data"]),
    ("slice: a place with more products than there is room for", N + "ops/view.hpp", "if (!out.offset.add(t.size_of(from.d[i]) * in.stride[i])) return false;", "(void)out.offset.add(t.size_of(from.d[i]) * in.stride[i]);", ["passes.laws"]),
    ("slice: a dynamic axis to its beginning is all of it", N + "ops/view.hpp", "to >= 0", "to > 0", ["ops.data"]),
    ("slice: a dynamic axis from its last element", N + "ops/view.hpp", "from != open && from < 0", "from != open && from < -1", ["ops.data"]),
    ("recurrent: both directions take the batch for the time", N + "nn/layers/recurrent.hpp", "if constexpr (Layout == sequence::ntc) return F.transpose", "if constexpr (Layout == sequence::ntc && !Both) return F.transpose", ["nn.recurrent"]),
    ("recurrent: an rnn runs forwards alone", N + "nn/layers/recurrent.hpp", "Hidden, rnn, Layout, Dropout, Bidirectional>", "Hidden, rnn, Layout, Dropout, false>", ["nn.recurrent"]),
    ("norms: a batch_norm without scale has one", N + "nn/layers/norms.hpp", "else return F.ones_like(g);", "else return g;", ["nn.recurrent"]),
    ("transformer: dense layers drop nothing in training", N + "nn/layers/transformer.hpp", "return drop(output(hidden(x)));", "return output(hidden(x));", ["nn.recurrent"]),
    ("loss: examples of a cosine_embedding_loss weigh the same", N + "nn/layers/loss.hpp", "F.add(like, unlike), sample_weight...)", "F.add(like, unlike), F.ones_like(sample_weight)...)", ["nn.recurrent"]),
    ("grid_sample: the batch of the image, whatever the grid's", N + "ops/sampling.hpp", "broadcast_extent(x.d[0], at.d[0], n);", "n = x.d[0];", ["ops.calls"]),
    ("loops: rows of turns that were not made", N + "run/region.hpp", "(c_.info.most - turn) * c_.slice(c_.inputs + j)", "0 * c_.slice(c_.inputs + j)", ["backend.interpreter.networks", "nn.block"]),
    ("loops: a body has no arena", N + "plan/arena.hpp", "return bytes > others ? bytes : others;", "return 0;", ["nn.block"]),
    ("loops: the arena has room for the first branch", N + "plan/arena.hpp", "return bytes > others ? bytes : others;", "return others < 0 ? others : bytes;", ["nn.block"]),
    ("loops: two branches take what they capture in other orders", N + "sym/control_flow.hpp", "second.capture_like(first);", "", ["nn.block"]),
    ("blocks: what the kernels read may be overwritten between them", N + "plan/blocks.hpp", "else if (f.where != storage::block && f.last < last) f.last = last;", "", ["plan.blocks", GRAPHS]),
    ("blocks: another kernel reads what lies between", N + "plan/blocks.hpp", "if (p.buffers[buffer].last != to) return", "if (false) return", ["plan.blocks", GRAPHS]),
    ("blocks: rows in any order", N + "plan/blocks.hpp", "if (!use_of(p, q, buffer).by_rows || !use_of(p, r, buffer).by_rows) return", "if (false) return", ["plan.blocks", GRAPHS, "nn.blocks"]),
    ("blocks: results in place within them", N + "plan/in_place.hpp", "if (a.where == storage::arena && q.together >= 0) return false;", "", ["plan.blocks"]),
    ("widen: any constant is taken as it was", P + "widen.hpp", "return cast_bits(c.type.type, k.type.type, g.data[c.index]) == g.data[c.index] ? o : -1;", "return o;", ["ops.narrow"]),
    ("image blocks: rows that lie there stay where they are", N + "run/image_blocks.hpp", "if (row == there.first) return;", "return;", ["nn.image_blocks"]),
    ("image blocks: a later block begins with the rows of the one before", N + "run/image_blocks.hpp", "if (need.first >= there.end) there = {need.first, need.first};", "", ["nn.image_blocks"]),
    ("image blocks: an image begins with the rows of the one before", N + "run/image_blocks.hpp", "if (i == from || i % blocks_ == 0)", "if (i == from)", ["nn.image_blocks"]),
    ("image blocks: a window begins in the first row of the block", N + "run/image_blocks.hpp", "v.shift += shown - rows.first * v.step;", "v.shift -= rows.first * v.step;", ["nn.image_blocks"]),
    ("image blocks: a window sees rows behind the block", N + "run/image_blocks.hpp", "v.extent = r.end(rows.end, v.extent) - shown;", "", ["nn.image_blocks"]),
    ("image blocks: channels lie as far apart as in the image", N + "run/image_blocks.hpp", "if (*s >= plane) *s = *s / plane * (gives_[from].row * k_[from].most);", "if (*s >= plane) *s = *s / plane * plane;", ["nn.image_blocks"]),
    ("image blocks: what lies outside is that of the first image", N + "run/image_blocks.hpp", "at += image * q.stride[j * max_loop + by.image];", "at += 0;", ["nn.image_blocks"]),
    ("image blocks: an operand begins in the first row", N + "run/image_blocks.hpp", "at += b_(o.offset) - held", "at += -held", ["nn.image_blocks"]),
    ("image blocks: another kernel reads what lies between", N + "plan/image_blocks.hpp", "if (f.last != to.group) return \"another", "if (false) return \"another", ["plan.image_blocks"]),
    ("image blocks: all operands read the rows of the first", N + "plan/image_blocks.hpp", "    all = r;\n    first = false;", "    if (first) all = r;\n    first = false;", ["nn.image_blocks"]),
    ("image blocks: a window of pooled rows counts them once", N + "plan/image_blocks.hpp", "r.shift += v.shift * (by / a.row);", "r.shift += v.shift;", ["nn.image_blocks"]),
    ("image blocks: no zeros in front of the first row", N + "plan/image_blocks.hpp", "r.shift += v.shift * (by / a.row);", "r.shift += 0;", ["plan.image_blocks"]),
    ("image blocks: weights of any size", N + "plan/image_blocks.hpp", "|| weights.touched.k * bytes_of(weights.type) > most_image_block_weights)", ")", ["plan.image_blocks"]),
    ("image blocks: Winograd's forms are not asked for", N + "plan/image_blocks.hpp", "return has_form ? \"math", "return false ? \"math", ["plan.image_blocks"]),
    ("image blocks: blocks are as large as all of them", N + "plan/image_blocks.hpp", "if (bytes > most_image_block_bytes) continue;", "", ["plan.image_blocks"]),
    ("image blocks: what the kernels read may be overwritten between them", N + "plan/image_blocks.hpp", "else if (f.where != storage::block && f.last < last) f.last = last;", "", ["plan.image_blocks"]),
    ("place: a product that others read is turned, too", P + "place.hpp", "if (uses[i] != 1) turned[i] = -1;", "if (uses[i] < 1) turned[i] = -1;", [LAWS]),
    ("place: an output is no use of a product", P + "place.hpp", "for (int o : g.outputs) ++uses[o];", "", ["plan.map"]),
    ("place: any view of an output stands in the order of memory", P + "place.hpp", "(turned.empty() || turned[o] != i)", "turned.empty()", ["plan.map"]),
    ("image blocks: a window may be wider than a row", N + "plan/image_blocks.hpp", "return inside < a.row && rows", "return rows", ["plan.random_images"]),
    ("image blocks: rows may go on in the next channel", N + "plan/image_blocks.hpp", "rows <= a.plane - a.row && ", "", ["plan.random_images"]),
    ("image blocks: rows that a kernel reduces", N + "plan/image_blocks.hpp", "loops.n > 0 && (q.kind != kernel_kind::rows ||", "loops.n > 0 && (true ||", ["plan.random_images"]),
    ("image blocks: steps over channels count as rows", N + "plan/image_blocks.hpp", "step.k >= a.plane || by * v.dilation >= a.plane || ", "", ["plan.random_images"]),
    ("place: a product is turned whatever its last axis", P + "place.hpp", "if (axes[axes.n - 1] != axes.n - 1) continue;", "if (axes.n < 1) continue;", [LAWS]),
    ("winograd: weights are prepared for 64 channels", N + "run/instance.hpp", "if (!l.map) l.extent", "if (true) l.extent", ["nn.winograd"]),
    ("winograd: the form is that for as many images as the first call has", N + "run/instance.hpp", "l.extent[i] = kernel::any_extent;", "continue;", ["nn.winograd"]),
    ("winograd: the direct form reads the size of tiles as a weight", X + "kernels/winograd.hpp", "directly.packed = packed;", "directly.packed = l.packed;", ["nn.winograd"]),
    ("winograd: an image goes on with the lines of the one before", X + "kernels/winograd.hpp", "known = before.count > 0 && at.y > 0 ?", "known = before.count > 0 ?", ["nn.winograd"]),
    ("winograd: the last columns of a strip are those of a tile", X + "kernels/winograd.hpp", "std::min<std::int64_t>(tile * at.count, wide_ - tile * at.x)", "std::int64_t{tile * at.count}", ["nn.winograd"]),
    ("schedule: readers do not come first", P + "schedule.hpp", "updates.each_before(i, [&](int r) { add(r, i, true); });", "", ["plan.judge"]),
    ("schedule: the deepest update comes first", P + "schedule.hpp", "depth[roots[j]] < depth[roots[j - 1]]", "depth[roots[j]] > depth[roots[j - 1]]", ["plan.judge"]),
    ("schedule: effects that wait change their order", P + "schedule.hpp", "if (effect >= 0) add(effect, i, false);", "if (effect >= 0 && false) add(effect, i, false);", ["nn.block"]),
    ("fuse: what reads an old value may run behind the update", P + "fuse.hpp", "if (f.of[r] >= 0) add_source(f.root(f.of[r]), sources_);", "", ["plan.judge"]),
    ("updates: in place although a kernel reads the old value", N + "plan/sharing.hpp", "!= sharing::nothing);", ">= sharing::anything);", ["plan.judge", GRAPHS]),
    ("updates: in place although a body reads the old value", N + "plan/sharing.hpp", "next.in_place && !bodies_read(", "next.in_place || !bodies_read(", ["plan.judge"]),
    ("updates: weights that change are prepared", N + "plan/preparations.hpp", "if (where == storage::parameter && changes(p, p.buffers[weights])) continue;", "", ["plan.judge"]),
    ("values: others do not look where a state has moved to", N + "compile/states.hpp", "if (!elsewhere) return;", "return;", ["nn.block"]),
    ("values: what was made of a state stays", N + "run/value.hpp", "if (std::atomic_ref<bool>(watched_).exchange(false))", "if (false)", ["nn.block"]),
    ("states: two calls change one at once", N + "run/value.hpp", "first_[n_]->lock();", ";", ["nn.instance"]),
    ("states: two members with the same values", N + "compile/states.hpp", "P::plan.updates[i].parameter != visited && p.is(", "P::plan.updates[i].parameter != visited && false && p.is(", ["nn.block"]),
    ("instances: states of the network", N + "compile/instance.hpp", "nn::detail::each_remembered(own, [&](auto& state) { apart.separate(state, true); });", "", ["nn.instance"]),
    ("instances: other parameters bring other states", N + "compile/instance.hpp", "now->states[i].swap(*now->states[i].at, *next->states[i].at);", "", ["nn.instance"]),
    ("instances: the memory of the thread", N + "compile/instance.hpp", "before_(std::exchange(calls_of_this_thread().own, &own))", "before_((void(own), calls_of_this_thread().own))", ["nn.allocation"]),
    ("interpreter: a chain takes the first operand of all", N + "backend/interpreter/chains.hpp", "values[in[I + 1]]", "values[in[1]]", ["backend.interpreter.networks"]),
    ("interpreter: a chain swallows what others read", N + "backend/interpreter/write_tape.hpp", " || uses[static_cast<std::size_t>(a.value)] != 1", "", ["backend.interpreter.networks"]),
    ("interpreter: a chain swallows what is stored", N + "backend/interpreter/write_tape.hpp", "|| a.operand >= 0 ||", "||", ["backend.interpreter.networks"]),
    ("interpreter: a chain takes a second operand that moves for one that stands", N + "backend/interpreter/write_tape.hpp", "(is_first_of_chain || is_still(n.in[1]))", "(true || is_first_of_chain)", ["backend.interpreter.networks"]),
    ("mapped: rows of a strided matrix are one too long", X + "kernels/schedule.hpp", "t.b = {data, static_cast<index>(z_.n), 1};", "t.b = {data, static_cast<index>(z_.n) + 1, 1};", ["backend.interpreter.networks", KERNELS]),
    ("mapped: turns of the depth forget the channels", X + "kernels/planes.hpp", "if (i < 0) channels *= z_.extent[d];", "", ["backend.interpreter.networks", KERNELS]),
    ("mapped: zeros in the first plane of a line only", X + "kernels/planes.hpp", "u < inner;", "u < std::min<index>(inner, 1);", ["backend.interpreter.networks", KERNELS]),
    ("mapped: sums between the lines of a plane are results", X + "kernels/schedule.hpp", "from = row + begins[n];", "from = row + n * count;", ["backend.interpreter.networks", KERNELS]),
    ("mapped: each tile on planes has the first rows", X + "kernels/schedule.hpp", "call.a = t.a.data + i * t.a.row_stride;", "call.a = t.a.data + s.row * t.a.row_stride;", ["backend.interpreter.networks", KERNELS]),
    ("mapped: each part of a long line is its first", X + "kernels/schedule.hpp", "s.line * planes_.line() + at, lines * count);", "s.line * planes_.line(), lines * count);", ["backend.interpreter.networks", KERNELS]),
    ("mapped: a panel's last vectors are not written", X + "kernels/planes.hpp", "pieces[i].count, to + safe * width", "pieces[i].count - 1, to + safe * width", ["backend.interpreter.networks", KERNELS]),
    ("mapped: an image is as far apart as it is wide", X + "kernels/planes.hpp", "auto const pitch = static_cast<index>(z_.stride(first, axes_[0].depth));", "auto const pitch = static_cast<index>(b.extent + 0 * first);", ["backend.interpreter.networks", KERNELS]),
    ("pixels: sums of earlier parts of the depth are lost", X + "kernels/pixels.hpp", "sums, k > 0, next", "sums, false, next", ["nn.pixels"]),
    ("pixels: a second line lies beside the first", X + "kernels/pixels.hpp", "is_last ? 0 : place(line_ * line) - at;", "is_last ? 0 : line_;", ["nn.pixels"]),
    ("pixels: the last of an odd number of turns is left out", X + "kernels/pixels.hpp", "if (k != all) turn(k, w);", "", ["nn.pixels"]),
    ("pixels: each part of a long line is its first", X + "kernels/pixels.hpp", "at = place(column);", "at = place(line_ * line);", ["nn.pixels"]),
    ("pixels: an image lies as planes although there are zeros around it", X + "kernels/planes.hpp", "a.step != 1 || (a.w &&", "a.step != 1 || (false &&", ["nn.pixels"]),
    ("pixels: a second line lies as far behind as in the first plane", X + "kernels/pixels.hpp", "place(line_ * line) - at;", "place(line_) - place(0);", ["nn.pixels"]),
    ("pixels: channels that lie apart are read as neighbours", X + "kernels/planes.hpp", "if (z_.extent[d] > 1 && z_.stride(first, d) != channels) return false;", "", ["nn.pixels"]),
    ("batch: every second element, and one behind the last", N + "backend/xsimd/batch/partial.hpp", "int const all = 2 * n - 1;", "int const all = 2 * n;", ["nd.parts"]),
    ("pixels: weights that do not lie as rows lose the last channel", X + "kernels/schedule.hpp", "j < m ? from", "j + 1 < m ? from", ["nn.pixels"]),
    ("pixels: groups have the weights of the first one", X + "kernels/schedule.hpp", "if (z.extent[d] != 1 && z.stride(j, d) != 0) return false;", "", ["nn.pixels"]),
    ("weights: what was noted before an exception stays noted", N + "run/prepare.hpp", "if (changed) p.forget();", "", ["run.prepare"]),
    ("parameters: to read one decides its shape", N + "nn/parameter_of.hpp", "if (!has_values() && declared.fixed()) use(declared);", "if (!has_values() && U::fixed) use(U::value);", ["nn.block"]),
    ("once: loops and effects, too", N + "plan/preparations.hpp", "if (op_info const& op = *p.steps[q.steps.at + s].op; op.effect || ops::is_region(op.id)) return false;", "if (op_info const& op = *p.steps[q.steps.at + s].op; false && (op.effect || ops::is_region(op.id))) return false;", [GRAPHS, "nn.block"]),
    ("dimensions: a quotient need not be whole", N + "graph/dimensions.hpp", "same(extent_of(size_of(q) * known), a);", "", ["nd.dynamic_networks"]),
    ("reshape: a dimension with a name is divided in a type, too", N + "ops/view.hpp", "(!t.typed || has_nameless(in[0].shape))", "true", ["nd.dynamic_networks"]),
    ("reshape: numbers that differ are left to the run", N + "ops/view.hpp", "!(all.fixed() && known.fixed())", "true", ["symbol.symbol"]),
    ("reshape: given extents fit any number of elements", N + "ops/view.hpp", "else if (!fits) t.same(t.extent_of(known), t.extent_of(all));", "", ["nd.dynamic_networks"]),
    ("literal: nodes are alike by their operations", N + "literal/node.hpp", "same = same && r.is_same(a.attributes_in[i], b.attributes_in[i]);", "", ["literal.network"]),
    ("bind: dimensions that meet may differ", N + "run/bind.hpp", "!= extent_in(p.dimensions, b, e.b)) refuse_unequal", "!= extent_in(p.dimensions, b, e.b) && false) refuse_unequal", ["nd.dynamic", "nd.dynamic_networks", "nn.block"]),
    ("verify: a kernel may read what a later one writes", N + "plan/judge_stores.hpp", "&& !runs_before(w.kernel, q) && meet(w, r)", "&& false && !runs_before(w.kernel, q) && meet(w, r)", ["plan.judge"]),
    ("verify: two kernels may store to one place", N + "plan/judge_stores.hpp", "if (use const a = store(other), b = store(s); buffer_of(a) == buffer_of(b) && meet(a, b))", "if (use const a = store(other), b = store(s); false && buffer_of(a) == buffer_of(b) && meet(a, b))", ["plan.judge"]),
    ("files: sizes are believed", N + "io/npy.hpp", "fail(at_, \"something follows the dictionary\")", "(void)0", ["io.npy"]),
    ("files: the columns of four axes are counted as those of three", N + "io/npy.hpp", "for (std::size_t i = rank; i-- > 0;) {", "for (std::size_t i = rank < 4 ? rank : 3; i-- > 0;) {", ["io.npy"]),
    ("files: the least integer of 8 bits is that of 32", N + "ops/reduction.hpp", "is_narrow(t)    ? narrow_range(t).least", "false    ? narrow_range(t).least", ["onnx.onnx"]),
    ("onnx: backwards from the first element there is nothing", N + "onnx/write_operations.hpp", "if (a.begin[k] < -all) {", "if (a.begin[k] <= -all) {", ["onnx.onnx"]),
    ("onnx: an extent with a name is a number", N + "onnx/composer.hpp", "if (e < 0)\n      throw shape_error", "if (false)\n      throw shape_error", ["onnx.onnx"]),
    ("onnx: an exclusive sum of one element has it", N + "onnx/operators/reduce.hpp", "k.truth(\"exclusive\", false) && x[axis] > 0", "k.truth(\"exclusive\", false) && x[axis] > 1", ["onnx.onnx"]),
    ("onnx: the bias of a dense layer of the last axis is left out", N + "onnx/write_operations.hpp", 'if (in.size() > 2) w.give(i, "Add"', 'if (in.size() > 3) w.give(i, "Add"', ["onnx.onnx"]),
    ("onnx: transpose_a is left out", N + "onnx/write_operations.hpp", "{a.transpose_a && rank_a > 1", "{false && rank_a > 1", ["onnx.onnx"]),
    ("onnx: a place along an axis loses its axis", N + "onnx/write_operations.hpp", 'attribute_of("axis", axes[0]), attribute_of("keepdims", int{a.keepdims})', 'attribute_of("axis", axes[0]), attribute_of("keepdims", 0)', ["onnx.onnx"]),
    ("onnx: the axis of a split is 1", N + "onnx/write_operations.hpp", 'attribute_of("axis", a.axis), attribute_of("num_outputs"', 'attribute_of("axis", 1), attribute_of("num_outputs"', ["onnx.onnx"]),
    ("onnx: the smallest are the largest", N + "onnx/write_operations.hpp", '"k"), a.axis, a.ascending);', '"k"), a.axis, false);', ["onnx.onnx"]),
    ("onnx: a layer_norm is of the last axes, whatever its axis", N + "onnx/write_operations.hpp", "if (a.axis != w.type(i).shape.rank - 1) return w.write_definition(i);", "", ["onnx.onnx"]),
    ("onnx: a batch_norm is of axis 1, whatever its axis", N + "onnx/write_operations.hpp", "if (a.axis != 1) return w.write_definition(i);", "", ["onnx.onnx"]),
    ("onnx: the epsilon of a group_norm is that of others", N + "onnx/write_operations.hpp", 'attribute_of("epsilon", a.eps), attribute_of("num_groups"', 'attribute_of("epsilon", 1e-5), attribute_of("num_groups"', ["onnx.onnx"]),
    ("onnx: the groups of a group_norm are one", N + "onnx/write_operations.hpp", 'attribute_of("num_groups", a.groups)', 'attribute_of("num_groups", 1)', ["onnx.onnx"]),
    ("onnx: log10 is to the base 2", N + "onnx/writers.hpp", "write_logarithm(w, i, 10)", "write_logarithm(w, i, 2)", ["onnx.onnx"]),
    ("onnx: a log_softmax has no axis", N + "onnx/writers.hpp", 'write_along<ops::log_softmax>(w, i, "LogSoftmax");', 'w.give(i, "LogSoftmax", operands_of(w, i));', ["onnx.onnx"]),
    ("onnx: an extent of 0 is that of the operand", N + "onnx/write_operations.hpp", "int{zeros > 0 || !direct}", "0", ["onnx.onnx"]),
    ("onnx: a clip is bounded from above first", N + "onnx/write_elementwise.hpp", "w.emit(\"Max\", {operand_as(w, i, 0, t), operand_as(w, i, 1, t)});\n  give_from(w, i, t, \"Min\", {above, operand_as(w, i, 2, t)});", "w.emit(\"Min\", {operand_as(w, i, 0, t), operand_as(w, i, 2, t)});\n  give_from(w, i, t, \"Max\", {above, operand_as(w, i, 1, t)});", ["onnx.onnx"]),
    ("onnx: int16 is reduced as it is", N + "onnx/write_operations.hpp", "dtype const t = widened(w.type(i).type);\n  give_from(", "dtype const t = w.type(i).type;\n  give_from(", ["onnx.onnx"]),
    ("onnx: truth values are sorted as they are", N + "onnx/write_operations.hpp", "t == dtype::boolean ? dtype::int32 : t;", "t;", ["onnx.onnx"]),
    ("onnx: windows of any integers", N + "onnx/write_operations.hpp", "if (!is_floating(t) && t != dtype::int8", "if (false && t != dtype::int8", ["onnx.onnx"]),
    ("onnx: integers may be NaN", N + "onnx/write_elementwise.hpp", "if (is_floating(w.type_in(i, 0).type)) return w.give(i, op,", "if (true) return w.give(i, op,", ["onnx.onnx"]),
    ("onnx: negative numbers of uint8", N + "onnx/write_elementwise.hpp", 't == dtype::uint8) return w.give(i, "Sub"', 'false && t == dtype::uint8) return w.give(i, "Sub"', ["onnx.onnx"]),
    ("onnx: a node does not wait for what its graphs capture", N + "onnx/order.hpp", "r.merge(captured_by(g));", "static_cast<void>(g);", ["onnx.onnx"]),
    ("onnx: every activation has the first number", N + "onnx/operators/cell_activations.hpp", "return values[readers.size() - 1];", "return values[0];", ["onnx.onnx"]),
    ("onnx: the second direction has the peepholes of the first", N + "onnx/operators/recurrent.hpp", "of(k[7], d,", "of(k[7], 0,", ["onnx.onnx"]),
    ("onnx: a split loses what its parts leave", N + "onnx/operators/shape.hpp", 'if (at != x[axis]) k.fail("the parts are fewer', 'if (false) k.fail("the parts are fewer', ["onnx.onnx"]),
    ("structure: attributes are not compared", N + "onnx/structure.hpp", 'what += " " + a.name + "=" + attribute_in_words(a, parameters);', 'what += " " + a.name;', ["onnx.onnx"]),
    ("structure: whole numbers are not compared", N + "onnx/structure.hpp", 'else r += " " + in_digits(static_cast<std::int64_t>(v));', 'else r += "";', ["onnx.onnx"]),
    ("structure: bodies are not compared", N + "onnx/structure.hpp", 'r += "graph " + io::hash_of_structure(inner);', 'r += "graph ";', ["onnx.onnx"]),
    ("structure: numbers with fractions are not compared", N + "onnx/structure.hpp", 'r += " " + in_digits(static_cast<double>(v));', 'r += "";', ["onnx.onnx"]),
    ("structure: parameters are compared", N + "onnx/structure.hpp", "parameters.contains(t.name)", "false", ["onnx.onnx"]),
    ("files: members of an archive are each as large as the whole", N + "io/npz.hpp", "packed_left -= stat.comp_size;", "", ["io.npz"]),
    ("mxnet: a negative number is false", N + "symbol/mxnet/elementwise.hpp", "number(v != 0)", "number(v > 0)", ["symbol.files"]),
    ("mxnet: sums of uint8 are not widened", N + "symbol/mxnet/write_node.hpp", "wide = t == dtype::none ? t : summed_in(t);", "wide = t == dtype::none || t == dtype::uint8 ? t : summed_in(t);", ["symbol.files"]),
    ("mxnet: a minimum has no dtype", N + "symbol/mxnet/write_node.hpp", " || c.op->name == \"min\";", ";", ["symbol.files"]),
    ("names: a layer's name stays behind its call", N + "symbol/composing.hpp", "else if (names_now) names_now->layer = std::move(before_);", "", ["symbol.symbol"]),
    ("names: the third log is log2", N + "symbol/composing.hpp", "k.name += \"_\" + std::to_string(before);", "k.name += std::to_string(before);", ["symbol.symbol"]),
    ("names: what follows a definition is called by it", N + "symbol/typed.hpp", "inside_ = outer;", "static_cast<void>(outer);", ["onnx.onnx"]),
    ("files: what a map names is counted in order", N + "io/detail/by_order.hpp", "if (taken[i]) continue;", "", ["io.match"]),
    ("files: sorted names have an order", N + "io/detail/by_order.hpp", "if (order_ != array_order::kept) names_differ();", "", ["io.match"]),
    ("files: sequences leave out numbers here and there", N + "io/detail/name_tree.hpp", "a.numbers.size() == b.numbers.size() && differences(a.numbers, b.numbers) != both", "a.numbers.size() == b.numbers.size()", ["io.match"]),
    ("files: one number is always one layer", N + "io/detail/by_name.hpp", "!whole && options_.allow_missing && may_be_others(numbered.has_value())", "false", ["io.match"]),
    ("files: an order is looked for only where no names are found", N + "io/detail/by_name.hpp", "auto numbered = renumbered(given_in(exact.of));", "auto numbered = whole ? std::optional<indices>() : renumbered(given_in(exact.of));", ["io.match"]),
    ("files: the only array that fits fits an earlier parameter, too", N + "io/detail/by_structure.hpp", "if (j != i && ending_of", "if (j < i && ending_of", ["io.match"]),
    ("files: two arrays must each fit the other's parameter", N + "io/detail/by_order.hpp", "!fits(v, b) && !fits(w, a)", "!fits(v, b) || !fits(w, a)", ["io.match"]),
    ("files: numbers left out before, whoever leaves them out after", N + "io/detail/name_tree.hpp", "(before_shared & ~whose) != 0", "before_shared != 0", ["io.match"]),
    ("division: a remainder of zero has the sign of what is divided", N + "core/math/division.hpp", "return copysign(T(0), y);", "return left;", ["core.math"]),
    ("weights: 127 times the scale of the largest float is infinite", N + "backend/xsimd/product/narrow.hpp", "127 * scale <= std::numeric_limits<float>::max() ? scale", "true ? scale", ["nn.weights"]),
    ("call: a place is whatever is given", N + "nd/out.hpp", "if (to.owner().is_last())", "if (false)", ["nn.ownership"]),
    ("files: the largest weight is what its scale makes of it", N + "io/narrow.hpp", "if (q == 127 || q == -127) return q < 0 ? -largest : largest;", "", ["backend.interpreter.networks"]),
    ("files: dimensions of one name differ", N + "symbol/declared.hpp", "if (at->second.first != got)", "if (false)", ["symbol.files"]),
    ("files: an array that is missing is an input", N + "symbol/one_file.hpp", "at != arrays.metadata().end()) {\n      auto", "false) {\n      auto", ["symbol.files"]),
    ("mxnet: the other operand of a product is transposed", N + "symbol/mxnet/write_table.hpp", "return n.flag(transposed) ? n.helper", "return !n.flag(transposed) ? n.helper", ["symbol.files"]),
    ("mxnet: a part by indices has no steps", N + "symbol/part.hpp", "steps = steps || steps_.step[i] != 1;", "", ["symbol.files"]),
    ("mxnet: which result of a node is read is not in the hash", N + "symbol/mxnet/structure.hpp", "(e.output ? ", "(false ? ", ["symbol.files"]),
    ("mxnet: the first subgraph is not in the hash", N + "symbol/mxnet/structure.hpp", "std::size_t k = 0; k < n.subgraphs", "std::size_t k = 1; k < n.subgraphs", ["symbol.files"]),
    ("mxnet: a name that is taken is given to a node, too", N + "symbol/mxnet/write.hpp", "if (names_.insert(name).second) return name;", "names_.insert(name); return name;", ["symbol.files"]),
    ("mxnet: the moments that a batch_norm leaves out change places", N + "symbol/mxnet/layers.hpp", 'var(n.name + "_moving_mean")), n.in.push_back(var(n.name + "_moving_var"))', 'var(n.name + "_moving_var")), n.in.push_back(var(n.name + "_moving_mean"))', ["symbol.files"]),
    ("mxnet: a pooling of power 1 is one of power 3", N + "symbol/mxnet/layers.hpp", 'what == "sum" || p == 1', 'what == "sum"', ["symbol.files"]),
    ("mxnet: the parts of a split keep their axis", N + "symbol/mxnet/shapes.hpp", "if (squeeze) r.back()", "if (false) r.back()", ["symbol.files"]),
    ("literal: the epsilon of an instance_norm is that of a layer_norm", N + "literal/rows/norms.hpp", '{1, a.real("eps", 1e-3)}', '{1, a.real("eps", 1e-5)}', ["literal.rows"]),
    ("product: a tile stores columns that do not exist", X + "product/drive.hpp", "(columns_left >= 8 * tile_shape<T>::lanes || columns_left % tile_shape<T>::lanes == 0)", "columns_left > 0", ["backend.xsimd.product"]),
    ("product: a tile stores what is only a part of the sum", X + "product/drive.hpp", "t.out != nullptr && all_of_k &&", "t.out != nullptr && (all_of_k || true) &&", ["backend.xsimd.product"]),
    ("product: all rows of a tile are stored in the first", X + "product/drive.hpp", "call_.c_stride = direct ? t_.out_stride : 0;", "call_.c_stride = 0;", ["backend.xsimd.product"]),
    ("single: exp of more than its bound", N + "core/math/single.hpp", "reduce_exp(detail::at_most(detail::at_least(x, -105), 89))", "reduce_exp(detail::at_most(detail::at_least(x, -105), 300))", ["core.math"]),
    ("single: a logarithm without its second part", N + "core/math/single.hpp", "__builtin_fmaf(k, -0x1.bd0106p-13f, mul(mul(f, square), log_tail(f)))", "mul(mul(f, square), log_tail(f))", ["core.math"]),
    ("single: erf takes its first form too far", N + "core/math/single.hpp", "if (!(size >= 0.92f))", "if (!(size >= 1.1f))", ["core.math"]),
    ("chain: rows behind the last one", D + "chain.hpp", "left < shape::rows ? static_cast<int>(left) : shape::rows;", "left < shape::rows ? static_cast<int>(left) + 1 : shape::rows;", ["backend.thrust.kernels"]),
    ("chain: no zeros behind a row", D + "chain.hpp", "m.between[row * line + e] = T{};", ";", ["backend.thrust.kernels"]),
    ("chain: what is kept lies where scores are still read", D + "chain.hpp", "r = r && !runs;", "r = r && (!runs || true);", ["backend.thrust.kernels"]),
    ("chain: the first matrix for all", D + "chain.hpp", "row = i / blocks * height() + within;", "row = within;", ["backend.thrust.kernels"]),
    ("chain: one group of the depth is not added", D + "chain.hpp", "for (int half = shape::last_groups / 2; half > 0; half /= 2)", "for (int half = shape::last_groups / 2; half > 1; half /= 2)", ["backend.thrust.kernels"]),
    ("chain: the depth goes on behind its end", D + "chain.hpp", ": along ? (depth < left ? present : 0)", ": along ? present", ["backend.thrust.kernels"]),
    ("joined: other kernels are joined, too", N + "run/joined.hpp", "if (P::plan.groups.items[q].together == Last) at[n++] = q;", "if (P::plan.groups.items[q].together >= 0) at[n++] = q;", ["backend.thrust.kernels"]),
    ("rows: what is kept is read in no later phase", D + "rows.hpp", "first_phase<j>() == P)", "first_phase<j>() == P && P == 0)", ["backend.thrust.kernels"]),
    ("rows: longer ones are kept, too", D + "rows.hpp", "count <= lanes * std::int64_t{at_once}", "count <= lanes * std::int64_t{2 * at_once}", ["backend.thrust.kernels"]),
    ("rows: kept elements are counted from the first of all threads", D + "rows.hpp", "take<P>(state, f[k], lane + k * lanes);", "take<P>(state, f[k], k * lanes);", ["backend.thrust.kernels"]),
    ("rows: what stays along the inner of several loops is read once", D + "rows.hpp", "!(Line && S::mode == access::zero)", "S::mode != access::zero", ["backend.thrust.kernels"]),
    ("rows: the last part of a row is as long as the others", N + "backend/thrust/backend.hpp", "to < rows.count ? to : rows.count", "to", ["backend.thrust.device"]),
    ("rows: the ends of rows read the parts of the first", N + "backend/thrust/backend.hpp", "all.results + row, all.parts.n", "all.results, all.parts.n", ["backend.thrust.device"]),
    ("rows: what waits for a sum is computed with the parts", D + "rows.hpp", "Step::bits.row || Step::bits.phase == 0", "true", ["backend.thrust.device"]),
    ("rows: a place is counted from the beginning of a part", D + "rows.hpp", "take<0>(own.block, f, e);", "take<0>(own.block, f, e - from);", ["backend.thrust.device"]),
    ("sort: NaN with a sign comes first", N + "backend/thrust/algorithms/keys.hpp", "if (magnitude > infinity) return all;", "if (element > infinity && (element & sign) == 0) return all;", ["backend.thrust.device"]),
    ("sort: zeros of both signs differ", N + "backend/thrust/algorithms/keys.hpp", "magnitude == 0 ? sign : ", "", ["backend.thrust.device"]),
    ("sort: lines in the middle of an array begin like rows", N + "backend/thrust/algorithms/sort.hpp", "x[(outer * lines.n + from) * lines.inner + column]", "x[outer * lines.n * lines.inner + from + column]", ["backend.thrust.device"]),
    ("sort: memory of the system for Thrust", N + "backend/thrust/algorithms/sort.hpp", "if (bytes > static_cast<std::size_t>(end - next))", "if (bytes > 64)", ["nn.allocation_thrust"]),
    ("scan: a tile's own sum stands before it", N + "backend/thrust/algorithms/scan.hpp", "of_tiles[t * n + line] = before;", "of_tiles[t * n + line] = own;", ["backend.thrust.device"]),
    ("scan: the second tile begins anew", N + "backend/thrust/algorithms/scan.hpp", "if (i >= n) last", "if (i >= 2 * n) last", ["backend.thrust.device"]),
    ("shuffle: each number is the same", N + "ops/random.hpp", "static_cast<T>(random_bits(key, i));", "static_cast<T>(random_bits(key, i & 3));", ["ops.data"]),
    ("loops: division by a multiplication rounds too far down", D + "common.hpp", "/ d + 1);", "/ d);", ["backend.thrust.kernels"]),
    ("unfold: what stands before the image is read", D + "unfold.hpp", "inside && p >= 0 && p <", "inside && p <", ["backend.thrust.kernels"]),
    ("unfold: what is written at once begins with the first image", D + "unfold.hpp", "from = x + image * by_image;", "from = x + 0 * image;", ["backend.thrust.kernels"]),
    ("unfold: each turn writes the first columns", D + "unfold.hpp", "static_cast<std::uint32_t>(column + e)", "static_cast<std::uint32_t>(e)", ["backend.thrust.kernels"]),
    ("unfold: places of the window stand beside each other", D + "unfold.hpp", "* of[i].dilation - of[i].before;", "- of[i].before;", ["backend.thrust.kernels"]),
    ("thrust: what stands before a product is left out behind it", D + "product_parts.hpp", "(I < product && !Step::bits.prologue)", "(I + 1 < product && !Step::bits.prologue)", ["backend.thrust.kernels"]),
    ("arena: chains share their bytes though they meet", N + "plan/arena.hpp", "f.first <= p.groups[g.first].together)", "p.groups[f.first].together == p.groups[g.first].together)", ["plan.blocks"]),
    ("given: a network of any number of inputs is compiled with one less", N + "compile/given.hpp", "else if constexpr (takes_inputs<M, X...>) return false;\n  else return takes_all_but_last", "else return takes_all_but_last", ["backend.thrust.kernels"]),
    ("windows: lines close up without their ends", X + "kernels/schedule.hpp", "last.store_unaligned(to + count - lanes);", "", [KERNELS]),
    ("products with a map: the same step between all rows of a result", X + "kernels/mapped.hpp", "return z.columns - z.rows == 1;", "return true;", [KERNELS]),
    ("windows: only the first and the last vector of what stands before", X + "kernels/mapped.hpp", "c = std::min(c + lanes, count - lanes)", "c = count - lanes", [KERNELS]),
    ("bits: sums of int8 times the weights' scale first", X + "product/narrow.hpp", "input_scale < 1 ?", "input_scale < 0 ?", ["nn.weights"]),
    ("dot: a concat is of its first operand alone", N + "viz/dot.hpp", "follow(p_.g.operand(k, j), read", "follow(p_.g.operand(k, 0), read", ["viz.report"]),
    ("gradient: of a quotient without its sign", N + "ops/elementwise.hpp", "i == 0 ? part : make<negative>(g, make<multiply>(g, part, y))", "i == 0 ? part : make<multiply>(g, part, y)", GRADIENTS),
    ("gradient: of a difference is that of a sum", N + "ops/elementwise.hpp", "return i == 0 ? d[0] : make<negative>(g, d[0]); }", "return i < 2 ? d[0] : make<negative>(g, d[0]); }", GRADIENTS),
    ("gradient: a square is a product with one factor", N + "ops/elementwise.hpp", "number_beside(g, y, 2), operand_of(g, y, 0)));", "number_beside(g, y, 1), operand_of(g, y, 0)));", GRADIENTS),
    ("gradient: both are the minimum", N + "ops/elementwise.hpp", "first = make<lesser_equal>(g, operand_of(g, y, 0), operand_of(g, y, 1)), zero = number_beside(g, y, 0);\n  return i == 0 ?", "first = make<lesser_equal>(g, operand_of(g, y, 0), operand_of(g, y, 1)), zero = number_beside(g, y, 0);\n  return i <= 1 ?", GRADIENTS),
    ("gradient: clip passes it on below", N + "ops/elementwise.hpp", "i == 0 ? make<where>(g, below, zero, d[0])", "i == 0 ? d[0]", GRADIENTS),
    ("gradient: a magnitude keeps the sign", N + "ops/elementwise.hpp", "make<lesser>(g, x, zero), make<negative>(g, d[0]), zero)", "make<lesser>(g, x, zero), d[0], zero)", GRADIENTS),
    ("gradient: where gives both the same", N + "ops/elementwise.hpp", "return i == 1 ? make<where>(g, first, d[0], zero) : make<where>(g, first, zero, d[0]);\n}\n\n}", "return i >= 1 ? make<where>(g, first, d[0], zero) : make<where>(g, first, zero, d[0]);\n}\n\n}", GRADIENTS),
    ("gradient: of a mean without the count", N + "ops/reduction.hpp", "make<divide>(g, with_axes_of(g, y, d[0]), count_of(g, y))", "make<divide>(g, with_axes_of(g, y, d[0]), number_beside(g, operand_of(g, y, 0), 1))", GRADIENTS),
    ("gradient: the count of a dynamic axis is one", N + "ops/reduction.hpp", "return make<sum>(g, {a.axes, true}, g.fill(t.type, t.shape, bits_of(t.type, 1)));", "return make<max>(g, {a.axes, true}, g.fill(t.type, t.shape, bits_of(t.type, 1)));", GRADIENTS),
    ("gradient: of a standard deviation around zero", N + "ops/moments.hpp", "int const centred = make<subtract>(g, x, make<mean>(g, {a.over.axes, true}, x));", "int const centred = make<subtract>(g, x, number_beside(g, x, 0));", GRADIENTS),
    ("gradient: of logsumexp without the result", N + "ops/moments.hpp", "make<exp>(g, make<subtract>(g, operand_of(g, y, 0), with_axes_of(g, y, y)));", "make<exp>(g, operand_of(g, y, 0));", GRADIENTS),
    ("gradient: softmax without what the others get", N + "ops/row.hpp", "make<multiply>(g, y, make<subtract>(g, d[0], make<sum>(g, along, make<multiply>(g, d[0], y))));", "make<multiply>(g, y, d[0]);", GRADIENTS),
    ("gradient: log_softmax along the wrong sum", N + "ops/row.hpp", "make<multiply>(g, make<exp>(g, y), make<sum>(g, along, d[0])));", "make<multiply>(g, make<exp>(g, y), make<max>(g, along, d[0])));", GRADIENTS),
    ("gradient: a slice backwards stays backwards", N + "ops/movement.hpp", "int r = turn ? make<slice>(g, backwards, d[0]) : d[0];", "int r = d[0];", GRADIENTS),
    ("gradient: a slice begins at zero", N + "ops/movement.hpp", "r = between_zeros(g, r, i, first,", "r = between_zeros(g, r, i, 0 * first,", GRADIENTS),
    ("gradient: a split loses a part that nobody reads", N + "ops/movement.hpp", "for (int p : d) all.push(p < 0 ? zeros_beside(g, x, s) : p);", "for (int p : d) all.push(p < 0 ? d[0] < 0 ? zeros_beside(g, x, s) : d[0] : p);", GRADIENTS),
    ("gradient: the parts of a concat begin with the first", N + "ops/sequence.hpp", "if (own >= 0 || before > 0) part.begin.at[axis] = before;\n      if (own >= 0) part.end.at[axis] = before + own;", "if (own >= 0) part.begin.at[axis] = 0, part.end.at[axis] = own;", GRADIENTS),
    ("gradient: dynamic parts of a concat lie at the beginning", N + "ops/sequence.hpp", "if (extent const n = extent_of(j); n < 0) at =", "if (extent const n = extent_of(j); n < 0 && false) at =", GRADIENTS),
    ("gradient: a running sum runs forwards", N + "ops/sequence.hpp", "backwards.step.push(i == axis ? -1 : 1);\n  return", "backwards.step.push(1);\n  return", GRADIENTS),
    ("gradient: of pick all elements get it", N + "ops/sequence.hpp", "return make<where>(g, chosen_in(g, x, place_in_line(g, x, operand_of(g, y, 1), a.axis), a.axis), from, number_beside(g, x, 0));", "return make<broadcast_to>(g, {g.nodes[x].type.shape}, from);", GRADIENTS),
    ("gradient: of a transposed array in the same order", N + "ops/view.hpp", "for (int i = 0; i < axes.n; ++i) back.axes.at[axes[i]] = i;", "for (int i = 0; i < axes.n; ++i) back.axes.at[i] = axes[i];", GRADIENTS),
    ("gradient: a product with a transposed first factor", N + "ops/product.hpp", "if (i == 0) return ta ? make<product>(g, {tb, true}, b, d[0])", "if (i == 0) return ta && !tb ? make<product>(g, {tb, true}, b, d[0])", GRADIENTS),
    ("gradient: of the second factor of a product is not transposed back", N + "ops/product.hpp", "return tb ? make<product>(g, {true, ta}, d[0], a)", "return tb ? make<product>(g, {true, false}, d[0], a)", GRADIENTS),
    ("gradient: of a power the exponent stays", N + "ops/transcendental.hpp", "make<power>(g, a, make<subtract>(g, b, number_beside(g, y, 1)))", "make<power>(g, a, b)", GRADIENTS),
    ("gradient: gelu without its second part", N + "ops/transcendental.hpp", "make<add>(g, below, make<multiply>(g, x, phi)));", "make<add>(g, below, phi));", GRADIENTS),
    ("gradient: gelu_tanh with a wrong factor", N + "ops/transcendental.hpp", "times(square_of_x, 3 * 0.044715)", "times(square_of_x, 2 * 0.044715)", GRADIENTS),
    ("gradient: a remainder does not depend on the divisor", N + "ops/rounding.hpp", "return make<negative>(g, make<multiply>(g, d[0], make<floor_divide>", "return make<multiply>(g, number_beside(g, y, 0), make<multiply>(g, d[0], make<floor_divide>", GRADIENTS),
    ("gradient: slices of take lie beside each other", N + "ops/coordinates.hpp", "int const slices = axis == 0 ? d[0] : make<transpose>(g, first, d[0]);", "int const slices = axis < 2 ? d[0] : make<transpose>(g, first, d[0]);", GRADIENTS),
    ("gradient: of take an index that is out of range counts", N + "ops/coordinates.hpp", "int const within = nearest_in(g, make<cast>(g, {dtype::int64}, indices), s.d[axis]);", "int const within = make<cast>(g, {dtype::int64}, indices);", GRADIENTS),
    ("gradient: step and dilation of a window stay", N + "ops/mapped_product.hpp", "exchanged[w.axis] ? product_map::window{w.axis, w.dilation, w.step, w.shift} : w", "w", GRADIENTS),
    ("gradient: the kernel of a convolution forwards", N + "ops/mapped_product.hpp", "backwards.step.at[axis] = -w.step;", "backwards.step.at[axis] = -w.step, backwards.begin.at[axis] = w.first, backwards.end.at[axis] = open, backwards.step.at[axis] = w.step;", GRADIENTS),
    ("gradient: turns of the kernel of another remainder", N + "ops/mapped_product.hpp", "while (w.first < w.turns && (r + w.shift - w.first * w.f) % w.e != 0) ++w.first;", "", GRADIENTS),
    ("gradient: what stands behind a window is left out", N + "ops/mapped_product.hpp", "w.behind = (w.count - 1) * w.dilation - (r + w.shift - w.first * w.f) / w.e;", "w.behind = (w.count - 1) * w.dilation;", GRADIENTS),
    ("gradient: a diagonal is not halved", N + "ops/linalg.hpp", "half = make<multiply>(g, x, number_beside(g, x, 0.5))", "half = make<multiply>(g, x, number_beside(g, x, 1))", GRADIENTS),
    ("gradient: of an inverse without its sign", N + "ops/linalg.hpp", "return make<negative>(g, make<product>(g, {true, false}, made, make<product>", "return make<identity>(g, make<product>(g, {true, false}, made, make<product>", GRADIENTS),
    ("gradient: of the logarithm of a determinant alone is left out", N + "ops/linalg.hpp", "if (d[2] >= 0) all = all < 0 ? d[2] : make<add>(g, all, d[2]);", "if (d[2] >= 0 && all >= 0) all = make<add>(g, all, d[2]);", GRADIENTS),
    ("gradient: only the last way counts", P + "differentiate.hpp", "of[in] = of[in] < 0 ? part : ops::make<ops::add>(g, of[in], part);", "of[in] = part;", GRADIENTS),
    ("gradient: what is stretched is not summed", P + "differentiate.hpp", "if (a.axes) d = ops::make<ops::sum>(g, a, d);", "if (a.axes) d = ops::make<ops::max>(g, a, d);", GRADIENTS),
    ("gradient: the first result of several alone", P + "differentiate.hpp", "if (of[y] < 0) continue;\n", "if (of[y] < 0 || k.index > 0) continue;\n", GRADIENTS),
    ("gradient: of a function of one's own that of its definition", N + "ops/gradient_path.hpp", "return !k.op->own_gradient || (j > 0 && j < k.in.n / 2);", "return true;", ["nn.gradient"]),
    ("gradient: the one that stands for it stays", N + "ops/own_gradient.hpp", "copy[d] = r.d[0];", "copy[d] = d;", ["nn.gradient"]),
    ("gradient: eagerly only the last way counts", N + "train/history.hpp", "if (A const* const before = gradient<A>(id))", "if (A const* const before = gradient<A>(id); false && before)", ["nn.gradient"]),
    ("gradient: what is written to after a call is kept as it becomes", N + "train/recording.hpp", "if constexpr (nd::is_tensor<X>) return x.copy();", "if constexpr (nd::is_tensor<X>) return x;", ["nn.gradient"]),
    ("gradient: of sinh is sinh", N + "ops/trigonometric.hpp", "make<multiply>(g, d[0], make<cosh>(g, operand_of(g, y, 0)));", "make<multiply>(g, d[0], make<sinh>(g, operand_of(g, y, 0)));", GRADIENTS),
    ("gradient: norms do not know their mean", N + "ops/row.hpp", "make<subtract>(g, make<subtract>(g, d[0], make<mean>(g, a.over, d[0])), make<multiply>(g, y, along));", "make<subtract>(g, d[0], make<multiply>(g, y, along));", GRADIENTS),
    ("gradient: an average gives each element all", N + "ops/pooling.hpp", "int r = divided(g, d[0], t, a);\n    for (int axis", "int r = d[0];\n    for (int axis", GRADIENTS),
    ("gradient: no zeros behind", N + "ops/movement.hpp", "if (behind > 0) {", "if (behind > 1) {", GRADIENTS),
    # training
    ("train: a parameter that is met twice has two leaves", N + "train/history.hpp", "if (leaves_[hint_].who == who) return leaves_[hint_].id;", "if (leaves_[hint_].who == who) break;", ["train.record"]),
    ("train: what was recorded is not forgotten", N + "train/history.hpp", "first_ += static_cast<int>(values_.size());", "", ["train.record"]),
    ("train: an old gradient is a new one", N + "nn/parameter_of.hpp", "if (!s || !s->gradient_is_new) return nullptr;\n    s->gradient_is_new = false;", "if (!s || !s->gradient_is_new) return nullptr;", ["train.trainer"]),
    ("train: a leaf in inference wants a gradient, too", N + "train/recording.hpp", "&& p.get_grad_req() != grad_req::null", "", ["train.record"]),
    ("train: states are trained", N + "train/trained.hpp", "p.kind() == nn::role::parameter && ", "", ["train.trainer"]),
    ("train: numbers of another parameter", N + "train/updates.hpp", "for (int const from : {i, k})", "for (int const from : {0 * i, k})", ["train.trainer"]),
    ("train: the sum of the batch's gradients", N + "train/step_block.hpp", "constexpr T one_of = T{1} / static_cast<T>(E::shape_type::value.size());", "constexpr T one_of = T{1};", ["train.optimizers"]),
    ("train: a state of another parameter", N + "train/step_block.hpp", "int const states_at = first_state + which[k] * slot_count<Optimizer>;", "int const states_at = first_state + k / 2 * slot_count<Optimizer>;", ["train.optimizers"]),
    ("train: updates are counted from 0 on", N + "train/progress.hpp", "how.weight_decay * decay_times[i], updates + 1", "how.weight_decay * decay_times[i], updates", ["train.optimizers"]),
    ("train: states are loaded without their number", N + "train/trainer.hpp", "shared_->updates = checked();", "", ["train.trainer"]),
    ("train: Adam corrects one mean", N + "train/optimizers.hpp", "rate * std::sqrt(1 - std::pow(Beta2, n)) /", "rate /", ["train.optimizers"]),
    ("train: Nesterov looks back", N + "train/optimizers.hpp", "w + (Momentum * next - down)", "w + next", ["train.optimizers"]),
    ("train: the decay of AdamW is a part of the gradient", N + "train/optimizers.hpp", "w - decay * w - rate * m", "w - rate * m", ["train.optimizers"]),
    ("train: gradients are clipped on one side", N + "train/step_block.hpp", "F.minimum(F.maximum(g, -most), most)", "F.minimum(g, most)", ["train.trainer"]),
    ("along: what stands in a gap counts", X + "kernels/along.hpp", "if (!std::isfinite(row[j])) row", "if (false) row", ["backend.xsimd.kernels"]),
    ("along: lines have no gaps", X + "kernels/schedule.hpp", "line += next, to += run.pitch", "line += next, to += run.line", ["backend.xsimd.kernels"]),
    ("along: sums of the first images alone", X + "kernels/along.hpp", "batch acc[] = {batch::load_aligned(places[A])...};", "batch acc[] = {(static_cast<void>(A), batch(T(0)))...};", ["backend.xsimd.kernels"]),
    ("mapped: what batches share is the first row", X + "kernels/schedule.hpp", "copy_row(z_, second_, second, i, 0, k, to + i * k);", "copy_row(z_, second_, second, 0, 0, k, to + i * k);", ["backend.xsimd.kernels", "nn.gradient"]),
    ("train: shared values count twice in the norm", N + "train/trainer.hpp", "if (!p.has_new_gradient() || is_tied_before(p)) return;", "if (!p.has_new_gradient()) return;", ["train.trainer"]),
    ("train: the decay is not multiplied", N + "train/progress.hpp", "how.weight_decay * decay_times[i]", "how.weight_decay", ["train.trainer"]),
    ("train: a gradient is never added", N + "nn/parameter_of.hpp", "if (s.gradient_wanted == grad_req::add && s.gradient)", "if (false)", ["train.record"]),
    ("train: a label may be one too many", N + "nn/labels.hpp", "v < 0 || v >= classes", "v < 0 || v > classes", ["train.trainer"]),
    ("train: batches are in their order", N + "train/batches.hpp", "order_[from + i] * one", "(static_cast<extent>(from + i) + 0 * order_[from + i]) * one", ["train.trainer"]),
    ("train: the norm is one of 16 bits", N + "train/step_block.hpp", "in_type(g.result(gradients, k)));", "(static_cast<void>(in_type), g.result(gradients, k)));", ["train.trainer"]),
    ("train: states that do not fit are found on the way", N + "train/trainer.hpp", "    check_states(state_at);\n", "", ["train.trainer"]),
    ("train: a batch has the same example twice", N + "train/batches.hpp", "order_[from + i] * one", "order_[from + i / 2 * 2] * one", ["train.trainer"]),
]


def sh(*args, **more):
    return subprocess.run([str(a) for a in args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


def copy():
    """Makes the copy equal to the tree; whether it was another before, apart from the page that this writes."""
    names = sh("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).stdout.split("\0")[:-1]
    names = {name for name in names if (ROOT / name).is_file()}
    changed = False
    for name in names:
        to = COPY / name
        if not to.exists() or to.read_bytes() != (ROOT / name).read_bytes():
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to)
            changed = changed or ROOT / name != PAGE
    for there in [file for file in COPY.rglob("*") if file.is_file() and str(file.relative_to(COPY)) not in names]:
        there.unlink()
        changed = True
    return changed


class Tests:
    """The lines of test/list.cmake that the presets register, and where their programs are built."""

    def __init__(self, gate):
        self.programs = []  # (the preset's place, whether it is tried late, the name without column, the tree, the test)
        for order, preset in enumerate(PRESETS):
            tree = WORK / (preset if gate else preset + "-all")
            tiers = [] if gate else ["-DSINTER_TEST_TIERS=quick;gate;all"]
            done = sh("cmake", "--preset", preset, "-B", tree, *tiers, cwd=COPY)
            if done.returncode:
                sys.exit(done.stdout)
            for test in json.loads(sh("ctest", "--test-dir", tree, "--show-only=json-v1").stdout)["tests"]:
                labels = next((p["value"] for p in test["properties"] if p["name"] == "LABELS"), [])
                column = test["name"].rsplit(".", 1)[-1]
                if column in labels:  # a line of the table
                    name = re.sub(rf"(\.\d+)?\.{column}$", "", test["name"])
                    self.programs.append((order, column in SLOW, name, tree, test["name"]))
        self.programs.sort(key=lambda p: p[:2])

    def likeliest_first(self, bug):
        """Trees and tests: each of the bug's tests once, their other columns, and the other tests of the header's room once."""
        known = {p[2] for p in self.programs}
        if missing := [name for name in bug[4] if name not in known]:
            sys.exit(f"{bug[0]}: the tests must be registered by the presets {' and '.join(PRESETS)}, and these are not: {' '.join(missing)}")
        own = [[p for p in self.programs if p[2] == name] for name in bug[4]]
        room = bug[1].split("/")[2]
        others = [next(p for p in self.programs if p[2] == name) for name in dict.fromkeys(p[2] for p in self.programs if p[2].startswith(room + "."))]
        order = [ways[0] for ways in own] + [p for ways in own for p in ways[1:]] + [p for p in others if p[2] not in bug[4]]
        return [p[3:] for p in order]


def run(tree, test):
    """How the test fails in the copy as it is now; empty where it passes."""
    built = sh("cmake", "--build", tree, "--target", f"test.{test}")
    if built.returncode:
        if not REFUSED.search(built.stdout):  # no memory, no such target
            sys.exit(built.stdout)
        return "does not compile"
    ran = sh("ctest", "--test-dir", tree, "-R", f"^{re.escape(test)}$", "--no-tests=error")
    return "" if not ran.returncode else "does not end" if "***Timeout" in ran.stdout else "fails"


def plant(bug, tests, state):
    name, header, before, after, _ = bug
    file = COPY / header
    text = file.read_text()
    if before not in text:
        return "DOES NOT APPLY"
    for tree, test in tests.likeliest_first(bug):
        key = f"{tree.name}/{test}"
        if key not in state["sound"]:
            if how := run(tree, test):
                sys.exit(f"{key} {how} without a bug; build test.{test} in {tree} and run it")
            state["sound"].append(key)
            save(state)
        try:
            file.write_text(text.replace(before, after, 1))
            if how := run(tree, test):
                return f"{test} {how}"
        finally:
            file.write_text(text)
    return "SURVIVES"


def version(bug):
    """Of the header with the bug."""
    return hashlib.sha1((COPY / bug[1]).read_text().replace(bug[2], bug[3], 1).encode()).hexdigest()[:8]


def save(state):
    STATE.write_text(json.dumps(state, indent=1))


def rows_of_page():
    """What finds each bug, and the version of the header at that time."""
    return {m[1]: (m[2], m[3], m[4]) for m in re.finditer(r"^\| ([^|\n]+?) \| `(.+?)` \| (.*?) \| (\w*) *\|$", PAGE.read_text(), re.M)}


def write_page(rows):
    text = "# Planted bugs\n\n`test/mutants/run.py --gate` plants each of these bugs in a copy of the library and says which test of the gate finds it. The version is that\n"
    text += "of the header with the bug; without one the bug was planted before there were versions.\n\n"
    for name, why in ONLY_ALL.items():
        text += f"- {name}: only `.ci/run all` finds it. {why}\n"
    text += "\n" * bool(ONLY_ALL) + "| bug | header | found by | version |\n| --- | --- | --- | --- |\n"
    for m in MUTANTS:
        _, found, when = rows.get(m[0], (None, NEVER, ""))
        text += f"| {m[0]} | `{in_page(m)}` | {found} | {when} |\n"
    PAGE.write_text(text)


def in_page(bug):
    return bug[1].removeprefix("include/sinter/")


def gate_tests():
    """The names in test/list.cmake with an entry of the gate in some column."""
    entries = re.findall(r"^sinter_test\((\S+)((?:\s+(?:[qgwa.]|\d+)(?=[\s)])){13})", (ROOT / "test/list.cmake").read_text(), re.M)
    return {name.replace("/", ".") for name, columns in entries if re.search(r"[qgw\d]", columns)}


def check(bugs):
    """What is wrong with the list and the page."""
    rows, tests = rows_of_page(), gate_tests()
    wrong = [f"cannot be planted: {m[0]}, {m[1]}" for m in bugs if m[2] not in (ROOT / m[1]).read_text() or m[2] == m[3]]
    wrong += [f"no test of the gate in test/list.cmake: {t}, {m[0]}" for m in bugs for t in m[4] if m[0] not in ONLY_ALL and t not in tests]
    wrong += [f"no row of docs/mutants.md: {m[0]}" for m in bugs if m[0] not in rows or rows[m[0]][0] != in_page(m)]
    wrong += [f"no bug of the list: {name}, in docs/mutants.md" for name in rows if name not in {m[0] for m in MUTANTS}]
    wrong += [f"found by no test: {m[0]}" for m in bugs if re.search(f"SURVIVES|APPLY|{NEVER}", rows.get(m[0], ("", "", ""))[1])]
    if len(ONLY_ALL) > 8 or not ONLY_ALL.keys() <= {m[0] for m in MUTANTS}:
        wrong += ["ONLY_ALL must name bugs of the list, at most 8"]
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--gate", action="store_true")
    parser.add_argument("--changed", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    chosen = [m for m in MUTANTS if not args.words or any(w in m[0] for w in args.words)]
    if args.list:
        return print("\n".join(m[0] for m in chosen))
    if args.check:
        wrong = check(chosen)
        print(f"{len(chosen)} bugs", *wrong, sep="\n")
        return 1 if wrong or not chosen else 0
    changed = copy()
    state = json.loads(STATE.read_text()) if STATE.exists() else {"planted": [], "sound": []}
    if changed:
        state["sound"] = []
    rows = rows_of_page()
    if args.gate:
        chosen = [m for m in chosen if m[0] not in ONLY_ALL]
    if args.changed:
        chosen = [m for m in chosen if rows.get(m[0], ("", "", ""))[2] != version(m)]
    elif not args.words:
        chosen = [m for m in chosen if m[0] not in state["planted"]] or sys.exit(f"all are planted; without {STATE.relative_to(ROOT)} all are planted again")
    tests = Tests(args.gate)
    survived = False
    for m in chosen:
        start = time.time()
        found = plant(m, tests, state)
        survived = survived or "SURVIVES" in found or "APPLY" in found
        print(f"| {m[0]} | `{in_page(m)}` | {found} | {time.time() - start:.0f} s", flush=True)
        if args.gate or m[0] in ONLY_ALL:
            rows = rows_of_page()
            rows[m[0]] = in_page(m), found, version(m)
            write_page(rows)
            state["planted"] = [name for name in state["planted"] if name != m[0]] + [m[0]]
            save(state)
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
