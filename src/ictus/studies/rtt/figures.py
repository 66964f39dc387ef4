"""Figures of round trips: how long they took, and what a bound of an offset costs."""

from collections.abc import Sequence

import numpy as np

from ictus.render.figures.clock_errors import Departure, departure_figure
from ictus.render.figures.distributions import Mark, histogram_figure
from ictus.render.page import Panel
from ictus.stats.histograms import histogram
from ictus.studies.rtt.analysis import PairSummary
from ictus.studies.rtt.record import RoundTripStudy
from ictus.studies.rtt.tables import pair_name, shown


def trip_panels(study: RoundTripStudy, pairs: Sequence[PairSummary]) -> tuple[Panel, ...]:
    """How long round trips of each pair took."""
    measured = {(pair[0].client, pair[0].reference): pair for pair in study.pairs}
    panels = []
    for index, summary in enumerate(shown(pairs)):
        rtt = np.concatenate([trips.rtt_s for trips in measured[summary.client, summary.reference]])
        inside = rtt[rtt <= summary.p99_s]
        marks = (Mark("median", summary.median_s), Mark("99 % quantile", summary.p99_s, dashed=True))
        svg = histogram_figure(
            histogram(inside), None, marks, index=index, what="exchanges", label=f"Ranks {pair_name(summary)}",
            x_label="round trip",
        )  # fmt: skip
        panels.append(Panel(f"Ranks {pair_name(summary)}", "99 % of all exchanges", svg))
    return tuple(panels)


def offset_panels(pairs: Sequence[PairSummary]) -> tuple[Panel, ...]:
    """What the first exchanges prove of an offset, against the time that they take."""
    lines = tuple(
        Departure(pair_name(summary), index, tuple((each.cost_s, each.bound_s) for each in summary.quality))
        for index, summary in enumerate(shown(pairs))
    )
    svg = departure_figure(lines, "Proven bound of an offset against its cost", "time of the exchanges", "proven bound")
    return (Panel("What a bound costs", "half the least round trip so far", svg),)
