"""4-bit weights on CPUs: AWQ, GPTQ and compressed-tensors W4A16 where vLLM's build dies.

VLLM's own kernel (`cpu_gemm_wna16`) is compiled for AVX-512 only; with AVX2 a model loads and
dies at the first forward. Ours is PyTorch's int4 kernel for a few rows, and weights unpacked in
blocks for many (`kernels`); models compute in float32 there, with activations in bfloat16 only
inside the kernel. Measured on 2 cores of a Xeon with AVX2 imitated (`tests.helpers.avx2_machine`),
milliseconds a square layer, and how many times as fast that is (`python -m tests.bench.awq_cpu`):

| width | rows | ms | than float32 | than bfloat16 | than the int4 kernel alone |
| --- | --- | --- | --- | --- | --- |
| 576 | 1 | 0.038 | 2.1 | 1.4 | |
| | 4 | 0.061 | 2.2 | 2.2 | |
| | 16 | 0.165 | 1.1 | 2.0 | |
| | 512 | 2.7 | 0.7 | | 1.5 |
| 2048 | 1 | 0.30 | 2.5 | 2.2 | |
| | 4 | 0.54 | 2.4 | 2.6 | |
| | 16 | 1.9 | 1.1 | 2.2 | |
| | 512 | 36 | 0.7 | | 1.6 |
| 4096 | 1 | 1.2 | 2.5 | 2.5 | |
| | 4 | 2.2 | 2.4 | 2.5 | |
| | 16 | 7.2 | 1.2 | 2.3 | |
| | 512 | 128 | 0.8 | | 1.7 |

The two ways cross at about 64 rows at all three widths. The weights take 0.281 of bfloat16's bytes
in groups of 64, 0.266 in groups of 128. SmolLM2-135M in the engine, tokens/s at 1, 4 and 16
streams: 16.1, 44.3, 98.4 in AWQ against 8.2, 27.8, 83.1 in float32; reading a prompt of 500: 195
against 319.

Which kernel on which processor, by measurement (milliseconds at 4096 x 4096, 1, 4, 16 rows):

- AVX2: ours; there is no other.
- AVX-512 without AMX: ours, 0.9, 1.6, 4.9 against 4.2, 5.6, 14.5 of `cpu_gemm_wna16`, which
  takes no float32 models besides.
- AMX with a bfloat16 model: vLLM's (8-bit activations), 1.6, 1.6, 4.3 against 2.0, 4.1, 19; with
  a float32 model ours, for vLLM's takes none.

What loads and answers on the CPU build, tried with tiny models against transformers (least
cosine of the logits):

| format | AVX2 | AMX, bfloat16 |
| --- | --- | --- |
| F32, FP16, BF16 | yes, 1.00000 | yes |
| AWQ, GPTQ (symmetric, no activation order), W4A16 (groups, rows, zero points) | ours, 0.99999 | \
vLLM's, 0.9998 |
| FP8, one scale a tensor | unpacked, 1.00000; vLLM dies | unpacked; vLLM dies |
| FP8, a scale a row (compressed-tensors) | unpacked, 1.00000; vLLM dies | vLLM's, 0.9990 |
| FP8, blocks of 128 x 128 | unpacked, 1.00000; vLLM refuses | vLLM's, 0.99998 |
| GPTQ with activation order or zero points | vLLM refuses in plain words | the same |
| 4 bits with groups that are no multiple of 32 | refused by name | vLLM's |

Unpacked FP8 (`engine.vllm_fp8_cpu`) takes four times its file's size in float32, twice in bfloat16.
"""

from __future__ import annotations


def install() -> None:
    """Make vLLM use our kernels for 4-bit and FP8 weights, on a CPU; on a GPU nothing changes.

    To be called in each process that loads a model, before vLLM's configuration is made.
    """
    from vllm.platforms import current_platform

    if current_platform.is_cpu():
        from engine import vllm_fp8_cpu
        from engine.awq_cpu import vllm_config

        vllm_config.register()
        vllm_fp8_cpu.register()
