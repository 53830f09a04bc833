#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives the networks that sinter exports to MXNet 1.9.1, and compares the results.

    in_mxnet.py PROGRAM VENV      PROGRAM is the test program; VENV is a virtual environment, made once"""
import os
import pathlib
import subprocess
import sys
import tempfile

LOOPS = {("everything", 5)}  # what a while_loop stacks: MXNet leaves the rows behind its last turn undefined, sinter has 0 there
PACKAGES = ["mxnet==1.9.1", "numpy==1.23.5"]


def compare(folder):
    import numpy

    numpy.bool = bool  # which MXNet asks for
    import mxnet

    models = sorted(pathlib.Path(folder).glob("*-symbol.json"))
    wrong = [] if models else ["no network was written"]
    for model in models:
        name = model.name[: -len("-symbol.json")]
        path = str(model.parent / name)
        inputs = sorted(file.name.split(".")[-2] for file in model.parent.glob(f"{name}.in.*.npy"))
        arrays = {i: mxnet.nd.array(a := numpy.load(f"{path}.in.{i}.npy"), dtype=a.dtype) for i in inputs}
        net = mxnet.gluon.SymbolBlock.imports(str(model), inputs, f"{path}-0000.params")
        outputs = net(*(arrays[i] for i in inputs))
        outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        known = mxnet.sym.load(str(model))
        assert known.list_outputs() and set(inputs) <= set(known.list_arguments())
        most = 0
        for k, y in enumerate(outputs):
            got, want = y.asnumpy(), numpy.load(f"{path}.out.{k}.npy")
            if got.shape != (want.shape or (1,)):
                wrong.append(f"{name}, output {k}: {got.shape}, and sinter gives {want.shape}")
                continue
            if (name, k) in LOOPS:
                turns = want.reshape(len(want), -1).any(1)
                got, want = got[turns], want[turns]
            apart = numpy.abs(got.astype(float) - want.astype(float)) / (1 + numpy.abs(want.astype(float)))
            if not (numpy.isnan(got.astype(float)) == numpy.isnan(want.astype(float))).all() or not numpy.nanmax(apart, initial=0) < 4e-6:
                wrong.append(f"{name}, output {k}: {numpy.nanmax(apart, initial=0)} apart")
            most = max(most, numpy.nanmax(apart, initial=0))
        print(f"{name}: {len(outputs)} outputs, at most {most:.1e} apart")
    print("\n".join(wrong))
    return bool(wrong)


def main(program, venv):
    venv = pathlib.Path(venv)
    python = venv / "bin" / "python"
    if not (venv / "done").exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        (venv / "done").touch()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "[.mxnet]"], env=dict(os.environ, SINTER_MXNET_EXPORT=folder), check=True)
        return subprocess.run([python, "-B", __file__, "--compare", folder]).returncode


if __name__ == "__main__":
    sys.exit(compare(sys.argv[2]) if sys.argv[1] == "--compare" else main(*sys.argv[1:]))
