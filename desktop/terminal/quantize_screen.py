"""What `quantize` says on the terminal while it works, and in the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final, TextIO

import msgspec

from engine.quantize.wire import AnyEvent, Finished, Planned, Progress, Refused, Report, Step

# Without a terminal there is a line at least every 30 s: of a log nobody sees that it goes on.
TICK: Final = 5.0  # s between two looks
QUIET: Final = 25.0  # s without a line, after which there is one
_STEPS: Final = {
    Step.CHECKING: "Checking",
    Step.LOADING: "Loading the model",
    Step.ORIGINAL: "Measuring the original",
    Step.ROUNDING: "Measuring plain rounding",
    Step.LAYERS: "Quantising",
    Step.WRITING: "Writing",
    Step.VERIFYING: "Verifying what was written",
    Step.FINISHING: "Finishing",
}
_ERASE: Final = "\r\x1b[K"


class Screen:
    """Shows events: for people on stderr and stdout, or as they come."""

    def __init__(
        self,
        *,
        as_json: bool,
        out: TextIO | None = None,
        err: TextIO | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._json = as_json
        self._out = out or sys.stdout
        self._err = err or sys.stderr
        self._live = self._err.isatty() and not as_json
        self._now = now
        self._last: Progress | None = None
        self._heard = self._said = self._start = now()

    def warn(self, text: str) -> None:
        """Say something by the way."""
        print(f"inglenook: {text}", file=self._err, flush=True)

    def show(self, event: AnyEvent, line: bytes) -> None:
        """Show an event; `line` is how it came."""
        if self._json:
            self._out.write(line.decode())
            self._out.flush()
            return
        match event:
            case Progress():
                self._progress(event)
            case Planned():
                print(planned_text(event), file=self._err, flush=True)
            case Finished():
                self.close()
                print(report_text(event.report), file=self._out)
                print(f"The model lies in {event.folder}", file=self._out, flush=True)
            case Refused():
                self.close()
                if event.report is not None:
                    print(report_text(event.report), file=self._out, flush=True)
                print("\n  ".join([f"inglenook: {event.text}", *event.details]), file=self._err)

    def close(self) -> None:
        """End the live line."""
        if self._live:
            self._err.write(_ERASE)
            self._err.flush()

    def tick(self) -> None:
        """Nothing has come for a while: say now and then that it goes on."""
        if not self._json and not self._live and self._now() - self._said >= QUIET:
            self._say()

    def stopped(self, left_behind: str) -> None:
        """Say that the user has stopped it. `left_behind`: a folder that could not be removed."""
        self.close()
        if left_behind:
            text = f"Stopped. What was written could not be removed: {left_behind}"
        else:
            text = "Stopped. Nothing is left behind."
        print(f"inglenook: {text}", file=self._err, flush=True)

    def _progress(self, progress: Progress) -> None:
        before, self._last = self._last, progress
        self._heard = self._now()
        if self._live:
            self._err.write(_ERASE + progress_text(progress))
            self._err.flush()
        elif before is None or progress.step is not before.step:
            self._say()
        else:
            self.tick()

    def _say(self) -> None:
        """How far it is, on a line of its own."""
        self._said = self._now()
        parts = ["Starting"]
        if self._last is not None:
            left = self._last.left
            if left is not None:  # as of the last that was heard
                left = max(0.0, left - (self._said - self._heard))
            parts = [progress_text(msgspec.structs.replace(self._last, left=left))]
        if self._said - self._start >= 1:
            parts.append(f"{_duration(self._said - self._start)} so far")
        print(" · ".join(parts), file=self._err, flush=True)


def planned_text(planned: Planned) -> str:
    """What the job will take."""
    takes = f"{planned.disk / 1e6:,.0f} MB of disk and {planned.memory / 1e9:.1f} GB of memory"
    if planned.seconds:
        takes = f"{_duration(planned.seconds)}, {takes}"
    return (
        f"Group size {planned.group_size}, {planned.layers} layers, {planned.samples} samples with "
        f"{planned.tokens:,} tokens, on {planned.device.upper()}; about {takes}"
    )


def progress_text(progress: Progress) -> str:
    """How far it is, on a line."""
    words = _STEPS[progress.step]
    if progress.step is Step.LAYERS and progress.total:
        words = f"{words}, layer {progress.done + 1} of {progress.total}"
    parts = [words, f"{progress.share:.0%}"]
    if progress.left is not None:
        parts.append(f"{_duration(progress.left)} left")
    return " · ".join(parts)


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def report_text(report: Report) -> str:
    """What the verification found, as a table."""
    saved = 1 - report.awq_bytes / report.original_bytes
    return "\n".join(
        [
            f"on {report.tokens:,} tokens held out   perplexity   agrees with the original",
            f"  original                  {report.original:10.2f}",
            f"  AWQ, groups of {report.group_size:<3}        {report.awq:10.2f}   "
            f"{report.awq_agreement:8.1%}",
            f"  plain rounding            {report.rounding:10.2f}   "
            f"{report.rounding_agreement:8.1%}",
            f"{report.awq_bytes / 1e6:,.0f} MB for {report.original_bytes / 1e6:,.0f} MB "
            f"({saved:.0%} less), made in {_duration(report.seconds)}",
        ]
    )
