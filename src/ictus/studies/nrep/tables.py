"""Predicted numbers of repetitions: a table, and sentences on it."""

from collections.abc import Sequence
from functools import partial

from ictus.comparison.case_titles import group_detail, group_key, grouped, operation_title, varying
from ictus.engine.nrep import NrepRow
from ictus.model.plan_words import plan_words
from ictus.model.quantity import format_size
from ictus.render.output import command
from ictus.render.table import NONE, Block, Cell, Column, Output, Table, row_columns
from ictus.stats.nrep import WINDOWS, NrepRule
from ictus.store.campaign import Campaign
from ictus.store.manifest import starting_words

COLUMNS = row_columns("samples_end=ends", "ictus.nrep/1")

NOT_CONVERGED = "‡"
"""Behind a count at which a metric was still above its threshold."""
LEGEND = (
    "nrep is the largest of the launches; 'of all' the largest of the libraries too, which a campaign with --nrep "
    "takes. Spread is the standard deviation of the launch medians over their mean, with nrep samples and with all."
)
_SHOWN = 3
"""Launches whose counts the terminal shows."""
OVERLAP = (
    "The windows of cov_mean and cov_median share all but one value with their neighbours: where samples resemble the "
    "ones before, they stop early. Judge a count by the spread of launch medians that it gives."
)


def nrep_table(rows: Sequence[NrepRow]) -> Table[NrepRow]:
    """A block for each operation and what else varies; a line for each size and library."""
    most = max(len(row.launches) for row in rows)
    largest, longer = largest_of_all(rows), {case_key(row) for row in rows if row.ends}
    column = Column[NrepRow]
    beyond = column("spread_all", "with all samples", lambda row: share(row.spread_all), importance=2)
    columns = (
        column("size_bytes", "size", lambda row: format_size(int(row.case["size_bytes"]))),
        column("mpi", "library", lambda row: row.mpi, "left"),
        column("nrep", "nrep", _count),
        column("", "of all", lambda row: f"{'>' * (case_key(row) in longer)}{largest[case_key(row)]}", importance=1),
        column("spread", "spread", lambda row: share(row.spread), importance=1),
        *([beyond] if any(row.spread_all is not None for row in rows) else []),
        *(
            column("launches", f"launch {n + 1}", partial(_launch, n=n), "right", 3 + n, str(n + 1), only=_outputs(n))
            for n in range(most)
        ),
        column("converged", "", _remark, "left", 1),
    )
    names = [name for name in varying([row.case for row in rows]) if name != "mpi"]
    blocks = [
        Block(operation_title(group[0].case), group_detail(group[0].case, names), group)
        for group in grouped(rows, lambda row: group_key(row.case, names))
    ]
    return Table(columns, blocks)


def _outputs(n: int) -> Sequence[Output]:
    """Which outputs show the count of launch n: the page shows all of them."""
    return ("terminal", "page") if n < _SHOWN else ("page",)


def _count(row: NrepRow) -> Cell:
    return Cell(f"{'>' if row.ends else ''}{row.nrep}", "bold" if row.converged else "yellow")


def _launch(row: NrepRow, n: int) -> str:
    return mark(row.launches[n].nrep, row.launches[n].converged) if n < len(row.launches) else NONE


def _remark(row: NrepRow) -> Cell:
    if row.converged:
        return Cell("")
    return Cell("samples end" if row.ends else "not converged", "yellow", NOT_CONVERGED)


def share(value: float | None) -> str:
    """`1.3 %`."""
    return "–" if value is None else f"{100 * value:.2g} %" if value < 0.995 else f"{100 * value:.0f} %"


def mark(nrep: int, converged: bool) -> str:
    """`120`, or `1000‡` where a metric was still above its threshold."""
    return f"{nrep}{'' if converged else NOT_CONVERGED}"


def case_key(row: NrepRow) -> tuple[object, ...]:
    """The key by which a campaign takes one count."""
    return tuple(row.case[name] for name in ("operation", "size_bytes", "n", "procsync", "scheme"))


def largest_of_all(rows: Sequence[NrepRow]) -> dict[tuple[object, ...], int]:
    """The largest count of each case over libraries and algorithms."""
    largest: dict[tuple[object, ...], int] = {}
    for row in rows:
        largest[case_key(row)] = max(row.nrep, largest.get(case_key(row), 0))
    return largest


def rule_sentence(rule: NrepRule) -> str:
    """`Enough is: rse at or under 0.025, cov_mean of 20 at or under 0.01; looked at after 20, 30, ... 1000 samples.`"""
    metrics = ", ".join(
        f"{name}{f' of {rule.windows[name]}' if name in WINDOWS else ''} at or under {threshold:g}"
        for name, threshold in rule.thresholds.items()
    )
    totals = [str(total) for total in rule.totals(rule.most)]
    looks = ", ".join(totals) if len(totals) < 4 else f"{totals[0]}, {totals[1]}, … {totals[-1]}"
    return f"Enough is {metrics}; looked at after {looks} valid samples."


def sentences(rows: Sequence[NrepRow]) -> tuple[str, ...]:
    """How many repetitions that is in all, and what did not converge."""
    short = {case_key(row) for row in rows if row.ends}
    counts = [count for key, count in largest_of_all(rows).items() if key not in short]
    texts = []
    if counts:
        need = "1 case needs" if len(counts) == 1 else f"{len(counts)} cases need"
        span = f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
        texts.append(f"{need} {span} repetitions{'' if len(counts) == 1 else f' each, {sum(counts):,} together'}.")
    if short:
        most = max(row.nrep for row in rows if row.ends)
        cases = "1 case needs" if len(short) == 1 else f"{len(short)} cases need"
        texts.append(
            f"{cases} more than the samples that there are ({most} at most in a launch): how many, only a longer "
            f"measurement can say, for example `ictus nrep` without a folder."
        )
    open_rows = [row for row in rows if not row.converged and not row.ends]
    if open_rows:
        texts.append(
            f"{len(open_rows)} of {len(rows)} rows did not converge ({NOT_CONVERGED}): a metric was still above its "
            f"threshold in a launch. Their count is the largest that was tried; --max allows more."
        )
    return tuple(texts)


def next_command(campaign: Campaign) -> str:
    """The command that measures the same cases by these counts."""
    words = plan_words(campaign.plan, always=("mpi", "op", "sizes", "n"), never=_OF_THE_PREDICTION)
    return command("run", *words, "--nrep", campaign.folder, *starting_words(campaign))


_OF_THE_PREDICTION = ("launches", "nrep", "repetition", "methods", "raw", "seed", "until", "time-budget")
"""What a prediction has for itself: its rule, its launches, their order."""
