"""The claim that run times in windows drift with clocks of which only offsets are known, beside clocks whose drifts are
learnt, and starts by a barrier.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ictus.comparison.case_rows import case_rows
from ictus.comparison.case_titles import grouped, operation_title
from ictus.diagnosis.analysis import CaseDiagnosis, diagnose, samples_of
from ictus.diagnosis.tables import DIAGNOSIS_COLUMNS, explained_table, signed_percent
from ictus.model.quantity import format_size
from ictus.render.figures.stationarity import BinnedLine, bins_figure
from ictus.render.page import Legend, Panel
from ictus.render.table import records
from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import sign_rule, together
from ictus.store.campaign import Campaign
from ictus.studies.claim import EVERY_SAMPLE, REVISITED, Claim, ClaimResult, quick_or
from ictus.studies.clocks.mapping import algorithm_of, both_mappings, mapping_of

OFFSETS = ("skampi", "netgauge")
"""Algorithms that learn no drift."""
BARRIER = "barrier"
_KINDS = _ONLY_OFFSETS, _DRIFTS, _BARRIERS = (
    "in windows by clocks of which only offsets are known",
    "in windows by clocks whose drifts are learnt",
    "after a barrier",
)


def thirds(values: FloatArray) -> tuple[float, float]:
    """Medians of the first and the last third; the middle keeps them apart."""
    third = values.size // 3
    return (float(np.median(values[:third])), float(np.median(values[-third:]))) if third else (np.nan, np.nan)


def _growth(campaign: Campaign, case: CaseDiagnosis) -> FloatArray:
    """By how much the last third of each launch is longer than its first, a share of it."""
    kept = [samples_of(campaign, case.row, launch.slot) for launch in case.launches]
    ends = np.array([thirds(samples.values_s) for samples in kept if samples is not None]).reshape(-1, 2)
    return np.asarray(ends[:, 1] / ends[:, 0] - 1)


def _clocks(case: CaseDiagnosis) -> str:
    return algorithm_of(str(case.row.case["clocksync"]))


def _in_windows(case: CaseDiagnosis) -> bool:
    return not str(case.row.case["procsync"]).startswith(BARRIER)


def series_of(case: CaseDiagnosis) -> str:
    """What a line is called: the algorithm of its clocks, and whether a barrier starts ranks."""
    return _clocks(case) if _in_windows(case) else f"{BARRIER}, {_clocks(case)}"


def _runtime_drift(campaign: Campaign) -> ClaimResult:
    cases = diagnose(campaign, tuple(case_rows(campaign)))
    grown: dict[str, list[FloatArray]] = {}
    for case in cases:
        kind = (_ONLY_OFFSETS if _clocks(case) in OFFSETS else _DRIFTS) if _in_windows(case) else _BARRIERS
        grown.setdefault(kind, []).append(_growth(campaign, case))
    rulings = [sign_rule(int((each > 0).sum()), int((each < 0).sum())) for each in grown.get(_ONLY_OFFSETS, [])]
    texts = [
        f"{signed_percent(float(np.median(np.concatenate(grown[kind]))))} {kind}" for kind in _KINDS if kind in grown
    ]
    because = f"from the first to the last third of a launch run times change in the median by {', '.join(texts)}"
    legend = Legend(tuple(dict.fromkeys(map(series_of, cases))))
    rows = records(cases, DIAGNOSIS_COLUMNS)
    return ClaimResult(together(rulings), because, (explained_table(cases),), rows, _panels(cases, legend), legend)


def _panels(cases: Sequence[CaseDiagnosis], legend: Legend) -> tuple[Panel, ...]:
    """All clocks of a library in one figure, stamps that are interpolated and those that are not apart."""
    panels = []
    for group in grouped(cases, lambda case: (case.row.mpi, mapping_of(str(case.row.case["clocksync"])))):
        lines = [line for case in group if (line := _line(case, legend)) is not None]
        if lines:
            case = group[0].row.case
            title = f"{operation_title(case)}, {format_size(int(case['size_bytes']))}, {group[0].row.mpi}"
            detail = f"stamps {mapping_of(str(case['clocksync']))}, medians over launches of the means of bins"
            panels.append(Panel(title, detail, bins_figure(lines, f"Run times of {title} in a launch, {detail}")))
    return tuple(panels)


def _line(case: CaseDiagnosis, legend: Legend) -> BinnedLine | None:
    """None of launches too short for bins."""
    most = max((launch.drift.means.size for launch in case.launches), default=0)
    if not most:
        return None
    means = np.array([launch.drift.means for launch in case.launches if launch.drift.means.size == most])
    n_samples = float(np.median([launch.n_samples for launch in case.launches]))
    series = series_of(case)
    middles = (np.arange(most) + 0.5) * n_samples / most
    return BinnedLine(series, legend.index(series), middles, np.median(means, axis=0))


def _simulated(_: int) -> Mapping[str, Any]:
    """Fewer calls and longer windows: waiting costs a simulator nothing, messages do, of which learning a drift takes
    fewer too. Of the messages of a call of hundreds of processes some are always late, so that clocks have to run away
    for longer to be seen.
    """
    clocksync = both_mappings(("skampi", "hca(drift=regression(fitpoints=100))"))
    return {"procsync": ["window(size=5ms)", "barrier(library)"], "nrep": 150, "clocksync": clocksync}


CLAIM = Claim(
    "runtime-drift",
    "With clocks of which only the offset is known, run times in windows drift upwards.",
    f"{REVISITED}, Fig. 4, 17, 18, 38-40",
    "sign test over launches, last against first third, of SKaMPI's and Netgauge's clocks, with stamps that are "
    "interpolated and extrapolated (Holm, 5 %); clocks are skewed by 20 ppm, and the truth of the call does not change",
    quick_or(
        {"launches": 8, "nrep": 2000, "clocksync": both_mappings(("skampi", "hca"))},
        {"launches": 10, "nrep": 100000, "clocksync": both_mappings((*OFFSETS, "jk", "hca"))},
        op="allreduce",
        sizes="1000",
        n=2,
        clock="skewed(drift=20ppm)",
        procsync=["window(size=50us)", "barrier(library)"],
    ),
    _runtime_drift,
    read=EVERY_SAMPLE,
    planted="clocks drift by some 20 ppm, and only their offsets are measured",
    simulated="64",
    when_simulated=_simulated,
)
