"""clocks.json, read as docs/file-format.md lays it down.

A file holds either what one launch of `ictus-bench clocks` wrote, or `launches`, a list of such objects, which is how
`ictus clocks` keeps a study. What is known of an error by computing is preferred to what a ping-pong says of it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any, TypeVar

from ictus.model.errors import MeasurementError
from ictus.store.document import read_document
from ictus.studies.clocks.record import (
    Accuracy,
    Calibration,
    Drift,
    DriftSeries,
    Frequency,
    Study,
    StudySetting,
    SynchronisationRun,
    SynchronisationStep,
    Window,
)

STUDIES = ("accuracy", "drift", "frequency")

T = TypeVar("T")


def parse_study(document: Mapping[str, Any], source: str) -> Study:
    """The study of a clocks.json, `source` naming the file in the MeasurementError of one that is not as documented."""
    launches = document.get("launches", [document])
    try:
        by_kind = {kind: [one for one in launches if one["study"] == kind] for kind in STUDIES}
        foreign = [one["study"] for one in launches if one["study"] not in STUDIES]
        if foreign:
            raise MeasurementError(f"{source}: study {foreign[0]!r} is none of {', '.join(STUDIES)}")
        return Study(
            kind=str(document.get("study", "unknown")),
            accuracy=_merged(_each(_accuracy, by_kind["accuracy"])),
            drift=_each(_drift, by_kind["drift"]),
            frequency=_each(_frequency, by_kind["frequency"]),
            document=document,
        )
    except KeyError as error:
        raise MeasurementError(f"{source}: key {error} is missing") from error
    except (TypeError, ValueError, IndexError) as error:
        raise MeasurementError(f"{source} is not as documented: {error}") from error


def setting_of(values: Mapping[str, Any]) -> StudySetting:
    """Under what a launch of any study was measured. Raises KeyError, TypeError, ValueError where it is not told."""
    n_ranks = int(values["n_ranks"])
    places = values["places"]["host"]
    # All simulated ranks run on the simulator's own host: theirs have numbers only.
    known = () if values["simulated"] else values.get("ranks") or ()
    named = {int(rank["rank"]): str(rank["host"]) for rank in known}
    contention = values.get("contention") or {}
    library = (values.get("launcher") or {}).get("library") or {}
    return StudySetting(
        n_ranks=n_ranks,
        hosts=tuple(named.get(rank, f"host{places[rank]}") for rank in range(n_ranks)),
        clock=str(values["clock"]["spec"]),
        frequency_source=str(values["clock"].get("frequency_source", "unknown")),
        simulated=bool(values["simulated"]),
        library=(str(values["mpi"].get("library_version", "unknown")).splitlines() or ["unknown"])[0],
        label=str(library.get("label", "")),
        seed=int(values["seed"]),
        warnings=tuple(map(str, values.get("warnings", ()))),
        disturbed_share=float(contention["share"]) if contention.get("contended") else None,
    )


def _accuracy(values: Mapping[str, Any]) -> Accuracy:
    setting = setting_of(values)
    waits = _numbers(values["waits_s"])
    barrier = (values.get("barrier") or {}).get("mean_s")
    # Measured in shuffled order; shown in the order asked for.
    asked = sorted(values["synchronisations"], key=lambda one: (one["repeat"], one["algorithm"]))
    return Accuracy(
        setting=setting,
        truth=str(values["truth"]),
        barrier_s=None if barrier is None else float(barrier),
        waits_s=waits,
        runs=tuple(_run(one, values["algorithms"], waits, setting) for one in asked),
    )


def _merged(launches: Sequence[Accuracy]) -> tuple[Accuracy, ...]:
    """Launches that differ in nothing but what they judged are one: the repeats of an algorithm are counted through."""
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
    values: Mapping[str, Any], algorithms: Sequence[Mapping[str, Any]], waits: Sequence[float], setting: StudySetting
) -> SynchronisationRun:
    algorithm = algorithms[values["algorithm"]]
    found = values["known"] or values["ping_pong"]
    return SynchronisationRun(
        algorithm=str(algorithm["spec"]),
        name=str(algorithm["name"]),
        repeat=int(values["repeat"]),
        n_ranks=setting.n_ranks,
        elapsed_s=float(values["elapsed_s"]),
        messages=int(values["messages"]),
        steps=tuple(_steps(found, waits)) if found else (),
        synchronises=bool(algorithm["synchronises"]),
    )


def _steps(found: Mapping[str, Any], waits: Sequence[float]) -> Iterator[SynchronisationStep]:
    """The matrices of one check, turned: a step for each wait at which a rank was checked, with these ranks."""
    for place, wait in enumerate(waits):
        error, bound = found["error_s"][place], found["bound_s"]
        checked = [rank for rank, value in enumerate(error) if rank and value is not None]
        if not checked:
            continue
        bounds: Sequence[Any] = [None] * len(error) if bound is None or bound[place] is None else bound[place]
        doubts = found["half_width_s"][place] if "half_width_s" in found else [0.0] * len(error)
        waited = found["waited_s"][place] if "waited_s" in found else [wait] * len(error)
        yield SynchronisationStep(
            wait_s=wait,
            ranks=tuple(checked),
            error_s=tuple(float(error[rank]) for rank in checked),
            bound_s=tuple(None if bounds[rank] is None else float(bounds[rank]) for rank in checked),
            doubt_s=tuple(float(doubts[rank]) for rank in checked),
            waited_s=max((float(waited[rank]) for rank in checked), default=wait),
        )


def _drift(values: Mapping[str, Any]) -> Drift:
    setting = setting_of(values)
    windows: dict[int, list[Window]] = {}
    for one in values["fits"]:
        lines = (_numbers(one[key]) for key in ("slope", "slope_error", "residual_max_s"))
        windows.setdefault(int(one["rank"]), []).append(Window(float(one["window_s"]), *lines))
    return Drift(
        setting=setting,
        interval_s=float(values["interval_s"]),
        duration_s=float(values["duration_s"]),
        offset=str(values["offset"]),
        series=tuple(_series(one, setting, tuple(windows.get(int(one["rank"]), ()))) for one in values["series"]),
    )


def _series(values: Mapping[str, Any], setting: StudySetting, windows: tuple[Window, ...]) -> DriftSeries:
    rank, at = int(values["rank"]), _numbers(values["at_s"])
    return DriftSeries(
        rank=rank,
        host=setting.hosts[rank],
        first_offset_s=float(values["first_offset_s"]),
        at_s=at,
        offset_s=_numbers(values["offset_s"]),
        bound_s=_maybe(values["bound_s"] or [None] * len(at)),
        windows=windows,
    )


def _frequency(values: Mapping[str, Any]) -> Frequency:
    return Frequency(
        setting=setting_of(values),
        stated_hz=_maybe(values["stated_hz"]),
        stated_source=tuple(None if one is None else str(one) for one in values["stated_source"]),
        model_name_hz=_maybe(values["model_name_hz"]),
        calibrations=tuple(
            Calibration(
                source=str(one["source"]),
                duration_s=float(one["duration_s"]),
                elapsed_s=float(one["elapsed_s"]),
                hz=tuple(_numbers(rank) for rank in one["hz"]),
            )
            for one in values["calibrations"]
        ),
    )


def _numbers(values: Sequence[Any]) -> tuple[float, ...]:
    """Numbers, null as NaN."""
    return tuple(float("nan") if value is None else float(value) for value in values)


def _maybe(values: Sequence[Any]) -> tuple[float | None, ...]:
    return tuple(None if value is None else float(value) for value in values)


def _each(make: Callable[[Mapping[str, Any]], T], values: Sequence[Mapping[str, Any]]) -> tuple[T, ...]:
    return tuple(make(one) for one in values)


def load_clocks(path: Path | str) -> Study:
    """A study of clocks that `ictus clocks` kept in a folder, or a clocks.json itself.

    Raises UsageError for a format of a later version, MeasurementError where it is missing or damaged.
    """
    place = Path(path)
    file = place / "clocks.json" if place.is_dir() else place
    return parse_study(read_document(file), str(file))
