"""Objects as skew.json holds them (file-format.md), made from exits that a reader can check by hand."""

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from tests.clock_documents import MICROSECOND, head

Exits = Sequence[Sequence[float]]
"""Microseconds: of each repetition, when each rank leaves."""


def profile(times_us: Exits) -> dict[str, Any]:
    """Each rank's time after the first of the same repetition, and each repetition's last minus first."""
    after = [[(time - min(one)) * MICROSECOND for time in one] for one in times_us]
    ranks = list(zip(*after, strict=True))
    return {
        "mean_s": [fmean(rank) for rank in ranks],
        "sd_s": [stdev(rank) if len(rank) > 1 else None for rank in ranks],
        "skew_s": [max(one) for one in after],
    }


def start(spec: str, exits_us: Exits, true_us: Exits | None = None, **more: Any) -> dict[str, Any]:
    """One start: all ranks enter at 0, and leave as told."""
    n = len(exits_us)

    def account(times_us: Exits) -> dict[str, Any]:
        entry = profile([[0.0] * len(one) for one in times_us])
        return {"entry": entry, "exit": profile(times_us), "duration_s": [max(one) * MICROSECOND for one in times_us]}

    return {
        "name": spec,
        "spec": spec,
        "attempted": n,
        "late_entry": 0,
        "missed": 0,
        "valid": n,
        "elapsed_s": 0.1,
        "clock_bound_s": 0.05 * MICROSECOND,
        "measured": account(exits_us),
        "true": None if true_us is None else account(true_us),
        **more,
    }


def launch(n_ranks: int, starts: Sequence[Mapping[str, Any]], label: str = "mpich", **more: Any) -> dict[str, Any]:
    """One launch of study skew."""
    return head(
        "skew",
        n_ranks,
        **{
            "launcher": {"library": {"label": label}},
            "entry": "window(size=auto,lead=auto,batch=1)",
            "entry_tolerance_s": 5e-6,
            "repetition": "fixed(nrep=2,max_attempts=auto)",
            "counter_shared": True,
            "starts": list(starts),
            **more,
        },
    )


def study(*launches: Mapping[str, Any]) -> dict[str, Any]:
    """A study as it is kept."""
    made = {"format": 1, "ictus": "0.1.0", "study": "skew", "created": "2025-11-21T20:00:00+00:00", "on": "here"}
    return {**made, "launches": list(launches)}
