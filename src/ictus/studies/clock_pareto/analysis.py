"""The Pareto frontier of time against error: the settings that no other setting beats in both; and the grid of settings
with the time that each would take.

The grid is the papers': fit points by exchanges. An algorithm without fit points varies the exchanges only; one with
neither is a single point. One that spreads its points over a span of time by default has two variants: with the span,
and back to back as in the papers. The registries say which parameters an algorithm has.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.model.spec import Argument, Number, Spec, parse_spec
from ictus.model.unknown import unknown
from ictus.studies.clocks.errors import AlgorithmSummary
from ictus.studies.clocks.label import FAMILY, arguments, number_in


@dataclass(frozen=True)
class Point:
    """One algorithm in one setting: what it costs and what it gives, seconds; medians over repeats."""

    algorithm: str
    """The spec in full form."""
    n_ranks: int
    elapsed_s: float
    messages: float
    error_s: float
    """The largest absolute error over ranks at the chosen wait."""
    repeats: int
    on_frontier: bool = False
    over_budget: bool = False
    """Whether it took longer than predicted and than the budget."""


def points(summaries: Iterable[AlgorithmSummary], wait_s: float, budget_s: float | None = None) -> tuple[Point, ...]:
    """The points at that wait, ascending by time, marked where they are on the frontier and where they took longer than
    `budget_s`; numbers of ranks are kept apart.
    """
    weighed = [
        Point(
            summary.algorithm,
            summary.n_ranks,
            summary.elapsed_s,
            summary.messages,
            error.max_s,
            summary.repeats,
            over_budget=budget_s is not None and summary.elapsed_s > budget_s,
        )
        for summary in summaries
        if (error := summary.at(wait_s)) is not None
    ]
    marked: list[Point] = []
    for n_ranks in dict.fromkeys(point.n_ranks for point in weighed):
        of_size = [point for point in weighed if point.n_ranks == n_ranks]
        flags = frontier([(point.elapsed_s, point.error_s) for point in of_size])
        marked += [Point(**{**vars(point), "on_frontier": flag}) for point, flag in zip(of_size, flags, strict=True)]
    return tuple(sorted(marked, key=lambda point: (point.n_ranks, point.elapsed_s, point.error_s)))


def frontier(pairs: Sequence[tuple[float, float]]) -> tuple[bool, ...]:
    """For each (time, error) whether no other pair is at most equal in both and smaller in one. Equal pairs share it.

    Cost: one sort.
    """
    order = sorted(range(len(pairs)), key=lambda index: pairs[index])
    marks = [False] * len(pairs)
    best = float("inf")
    last: tuple[float, float] | None = None
    for index in order:
        if pairs[index][1] < best or pairs[index] == last:
            marks[index] = True
            best, last = pairs[index][1], pairs[index]
    return tuple(marks)


@dataclass(frozen=True)
class Grid:
    """Values that parameters take."""

    fitpoints: tuple[int, ...]
    exchanges: tuple[int, ...]


GRIDS: Mapping[str, Grid] = {
    "small": Grid((10, 100, 500), (10, 100)),
    "paper": Grid((10, 100, 200, 300, 500, 700, 1000), (10, 20, 50, 100)),
}


GRID_KEYS = ("fitpoints", "exchanges")
"""The parameters of a grid."""

BACK_TO_BACK: Mapping[str, Spec | Number] = {"span": Number("0", "s"), "slope_test": Spec("off")}
"""The papers' way to learn a drift: no pause between fit points, and every slope is believed."""


def grid_of(name: str) -> Grid:
    """The grid of that name; UsageError lists the known ones."""
    if name not in GRIDS:
        raise unknown(f"--grid '{name}'", name, GRIDS)
    return GRIDS[name]


@dataclass(frozen=True)
class GridSetting:
    """One point of the grid."""

    algorithm: str
    """As typed; the registries resolve it."""
    family: str
    """The algorithm or variant that it is a setting of."""
    size: int
    """What the time spent grows with: fit points times exchanges."""


def settings(registries: Registries, algorithms: Sequence[str], grid: Grid) -> tuple[GridSetting, ...]:
    """Every algorithm with every value of the grid that it has a parameter for, without repeats.

    Raises UsageError for an unknown algorithm.
    """
    made: dict[str, GridSetting] = {}
    for algorithm in algorithms:
        for spec in _variants(registries, parse_spec(algorithm)):
            keys = [key for key in GRID_KEYS if _takes(registries, spec, key)]
            for fitpoints in grid.fitpoints if "fitpoints" in keys else (1,):
                for exchanges in grid.exchanges if "exchanges" in keys else (1,):
                    values = {"fitpoints": Number(str(fitpoints)), "exchanges": Number(str(exchanges))}
                    laid = _with(spec, {key: values[key] for key in keys})
                    full = str(registries.check(FAMILY, laid))
                    made.setdefault(full, GridSetting(str(laid), str(spec), fitpoints * exchanges))
    return tuple(made.values())


def _variants(registries: Registries, spec: Spec) -> tuple[Spec, ...]:
    """The algorithm as typed; before it its variant back to back, where it spreads its points by default."""
    full = str(registries.check(FAMILY, spec))
    if not number_in(full, "span") or not _takes(registries, spec, "span"):
        return (spec,)
    tight = {key: value for key, value in BACK_TO_BACK.items() if _takes(registries, spec, key)}
    return (_with(spec, tight), spec)


def _takes(registries: Registries, spec: Spec, key: str) -> bool:
    """Whether the member, or exactly one of those nested in it, has this parameter and it is not already given."""
    if any(argument.key == key for argument in arguments(spec)):
        return False
    try:
        registries.check(FAMILY, _with(spec, {key: BACK_TO_BACK.get(key, Number("10"))}))
    except UsageError:
        return False
    return True


def _with(spec: Spec, values: Mapping[str, Spec | Number]) -> Spec:
    return Spec(spec.name, (*spec.arguments, *(Argument(key, value) for key, value in values.items())))


@dataclass(frozen=True)
class Affordable:
    """The settings that fit into the budget, and those that do not with the time that each would take, seconds."""

    kept: tuple[GridSetting, ...]
    left_out: tuple[tuple[GridSetting, float], ...]


def pilots(grid_settings: Sequence[GridSetting]) -> tuple[GridSetting, ...]:
    """The two smallest settings of different size of every algorithm; the others are predicted from their times."""
    chosen: list[GridSetting] = []
    for family in dict.fromkeys(setting.family for setting in grid_settings):
        of_family = sorted(
            (grid_setting for grid_setting in grid_settings if grid_setting.family == family),
            key=lambda grid_setting: grid_setting.size,
        )
        chosen.append(of_family[0])
        chosen += [over_budget for over_budget in of_family if over_budget.size > of_family[0].size][:1]
    return tuple(chosen)


def within_budget(
    grid_settings: Sequence[GridSetting], taken_s: Mapping[GridSetting, Sequence[float]], budget_s: float
) -> Affordable:
    """Divide the settings by their predicted time; `taken_s` is what the pilots took."""
    times = [(grid_setting, predicted(grid_setting, taken_s)) for grid_setting in grid_settings]
    kept = tuple(setting for setting, time_s in times if time_s <= budget_s)
    return Affordable(kept, tuple((over_budget, time_s) for over_budget, time_s in times if time_s > budget_s))


def predicted(setting: GridSetting, taken_s: Mapping[GridSetting, Sequence[float]]) -> float:
    """Seconds: on the line through the pilots of its algorithm, time over size, which never falls; itself if measured.

    `ValueError` where its algorithm has no pilot.
    """
    pilot_medians = sorted(
        (pilot.size, median(times)) for pilot, times in taken_s.items() if pilot.family == setting.family and times
    )
    if not pilot_medians:
        raise ValueError(f"no pilot of {setting.family} was measured")
    (small, low), (large, high) = pilot_medians[0], pilot_medians[-1]
    if setting.size <= small or large == small:
        return low if setting.size <= small else low * setting.size / small
    return low + max(high - low, 0.0) / (large - small) * (setting.size - small)
