"""Studies of clocks: what the core measures for them, kept in clocks.json."""

import shlex
from collections.abc import Callable
from functools import partial
from typing import Any

from ictus.model.errors import UsageError
from ictus.model.quantity import format_duration
from ictus.render.page import Fact
from ictus.studies.clocks.document import ClocksDocument
from ictus.studies.clocks.reading import study_of
from ictus.studies.clocks.record import ClocksStudy
from ictus.studies.core_material import CoreMaterial, PlannedLaunches


def clocks_material(kind: str, launches: Callable[..., PlannedLaunches], **more: Any) -> CoreMaterial[ClocksStudy]:
    """A study `kind` of clocks: `accuracy`, `pareto`, `drift` or `frequency`."""
    return CoreMaterial(
        document=ClocksDocument, study=kind, record_of=partial(_of_kind, kind=kind), launches=launches, **more
    )


def _of_kind(document: ClocksDocument, kind: str) -> ClocksStudy:
    study = study_of(document)
    if not getattr(study, "accuracy" if kind == "pareto" else kind):
        shows = shlex.join(["ictus", "clocks", study.kind])
        raise UsageError(f"the folder holds a study of {study.kind}: `{shows} FOLDER` shows it")
    return study


def error_facts(study: ClocksStudy) -> list[Fact]:
    """How errors were found, and the baseline, for pages."""
    truth = "computed" if all(one.truth == "known" for one in study.accuracy) else "ping-pong"
    barriers = [one.barrier_s for one in study.accuracy if one.barrier_s is not None]
    baseline = [Fact("mean MPI_Barrier", ", ".join(map(format_duration, barriers)))] if barriers else []
    return [Fact("errors", truth), *baseline]
