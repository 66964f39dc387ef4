"""The proven bounds of a campaign's clocks, and the latencies that they may blur.

A makespan is read from two clocks. Where it is not large against their proven error, its last digits mean nothing;
every table marks such a case in the same way.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from ictus.model.quantity import format_duration
from ictus.store.campaign import Campaign
from ictus.store.launch_record import LaunchRecord

MARGIN = 10.0
"""A latency smaller than this many times its proven clock error is marked (statistics.md)."""

ERROR_AHEAD_S = 5.0
"""As `--clock-error`: about as long as a block of cases."""

MARK = "†"
NOTE = f"{MARK} less than ten times the proven error of the clocks."


def near_clock_bound(latency_s: float | None, bound_s: float | None) -> bool:
    """Whether a latency gets the mark; never where either is unknown. Seconds."""
    return latency_s is not None and bound_s is not None and latency_s < MARGIN * bound_s


def marked(text: str, *, near: bool) -> str:
    """The text of a latency, with its mark where it has one."""
    return f"{text}{MARK}" if near else text


def opening_bounds(launches: Iterable[LaunchRecord]) -> tuple[float, ...]:
    """For each block of these launches the largest bound over ranks as it began, seconds; blocks without a bound for
    every rank are left out.
    """
    bounds = (bound for launch in launches for bound in launch.blocks["opening_bound_s"].tolist())
    return tuple(bound for bound in bounds if not math.isnan(bound))


def reached_bound(campaign: Campaign) -> float | None:
    """The bound that held when any block of any launch began, seconds; None where a block lacks one."""
    records = [launch.record for launch in campaign.launches]
    bounds = opening_bounds(records)
    n_blocks = sum(len(record.blocks) for record in records)
    return max(bounds) if bounds and len(bounds) == n_blocks else None


def reached_error(campaign: Campaign) -> float | None:
    """The largest standard error that any clock stated as a block began, for `ERROR_AHEAD_S` later, seconds. None
    where a block lacks one.
    """
    slopes = [launch.record.clocks["slope_error"].ravel() for launch in campaign.launches]
    largest = np.max(np.concatenate([np.empty(0), *slopes]), initial=0.0)  # NaN where one is
    return None if not slopes or np.isnan(largest) else ERROR_AHEAD_S * float(largest)


def stated_error(campaign: Campaign) -> str:
    """That in words; empty where none is stated, or ranks read one counter and have none."""
    error_s = reached_error(campaign)
    return f"{format_duration(error_s)} after {ERROR_AHEAD_S:g} s" if error_s else ""


def error_sentences(campaign: Campaign) -> Sequence[str]:
    """The reached standard error beside the requested one; nothing where none was asked for."""
    reached, requested = reached_error(campaign), campaign.plan.clock_error_s
    if requested is None:
        return ()
    stated = "none" if reached is None else f"{format_duration(reached)} or better"
    goal = format_duration(requested)
    return (f"Standard error of the clocks {ERROR_AHEAD_S:g} s after blocks began: {stated}; {goal} was asked for.",)


def bound_sentences(campaign: Campaign) -> Sequence[str]:
    """The reached bound and the requested one; nothing where neither exists."""
    reached, requested = reached_bound(campaign), campaign.plan.clock_bound_s
    if reached is None and requested is None:
        return ()
    proven = "none" if reached is None else f"{format_duration(reached)} or better"
    request_text = "" if requested is None else f"; {format_duration(requested)} was asked for"
    return (f"Proven bound of the clocks as blocks began: {proven}{request_text}.",)
