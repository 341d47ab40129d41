"""A very small Llama that has learned something, so that its perplexity means something.

It lies trained in `tests/data/small-llama` (0.7 MB). `python -m tests.helpers.trained_model` makes
it anew: some minutes on the topics of Python's documentation and the calibration text that ships.
At the end some channels are made loud, as large models have them: a norm's weight is multiplied and
the weights that read it are divided, which changes nothing but what a plain rounding costs.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "data" / "small-llama"
VOCABULARY = 512
HIDDEN = 128
LENGTH, BATCH, STEPS, RATE = 96, 12, 700, 8e-3
LOUD, LOUD_CHANNELS = 16.0, HIDDEN // 8
_TEMPLATE = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"


def make(folder: Path = FOLDER, *, steps: int = STEPS, seed: int = 0) -> Path:
    """Make the model in `folder`; prints the loss now and then."""
    from pydoc_data.topics import topics

    import torch
    from tokenizers import ByteLevelBPETokenizer
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    from engine.quantize.samples import SHIPPED, read_samples

    texts = [sample.text for sample in read_samples(SHIPPED)] * 4 + list(topics.values())
    learned = ByteLevelBPETokenizer()
    learned.train_from_iterator(
        texts, vocab_size=VOCABULARY, special_tokens=["<|end|>"], show_progress=False
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=learned._tokenizer, eos_token="<|end|>", pad_token="<|end|>"
    )
    tokenizer.chat_template = _TEMPLATE
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # threads that spin would wait for each other on a busy machine
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=VOCABULARY,
            hidden_size=HIDDEN,
            intermediate_size=2 * HIDDEN,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=1,
            head_dim=HIDDEN // 2,
            max_position_embeddings=1024,
            tie_word_embeddings=True,
            bos_token_id=0,
            eos_token_id=0,
            pad_token_id=0,
        )
    )
    ids = torch.tensor([token for text in texts for token in tokenizer.encode(text)])
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = (
                RATE * min(1.0, step / 50) * (0.55 + 0.45 * math.cos(math.pi * step / steps))
            )
        starts = torch.randint(len(ids) - LENGTH - 1, (BATCH,)).tolist()
        batch = torch.stack([ids[start : start + LENGTH] for start in starts])
        loss = model(batch, labels=batch).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % 50 == 0:
            print(step, round(loss.item(), 3), flush=True)
    _make_loud(model)
    model.to(torch.bfloat16).save_pretrained(str(folder))
    tokenizer.save_pretrained(str(folder))
    config = json.loads((folder / "config.json").read_text())
    config.pop("transformers_version", None)
    (folder / "config.json").write_text(json.dumps(config, indent=1))
    return folder


def _make_loud(model: object) -> None:
    import torch

    with torch.no_grad():
        for layer in model.model.layers:  # type: ignore[attr-defined]
            attention, mlp = layer.self_attn, layer.mlp
            for norm, readers in (
                (layer.input_layernorm, (attention.q_proj, attention.k_proj, attention.v_proj)),
                (layer.post_attention_layernorm, (mlp.gate_proj, mlp.up_proj)),
            ):
                loud = torch.randperm(HIDDEN)[:LOUD_CHANNELS]
                norm.weight[loud] *= LOUD
                for reader in readers:
                    reader.weight[:, loud] /= LOUD


if __name__ == "__main__":
    make()
