"""What vLLM's errors mean: a table, searched from its top. Patterns are texts of vLLM 0.32.

Causes come first and what only wraps them last ("Engine core initialization failed"), as the
text of an error holds both. Named groups of the patterns are the values of the causes' places
and of the remedies (`engine.remedies`); a cause whose places are not all known gives way to
the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine import remedies as do
from engine.failure_words import words
from engine.remedies import Maker

_GIB: Final = r"[\d.,]+"


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of failure.

    Attributes:
        code: the failure's code.
        pattern: searched in the error's text (regex, with ``.`` meaning any character).
        causes: in plain words, the one that tells most first; the last has no places.
        remedies: what to offer, the likeliest first.
        also: patterns for further values, each searched in the whole text.
        wrapper: it says nothing of the cause, which stands in a worker's log.
    """

    code: str
    pattern: str
    causes: tuple[str, ...]
    remedies: tuple[Maker, ...] = (do.choose, do.show_log)
    also: tuple[str, ...] = ()
    wrapper: bool = False


_MEMORY: Final = (
    Rule(
        "no_kv_memory",
        r"No available memory for the cache blocks",
        (
            words(
                "The model's weights fill the memory it may use; nothing is left for the chats' "
                "KV cache."
            ),
        ),
        (do.more_share, do.more_kv, do.two_gpus, do.eager, do.choose_smaller),
    ),
    Rule(
        "no_kv_room",
        r"Cannot auto-fit max_model_len",
        (words("There is no room for the KV cache of a chat, not even of a short one."),),
        (do.more_kv, do.more_share, do.two_gpus, do.choose_smaller),
    ),
    Rule(
        "context_too_long",
        r"To serve at least one request with the model's max seq len\s+\((?P<asked>\d+)\), "
        rf"\((?P<needed>{_GIB}) GiB KV cache is needed.*?memory \((?P<left>{_GIB}) GiB\)"
        r"(?:.*?estimated maximum model length is (?P<estimate>\d+))?"
        r"|To serve at least one request with the model",
        (
            words(
                "A chat of {asked} tokens takes {needed} GiB of KV cache, and {left} GiB are left "
                "for it."
            ),
            words("The context is too long for the KV memory that is left."),
        ),
        (do.load_with_estimate, do.more_kv, do.more_share, do.fit_context, do.choose_smaller),
    ),
    Rule(
        "vram_in_use",
        rf"Free memory on device (?P<device>\S+) \((?P<free>{_GIB})/(?P<total>{_GIB}) GiB\) on "
        rf"startup is less than desired GPU memory utilization \((?P<share>[\d.]+), "
        rf"(?P<wanted>{_GIB}) GiB\)|is less than desired GPU memory utilization",
        (
            words(
                "{wanted} GiB of the GPU's memory are asked for, and {free} of its {total} GiB are "
                "free. Held by others: {holders}."
            ),
            words(
                "{wanted} GiB of the GPU's memory are asked for, and {free} of its {total} GiB are "
                "free: other programs hold the rest."
            ),
            words(
                "Other programs use part of the GPU's memory, so the share asked for is not free."
            ),
        ),
        (do.fitting_share, do.unload_others, do.retry, do.choose_smaller),
    ),
    Rule(
        "vram_changed",
        r"Error in memory profiling",
        (words("Another program gave GPU memory back while the model was being measured."),),
        (do.retry,),
    ),
    Rule(
        "vram_warmup",
        r"out of memory occurred when warming up (?:sampler|pooler) with\s+"
        r"(?P<sequences>\d+) dummy|out of memory occurred when warming up",
        (
            words("There is not enough GPU memory for {sequences} chats at once."),
            words("There is not enough GPU memory for so many chats at once."),
        ),
        (do.fewer_chats, do.less_share, do.choose_smaller),
    ),
    Rule(
        "vram_weights",
        r"Failed to load model - not enough GPU memory"
        r"|in load_model\b.*?(?:OutOfMemoryError|CUDA out of memory)",
        (
            words(
                "The model's weights do not fit in the GPU's memory ({capacity} GiB, {free} GiB "
                "free)."
            ),
            words("The model's weights do not fit in the GPU's memory."),
        ),
        (do.unload_others, do.two_gpus, do.offload, do.choose_smaller),
        (
            rf"total capacity of (?P<capacity>{_GIB}) GiB of which (?P<free>{_GIB}) GiB is free",
            rf"total capacity of (?P<capacity>{_GIB}) GiB",
        ),
    ),
    Rule(
        "vram_full",
        r"CUDA out of memory|OutOfMemoryError|not enough GPU memory",
        (words("The model and its chats do not fit in the GPU's memory."),),
        (do.less_share, do.load_with_half, do.eager, do.unload_others, do.choose_smaller),
    ),
    Rule(
        "ram_share",
        rf"Available memory on node \S+ \((?P<free>{_GIB})/(?P<total>{_GIB}) GiB\) on startup is "
        rf"less than desired CPU memory utilization \((?P<share>[\d.]+), (?P<wanted>{_GIB}) GiB\)"
        r"|is less than desired CPU memory utilization",
        (
            words(
                "{wanted} GiB of memory (RAM) are asked for, and {free} of {total} GiB are free. "
                "Other programs hold the rest."
            ),
            words("There is not enough free memory (RAM) for the share asked for."),
        ),
        (do.fitting_ram_share, do.retry, do.choose_smaller),
    ),
    Rule(
        "ram_kv",
        rf"Available memory on node \S+ \((?P<free>{_GIB})/(?P<total>{_GIB}) GiB\) on kv cache "
        rf"allocation is less than requested memory for kv \((?P<wanted>{_GIB})"
        r"|allocation is less than requested memory for kv",
        (
            words(
                "{wanted} GiB of memory (RAM) are asked for as KV cache, and {free} GiB are free."
            ),
            words("There is not enough free memory (RAM) for the KV cache asked for."),
        ),
        (do.less_kv, do.retry, do.choose_smaller),
    ),
    Rule(
        "ram_full",
        r"DefaultCPUAllocator: (?:can't|not enough)|DefaultCPUAllocator: .*?you tried to allocate"
        r"|MemoryError|Cannot allocate memory|std::bad_alloc|can't start new thread",
        (
            words(
                "There is not enough free memory (RAM) for the model and its KV cache. Close other "
                "programs, or choose a smaller model."
            ),
        ),
        (do.less_kv, do.retry, do.choose_smaller),
    ),
    Rule(
        "no_space",
        r"No space left on device|Insufficient space in /dev/shm|Bus error.*?/dev/shm",
        (
            words(
                "There is no space left where the engine keeps files while it runs (/dev/shm or "
                "the folder of temporary files). Free some, then try again."
            ),
        ),
        (do.retry, do.one_gpu, do.show_log),
    ),
)

_PRECISION: Final = (
    Rule(
        "no_bfloat16",
        r"Bfloat16 is only supported on GPUs.*?Your (?P<gpu>.+?) GPU (?:has|does)"
        r"|Bfloat16 is only supported on GPUs",
        (
            words("This GPU ({gpu}) is too old for bfloat16."),
            words("This GPU is too old for bfloat16."),
        ),
        (do.half, do.choose),
    ),
    Rule(
        "gpu_too_old",
        r"quantization method (?P<method>\S+) is not supported for the current GPU\. Minimum\s+"
        r"capability: (?P<least>\d+)\. Current capability: (?P<has>\d+)"
        r"|is not supported for the current GPU\. Minimum",
        (
            words(
                "This GPU is too old for {method} models: it has compute capability {has}, they "
                "need {least}."
            ),
            words("This GPU is too old for this model's quantisation."),
        ),
        (do.choose_unquantised, do.show_log),
    ),
    Rule(
        "quant_dtype",
        r"(?P<dtype>torch\.\w+) is not supported for quantization method (?P<method>\S+)\. "
        r"Supported dtypes: \[?(?P<supported>[^\]\n]*)"
        r"|is not supported for quantization method",
        (
            words("{method} models do not compute in {dtype}."),
            words("This quantisation does not work with the chosen precision."),
        ),
        (do.supported_dtype, do.choose_unquantised),
    ),
    Rule(
        "kv_dtype",
        r"\bcache_dtype\b[^\n]*\n\s*Input should be|Unsupported kv cache dtype|"
        r"Unsupported dtype for KV cache|for kv_cache_dtype|kv_cache_dtype.{0,80}not supported",
        (words("The KV cache cannot be kept in the precision asked for."),),
        (do.auto_kv, do.choose),
    ),
    Rule(
        "bad_dtype",
        r"Unknown dtype: '?(?P<dtype>\w+)"
        r"|\ndtype\.(?:literal|is-instance)[^\n]*\n\s*Input should be",
        (
            words("There is no precision called {dtype}."),
            words("The precision asked for is unknown."),
        ),
        (do.auto_dtype, do.choose),
    ),
    Rule(
        "tp_split",
        r"(?:input|output) size is not aligned with the quantized",
        (
            words(
                "The groups of this model's quantisation cannot be divided as its layers would "
                "have to be."
            ),
        ),
        (do.one_gpu, do.choose_build),
    ),
    Rule(
        "heads",
        r"Total number of attention heads \((?P<heads>\d+)\) must be divisible by tensor "
        r"parallel size \((?P<parts>\d+)\)|Total number of attention heads"
        r"|(?P<heads2>\d+) is not divisible by (?P<parts2>\d+)",
        (
            words(
                "This model has {heads} attention heads, which cannot be divided among {parts} "
                "GPUs."
            ),
            words("This model cannot be divided among so many GPUs."),
        ),
        (do.one_gpu, do.choose),
    ),
    Rule(
        "no_kernel",
        r"Failed to find a kernel that can implement the (?P<kind>\w+) linear layer"
        r"|Failed to find a kernel that can implement|Unsupported quantization config"
        r"|does not support (?:group_size|weight_bits)|Unsupported (?:group_size|bits|num_bits)",
        (
            words(
                "No kernel for this model's quantisation ({kind}) runs on this machine: its bits, "
                "groups or layers have an unusual size."
            ),
            words("No kernel for this model's quantisation runs on this machine."),
        ),
        (do.choose_build, do.show_log),
    ),
    Rule(
        # engine/awq_cpu/layout.py: of a checkpoint that other software has made otherwise.
        "layer_shape",
        r"The input size of (?P<layer>[^,\n]+), (?P<width>\d+), is not a multiple of its group "
        r"size (?P<group>\d+)"
        r"|The group size of (?P<layer2>[^,\n]+), (?P<odd>\d+), is not a multiple of "
        r"(?P<step>\d+):\s+the 4-bit kernel for this processor needs that"
        r"|The output size of (?P<layer3>[^,\n]+), (?P<rows>\d+), is not a multiple of "
        r"(?P<word>\d+):\s+AWQ packs that many to a word"
        r"|is not a multiple of its group size|4-bit kernel for this processor needs that"
        r"|AWQ packs that many to a word",
        (
            words(
                "The 4-bit weights of this model lie in groups of {group}, but a layer of it "
                "({layer}) is {width} weights wide: that makes no whole groups."
            ),
            words(
                "The 4-bit weights of this model lie in groups of {odd}. On this processor only "
                "groups of {step} or a multiple of it can be computed with."
            ),
            words(
                "A layer of this model ({layer}) has {rows} outputs. In 4 bits (AWQ) they come "
                "{word} at a time, which does not come out even."
            ),
            words("The layers of this model do not go with the 4-bit groups it is stored in."),
        ),
        (do.one_gpu, do.choose_build, do.choose_unquantised, do.show_log),
    ),
    Rule(
        "awq_needs_avx512",
        r"no attribute 'cpu_gemm_wna16'",
        (words("This processor lacks the instructions (AVX-512) that this model needs on a CPU."),),
        (do.choose_unquantised, do.show_log),
    ),
    Rule(
        "fp8_kv_cpu",
        r"FP8 KV cache (?:on CPU )?requires",
        (words("This processor cannot keep the KV cache of this model in FP8."),),
        (do.auto_kv,),
    ),
    Rule(
        "kv_blocks",
        r"No common block size for (?P<block>\d+)|block_size\b[^\n]*\n\s*Input should be"
        r"|block size .{0,60}(?:not supported|must be)",
        (words("KV blocks of the size asked for do not work on this device."),),
        (do.usual_block, do.choose),
    ),
    Rule(
        "step_tokens",
        r"max_num_batched_tokens \(\d+\) must be greater than or equal to max_num_seqs "
        r"\((?P<least>\d+)\)",
        (words("A step must read at least as many tokens as there may be chats at once."),),
        (do.larger_steps, do.choose),
    ),
)

_FILES: Final = (
    Rule(
        "weights_missing",
        r"Cannot find any model weights",
        (
            words(
                "The model's weights are missing: its download is not complete, or it has no "
                "safetensors."
            ),
        ),
        (do.choose,),
    ),
    Rule(
        "weights_broken",
        r"SafetensorError|Error while deserializing header|MetadataIncompleteBuffer|InvalidHeader",
        (words("A weight file of this model is damaged. Fetch it again."),),
        (do.choose, do.show_log),
    ),
    Rule(
        "weights_differ",
        r"Following weights were not initialized from checkpoint|There is no module or parameter "
        r"named|assert param_data\.shape == loaded_weight\.shape|Attempted to load weight"
        r"|size of tensor a \(\d+\) must match|shape mismatch|assert loaded_weight\.shape"
        r"|exceeds dimension size \(|shape '\[[^\n]*is invalid for input of size",
        (
            words(
                "The weights of this model do not belong to its config.json: some are missing, "
                "unknown or of another size."
            ),
        ),
        (do.choose, do.show_log),
    ),
    Rule(
        "quant_config",
        r"Cannot find the config file for (?P<method>\S+)",
        (
            words("The files of this model say nothing of its quantisation ({method})."),
            words("The files of this model say nothing of its quantisation."),
        ),
        (do.choose_build, do.show_log),
    ),
    Rule(
        "gguf",
        r"Failed to map GGUF parameters|Can't get gguf config for|gguf_init_from_file"
        r"|Unknown gguf model_type|GGUF model with architecture \S+ is not supported",
        (words("This GGUF file cannot be loaded as it is: its architecture is not known."),),
        (do.convert, do.choose_build),
    ),
    Rule(
        "gguf_types",
        r"Unsupported GGUF quantization type|Unsupported Triton (?:\w+ ){0,2}quant type",
        (
            words(
                "This GGUF file cannot be loaded as it is: vLLM's GGUF plugin cannot compute with "
                "its kind of weights."
            ),
        ),
        (do.convert, do.choose_build),
    ),
    Rule(
        # Its kernels do not load, or it could not register itself with this vLLM.
        "gguf_plugin",
        r"'_C_gguf' object has no attribute|config file at '[^'\n]*\.gguf' is not a valid JSON"
        r"|Load format `gguf` is not|Unknown config format `gguf`"
        r"|(?:[Ii]nvalid|Unknown) quantization method: gguf",
        (words("This GGUF file cannot be loaded as it is: vLLM's GGUF plugin does not start."),),
        (do.convert, do.show_log),
    ),
    Rule(
        "quant_unknown",
        r"Unknown quantization method: (?P<method>[^\s.]+)|Unknown quantization method"
        r"|Invalid quantization method|Please install \S+ .{0,80}?to use (?P<method2>\w+) quant",
        (
            words("This engine does not know this model's quantisation ({method})."),
            words("This engine does not know this model's quantisation."),
        ),
        (do.choose_build, do.show_log),
    ),
)

_HUB: Final = (
    Rule(
        "gated",
        r"Cannot access gated repo|GatedRepoError",
        (
            words(
                "Its authors give this model only to those who have accepted their licence. Get it "
                "on its page first, then choose its folder."
            ),
        ),
        (do.choose_folder,),
    ),
    Rule(
        "hub_unknown",
        r"Repository Not Found for url: (?P<url>\S+?)\.?\s|Repository Not Found"
        r"|RepositoryNotFoundError",
        (words("There is no model of this name, or it is private."),),
        (do.choose_folder,),
    ),
    Rule(
        "offline",
        r"outgoing traffic has been disabled|HF_HUB_OFFLINE|OfflineModeIsEnabled"
        r"|LocalEntryNotFoundError|is not the path to a directory containing",
        (
            words(
                "This names a model on the net, and the engine never goes there. Choose a folder "
                "with the model's files."
            ),
        ),
        (do.choose_folder,),
    ),
)

_MODEL: Final = (
    Rule(
        "remote_code",
        r"Failed to load the model config\.|Failed to load the tokenizer\. If the"
        r"|contains custom code which must be executed|requires you to execute the"
        r"|pass the argument `trust_remote_code=True`",
        (words("This model wants to run a program of its own, which Inglenook never allows."),),
        (do.choose_build,),
    ),
    Rule(
        "architecture",
        r"Model architectures? \[?'?(?P<name>\w+).{0,200}?(?:are not supported for now"
        r"|is not supported|was supported in vLLM until|failed to be inspected)"
        r"|model type `(?P<kind>[^`\n]+)`.{0,80}?does not recognize this architecture"
        r"|are not supported for now|does not recognize this architecture|Unrecognized model in"
        r"|No model architectures are specified|Should have a `model_type` key",
        (
            words("This engine does not know this model's architecture ({name})."),
            words("This engine does not know this model's architecture."),
        ),
        (do.choose,),
    ),
    Rule(
        "model_missing",
        r"Invalid repository ID or local directory specified: '(?P<folder>[^'\n]*)'"
        r"|Invalid repository ID or local directory",
        (
            words("There is no model in {folder}: a model's folder has a config.json."),
            words("There is no model in this folder: a model's folder has a config.json."),
        ),
        (do.choose_folder,),
    ),
    Rule(
        "tokenizer_missing",
        r"Can't load tokenizer for|Couldn't instantiate the backend tokenizer"
        r"|Tokenizer class \S+ does not exist|tokenizer\.json.{0,120}?(?:expected|EOF|invalid)"
        r"|Error while initializing BPE|is missing the required tokenizer"
        r"|in _from_pretrained\n.{0,800}?\n(?:KeyError|TypeError|Exception)\b",
        (words("The model's tokenizer cannot be loaded: its files are missing or damaged."),),
        (do.choose_tokenizer, do.choose),
    ),
    Rule(
        "no_chat_template",
        r"default chat template is no longer\s+allowed|chat_template is not set"
        r"|ChatTemplateResolutionError",
        (words("This model has no chat template: it is a base model, not made for chats."),),
        (do.choose_template, do.choose),
    ),
    Rule(
        "template_slow",
        r"Chat template rendering timed out|TemplateTimeout",
        (
            words(
                "The model's chat template was stopped: it took too much time or memory for this "
                "chat."
            ),
        ),
        (do.choose_template, do.choose),
    ),
    Rule(
        "template",
        r"jinja2|TemplateError|TemplateSyntaxError|UndefinedError",
        (words("The model's chat template does not work with this chat."),),
        (do.choose_template, do.choose),
    ),
    Rule(
        "context_above_model",
        r"User-specified max_model_len \((?P<asked>\d+)\) is greater than the derived "
        r"max_model_len \(\w+=(?P<limit>\d+)|User-specified max_model_len",
        (
            words("A context of {asked} tokens is asked for; this model reads {limit}."),
            words("The context asked for is longer than the model can read."),
        ),
        (do.load_with_limit, do.fit_context, do.choose),
    ),
    Rule(
        "prompt_too_long",
        r"maximum context length is\s+(?P<context>\d+) tokens.{0,80}?prompt\s+contains (?:at least "
        r")?(?P<tokens>\d+) input tokens"
        r"|prompt \(length (?P<tokens2>\d+)\).{0,80}?is\s+longer than the maximum\s+model\s+length "
        r"of (?P<context2>\d+)|maximum context length is|is longer than the maximum",
        (
            words("This chat makes {tokens} tokens; the model reads {context}."),
            words("This chat is longer than the model can read."),
        ),
        (do.shorten,),
    ),
)

_GPUS: Final = (
    Rule(
        "gpu_count",
        r"World size \((?P<asked>\d+)\) is larger than the number of\s+available GPUs "
        r"\((?P<there>\d+)\)|World size .{0,20} is larger than",
        (
            words("{asked} GPUs are asked for, and there are {there}."),
            words("There are fewer GPUs than the settings ask for."),
        ),
        (do.available_gpus, do.choose),
    ),
    Rule(
        "gpu_link",
        r"NCCL error: (?P<reason>[^\n]{1,120})|NCCL error|ncclUnhandledCudaError|NCCL WARN",
        (
            words("The link between the GPUs failed ({reason})."),
            words("The link between the GPUs failed."),
        ),
        (do.without_p2p, do.one_gpu, do.retry),
    ),
    Rule(
        "numa",
        r"Not enough allowed NUMA nodes to bind threads of (?P<parts>\d+) local"
        r"|Not enough allowed NUMA nodes",
        (
            words("This machine's processor cannot be divided among {parts} workers."),
            words("This machine's processor cannot be divided among so many workers."),
        ),
        (do.one_gpu, do.choose),
    ),
    Rule(
        "no_gpu",
        r"Failed to infer device type|No CUDA GPUs are available|CUDA driver version"
        r"|CUDA error: no CUDA-capable device",
        (
            words(
                "No usable GPU was found: the driver is missing, too old, or the GPU was lost. "
                "./packaging/run doctor says more."
            ),
        ),
        (do.retry, do.show_log),
    ),
    Rule(
        "gpu_lost",
        r"CUDA error: (?:unspecified launch failure|an illegal|device-side|the launch)"
        r"|GPU is lost|Xid",
        (words("The GPU failed while it computed, or was lost."),),
        (do.retry, do.show_log),
    ),
)

_ENDS: Final = (
    Rule(
        "hang",
        r"RPC call to (?P<method>\w+) timed out|RPC call to|TimeoutError[^\n]*timed out"
        r"|No available shared memory broadcast block found",
        (words("A process of the engine no longer answered, and was ended."),),
        (do.without_p2p, do.retry, do.one_gpu, do.show_log),
    ),
    Rule(
        "worker_died",
        r"Worker proc (?P<worker>\S+) died unexpectedly|died unexpectedly|died with exit code"
        r"|worker processes? (?:has|have) died|in acquire_read\n.{0,200}?RuntimeError: cancelled",
        (words("A process of the engine died. The end of the log may say why."),),
        (do.retry, do.one_gpu, do.show_log),
        wrapper=True,
    ),
    Rule(
        "engine_wrapped",
        r"Engine core initialization failed|WorkerProc initialization failed"
        r"|EngineCore encountered an issue|Worker failed with error|EngineDeadError"
        r"|Executor failed",
        (words("A process of the engine failed. The log says why."),),
        (do.retry, do.one_gpu, do.show_log),
        wrapper=True,
    ),
)

RULES: Final = (*_MEMORY, *_PRECISION, *_FILES, *_HUB, *_MODEL, *_GPUS, *_ENDS)
