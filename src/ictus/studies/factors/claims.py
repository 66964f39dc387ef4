"""Claims that one factor changes the result: the same calls with each of its values, compared case by case."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from ictus.comparison.case_rows import case_rows
from ictus.comparison.case_titles import operation_title
from ictus.comparison.compared_factor import cases_by
from ictus.comparison.comparison import Comparison, compare
from ictus.comparison.figures import case_groups, latency_panels, series_by
from ictus.comparison.rows import ComparisonRow, comparison_record
from ictus.comparison.tables import comparison_table
from ictus.model.errors import OptionError
from ictus.model.quantity import format_size
from ictus.model.spec import parse_spec
from ictus.mpi.governor import check_governors
from ictus.render.page import Legend
from ictus.stats.claim_rules import Ruling, Seen, each_holds
from ictus.stats.compare import CaseComparison
from ictus.stats.verdict import VerdictKind
from ictus.store.campaign import Campaign
from ictus.studies.claim import MASSIVE_SCALE, REVISITED, Claim, ClaimResult

RULE = "rank tests of all cases together (Holm, 5 %); refuted where every case is shown to be the same within 5 %"
DIFFERENT = (VerdictKind.FASTER.value, VerdictKind.SLOWER.value, VerdictKind.DISTRIBUTIONS.value)
Shows = Callable[[ComparisonRow], bool]
"""Whether a difference that is proven is the one that the paper means."""


class Compared(Protocol):
    """A case of two sides, judged together with others."""

    @property
    def outcome(self) -> str:
        """Of the verdict: a value of `VerdictKind`."""

    @property
    def result(self) -> CaseComparison:
        """The test and its interval."""


Row = TypeVar("Row", bound=Compared)


def judge_rows(rows: Sequence[Row], shows: Callable[[Row], bool]) -> Ruling:
    """HOLDS where a difference as the paper means it is proven: p-values are adjusted over all cases already."""
    meant = [row for row in rows if row.outcome not in DIFFERENT or shows(row)]
    p_value = min((row.result.p_adjusted for row in meant if row.result.p_adjusted is not None), default=None)
    if any(row.outcome in DIFFERENT and shows(row) for row in rows):
        return Ruling(Seen.HOLDS, p_value)
    against = (VerdictKind.SAME.value, *DIFFERENT)
    if rows and all(row.outcome in against for row in rows):
        return Ruling(Seen.DOES_NOT_HOLD, p_value, refuted=True)
    return Ruling(Seen.CANNOT_BE_SEEN, p_value)


def judge_all(rows: tuple[ComparisonRow, ...], shows: Sequence[Shows]) -> Ruling:
    """HOLDS where every one of these differences is proven."""
    return each_holds([judge_rows(rows, one) for one in shows])


def judge_factor(by: str, *shows: Shows) -> Callable[[Campaign], ClaimResult]:
    """Compares all values of the factor `by`; each of `shows` is to be proven."""

    def judge(campaign: Campaign) -> ClaimResult:
        found = compare(campaign, by=by)
        rows = cases_by(campaign, tuple(case_rows(campaign)), by)
        legend = Legend(
            tuple(dict.fromkeys(series_by(by)(row) for _, _, group in case_groups(rows, by) for row in group))
        )
        table = comparison_table(found.rows, found.alternative, found.level, found.equivalence)
        ruling = judge_all(found.rows, shows)
        data = tuple(map(comparison_record, found.rows))
        panels = latency_panels(rows, legend, by)
        because = "; ".join(_because(found, one) for one in shows)
        return ClaimResult(ruling, because, (table,), data, panels, legend)

    return judge


def any_difference(_: Compared) -> bool:
    """Whichever side is faster."""
    return True


def _because(found: Comparison, shows: Shows) -> str:
    proven = [row for row in found.rows if row.outcome in DIFFERENT and shows(row)]
    same = sum(row.outcome == VerdictKind.SAME.value for row in found.rows)
    total = f"{len(found.rows)} comparison{'' if len(found.rows) == 1 else 's'}"
    if not proven:
        return f"none of {total} shows it, {same} show that there is none of 5 % or more"
    worst = max(proven, key=_apart)
    size = f" {format_size(int(worst.case['size_bytes']))}" if worst.case.get("size_bytes") else ""
    most = f"{operation_title(worst.case)}{size}: {worst.a} takes {worst.ratio:.3g} times as long as {worst.b}"
    return f"{len(proven)} of {total} differ, most {most}"


def _apart(row: ComparisonRow) -> float:
    """How many times one side takes as long as the other, 1 or more; 0 where that is unknown."""
    return max(row.ratio, 1 / row.ratio) if row.ratio > 0 else 0.0


def is_faster(value: str) -> Shows:
    """Whether the side of this value is proven faster."""

    def shows(row: ComparisonRow) -> bool:
        faster = {VerdictKind.FASTER.value: row.a, VerdictKind.SLOWER.value: row.b}.get(row.outcome, "")
        return parse_spec(faster).name == value if faster else False

    return shows


def _governors(values: Mapping[str, Any]) -> str | None:
    try:
        check_governors(values["governor"])
    except OptionError as error:
        return str(error)
    return None


QUICK, FULL = {"launches": 8, "sizes": "64,4Ki", "nrep": 100}, {"launches": 30, "sizes": "8..64Ki*8", "nrep": 1000}


def _factor(
    name: str,
    claim: str,
    source: str,
    by: str,
    values: Mapping[str, Any],
    *,
    shows: Shows = any_difference,
    hidden: Callable[[Mapping[str, Any]], str | None] = lambda _: None,
) -> Claim:
    return Claim(
        name,
        claim,
        source,
        RULE,
        lambda quick: {"op": "allreduce", "n": 2, **(QUICK if quick else FULL), **values},
        judge_factor(by, shows),
        hidden,
    )


CLAIMS = (
    _factor(
        "window-barrier",
        "Medians by windows and by barriers differ, by how much depends on the size.",
        f"{REVISITED}, Fig. 44",
        "procsync",
        {"op": "bcast", "procsync": "window,barrier(library)"},
    ),
    _factor(
        "pinning",
        "Where processes are pinned changes the result.",
        f"{REVISITED}, Fig. 21",
        "pin",
        {"pin": "cores,none"},
    ),
    _factor(
        "compiler",
        "The compiler's optimisation changes the result (here: of the benchmark's core).",
        f"{REVISITED}, Fig. 22",
        "core-flags",
        {"core-flags": ["-O1", "-O2", "-O3"]},
    ),
    _factor(
        "dvfs",
        "The processors' frequency changes the result.",
        f"{REVISITED}, Fig. 23",
        "governor",
        {"governor": ["performance", "powersave"]},
        hidden=_governors,
    ),
    _factor(
        "cache",
        "A cold cache makes calls slower than a warm one.",
        f"{REVISITED}, Fig. 24",
        "cache",
        {"cache": "warm,cold-memset"},
        shows=is_faster("warm"),
    ),
    _factor(
        "pipelining",
        "A loop without synchronisation between its calls reports less than a call takes.",
        f"{MASSIVE_SCALE}, Fig. 1",
        "scheme",
        {
            "op": "bcast",
            "nrep": None,
            "methods": [f"barrier(library)/{how}/fixed(nrep=100)" for how in ("per-call", "loop(calls=100)")],
        },
        shows=is_faster("loop"),
    ),
)
