"""A very small Llama that has learned something, so that its perplexity means something.

Trained in seconds on the calibration text that ships, with a tokenizer made from the same. Then
some channels are made loud, as large models have them: a norm's weight is multiplied and the
weights that read it are divided, which changes nothing but what a plain rounding costs.
"""

from __future__ import annotations

import json
from pathlib import Path

from engine.quantize.samples import HELD_OUT, SHIPPED, read_samples

VOCABULARY = 1024
HIDDEN = 128
LOUD = 32.0
_TEMPLATE = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"


def make_trained_model(folder: Path, *, steps: int = 60, seed: int = 0) -> Path:
    """Make the model in `folder` (about 10 s on two cores)."""
    import torch
    from tokenizers import ByteLevelBPETokenizer
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    texts = [sample.text for sample in read_samples(SHIPPED)]
    learned = ByteLevelBPETokenizer()
    learned.train_from_iterator(
        texts, vocab_size=VOCABULARY, special_tokens=["<|end|>"], show_progress=False
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=learned._tokenizer, eos_token="<|end|>", pad_token="<|end|>"
    )
    tokenizer.chat_template = _TEMPLATE
    torch.manual_seed(seed)
    threads = torch.get_num_threads()
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
    optimiser = torch.optim.AdamW(model.parameters(), lr=6e-3)
    for _step in range(steps):
        starts = torch.randint(len(ids) - 97, (12,)).tolist()
        batch = torch.stack([ids[start : start + 96] for start in starts])
        loss = model(batch, labels=batch).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    torch.set_num_threads(threads)
    _make_loud(model)
    model.to(torch.bfloat16).save_pretrained(str(folder))
    tokenizer.save_pretrained(str(folder))
    config = json.loads((folder / "config.json").read_text())
    config.pop("transformers_version", None)
    (folder / "config.json").write_text(json.dumps(config))
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
                loud = torch.randperm(HIDDEN)[: HIDDEN // 4]
                norm.weight[loud] *= LOUD
                for reader in readers:
                    reader.weight[:, loud] /= LOUD


__all__ = ["HELD_OUT", "make_trained_model"]
