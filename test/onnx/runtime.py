#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gives the models that sinter writes to onnx.checker and ONNX Runtime, and compares the results.

    runtime.py PROGRAM VENV      PROGRAM is the test program; VENV is a virtual environment, made once"""
import os
import pathlib
import subprocess
import sys
import tempfile

PACKAGES = ["onnx==1.23.2", "onnxruntime==1.32.0"]


def compare(folder):
    import numpy
    import onnx
    import onnxruntime

    models = sorted(pathlib.Path(folder).glob("*.onnx"))
    wrong = [] if models else ["no model was written"]
    for model in models:
        onnx.checker.check_model(onnx.load(model), full_check=True)
        session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        feeds = {i.name: numpy.load(f"{model.with_suffix('')}.in.{i.name}.npy") for i in session.get_inputs()}
        most = 0
        for k, (got, name) in enumerate(zip(session.run(None, feeds), session.get_outputs())):
            want = numpy.load(f"{model.with_suffix('')}.out.{k}.npy")
            if got.dtype != want.dtype or got.shape != want.shape:
                wrong.append(f"{model.name} {name.name}: {got.dtype} {got.shape}, and sinter gives {want.dtype} {want.shape}")
                continue
            apart = numpy.abs(got.astype(float) - want.astype(float)) / (1 + numpy.abs(want.astype(float)))
            most = max(most, apart.max(initial=0))
            if not apart.max(initial=0) < 4e-6:
                wrong.append(f"{model.name} {name.name}: {apart.max()} apart")
        print(f"{model.name}: {k + 1} outputs, at most {most:.1e} apart")
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
        subprocess.run([program, "[export]"], env=dict(os.environ, SINTER_ONNX_EXPORT=folder), check=True)
        return subprocess.run([python, "-B", __file__, "--compare", folder]).returncode


if __name__ == "__main__":
    sys.exit(compare(sys.argv[2]) if sys.argv[1] == "--compare" else main(*sys.argv[1:]))
