"""What the quantising process is told, and what it tells: the standard library and msgspec only.

The job is one JSON object on standard input, which is then closed. Each event is a JSON object on
a line of standard output. Sizes in bytes, times in seconds.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

GROUP_SIZES = (128, 64, 32)  # the largest that divides is taken: fewer scales to keep and read
SAMPLE_TOKENS = range(32, 513)
SAMPLES = range(16, 513)
LEAST_AGREEMENT = 0.70  # of the most likely next tokens; below it the model is another one


class Step(StrEnum):
    """What is being done, in order."""

    CHECKING = "checking"
    LOADING = "loading"
    ORIGINAL = "original"  # the original's perplexity
    ROUNDING = "rounding"  # plain rounding's
    LAYERS = "layers"  # the quantising itself, layer by layer
    WRITING = "writing"
    VERIFYING = "verifying"  # what was written, read again
    FINISHING = "finishing"


class Job(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What to do.

    Attributes:
        model: folder of the original.
        target: folder to make; it must not be there, nor be empty.
        group_size: weights that share a scale; 0: the largest of `GROUP_SIZES` that divides.
        calibration: a text file (see `samples`), or a folder of them; "": the text that ships.
        device: "cpu" or "cuda"; "": CUDA where it is there.
    """

    model: str
    target: str
    group_size: int = 0
    calibration: str = ""
    device: str = ""


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Something the process tells."""


class Planned(Event, frozen=True, kw_only=True, tag="planned"):
    """The checks are passed; this is what it will take.

    Attributes:
        disk: of the quantised model. memory: at the peak. seconds: about; 0 where not known.
    """

    group_size: int
    layers: int
    samples: int
    tokens: int
    device: str
    disk: int
    memory: int
    seconds: float = 0.0


class Progress(Event, frozen=True, kw_only=True, tag="progress"):
    """How far it is.

    Attributes:
        done: of `total` layers or windows of text.
        share: of the whole work, 0 to 1.
        left: to the end; None: not known yet.
    """

    step: Step
    done: int = 0
    total: int = 0
    share: float = 0.0
    elapsed: float = 0.0
    left: float | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What the verification found, on text that the calibration did not hold.

    Perplexity is exp(mean negative log-likelihood of the next token); agreement the share of
    positions at which the most likely next token is the original's.
    """

    group_size: int
    tokens: int
    original: float
    awq: float
    rounding: float
    awq_agreement: float
    rounding_agreement: float
    original_bytes: int
    awq_bytes: int
    seconds: float

    @property
    def refusal(self) -> str:
        """Why this model is not to be offered; "" where it may be."""
        if not self.awq < self.rounding:  # NaN too
            return "worse_than_rounding"
        if not self.awq_agreement >= LEAST_AGREEMENT:
            return "agreement"
        return ""


class Finished(Event, frozen=True, kw_only=True, tag="finished"):
    """The model is made, verified, and lies in `folder`."""

    folder: str
    report: Report


class Refused(Event, frozen=True, kw_only=True, tag="refused"):
    """It came to nothing, and no folder is left.

    Attributes:
        code: for programs. text: for people. details: each fault by name.
        report: where the model was made and then judged not good enough.
    """

    code: str
    text: str
    details: tuple[str, ...] = ()
    report: Report | None = None


AnyEvent = Planned | Progress | Finished | Refused


class QuantizeError(Exception):
    """It cannot be done; `refused` says why, for people and for programs."""

    def __init__(self, code: str, text: str, details: tuple[str, ...] = ()) -> None:
        super().__init__(text)
        self.refused = Refused(code=code, text=text, details=details)


_decoder = msgspec.json.Decoder(AnyEvent)


def read_event(line: bytes) -> AnyEvent:
    """The event on a line.

    Raises:
        msgspec.DecodeError: it holds none.
    """
    return _decoder.decode(line)
