"""Findings about windows: how long they must be, and what a clock that runs away does in them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ictus.comparison.case_rows import case_rows
from ictus.findings.finding import REVISITED, FindingResult, PaperFinding, quick_or
from ictus.findings.material import EVERY_SAMPLE
from ictus.findings.members.samples import thirds
from ictus.findings.rules import Ruling, sign_rule, together
from ictus.render.page import Legend
from ictus.render.table import records
from ictus.store.campaign import Campaign
from ictus.studies.diagnosis.analysis import diagnose, samples_of
from ictus.studies.diagnosis.figures import DrawnCase, drift_panels
from ictus.studies.diagnosis.tables import DIAGNOSIS_COLUMNS, diagnosis_table
from ictus.studies.window_size.analysis import WindowSweep, window_sweeps
from ictus.studies.window_size.figures import window_panels
from ictus.studies.window_size.study import LIMIT
from ictus.studies.window_size.tables import COLUMNS, window_rows, window_table

SIZES_US = (0.7, 1, 1.5, 3, 10, 30)


def _shares(sweep: WindowSweep) -> tuple[Ruling, float, float]:
    """Launch by launch: are more samples invalid in the shortest window than in the longest?"""
    first, last = sweep.points[0], sweep.points[-1]
    ups = sum(a > b for a, b in zip(first.shares, last.shares, strict=True))
    downs = sum(a < b for a, b in zip(first.shares, last.shares, strict=True))
    return sign_rule(ups, downs), first.share, last.share


def _window_size(campaign: Campaign) -> FindingResult:
    sweeps = [one for one in window_sweeps(campaign, LIMIT) if len(one.points) > 1]
    found = [_shares(sweep) for sweep in sweeps]
    said = [f"{100 * first:.3g} and {100 * last:.3g} %" for _, first, last in found]
    because = f"in the shortest and the longest window {'; '.join(said)} of the samples are invalid"
    ruling = together([one for one, _, _ in found])
    labels = Legend(tuple(dict.fromkeys(one.mpi for one in sweeps)))
    rows = tuple(row for sweep in sweeps for row in records(window_rows(sweep), COLUMNS))
    return FindingResult(ruling, because, (window_table(sweeps),), rows, window_panels(sweeps, labels))


def _runtime_drift(campaign: Campaign) -> FindingResult:
    cases = diagnose(campaign, tuple(case_rows(campaign)))
    rulings, grown, drawn = [], list[float](), []
    for one in cases:
        kept = [samples_of(campaign, one.row, launch.slot) for launch in one.launches]
        ends = np.array([thirds(samples.values_s) for samples in kept if samples is not None]).reshape(-1, 2)
        rulings.append(sign_rule(int((ends[:, 1] > ends[:, 0]).sum()), int((ends[:, 1] < ends[:, 0]).sum())))
        grown += list(ends[:, 1] / ends[:, 0] - 1)
        if kept and kept[0] is not None:
            drawn.append(DrawnCase(one, kept[0], campaign.seed))
    typical = f"{100 * float(np.median(grown)):+.3g} %" if grown else "unknown"
    because = f"the last third of a launch is {typical} longer than its first, in the median"
    rows = tuple(records(cases, DIAGNOSIS_COLUMNS))
    return FindingResult(together(rulings), because, (diagnosis_table(cases),), rows, drift_panels(drawn))


def _longer_windows(_: int) -> Mapping[str, Any]:
    """Fewer calls and longer windows: waiting costs a simulator nothing, messages do. Of the messages of a call of
    hundreds of processes some are always late, so that clocks have to run away for longer to be seen.
    """
    return {"procsync": "window(size=5ms)", "nrep": 150}


FINDINGS = (
    PaperFinding(
        "window-size",
        "The longer the window, the fewer samples are invalid.",
        f"{REVISITED}, Fig. 19, 20, 32",
        "sign test over launches, shortest against longest window (Holm, 5 %)",
        quick_or(
            {"launches": 8, "repetition": "fixed(nrep=200,max_attempts=200)"},
            {"launches": 10, "repetition": "fixed(nrep=1000,max_attempts=1000)"},
            op="alltoall",
            sizes="8Ki",
            n=2,
            procsync=[f"window(size={size}us)" for size in SIZES_US],
        ),
        _window_size,
    ),
    PaperFinding(
        "runtime-drift",
        "With clocks of which only the offset is known, run times in windows drift upwards.",
        f"{REVISITED}, Fig. 4, 17, 18, 38-40",
        "sign test over launches, last against first third (Holm, 5 %); clocks are skewed by 20 ppm, and the truth of "
        "the call does not change",
        quick_or(
            {"launches": 8, "nrep": 2000},
            {"launches": 10, "nrep": 100000},
            op="allreduce",
            sizes="1000",
            n=2,
            clock="skewed(drift=20ppm)",
            clocksync="skampi",
            procsync="window(size=50us)",
        ),
        _runtime_drift,
        material=EVERY_SAMPLE,
        simulated="64",
        when_simulated=_longer_windows,
    ),
)
