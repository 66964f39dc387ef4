"""Operations of several others (`repeated`, `sequence`): their parts, from which they take their properties.

The core computes the same (workload/operation/nested.hpp); tests compare the two.
"""

from dataclasses import replace

from ictus.model.member import LIST, Families, Member
from ictus.model.spec import Spec

_NESTED = "nested"
"""Volume of a member whose volume is that of the operations named in it."""


def nested(families: Families, operation: Spec) -> tuple[Spec, ...]:
    """The operations that `operation`, in full form, consists of, in order; none where it is one itself."""
    member = families.family("operation").member(operation.name)
    if member.volume != _NESTED:
        return ()
    specs: list[object] = []
    for parameter in member.parameters:
        if parameter.type == LIST:
            specs += [argument.value for argument in operation.arguments if argument.key is None]
        elif parameter.family == "operation":
            specs.append(operation.argument(parameter.name))
    return tuple(spec for spec in specs if isinstance(spec, Spec))


def leaves(families: Families, operation: Spec) -> tuple[Spec, ...]:
    """The calls of MPI in their order, each once however often it is repeated."""
    parts = nested(families, operation)
    return tuple(leaf for part in parts for leaf in leaves(families, part)) or (operation,)


def traits(families: Families, operation: Spec) -> Member:
    """The properties of `operation`, given in full form. Its volume is that of the one inner operation that moves data,
    and one message where several do.
    """
    member = families.family("operation").member(operation.name)
    parts = [traits(families, part) for part in nested(families, operation)]
    if not parts:
        return member
    moving = [part for part in parts if part.volume != "none"]
    volumes = [part.volume for part in moving] or ["none"]
    return replace(
        member,
        volume=volumes[0] if len(volumes) == 1 else "message",
        rooted=any(part.rooted for part in parts),
        reduces=any(part.reduces for part in parts),
        varied=any(part.varied for part in parts),
        in_place=all(part.in_place for part in moving) and bool(moving),
        since=max((part.since for part in parts), key=_version, default=""),
        padded=len(moving) == 1 and moving[0].padded,
    )


def _version(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split("."))) if text else ()
