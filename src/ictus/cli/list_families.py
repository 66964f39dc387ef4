"""`ictus list`: the names that a plan may contain, with parameters and defaults."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated, Any

import typer
from rich.text import Text

from ictus.cli import list_operations as operations
from ictus.guidelines.catalogue import catalogue
from ictus.guidelines.rule import formula
from ictus.launch.launchers import LAUNCHERS
from ictus.launch.launchers.simulated import Simulated
from ictus.model.errors import UsageError
from ictus.model.platform import FAMILY as PLATFORMS
from ictus.model.registries import Family, Member, Parameter, Registries
from ictus.model.unknown import unknown
from ictus.mpi.flavours import FLAVOURS
from ictus.render.output import CommandAnswer, Csv, Json, print_answer, width, wrapped
from ictus.stats.adjust import ADJUSTMENTS
from ictus.stats.registry import TESTS
from ictus.studies.lens.suites.registry import FAMILY as LENSES
from ictus.submission.schedulers import SCHEDULERS

_DEEP = " " * 6
"""Indentation of a member's text."""


def list_members(
    family: Annotated[str | None, typer.Argument(help="A family. [default: all families]", show_default=False)] = None,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="One member of the family.", show_default=False)
    ] = None,
    mpi: Annotated[
        list[str] | None,
        typer.Option(
            "--mpi",
            "-m",
            metavar="[LABEL=]WHICH",
            help="With algorithms, operations and mockups: the libraries to ask; repeatable. [default: what is found]",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """List the names that a plan may contain.

    The members of a family with their parameters and defaults, or all families; `algorithms` lists those that a library
    offers for its collectives, `operations` what can be measured and which libraries have it, `mockups` the operations
    that compute their results by other calls.
    """
    if name is not None and family in (operations.ALGORITHMS, operations.OPERATIONS, operations.MOCKUPS):
        raise UsageError(f"'{name}': `ictus list {family}` lists all of them; leave the name out")
    if family == operations.ALGORITHMS:
        operations.list_algorithms(mpi or (), json=json, csv=csv)
        return
    if family in (operations.OPERATIONS, operations.MOCKUPS):
        operations.list_operations(mpi or (), mockups=family == operations.MOCKUPS, json=json, csv=csv)
        return
    if mpi:
        asking = f"`ictus list {operations.ALGORITHMS}`, `{operations.OPERATIONS}` and `{operations.MOCKUPS}`"
        raise UsageError(f"-m {mpi[0]}: only {asking} ask libraries")
    families = _families()
    if family is None:
        print_answer(
            CommandAnswer(
                "ictus.families/1",
                [_family_row(known_family) for known_family in families.values()],
                (),
                lambda: _overview(families),
            ),
            json,
            csv,
        )
        return
    if family not in families:
        raise unknown(
            f"family '{family}'", family, (*families, operations.ALGORITHMS, operations.OPERATIONS, operations.MOCKUPS)
        )
    chosen = families[family] if name is None else _only(families[family], name)
    rows = [_member_row(chosen.name, member) for member in chosen.members]
    print_answer(CommandAnswer("ictus.list/1", rows, (), lambda: _members(chosen)), json, csv)


def _families() -> dict[str, Family]:
    """The core's families and those of Python, by name."""
    registries = Registries.load()
    launchers = [*((launcher.name, launcher.summary) for launcher in LAUNCHERS), (Simulated.name, Simulated.summary)]
    ours = (
        LENSES,
        PLATFORMS,
        Family("flavour", "kinds of MPI library", _plain((flavour.name, flavour.summary) for flavour in FLAVOURS)),
        Family(
            "scheduler",
            "batch systems of ictus submit",
            _plain((scheduler.name, scheduler.summary) for scheduler in SCHEDULERS),
        ),
        Family("launcher", "how ranks are started", _plain(launchers)),
        Family(
            "test",
            "how two samples of launch medians are compared",
            _plain((test.name, test.summary) for test in TESTS.values()),
        ),
        Family("guideline", "what ictus check compares", _plain(_guidelines(registries))),
        Family(
            "adjust",
            "how p-values are adjusted",
            _plain((adjustment.name, adjustment.summary) for adjustment in ADJUSTMENTS.values()),
        ),
    )
    return {**registries.families, **{family.name: family for family in ours}}


def _guidelines(registries: Registries) -> Iterator[tuple[str, str]]:
    """Each with its formula; of one that is checked of several operations that of the first."""
    rules = catalogue(registries)
    numbers = Counter(rule.name for rule in rules)
    first = {rule.name: rule for rule in reversed(rules)}
    for rule in sorted(first.values(), key=rules.index):
        n_further = numbers[rule.name] - 1
        yield (
            rule.name,
            formula(rule, registries) + (f", and so for {n_further} further operations" if n_further else ""),
        )


def _only(family: Family, name: str) -> Family:
    member = next((candidate for candidate in family.members if candidate.name == name), None)
    if member is None:
        raise unknown(f"{family.name} '{name}'", name, [candidate.name for candidate in family.members])
    return replace(family, members=(member,))


def _plain(members: Iterable[tuple[str, str]]) -> tuple[Member, ...]:
    return tuple(Member(name, summary, "", ()) for name, summary in members)


def _overview(families: dict[str, Family]) -> Iterator[Text]:
    """Every family with its summary, its members below."""
    yield Text.assemble(("Families", "bold"), ("  ictus list FAMILY shows one", "dim"))
    for family in families.values():
        yield from _entry(2, family.name, f"  {family.summary}")
        yield from _below(", ".join(member.name for member in family.members), continued="")


def _members(family: Family) -> Iterator[Text]:
    """Every member with its summary, where it comes from and its parameters below."""
    yield from _entry(0, family.name, f": {family.summary}" if family.summary else "")
    for member in family.members:
        yield Text()
        yield from _entry(2, member.name, f"  {member.summary}")
        if member.source:
            yield from _below(f"source: {member.source}", "dim")
        for parameter in member.parameters:
            yield from _below(f"{parameter.name}={parameter.default or '...'}  {_kind(parameter)}; {parameter.help}")


def _entry(indent: int, name: str, text: str) -> Iterator[Text]:
    """A name in bold and its text."""
    first, *following = wrapped(f"{' ' * indent}{name}{text}", "", width(), " " * (indent + 2))
    first.stylize("bold", indent, indent + len(name))
    yield from (first, *following)


def _below(text: str, style: str = "", continued: str = "    ") -> Iterator[Text]:
    """A detail of an entry; its further lines are set off by `continued`."""
    yield from wrapped(f"{_DEEP}{text}", style, width(), f"{_DEEP}{continued}")


def _kind(parameter: Parameter) -> str:
    if parameter.family is not None:
        return f"one {'' if parameter.nests else 'or more '}of family {parameter.family}"
    if parameter.type == "choice":
        return " or ".join(parameter.choices)
    limits = [
        f"{word} {limit:g}"
        for word, limit in (("from", parameter.minimum), ("to", parameter.maximum))
        if limit is not None
    ]
    number = " ".join([parameter.type, *limits])
    return " or ".join([number, *parameter.choices])


def _family_row(family: Family) -> dict[str, Any]:
    return {"family": family.name, "summary": family.summary, "members": [member.name for member in family.members]}


def _member_row(family: str, member: Member) -> dict[str, Any]:
    parameters = [f"{parameter.name}={parameter.default}" for parameter in member.parameters]
    return {
        "family": family,
        "name": member.name,
        "summary": member.summary,
        "source": member.source,
        "parameters": parameters,
    }
