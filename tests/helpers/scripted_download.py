"""A download's process that does what its repository's name says: `python -m tests.helpers.…`.

It speaks the real messages and fetches nothing. Names ("owner/NAME"), parts joined by "-":

    quick       is done at once
    slow        fetches a hundredth every 20 ms, and goes on where the last one stopped
    stays       fetches one half, then waits for a command
    waits       says that the hub is busy, and waits for a command
    refused     needs a token
    gone        the hub does not have it
    full        the disk is full; the second try goes well
    dies        is killed
    silent      ends without a word
    babbles     tells what is no event, then is done

What has come of a model is kept in `.NAME.json` beside the store, as the real one keeps its
journal; every command and job is added to `heard.jsonl` there.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from pathlib import Path

from engine.store.download.messages import (
    Cancel,
    Done,
    Event,
    Failed,
    Job,
    Phase,
    Progress,
    Started,
    Waiting,
    read_command,
    read_job,
    to_line,
)

TOTAL = 1_000_000_000
FILES = 3


class Scripted:
    """One download."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.folder = Path(job.store)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.name = job.repo.partition("/")[2]
        self.does = self.name.split("-")[0]
        self.journal = self.folder / f".{self.name}.json"
        try:
            self.have = int(json.loads(self.journal.read_text())["have"])
        except (OSError, ValueError):
            self.have = 0
        self.note(
            {
                "job": job.repo,
                "have": self.have,
                "limit": job.limit,
                "verify": job.verify_existing,
                "endpoint": os.environ.get("HF_ENDPOINT", ""),
                "pid": os.getpid(),
            }
        )

    def note(self, what: dict[str, object]) -> None:
        with (self.folder / "heard.jsonl").open("a") as file:
            file.write(json.dumps(what) + "\n")

    def keep(self) -> None:
        new = self.journal.with_suffix(".new")  # a kill leaves no half of it
        new.write_text(json.dumps({"have": self.have}))
        new.replace(self.journal)

    def command(self, seconds: float) -> bool:
        """Wait so long for a command; whether this is to end."""
        ready, _, _ = select.select([0], [], [], seconds)
        if not ready:
            return False
        data = os.read(0, 65536)
        for line in data.splitlines():
            command = read_command(line)
            self.note({"command": type(command).__name__, "limit": getattr(command, "limit", None)})
            if isinstance(command, Cancel):
                return True
        return not data

    def progress(self, phase: Phase = Phase.DOWNLOADING) -> None:
        tell(
            Progress(
                phase=phase,
                done=self.have,
                total=TOTAL,
                speed=50e6,
                seconds_left=(TOTAL - self.have) / 50e6,
                file="model-00001-of-00003.safetensors",
                files_done=self.have * FILES // TOTAL,
                files=FILES,
            )
        )

    def finish(self) -> int:
        target = self.folder / "hub" / self.job.repo.replace("/", "--")
        target.mkdir(parents=True, exist_ok=True)
        self.journal.unlink(missing_ok=True)
        tell(Done(folder=str(target), bytes_fetched=TOTAL, bytes_reused=0))
        return 0

    def run(self) -> int:
        tell(Progress(phase=Phase.RESOLVING))
        tried = self.folder / f".{self.name}.tried"
        match self.does:
            case "refused":
                text = "This model is for those who have accepted its terms. Sign in first."
                tell(Failed(code="sign_in", text=text, url="https://hub.example.org/x/y"))
                return 1
            case "gone":
                tell(Failed(code="not_found", text="The hub has no model of this name."))
                return 1
            case "full" if not tried.exists():
                tried.touch()
                tell(Failed(code="disk_full", text="The disk is full.", retry=True))
                return 1
            case "dies":
                os.kill(os.getpid(), signal.SIGKILL)
            case "silent":
                return 3
            case "babbles":
                os.write(1, b'{"event": "unheard of"}\nno json\n')
        start = Started(
            target=str(self.folder), total=TOTAL, have=self.have, files=FILES, commit="a" * 40
        )
        tell(start)
        match self.does:
            case "waits":
                tell(Waiting(code="too_many_requests", reason="The hub is busy.", seconds=40))
                while not self.command(60):
                    pass
                return 1
            case "stays":
                self.have = max(self.have, TOTAL // 2)
                self.keep()
                self.progress()
                while not self.command(60):
                    pass
                return 1
            case "slow":
                while self.have < TOTAL:
                    if self.command(0.02):
                        return 1
                    self.have += TOTAL // 100
                    self.keep()
                    self.progress()
        self.have = TOTAL
        self.progress(Phase.VERIFYING)
        return self.finish()


def tell(event: Event) -> None:
    os.write(1, to_line(event))


def main() -> int:
    line = b""
    while not line.endswith(b"\n"):  # nothing of the commands after it
        line += os.read(0, 1)
    return Scripted(read_job(line)).run()


if __name__ == "__main__":
    sys.exit(main())
