"""What the user sets by hand for a load; what is None is left to the planner."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from engine.planner.plan import Wish
    from engine.protocol import LoadSettings

GIB: Final = 1024**3
KV_DTYPES: Final = ("auto", "fp8")
DTYPES: Final = ("bfloat16", "float16", "float32")
# No model reads longer, no machine has more; what is beyond is a slip of the hand.
MAX_CONTEXT: Final = 100_000_000
MAX_SEQUENCES: Final = 4096
MAX_DEVICES: Final = 64
MAX_BYTES: Final = 1 << 50
MIN_CONTEXT: Final = 16
UTILISATION: Final = (0.05, 1.0)
# What a choice is called in `engine.protocol.LoadSettings`.
SETTINGS: Final = {
    "devices": "devices",
    "tp": "tensor_parallel_size",
    "context": "max_model_len",
    "utilisation": "gpu_memory_utilization",
    "kv_bytes": "kv_cache_bytes",
    "kv_dtype": "kv_cache_dtype",
    "dtype": "dtype",
    "sequences": "max_num_seqs",
    "eager": "enforce_eager",
    "offload_bytes": "cpu_offload_bytes",
    "foreground_first": "foreground_first",
    "chat_template": "chat_template",
    "tokenizer": "tokenizer",
    "disable_p2p": "disable_p2p",
}


@dataclass(frozen=True, slots=True)
class Choices:
    """See the module.

    Attributes:
        devices: indexes of the GPUs to use.
        tp: how many of them share the model.
        context: tokens of one chat.
        utilisation: of each GPU's memory, 0 to 1.
        kv_bytes: KV cache of each device; it goes before `utilisation`.
        kv_dtype: one of `KV_DTYPES`.
        dtype: to compute in, one of `DTYPES`.
        sequences: answers at once.
        eager: without CUDA graphs.
        offload_bytes: of the weights of each GPU, kept in the host's memory.
        foreground_first: whether the chat in front is answered before others.
        chat_template, tokenizer: what the model lacks and the user gave, as in `LoadSettings`.
        disable_p2p: the GPUs hang when they copy to each other.
    """

    devices: tuple[int, ...] | None = None
    tp: int | None = None
    context: int | None = None
    utilisation: float | None = None
    kv_bytes: int | None = None
    kv_dtype: str | None = None
    dtype: str | None = None
    sequences: int | None = None
    eager: bool | None = None
    offload_bytes: int | None = None
    foreground_first: bool | None = None
    chat_template: str | None = None
    tokenizer: str | None = None
    disable_p2p: bool | None = None

    def fault(self) -> str:
        """The name of a field whose value makes no sense; "" if all do.

        For values from a file: the dialog's fields refuse such ones with words.
        """
        low, high = UTILISATION
        devices = self.devices
        sound = {
            "devices": devices is None
            or (0 < len(devices) <= MAX_DEVICES and all(0 <= d < 1024 for d in devices)),
            "tp": _within(self.tp, 1, MAX_DEVICES),
            "context": _within(self.context, MIN_CONTEXT, MAX_CONTEXT),
            "utilisation": _within(self.utilisation, low, high),
            "kv_bytes": _within(self.kv_bytes, 1, MAX_BYTES),
            "kv_dtype": self.kv_dtype is None or self.kv_dtype in KV_DTYPES,
            "dtype": self.dtype is None or self.dtype in DTYPES,
            "sequences": _within(self.sequences, 1, MAX_SEQUENCES),
            "offload_bytes": _within(self.offload_bytes, 0, MAX_BYTES),
        }
        return next((name for name, is_sound in sound.items() if not is_sound), "")

    def wish(self) -> Wish:
        """As the planner takes it."""
        from engine.planner.plan import Wish

        return Wish(
            context=self.context,
            tp=self.tp,
            devices=self.devices,
            utilisation=self.utilisation,
            kv_dtype=self.kv_dtype or "auto",
            sequences=self.sequences,
            eager=self.eager,
            kv_bytes=self.kv_bytes,
            dtype=self.dtype,
            offload_bytes=self.offload_bytes or None,
        )

    def settings(self, planned: LoadSettings | None = None) -> LoadSettings:
        """For the engine: what is set here, on top of what the planner chose for the rest."""
        import msgspec

        from engine.protocol import LoadSettings

        values = {theirs: getattr(self, ours) for ours, theirs in SETTINGS.items()}
        chosen = {name: value for name, value in values.items() if value is not None}
        return msgspec.structs.replace(planned or LoadSettings(), **chosen)

    def with_wish(self, wish: Wish) -> Choices:
        """With what a change of the planner's wishes for."""
        result = replace(
            self,
            context=wish.context,
            tp=wish.tp,
            devices=wish.devices,
            utilisation=wish.utilisation,
            kv_dtype=self.kv_dtype if wish.kv_dtype == (self.kv_dtype or "auto") else wish.kv_dtype,
            sequences=wish.sequences,
            eager=wish.eager,
            kv_bytes=wish.kv_bytes,
            dtype=wish.dtype,
            offload_bytes=wish.offload_bytes or self.offload_bytes,
        )
        return self if result.fault() else result

    def with_needs(self, used: LoadSettings) -> Choices:
        """With what a load that went well could not do without: it is needed every time."""
        return replace(
            self,
            chat_template=used.chat_template or self.chat_template,
            tokenizer=used.tokenizer or self.tokenizer,
            disable_p2p=used.disable_p2p or self.disable_p2p,
        )

    def divided(self, tp: int, devices: tuple[int, ...], *, without_p2p: bool) -> Choices:
        """With so many of these GPUs sharing the model."""
        return replace(
            self,
            tp=tp,
            devices=devices or self.devices,
            disable_p2p=without_p2p or self.disable_p2p,
        )

    def needs(self) -> Choices:
        """What the model cannot do without, and nothing else."""
        return Choices(
            chat_template=self.chat_template,
            tokenizer=self.tokenizer,
            disable_p2p=self.disable_p2p,
        )

    @property
    def is_automatic(self) -> bool:
        """Whether nothing is set by hand."""
        return self == self.needs()


AUTOMATIC: Final = Choices()


def _within(value: float | None, low: float, high: float) -> bool:
    return value is None or low <= value <= high
