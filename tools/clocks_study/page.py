"""docs/clocks-study.md, from results to text."""

from collections.abc import Sequence
from typing import Any

from .contenders import OURS
from .frontier import BUDGETS_S, JUDGED_AT, Point
from .goal import WANTED_RATIO, WANTED_SPEED_UP, Proof, Verdict, Width
from .text import count, table, time, times
from .worlds import PLATFORMS, SYMMETRIC, Row

WAITS = ("0 s", "1 s", "5 s", "20 s")


def goal_section(verdicts: Sequence[Verdict]) -> str:
    """Every row at every budget, and what it comes to."""
    rows = [
        (
            one.row.name,
            time(one.match.budget_s),
            one.match.other.family,
            time(one.match.other.max_s[JUDGED_AT]),
            time(one.match.ours.max_s[JUDGED_AT]),
            times(one.match.ratio),
            times(one.faster),
            time(one.match.ours.oracle_s) if one.row.wander_ppm else "none",
            f"{count(one.match.other.messages)} / {count(one.match.ours.messages)}",
            one.outcome,
        )
        for one in verdicts
    ]
    head = (
        "world",
        "budget",
        "best other",
        "its error",
        f"{OURS}' error",
        "times smaller",
        "times faster at its error",
        "limit by wander",
        "messages, other / ours",
        "outcome",
    )
    return f"{goal_summary(verdicts)}\n\n{table(head, rows)}\n"


def goal_summary(verdicts: Sequence[Verdict]) -> str:
    """The counts, and each row that falls short by name."""
    symmetric = [one for one in verdicts if one.row.symmetric and one.outcome != "tie"]
    reached = [one for one in symmetric if one.match.ratio >= WANTED_RATIO]
    short = [one for one in symmetric if one.match.ratio < WANTED_RATIO]
    worse = [one for one in verdicts if one.outcome == "worse"]
    faster = [one for one in symmetric if one.faster is not None and one.faster >= WANTED_SPEED_UP]
    known = sorted(one.faster for one in symmetric if one.faster is not None)
    median = times(_median([one.match.ratio for one in symmetric]))
    lines = [
        (
            f"- **Error at equal time**: on {len(reached)} of {len(symmetric)} symmetric rows (ties left out) at least "
            f"{WANTED_RATIO:g} times smaller than the best other; median {median} times."
        ),
        f"- **Never worse**: {len(worse)} of {len(verdicts)} rows more than 5 % worse.",
        (
            f"- **Time at equal error**: at least {WANTED_SPEED_UP:g} times faster on {len(faster)} of "
            f"{len(symmetric)} rows; median {times(_median(known))} times."
        ),
    ]
    lines += [
        f"- Short of {WANTED_RATIO:g}: {one.row.name}, {time(one.match.budget_s)}: {times(one.match.ratio)}"
        f"{' (wander decides: nobody can)' if one.match.limited else ''}."
        for one in short
    ]
    return "\n".join(lines)


def _median(values: Sequence[float]) -> float | None:
    return sorted(values)[len(values) // 2] if values else None


def width_section(widths: Sequence[Width]) -> str:
    """How wide the bounds are, with the asymmetry of 0 that is stated for symmetric links."""
    rows = [
        (
            one.row.name,
            *(f"{times(low)} to {times(high)}" for low, high in one.ratios),
            f"{one.violated} of {count(one.judged)}",
        )
        for one in widths
    ]
    return table(("world", *WAITS, "violated"), rows)


def proof_section(proofs: Sequence[Proof]) -> str:
    """Bounds that assume nothing: how wide directly after, and how often they did not hold."""
    rows = [
        (one.row.name, time(one.bound_s[0]), time(one.bound_s[1]), f"{one.violated} of {count(one.judged)}")
        for one in proofs
    ]
    return table(("world", "narrowest", "widest", "violated"), rows)


def simulated_table(lines: Sequence[tuple[Row, str, dict[str, Any]]], platform: str) -> str:
    """One platform of the large table."""
    head = (
        "ranks, drift",
        "algorithm",
        "time",
        "messages",
        *(f"max {w}" for w in WAITS),
        *(f"p95 {w}" for w in WAITS),
        "violated",
    )
    rows = [
        (
            row.name.split(", ", 1)[1],
            name,
            time(result["elapsed_s"]),
            count(result["messages"]),
            *(time(wait["max_s"]) for wait in result["waits"]),
            *(time(wait["p95_s"]) for wait in result["waits"]),
            "-" if result["waits"][0]["bound_s"] is None else str(sum(w["violated"] for w in result["waits"])),
        )
        for row, name, result in lines
        if row.platform == platform
    ]
    return table(head, rows, numbers_from=2)


def platforms_section() -> str:
    """What the worlds are."""
    rows = [(name, f"`{text}`", "yes" if name in SYMMETRIC else "no") for name, text in PLATFORMS.items()]
    return table(("platform", "ictus-simulate's parameters", "symmetric"), rows, numbers_from=3)


def spread_of_points(found: Sequence[Point]) -> str:
    """For the caption of the Pareto figure."""
    return f"{len(found)} settings; budgets {', '.join(time(one) for one in BUDGETS_S)}"
