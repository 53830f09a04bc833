#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What networks of torchvision and Hugging Face's transformers give: writes peers.txt, with which zoo.cpp and transformers.cpp compare sinter's.

    python3 -m venv env && env/bin/pip install torch==2.15.0 torchvision==0.29.2 transformers==5.23.0
    env/bin/python test/models/peers.py > test/models/peers.txt

A line is a name and numbers: of a network for images the extents of the image, and the scores of ten classes; of a transformer the elements of
a result. Parameters and operands are those of formula.py.
"""
import math

import numpy
import torch
import torchvision
import transformers

from formula import numbers, values

IMAGES = {
    "mobilenet_v3_small_0_5": (40, lambda: torchvision.models.mobilenet_v3_small(width_mult=0.5, num_classes=10)),
    "mobilenet_v3_small": (64, lambda: torchvision.models.mobilenet_v3_small(num_classes=10)),
    "mobilenet_v3_large": (64, lambda: torchvision.models.mobilenet_v3_large(num_classes=10)),
    "googlenet": (80, lambda: torchvision.models.googlenet(num_classes=10, aux_logits=False, init_weights=False)),
}


def tensor(name, *shape):
    return torch.from_numpy(values(name, shape))


def sinter_name(name, module):
    """Norms call their parameters gamma and beta."""
    if isinstance(module, (torch.nn.BatchNorm2d, torch.nn.LayerNorm)):
        return name.replace("weight", "gamma").replace("bias", "beta")
    return name


def set_values(net, renamed=lambda name: name):
    with torch.no_grad():
        for path, module in net.named_modules():
            for key, p in [*module.named_parameters(recurse=False), *module.named_buffers(recurse=False)]:
                if key not in ("num_batches_tracked", "position_ids", "token_type_ids"):
                    p.copy_(tensor(renamed(f"{path}.{sinter_name(key, module)}"), *p.shape))


def say(name, *what):
    print(name, *(f"{v:.7g}" for part in what for v in numpy.asarray(part).ravel()), flush=True)


for name, (size, make) in IMAGES.items():
    net = make().eval()
    set_values(net)
    image = (2 * numbers("image", 3 * size * size) - 1).astype(numpy.float32).reshape(1, 3, size, size)
    with torch.no_grad():
        say(name, [size], net(torch.from_numpy(image)))

# ---- GPT-2 of two layers
WORDS, PLACES, UNITS = 13, 12, 8  # a text has so many tokens, the network places for two more
gpt2 = transformers.GPT2LMHeadModel(
    transformers.GPT2Config(vocab_size=WORDS, bos_token_id=None, eos_token_id=None, n_positions=PLACES + 2, n_embd=UNITS, n_layer=2, n_head=2, attn_implementation="eager")).eval()
set_values(gpt2.transformer)


def set_transposed(layer, *name_and_outputs):
    """Layers of sinter side by side, with weights (outputs, inputs), in one of GPT-2's, whose weight is (inputs, outputs)."""
    inputs = layer.weight.shape[0]
    with torch.no_grad():
        layer.weight.copy_(torch.cat([tensor(f"{name}.weight", n, inputs) for name, n in name_and_outputs]).T)
        layer.bias.copy_(torch.cat([tensor(f"{name}.bias", n) for name, n in name_and_outputs]))


for i, layer in enumerate(gpt2.transformer.h):
    set_transposed(layer.attn.c_attn, *((f"h.{i}.attn.{part}", UNITS) for part in ("query", "key", "value")))
    set_transposed(layer.attn.c_proj, (f"h.{i}.attn.output", UNITS))
    set_transposed(layer.mlp.c_fc, (f"h.{i}.mlp.hidden", 4 * UNITS))
    set_transposed(layer.mlp.c_proj, (f"h.{i}.mlp.output", UNITS))


def scores_of(text):
    with torch.no_grad():
        return gpt2(torch.tensor([text])).logits[0].numpy()


def bits(key, i):
    """splitmix64"""
    z = (key + (i + 1) * 0x9E3779B97F4A7C15) % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


def drawn(scores, i, temperature, top_k, key):
    kept = numpy.sort(scores)[-top_k:][0] if top_k else -math.inf
    p = numpy.where(scores >= kept, scores.astype(float) / temperature, -math.inf)
    p = numpy.exp(p - p.max())
    return int(numpy.searchsorted(numpy.cumsum(p / p.sum()), (bits(key, i) >> 11) / 2**53, side="right"))


def text_of(prompt, choose):
    text = list(prompt)
    while len(text) < PLACES:
        text.append(choose(scores_of(text)[-1], len(text)))
    return text


say("gpt2_scores", scores_of([3, 9, 0, 12, 7]))
for prompt in ([4], [3, 9, 0, 12, 7]):
    say(f"gpt2_greedy_{len(prompt)}", text_of(prompt, lambda scores, i: numpy.argmax(scores)))
say("gpt2_drawn", text_of([4], lambda scores, i: drawn(scores, i, 1.5, 0, 11)))
say("gpt2_top", text_of([4], lambda scores, i: drawn(scores, i, 2.5, 3, 12)))

# ---- BERT of two layers
bert = transformers.BertModel(
    transformers.BertConfig(vocab_size=11, hidden_size=12, num_hidden_layers=2, num_attention_heads=3, intermediate_size=20,
                            max_position_embeddings=9, attn_implementation="eager")).eval()
set_values(bert)
tokens = torch.tensor([[1, 4, 10, 2, 0, 0], [3, 3, 9, 5, 0, 7]])
lengths = torch.tensor([4, 6])
segments = torch.tensor([[0, 0, 1, 1, 0, 0], [0, 1, 1, 1, 1, 1]])
mask = (torch.arange(6) < lengths[:, None]).long()
with torch.no_grad():
    plain = bert(tokens)
    masked = bert(tokens, attention_mask=mask)
    paired = bert(tokens, attention_mask=mask, token_type_ids=segments)
say("bert_plain", plain.last_hidden_state, plain.pooler_output)
say("bert_masked", masked.last_hidden_state, masked.pooler_output)
say("bert_paired", paired.last_hidden_state, paired.pooler_output)
# As all-MiniLM-L6-v2's card computes it.
many = mask[..., None].float()
mean = (masked.last_hidden_state * many).sum(1) / many.sum(1).clamp(min=1e-9)
say("bert_sentences", torch.nn.functional.normalize(mean, dim=1))
