"""The grid of settings of a Pareto study, and how long each would take.

The papers' grid: fit points by exchanges. An algorithm that has no fit points runs over the exchanges alone, one that
has neither is a single point. Which parameters one has is the registries' knowledge: it is asked, not listed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from ictus.clocks.label import FAMILY, number_in
from ictus.model.errors import UsageError
from ictus.model.registries import Registries, unknown
from ictus.model.spec import Argument, Number, Spec, parse_spec


@dataclass(frozen=True)
class Grid:
    """Values that parameters take."""

    fitpoints: tuple[int, ...]
    exchanges: tuple[int, ...]


GRIDS: Mapping[str, Grid] = {
    "small": Grid((10, 100, 500), (10, 100)),
    "paper": Grid((10, 100, 200, 300, 500, 700, 1000), (10, 20, 50, 100)),
}


def grid_of(name: str) -> Grid:
    """The grid of that name; UsageError lists the known ones."""
    if name not in GRIDS:
        raise unknown(f"--grid '{name}'", name, GRIDS)
    return GRIDS[name]


@dataclass(frozen=True)
class Setting:
    """One point of the grid."""

    algorithm: str
    """As it is asked for; resolved by the registries."""
    family: str
    """The algorithm that it is a setting of, as it was named."""
    size: int
    """What the time spent grows with: fit points times exchanges."""


def settings(registries: Registries, algorithms: Sequence[str], grid: Grid) -> tuple[Setting, ...]:
    """Every algorithm with every value of the grid that it has a parameter for, without repeats.

    Raises UsageError for an unknown algorithm.
    """
    made: dict[str, Setting] = {}
    for algorithm in algorithms:
        spec = parse_spec(algorithm)
        registries.check(FAMILY, spec)
        keys = [key for key in ("fitpoints", "exchanges") if _takes(registries, spec, key)]
        for fitpoints in grid.fitpoints if "fitpoints" in keys else (1,):
            for exchanges in grid.exchanges if "exchanges" in keys else (1,):
                values = {"fitpoints": fitpoints, "exchanges": exchanges}
                laid = _with(spec, {key: values[key] for key in keys})
                full = str(registries.check(FAMILY, laid))
                made.setdefault(full, Setting(str(laid), algorithm, fitpoints * exchanges))
    return tuple(made.values())


def _takes(registries: Registries, spec: Spec, key: str) -> bool:
    """Whether the member, or exactly one of those nested in it, has this parameter and it is not already given."""
    if number_in(str(spec), key) is not None:
        return False
    try:
        registries.check(FAMILY, _with(spec, {key: 10}))
    except UsageError:
        return False
    return True


def _with(spec: Spec, values: Mapping[str, int]) -> Spec:
    added = tuple(Argument(key, Number(str(value))) for key, value in values.items())
    return Spec(spec.name, (*spec.arguments, *added))


@dataclass(frozen=True)
class Affordable:
    """The settings that fit into the budget, and those that do not with the time that each would take, seconds."""

    kept: tuple[Setting, ...]
    left_out: tuple[tuple[Setting, float], ...]


def pilots(wanted: Sequence[Setting]) -> tuple[Setting, ...]:
    """The two smallest settings of different size of every algorithm: from what they take, the others are foretold."""
    chosen: list[Setting] = []
    for family in dict.fromkeys(setting.family for setting in wanted):
        own = sorted((one for one in wanted if one.family == family), key=lambda one: one.size)
        chosen.append(own[0])
        chosen += [one for one in own if one.size > own[0].size][:1]
    return tuple(chosen)


def within_budget(wanted: Sequence[Setting], taken_s: Mapping[Setting, Sequence[float]], budget_s: float) -> Affordable:
    """Divide the settings by their foretold time; `taken_s` is what the pilots took."""
    times = [(one, predicted(one, taken_s)) for one in wanted]
    kept = tuple(one for one, time_s in times if time_s <= budget_s)
    return Affordable(kept, tuple((one, time_s) for one, time_s in times if time_s > budget_s))


def predicted(setting: Setting, taken_s: Mapping[Setting, Sequence[float]]) -> float:
    """Seconds: on the line through the pilots of its algorithm, time over size, which never falls; itself if measured.

    `ValueError` where its algorithm has no pilot.
    """
    known = sorted(
        (pilot.size, median(times)) for pilot, times in taken_s.items() if pilot.family == setting.family and times
    )
    if not known:
        raise ValueError(f"no pilot of {setting.family} was measured")
    (small, low), (large, high) = known[0], known[-1]
    if setting.size <= small or large == small:
        return low if setting.size <= small else low * setting.size / small
    return low + max(high - low, 0.0) / (large - small) * (setting.size - small)
