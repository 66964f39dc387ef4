"""The claim that calibrated frequencies vary."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ictus.engine.study_options import HERE, platform_of
from ictus.model.quantity import format_duration
from ictus.render.table import records
from ictus.stats.claim_rules import share_rule, together
from ictus.studies.claim import REVISITED, Claim, ClaimResult, quick_or
from ictus.studies.clocks.record import ClocksStudy
from ictus.studies.clocks.tables import ppm
from ictus.studies.frequency.analysis import reference, summarise
from ictus.studies.frequency.figures import frequency_panels
from ictus.studies.frequency.tables import COLUMNS, frequency_table

APART = 1e-6
"""By so much two calibrations differ, where it is worth telling: a microsecond each second."""
SHORTEST_S = 0.01
"""The calibrations that are judged: those of Netgauge take about as long."""


def pairs_apart(relative: Sequence[float]) -> tuple[int, int]:
    """Pairs of calibrations in a row that differ by `APART` or more, and all pairs; each calibration is in one."""
    values = np.asarray(relative, np.float64)
    differences = np.abs(values[1::2] - values[: values.size // 2 * 2 : 2])
    return int((differences >= APART).sum()), differences.size


def _frequency(study: ClocksStudy) -> ClaimResult:
    (launch,) = study.frequency
    sources = summarise(launch)
    judged = [source for source in sources if source.source == "calibrated" and source.duration_s == SHORTEST_S]
    counts = [pairs_apart(rank) for summary in judged for rank in summary.relative if rank]
    hits, trials = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0)
    worst = max((abs(source.worst) for source in judged), default=0.0)
    because = (
        f"{hits} of {trials} pairs of calibrations of {format_duration(SHORTEST_S)} differ by 1 ppm or more; the worst "
        f"makes a clock drift by {ppm(worst)} µs a second, which one fixed frequency for all ranks does not"
    )
    return ClaimResult(
        together([share_rule(*hits_and_trials) for hits_and_trials in counts]),
        because,
        (frequency_table(sources, reference(launch)),),
        records(sources, COLUMNS),
        frequency_panels(sources),
    )


def _real(values: Mapping[str, Any]) -> str | None:
    """A simulator has no counter."""
    if platform_of(values.get("platform", HERE)) is None:
        return None
    return "a simulator has no counter whose frequency could be calibrated"


CLAIMS = (
    Claim(
        "frequency",
        "A calibrated frequency varies from calibration to calibration.",
        f"{REVISITED}, Fig. 2, 3",
        "pairs of calibrations of 10 ms that differ by 1 ppm or more, more than one in twenty (exact binomial test, "
        "ranks by Holm, 5 %); refuted where they are shown to be less than one in five, of every rank",
        quick_or(
            {"repeats": 40, "durations_s": (SHORTEST_S, 0.1), "waits_s": (0.0, 1.0)},
            {"repeats": 100, "durations_s": (SHORTEST_S, 0.1, 1.0), "waits_s": tuple(range(11))},
            n=2,
        ),
        _frequency,
        _real,
        simulated="64",
    ),
)
