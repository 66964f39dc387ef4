"""The page of a profile: calls by cost, waiting by process, and when processes came to some of the sampled calls."""

from collections.abc import Iterator
from typing import Any

import polars as pl

from ictus.model.quantity import format_duration, size_text
from ictus.programs.profile.analysis import ProgramProfile
from ictus.programs.profile.groups import GROUPINGS, grouped_rows
from ictus.programs.profile.imports import imports_sentence
from ictus.programs.profile.tables import group_table, profile_rows, profile_sentence, profile_table, rank_table
from ictus.programs.profile.waiting import CALL
from ictus.render.figures.call_timeline import CallLine, call_figure
from ictus.render.page import WARNINGS, Fact, LegendEntry, Page, Panel, Section, paragraphs, render_page
from ictus.render.table import Table

_KINDS, _ROWS, _GROUPS = 4, 200, 10
_KIND = ("operation", "group", "communicator", "site", "size_class")
_SQUARE = "M-5-3H5V3H-5z"
_TIME = paragraphs("""
    How all processes together spend their time. A call waits while a process is missing that every algorithm for it
    needs. That is the program's imbalance, and no library can remove it. It is known for blocking collectives, and
    for waits for one started collective.
""")
_CALLS = paragraphs("""
    A row for each kind of call; the most expensive come first.
""")
_RANKS = paragraphs("""
    Who waits, and for whom: the sampled calls that each process was the last to enter.
""")
_TIMELINES = paragraphs("""
    When processes came to a call and when they left it, on clocks that were compared at the start and the end of the
    program. Of the kinds of calls with most waiting: the sampled call of the middle, and the one in which most was
    waited.
""")
_LEGEND = (LegendEntry("waiting", "series-2", _SQUARE), LegendEntry("the rest of the call", "series-1", _SQUARE))


def profile_page(profile: ProgramProfile, again: str, ictus: str) -> str:
    """The page as HTML."""
    rows, ranks = profile_rows(profile), profile.ranks.sort(["last_calls", "rank"], descending=[True, False]).to_dicts()
    panels = tuple(_panels(profile))
    sections = (
        Section("warnings", "Warnings", WARNINGS, items=profile.warnings),
        Section("time", "Where the time goes", _TIME, tables=tuple(_groups(profile))),
        Section(
            "calls",
            "Calls by cost",
            _CALLS,
            tables=(profile_table(rows[:_ROWS]),) if rows else (),
            note=_beside(profile, len(rows) - _ROWS),
        ),
        Section(
            "ranks",
            "Processes",
            _RANKS,
            tables=(rank_table(ranks[:_ROWS]),) if panels else (),
            note=f"{len(ranks) - _ROWS} more processes are in the JSON." if len(ranks) > _ROWS else "",
        ),
        Section("timelines", "When processes came", _TIMELINES, legend=_LEGEND, panels=panels),
    )
    page = Page(
        title="MPI calls of a program",
        where=profile.library,
        reproduce_command=again,
        ictus=ictus,
        question="Asked: which MPI calls take the time of this program, and how much of it is waiting?",
        lead=profile_sentence(profile),
        facts=(
            Fact("processes", str(profile.n_ranks)),
            Fact("time", format_duration(profile.elapsed_s)),
            Fact("calls", f"{profile.calls['calls'].sum():,}"),
            Fact("clock error", _clock_error(profile)),
        ),
        sections=tuple(section for section in sections if section.items or section.tables or section.panels),
    )
    return render_page(page)


def _groups(profile: ProgramProfile) -> Iterator[Table[Any]]:
    """By what people ask, each with its dearest rows."""
    for by in GROUPINGS:
        if rows := grouped_rows(profile, by):
            yield group_table(rows[:_GROUPS], by)


def _beside(profile: ProgramProfile, n_further: int) -> str:
    """What the table of calls leaves out."""
    kinds = f"{n_further} more kinds of calls are in the JSON." if n_further > 0 else ""
    return f"{kinds} {imports_sentence(profile.not_counted)}".strip()


def _clock_error(profile: ProgramProfile) -> str:
    worst = profile.arrivals["bound_s"].max()
    if not profile.clock:
        return "not compared at the end: waiting is not proven"
    return "no call was sampled" if worst is None else f"at most {format_duration(float(worst))}"  # type: ignore[arg-type]


def _panels(profile: ProgramProfile) -> Iterator[Panel]:
    """Of each of the kinds with most waiting two calls, those of all processes that one of this kind took part in."""
    sums = profile.arrivals.group_by(CALL).agg(all_waiting_s=pl.col("waiting_s").sum())
    dearest = profile.calls.filter(pl.col("waiting_s") > 0).sort("waiting_s", descending=True).head(_KINDS)
    drawn_kinds: set[tuple[object, ...]] = set()
    for kind in dearest.to_dicts():
        kind_arrivals = profile.arrivals.filter(*(pl.col(column) == kind[column] for column in _KIND))
        calls = kind_arrivals.unique(CALL).join(sums, on=CALL).sort("all_waiting_s", *CALL).to_dicts()
        for word, call in {"the middle one": calls[len(calls) // 2], "most waiting": calls[-1]}.items():
            name = tuple(call[column] for column in CALL)
            if name not in drawn_kinds:
                drawn_kinds.add(name)
                yield _panel(profile, call, word)


def _panel(profile: ProgramProfile, call: dict[str, object], word: str) -> Panel:
    call_arrivals = profile.arrivals.filter(*(pl.col(column) == call[column] for column in CALL)).sort("rank")
    first = float(call_arrivals["entered_s"].min())  # type: ignore[arg-type]
    lines = [_line(row, first) for row in call_arrivals.iter_rows(named=True)]
    size = f", {size_text(int(call_arrivals['size_class'].max()))}" if call_arrivals["size_class"].max() else ""  # type: ignore[arg-type]
    spread = format_duration(max(line.came for line in lines))
    title = f"{call['operation']}{size}: {word}"
    site_text = f"{call['site'] or 'unknown place'}, call {call['number']} of its kind; arrivals within {spread}"
    return Panel(title, site_text, call_figure(lines, f"{title}: when {len(lines)} processes came and left"))


def _line(row: dict[str, float], first: float) -> CallLine:
    came = row["entered_s"] - first
    tip = (
        f"rank {row['rank']}: came {format_duration(came)} after the first, {format_duration(row['time_s'])} inside, "
        f"{format_duration(row['waiting_s'])} of it waiting ± {format_duration(row['bound_s'])}"
    )
    return CallLine(int(row["rank"]), came, came + row["waiting_s"], came + row["time_s"], tip)
