"""What a check would measure, before anything is built, launched or written."""

from collections.abc import Iterator
from pathlib import Path

from ictus.engine.campaign import MeasurementRequest
from ictus.engine.preview import preview_lines, preview_of
from ictus.guidelines.check.analysis import rules_of
from ictus.guidelines.check.plans import measured_plan
from ictus.guidelines.check.request import CheckRequest


def check_preview(request: CheckRequest, launcher: str, scenario: Path | None) -> Iterator[str]:
    """The guidelines, then both sides of each. What only a library can answer stays open. Raises UsageError."""
    record = request.record
    rules = request.rules if record is None else rules_of(record)
    plan = measured_plan(request.plan, rules) if record is None else request.plan
    names = ", ".join(dict.fromkeys(rule.name for rule in rules))
    number = "1 guideline" if len(rules) == 1 else f"{len(rules)} guidelines"
    yield f"{number}: {names}"
    yield from preview_lines(preview_of(MeasurementRequest(request.folder, plan, launcher, scenario)))
    if record is None:
        yield "The libraries are asked first: guidelines that they cannot answer are left out."
    yield "Violations that the medians predict are measured on top (--no-confirm leaves them out)."
