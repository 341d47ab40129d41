"""What can go wrong in a set-up, in the user's words, with the one line that cures it."""

import re
from dataclasses import dataclass
from pathlib import Path


class SetupError(Exception):
    """The set-up cannot go on.

    Attributes:
        cause: what is wrong, one or two sentences.
        cure: the line to type, or what to do; empty when only the log can tell.
        log: the file with the whole output of the tool that failed, if one did.
        exit_code: what the set-up exits with.
    """

    def __init__(
        self, cause: str, cure: str = "", *, log: Path | None = None, exit_code: int = 1
    ) -> None:
        super().__init__(cause)
        self.cause = cause
        self.cure = cure
        self.log = log
        self.exit_code = exit_code

    def text(self) -> str:
        """Cause, cure and log, each on a line."""
        lines = [self.cause]
        if self.cure:
            lines.append(f"  {self.cure}")
        if self.log is not None:
            lines.append(f"The whole output is in {self.log}")
        return "\n".join(lines)


AGAIN = "./packaging/run   (goes on where it stopped)"


@dataclass(frozen=True, slots=True)
class _Known:
    pattern: re.Pattern[str]
    cause: str
    cure: str


def _known(pattern: str, cause: str, cure: str) -> _Known:
    return _Known(re.compile(pattern, re.IGNORECASE), cause, cure)


# The first that matches is told, so the root causes come before what follows from them: pip
# ends a failed download with "No matching distribution".
_KNOWN = (
    _known(
        r"No space left on device|Errno 28\b|Disk quota exceeded",
        "The disk is full.",
        f"Free some space (df -h .), then: {AGAIN}",
    ),
    _known(
        r"CERTIFICATE_VERIFY_FAILED|SSLError|SSL: ",
        "The package index's certificate is not trusted here, as behind a company's proxy.",
        "PIP_CERT=/path/to/the/proxys/certificate.pem ./packaging/run",
    ),
    _known(
        r"ProxyError|407 Proxy Authentication|Tunnel connection failed",
        "The network's proxy refused the download.",
        "https_proxy=http://user:password@proxy:port ./packaging/run",
    ),
    _known(
        r"Temporary failure in name resolution|Name or service not known|NameResolutionError"
        r"|Failed to establish a new connection|Network is unreachable|No route to host"
        r"|ConnectTimeoutError|ConnectionResetError|Connection refused|Read timed out"
        r"|ReadTimeoutError|IncompleteRead|Connection broken|RemoteDisconnected",
        "The network gave no answer, or broke off.",
        f"Connect to the internet, then: {AGAIN}",
    ),
    _known(
        r"THESE PACKAGES DO NOT MATCH THE HASHES|hash mismatch|BadZipFile|invalid wheel",
        "A package arrived damaged.",
        ".venv/bin/python -m pip cache purge; ./packaging/run",
    ),
    _known(
        r"Permission denied|Errno 13\b|Read-only file system|Errno 30\b",
        "A folder of the set-up cannot be written.",
        'sudo chown -R "$USER" .venv ~/.cache/pip; ./packaging/run',
    ),
    _known(
        r"Could not find a version|No matching distribution",
        "The package index has no build of a package for this machine. Ready-made builds are for "
        "Linux with glibc 2.34 or newer (Debian 12, Ubuntu 22.04, Fedora 35) on x86-64.",
        "INGLENOOK_PYTHON=python3.12 ./packaging/run   (or a newer system)",
    ),
    _known(
        r"Killed|MemoryError|Cannot allocate memory|Errno 12\b",
        "The machine ran out of memory.",
        f"Close other programs, then: {AGAIN}",
    ),
)


def explain(output: str, what: str, log: Path | None = None) -> SetupError:
    """The failure of `what`, recognised by the text `output` that its tool printed."""
    for known in _KNOWN:
        if known.pattern.search(output):
            return SetupError(f"{what}: {known.cause}", known.cure, log=log)
    last = next((line for line in reversed(output.splitlines()) if line.strip()), "no output")
    return SetupError(f"{what} failed: {last.strip()}", f"Then again: {AGAIN}", log=log)
