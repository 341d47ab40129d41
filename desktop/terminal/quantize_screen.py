"""What `quantize` says on the terminal while it works, and in the end."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final, TextIO

import msgspec

from desktop.terminal.live_line import LiveLine, duration
from engine.planner.wording import gib
from engine.quantize.wire import AnyEvent, Finished, Planned, Progress, Refused, Report, Step

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
        self._now = now
        self._line = LiveLine(self._err, shown=not as_json, now=now)

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
        self._line.close()

    def tick(self) -> None:
        """Nothing has come for a while: say now and then that it goes on."""
        self._line.tick()

    def stopped(self, left_behind: str) -> None:
        """Say that the user has stopped it. `left_behind`: a folder that could not be removed."""
        self.close()
        if left_behind:
            text = f"Stopped. What was written could not be removed: {left_behind}"
        else:
            text = "Stopped. Nothing is left behind."
        print(f"inglenook: {text}", file=self._err, flush=True)

    def _progress(self, progress: Progress) -> None:
        heard = self._now()

        def text() -> str:
            left = progress.left
            if left is not None:  # as of the last that was heard
                left = max(0.0, left - (self._now() - heard))
            return progress_text(msgspec.structs.replace(progress, left=left))

        self._line.show(text, progress.step)


def planned_text(planned: Planned) -> str:
    """What the job will take."""
    takes = f"{gib(planned.disk)} of disk and {gib(planned.memory)} of memory"
    if planned.seconds:
        takes = f"{duration(planned.seconds)}, {takes}"
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
        parts.append(f"{duration(progress.left)} left")
    return " · ".join(parts)


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
            f"({saved:.0%} less), made in {duration(report.seconds)}",
        ]
    )
