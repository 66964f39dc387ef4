"""What the native core offers: families with members and parameters, options, operations, datatypes.

The C++ registries are the only source. `ictus-bench describe` prints them as describe.json, which is shipped here and
compared with every build. Names and parameters are checked against it (resolution.py); Python lists none itself.
"""

import functools
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any

from ictus.model.errors import UsageError
from ictus.model.member import LIST, Families, Family, Member, Parameter, read_family, read_parameter
from ictus.model.nested import traits
from ictus.model.resolution import resolve, shortened
from ictus.model.spec import Spec, operation_text, parse_operation, parse_spec
from ictus.model.unknown import unknown

__all__ = ["FORMAT", "LIST", "Datatype", "Family", "Member", "Parameter", "Registries", "plug_in"]

FORMAT = 1


@dataclass(frozen=True)
class Datatype:
    """A datatype of the payload."""

    name: str
    mpi: str
    size_bytes: int
    operators: tuple[str, ...]
    """Reduction operators that it can be reduced with."""

    @property
    def default_operator(self) -> str:
        """Sum where it is defined, else bitwise or (bytes); `sum` means "none" for a type without reduction."""
        return next((name for name in ("sum", "bor") if name in self.operators), "sum")


@dataclass(frozen=True)
class Registries(Families):
    """All registries of the core."""

    options: Mapping[str, tuple[Parameter, ...]]
    """Options of the core, by `launch` and `case`."""
    datatypes: tuple[Datatype, ...]

    @staticmethod
    def load() -> "Registries":
        """The registries that are shipped with this package, and the operations of plug-ins that are known."""
        return _with_operations(tuple(_plugged.values()))

    @staticmethod
    def parse(text: str) -> "Registries":
        """Registries from what `ictus-bench describe` printed; UsageError when it is not of the documented shape."""
        try:
            return _registries(json.loads(text))
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"describe.json is not as its format says: {error!r}") from error

    def datatype(self, name: str) -> Datatype:
        """The datatype of this name; UsageError that lists the known ones."""
        datatype = next((datatype for datatype in self.datatypes if datatype.name == name), None)
        if datatype is None:
            raise unknown(f"datatype '{name}'", name, (datatype.name for datatype in self.datatypes))
        return datatype

    def operation(self, name: str | Spec) -> Member:
        """The named operation, with or without arguments, in our spelling or MPI's (`MPI_Reduce_scatter`).

        A composed operation has the properties of its arguments; without arguments, those that all such have.
        """
        spec = parse_operation(name) if isinstance(name, str) else name
        member = self.family("operation").member(spec.name)
        return traits(self, self.check("operation", spec)) if member.volume == "nested" and spec.arguments else member

    def operation_title(self, text: str | Spec) -> str:
        """`MPI_Bcast` where MPI's name is unique; an operation with parameters, or of several calls, has our name with
        its distinguishing parameters: `put(passive)`, `sendrecv_ring`.
        """
        short, name = self.short("operation", text), self.operation(text).mpi_name
        return name if operation_text(name) == short else short

    def check(self, family: str, text: str | Spec) -> Spec:
        """The member for `text` in full form: every parameter named and given, as in launch.json.

        A key that only one nested member has is passed on to it. Unknown names and keys and values out of range are
        UsageErrors with what is known or allowed.
        """
        if isinstance(text, str):
            text = parse_operation(text) if family == "operation" else parse_spec(text)
        return resolve(self, family, text)

    def brief(self, family: str, text: str | Spec) -> Spec:
        """The shortest form of a member: arguments that only repeat a default are left out. For tables and labels."""
        return shortened(self, family, self.check(family, text))

    def short(self, family: str, text: str | Spec) -> str:
        """Like `brief`, without the key of the first parameter: `barrier(library)`. A user can type it.

        It includes some defaults: the barrier, rule or pattern of a process synchronisation; the topology, the epoch or
        the inner operation of an operation.
        """
        brief = self.brief(family, text)
        first = next(iter(self.family(family).member(brief.name).parameters), None)
        words = [
            self._short_value(family, first, argument.value)
            if first is not None and argument.key == first.name
            else str(argument)
            for argument in brief.arguments
        ]
        is_about = family in _SAID and first is not None and first.names_kind  # what the member is about
        if first is not None and brief.argument(first.name) is None and is_about:
            words.insert(0, first.default)
        return f"{brief.name}({','.join(words)})" if words else brief.name

    def _short_value(self, family: str, parameter: Parameter, value: object) -> str:
        """The operation's value as briefly as possible: `neighbor_alltoall(cartesian(1))`."""
        nested = family == "operation" and parameter.family is not None and isinstance(value, Spec)
        return self.short(str(parameter.family), str(value)) if nested else str(value)


_SAID = ("operation", "procsync")
"""Families whose members' first parameter is named also where it is the default, if it says what the member is."""


_plugged: dict[str, Member] = {}
"""Operations of plug-ins that this process has met, by name: in a plan, or asked of a core."""


def plug_in(operations: Iterable[Member]) -> None:
    """Make operations of plug-ins known to this process, as if the core had them. UsageError for the name of another
    operation.
    """
    for operation in operations:
        if any(operation.name == member.name for member in _shipped().family("operation").members):
            raise UsageError(f"plug-in: operation '{operation.name}' has the name of one of Ictus; rename it")
        if _plugged.setdefault(operation.name, operation) != operation:
            raise UsageError(f"two plug-ins have an operation '{operation.name}', and they differ; rename one of them")


@functools.cache
def _shipped() -> Registries:
    return Registries.parse(resources.files("ictus.model").joinpath("describe.json").read_text("utf-8"))


@functools.cache
def _with_operations(plugged: tuple[Member, ...]) -> Registries:
    shipped = _shipped()
    family = shipped.family("operation")
    return replace(
        shipped,
        families={**shipped.families, family.name: replace(family, members=(*family.members, *plugged))},
    )


def _registries(described: Mapping[str, Any]) -> Registries:
    if described["format"] != FORMAT:
        raise ValueError(f"format {described['format']!r}, this version reads {FORMAT}")
    families = [read_family(family) for family in described["families"]]
    return Registries(
        families={family.name: family for family in families},
        options={kind: tuple(map(read_parameter, options)) for kind, options in described["options"].items()},
        datatypes=tuple(
            Datatype(item["name"], item["mpi"], int(item["size_bytes"]), tuple(item["operators"]))
            for item in described["datatypes"]
        ),
    )
