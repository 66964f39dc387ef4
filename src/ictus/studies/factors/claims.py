"""Claims that one factor changes the result: the same calls with each of its values, compared case by case."""

from collections.abc import Callable, Mapping
from typing import Any

from ictus.comparison.case_rows import case_rows
from ictus.comparison.compared_factor import cases_by
from ictus.comparison.comparison import compare
from ictus.comparison.figures import case_groups, latency_panels, series_by
from ictus.comparison.rows import comparison_record
from ictus.comparison.tables import comparison_table
from ictus.model.errors import OptionError
from ictus.mpi.governor import check_governors
from ictus.render.page import Legend
from ictus.store.campaign import Campaign
from ictus.studies.claim import MASSIVE_SCALE, REVISITED, Claim, ClaimResult, one_process
from ictus.studies.factors.contrasts import (
    LEAST_PERCENT,
    Shows,
    any_difference,
    because_of,
    contrasts,
    is_faster,
    judge_contrasts,
)

RULE = (
    f"rank tests that one side takes less by {LEAST_PERCENT:g} % or more, of all cases together (Holm, 5 %); refuted "
    "where every case is shown to differ by less"
)


def judge_factor(by: str, *shows: Shows) -> Callable[[Campaign], ClaimResult]:
    """Compares all values of the factor `by`; each of `shows` is to be proven, by the least effect that matters."""

    def judge(campaign: Campaign) -> ClaimResult:
        told, all_contrasts = compare(campaign, by=by), contrasts(campaign, by, LEAST_PERCENT)
        rows = cases_by(campaign, tuple(case_rows(campaign)), by)
        legend = Legend(
            tuple(dict.fromkeys(series_by(by)(row) for _, _, group in case_groups(rows, by) for row in group))
        )
        table = comparison_table(told.rows, told.alternative, told.level, told.equivalence)
        data = tuple(map(comparison_record, told.rows))
        panels = latency_panels(rows, legend, by)
        because = "; ".join(because_of(all_contrasts, show, LEAST_PERCENT) for show in shows)
        return ClaimResult(judge_contrasts(all_contrasts, shows), because, (table,), data, panels, legend)

    return judge


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
        least_percent=LEAST_PERCENT,
    )


CLAIMS = (
    _factor(
        "window-barrier",
        "Medians by windows and by barriers differ.",
        f"{REVISITED}, Fig. 44",
        "procsync",
        {"op": "bcast", "procsync": "window,barrier(library)"},
        hidden=one_process,
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
