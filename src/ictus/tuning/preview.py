"""What a tuning would do, before anything is built, launched or written."""

from collections.abc import Iterator
from pathlib import Path

from ictus.guidelines.check.analysis import check_of
from ictus.model.algorithm import DEFAULT
from ictus.model.quantity import format_size, format_span
from ictus.model.sample import SAMPLE
from ictus.tuning.candidates import cells_of
from ictus.tuning.study import TuneOptions, check_guidelines, requested_tuning
from ictus.tuning.tuning import as_default

_NAMED = 8
"""Calls that are named."""


def tune_preview(folder: Path, out: Path, options: TuneOptions) -> Iterator[str]:
    """The violated calls of the check, and what may be spent on them. Raises UsageError."""
    check_guidelines(folder, options.guidelines or ())
    check_result = as_default(check_of(folder))
    record = requested_tuning(folder, out, options, check_result.options.reduction)
    violated = [
        verdict for verdict in check_result.verdicts if not record.guidelines or verdict.rule.name in record.guidelines
    ]
    cells = {cell: verdicts for cell, verdicts in cells_of(violated).items() if cell.place.algorithm == DEFAULT}
    calls = "1 call violates" if len(cells) == 1 else f"{len(cells)} calls violate"
    yield f"{out}: {calls} guidelines{'' if cells else '; there is nothing to tune'}"
    for cell, verdicts in list(cells.items())[:_NAMED]:
        names = ", ".join(dict.fromkeys(verdict.rule.name for verdict in verdicts))
        where = f"{cell.place.library}, {cell.place.n} processes"
        yield f"  {cell.operation} {format_size(cell.size_bytes)}, {where}: {names}"
    if len(cells) > _NAMED:
        yield f"  and {len(cells) - _NAMED} more"
    if not cells:
        return
    if not options.race:
        yield "Launches: ping-pongs of each library; nothing races, and nothing is confirmed"
        return
    yield f"Launches: races of at most {record.limit} candidates of each call, the call itself included"
    yield f"Then {record.launches} fresh launches of each variant that won confirm it, and the check runs again"
    yield f"Time: at most {format_span(record.budget_s)} in launches (--time-budget); compiling comes on top"
    yield f"Disk: {record.nrep * SAMPLE.itemsize / 1e3:g} kB of each call in each launch"
