"""From the rows of a history to one series a machine and case, its levels and their changes. Frames in, rows out.

A campaign counts as one number of each case, the median of its launches: launches of one day share that day's state of
the machine, so that many of them do not make a day more certain.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from ictus.comparison.case_titles import DERIVED, IDENTITY, LIBRARY
from ictus.comparison.history_store import MACHINE
from ictus.histories.false_alarms import RATE, FalseAlarms, campaigns_a_year, shows_pace
from ictus.stats.adjust import holm
from ictus.stats.arrays import FloatArray
from ictus.stats.change_points import FEWEST_BEFORE, ChangePoint, Deviation, change_points, deviation
from ictus.store.modes import modes_of

MODE = "mode of the machine"
_KEY = (MACHINE, LIBRARY, *IDENTITY, "metric", "summary")


@dataclass(frozen=True)
class Day:
    """One campaign in the history of one case."""

    created: str
    """When it began, ISO 8601 in UTC."""
    campaign: str
    value_s: float
    n_launches: int
    facts: Mapping[str, str]


@dataclass(frozen=True)
class Change:
    """A change of level, and which recorded facts changed with it."""

    day: Day
    """The first campaign of the new level."""
    point: ChangePoint
    facts: Mapping[str, tuple[str, str]]
    """By name, what it was in the campaign before and is from this one on."""
    p_adjusted: float
    """Over all cases and all campaigns of a year."""


@dataclass(frozen=True)
class CaseHistory:
    """One case of one library, campaign after campaign."""

    case: Mapping[str, Any]
    """With `machine` and `mpi`."""
    days: tuple[Day, ...]
    changes: tuple[Change, ...]
    last: Deviation
    last_p_adjusted: float | None
    """Of `last`, over all cases and all campaigns of a year."""
    rate: float
    """What `last_p_adjusted` is held against: the false alarms of a year."""
    missing: str = ""
    """Why its machine's last campaign has no number of it: `not measured`, or `no valid sample`; nothing where it has
    one.
    """

    @property
    def result(self) -> Deviation:
        """Where the interval is that a gate reads."""
        return self.last

    @property
    def beyond_usual(self) -> bool | None:
        """Its own level is what a campaign is held against."""
        return None

    @property
    def first_day(self) -> Day:
        """The first campaign that has it."""
        return self.days[0]

    @property
    def last_day(self) -> Day:
        """The last one."""
        return self.days[-1]

    @property
    def n_campaigns(self) -> int:
        """Campaigns that have it."""
        return len(self.days)

    @property
    def n_changes(self) -> int:
        """Changes of level."""
        return len(self.changes)

    @property
    def last_p_value(self) -> float | None:
        """Of `last`, of this case alone; None where the last campaign has no number of it."""
        return None if self.missing else self.last.p_value

    @property
    def values_s(self) -> FloatArray:
        """One a campaign."""
        return np.array([day.value_s for day in self.days])

    @property
    def outcome(self) -> str:
        """Whether the last campaign is `slower` or `faster` than its level before, `same level`, or `too few`; or it is
        `missing`, where that campaign has no number of the case.
        """
        if self.missing:
            return "missing"
        if self.last_p_adjusted is None:
            return "too few"
        if self.last_p_adjusted > self.rate:
            return "same level"
        return "slower" if self.last.ratio > 1 else "faster"

    @property
    def before_s(self) -> float | None:
        """Its number before its machine's last campaign."""
        before = self.days if self.missing else self.days[:-1]
        return before[-1].value_s if before else None

    @property
    def more_campaigns(self) -> int:
        """How many more there must be at this level before its last campaign is judged; 0 where it is."""
        return 0 if self.missing or self.last_p_adjusted is not None else max(0, FEWEST_BEFORE - self.last.n_before)


@dataclass(frozen=True)
class History:
    """The cases of all machines, and the false alarms that are allowed for them together."""

    cases: tuple[CaseHistory, ...]
    false_alarms: FalseAlarms

    @property
    def machines(self) -> tuple[str, ...]:
        """In the order of the cases."""
        return tuple(dict.fromkeys(str(case.case[MACHINE]) for case in self.cases))


def history_of(frame: pl.DataFrame, *, rate: float = RATE) -> History:
    """One history a machine, library and case, in the order of the last campaign's rows, then those that it lacks.
    `rate`: false alarms of a year, all cases together.
    """
    marked = frame.sort("created", maintain_order=True)  # in UTC: the order of the texts is that of the instants
    modes, latest = _modes(marked), _latest(marked)
    groups = [(group, _days(group, modes)) for group in marked.partition_by(*_KEY, maintain_order=True)]
    series = [(group, days) for group, days in groups if days]
    allowed = _false_alarms(marked, [group for group, _ in series], rate)
    histories = [_case_history(group, days, latest, allowed) for group, days in series]
    return History(_adjusted(histories, allowed), allowed)


def _false_alarms(frame: pl.DataFrame, series: Sequence[pl.DataFrame], rate: float) -> FalseAlarms:
    cases = Counter(str(group[MACHINE][0]) for group in series)
    campaigns = frame.select(MACHINE, "created").unique()
    created = {machine: campaigns.filter(pl.col(MACHINE) == machine)["created"] for machine in cases}
    paces = {machine: campaigns_a_year(texts) for machine, texts in created.items()}
    return FalseAlarms(rate, paces, cases, assumed=not all(map(shows_pace, created.values())))


def _case_history(
    group: pl.DataFrame, days: tuple[Day, ...], latest: Mapping[str, str], allowed: FalseAlarms
) -> CaseHistory:
    """One case, of which the last campaign is not judged yet."""
    values = [day.value_s for day in days]
    points = change_points(values, alarms=allowed.alarms)
    case = {name: group[name][-1] for name in (*_KEY, *DERIVED)}
    last = latest[case[MACHINE]]
    return CaseHistory(
        case,
        days,
        tuple(_change(days, point, allowed) for point in points),
        deviation(values, points),
        None,
        allowed.rate,
        "" if days[-1].created == last else _missing(group, last),
    )


def _adjusted(histories: Sequence[CaseHistory], allowed: FalseAlarms) -> tuple[CaseHistory, ...]:
    """The cases with the p-values of their last campaigns: a campaign is one family, of the cases that it has."""
    adjusted: dict[int, float] = {}
    for machine in allowed.cases:
        judged = {
            index: history.last.p_value
            for index, history in enumerate(histories)
            if history.case[MACHINE] == machine and history.last.p_value is not None and not history.missing
        }
        if judged:
            adjusted |= zip(judged, holm(np.array(list(judged.values()))).tolist(), strict=True)
    return tuple(
        replace(case_history, last_p_adjusted=allowed.adjusted_last(adjusted[index]))
        if index in adjusted
        else case_history
        for index, case_history in enumerate(histories)
    )


def _latest(frame: pl.DataFrame) -> dict[str, str]:
    """By machine, when its last campaign began."""
    return dict(frame.group_by(MACHINE).agg(pl.col("created").max()).iter_rows())


def without_samples(frame: pl.DataFrame) -> list[Mapping[str, Any]]:
    """The cases that have no valid sample in any campaign, and so no history."""
    groups = frame.partition_by(*_KEY, maintain_order=True)
    lost = [group for group in groups if not (group["value"].fill_null(0) > 0).any()]
    return [{name: group[name][-1] for name in _KEY} for group in lost]


def _missing(group: pl.DataFrame, latest: object) -> str:
    """Why a campaign has no number of a case."""
    return "not measured" if group.filter(pl.col("created") == latest).is_empty() else "no valid sample"


def _days(group: pl.DataFrame, modes: Mapping[tuple[str, str], str]) -> tuple[Day, ...]:
    """Campaigns in which the case has a valid sample."""
    rows = (
        group.group_by("created", "campaign", maintain_order=True)
        .agg(pl.col("value").median(), pl.col("value").count().alias("n"), pl.col("facts", MACHINE).first())
        .filter(pl.col("value") > 0)
    )
    return tuple(
        Day(
            row["created"],
            row["campaign"],
            row["value"],
            row["n"],
            _facts(row["facts"], modes.get((row[MACHINE], row["created"]))),
        )
        for row in rows.iter_rows(named=True)
    )


def _facts(text: str, mode: str | None) -> dict[str, str]:
    facts = json.loads(text)
    return facts if mode is None else {**facts, MODE: mode}


def _modes(frame: pl.DataFrame) -> dict[tuple[str, str], str]:
    """The mode of the machine in each campaign, by machine and instant, where probes tell several apart."""
    mode_texts: dict[tuple[str, str], str] = {}
    for campaigns in frame.unique([MACHINE, "created"], keep="first", maintain_order=True).partition_by(MACHINE):
        probes = (
            campaigns.select("line_round_trip_s", "multiplications_hz").cast(pl.Float64).fill_null(np.nan).to_numpy()
        )
        mode_numbers = modes_of(probes)
        if mode_numbers.max(initial=-1) < 1:
            continue
        mode_texts |= {
            (machine, created): f"cores {1e9 * float(np.nanmedian(probes[mode_numbers == mode, 0])):.0f} ns apart"
            for machine, created, mode in zip(campaigns[MACHINE], campaigns["created"], mode_numbers, strict=True)
            if mode >= 0
        }
    return mode_texts


def _change(days: Sequence[Day], point: ChangePoint, allowed: FalseAlarms) -> Change:
    before, after = days[point.index - 1].facts, days[point.index].facts
    names = dict.fromkeys((*before, *after))
    pairs = {name: (before.get(name, "unknown"), after.get(name, "unknown")) for name in names}
    differing = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    return Change(days[point.index], point, differing, allowed.adjusted_change(point.p_value))
