"""Each way a set-up fails is told in plain words, with the line that cures it."""

from __future__ import annotations

from pathlib import Path

import pytest
from setup.failures import SetupError, explain

NETWORK = "gave no answer"

PIP_SAYS = [
    ("OSError: [Errno 28] No space left on device", "disk is full", "Free some space"),
    (
        "WARNING: Retrying after connection broken by 'NewConnectionError(Failed to establish a "
        "new connection: [Errno -3] Temporary failure in name resolution)': /simple/six/\n"
        "ERROR: Could not find a version that satisfies the requirement six==1 (from versions: "
        "none)\nERROR: No matching distribution found for six==1",
        NETWORK,
        "Connect to the internet",
    ),
    ("ReadTimeoutError: Read timed out.", NETWORK, "goes on where it stopped"),
    ("ConnectionResetError(104, 'Connection reset by peer')", NETWORK, "internet"),
    ("SSLError(SSLCertVerificationError: CERTIFICATE_VERIFY_FAILED)", "certificate", "PIP_CERT="),
    ("ProxyError('Cannot connect to proxy.')", "proxy", "https_proxy="),
    ("ERROR: No matching distribution found for torch==9", "no build", "INGLENOOK_PYTHON="),
    ("ERROR: Could not install: [Errno 13] Permission denied: 'x'", "cannot be written", "chown"),
    ("zipfile.BadZipFile: File is not a zip file", "damaged", "cache purge"),
    ("[Errno 12] Cannot allocate memory", "memory", "Close other programs"),
]


@pytest.mark.parametrize(("output", "cause", "cure"), PIP_SAYS)
def test_the_cause_is_recognised(output: str, cause: str, cure: str) -> None:
    error = explain(f"Collecting six\n{output}\n", "The engine", Path("/tmp/setup.log"))
    assert cause in error.cause
    assert error.cause.startswith("The engine")
    assert cure in error.cure
    assert "/tmp/setup.log" in error.text()
    assert error.exit_code != 0


def test_an_unknown_cause_is_told_by_the_last_line() -> None:
    error = explain("first\nsomething odd\n\n", "The engine")
    assert error.cause == "The engine failed: something odd"
    assert "./packaging/run" in error.cure


def test_text_without_cure_or_log() -> None:
    assert SetupError("Only this.").text() == "Only this."
