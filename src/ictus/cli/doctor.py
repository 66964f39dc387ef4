"""`ictus doctor`: this machine, the MPI libraries that work on it, and advice on the others."""

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from rich.text import Text

from ictus.cli.mpi import installation_row
from ictus.engine.event import PreparationStep
from ictus.model.errors import MeasurementError
from ictus.render.output import CommandAnswer, Csv, Json, print_answer, width
from ictus.render.plan_options import launcher_option, plan_option
from ictus.render.progress import Display
from ictus.render.table import Block, Cell, Column, Table
from ictus.render.terminal import lines

if TYPE_CHECKING:
    from ictus.mpi.doctor import DoctorReport, Proof
    from ictus.mpi.machine import Machine

_LEVELS = {"error": "red", "warning": "yellow", "advice": "cyan"}


def doctor(
    n: Annotated[int, plan_option("n", "2", metavar="COUNT", help="Ranks to try each library with.", least=1)] = 2,
    launcher: Annotated[str, launcher_option()] = "mpiexec",
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Prove this machine and its MPI libraries.

    Says what would disturb a measurement, and tries every library: does it compile, launch, pin? With --launcher srun
    also which of Slurm's plug-ins fits it, on the nodes of the allocation.
    """
    from ictus.mpi.doctor import examine  # noqa: PLC0415 (it takes a while)

    with Display() as display:
        found = examine(n, lambda step: display(PreparationStep(step)), launcher_text=launcher)
    rows = [_proof_row(proof) for proof in found.proofs]
    findings = [vars(finding) for finding in found.findings]
    unusable = [{"wrapper": str(one.wrapper), "reason": one.reason} for one in found.unusable]
    more = {"machine": found.machine.record(), "findings": findings, "unusable": unusable, "healthy": found.healthy}
    print_answer(CommandAnswer("ictus.doctor/1", rows, (), lambda: _lines(found), more), json, csv)
    if not found.healthy:
        raise MeasurementError("this machine is not ready to measure; see the marks above")


def _lines(found: "DoctorReport") -> Iterator[Text]:
    yield from lines(Table(_FACTS, [Block("Machine", "", _machine(found.machine))]), width())
    yield Text()
    several = any(proof.plugin for proof in found.proofs)
    columns = [column for column in _LIBRARIES if several or column.key != "plugin"]
    yield from lines(Table(columns, [Block("MPI libraries", "", found.proofs)]), width())
    for one in found.unusable:
        yield Text(f"  {one.wrapper} cannot be used: {one.reason}", "dim")
    if found.findings:
        yield Text()
    for finding in found.findings:
        first, *more = textwrap.wrap(f"{finding.level} {finding.subject}: {finding.message}", width())
        yield Text.assemble((finding.level, _LEVELS[finding.level]), first.removeprefix(finding.level))
        yield from map(Text, more)


def _machine(machine: "Machine") -> tuple[tuple[str, str], ...]:
    clocks = ", ".join(machine.clock_flags) or "none of the properties of a clock"
    turbo = {True: "on", False: "off", None: "unknown"}[machine.turbo]
    return (
        ("host", f"{machine.host}, {machine.system}, kernel {machine.kernel}"),
        ("processor", machine.cpu_model),
        ("cores", f"{machine.n_cores} cores, {machine.n_cpus} hardware threads to use"),
        ("frequency", f"governor {machine.governor}, turbo {turbo}"),
        ("clock", f"kernel {machine.clocksource}; {clocks}"),
        ("load", f"{machine.load_average:.2f}"),
        ("virtual", machine.virtual),
    )


def _pins(proof: "Proof") -> str:
    return {True: "yes", False: "no", None: "not tried"}[proof.pinned] if proof.works else ""


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
        "plugin": proof.plugin or None,
        "failure": proof.failure,
    }


_fact = Column[tuple[str, str]]
_FACTS = (_fact("", "", lambda row: Cell(row[0], "dim"), "left"), _fact("", "", lambda row: row[1], "left"))
_proof = Column["Proof"]
_LIBRARIES = (
    _proof("label", "label", lambda row: Cell(row.installation.label, "bold" if row.works else "red"), "left"),
    _proof("flavour", "library", lambda row: f"{row.installation.flavour} {row.installation.version}", "left"),
    _proof("origin", "from", lambda row: row.installation.origin, "left", 3),
    _proof("compile_s", "compiles", lambda row: _seconds(row.compile_s)),
    _proof("launch_s", "launches", lambda row: _seconds(row.launch_s if row.works else None)),
    _proof("plugin", "plug-in", lambda row: row.plugin or "–", "left", 2),
    _proof("pinned", "pins", _pins, "left"),
    _proof("wrapper", "wrapper", lambda row: str(row.installation.wrapper), "left", 4),
)
