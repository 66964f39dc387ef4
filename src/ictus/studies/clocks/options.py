"""Options of `ictus clocks accuracy` and `pareto`: the algorithms, and how errors are measured."""

from collections.abc import Sequence
from typing import Annotated

import typer

from ictus.model.errors import OptionError
from ictus.model.registries import Registries
from ictus.render.option_values import members, one_of

Algorithms = Annotated[
    str | None,
    typer.Option(
        "--clocksync",
        metavar="NAME,...",
        help="The judged algorithms (ictus list clocksync). [default: all that synchronise]",
        show_default=False,
    ),
]
Rounds = Annotated[
    int,
    typer.Option("--rounds", metavar="COUNT", min=1, help="Rounds of a ping-pong check; the smallest error counts."),
]
Sample = Annotated[
    float,
    typer.Option("--sample", metavar="SHARE", min=0, max=1, help="Share of the ranks that a ping-pong check looks at."),
]
Truth = Annotated[
    str,
    typer.Option(
        "--truth",
        metavar="NAME",
        help="How errors are found: known (computed), ping-pong (measured), auto (known where it can be).",
    ),
]

_UNASKED = ("none", "propagate")
"""Members that measure nothing; they are judged only when named."""

_STANDING_FOR = {"hierarchical": "hierarchical(hca3,hca3)"}
"""Composites whose default trusts that ranks of a host read one clock, which skewed ones do not: one that measures."""


def algorithms(text: str | None) -> tuple[str, ...]:
    """The requested algorithms, as typed; without any, all members that synchronise by themselves.

    Raises UsageError for an unknown name or parameter.
    """
    if text is not None:
        return members("--clocksync", "clocksync", text)
    return every_algorithm()


def every_algorithm() -> tuple[str, ...]:
    """All members that synchronise by themselves."""
    names = (member.name for member in Registries.load().family("clocksync").members if member.name not in _UNASKED)
    return tuple(_STANDING_FOR.get(name, name) for name in names)


def check_several(processes: Sequence[int]) -> None:
    """UsageError where no launch has two processes."""
    if max(processes) < 2:
        raise OptionError(("n", 1, "a single process has no other clock to compare with; use 2 or more"))


def check(truth: str, repeats: int, rounds: int, sample: float) -> dict[str, str]:
    """How errors are found, as the core's options. Raises UsageError for an unknown truth."""
    one_of("--truth", truth, ("auto", "known", "ping-pong"))
    return {"truth": truth, "repeats": str(repeats), "rounds": str(rounds), "sample": f"{sample:g}"}
