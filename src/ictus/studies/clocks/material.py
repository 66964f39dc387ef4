"""Studies of clocks: what the core measures for them, kept in clocks.json."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.model.errors import UsageError
from ictus.model.quantity import format_duration
from ictus.render.page import Fact
from ictus.studies.clocks.record import ClocksStudy
from ictus.studies.core_launches import PlannedLaunches
from ictus.studies.core_material import CoreMaterial


@dataclass(frozen=True, kw_only=True)
class ClocksMaterial(CoreMaterial[ClocksStudy]):
    """One of several studies that have the same document."""

    def read(self, folder: Path, **_: Any) -> ClocksStudy:
        """From the document. Raises UsageError where it holds another of these studies."""
        study = super().read(folder)
        if not getattr(study, "accuracy" if self.study == "pareto" else self.study):
            shows = shlex.join(["ictus", "clocks", study.study, str(folder)])
            raise UsageError(f"'{folder}' holds a study of {study.study}: `{shows}` shows it")
        return study


def clocks_material(kind: str, launches: Callable[..., PlannedLaunches], **declaration: Any) -> ClocksMaterial:
    """A study `kind` of clocks: `accuracy`, `pareto`, `drift` or `frequency`."""
    core = f"clocks {'accuracy' if kind == 'pareto' else kind}"
    return ClocksMaterial(document=ClocksStudy, study=kind, core=core, launches=launches, **declaration)


def error_facts(study: ClocksStudy) -> list[Fact]:
    """How errors were found, and the baseline, for pages."""
    truth = "computed" if all(launch.truth == "known" for launch in study.accuracy) else "ping-pong"
    barriers = [launches.barrier_s for launches in study.accuracy if launches.barrier_s is not None]
    baseline = [Fact("mean MPI_Barrier", ", ".join(map(format_duration, barriers)))] if barriers else []
    return [Fact("errors", truth), *baseline]
