"""Members of a family with their parameters, as `ictus-bench describe` has them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ictus.model.unknown import unknown

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
    is_list: bool = False
    """Whether it takes several values."""

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
    """A member of a family. What follows the parameters belongs to operations, at the end to `layout` and `comm`."""

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
    binds_buffers: bool = False
    """Whether it is persistent: its requests are made with it and bound to its buffers."""
    in_place: bool = False
    """Whether MPI lets it be called in place."""
    form: str = "blocking"
    """`blocking`, `nonblocking` or `persistent`."""
    collective: str = ""
    """Its blocking form; of that its own name."""
    since: str = ""
    """The version of MPI that has it; empty where it is not a call of MPI."""
    mockup_of: str = ""
    """The operation whose result it computes by others; empty where it is not a mock-up."""
    guideline: str = ""
    """The guideline whose right side is the mock-up: `GL3`, ...; empty for further ones."""
    padded: bool = False
    """With volume `message`: it moves p whole blocks even where the message is not a multiple of p."""
    stands_for: str = ""
    """Of an operation of a plug-in: the one whose result it has; empty for those of the core."""
    elements: str = ""
    """For a member of family `layout`: the elements of a unit, as `elements_of` (call.py) reads them."""
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
        matching = next((member for member in self.members if member.name == name), None)
        if matching is None:
            names = (member.name for member in self.members)
            raise unknown(f"{self.name} '{name}'", name, names, f"`ictus list {self.name}`")
        return matching


@dataclass(frozen=True)
class Families:
    """All families of the core."""

    families: Mapping[str, Family]

    def family(self, name: str) -> Family:
        """The family of this name; UsageError that lists the known ones."""
        family = self.families.get(name)
        if family is None:
            raise unknown(f"family '{name}'", name, self.families)
        return family


def read_family(described: Mapping[str, Any]) -> Family:
    """A family of the description."""
    members = tuple(map(read_member, described["members"]))
    return Family(described["family"], described.get("summary", ""), members)


def read_member(described: Mapping[str, Any]) -> Member:
    """A member as `ictus-bench describe` has it; KeyError where there is too little of it."""
    return Member(
        name=described["name"],
        summary=described.get("summary", ""),
        source=described.get("source", ""),
        parameters=tuple(map(read_parameter, described.get("parameters", ()))),
        mpi_name=described.get("mpi_name", ""),
        volume=described.get("volume", "none"),
        rooted=described.get("rooted", False),
        reduces=described.get("reduces", False),
        varied=described.get("varied", False),
        places_in_bytes=described.get("places_in_bytes", False),
        binds_buffers=described.get("binds_buffers", False),
        in_place=described.get("in_place", False),
        form=described.get("form", "blocking"),
        collective=described.get("collective", ""),
        since=described.get("since", ""),
        mockup_of=described.get("mockup_of", ""),
        guideline=described.get("guideline", ""),
        padded=described.get("padded", False),
        stands_for=described.get("stands_for", ""),
        elements=described.get("elements", ""),
        size=described.get("size", ""),
    )


def read_parameter(described: Mapping[str, Any]) -> Parameter:
    """A parameter of a member, or an option of the core."""
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
        is_list=described.get("list", False),
    )
