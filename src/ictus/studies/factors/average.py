"""Claims about the average latency, over processes, of a call: that a barrier's exit changes it, where Harmonize
does not, and that of a linear reduction it falls while the call takes longer.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ictus.comparison.comparison import compare
from ictus.comparison.matching import match
from ictus.comparison.rows import ComparisonRow
from ictus.comparison.sides import sides
from ictus.comparison.tables import comparison_table
from ictus.model.reduction import Reduction
from ictus.render.table import Block
from ictus.stats.claim_rules import alike_rule, each_holds, together_alike
from ictus.store.campaign import Campaign, load
from ictus.studies.claim import SPACE_AND_TIME, Claim, ClaimResult, one_number, one_process, quick_or
from ictus.studies.factors.claims import RULE, judge_factor
from ictus.studies.factors.contrasts import LEAST_PERCENT, any_difference

BY = "procsync"
AVERAGE = partial(load, reduction=Reduction(metric="mean"))
"""The paper's: the mean over processes of the time that each spends in the call."""
MOST_ALIKE = 1.6
"""Times by which the averages of MPI_Reduce differ in the paper's Fig. 6b, 0.6 to 1.8."""
_COMMON = {"n": 2, "datatype": "int", "procsync": "barrier(library),harmonize"}
_QUICK = {"launches": 10, "sizes": "8,4Ki", "nrep": 100}
_FULL = {"launches": 30, "sizes": "4..64Ki*4", "nrep": 500}


def _largest(campaign: Campaign) -> tuple[ComparisonRow, ...]:
    """The same campaign by the longest of the processes, the other half of the paper's figures."""
    return compare(load(campaign.folder, reduction=Reduction(metric="max")), by=BY).rows


def _both_metrics(result: ClaimResult, campaign: Campaign) -> ClaimResult:
    """With a table of the maximum; the ruling is about the average alone."""
    (average,) = result.tables
    comparison = compare(campaign, by=BY)
    largest = comparison_table(_largest(campaign), comparison.alternative, comparison.level, comparison.equivalence)
    tables = (_named(average, "average"), _named(largest, "maximum"))
    return replace(result, tables=tables)


def _named(table: Any, metric: str) -> Any:
    """A comparison's table whose blocks say what latencies are."""
    blocks = [Block(block.title, f"{metric} of the processes, {block.detail}", block.rows) for block in table.blocks]
    return replace(table, blocks=blocks)


def _differs(campaign: Campaign) -> ClaimResult:
    return _both_metrics(judge_factor(BY, any_difference)(campaign), campaign)


def _alike(campaign: Campaign) -> ClaimResult:
    rulings, texts = [], []
    for a, b in sides(campaign, None, BY):
        matches = match(a, b, BY, paired=True)
        values = [(np.array(case.a, dtype=np.float64), np.array(case.b, dtype=np.float64)) for case in matches]
        rulings += [alike_rule(a_s, b_s, MOST_ALIKE) for a_s, b_s in values]
        ratios = [float(np.nanmedian(a_s / b_s)) for a_s, b_s in values if np.isfinite(a_s / b_s).any()]
        span = f"{min(ratios):.3g} to {max(ratios):.3g}" if ratios else "an unknown number of"
        texts.append(f"averages with {a.name} are {span} times those with {b.name}, in the median of the launches")
    by_factor = judge_factor(BY, any_difference)(campaign)
    return _both_metrics(replace(by_factor, ruling=together_alike(rulings), because="; ".join(texts)), campaign)


def fewer_win(faster: str, slower: str) -> bool:
    """That calls of fewer processes take less time."""
    return _number_of(faster) < _number_of(slower)


def more_win(faster: str, slower: str) -> bool:
    """That calls of more processes do."""
    return _number_of(faster) > _number_of(slower)


def _number_of(side: str) -> int:
    """`n=64` or `64`."""
    return int(side.rpartition("=")[2])


def _linear_reduce(campaign: Campaign) -> ClaimResult:
    """Both halves of the paper's figure: the average of the processes, and the longest of them."""
    longest = load(campaign.folder, reduction=Reduction(metric="max"))
    falls, grows = judge_factor("n", more_win)(campaign), judge_factor("n", fewer_win)(longest)
    because = f"average: {falls.because}; longest of the processes: {grows.because}"
    tables = (_named(falls.tables[0], "average"), _named(grows.tables[0], "maximum"))
    return replace(falls, ruling=each_holds([falls.ruling, grows.ruling]), because=because, tables=tables)


def _harmonize(operation: str, figures: str) -> Claim:
    return Claim(
        f"harmonize-{operation}",
        f"The average latency of MPI_{operation.capitalize()} after a barrier differs from that after Harmonize.",
        f"{SPACE_AND_TIME}, {figures}",
        RULE,
        quick_or(_QUICK, _FULL, **_COMMON, op=operation),
        _differs,
        one_process,
        read=AVERAGE,
        least_percent=LEAST_PERCENT,
        simulated="64",
    )


CLAIMS = (
    _harmonize("reduce", "Fig. 6 to 8"),
    _harmonize("bcast", "Fig. 9 to 11"),
    _harmonize("allreduce", "Fig. 12 to 14"),
    Claim(
        "harmonize-scatter-gather",
        f"The average latencies of MPI_Scatter and MPI_Gather differ less than {MOST_ALIKE:g} times between barrier "
        "and Harmonize.",
        f"{SPACE_AND_TIME}, sec. 6.6, against Fig. 6",
        f"signed-rank tests of each case against ratios of {MOST_ALIKE:g}, by which those of MPI_Reduce differ in the "
        "paper's figure, and its inverse, all at 5 %; refuted where a case is shown to lie beyond them (Holm, 5 %)",
        quick_or(_QUICK, _FULL, **_COMMON, op="scatter,gather"),
        _alike,
        one_process,
        read=AVERAGE,
        least_percent=round(100 * (MOST_ALIKE - 1), 3),
        simulated="64",
    ),
    Claim(
        "linear-reduce",
        "With more processes the average latency of a linear MPI_Reduce falls, while the longest grows.",
        f"{SPACE_AND_TIME}, Fig. 6 to 8, sec. 6.6",
        "rank-sum tests of all cases together (Holm, 5 %): with more processes the average is proven smaller and the "
        f"longest larger, both by {LEAST_PERCENT:g} % or more; refuted where one of the two is shown to be less in "
        "every case (Holm, 5 %)",
        quick_or(
            {"launches": 8, "sizes": "8", "nrep": 50},
            {"launches": 30, "sizes": "8,512,4Ki", "nrep": 500},
            op="reduce_as_receives",
            n=2,
            procsync="harmonize",
        ),
        _linear_reduce,
        one_number,
        read=AVERAGE,
        least_percent=LEAST_PERCENT,
        simulated="4,64",
    ),
)
