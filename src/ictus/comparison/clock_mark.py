"""Latencies that the clocks may have blurred: marked the same in every table.

A makespan is read off two clocks. Where it is not large against the proven error of these clocks, it is known less well
than its digits say.
"""

MARGIN = 10.0
"""A latency smaller than this many times its proven clock error is marked (statistics.md)."""

MARK = "†"
NOTE = f"{MARK} less than ten times the proven error of the clocks."


def near_clock_bound(latency_s: float | None, bound_s: float | None) -> bool:
    """Whether a latency is to be marked; never where either is unknown. Seconds."""
    return latency_s is not None and bound_s is not None and latency_s < MARGIN * bound_s


def marked(text: str, *, near: bool) -> str:
    """The text of a latency, with its mark where it has one."""
    return f"{text}{MARK}" if near else text
