"""What can go wrong between the hub and this computer: one error, with a code for programs."""

from __future__ import annotations

from typing import Final

CODES: Final = (
    "offline",  # the user's own switch
    "unreachable",
    "timeout",
    "sign_in",  # 401: `url` is where a token is made, or the licence page of a gated model
    "gated",  # 403: `url` is the licence page
    "gated_pending",  # 403: asked for already, the authors have not answered
    "not_found",
    "no_config",
    "no_weights",
    "too_many_requests",  # with `retry_after`
    "hub_broken",
    "not_a_model",
    "too_large",
    "bad_id",
    "bad_answer",  # hostile or senseless: names, hashes, sizes, redirects
    "proxy",
    "certificate",
    "disk_full",
    "hash_mismatch",
    "changed",  # in mid-download: ETag or commit
    "stalled",
    "cancelled",
    "bad_request",  # what the process was told is no request
    "failed",  # a fault of this program
)
# After these the same request may go well by itself.
PASSING: Final = frozenset(
    {"unreachable", "timeout", "too_many_requests", "hub_broken", "stalled", "changed"}
)


class HubError(Exception):
    """It could not be had from the hub; the text says why and what to do, in plain words.

    Attributes:
        code: one of `CODES`.
        text: for people.
        url: a page that helps; "" for none.
        retry_after: seconds after which the hub wants to be asked again; None: it did not say.
    """

    def __init__(
        self, code: str, text: str, *, url: str = "", retry_after: float | None = None
    ) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.url = url
        self.retry_after = retry_after

    @property
    def is_passing(self) -> bool:
        """Whether it makes sense to try the same again later."""
        return self.code in PASSING
