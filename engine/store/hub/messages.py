"""What the hub process is told, and what it tells: an object on each line, either way.

Each request has an `id` that its answers carry. `Judge` is answered by a `Verdict` for each model
as it is known, then `Judged`; all others by one message. What cannot be had is answered by
`Failed`. Texts from the hub (names, cards, licences) are without control characters and of
limited length, but they are somebody else's words: show them as plain text. Sizes in bytes,
lengths in tokens, times as ISO 8601.
"""

from __future__ import annotations

from typing import Final

import msgspec

from engine.planner.machine import Machine
from engine.planner.model_shape import ModelShape
from engine.store.hub.records import FileChoice, Listing, Variant

FORMATS: Final = ("awq", "fp8", "gptq", "w4a16", "bf16", "gguf")  # in the order of preference
SORTS: Final = ("fit", "downloads", "likes", "date", "trending")
MOST_LINE: Final = 4 * 1024 * 1024  # bytes of a request's line
MachineWire = Machine  # msgspec writes and reads the planner's own dataclasses


class Filters(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is looked for; what is empty does not matter. Models that chat or write text only.

    Attributes:
        formats: of `FORMATS`; empty: all of them. "bf16" stands for all that is not quantised.
        max_bytes: of the weights.
        min_context: that the model was made for.
        licences: as the hub names them ("apache-2.0", "mit", …).
        languages: ISO 639-1 ("de").
        fits_only: leave out what the machine cannot hold.
        author: one owner's only.
    """

    formats: tuple[str, ...] = ()
    max_bytes: int | None = None
    min_context: int | None = None
    licences: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    fits_only: bool = False
    author: str = ""


class Hit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One model that was found.

    Attributes:
        repo: "owner/name". commit: 40 hex digits; "" where it is not told.
        format: of `FORMATS`; "" where it cannot be told yet.
        size: of the weights; None: not known yet.
        parameters: None: not known.
        context: that the model was made for; None: not known yet.
        gated: "", "auto" or "manual".
        base_model: what it was made from; "" where it is not told.
        builds: quantised builds of this one, or of its base model, that are known.
        runnable: whether this engine can load it; else `why_not` says why not, in words.
    """

    repo: str
    commit: str = ""
    author: str = ""
    format: str = ""
    size: int | None = None
    parameters: int | None = None
    licence: str = ""
    context: int | None = None
    languages: tuple[str, ...] = ()
    downloads: int = 0
    likes: int = 0
    updated: str = ""
    gated: str = ""
    base_model: str = ""
    builds: int = 0
    architecture: str = ""
    runnable: bool = True
    why_not: str = ""


class Request(msgspec.Struct, frozen=True, kw_only=True, tag_field="ask", omit_defaults=True):
    """Something the process is asked."""

    id: int


class Search(Request, frozen=True, kw_only=True, tag="search"):
    """Look for models; answered by `Hits`.

    Attributes:
        text: any words; "" for all.
        sort: of `SORTS`. "fit" needs `machine`: the best that fits first.
        cursor: of the answer that this one is to go on from; "" for the beginning.
        limit: how many hits are wanted at most.
    """

    text: str = ""
    filters: Filters = Filters()
    sort: str = "downloads"
    machine: Machine | None = None
    cursor: str = ""
    limit: int = 30


class Judge(Request, frozen=True, kw_only=True, tag="judge"):
    """Would these models fit? Answered by a `Verdict` each, as they are known, then `Judged`.

    Those of the latest `Judge` are looked at first, in their order. What was asked of the hub
    once is kept on the disk, by commit.

    Attributes:
        learned_json: of the loads so far (`engine.planner.learned`); "" for nothing.
    """

    repos: tuple[str, ...]
    machine: Machine
    learned_json: str = ""


class Builds(Request, frozen=True, kw_only=True, tag="builds"):
    """Quantised builds of a base model, the most used first; answered by `Hits`."""

    base_repo: str
    machine: Machine | None = None


class Page(Request, frozen=True, kw_only=True, tag="page"):
    """All there is to say about one model; answered by `ModelPage`.

    Attributes:
        variant: what `choice` is to be of (`Variant.name`).
    """

    repo: str
    revision: str = "main"
    variant: str = ""


class SignIn(Request, frozen=True, kw_only=True, tag="sign_in"):
    """Check a token and keep it where huggingface_hub keeps it; answered by `Account`."""

    token: str

    def __repr__(self) -> str:  # the token is in no log and in no traceback
        return f"SignIn(id={self.id})"


class SignOut(Request, frozen=True, kw_only=True, tag="sign_out"):
    """Forget the token; answered by `Account`."""


class WhoAmI(Request, frozen=True, kw_only=True, tag="who_am_i"):
    """Whose token is it; answered by `Account`."""


class Cancel(Request, frozen=True, kw_only=True, tag="cancel"):
    """End the request of this id at once. It is answered by `Failed` with code "cancelled"."""


AnyRequest = Search | Judge | Builds | Page | SignIn | SignOut | WhoAmI | Cancel


class Answer(msgspec.Struct, frozen=True, kw_only=True, tag_field="tell", omit_defaults=True):
    """Something the process tells; `id` is the request's."""

    id: int


class Hits(Answer, frozen=True, kw_only=True, tag="hits"):
    """A page of what was found.

    Attributes:
        cursor: for the next page, where there is `more`.
        left_out: models that were passed over because this engine cannot run them or the
            filters do not let them pass.
        note: what to know about the answer, in words ("" for nothing).
    """

    hits: tuple[Hit, ...] = ()
    cursor: str = ""
    more: bool = False
    left_out: int = 0
    note: str = ""


class Verdict(Answer, frozen=True, kw_only=True, tag="verdict"):
    """Whether a model fits the machine that was asked about.

    Attributes:
        fits: "yes" (on one device), "two" (on several GPUs together), "no", "unknown" (its
            shape cannot be had: `code` and `text` say why).
        context: the longest that fits, for one chat. chats: of `context` at once.
        short_by: what is missing where it does not fit; 0 where that is not the reason.
        needs: weights, overhead and the KV cache of `context`, on all devices together.
        devices: indexes of the GPUs; none: the processor.
        text: all of it in a few plain words.
        size: of the weights. context_max: that the model was made for.
        estimated: from config.json alone, not from the files' heads.
        code: of the error, for "unknown"; else "".
    """

    repo: str
    commit: str = ""
    fits: str = "unknown"
    context: int = 0
    chats: int = 0
    short_by: int = 0
    needs: int = 0
    devices: tuple[int, ...] = ()
    text: str = ""
    size: int | None = None
    context_max: int | None = None
    format: str = ""
    architecture: str = ""
    parameters: int | None = None
    estimated: bool = False
    runnable: bool = True
    code: str = ""


class Judged(Answer, frozen=True, kw_only=True, tag="judged"):
    """All verdicts of a `Judge` have been told."""


class ModelPage(Answer, frozen=True, kw_only=True, tag="page"):
    """All there is to say about one model.

    Attributes:
        card: Markdown without its front matter, capped; "" where there is none.
        card_cut: whether something is missing at its end.
        builds: quantised builds of it, or of its base model, the most used first.
        shape: for the planner; None where it cannot be had (`shape_problem` says why).
        variants: what can be downloaded of it. choice: what a download of the variant that was
            asked for, or of the first one, takes and leaves.
        url: its page on the hub, for a browser. licence_url: where its licence is read.
        problem: why this engine cannot load it, in words; "" where it can.
    """

    listing: Listing
    card: str = ""
    card_cut: bool = False
    licence: str = ""
    licence_url: str = ""
    tags: tuple[str, ...] = ()
    builds: tuple[Hit, ...] = ()
    shape: ModelShape | None = None
    shape_problem: str = ""
    variants: tuple[Variant, ...] = ()
    choice: FileChoice = FileChoice()
    url: str = ""
    problem: str = ""


class Account(Answer, frozen=True, kw_only=True, tag="account"):
    """Who is signed in.

    Attributes:
        name: "" for nobody.
        token_where: "" (none), "file" (where huggingface_hub keeps it, `token_path`) or
            "environment" (HF_TOKEN: signing out here does not end that).
    """

    name: str = ""
    token_where: str = ""
    token_path: str = ""


class Failed(Answer, frozen=True, kw_only=True, tag="failed"):
    """A request came to nothing; see `errors.HubError`. `id` is -1 for a line that is none."""

    code: str
    text: str
    url: str = ""
    retry_after: float | None = None


AnyAnswer = Hits | Verdict | Judged | ModelPage | Account | Failed

_requests: Final = msgspec.json.Decoder(AnyRequest)
_answers: Final = msgspec.json.Decoder(AnyAnswer)
_encoder: Final = msgspec.json.Encoder()


def to_line(message: Request | Answer) -> bytes:
    """A message as a line, its end included."""
    return _encoder.encode(message) + b"\n"


def read_request(line: bytes) -> AnyRequest:
    """The request on a line.

    Raises:
        msgspec.DecodeError: it holds none.
    """
    return _requests.decode(line)


def read_answer(line: bytes) -> AnyAnswer:
    """The answer on a line.

    Raises:
        msgspec.DecodeError: it holds none.
    """
    return _answers.decode(line)
