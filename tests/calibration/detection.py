"""A/B: one library against itself made slower by 1, 2, 5, 10 %, in real campaigns: is it found as often as promised?

The delay is interposed by libictus-delay, a share of what the call takes in pilot campaigns: the median of several, for
one may meet a busy machine. It is verified twice: by the shim's own log, and by the product on a single rank, where a
collective has next to nothing to do: what the delayed call takes there beyond the same call without delay is the delay,
and `empty`, which calls nothing, must not change. Whether it is the share that was asked for depends on what the call
takes in the campaigns themselves: where that is far from the pilots, nothing is measured to the end.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from tests.calibration.series import BUILD, bench, measure

import ictus
from ictus.engine.series import Part
from ictus.model.errors import MeasurementError
from ictus.model.registries import Registries
from ictus.store.campaign import Campaign

FOLDER = "slowed"
BASE = "base"
SHARES = (1, 2, 5, 10)
"""By how many percent calls are made slower."""
SIZES = "1Mi"
"""So large that 1 % of a broadcast is a delay that can be made, also where 256 KiB take 6 us."""
OPERATIONS = ("bcast", "allreduce")
LEAST_NS = 100
"""A shorter delay is not much longer than a reading of the clock that ends it."""
SEED = 1_000_000
PILOTS = 5
CHECKED = 3
"""So many campaigns tell whether the delays are the shares that they are to be."""
LAUNCHES = 12
"""Of each label in a campaign: on an idle machine 5 % is then found about every other time."""
FURTHEST_OFF = 1 / 3
"""Of a share: further off, what was injected is not what the table says."""


@dataclass(frozen=True)
class Delay:
    """One delay of one operation. Nanoseconds."""

    share: int
    operation: str
    asked_ns: int
    logged_ns: float
    """The shortest wait by the shim's own log: its mean is at the mercy of whoever else wants the core."""
    measured_ns: float
    """Median of the call with it minus the one without, on one rank."""
    empty_ns: float
    """The same of `empty`."""


@dataclass(frozen=True)
class Detection:
    """All that was measured."""

    delays: tuple[Delay, ...]
    left_out: tuple[str, ...]
    """Delays that would have been too short."""
    campaigns: tuple[Campaign, ...]

    @property
    def shares(self) -> tuple[int, ...]:
        """Those that were measured for every operation."""
        return tuple(dict.fromkeys(delay.share for delay in self.delays))


def label_of(share: int) -> str:
    """`slow-5`."""
    return f"slow-{share}"


_COMMON = {"op": ",".join(OPERATIONS), "sizes": SIZES}


def measured(campaigns: int) -> Detection:
    """Pilot, verification and so many campaigns, as far as they are not there."""
    alone = bench((BASE,))
    pilots = [
        alone.part(f"pilot-{number}", {**_COMMON, "launches": 10, "seed": SEED + number}) for number in range(PILOTS)
    ]
    measure(FOLDER, pilots, alone.execute)
    asked, left_out = delays_for(typical([_medians(ictus.load(BUILD / FOLDER / pilot.name)) for pilot in pilots]))
    mpi_names = {name: str(Registries.load().operation(name).mpi_name) for name in OPERATIONS}
    texts = {
        label_of(share): ",".join(f"{mpi_names[name]}={ns}" for name, ns in by_operation.items())
        for share, by_operation in asked.items()
    }
    all_of_them = bench((BASE, *texts), texts)
    verification = all_of_them.part("delay", _verification())
    parts = [all_of_them.part(f"{number:03}", _plan(number)) for number in range(campaigns)]
    measure(FOLDER, [verification, *parts[:CHECKED]], all_of_them.execute)
    first = [_medians(ictus.load(BUILD / FOLDER / part.name)) for part in parts[:CHECKED]]
    if wrong := far_off(asked, typical(first)):
        raise MeasurementError(
            f"{'; '.join(wrong)}: calls take another time than in the pilots, because the machine is busy or was; "
            f"delete {BUILD / FOLDER} and measure anew while it is idle"
        )
    measure(FOLDER, parts, all_of_them.execute)
    return Detection(
        delays=tuple(_verified(verification, asked)),
        left_out=left_out,
        campaigns=tuple(ictus.load(BUILD / FOLDER / part.name) for part in parts),
    )


def typical(campaigns: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The median over campaigns of what each operation takes."""
    return {name: float(np.median([one[name] for one in campaigns])) for name in campaigns[0]}


def far_off(asked: Mapping[int, Mapping[str, int]], base_s: Mapping[str, float]) -> list[str]:
    """Delays that are more than a third off their share of what an operation takes."""
    return [
        f"{share} % of {name} is {1e-7 * ns / base_s[name]:.3g} %"
        for share, by_operation in asked.items()
        for name, ns in by_operation.items()
        if off(share, 1 + 1e-9 * ns / base_s[name])
    ]


def off(share: int, ratio: float) -> bool:
    """Whether a true ratio is more than a third off the share in percent that it is to be."""
    return abs(100 * (ratio - 1) / share - 1) > FURTHEST_OFF


def delays_for(base_s: Mapping[str, float]) -> tuple[dict[int, dict[str, int]], tuple[str, ...]]:
    """Nanoseconds by share and operation, from what each operation takes; and what is too short to be interposed."""
    wanted = {share: {name: round(1e9 * s * share / 100) for name, s in base_s.items()} for share in SHARES}
    short = [
        f"{share} % of {name}: {ns} ns" for share, by in wanted.items() for name, ns in by.items() if ns < LEAST_NS
    ]
    kept = {share: by for share, by in wanted.items() if min(by.values()) >= LEAST_NS}
    return kept, tuple(short)


def _plan(number: int) -> dict[str, object]:
    return {**_COMMON, "launches": LAUNCHES, "seed": SEED + PILOTS + number}


def _verification() -> dict[str, object]:
    """Single ranks, several thousand calls."""
    return {
        "op": ",".join(("empty", *OPERATIONS)),
        "sizes": "8",
        "n": 1,
        "nrep": 2000,
        "launches": 5,
        "clocksync": "none",
        "procsync": "none",
        "seed": SEED,
    }


def _verified(part: Part, asked: Mapping[int, Mapping[str, int]]) -> Iterator[Delay]:
    campaign = ictus.load(BUILD / FOLDER / part.name)
    base = _medians(campaign)
    for share, by_operation in asked.items():
        label = label_of(share)
        medians, logged = _medians(campaign, label), _logged(campaign, label)
        for name, ns in by_operation.items():
            yield Delay(
                share=share,
                operation=name,
                asked_ns=ns,
                logged_ns=logged[str(Registries.load().operation(name).mpi_name)],
                measured_ns=1e9 * (medians[name] - base[name]),
                empty_ns=1e9 * (medians["empty"] - base["empty"]),
            )


def _medians(campaign: Campaign, label: str = BASE) -> dict[str, float]:
    """Median of the launch medians of each operation, seconds."""
    of_label = campaign.summaries.filter(pl.col("mpi") == label).drop("n").join(campaign.cases, on="case_id")
    found = of_label.group_by("operation").agg(pl.col("median").median())
    return {str(name): float(value) for name, value in found.iter_rows()}


def _logged(campaign: Campaign, label: str) -> dict[str, float]:
    """The shortest wait of each operation in a launch of a label, as the shim wrote it, mean over launches; ns."""
    lines: dict[str, list[float]] = {}
    for launch in campaign.launches:
        if launch.mpi == label:
            for text in (launch.folder / "delay.jsonl").read_text("utf-8").splitlines():
                line = json.loads(text)
                lines.setdefault(line["operation"], []).append(line["least_ns"])
    return {name: float(np.mean(means)) for name, means in lines.items()}


def launch_medians(campaign: Campaign, label: str) -> dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """The launch medians of each operation, seconds, in the order measured; of launches with a valid sample."""
    of_label = campaign.summaries.filter(pl.col("mpi") == label).drop("n").join(campaign.cases, on="case_id")
    groups: Sequence[tuple[tuple[object, ...], pl.DataFrame]] = list(of_label.group_by("operation"))
    return {str(key[0]): group.sort("slot")["median"].drop_nulls().to_numpy() for key, group in groups}
