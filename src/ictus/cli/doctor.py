"""`ictus doctor`: what this machine is, which MPI libraries work on it, and what to do about the rest."""

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from ictus.cli.mpi import installation_row
from ictus.engine.event import Preparing
from ictus.model.errors import MeasurementError
from ictus.mpi.doctor import Report, examine
from ictus.render.console import width
from ictus.render.output import Answer, Csv, Json, print_answer
from ictus.render.progress import Display
from ictus.render.terminal import Block, Cell, Column, Row, table

if TYPE_CHECKING:
    from ictus.mpi.machine import Machine
    from ictus.mpi.proof import Proof

_LEVELS = {"error": "red", "warning": "yellow", "advice": "cyan"}


def doctor(
    n: Annotated[int, typer.Option("-n", min=1, metavar="COUNT", help="Ranks to try each library with.")] = 2,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Prove this machine and its MPI libraries.

    Says what would disturb a measurement, and tries every library: does it compile, launch, pin?
    """
    with Display() as display:
        found = examine(n, lambda step: display(Preparing(step)))
    rows = [_proof_row(proof) for proof in found.proofs]
    findings = [vars(finding) for finding in found.findings]
    unusable = [{"wrapper": str(one.wrapper), "reason": one.reason} for one in found.unusable]
    more = {"machine": found.machine.record(), "findings": findings, "unusable": unusable, "healthy": found.healthy}
    print_answer(Answer("ictus.doctor/1", rows, (), lambda: _lines(found), more), json, csv)
    if not found.healthy:
        raise MeasurementError("this machine is not ready to measure; see what is marked above")


def _lines(found: Report) -> Iterator[Text]:
    yield from table((Column("", "left"), Column("", "left")), [Block("Machine", "", _machine(found.machine))], width())
    yield Text()
    columns = (
        Column("label", "left"),
        Column("library", "left"),
        Column("from", "left", 3),
        Column("compiles"),
        Column("launches"),
        Column("pins", "left"),
        Column("wrapper", "left", 4),
    )
    rows = [_library(proof) for proof in found.proofs]
    yield from table(columns, [Block("MPI libraries", "", rows)], width())
    for one in found.unusable:
        yield Text(f"  {one.wrapper} cannot be used: {one.reason}", "dim")
    if found.findings:
        yield Text()
    for finding in found.findings:
        first, *more = textwrap.wrap(f"{finding.level} {finding.subject}: {finding.message}", width())
        yield Text.assemble((finding.level, _LEVELS[finding.level]), first.removeprefix(finding.level))
        yield from map(Text, more)


def _machine(machine: "Machine") -> list[Row]:
    clocks = ", ".join(machine.clock_flags) or "none of the properties of a clock"
    turbo = {True: "on", False: "off", None: "unknown"}[machine.turbo]
    facts = (
        ("host", f"{machine.host}, {machine.system}, kernel {machine.kernel}"),
        ("processor", machine.cpu_model),
        ("cores", f"{machine.n_cores} cores, {machine.n_cpus} hardware threads to use"),
        ("frequency", f"governor {machine.governor}, turbo {turbo}"),
        ("clock", f"kernel {machine.clocksource}; {clocks}"),
        ("load", f"{machine.load_average:.2f}"),
        ("virtual", machine.virtual),
    )
    return [(Cell(name, "dim"), value) for name, value in facts]


def _library(proof: "Proof") -> Row:
    one = proof.installation
    pins = {True: "yes", False: "no", None: "not tried"}[proof.pinned]
    return (
        Cell(one.label, "bold" if proof.works else "red"),
        f"{one.flavour} {one.version}",
        one.origin,
        _seconds(proof.compile_s),
        _seconds(proof.launch_s if proof.works else None),
        pins if proof.works else "",
        str(one.wrapper),
    )


def _seconds(seconds: float | None) -> str:
    return "no" if seconds is None else f"{seconds:.1f} s"


def _proof_row(proof: "Proof") -> dict[str, Any]:
    return {
        **installation_row(proof.installation),
        "works": proof.works,
        "compile_s": proof.compile_s,
        "launch_s": proof.launch_s,
        "n_ranks": proof.n_ranks,
        "pinned": proof.pinned,
        "failure": proof.failure,
    }
