"""The failures that users meet, row by row, as the project's facts about vLLM list them.

`held` says how a row is held: by a trial of the same name in `tests/end2end/test_real_failures.py`
("real"), by a text taken from the source of vLLM 0.32 or of a library below it ("recorded"), or
by both. `texts` are those recorded texts, one for each fragment, with the file they stand in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.protocol import RemedyAction

NONE: Final = RemedyAction.NONE
RETRY: Final = RemedyAction.RETRY
WITH: Final = RemedyAction.RELOAD_WITH
CHOOSE: Final = RemedyAction.CHOOSE_MODEL
TEMPLATE: Final = RemedyAction.CHOOSE_TEMPLATE
TOKENIZER: Final = RemedyAction.CHOOSE_TOKENIZER
LOG: Final = RemedyAction.SHOW_LOG
CONVERT: Final = RemedyAction.CONVERT
SHORTEN: Final = RemedyAction.SHORTEN_PROMPT
# Texts of the engine's and of `doctor` that German has word for word.
SAME_IN_GERMAN: Final = frozenset({"Chats", "Downloads", "Python {version} in {folder}."})


@dataclass(frozen=True, slots=True)
class Row:
    """One row.

    Attributes:
        fragments: as the facts list them; none: the error is one of ours.
        code: of the failure.
        texts: recorded errors, one for each fragment, or of ours.
        remedies: actions that must be offered, among others.
        trials: real ones that show it, by name.
    """

    fragments: tuple[str, ...]
    code: str
    texts: tuple[str, ...]
    remedies: tuple[RemedyAction, ...]
    trials: tuple[str, ...] = ()


ROWS: Final = (
    Row(
        ("No available memory for the cache blocks",),
        "no_kv_memory",
        # v1/core/kv_cache_utils.py
        (
            "ValueError: No available memory for the cache blocks. Try increasing "
            "`gpu_memory_utilization` when initializing the engine (this flag also controls CPU "
            "memory reservation on the CPU backend, despite its name).",
        ),
        (WITH, CHOOSE),
        ("no_kv_memory",),
    ),
    Row(
        ("To serve at least one request with the model",),
        "context_too_long",
        # v1/core/kv_cache_utils.py
        (
            "ValueError: To serve at least one request with the model's max seq len (131072), "
            "(16.0 GiB KV cache is needed, which is larger than the available KV cache memory "
            "(3.52 GiB). Based on the available memory, the estimated maximum model length is "
            "28832. Try increasing `gpu_memory_utilization` (which also controls CPU memory on "
            "the CPU backend) or decreasing `max_model_len` when initializing the engine.",
        ),
        (WITH, CHOOSE),
        ("context_too_long", "context_just_too_long", "context_too_long_kv"),
    ),
    Row(
        ("Cannot auto-fit max_model_len",),
        "no_kv_room",
        # v1/core/kv_cache_utils.py
        (
            "ValueError: Cannot auto-fit max_model_len: not enough GPU memory available to serve "
            "even a single token. Try increasing `gpu_memory_utilization`.",
        ),
        (CHOOSE,),
        ("no_kv_room",),
    ),
    Row(
        ("is less than desired GPU memory utilization",),
        "vram_in_use",
        # v1/worker/utils.py
        (
            "ValueError: Free memory on device cuda:0 (15.31/23.55 GiB) on startup is less than "
            "desired GPU memory utilization (0.9, 21.2 GiB). Decrease GPU memory utilization or "
            "reduce GPU memory used by other processes.",
        ),
        (WITH, RETRY),
    ),
    Row(
        ("Error in memory profiling",),
        "vram_changed",
        # v1/worker/gpu_worker.py
        (
            "AssertionError: Error in memory profiling. Initial free memory 20.1 GiB, current "
            "free memory 21.3 GiB. This happens when other processes sharing the same container "
            "release GPU memory while vLLM is profiling during initialization.",
        ),
        (RETRY,),
    ),
    Row(
        ("Failed to load model - not enough GPU memory",),
        "vram_weights",
        # v1/worker/gpu_model_runner.py, around torch's own text
        (
            "Failed to load model - not enough GPU memory. Try lowering --gpu-memory-utilization "
            "to free memory for weights, increasing --tensor-parallel-size, or using "
            "--quantization. (original error: CUDA out of memory. Tried to allocate 224.00 MiB. "
            "GPU 0 has a total capacity of 23.55 GiB of which 136.50 MiB is free.)",
        ),
        (CHOOSE,),
    ),
    Row(
        ("CUDA out of memory occurred when warming up sampler",),
        "vram_warmup",
        # v1/worker/gpu_model_runner.py
        (
            "RuntimeError: CUDA out of memory occurred when warming up sampler with 256 dummy "
            "requests. Please try lowering `max_num_seqs` or `gpu_memory_utilization` when "
            "initializing the engine.",
        ),
        (WITH,),
    ),
    Row(
        ("CUDA out of memory",),
        "vram_full",
        # torch
        (
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a "
            "total capacity of 23.55 GiB of which 1.02 GiB is free.",
        ),
        (WITH, CHOOSE),
    ),
    Row(
        ("is less than desired CPU memory utilization",),
        "ram_share",
        # v1/worker/cpu_worker.py
        (
            "ValueError: Available memory on node 0 (9.21/31.2 GiB) on startup is less than "
            "desired CPU memory utilization (0.92, 28.7 GiB). On the CPU backend, the "
            "`--gpu-memory-utilization` flag controls the fraction of CPU memory reserved.",
        ),
        (WITH, RETRY),
        ("ram_share",),
    ),
    Row(
        ("allocation is less than requested memory for kv",),
        "ram_kv",
        # v1/worker/cpu_worker.py
        (
            "ValueError: Available memory on node 0 (19.72/23.54 GiB) on kv cache allocation is "
            "less than requested memory for kv (64.0 GiB). Decrease --kv-cache-memory-bytes, "
            "VLLM_CPU_KVCACHE_SPACE, or reduce CPU memory used by other processes.",
        ),
        (WITH, RETRY),
        ("ram_kv",),
    ),
    Row(
        ("Bfloat16 is only supported on GPUs",),
        "no_bfloat16",
        # platforms/cuda.py
        (
            "ValueError: Bfloat16 is only supported on GPUs with compute capability of at least "
            "8.0. Your NVIDIA GeForce RTX 2080 Ti GPU has compute capability 7.5. You can use "
            "float16 instead by explicitly setting the `dtype` flag in CLI.",
        ),
        (WITH,),
    ),
    Row(
        ("is not supported for the current GPU. Minimum",),
        "gpu_too_old",
        # config/vllm.py
        (
            "ValueError: The quantization method fp8 is not supported for the current GPU. "
            "Minimum capability: 75. Current capability: 61.",
        ),
        (CHOOSE,),
    ),
    Row(
        ("is not supported for quantization method",),
        "quant_dtype",
        # config/vllm.py
        (
            "ValueError: torch.float32 is not supported for quantization method auto_gptq. "
            "Supported dtypes: [torch.float16, torch.bfloat16]",
        ),
        (WITH, CHOOSE),
        ("quant_dtype",),
    ),
    Row(
        ("The input size is not aligned with the quantized",),
        "tp_split",
        # model_executor/layers/quantization/auto_awq.py
        (
            "ValueError: The input size is not aligned with the quantized weight shape. This can "
            "be caused by too large tensor parallel size.",
        ),
        (WITH, CHOOSE),
    ),
    Row(
        ("Failed to find a kernel that can implement the WNA16",),
        "no_kernel",
        # model_executor/kernels/linear/__init__.py
        (
            "ValueError: Failed to find a kernel that can implement the WNA16 linear layer. "
            "Reasons: \n CPUWNA16LinearKernel cannot implement due to: Group size 48 not supported",
        ),
        (CHOOSE,),
        ("no_kernel",),
    ),
    Row(
        (),
        "layer_shape",
        # Ours: engine/awq_cpu/layout.py
        (
            "engine.awq_cpu.layout.UnsupportedLayerError: The input size of "
            "model.layers.0.mlp.down_proj, 40, is not a multiple of its group size 32.",
            "engine.awq_cpu.layout.UnsupportedLayerError: The group size of "
            "model.layers.0.mlp.down_proj, 48, is not a multiple of 32: the 4-bit kernel for this "
            "processor needs that.",
            "engine.awq_cpu.layout.UnsupportedLayerError: The output size of "
            "model.layers.0.mlp.gate_up_proj, 68, is not a multiple of 8: AWQ packs that many to "
            "a word.",
        ),
        (CHOOSE, LOG),
        ("awq_input_size", "awq_group_size", "awq_output_size"),
    ),
    Row(
        ("no attribute 'cpu_gemm_wna16'",),
        "awq_needs_avx512",
        # _custom_ops.py, as torch says it
        ("AttributeError: '_OpNamespace' '_C' object has no attribute 'cpu_gemm_wna16'",),
        (CHOOSE,),
    ),
    Row(
        ("FP8 KV cache on CPU requires",),
        "fp8_kv_cpu",
        # v1/attention/backends/cpu_attn.py
        ("NotImplementedError: FP8 KV cache on CPU requires x86 with AVX-512 or AMX.",),
        (WITH,),
        ("fp8_kv_cpu",),
    ),
    Row(
        ("Cannot find any model weights",),
        "weights_missing",
        # model_executor/model_loader/default_loader.py
        ("RuntimeError: Cannot find any model weights with `/models/x`",),
        (CHOOSE,),
        ("weights_missing", "shard_missing"),
    ),
    Row(
        ("Cannot find the config file for",),
        "quant_config",
        # model_executor/model_loader/weight_utils.py
        ("ValueError: Cannot find the config file for quark",),
        (CHOOSE,),
    ),
    Row(
        ("Unknown quantization method",),
        "quant_unknown",
        # config/model.py
        ("Value error, Unknown quantization method: squeeze. Must be one of ['awq', 'fp8'].",),
        (CHOOSE,),
        ("quant_unknown", "quant_foreign"),
    ),
    Row(
        ("Invalid repository ID or local directory",),
        "model_missing",
        # transformers_utils/config.py
        (
            "ValueError: Invalid repository ID or local directory specified: '/models/x'.\n"
            "Please verify the following requirements:",
        ),
        (CHOOSE,),
        ("config_missing",),
    ),
    Row(
        ("Cannot access gated repo",),
        "gated",
        # huggingface_hub/utils/_http.py
        (
            "huggingface_hub.errors.GatedRepoError: 403 Client Error.\n\nCannot access gated repo "
            "for url https://the.hub/api/models/some/model.",
        ),
        (CHOOSE,),
    ),
    Row(
        ("Repository Not Found",),
        "hub_unknown",
        # huggingface_hub/utils/_http.py
        (
            "huggingface_hub.errors.RepositoryNotFoundError: 404 Client Error.\n\nRepository Not "
            "Found for url: https://the.hub/api/models/some/model.",
        ),
        (CHOOSE,),
    ),
    Row(
        ("outgoing traffic has been disabled",),
        "offline",
        # huggingface_hub/_snapshot_download.py
        (
            "huggingface_hub.errors.LocalEntryNotFoundError: Cannot find an appropriate cached "
            "snapshot folder for the specified revision on the local disk and outgoing traffic "
            "has been disabled.",
        ),
        (CHOOSE,),
        ("offline",),
    ),
    Row(
        ("are not supported for now",),
        "architecture",
        # model_executor/models/registry.py
        (
            "Value error, Model architectures ['NoSuchForCausalLM'] are not supported for now. "
            "Supported architectures: dict_keys(['LlamaForCausalLM'])",
        ),
        (CHOOSE,),
        ("architecture", "architecture_dropped"),
    ),
    Row(
        ("does not recognize this architecture",),
        "architecture",
        # transformers/models/auto/configuration_auto.py
        (
            "Value error, The checkpoint you are trying to load has model type `nosuch` but "
            "Transformers does not recognize this architecture.",
        ),
        (CHOOSE,),
        ("model_type",),
    ),
    Row(
        ("Failed to load the model config", "Failed to load the tokenizer"),
        "remote_code",
        # transformers_utils/config.py, tokenizers/hf.py
        (
            "RuntimeError: Failed to load the model config. If the model is a custom model not "
            "yet available in the HuggingFace transformers library, consider setting "
            "`trust_remote_code=True` in LLM or using the `--trust-remote-code` flag in the CLI.",
            "RuntimeError: Failed to load the tokenizer. If the tokenizer is a custom tokenizer "
            "not yet available in the HuggingFace transformers library, consider setting "
            "`trust_remote_code=True` in LLM",
        ),
        (CHOOSE,),
        ("remote_config", "remote_tokenizer"),
    ),
    Row(
        ("Can't load tokenizer for",),
        "tokenizer_missing",
        # transformers/tokenization_utils_base.py
        (
            "OSError: Can't load tokenizer for '/models/x'. If you were trying to load it from the "
            "hub, make sure you don't have a local directory with the same name.",
        ),
        (TOKENIZER,),
        ("tokenizer_missing", "tokenizer_missing_vllm", "tokenizer_damaged"),
    ),
    Row(
        ("default chat template is no longer allowed",),
        "no_chat_template",
        # renderers/hf.py
        (
            "vllm.exceptions.ChatTemplateResolutionError: As of transformers v4.44, default chat "
            "template is no longer allowed, so you must provide a chat template if the tokenizer "
            "does not define one.",
        ),
        (TEMPLATE,),
        ("no_chat_template", "no_chat_template_vllm"),
    ),
    Row(
        ("Chat template rendering timed out",),
        "template_slow",
        # renderers/hf.py
        (
            "TimeoutError: Chat template rendering timed out after 30s. This may indicate a "
            "malicious or excessively complex template.",
        ),
        (TEMPLATE,),
        ("template_bomb", "template_memory"),
    ),
    Row(
        ("maximum context length is", "is longer than the maximum"),
        "prompt_too_long",
        # renderers/params.py, v1/engine/input_processor.py
        (
            "VLLMValidationError: This model's maximum context length is 512 tokens. However, "
            "your prompt contains at least 513 input tokens, which exceeds this limit even "
            "without any output tokens.",
            "VLLMValidationError: The decoder prompt (length 700) is longer than the maximum model "
            "length of 512. Make sure that `max_model_len` is no smaller than the number of text "
            "tokens.",
        ),
        (SHORTEN,),
        ("prompt_too_long",),
    ),
    Row(
        ("User-specified max_model_len",),
        "context_above_model",
        # config/model.py
        (
            "Value error, User-specified max_model_len (99999) is greater than the derived "
            "max_model_len (max_position_embeddings=2048 or model_max_length=None in model's "
            "config.json).",
        ),
        (WITH,),
        ("context_above_model", "context_above_model_vllm"),
    ),
    Row(
        ("Total number of attention heads",),
        "heads",
        # config/model.py
        (
            "Value error, Total number of attention heads (9) must be divisible by tensor "
            "parallel size (2).",
        ),
        (WITH,),
        ("heads", "heads_vllm"),
    ),
    Row(
        ("World size", "is larger than"),
        "gpu_count",
        # config/parallel.py
        (
            "Value error, World size (2) is larger than the number of available GPUs (1) in this "
            "node. If this is intentional and you are using:",
        )
        * 2,
        (WITH,),
    ),
    Row(
        ("NCCL error",),
        "gpu_link",
        # distributed/device_communicators/pynccl_wrapper.py
        ("RuntimeError: NCCL error: unhandled cuda error (run with NCCL_DEBUG=INFO for details)",),
        (WITH, RETRY),
    ),
    Row(
        ("Not enough allowed NUMA nodes",),
        "numa",
        # utils/ompmultiprocessing.py
        (
            "AssertionError: Not enough allowed NUMA nodes to bind threads of 2 local CPUWorkers. "
            "Allowed NUMA nodes are [0]. Please try to bind threads manually or decrease DP/TP/PP.",
        ),
        (WITH,),
        ("numa",),
    ),
    Row(
        ("Failed to map GGUF parameters", "Can't get gguf config for"),
        "gguf",
        # the GGUF plugin's loader and config
        (
            "RuntimeError: Failed to map GGUF parameters (3): ['blk.0.attn_sinks.weight']",
            "RuntimeError: Can't get gguf config for starcoder9.",
        ),
        (CONVERT, CHOOSE),
        ("gguf",),
    ),
    Row(
        ("died unexpectedly",),
        "worker_died",
        # v1/executor/multiproc_executor.py
        ("Worker proc VllmWorker-1 died unexpectedly (exit code: -9), shutting down executor.",),
        (RETRY, LOG),
        ("worker_killed",),
    ),
    Row(
        ("RPC call to", "timed out"),
        "hang",
        # v1/executor/multiproc_executor.py
        ("TimeoutError: RPC call to sample_tokens timed out.",) * 2,
        (RETRY, LOG),
        ("worker_hangs",),
    ),
)

# As the facts list them, to see that no row is forgotten: first fragments, in order.
LISTED: Final = tuple(
    line.strip()
    for line in """
    No available memory for the cache blocks
    To serve at least one request with the model
    Cannot auto-fit max_model_len
    is less than desired GPU memory utilization
    Error in memory profiling
    Failed to load model - not enough GPU memory
    CUDA out of memory occurred when warming up sampler
    CUDA out of memory
    is less than desired CPU memory utilization
    allocation is less than requested memory for kv
    Bfloat16 is only supported on GPUs
    is not supported for the current GPU. Minimum
    is not supported for quantization method
    The input size is not aligned with the quantized
    Failed to find a kernel that can implement the WNA16
    no attribute 'cpu_gemm_wna16'
    FP8 KV cache on CPU requires
    Cannot find any model weights
    Cannot find the config file for
    Unknown quantization method
    Invalid repository ID or local directory
    Cannot access gated repo
    Repository Not Found
    outgoing traffic has been disabled
    are not supported for now
    does not recognize this architecture
    Failed to load the model config, Failed to load the tokenizer
    Can't load tokenizer for
    default chat template is no longer allowed
    Chat template rendering timed out
    maximum context length is; is longer than the maximum
    User-specified max_model_len
    Total number of attention heads
    World size; is larger than
    NCCL error
    Not enough allowed NUMA nodes
    Failed to map GGUF parameters; Can't get gguf config for
    died unexpectedly; RPC call to; timed out
    """.strip().splitlines()
)
