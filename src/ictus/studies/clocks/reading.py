"""Reads a study of clocks from clocks.json, and from its folder.

A computed error is preferred to one measured by ping-pong.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import nan
from pathlib import Path
from statistics import fmean
from typing import Any

from ictus.studies.clocks.document import (
    AccuracyAnswer,
    ClocksDocument,
    DriftAnswer,
    ErrorMatrices,
    FrequencyAnswer,
    OffsetSeries,
    StudyAlgorithm,
    StudyAnswer,
    Synchronisation,
)
from ictus.studies.clocks.record import (
    Accuracy,
    Calibration,
    ClocksStudy,
    Drift,
    DriftSeries,
    Frequency,
    StudySetting,
    SynchronisationRun,
    SynchronisationStep,
    Window,
)


def parse_study(values: Mapping[str, Any], source: str) -> ClocksStudy:
    """The study of a clocks.json, `source` naming the file in the MeasurementError of one that is not as documented."""
    return study_of(ClocksDocument.parse(values, source))


def study_of(document: ClocksDocument) -> ClocksStudy:
    """The results of a document's launches, by kind."""
    launches = document.launches
    return ClocksStudy(
        kind=document.study,
        accuracy=_merged([_accuracy(one) for one in launches if isinstance(one, AccuracyAnswer)]),
        drift=tuple(_drift(one) for one in launches if isinstance(one, DriftAnswer)),
        frequency=tuple(_frequency(one) for one in launches if isinstance(one, FrequencyAnswer)),
        document=document,
    )


def setting_of(answer: StudyAnswer) -> StudySetting:
    """Under what a launch of any study was measured."""
    # All simulated ranks run on the simulator's own host: theirs have numbers only.
    named = {} if answer.simulated else {one.rank: one for one in answer.ranks or ()}
    places = answer.places.host[: answer.n_ranks]
    nodes = {(host, named[rank].node if rank in named else "") for rank, host in enumerate(places)}
    library = None if answer.launcher is None else answer.launcher.library
    contention = answer.contention
    return StudySetting(
        n_ranks=answer.n_ranks,
        hosts=tuple(named[rank].host if rank in named else f"host{host}" for rank, host in enumerate(places)),
        n_hosts=len(set(places)),
        n_nodes=len(nodes),
        clock=answer.clock.spec,
        frequency_source=answer.clock.frequency_source,
        simulated=answer.simulated,
        library=(answer.mpi.library_version.splitlines() or ["unknown"])[0],
        label="" if library is None else library.label,
        seed=answer.seed,
        warnings=answer.warnings,
        disturbed_share=contention.share if contention is not None and contention.contended else None,
    )


def _accuracy(answer: AccuracyAnswer) -> Accuracy:
    setting = setting_of(answer)
    # Measured in shuffled order; shown in the order asked for.
    in_order = sorted(answer.synchronisations, key=lambda one: (one.repeat, one.algorithm))
    return Accuracy(
        setting=setting,
        truth=answer.truth,
        barrier_s=None if answer.barrier is None else answer.barrier.mean_s,
        waits_s=answer.waits_s,
        runs=tuple(_run(one, answer.algorithms[one.algorithm], answer.waits_s, setting) for one in in_order),
    )


def _merged(launches: Sequence[Accuracy]) -> tuple[Accuracy, ...]:
    """Launches that differ only in the algorithms that they judge become one: repeats of an algorithm are numbered
    through.
    """
    groups: dict[tuple[int, str, str], list[Accuracy]] = {}
    for one in launches:
        groups.setdefault((one.setting.n_ranks, one.setting.clock, one.truth), []).append(one)
    merged = []
    for group in groups.values():
        seen: Counter[str] = Counter()
        runs = []
        for run in (run for one in group for run in one.runs):
            runs.append(replace(run, repeat=seen[run.algorithm]))
            seen[run.algorithm] += 1
        barriers = [one.barrier_s for one in group if one.barrier_s is not None]
        warnings = tuple(dict.fromkeys(text for one in group for text in one.setting.warnings))
        disturbed = max(one.setting.disturbed_share or 0.0 for one in group) or None
        merged.append(
            replace(
                group[0],
                setting=replace(group[0].setting, warnings=warnings, disturbed_share=disturbed),
                barrier_s=fmean(barriers) if barriers else None,
                waits_s=tuple(sorted({wait for one in group for wait in one.waits_s})),
                runs=tuple(runs),
            )
        )
    return tuple(merged)


def _run(
    one: Synchronisation, algorithm: StudyAlgorithm, waits: Sequence[float], setting: StudySetting
) -> SynchronisationRun:
    found = one.known or one.ping_pong
    return SynchronisationRun(
        algorithm=algorithm.spec,
        name=algorithm.name,
        repeat=one.repeat,
        n_ranks=setting.n_ranks,
        elapsed_s=one.elapsed_s,
        messages=one.messages,
        steps=tuple(_steps(found, waits)) if found else (),
        synchronises=algorithm.synchronises,
    )


def _steps(found: ErrorMatrices, waits: Sequence[float]) -> Iterator[SynchronisationStep]:
    """The matrices of one check, turned: a step for each wait at which a rank was checked, with these ranks."""
    for place, wait in enumerate(waits):
        error, bound = found.error_s[place], found.bound_s
        checked = [rank for rank, value in enumerate(error) if rank and value is not None]
        if not checked:
            continue
        bounds = (None if bound is None else bound[place]) or [None] * len(error)
        doubts = [0.0] * len(error) if found.half_width_s is None else found.half_width_s[place]
        waited = [wait] * len(error) if found.waited_s is None else found.waited_s[place]
        yield SynchronisationStep(
            wait_s=wait,
            ranks=tuple(checked),
            error_s=tuple(_given(error[rank]) for rank in checked),
            bound_s=tuple(bounds[rank] for rank in checked),
            doubt_s=tuple(_given(doubts[rank]) for rank in checked),
            waited_s=max((_given(waited[rank]) for rank in checked), default=wait),
        )


def _given(value: float | None) -> float:
    """The values of the checked ranks; NaN where the file leaves one out."""
    return nan if value is None else value


def _drift(answer: DriftAnswer) -> Drift:
    setting = setting_of(answer)
    windows: dict[int, list[Window]] = {}
    for one in answer.fits:
        windows.setdefault(one.rank, []).append(Window(one.window_s, one.slope, one.slope_error, one.residual_max_s))
    return Drift(
        setting=setting,
        interval_s=answer.interval_s,
        duration_s=answer.duration_s,
        offset=answer.offset,
        series=tuple(_series(one, setting, tuple(windows.get(one.rank, ()))) for one in answer.series),
    )


def _series(one: OffsetSeries, setting: StudySetting, windows: tuple[Window, ...]) -> DriftSeries:
    return DriftSeries(
        rank=one.rank,
        host=setting.hosts[one.rank],
        first_offset_s=one.first_offset_s,
        at_s=one.at_s,
        offset_s=one.offset_s,
        bound_s=one.bound_s or (None,) * len(one.at_s),
        windows=windows,
    )


def _frequency(answer: FrequencyAnswer) -> Frequency:
    return Frequency(
        setting=setting_of(answer),
        stated_hz=answer.stated_hz,
        stated_source=answer.stated_source,
        model_name_hz=answer.model_name_hz,
        calibrations=tuple(
            Calibration(one.source, one.duration_s, one.elapsed_s, one.hz) for one in answer.calibrations
        ),
    )


def load_clocks(path: Path | str) -> ClocksStudy:
    """A study of clocks that `ictus clocks` kept in a folder, or a clocks.json itself.

    Raises UsageError for a format of a later version, MeasurementError where it is missing or damaged.
    """
    place = Path(path)
    return study_of(ClocksDocument.read(place / ClocksDocument.FILE if place.is_dir() else place))
