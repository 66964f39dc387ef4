"""The claim that longer windows have fewer invalid samples."""

from ictus.render.page import Legend
from ictus.render.table import records
from ictus.stats.claim_rules import Ruling, sign_rule, together
from ictus.store.campaign import Campaign
from ictus.studies.claim import REVISITED, Claim, ClaimResult, one_process, quick_or
from ictus.studies.window_size.analysis import LIMIT, WindowSweep, window_sweeps
from ictus.studies.window_size.figures import window_panels
from ictus.studies.window_size.tables import COLUMNS, window_rows, window_table

SIZES_US = (0.7, 1, 1.5, 3, 10, 30)


def _shares(sweep: WindowSweep) -> tuple[Ruling, float, float]:
    """Launch by launch: are more samples invalid in the shortest window than in the longest?"""
    first, last = sweep.points[0], sweep.points[-1]
    ups = sum(a > b for a, b in zip(first.shares, last.shares, strict=True))
    downs = sum(a < b for a, b in zip(first.shares, last.shares, strict=True))
    return sign_rule(ups, downs), first.share, last.share


def _window_size(campaign: Campaign) -> ClaimResult:
    sweeps = [window_sweep for window_sweep in window_sweeps(campaign, LIMIT) if len(window_sweep.points) > 1]
    shares = [_shares(sweep) for sweep in sweeps]
    texts = [f"{100 * first:.3g} and {100 * last:.3g} %" for _, first, last in shares]
    because = f"in the shortest and the longest window {'; '.join(texts)} of the samples are invalid"
    ruling = together([share_ruling for share_ruling, _, _ in shares])
    labels = Legend(tuple(dict.fromkeys(sweep.mpi for sweep in sweeps)))
    rows = tuple(row for sweep in sweeps for row in records(window_rows(sweep), COLUMNS))
    return ClaimResult(ruling, because, (window_table(sweeps),), rows, window_panels(sweeps, labels))


CLAIMS = (
    Claim(
        "window-size",
        "Fewer samples are invalid in long windows than in short ones.",
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
        one_process,
    ),
)
