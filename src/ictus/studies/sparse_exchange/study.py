"""The claim that sparse exchanges, whose schedule each rank computes by itself, replace neighbourhood collectives."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from ictus.comparison.matching import medians
from ictus.model.quantity import format_size
from ictus.model.spec import parse_spec
from ictus.render.figures.latency import LatencyPoint, LatencySeries, latency_figure, launches_point
from ictus.render.page import Legend, Panel
from ictus.render.table import Block, Column, Table, Times
from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import Ruling, Seen, no_longer_rules, sign_rule, together, together_alike
from ictus.store.campaign import Campaign
from ictus.studies.campaign_material import CampaignMaterial
from ictus.studies.claim import Claim, ClaimResult, quick_or
from ictus.studies.study import study_of_claims

NEIGHBOUR = "neighbor_alltoall"
SCHEDULES = ("direct", "dimensions", "logarithmic")
SERIES = Legend((NEIGHBOUR, *SCHEDULES))
COMPARABLE = 2.0
"""Times as long as the neighbourhood collective an exchange may take and still be called comparable: our reading of the
abstract, which gives no number.
"""
_OPERATIONS = [
    f"{NEIGHBOUR}(cartesian(2,periodic=on))",
    *(f"sparse_alltoall({schedule},balanced(2),vonneumann(1))" for schedule in SCHEDULES),
]
"""The four neighbours of a two-dimensional torus, by each of them."""


@dataclass(frozen=True)
class Exchange:
    """One way to exchange, at one size, in the launches of one library. Seconds, shape (launches,)."""

    mpi: str
    way: str
    """`neighbor_alltoall`, or a schedule."""
    size_bytes: int
    set_up_s: FloatArray
    call_s: FloatArray

    def as_row(self) -> dict[str, str | int | float]:
        """Medians, for scripts."""
        times = {"set_up_s": self.set_up_s, "call_s": self.call_s, "first_call_s": self.set_up_s + self.call_s}
        medians_s = {name: float(np.median(values)) for name, values in times.items()}
        return {"mpi": self.mpi, "way": self.way, "size_bytes": self.size_bytes, **medians_s}


def set_up_of(text: str) -> float:
    """All that was made before the first call, from `schedule=2e-06,datatypes=1e-05`; NaN where nothing is named."""
    return sum(float(part.partition("=")[2]) for part in text.split(",")) if text else float("nan")


def exchanges(campaign: Campaign) -> tuple[Exchange, ...]:
    """Those that every launch of a library has: without a valid sample a launch says nothing of a size."""
    set_ups = {
        (launch.slot.slot, case.case_id): set_up_of(case.set_up_s)
        for launch in campaign.launches
        for case in launch.record.cases
    }
    times_by_way: dict[tuple[str, str, int], dict[int, tuple[float, float]]] = {}
    frame = medians(campaign).filter(pl.col("value").is_not_null())
    for row in frame.select("mpi", "operation", "size_bytes", "slot", "case_id", "value").iter_rows(named=True):
        operation = parse_spec(row["operation"])
        way = NEIGHBOUR if operation.name == NEIGHBOUR else str(operation.argument("algorithm"))
        of_way = times_by_way.setdefault((row["mpi"], way, row["size_bytes"]), {})
        of_way[row["slot"]] = (set_ups[row["slot"], row["case_id"]], row["value"])
    full_slots = {
        mpi: set.intersection(*(set(slots) for (of, _, _), slots in times_by_way.items() if of == mpi))
        for mpi, _, _ in times_by_way
    }
    return tuple(
        Exchange(*key, *np.array([slots[slot] for slot in sorted(full_slots[key[0]])]).reshape(-1, 2).T)
        for key, slots in times_by_way.items()
    )


def judge_way(theirs: Sequence[Exchange], ours: Sequence[Exchange]) -> Ruling:
    """One schedule in one library, sizes in the same order: set up faster, and at every size no longer than comparable;
    each of these has to be shown.
    """
    made = [np.sum([exchange.set_up_s for exchange in each], axis=0) for each in (theirs, ours)]
    faster = sign_rule(int((made[1] < made[0]).sum()), int((made[1] > made[0]).sum()))
    calls = [np.array([exchange.call_s for exchange in each]) for each in (ours, theirs)]
    return together_alike([faster, *no_longer_rules(calls[0], calls[1], COMPARABLE)])


def _pairs(all_exchanges: Sequence[Exchange]) -> Mapping[tuple[str, str], tuple[list[Exchange], list[Exchange]]]:
    """By library and schedule: the neighbourhood collective and the schedule, by size."""
    ordered = sorted(
        (exchange for exchange in all_exchanges if exchange.call_s.size), key=lambda exchange: exchange.size_bytes
    )
    pairs = {}
    for mpi, way in dict.fromkeys((exchange.mpi, exchange.way) for exchange in ordered if exchange.way != NEIGHBOUR):
        sides = [
            [exchange for exchange in ordered if (exchange.mpi, exchange.way) == (mpi, name)]
            for name in (NEIGHBOUR, way)
        ]
        if sides[0] and [exchange.size_bytes for exchange in sides[0]] == [
            exchange.size_bytes for exchange in sides[1]
        ]:
            pairs[mpi, way] = (sides[0], sides[1])
    return pairs


def _judge(campaign: Campaign) -> ClaimResult:
    all_exchanges = exchanges(campaign)
    rulings, texts = [], []
    for (mpi, way), (theirs, ours) in _pairs(all_exchanges).items():
        ruling = judge_way(theirs, ours)
        rulings.append(ruling)
        made = np.median(
            np.sum([our.set_up_s for our in ours], axis=0) / np.sum([their.set_up_s for their in theirs], axis=0)
        )
        calls = [float(np.median(b.call_s / a.call_s)) for a, b in zip(theirs, ours, strict=True)]
        span = " to ".join(dict.fromkeys(f"{ratio:.3g}" for ratio in (min(calls), max(calls))))
        no = "" if ruling.seen is Seen.HOLDS else ", which does not show it"
        texts.append(f"{way} in {mpi} is set up in {made:.3g} and exchanges in {span} times the time{no}")
    because = "; ".join(texts) or "no launch has valid samples of both sides"
    rows = [exchange.as_row() for exchange in all_exchanges]
    return ClaimResult(
        together(rulings), because, (exchange_table(all_exchanges),), rows, _panels(all_exchanges), SERIES
    )


def exchange_table(all_exchanges: Sequence[Exchange]) -> Table[Exchange]:
    """Set-up and exchange of each way; a block for each library."""
    column = Column[Exchange]
    columns = (
        column("size_bytes", "size", lambda row: format_size(row.size_bytes), once=True),
        column("way", "exchange", lambda row: row.way, "left"),
        column("set_up_s", "set-up", lambda row: Times(float(np.median(row.set_up_s))), "point"),
        column("call_s", "exchange", lambda row: Times(float(np.median(row.call_s))), "point"),
        column("", "both", lambda row: Times(float(np.median(row.set_up_s + row.call_s))), "point"),
    )
    ordered = sorted(all_exchanges, key=lambda row: (row.size_bytes, SERIES.index(row.way)))
    labels = dict.fromkeys(exchange.mpi for exchange in all_exchanges)
    return Table(
        columns, [Block(mpi, "medians", [exchange for exchange in ordered if exchange.mpi == mpi]) for mpi in labels]
    )


def _panels(all_exchanges: Sequence[Exchange]) -> tuple[Panel, ...]:
    """Of each library the exchange, and what the first one takes with its set-up."""
    panels = []
    for mpi in dict.fromkeys(exchange.mpi for exchange in all_exchanges):
        for title, set_up in (("exchange", 0.0), ("set-up and one exchange", 1.0)):
            of_library = [
                exchange for exchange in all_exchanges if exchange.mpi == mpi and np.isfinite(exchange.set_up_s).all()
            ]
            lines = [
                LatencySeries(
                    way,
                    SERIES.index(way),
                    tuple(_point(exchange, set_up) for exchange in of_library if exchange.way == way),
                )
                for way in SERIES.labels
                if any(exchange.way == way and exchange.call_s.size for exchange in of_library)
            ]
            if lines:
                panels.append(Panel(title, mpi, latency_figure(lines, f"{title} against size, {mpi}", what="time")))
    return tuple(panels)


def _point(exchange: Exchange, set_up: float) -> LatencyPoint:
    return launches_point(exchange.size_bytes, (exchange.call_s + set_up * exchange.set_up_s).tolist())


CLAIMS = (
    Claim(
        "sparse-exchange",
        "Sparse exchanges by schedules that each rank computes by itself are set up faster than neighbourhood "
        "collectives, and take comparable times.",
        "Isomorphic, sparse MPI-like collective communication operations for parallel stencil computations (Träff, "
        "Lübbe, Rougier and Hunold), EuroMPI 2015, abstract",
        "of each schedule in each library (Holm, 5 %): sign test over launches that it is set up faster, and signed-"
        f"rank tests that at every size it takes at most {COMPARABLE:g} times as long, all at 5 %: it "
        "holds where one schedule does, and is refuted where each is shown to fail in one",
        quick_or(
            {"launches": 12, "sizes": "64,4Ki", "nrep": 100},
            {"launches": 30, "sizes": "8..64Ki*8", "nrep": 1000},
            n=2,
            op=_OPERATIONS,
            procsync="barrier(library)",
        ),
        _judge,
    ),
)

STUDY = study_of_claims("sparse_exchange", CampaignMaterial(), CLAIMS)
