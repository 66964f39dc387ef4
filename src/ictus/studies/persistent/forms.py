"""The blocking and the persistent form of one collective."""

from collections.abc import Sequence
from dataclasses import replace

from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.model.spec import Spec, parse_operation

ALL = "all"
"""All operations that the libraries have: both forms are among them."""


def collective_of(operation: Spec) -> Spec:
    """The blocking form of an operation, with the same arguments; itself where it has no other form."""
    name = Registries.load().operation(operation).collective
    return replace(operation, name=name) if name else operation


def is_persistent(operation: Spec) -> bool:
    """Whether its request is made before the first call."""
    return Registries.load().operation(operation).form == "persistent"


def both_forms(operations: Sequence[str]) -> list[str]:
    """Each collective in its blocking form and then in its persistent one, once. Raises UsageError for an operation
    that has no persistent form.
    """
    if list(operations) == [ALL]:
        return [ALL]
    members = Registries.load().family("operation").members
    persistent = {member.collective: member.name for member in members if member.form == "persistent"}
    forms: list[Spec] = []
    for text in operations:
        blocking = collective_of(parse_operation(text))
        if blocking.name not in persistent:
            raise UsageError(f"'{text}' has no persistent form; {', '.join(persistent)} have one")
        forms += [blocking, replace(blocking, name=persistent[blocking.name])]
    return list(dict.fromkeys(map(str, forms)))
