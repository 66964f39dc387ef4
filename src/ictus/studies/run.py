"""The one way to run a study from Python."""

import inspect
from dataclasses import fields
from pathlib import Path
from typing import Any

from ictus.engine.backend import World
from ictus.engine.event import Observer, log
from ictus.engine.measurement import PlanLike
from ictus.engine.study_options import StudyOptions
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.model.errors import UsageError
from ictus.model.unknown import unknown
from ictus.studies.registry import STUDIES

COMMON = tuple(field.name for field in fields(StudyOptions) if field.name != "output")


def study(
    name: str,
    plan: PlanLike = None,
    folder: Path | str | None = None,
    *,
    launcher: str | None = None,
    scenario: Path | str | None = None,
    observer: Observer = log,
    **options: Any,
) -> Any:
    """Measure a study, as its command does, and give back what was found.

    Args:
        name: the study, such as `clock_accuracy` or `nrep`; `ictus.STUDIES` has all, with their questions.
        plan: of a study that is a campaign: what is measured, where it is not as usual.
        folder: of such a study, and of `overlap`: where it is kept, and continued.
        launcher: how ranks are started: a name of `ictus list launcher`, of a campaign also `simulated`.
        scenario: for the launcher `simulated`: the file of the world to measure, JSON.
        observer: receives each event; by default it goes to the logger `ictus`.
        options: parameters of the study's `measure`; of one that is not a campaign also the fields of
            `ictus.StudyOptions`, such as `processes`, `platform`, `mpi`.

    Returns:
        What `measure` of the study returns: rows or a record.

    Raises:
        UsageError: there is no such study or option, or a value is wrong.
        MeasurementError: a library, a launch or the disk failed.
        StoppedByUser: Ctrl-C; the same call continues with what is kept.
    """
    entry = next((one for one in STUDIES if one.name == name), None)
    if entry is None:
        raise unknown(f"study '{name}'", name, [one.name for one in STUDIES])
    measure = entry.measure
    parameters = inspect.signature(measure).parameters
    is_campaign = "plan" in parameters
    own = [key for key, one in parameters.items() if one.kind is inspect.Parameter.KEYWORD_ONLY]
    known = [*own, *(() if is_campaign else COMMON)]
    for key in options:
        if key not in known:
            raise unknown(f"study '{name}': option '{key}'", key, known)
    place = None if folder is None else Path(folder)
    if is_campaign:
        world = World(launcher or Mpiexec.name, None if scenario is None else Path(scenario))
        return measure(plan, place, world, observer, **options)
    if plan is not None or scenario is not None:
        raise UsageError(f"study '{name}' is not a campaign: it takes no plan and no scenario")
    common = {key: value for key, value in options.items() if key in COMMON}
    common |= {} if launcher is None else {"launcher": launcher}
    rest = {key: value for key, value in options.items() if key not in COMMON}
    return measure(StudyOptions(**common, output=place), observer, **rest)
