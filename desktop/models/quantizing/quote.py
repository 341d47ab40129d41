"""What quantising a model would take, before it is begun: read on a thread, from heads of files."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from engine.quantize import folders, preflight
from engine.quantize.samples import SHIPPED
from engine.quantize.wire import Job, QuantizeError, Refused
from engine.store.folders import models_folder

BYTES_PER_TOKEN = 4  # of ordinary text; the window has no tokenizer


@dataclass(frozen=True, slots=True)
class Quote:
    """What `job` would take.

    Attributes:
        job: as asked, with the target filled in.
        groups: the sizes that fit the model. group_size: the one that would be used.
        refused: why it cannot be begun; None where it can.
        installed: whether the quantiser is there.
    """

    job: Job
    installed: bool
    groups: tuple[int, ...] = ()
    group_size: int = 0
    cost: preflight.Cost | None = None
    refused: Refused | None = None


def quote(job: Job) -> Quote:
    """Look at the model, the text and the disk. Blocks for some ms: not for the window's thread."""
    installed = find_spec("awq") is not None
    model = Path(job.model)
    if not job.target:
        target = folders.default_target(models_folder(), model, job.group_size)
        job = Job(
            model=job.model,
            target=str(target),
            group_size=job.group_size,
            calibration=job.calibration,
            device=job.device,
        )
    result = Quote(job, installed)
    try:
        facts = preflight.read_facts(model)
        result = Quote(job, installed, facts.groups())
        group_size = preflight.choose_group(facts, job.group_size)
        text = Path(job.calibration) if job.calibration else SHIPPED
        tokens = _size(text) // BYTES_PER_TOKEN
        target = Path(job.target)
        cost = preflight.cost(facts, group_size, tokens, target, job.device or "cpu")
        result = Quote(job, installed, facts.groups(), group_size, cost)
        folders.check_target(target)
        preflight.check_cost(cost, facts, target)
    except (OSError, QuantizeError) as error:
        if isinstance(error, OSError):
            error = folders.disk_error(error, Path(job.target))
        return Quote(
            result.job,
            installed,
            result.groups,
            result.group_size,
            result.cost,
            error.refused,
        )
    return result


def _size(text: Path) -> int:
    try:
        if text.is_dir():
            return sum(path.stat().st_size for path in text.iterdir() if path.is_file())
        return text.stat().st_size
    except OSError as error:
        raise QuantizeError(
            "calibration_unreadable",
            f"The calibration text {text} cannot be read: {error.strerror or error}.",
        ) from error
