"""The wire between the window and the engine: typed messages, framing, version.

Every message is a msgspec struct with a tag, encoded as msgpack and framed by a
big-endian u32 length. Nothing is ever unpickled. Both sides send ``Hello`` first
and refuse a peer of another version. This module imports only the standard
library and msgspec, so that the window can use it without any engine code.

Units: times in seconds, sizes in bytes, lengths in tokens, rates in tokens/s.
"""

from __future__ import annotations

import struct
from enum import StrEnum
from typing import Final

import msgspec

PROTOCOL_VERSION: Final = 4
MAX_FRAME_BYTES: Final = 64 * 1024 * 1024
_LENGTH = struct.Struct(">I")


class ProtocolError(Exception):
    """A peer sent bytes that are not this protocol."""


class EngineState(StrEnum):
    """What the engine is doing; always shown to the user."""

    STARTING = "starting"  # the process is up, its libraries are being imported
    IDLE = "idle"  # no model
    LOADING = "loading"
    READY = "ready"
    SLEEPING = "sleeping"
    STOPPING = "stopping"


class LoadStage(StrEnum):
    """The stages of a load, in the order in which they happen."""

    IMPORTING = "importing"
    DESCRIBING = "describing"  # only of a GGUF file that is loaded as it is, the first time
    READING_WEIGHTS = "reading_weights"
    PROFILING_MEMORY = "profiling_memory"
    ALLOCATING_KV = "allocating_kv"
    WARMING_UP = "warming_up"


class FinishReason(StrEnum):
    """Why a stream ended."""

    STOP = "stop"  # the model ended its turn, or a stop string was met
    LENGTH = "length"  # max_tokens reached
    CONTEXT = "context"  # the context is full
    CANCELLED = "cancelled"  # the user pressed Stop
    FAILED = "failed"


class Scope(StrEnum):
    """What a failure ended."""

    ENGINE = "engine"
    LOAD = "load"
    REQUEST = "request"
    SLEEP = "sleep"  # falling asleep or waking: the model stays as it was


class RemedyAction(StrEnum):
    """What a remedy's button does in the window."""

    NONE = "none"  # advice only
    RETRY = "retry"
    RELOAD_WITH = "reload_with"  # load again with `settings` changed as given
    REBUILD_STARTER = "rebuild_starter"
    CHOOSE_MODEL = "choose_model"
    SHORTEN_PROMPT = "shorten_prompt"
    SHOW_LOG = "show_log"
    CHOOSE_TEMPLATE = "choose_template"  # a file, for `LoadSettings.chat_template`
    CHOOSE_TOKENIZER = "choose_tokenizer"  # a folder, for `LoadSettings.tokenizer`
    LOAD_STARTER = "load_starter"
    UNLOAD_OTHERS = "unload_others"  # the models of this program's other engines
    CONVERT = "convert"  # a GGUF file to a folder of safetensors
    OPEN_URL = "open_url"  # `settings` has the "url"
    SIGN_IN = "sign_in"
    GO_ONLINE = "go_online"
    FETCH_MISSING = "fetch_missing"


# --- shared pieces -----------------------------------------------------------


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag=True):
    """Base of everything that crosses the wire."""


class ChatMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One turn as the chat template sees it. `role`: system, user or assistant."""

    role: str
    content: str


class Sampling(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Sampling parameters of one request.

    None means: the model's own default (its generation_config.json), else vLLM's.
    `max_tokens` None means: as much as the context leaves.
    """

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    repetition_penalty: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    json_schema: str | None = None  # the answer is JSON of this schema; at most one of the two
    regex: str | None = None  # the whole answer matches
    ignore_eos: bool = False  # benchmarks need answers of a known length


class LoadSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How to load a model. None means: the engine decides for this machine.

    `devices` are GPUs as nvidia-smi numbers them (by PCI bus): with some given, exactly these
    are used, and there must be `tensor_parallel_size` of them or more. `load_timeout` ends a
    load that hangs, one without any progress for so long, with the failure "load_timeout";
    None: a generous limit where several processes load together, none where one does.
    """

    dtype: str | None = None  # "float32", "float16", "bfloat16"
    max_model_len: int | None = None  # tokens
    kv_cache_bytes: int | None = None
    block_size: int | None = None  # slots a KV block
    max_num_seqs: int | None = None
    max_num_batched_tokens: int | None = None
    gpu_memory_utilization: float | None = None
    tensor_parallel_size: int = 1
    enforce_eager: bool | None = None
    kv_cache_dtype: str = "auto"
    devices: tuple[int, ...] = ()
    disable_p2p: bool = False  # the GPUs copy through the host's memory, not to each other
    cpu_offload_bytes: int | None = None  # of the weights, a GPU: they stay in the host's memory
    chat_template: str | None = None  # the path of a Jinja file, in the model's own's place
    tokenizer: str | None = None  # the folder of another model's tokenizer
    load_timeout: float | None = None  # s
    foreground_first: bool = True  # `Generate.priority` counts; else first come, first served


class Remedy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing the user can do about a failure; `label` fits on a button.

    `settings`: with RELOAD_WITH, the fields of `LoadSettings` that change.
    """

    label: str
    action: RemedyAction = RemedyAction.NONE
    settings: dict[str, bool | int | float | str | tuple[int, ...]] = {}


# --- window -> engine --------------------------------------------------------


class Hello(Message, frozen=True):
    """The first message in both directions."""

    protocol_version: int
    pid: int
    backend: str = ""  # from the engine: "vllm" or "scripted"


class Load(Message, frozen=True):
    """Load the model in folder `model`. One model a process."""

    load_id: int
    model: str
    settings: LoadSettings = LoadSettings()


class CancelLoad(Message, frozen=True):
    """Stop a load. The engine answers `LoadCancelled` and ends its process."""

    load_id: int


class Unload(Message, frozen=True):
    """Give all memory back: the engine answers `Unloaded` and ends its process."""


class Generate(Message, frozen=True):
    """Answer `messages`. `request_id` is unique for the life of the connection.

    `priority`: lower goes first. `continue_final`: extend the last assistant turn
    instead of opening a new one. `reserve`: tokens that must be left for the answer, else
    it fails with "prompt_too_long". `thinking`: False asks the template for no reasoning,
    where it knows that switch; None leaves it as the template has it.
    """

    request_id: str
    messages: tuple[ChatMessage, ...]
    sampling: Sampling = Sampling()
    chat_id: str = ""
    priority: int = 0
    continue_final: bool = False
    reserve: int = 1
    thinking: bool | None = None


class Cancel(Message, frozen=True):
    """Stop a request and free its KV blocks. Answered by its final update."""

    request_id: str


class CountTokens(Message, frozen=True):
    """How many prompt tokens would `messages` take? Answered by `TokenCount`.

    `thinking` as in `Generate`. A count that waits is dropped, unanswered, when a newer one
    with the same `chat_id` comes; without a `chat_id` each is answered.
    """

    request_id: str
    messages: tuple[ChatMessage, ...]
    chat_id: str = ""
    thinking: bool | None = None


class Sleep(Message, frozen=True):
    """Lend the GPU: the weights move to the host's memory, the KV cache is dropped.

    Answered by `Status` SLEEPING, or by a `Failure` of scope SLEEP, with which the model stays
    as it was: "cannot_sleep" (a CPU: end the process instead), "busy" (answers are under way).
    Requests that come while the model sleeps wait for `Wake`.
    """


class Wake(Message, frozen=True):
    """Take the GPU back. Answered by `Status` READY, or by a `Failure` of scope SLEEP."""


class Measure(Message, frozen=True):
    """How fast is the loaded model? Answered by `Measured`, or a `Failure` of this request.

    For each number in `streams`, so many greedy requests run together, each with a prompt of
    `prompt_tokens` that shares nothing with any other and an answer of exactly
    `output_tokens`. No chat is touched; `Cancel` with this `request_id` ends it.
    """

    request_id: str
    streams: tuple[int, ...] = (1, 4)
    prompt_tokens: int = 512
    output_tokens: int = 64


class Watch(Message, frozen=True):
    """Tell of the KV pool, block by block: a `KvReport` each `seconds` at most; 0 ends it.

    It is sent while something moves, and once when the watching begins. It needs no model: what
    is loaded later is watched, too.
    """

    seconds: float


class Ping(Message, frozen=True):
    """Answered by `Pong` with the same `sequence`."""

    sequence: int


class Shutdown(Message, frozen=True):
    """End the process."""


# --- engine -> window --------------------------------------------------------


class Status(Message, frozen=True):
    """The engine's state, sent on each change."""

    state: EngineState
    model: str = ""


class LoadProgress(Message, frozen=True):
    """A stage began or moved on. `fraction` (0 to 1) is None where it is unknown."""

    load_id: int
    stage: LoadStage
    elapsed: float  # since the load began
    fraction: float | None = None
    detail: str = ""


class StageTime(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long one stage of a load took."""

    stage: LoadStage
    seconds: float


class DeviceMemory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the loaded model takes on one device, as vLLM measured it. Bytes.

    `device` is the GPU's number by PCI bus, -1 the CPU (`total` is then the machine's memory).
    What is not known is 0. `total` - the sum of the others is free.
    """

    device: int
    name: str
    total: int
    weights: int
    kv: int
    graphs: int = 0  # CUDA graphs
    overhead: int = 0  # the peak of activations, and what libraries hold outside of torch
    others: int = 0  # other programs' and the driver's, when the load began
    # Of the overhead: what vLLM does not count as its own (the CUDA context, the buffers of the
    # link between GPUs). Its share, utilisation x total, is weights + kv + graphs + the rest.
    uncounted: int = 0


class Loaded(Message, frozen=True):
    """The model answers now."""

    load_id: int
    model: str
    context: int  # tokens: max_model_len as fitted
    kv_blocks: int
    block_size: int
    max_num_seqs: int
    dtype: str
    device: str  # "CPU", "NVIDIA GeForce RTX 3090"
    kv_cache_bytes: int
    seconds: float
    stages: tuple[StageTime, ...] = ()
    default_sampling: Sampling = Sampling()  # what holds where a request says nothing
    has_own_sampling: bool = True  # it comes from the model; else the engine chose it
    # For run cards:
    engine_version: str = ""  # "vllm 0.32.0"
    quantization: str = ""  # "awq", ...; empty for none
    template_hash: str = ""  # the first 16 hex digits of the chat template's sha256
    can_sleep: bool = False
    tensor_parallel_size: int = 1
    kv_tokens: int = 0  # the KV cache's capacity as vLLM reports it
    settings: LoadSettings = LoadSettings()  # as used: with what the engine decided
    kernel: str = ""  # that multiplies the weights: "Marlin", "INT4 CPU (AVX2)"; "": not known
    memory: tuple[DeviceMemory, ...] = ()


class LoadCancelled(Message, frozen=True):
    """The load is over; the process ends next."""

    load_id: int


class Unloaded(Message, frozen=True):
    """The model is gone; the process ends next."""


class Failure(Message, frozen=True):
    """Something failed, in the user's words, with what to do next."""

    scope: Scope
    cause: str
    code: str = "unknown"
    remedies: tuple[Remedy, ...] = ()
    detail: str = ""  # the raw error, one click away
    request_id: str = ""
    load_id: int = 0
    prompt_tokens: int | None = None  # with code "prompt_too_long": both counts
    context: int | None = None
    # With "prompt_too_long", where leaving out the oldest messages would help: the index in
    # `Generate.messages` of the first one that can stay (a leading system message stays
    # anyhow), and the prompt's tokens then.
    keep_from: int | None = None
    kept_tokens: int | None = None


class Finish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a stream ended, and what it cost."""

    reason: FinishReason
    prompt_tokens: int
    completion_tokens: int
    seconds: float  # from receiving `Generate` to the last token
    ttft: float | None  # to the first token; None when there was none
    queued: float = 0.0  # of it, waiting for a place in the batch
    cached_tokens: int = 0  # prompt tokens taken from the prefix cache
    kv_blocks: int = 0  # blocks held at the end
    decode_tps: float | None = None  # tokens/s after the first token
    stop_string: str = ""  # of `Sampling.stop`, if one ended it


class StreamUpdate(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What one stream produced since the last batch."""

    request_id: str
    text: str = ""
    tokens: int = 0
    running: bool = False  # it left the queue: the prompt is being read
    prompt_tokens: int | None = None  # sent once, when the prompt was counted
    opens_reasoning: str = ""  # sent with it: the tag that the template left open ("<think>")
    finish: Finish | None = None


class TokenBatch(Message, frozen=True):
    """One frame of all streams: at most one update for each."""

    updates: tuple[StreamUpdate, ...]


class TokenCount(Message, frozen=True):
    """Answers `CountTokens`."""

    request_id: str
    tokens: int
    context: int


class Rate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a `Measure` found for one number of streams. Tokens/s of all streams together.

    `prompt_tps`: all prompts' tokens over the time until every stream had its first token.
    `decode_tps`: the tokens since then, over the time since then.
    """

    streams: int
    prompt_tps: float
    decode_tps: float
    seconds: float  # from the first request to the last token


class Measured(Message, frozen=True):
    """Answers `Measure`: a rate for each number in its `streams`, unless it was cancelled."""

    request_id: str
    rates: tuple[Rate, ...]
    cancelled: bool = False


class Telemetry(Message, frozen=True):
    """A reading of the engine, latest wins; at most four a second."""

    running: int
    waiting: int
    kv_used: int  # blocks held by requests
    kv_total: int
    generation_tps: float
    prompt_tps: float
    kv_cached: int = 0  # free blocks whose content may still be reused
    preempted: int = 0  # since the load
    # Of the prompts' tokens of the last minute, the share that was in the prefix cache.
    prefix_hit_rate: float | None = None
    resident_bytes: int = 0  # of the engine process
    threads: int = 0  # OpenMP threads in use (CPU)
    # Of the last minute, in seconds: to the first token, and from one token of an answer to its
    # next. None: there was none.
    ttft_p50: float | None = None
    ttft_p90: float | None = None
    itl_p50: float | None = None
    itl_p90: float | None = None


class KvRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One request and the KV blocks it holds.

    `blocks` are block numbers from 0, little-endian u32, in the order of the tokens; of a model
    with several kinds of layers, one kind after the other.
    """

    request_id: str
    blocks: bytes
    tokens: int  # whose keys and values are in the blocks
    context_tokens: int  # prompt and answer so far
    cached_tokens: int  # of the prompt, found in the prefix cache
    unused: int  # slots of its blocks that hold no token yet
    position: int = 0  # in the queue, from 1; 0: it runs
    preemptions: int = 0  # how often it was sent back to the queue, to be read again


class KvReport(Message, frozen=True):
    """Every block of the KV pool at the end of one step; latest wins."""

    step: int  # counts the engine's steps since the load
    block_size: int  # tokens of a block
    total: int  # blocks; without the one that vLLM keeps for itself
    used: int  # held by requests, each counted once
    shared: int  # of them, held by more than one
    # A bit for each block, the lowest first: free, and its content may still be reused.
    cached: bytes
    requests: tuple[KvRequest, ...]


class Heartbeat(Message, frozen=True):
    """The engine's event loop lives; once a second."""

    sequence: int


class Pong(Message, frozen=True):
    """Answers `Ping`."""

    sequence: int


ToEngine = (
    Hello
    | Load
    | CancelLoad
    | Unload
    | Generate
    | Cancel
    | CountTokens
    | Sleep
    | Wake
    | Measure
    | Watch
    | Ping
    | Shutdown
)
FromEngine = (
    Hello
    | Status
    | LoadProgress
    | Loaded
    | LoadCancelled
    | Unloaded
    | Failure
    | TokenBatch
    | TokenCount
    | Measured
    | Telemetry
    | KvReport
    | Heartbeat
    | Pong
)

# Exit codes of the engine process.
EXIT_OK: Final = 0
EXIT_FAULT: Final = 1  # a fault of the engine's own; the log has it
EXIT_PEER_GONE: Final = 3
EXIT_PROTOCOL: Final = 4
EXIT_CANCELLED: Final = 5

_encoder = msgspec.msgpack.Encoder()
_to_engine = msgspec.msgpack.Decoder(ToEngine)
_from_engine = msgspec.msgpack.Decoder(FromEngine)


def encode(message: Message) -> bytes:
    """Frame one message.

    Raises:
        ProtocolError: the message is larger than `MAX_FRAME_BYTES`, or holds what msgpack
            does not know: a text that is not Unicode (a file's name), a number over 64 bits.
    """
    try:
        body = _encoder.encode(message)
    except (UnicodeEncodeError, OverflowError) as error:
        raise ProtocolError(f"a message that cannot be encoded: {error}") from error
    if len(body) > MAX_FRAME_BYTES:
        raise ProtocolError(f"a message of {len(body)} bytes is over {MAX_FRAME_BYTES}")
    return _LENGTH.pack(len(body)) + body


def decode_to_engine(body: bytes) -> ToEngine:
    """Decode one frame's body as sent by the window."""
    try:
        return _to_engine.decode(body)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise ProtocolError(f"not a message to the engine: {error}") from error


def decode_from_engine(body: bytes) -> FromEngine:
    """Decode one frame's body as sent by the engine."""
    try:
        return _from_engine.decode(body)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise ProtocolError(f"not a message from the engine: {error}") from error


class FrameReader:
    """Cuts a byte stream into frames, whatever the sizes it arrives in."""

    def __init__(self, max_frame: int = MAX_FRAME_BYTES) -> None:
        self._buffer = bytearray()
        self._max_frame = max_frame

    def feed(self, data: bytes) -> list[bytes]:
        """Take `data`, return the bodies of the frames that are now complete.

        Raises:
            ProtocolError: a length over the cap, or of zero.
        """
        self._buffer += data
        frames: list[bytes] = []
        start = 0
        while len(self._buffer) - start >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._buffer, start)
            if not 0 < length <= self._max_frame:
                raise ProtocolError(f"a frame of {length} bytes")
            end = start + _LENGTH.size + length
            if len(self._buffer) < end:
                break
            frames.append(bytes(self._buffer[start + _LENGTH.size : end]))
            start = end
        if start:
            del self._buffer[:start]
        return frames

    @property
    def pending(self) -> int:
        """Bytes held that do not make a frame yet."""
        return len(self._buffer)
