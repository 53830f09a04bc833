#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What MXNet's networks give: writes zoo.txt, with which zoo.cpp compares sinter's.

    python3 -m venv env && env/bin/pip install numpy==1.23.5 mxnet==1.9.1
    env/bin/python test/models/zoo.py > test/models/zoo.txt

A line is the network, the extents of the image, and the scores of ten classes. Parameters and images are numbers that follow from a name and a
place alone: formula.py.
"""
import numpy

numpy.bool = bool  # MXNet uses the old name
import mxnet
from mxnet.gluon.model_zoo import vision

from formula import numbers, values

NETWORKS = {
    "alexnet": 64, "vgg11": 32, "vgg11_bn": 32, "resnet18_v1": 40, "resnet50_v1": 33, "resnet18_v2": 40, "resnet50_v2": 33,
    "squeezenet1_0": 224, "squeezenet1_1": 224, "mobilenet0_5": 40, "mobilenet_v2_0_5": 40, "densenet121": 224, "inception_v3": 299,
}


for name, size in NETWORKS.items():
    net = vision.get_model(name.replace("mobilenet_v2_", "mobilenetv2_").replace("0_", "0.").replace("squeezenet1_", "squeezenet1.")
                           if "mobilenet" in name or "squeezenet" in name else name.replace("_v3", "v3"), classes=10)
    net.initialize()
    image = (2 * numbers("image", 3 * size * size) - 1).astype(numpy.float32).reshape(1, 3, size, size)
    net(mxnet.nd.array(image))
    for key, p in net._collect_params_with_prefix().items():
        if not (key.endswith(("gamma", "beta")) and p.grad_req == "null"):  # those stay 1 and 0, and sinter's network does not read them
            p.set_data(mxnet.nd.array(values(key, p.shape)))
    scores = net(mxnet.nd.array(image)).asnumpy()[0]
    print(name, size, *(f"{v:.6g}" for v in scores), flush=True)
