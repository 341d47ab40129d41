"""What the hub's refusals mean: told apart, in plain words, with a page that helps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from engine.store.hub.errors import CODES, HubError
from engine.store.hub.plain_text import many_lines, one_line
from engine.store.hub.refusals import NoSuchFileError, refusal, retry_after

HUB = "https://hub.example.org"
PAGE = f"{HUB}/meta/llama"


def of(status: int, code: str = "", message: str = "", *, signed_in: bool = False) -> HubError:
    headers = {"x-ERROR-code": code, "X-Error-Message": message}
    url = f"{PAGE}/resolve/main/config.json"
    return refusal(status, headers, url, endpoint=HUB, signed_in=signed_in)


@pytest.mark.parametrize(
    ("status", "told", "message", "signed_in", "code", "url"),
    [
        (401, "GatedRepo", "Access is restricted", False, "sign_in", PAGE),
        (403, "GatedRepo", "you are not in the authorized list", True, "gated", PAGE),
        (403, "GatedRepo", "Your request is awaiting a review", True, "gated_pending", PAGE),
        (403, "", "", True, "gated", PAGE),
        (401, "RepoNotFound", "Invalid username or password.", False, "sign_in", ""),
        (401, "", "Invalid credentials in Authorization header", True, "sign_in", ""),
        (404, "RepoNotFound", "", True, "not_found", ""),
        (404, "RevisionNotFound", "", False, "not_found", ""),
        (404, "EntryNotFound", "", False, "not_found", ""),
        (403, "", "Access to this resource is disabled.", False, "gated", PAGE),
        (407, "", "", False, "proxy", ""),
        (416, "", "", False, "not_a_model", ""),
        (500, "", "", False, "hub_broken", ""),
        (503, "", "", False, "hub_broken", ""),
    ],
)
def test_they_are_told_apart(
    status: int, told: str, message: str, signed_in: bool, code: str, url: str
) -> None:
    error = of(status, told, message, signed_in=signed_in)
    assert (error.code, error.url) == (code, url)
    assert error.code in CODES
    assert error.text.endswith(".")


def test_each_has_its_own_words() -> None:
    texts = {
        of(401, "GatedRepo").text,
        of(403, "GatedRepo", signed_in=True).text,
        of(403, "GatedRepo", "awaiting", signed_in=True).text,
        of(403, "", signed_in=True).text,
        of(401, "RepoNotFound").text,
        of(401, "", "Invalid credentials in Authorization header", signed_in=True).text,
        of(404, "RepoNotFound").text,
        of(404, "RevisionNotFound").text,
        of(404, "EntryNotFound").text,
    }
    assert len(texts) == 9


def test_a_missing_file_is_no_missing_model() -> None:
    assert isinstance(of(404, "EntryNotFound"), NoSuchFileError)
    url = f"{PAGE}/resolve/main/model.safetensors.index.json"
    plain = refusal(404, {}, url, endpoint=HUB, signed_in=False)  # of a mirror
    assert isinstance(plain, NoSuchFileError)
    assert not isinstance(of(404), NoSuchFileError)


def test_a_mirror_below_a_path() -> None:
    url = "https://m.example/hf/meta/llama/resolve/main/x"
    error = refusal(403, {"X-Error-Code": "GatedRepo"}, url, endpoint="https://m.example/hf",
                    signed_in=True)  # fmt: skip
    assert error.url == "https://m.example/hf/meta/llama"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "86400"}, 86400),
        ({"retry-after": "0"}, 0),
        ({"Retry-After": "9" * 12}, 100 * 86400),
        ({"Retry-After": "9" * 40}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "٣"}, None),
        ({"RateLimit": '"api";r=0;t=55'}, 55),
        ({"RateLimit": '"api";r=3;t=55'}, None),
        ({}, None),
    ],
)
def test_when_to_ask_again(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds
    error = refusal(429, headers, HUB, endpoint=HUB, signed_in=False)
    assert (error.code, error.retry_after) == ("too_many_requests", seconds)
    assert error.is_passing


def test_a_date_to_ask_again() -> None:
    when = datetime.now(UTC) + timedelta(hours=2)
    seconds = retry_after({"Retry-After": when.strftime("%a, %d %b %Y %H:%M:%S GMT")})
    assert seconds is not None
    assert abs(seconds - 7200) < 5


def test_a_days_wait_is_said_in_hours() -> None:
    error = refusal(429, {"Retry-After": "86400"}, HUB, endpoint=HUB, signed_in=False)
    assert "24 hours" in error.text


def test_names_in_texts_are_harmless() -> None:
    url = f"{HUB}/a/\u202eb\x1b[2J/resolve/main/config.json"
    text = refusal(404, {}, url, endpoint=HUB, signed_in=False).text
    assert "\u202e" not in text
    assert "\x1b" not in text


def test_other_peoples_words() -> None:
    assert one_line("a\n\tb\u202ec\x00\x1b[31m", 40) == "a bc[31m"
    assert one_line("x" * 50, 10) == "x" * 9 + "…"
    assert one_line(["no text"], 10) == ""
    assert one_line("\ud800x", 10) == "x"
    assert one_line("नमस्ते 👩‍💻", 20) == "नमस्ते 👩‍💻"
    assert many_lines("a\r\nb\rc\x07\td\u2066") == "a\nb\nc\td"
