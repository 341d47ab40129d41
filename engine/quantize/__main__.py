"""The quantising process: `python -m engine.quantize --parent PID`, a job on standard input.

Exit codes: 0 a model was made, 1 it came to nothing (the last line says why).
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Callable

import msgspec

from engine import lifetime
from engine.environment import MARK, engine_environment
from engine.quantize import refusal_words as say
from engine.quantize.wire import Event, Finished, Job, QuantizeError, Refused

_QUIET = {
    "TQDM_DISABLE": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "PYTHONWARNINGS": "ignore",  # autoawq announces its own end at each import
}


def main() -> int:
    """Read the job, do it, tell what came of it."""
    parser = argparse.ArgumentParser(prog="python -m engine.quantize", description=__doc__)
    parser.add_argument("--parent", type=int, default=0, metavar="PID")
    options = parser.parse_args()
    lifetime.detach(options.parent)
    if MARK not in os.environ:
        # As the engine: OpenMP reads its variables before Python runs.
        environment = {**engine_environment(dict(os.environ)), **_QUIET}
        arguments = [sys.executable, "-m", "engine.quantize", *sys.argv[1:]]
        os.execve(sys.executable, arguments, environment)
    lifetime.guard_group()
    # Whatever a library prints goes to the log: standard output is for events.
    events = os.dup(1)
    os.dup2(2, 1)

    def tell(event: Event) -> None:
        os.write(events, msgspec.json.encode(event) + b"\n")

    lifetime.end_process(_run(tell))


def _run(tell: Callable[[Event], None]) -> int:
    outcome: Finished | Refused
    try:
        job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
        if job.device == "cpu":
            os.environ["CUDA_VISIBLE_DEVICES"] = ""  # autoawq takes a GPU where it sees one
        from engine.quantize.work import run

        outcome = run(job, tell)
    except QuantizeError as error:
        outcome = error.refused
    except ModuleNotFoundError as error:
        outcome = _not_installed(error)
    except MemoryError:
        outcome = Refused(code="memory", text=say.OUT_OF_MEMORY)
    except Exception as error:
        traceback.print_exc()
        last = f"{type(error).__name__}: {error}".strip()[:300]
        outcome = Refused(code="failed", text=say.FAILED.format(reason=last))
    tell(outcome)
    return 1 if isinstance(outcome, Refused) else 0


def _not_installed(error: ModuleNotFoundError) -> Refused:
    if error.name == "awq":
        return Refused(code="not_installed", text=say.NOT_INSTALLED)
    text = say.PART_MISSING.format(name=error.name)
    return Refused(code="not_installed", text=text)


if __name__ == "__main__":
    sys.exit(main())
