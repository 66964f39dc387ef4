"""The built-in guidelines: the seventeen of Hunold et al. 2016, app. A, and further ones; and their selection.

Volumes are total: n is the size of the message, or of p blocks of n/p (guidelines.md). GL3 to GL17 are the
mock-ups of the core's registry, each with the guideline whose right side it is. Further rows compare what MPI defines
as equal: variants with counts, forms of one collective, neighbourhoods, mock-ups of our own.

`--guidelines` takes `paper`, `all`, `GL3,GL7`, `further,user`, `ibcast-*`. A library that lacks one of the operations
of a guideline does not violate it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from ictus.guidelines.datatypes import datatype_rules
from ictus.guidelines.rule import Kind, Rule, Source
from ictus.model.availability import Availability
from ictus.model.errors import UsageError
from ictus.model.nested import leaves
from ictus.model.registries import Member, Registries
from ictus.model.spec import Spec
from ictus.model.unknown import unknown

PAPER_LEFTS = (
    "allgather",
    "allreduce",
    "bcast",
    "gather",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "scatter",
)
"""The nine functions of the paper's tables: monotony and split-robustness are checked of them by default."""

_NUMBERED = re.compile(r"GL(\d+)")
_WITH_COUNTS = (
    ("gatherv", "gather"),
    ("gather", "gatherv"),
    ("scatterv", "scatter"),
    ("scatter", "scatterv"),
    ("allgatherv", "allgather"),
    ("allgather", "allgatherv"),
    ("alltoall", "alltoallv"),
)
"""With equal counts both are the same communication; `alltoallv` has more arguments, and may take longer."""
_NEIGHBOURHOODS = ("allgather", "alltoall")
_GRID = "cartesian(dimensions=2,periodic=on)"
_EXCHANGE = "algorithm=direct,torus=balanced(2),neighbourhood=vonneumann(1)"
"""The four neighbours of that grid, a message for each."""
_LAYOUTS = {"vector-pack": "vector(blocklength=1,stride=2)"}
"""Where a guideline is about what datatypes describe: every other element, which any size is a multiple of."""


def catalogue(registries: Registries, lefts: Sequence[str | Spec] = PAPER_LEFTS) -> tuple[Rule, ...]:
    """All rules, the paper's in its order first; GL1 and GL2 once for each of `lefts`. Operations are in full form."""
    further = (*_further(registries), *datatype_rules(registries))
    return (*_of_one_call(registries, lefts), *_numbered(registries), *further)


def _of_one_call(registries: Registries, lefts: Sequence[str | Spec]) -> Iterator[Rule]:
    """Monotony and split-robustness."""
    full = [registries.check("operation", left) for left in lefts]
    for name, kind in (("GL1", Kind.MONOTONY), ("GL2", Kind.SPLIT)):
        yield from (Rule(name, kind, Source.PAPER, left, left) for left in full)


def _numbered(registries: Registries) -> list[Rule]:
    """The paper's patterns, by number."""
    numbers = ((_NUMBERED.fullmatch(member.guideline), member) for member in _mockups(registries))
    ordered = sorted(
        ((int(number[1]), member) for number, member in numbers if number),
        key=lambda number_and_member: number_and_member[0],
    )
    return [
        _pattern(registries, f"GL{number}", Source.PAPER, member.mockup_of, member.name) for number, member in ordered
    ]


def _further(registries: Registries) -> Iterator[Rule]:
    """Ours; each is named after its two sides."""
    for left, right in (*_WITH_COUNTS, *_forms(registries)):
        yield _pattern(registries, f"{left}-{right}", Source.FURTHER, left, right)
    for name in _NEIGHBOURHOODS:
        grid, exchange = f"neighbor_{name}(topology={_GRID})", f"sparse_{name}({_EXCHANGE})"
        yield _pattern(registries, f"neighbor_{name}-sparse_{name}", Source.FURTHER, grid, exchange)
    for member in _mockups(registries):
        if not _NUMBERED.fullmatch(member.guideline):
            name = member.guideline or f"{member.mockup_of}-{member.name.removeprefix(f'{member.mockup_of}_as_')}"
            rule = _pattern(registries, name, Source.FURTHER, member.mockup_of, member.name)
            yield replace(rule, layout=registries.check("layout", _LAYOUTS.get(name, rule.layout)))


def _forms(registries: Registries) -> Iterator[tuple[str, str]]:
    """Each nonblocking collective, completed at once, against the blocking one; each persistent one, made beforehand,
    against the nonblocking one.
    """
    operations = registries.family("operation").members
    nonblocking = {member.collective: member.name for member in operations if member.form == "nonblocking"}
    yield from ((name, collective) for collective, name in nonblocking.items())
    persistent = (member for member in operations if member.form == "persistent")
    yield from ((member.name, nonblocking[member.collective]) for member in persistent)


def _mockups(registries: Registries) -> Iterator[Member]:
    return (member for member in registries.family("operation").members if member.mockup_of)


def _pattern(registries: Registries, name: str, source: Source, left: str, right: str) -> Rule:
    full = (registries.check("operation", side) for side in (left, right))
    return Rule(name, Kind.PATTERN, source, *full)


ALL = "all"
_LIST = "`ictus list guideline`"
GROUPS: Mapping[str, str] = {
    Source.PAPER.value: "GL1 to GL17",
    Source.FURTHER.value: "those beyond the paper",
    Source.DATATYPES.value: "those of derived datatypes",
    Source.USER.value: "those of a file",
    ALL: "every one",
}
"""Words that stand for many, with what for."""


def select(rules: Sequence[Rule], words: Sequence[str]) -> tuple[Rule, ...]:
    """The rules that any word names, in their own order. A word is a group, a name in any case, or a name with `*`.

    `UsageError` for a word that names none, with the known ones.
    """
    if not words:
        raise UsageError(
            f"--guidelines: there is no word; allowed are {', '.join(GROUPS)}, and names and patterns of {_LIST}"
        )
    chosen = {name for word in words for name in _named(rules, word)}
    return tuple(rule for rule in rules if rule.name in chosen)


def _named(rules: Sequence[Rule], word: str) -> set[str]:
    text = word.strip().casefold()
    if text == Source.USER.value and not any(rule.source is Source.USER for rule in rules):
        raise UsageError("--guidelines user: no file of guidelines was given; name one by --user FILE")
    names = {
        rule.name
        for rule in rules
        if text in (ALL, rule.source.value) or fnmatchcase(rule.name.casefold(), text.replace("[", "[[]"))
    }
    if not names:
        raise unknown(
            f"guideline '{word}' (--guidelines)", word, (*GROUPS, *dict.fromkeys(r.name for r in rules)), _LIST
        )
    return names


@dataclass(frozen=True)
class Inapplicable:
    """A guideline that cannot be checked for a library."""

    rule: Rule
    library: str
    """Its label."""
    reason: str


def inapplicable(
    rules: Iterable[Rule], libraries: Mapping[str, Sequence[Availability]], registries: Registries
) -> tuple[Inapplicable, ...]:
    """All pairs of a rule and a library, by label, that lacks one of the operations of either side."""
    rules = tuple(rules)
    lacking = {
        label: {availability.name: availability for availability in availabilities if not availability.available}
        for label, availabilities in libraries.items()
    }
    inapplicables = []
    for label, missing in lacking.items():
        for rule in rules:
            name = next((name for name in operations_of(rule, registries) if name in missing), None)
            if name is not None:
                inapplicables.append(Inapplicable(rule, label, f"{label} lacks {name}: {missing[name].reason}"))
    return tuple(inapplicables)


def operations_of(rule: Rule, registries: Registries) -> tuple[str, ...]:
    """The names of all operations that a rule calls, those inside of others included, each once."""
    sides = (rule.left, rule.right)
    return tuple(dict.fromkeys(leaf.name for side in sides for leaf in leaves(registries, side)))
