"""What a history says: the changes of level, newest first, and every case's last campaign."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any, TypeVar

from rich.text import Text

from ictus.comparison.case_titles import LIBRARY, group_detail, group_key, grouped, operation_title, varying
from ictus.comparison.history_store import MACHINE
from ictus.comparison.machine_name import UNKNOWN_MACHINE
from ictus.comparison.verdict_texts import interval_text, p_text, ratio_text
from ictus.histories.analysis import CaseHistory, Change, History
from ictus.histories.false_alarms import FalseAlarms
from ictus.model.quantity import format_size, percent
from ictus.render.output import answer_first, width
from ictus.render.table import Block, Column, Table, Times, row_columns
from ictus.render.terminal import lines
from ictus.stats.change_points import fewest_values

NOTE = (
    "after / before: the new level over the old one, with the 95 % interval. changed with it: what the campaigns "
    "recorded and what differs from the campaign before; it need not be the cause. adjusted p: over all cases and the "
    "campaigns of a year."
)
_LAST = (
    "before: its number before the last campaign. last / level: the last campaign over the mean of its level before, "
    "with the 95 % interval for one campaign. adjusted p: over all cases and the campaigns of a year."
)


@dataclass(frozen=True)
class ChangeRow:
    """A change with the case that it belongs to."""

    history: CaseHistory
    change: Change

    @property
    def case(self) -> Mapping[str, Any]:
        """The factors of the case."""
        return self.history.case

    @property
    def facts(self) -> str:
        """`library: MPICH 5.0.1 → MPICH 5.0.2`; `nothing that was recorded`."""
        pairs = (f"{name}: {before} → {after}" for name, (before, after) in self.change.facts.items())
        return "; ".join(pairs) or "nothing that was recorded"


_CHANGE_COLUMNS = row_columns(
    "day.created day.campaign point.ratio point.ratio_low point.ratio_high point.p_value p_adjusted facts"
)
_CASE_COLUMNS = row_columns("""
    campaigns=n_campaigns first=first_day.created last=last_day.created last_day.value_s before_s more_campaigns
    n_changes last_ratio=last.ratio last_ratio_low=last.ratio_low last_ratio_high=last.ratio_high last_p_value
    last_p_adjusted outcome
""")
"""Behind the factors of the case, of which a store has other ones than the next."""


def history_records(cases: Sequence[CaseHistory]) -> list[Mapping[str, Any]]:
    """The cases for scripts."""
    return [{**case.case, **_CASE_COLUMNS.record(case)} for case in cases]


def change_records(cases: Sequence[CaseHistory]) -> list[Mapping[str, Any]]:
    """Their changes for scripts."""
    return [{**row.case, **_CHANGE_COLUMNS.record(row.change)} for row in change_rows(cases)]


_ASSUMED = " (assumed: campaigns of less than a day show no pace)"


def promise(allowed: FalseAlarms) -> str:
    """What is stated of false alarms, with the tests that it is made of."""
    machines = len(allowed.campaigns_a_year)
    number = f"{sum(allowed.campaigns_a_year.values()):,.0f}"
    campaigns = f"{number} campaign{'' if number == '1' else 's'} a year"
    cases = sum(allowed.cases.values())
    where = "" if machines == 1 else f" on {machines} machines"
    return (
        f"False alarms: at most {percent(allowed.rate)} a year in all, for {cases:,} case{'' if cases == 1 else 's'} "
        f"and {campaigns}{where}{_ASSUMED if allowed.assumed else ''}."
    )


def change_rows(histories: Sequence[CaseHistory]) -> list[ChangeRow]:
    """All changes, those of a case one after the other."""
    return [ChangeRow(history, change) for history in histories for change in history.changes]


def change_table(rows: Sequence[ChangeRow], names: Sequence[str]) -> Table[ChangeRow]:
    """One row a change; titles of blocks have the factors of these `names`, such as the machine."""
    column = Column[ChangeRow]
    columns = (
        column("size_bytes", "size", lambda row: format_size(int(row.case["size_bytes"])), once=True),
        column("mpi", "library", lambda row: str(row.case["mpi"]), "left", 4),
        column("created", "since", lambda row: row.change.day.created[:10], "left"),
        column("ratio", "after / before", lambda row: ratio_text(row.change.point.ratio), "point"),
        column(
            "ratio_low",
            "95 % interval",
            lambda row: interval_text(row.change.point.ratio_low, row.change.point.ratio_high),
            "range",
            1,
        ),
        column("p_adjusted", "adjusted p", lambda row: p_text(row.change.p_adjusted), "point", 3),
        column("facts", "changed with it", lambda row: row.facts, "left"),
    )
    return Table(columns, _blocks(rows, names), note=NOTE)


def last_table(histories: Sequence[CaseHistory]) -> Table[CaseHistory]:
    """One row a case: where its last campaign stands."""
    column = Column[CaseHistory]
    columns = (
        column("size_bytes", "size", lambda row: format_size(int(row.case["size_bytes"])), once=True),
        column("mpi", "library", lambda row: str(row.case["mpi"]), "left"),
        column("campaigns", "campaigns", lambda row: str(len(row.days)), importance=3),
        column("n_changes", "changes", lambda row: str(len(row.changes))),
        column("before_s", "before", lambda row: Times(row.before_s), "point", 1),
        column("value_s", "last", lambda row: Times(None if row.missing else row.days[-1].value_s), "point"),
        column("last_ratio", "last / level", lambda row: ratio_text(_ratio(row)), "point"),
        column("last_ratio_low", "95 % interval", _interval, "range", 2),
        column("last_p_adjusted", "adjusted p", lambda row: p_text(row.last_p_adjusted), "point", 2),
        column("outcome", "the last campaign", _standing, "left"),
    )
    return Table(columns, _blocks(histories, distinguishing([history.case for history in histories])), note=_LAST)


R = TypeVar("R", CaseHistory, ChangeRow)


def _blocks(rows: Sequence[R], names: Sequence[str]) -> list[Block[R]]:
    """One for each operation and whatever else is among the names."""
    return [
        Block(operation_title(group[0].case), group_detail(group[0].case, names), group)
        for group in grouped(rows, lambda row: group_key(row.case, names))
    ]


def distinguishing(cases: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Factors that the title of a block names, the machine first: all that vary but the library."""
    machines = (MACHINE,) if len({case[MACHINE] for case in cases}) > 1 else ()
    return (*machines, *(name for name in varying(cases) if name != LIBRARY))


def case_title(history: CaseHistory) -> str:
    """`MPI_Bcast 64 B`."""
    return f"{operation_title(history.case)} {format_size(int(history.case['size_bytes']))}"


def case_detail(history: CaseHistory, others: Sequence[str]) -> str:
    """`mpich, 2 processes`, and what else distinguishes it."""
    return f"{history.case['mpi']}, {group_detail(history.case, others)}"


def headline(history: History) -> str:
    """What a history says, in one or two sentences. Dates are those of UTC."""
    histories = history.cases
    if not histories:
        return "No case has a valid sample in any campaign."
    days = {(case_history.case[MACHINE], day.created) for case_history in histories for day in case_history.days}
    changes = [change for case_history in histories for change in case_history.changes]
    first, last_day = min(created for _, created in days)[:10], max(created for _, created in days)[:10]
    span = f"1 campaign of {first}" if len(days) == 1 else f"{len(days)} campaigns from {first} to {last_day}"
    machines = history.machines
    cases = f"{len(histories)} case" + ("s" if len(histories) != 1 else "")
    cases += f" on {_machine(machines[0]) if len(machines) == 1 else f'{len(machines)} machines'}"
    if changes:
        dates = sorted({change.day.created[:10] for change in changes})
        sentence = f"{len(changes)} change{'s' if len(changes) != 1 else ''} of level, on {_several(dates)}"
    else:
        sentence = "no change of level"
    away = [case_history for case_history in histories if case_history.outcome in ("slower", "faster")]
    last = f" The last campaign is off its level in {len(away)}." if away else ""
    lacks = sum(bool(case_history.missing) for case_history in histories)
    last += f" It has no number of {lacks}." if lacks and away else ""
    last += f" The last campaign has no number of {lacks}." if lacks and not away else ""
    fewest = fewest_values(history.false_alarms.alarms)
    is_short = max(len(case_history.days) for case_history in histories) < fewest
    short = f" Fewer than {fewest} campaigns cannot show a change at this rate of false alarms." if is_short else ""
    return f"{span}, {cases}: {sentence}.{last}{short}"


def _machine(name: str) -> str:
    """In a sentence."""
    return f"an {name}" if name == UNKNOWN_MACHINE else name


def _several(dates: Sequence[str]) -> str:
    last_dates = list(dates[-3:])
    more_text = f" and {len(dates) - 3} days before" if len(dates) > 3 else ""
    return ", ".join(last_dates) + more_text


def answer_lines(history: History, onward: str | None = None) -> Iterator[Text]:
    """The answer on a terminal, with the next command."""
    histories, columns = history.cases, width()
    rows = change_rows(histories)
    names = distinguishing([case_history.case for case_history in histories])
    changes = [*lines(change_table(rows, names), columns), Text()] if rows else []
    answer = [headline(history), *([promise(history.false_alarms)] if histories else [])]
    yield from answer_first(answer, [*changes, *lines(last_table(histories), columns)], columns, onward=onward)


def _ratio(row: CaseHistory) -> float | None:
    return None if row.missing or isnan(row.last.ratio) else row.last.ratio


def _standing(row: CaseHistory) -> str:
    """The outcome; where it is none, how many more campaigns it takes."""
    n_more = row.more_campaigns
    needs = "1 more campaign decides" if n_more == 1 else f"{n_more} more campaigns decide"
    return row.missing or (needs if n_more else row.outcome)


def _interval(row: CaseHistory) -> str:
    return interval_text(None, None) if row.missing else interval_text(row.last.ratio_low, row.last.ratio_high)
