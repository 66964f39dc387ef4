"""Operations that consist of others (`repeated`, `sequence`): what is known of them follows from these.

The core says the same for itself (workload/operation/nested.hpp); a test compares the two.
"""

from dataclasses import replace

from ictus.model.registries import LIST, Member, Registries
from ictus.model.spec import Spec

_NESTED = "nested"
"""Volume of a member whose volume is that of the operations named in it."""


def nested(registries: Registries, operation: Spec) -> tuple[Spec, ...]:
    """The operations that `operation`, in full form, consists of, in order; none where it is one itself."""
    member = registries.family("operation").member(operation.name)
    if member.volume != _NESTED:
        return ()
    found: list[object] = []
    for parameter in member.parameters:
        if parameter.type == LIST:
            found += [argument.value for argument in operation.arguments if argument.key is None]
        elif parameter.family == "operation":
            found.append(operation.argument(parameter.name))
    return tuple(one for one in found if isinstance(one, Spec))


def leaves(registries: Registries, operation: Spec) -> tuple[Spec, ...]:
    """The calls of MPI in their order, each once however often it is repeated."""
    parts = nested(registries, operation)
    return tuple(leaf for part in parts for leaf in leaves(registries, part)) or (operation,)


def traits(registries: Registries, operation: Spec) -> Member:
    """What is known of `operation`, in full form: its volume is that of the one operation in it that moves data, and
    one message where several do.
    """
    member = registries.family("operation").member(operation.name)
    parts = [traits(registries, part) for part in nested(registries, operation)]
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
