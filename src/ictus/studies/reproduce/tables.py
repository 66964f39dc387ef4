"""Reproducibility: the largest difference by every way side by side, then each way's own table."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter

from ictus.comparison.case_titles import brief, group_detail, group_key, grouped, operation_title, varying
from ictus.model.quantity import format_size
from ictus.render.table import NONE, Block, Cell, Column, Table, Times, row_columns
from ictus.render.unit import time_unit
from ictus.studies.lens.suites.registry import find_look
from ictus.studies.reproduce.analysis import TrialRow, Trials
from ictus.studies.reproduce.record import OWN

COLUMNS = row_columns("min_s=spread.min max_s=spread.max spread.diff spread.deviation", "ictus.reproduce/1")


def diff_table(trials: Trials) -> Table[list[TrialRow]]:
    """A line for each size, a column for each way: (max - min) / max of the results."""
    column = Column[list[TrialRow]]
    columns = (
        column("size_bytes", "size", lambda row: size_text(row[0])),
        *(column("diff", way, partial(_diff_of, index=index), "point") for index, way in enumerate(trials.study.ways)),
    )
    blocks = [
        Block(
            operation_title(group[0].case),
            detail(group, trials.rows),
            grouped(group, lambda row: row.case["size_bytes"]),
        )
        for group in blocks_of(trials.rows)
    ]
    return Table(columns, blocks)


def result_table(trials: Trials) -> Table[TrialRow]:
    """For each library and way: smallest and largest result, their difference, the standard deviation; where the
    machine had several modes, the difference within them.
    """
    column = Column[TrialRow]
    columns = (
        column("size_bytes", "size", size_text),
        column("min_s", "min", lambda row: Times(None if row.spread is None else row.spread.min), "point"),
        column("max_s", "max", lambda row: Times(None if row.spread is None else row.spread.max), "point"),
        column("diff", "diff", _diff, "point"),
        column("deviation", "deviation", _deviation, "point"),
        *(
            [column("within_modes", "within modes", _within_modes, "point", 1)]
            if any(row.within_modes is not None for row in trials.rows)
            else []
        ),
    )
    blocks = []
    for group in blocks_of(trials.rows):
        unit = time_unit([row.spread.min for row in group if row.spread is not None])
        for way in trials.study.ways:
            title = f"{operation_title(group[0].case)}, {way}"
            trial_rows = [row for row in group if row.way == way]
            blocks.append(Block(title, detail(group, trials.rows), trial_rows, unit))
    return Table(columns, blocks)


def _diff_of(row: list[TrialRow], index: int) -> Cell:
    return _diff(row[index])


def _diff(row: TrialRow) -> Cell:
    return Cell(diff_text(row), "bold" if row.way == OWN else "")


def _deviation(row: TrialRow) -> str:
    return NONE if row.spread is None or row.spread.deviation is None else share(row.spread.deviation)


def _within_modes(row: TrialRow) -> str:
    return NONE if row.within_modes is None else share(row.within_modes)


def blocks_of(rows: Sequence[TrialRow]) -> list[list[TrialRow]]:
    """The content of one table block, and of one scale of a figure: an operation, a number of processes, a library."""
    names = _names(rows)
    return grouped(rows, lambda row: (row.mpi, *group_key(row.case, names)))


def detail(group: Sequence[TrialRow], rows: Sequence[TrialRow]) -> str:
    """`mpich, 2 processes`."""
    return f"{group[0].mpi}, {group_detail(group[0].case, _names(rows))}"


def _names(rows: Sequence[TrialRow]) -> tuple[str, ...]:
    return tuple(name for name in varying([row.case for row in rows]) if name != "mpi")


def size_text(row: TrialRow) -> str:
    """The size, a dash for no data."""
    return format_size(int(row.case["size_bytes"])) if row.case["moved_bytes"] else "–"


def diff_text(row: TrialRow) -> str:
    """`3.1 %`, NA without any result."""
    return "NA" if row.spread is None else share(row.spread.diff)


def share(value: float) -> str:
    """Two decimals below 10 %, as in the paper's Table I; one above."""
    return f"{100 * value:.2f} %" if value < 0.09995 else f"{100 * value:.1f} %"


def method_sentence(trials: Trials) -> str:
    """The meaning of a result, by every way."""
    study = trials.study
    launches = study.plan.launches
    suites = ", ".join(study.suites)
    ours = f"{OWN}: the mean over {_counted(launches, 'launch')} of each launch's {study.summary}"
    others = f"; {suites}: what the suite prints after one launch" if suites else ""
    return (
        f"{_counted(trials.complete, 'trial')}. A result is, by {ours}{others}. diff is (max - min) / max of the "
        f"results, deviation their standard deviation over their mean."
    )


def trial_sentences(trials: Trials) -> Iterator[str]:
    """For each block: how far apart the results are at the most, by every way, and where."""
    for group in blocks_of(trials.rows):
        parts = []
        for way in trials.study.ways:
            diffs = [(row.spread.diff, row) for row in group if row.way == way and row.spread is not None]
            if diffs:
                diff, row = max(diffs, key=lambda pair: pair[0])
                parts.append(f"{way} by {share(diff)} ({size_text(row)})")
        if parts:
            times = _counted(trials.complete, "time")
            case = f"{operation_title(group[0].case)} of {detail(group, trials.rows)}"
            yield f"{case}, measured {times}: results differ at the most with {', '.join(parts)}."
    yield from _wins(trials)


def _wins(trials: Trials) -> Iterator[str]:
    """In how many cases whole campaigns are nearer together than the runs of each suite."""
    by_case = grouped(trials.rows, lambda row: (row.mpi, *map(str, row.case.values())))
    parts, n_cases = [], 0
    for way in trials.study.suites:
        diffs_by_case = [{row.way: row.spread.diff for row in rows if row.spread is not None} for rows in by_case]
        pairs = [(diffs[OWN], diffs[way]) for diffs in diffs_by_case if OWN in diffs and way in diffs]
        if pairs:
            n_cases = max(n_cases, len(pairs))
            parts.append(f"{way} in {sum(ours < theirs for ours, theirs in pairs)}")
    if parts:
        yield f"Campaigns are nearer together than runs of {', of '.join(parts)} of {_counted(n_cases, 'case')}."


def _counted(count: int, word: str) -> str:
    plural = f"{word}es" if word.endswith("ch") else f"{word}s"
    return f"{count} {word if count == 1 else plural}"


def way_table(trials: Trials) -> Table[Mapping[str, str]]:
    """How a result comes about by each way."""
    plan, ways = trials.study.plan, trials.study.ways
    ours = f"{plan.launches} launches, cases in random order, {', '.join(brief('procsync', p) for p in plan.procsync)}"
    words_of = {OWN: (ours, f"{trials.study.summary} of each launch, mean over launches", "")}
    for way in trials.study.suites:
        lens = find_look(way).lens
        words_of[way] = (lens.measures, lens.reduces, lens.source)
    names = ("measures", "reduces", "source")
    column = Column[Mapping[str, str]]
    titles = {"way": "", **dict(zip(names, names, strict=True))}
    columns = [column("", title, itemgetter(key), "left") for key, title in titles.items()]
    return Table(
        columns, [Block("Ways", "", [{"way": way, **dict(zip(names, words_of[way], strict=True))} for way in ways])]
    )
