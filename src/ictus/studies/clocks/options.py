"""Options of `ictus clocks accuracy` and `pareto`: the algorithms, and how errors are measured."""

from dataclasses import replace

from ictus.model.plan_options import BY_KEY
from ictus.model.registries import Registries
from ictus.studies.core_options import core_option

ALGORITHMS = core_option(
    "clocks accuracy",
    "clocksync",
    help="Algorithms to judge (ictus list clocksync).",
    default="all that synchronise",
    default_text=None,
)
LAUNCHES = replace(BY_KEY["launches"], help="Launches, one after the other.", default_text="1")
REPEATS = core_option("clocks accuracy", "repeats", help="Repetitions of every measurement in a launch.")
CHECKS = (
    core_option(
        "clocks accuracy",
        "truth",
        help="How errors are found: known (computed), ping-pong (measured), auto (known where it can be).",
    ),
    core_option("clocks accuracy", "rounds", help="Rounds of a ping-pong check; the smallest error counts."),
    core_option(
        "clocks accuracy",
        "sample",
        metavar="SHARE",
        help="Share of the ranks that a ping-pong check looks at.",
    ),
)
"""How errors are found."""

_UNASKED = ("none", "propagate", "extrapolate")
"""Members that measure nothing themselves; they are judged only when named."""

_STANDING_FOR = {"hierarchical": "hierarchical(hca3,hca3)"}
"""Composites whose default trusts that ranks of a host read one clock, which skewed ones do not: one that measures."""


def every_algorithm() -> tuple[str, ...]:
    """All members that synchronise by themselves."""
    names = (member.name for member in Registries.load().family("clocksync").members if member.name not in _UNASKED)
    return tuple(_STANDING_FOR.get(name, name) for name in names)


def checking(truth: str, repeats: int, rounds: int, sample: float) -> dict[str, str]:
    """How errors are found, as the core's options."""
    return {"truth": truth, "repeats": str(repeats), "rounds": str(rounds), "sample": f"{sample:g}"}
