"""A bound that clocks are to be learnt to: which algorithms can be asked for one."""

from ictus.model.errors import UsageError
from ictus.model.quantity import format_duration
from ictus.model.registries import Registries
from ictus.model.spec import Spec


def check_clock_bound(bound_s: float | None, clocksync: str, registries: Registries) -> None:
    """UsageError for a bound that the algorithm cannot be asked to reach, or that is asked for twice."""
    if bound_s is None:
        return
    asked = f"clock-bound {format_duration(bound_s)}"
    own = registries.check("clocksync", clocksync).argument("bound")
    if own is None:
        able = [
            member.name
            for member in registries.family("clocksync").members
            if any(parameter.name == "bound" for parameter in member.parameters)
        ]
        raise UsageError(
            f"{asked}: clocksync '{clocksync}' does not learn until a bound is reached; use --clocksync "
            f"{' or '.join(able)}"
        )
    if own != Spec("auto"):
        raise UsageError(f"{asked}: clocksync '{clocksync}' says bound={own}; give one of the two")
