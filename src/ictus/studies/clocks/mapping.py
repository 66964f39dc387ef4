"""How stamps are mapped onto clocks: extrapolated, as an algorithm has left them; interpolated, between that and what
is measured of them at the end of a block.
"""

from collections.abc import Sequence

from ictus.model.spec import Spec, parse_spec

_EXTRAPOLATE = "extrapolate"
INTERPOLATED, EXTRAPOLATED = "interpolated", "extrapolated"


def both_mappings(algorithms: Sequence[str]) -> list[str]:
    """Each algorithm with stamps that are interpolated, then each with stamps that are extrapolated."""
    return [*algorithms, *(f"{_EXTRAPOLATE}({algorithm})" for algorithm in algorithms)]


def algorithm_of(clocksync: str) -> str:
    """The name of the algorithm that learns the clocks."""
    spec = parse_spec(clocksync)
    inner = spec.argument("of") if spec.name == _EXTRAPOLATE else None
    return inner.name if isinstance(inner, Spec) else spec.name


def mapping_of(clocksync: str) -> str:
    """`interpolated` or `extrapolated`."""
    return EXTRAPOLATED if parse_spec(clocksync).name == _EXTRAPOLATE else INTERPOLATED
