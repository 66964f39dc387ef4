"""From the rows of a history to one series a case, its levels and their changes. Frames in, rows out.

A campaign counts as one number of each case, the median of its launches: launches of one day share that day's state of
the machine, so that many of them do not make a day more certain.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ictus.comparison.case_titles import DERIVED, IDENTITY, LIBRARY
from ictus.stats.adjust import holm
from ictus.stats.arrays import FloatArray
from ictus.stats.change_points import LEVEL, ChangePoint, Deviation, change_points, deviation
from ictus.store.modes import modes_of

MODE = "mode of the machine"
GATE_LEVEL = 0.01
"""False alarms of the gate, over all cases of the last campaign."""
_KEY = (LIBRARY, *IDENTITY, "metric", "summary")


@dataclass(frozen=True)
class Day:
    """One campaign in the history of one case."""

    created: str
    """When it began, ISO 8601."""
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

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "created": self.day.created,
            "campaign": self.day.campaign,
            "ratio": self.point.ratio,
            "ratio_low": self.point.ratio_low,
            "ratio_high": self.point.ratio_high,
            "p": self.point.p_value,
            "facts": {name: list(pair) for name, pair in self.facts.items()},
        }


@dataclass(frozen=True)
class CaseHistory:
    """One case of one library, campaign after campaign."""

    case: Mapping[str, Any]
    """With `mpi`."""
    days: tuple[Day, ...]
    changes: tuple[Change, ...]
    last: Deviation
    last_p: float | None
    """Of `last`, adjusted over all cases (Holm)."""
    missing: str = ""
    """Why the last campaign has no number of it: `not measured`, or `no valid sample`; nothing where it has one."""

    @property
    def result(self) -> Deviation:
        """Where the interval is that a gate reads."""
        return self.last

    @property
    def beyond_usual(self) -> bool | None:
        """Its own level is what a campaign is held against."""
        return None

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
        if self.last_p is None:
            return "too few"
        if self.last_p > GATE_LEVEL:
            return "same level"
        return "slower" if self.last.ratio > 1 else "faster"

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        return {
            **self.case,
            "campaigns": len(self.days),
            "first": self.days[0].created,
            "last": self.days[-1].created,
            "value_s": self.days[-1].value_s,
            "n_changes": len(self.changes),
            "last_ratio": self.last.ratio,
            "last_ratio_low": self.last.ratio_low,
            "last_ratio_high": self.last.ratio_high,
            "last_p": self.last_p,
            "outcome": self.outcome,
        }


def histories(frame: pl.DataFrame, *, level: float = LEVEL) -> tuple[CaseHistory, ...]:
    """One history a library and case, in the order of the last campaign's rows, then those that it lacks."""
    marked = frame.sort("created", maintain_order=True)
    modes = _modes(marked)
    latest = marked["created"].max()
    found: list[tuple[Mapping[str, Any], tuple[Day, ...], tuple[Change, ...], Deviation, str]] = []
    for group in marked.partition_by(*_KEY, maintain_order=True):
        days = _days(group, modes)
        if not days:
            continue
        values = [day.value_s for day in days]
        points = change_points(values, level=level)
        case = {name: group[name][-1] for name in (*_KEY, *DERIVED)}
        missing = "" if days[-1].created == latest else _missing(group, latest)
        found.append((case, days, tuple(_change(days, one) for one in points), deviation(values, points), missing))
    judged = [last.p_value for *_, last, missing in found if last.p_value is not None and not missing]
    adjusted = iter(holm(np.array(judged)).tolist() if judged else ())
    return tuple(
        CaseHistory(
            case,
            days,
            changes,
            last,
            next(adjusted) if last.p_value is not None and not missing else None,
            missing,
        )
        for case, days, changes, last, missing in found
    )


def without_samples(frame: pl.DataFrame) -> list[Mapping[str, Any]]:
    """The cases that have no valid sample in any campaign, and so no history."""
    groups = frame.partition_by(*_KEY, maintain_order=True)
    lost = [group for group in groups if not (group["value"].fill_null(0) > 0).any()]
    return [{name: group[name][-1] for name in _KEY} for group in lost]


def _missing(group: pl.DataFrame, latest: object) -> str:
    """Why a campaign has no number of a case."""
    return "not measured" if group.filter(pl.col("created") == latest).is_empty() else "no valid sample"


def _days(group: pl.DataFrame, modes: Mapping[str, str]) -> tuple[Day, ...]:
    """Campaigns in which the case has a valid sample."""
    rows = (
        group.group_by("created", "campaign", maintain_order=True)
        .agg(pl.col("value").median(), pl.col("value").count().alias("n"), pl.col("facts").first())
        .filter(pl.col("value") > 0)
    )
    return tuple(
        Day(row["created"], row["campaign"], row["value"], row["n"], _facts(row["facts"], modes.get(row["created"])))
        for row in rows.iter_rows(named=True)
    )


def _facts(text: str, mode: str | None) -> dict[str, str]:
    facts = json.loads(text)
    return facts if mode is None else {**facts, MODE: mode}


def _modes(frame: pl.DataFrame) -> dict[str, str]:
    """The mode of the machine in each campaign, by its instant, where probes tell several apart."""
    campaigns = frame.unique("created", keep="first", maintain_order=True)
    probes = campaigns.select("line_round_trip_s", "multiplications_hz").cast(pl.Float64).fill_null(np.nan).to_numpy()
    found = modes_of(probes)
    if found.max(initial=-1) < 1:
        return {}
    return {
        created: f"cores {1e9 * float(np.nanmedian(probes[found == mode, 0])):.0f} ns apart"
        for created, mode in zip(campaigns["created"], found, strict=True)
        if mode >= 0
    }


def _change(days: Sequence[Day], point: ChangePoint) -> Change:
    before, after = days[point.index - 1].facts, days[point.index].facts
    names = dict.fromkeys((*before, *after))
    pairs = {name: (before.get(name, "unknown"), after.get(name, "unknown")) for name in names}
    return Change(days[point.index], point, {name: pair for name, pair in pairs.items() if pair[0] != pair[1]})
