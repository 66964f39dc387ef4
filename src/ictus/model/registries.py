"""What the native core offers: families with members and parameters, options, operations, datatypes.

The C++ registries are the only source. `ictus-bench describe` prints them as describe.json, which is shipped here and
compared with every build. Names and parameters are checked against it (resolution.py); Python lists none itself.
"""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from ictus.model.errors import UsageError
from ictus.model.spec import Spec, operation_text, parse_operation, parse_spec
from ictus.model.unknown import unknown

FORMAT = 1

LIST = "list"
"""Type of a parameter that takes all positional arguments; it is the first, and the others are given by name."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a member, or an option of the core; `default` is text in the grammar of names."""

    name: str
    type: str
    """`count`, `real`, `duration`, `rate`, `size`, `flag`, `choice`, `member`, `text` or `list`."""
    default: str
    help: str
    family: str | None = None
    """For type `member` the family of the value, for type `list` the family of each value."""
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    auto: bool = False
    """Whether the word `auto` is a value too."""

    @property
    def names_kind(self) -> bool:
        """Whether it says what the member is, not how much of it."""
        return self.type in ("member", "choice")

    @property
    def nests(self) -> bool:
        """Whether its value is a member of a family."""
        return self.type == "member"


@dataclass(frozen=True)
class Member:
    """A member of a family. What follows the parameters belongs to operations, and to `comm` at the end."""

    name: str
    summary: str
    source: str
    parameters: tuple[Parameter, ...]
    mpi_name: str = ""
    volume: str = "none"
    """`none`, `message` (n is one message), `blocks` (n is p blocks of n/p), or of a member that consists of other
    operations `nested`: what it is with its arguments, `Registries.operation` says.
    """
    rooted: bool = False
    reduces: bool = False
    varied: bool = False
    """Whether it takes the size of each block, so that family `counts` applies."""
    places_in_bytes: bool = False
    """Whether the displacements of its blocks are ints that count bytes, and not elements."""
    in_place: bool = False
    """Whether MPI lets it be called in place."""
    form: str = "blocking"
    """`blocking`, `nonblocking` or `persistent`."""
    collective: str = ""
    """Its blocking form; of that its own name."""
    since: str = ""
    """The version of MPI that has it; empty where it is no call of MPI."""
    mockup_of: str = ""
    """The operation whose result it computes by others; empty where it is no mock-up."""
    guideline: str = ""
    """The guideline whose right side is the mock-up: `GL3`, ...; empty for further ones."""
    padded: bool = False
    """With volume `message`: it moves p whole blocks even where the message is not a multiple of p."""
    size: str = ""
    """For a member of family `comm`: how many ranks call together, `all`, `half` or the parameter with the number."""

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of this name, None where there is none."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)


@dataclass(frozen=True)
class Family:
    """A family and its members, in the order of the registry."""

    name: str
    summary: str
    members: tuple[Member, ...]

    def member(self, name: str) -> Member:
        """The member of this name; UsageError that lists the known ones."""
        found = next((member for member in self.members if member.name == name), None)
        if found is None:
            names = (member.name for member in self.members)
            raise unknown(f"{self.name} '{name}'", name, names, f"`ictus list {self.name}`")
        return found


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
class Registries:
    """All registries of the core."""

    families: Mapping[str, Family]
    options: Mapping[str, tuple[Parameter, ...]]
    """Options of the core, by `launch` and `case`."""
    datatypes: tuple[Datatype, ...]

    @staticmethod
    @functools.cache
    def load() -> "Registries":
        """The registries that are shipped with this package."""
        return Registries.parse(resources.files("ictus.model").joinpath("describe.json").read_text("utf-8"))

    @staticmethod
    def parse(text: str) -> "Registries":
        """Registries from what `ictus-bench describe` printed; UsageError when it is not of the documented shape."""
        try:
            return _registries(json.loads(text))
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError(f"describe.json is not as its format says: {error!r}") from error

    def family(self, name: str) -> Family:
        """The family of this name; UsageError that lists the known ones."""
        found = self.families.get(name)
        if found is None:
            raise unknown(f"family '{name}'", name, self.families)
        return found

    def datatype(self, name: str) -> Datatype:
        """The datatype of this name; UsageError that lists the known ones."""
        found = next((datatype for datatype in self.datatypes if datatype.name == name), None)
        if found is None:
            raise unknown(f"datatype '{name}'", name, (datatype.name for datatype in self.datatypes))
        return found

    def operation(self, name: str | Spec) -> Member:
        """The named operation, with or without arguments, in our spelling or MPI's (`MPI_Reduce_scatter`).

        A composed operation has the properties of its arguments; without arguments, those that all such have.
        """
        from ictus.model.volume import traits  # noqa: PLC0415 (the two know each other; this is the way in)

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
        from ictus.model.resolution import resolve  # noqa: PLC0415 (the two know each other; this is the way in)

        if isinstance(text, str):
            text = parse_operation(text) if family == "operation" else parse_spec(text)
        return resolve(self, family, text)

    def brief(self, family: str, text: str | Spec) -> Spec:
        """The shortest form of a member: arguments that only repeat a default are left out. For tables and labels."""
        from ictus.model.resolution import shortened  # noqa: PLC0415

        return shortened(self, family, self.check(family, text))

    def short(self, family: str, text: str | Spec) -> str:
        """Like `brief`, without the key of the first parameter: `barrier(library)`. A user can type it.

        It includes some defaults: the barrier, rule or pattern of a process synchronisation; the topology, the epoch or
        the inner operation of an operation.
        """
        brief = self.brief(family, text)
        first = next(iter(self.family(family).member(brief.name).parameters), None)
        words = [
            self._short_value(family, first, one.value) if first is not None and one.key == first.name else str(one)
            for one in brief.arguments
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


def _registries(described: Mapping[str, Any]) -> Registries:
    if described["format"] != FORMAT:
        raise ValueError(f"format {described['format']!r}, this version reads {FORMAT}")
    families = [_family(family) for family in described["families"]]
    return Registries(
        families={family.name: family for family in families},
        options={kind: tuple(map(_parameter, options)) for kind, options in described["options"].items()},
        datatypes=tuple(
            Datatype(item["name"], item["mpi"], int(item["size_bytes"]), tuple(item["operators"]))
            for item in described["datatypes"]
        ),
    )


def _family(described: Mapping[str, Any]) -> Family:
    members = tuple(
        Member(
            name=item["name"],
            summary=item["summary"],
            source=item.get("source", ""),
            parameters=tuple(map(_parameter, item.get("parameters", ()))),
            mpi_name=item.get("mpi_name", ""),
            volume=item.get("volume", "none"),
            rooted=item.get("rooted", False),
            reduces=item.get("reduces", False),
            varied=item.get("varied", False),
            places_in_bytes=item.get("places_in_bytes", False),
            in_place=item.get("in_place", False),
            form=item.get("form", "blocking"),
            collective=item.get("collective", ""),
            since=item.get("since", ""),
            mockup_of=item.get("mockup_of", ""),
            guideline=item.get("guideline", ""),
            padded=item.get("padded", False),
            size=item.get("size", ""),
        )
        for item in described["members"]
    )
    return Family(described["family"], described.get("summary", ""), members)


def _parameter(described: Mapping[str, Any]) -> Parameter:
    return Parameter(
        name=described["name"],
        type=described["type"],
        default=str(described["default"]),
        help=described.get("help", ""),
        family=described.get("family"),
        choices=tuple(described.get("choices", ())),
        minimum=described.get("minimum"),
        maximum=described.get("maximum"),
        auto=described.get("auto", False),
    )
