"""The claim that longer windows have fewer invalid samples, whatever synchronised the clocks."""

from collections.abc import Sequence

from ictus.comparison.case_titles import grouped
from ictus.render.page import Legend
from ictus.render.table import records
from ictus.stats.claim_rules import Ruling, sign_rule, together
from ictus.store.campaign import Campaign
from ictus.studies.claim import REVISITED, Claim, ClaimResult, one_process, quick_or
from ictus.studies.clocks.mapping import EXTRAPOLATED, algorithm_of, both_mappings, mapping_of
from ictus.studies.window_size.analysis import LIMIT, WindowSweep, window_sweeps
from ictus.studies.window_size.figures import label_of, place_of, window_panels
from ictus.studies.window_size.tables import COLUMNS, window_rows, window_table

SIZES_US = (0.7, 1, 1.5, 3, 10, 30)


def _shares(sweeps: Sequence[WindowSweep]) -> Ruling:
    """Launch by launch, under all clocks: are more samples invalid in the shortest window than in the longest?"""
    pairs = [pair for sweep in sweeps for pair in zip(sweep.points[0].shares, sweep.points[-1].shares, strict=True)]
    return sign_rule(sum(first > last for first, last in pairs), sum(first < last for first, last in pairs))


def _range(sweeps: Sequence[WindowSweep], place: int) -> str:
    """The shares of invalid samples in the window at that place, over clocks."""
    shares = [100 * sweep.points[place].share for sweep in sweeps]
    low, high = f"{min(shares):.3g}", f"{max(shares):.3g}"
    return low if low == high else f"{low} to {high}"


def _call(sweep: WindowSweep) -> str:
    return f"{label_of(sweep)}, {place_of(sweep)}"


def _window_size(campaign: Campaign) -> ClaimResult:
    several = [sweep for sweep in window_sweeps(campaign, LIMIT) if len(sweep.points) > 1]
    sweeps = sorted(several, key=lambda sweep: (_call(sweep), _is_extrapolated(sweep), _series(sweep)))
    calls = grouped(sweeps, _call)
    texts = [f"{_range(call, 0)} % and {_range(call, -1)} % of {_call(call[0])}" for call in calls]
    because = f"samples that are invalid in the shortest window and in the longest: {'; '.join(texts)}"
    series = Legend(tuple(dict.fromkeys(map(_series, sweeps))))
    rows = tuple(row for sweep in sweeps for row in records(window_rows(sweep), COLUMNS))
    panels = window_panels(sweeps, series, _panel, _series)
    return ClaimResult(together(list(map(_shares, calls))), because, (window_table(sweeps),), rows, panels, series)


def _series(sweep: WindowSweep) -> str:
    return algorithm_of(str(sweep.case["clocksync"]))


def _is_extrapolated(sweep: WindowSweep) -> bool:
    return mapping_of(str(sweep.case["clocksync"])) == EXTRAPOLATED


def _panel(sweep: WindowSweep) -> str:
    return f"{_call(sweep)}, stamps {mapping_of(str(sweep.case['clocksync']))}"


CLAIMS = (
    Claim(
        "window-size",
        "Fewer samples are invalid in long windows than in short ones.",
        f"{REVISITED}, Fig. 19, 20, 32",
        "sign test over launches of each call, under all clocks, shortest against longest window (Holm, 5 %); clocks "
        "are skewed by 20 ppm",
        quick_or(
            {
                "launches": 8,
                "repetition": "fixed(nrep=200,max_attempts=200)",
                "clocksync": both_mappings(("skampi", "hca")),
            },
            {
                "launches": 10,
                "repetition": "fixed(nrep=1000,max_attempts=1000)",
                "clocksync": both_mappings(("skampi", "netgauge", "jk", "hca")),
            },
            op="alltoall,scan",
            sizes="8Ki",
            n=2,
            clock="skewed(drift=20ppm)",
            procsync=[f"window(size={size}us)" for size in SIZES_US],
        ),
        _window_size,
        one_process,
    ),
)
