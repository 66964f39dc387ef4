"""`ictus doctor`: this machine, the MPI libraries that work on it, and advice on the others."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any

from rich.text import Text

from ictus.cli.mpi import installation_row
from ictus.engine.event import PreparationStep
from ictus.engine.measured_hosts import TIMEOUT_S, measured_hosts
from ictus.launch.allocation import read_allocation
from ictus.launch.launchers import named_hosts, with_hosts
from ictus.model.errors import IctusError, MeasurementError
from ictus.model.host_checks import HostFinding, check_hosts
from ictus.model.host_state import MIB, HostState
from ictus.mpi.doctor import DoctorReport, Proof, examine
from ictus.mpi.flavours import flavour
from ictus.mpi.machine import Machine
from ictus.mpi.preflight import Finding
from ictus.render.output import CommandAnswer, Csv, Json, command, next_line, print_answer, width, wrapped
from ictus.render.plan_options import HostsFile, launcher_option, plan_option
from ictus.render.progress import Display
from ictus.render.table import NONE, Block, Cell, Column, Table, records
from ictus.render.terminal import lines

_LEVELS = {"error": "red", "warning": "yellow", "advice": "cyan"}


def doctor(
    n: Annotated[int, plan_option("n", "2", metavar="COUNT", help="Ranks to try each library with.", least=1)] = 2,
    launcher: Annotated[str, launcher_option()] = "mpiexec",
    hosts: HostsFile = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Check this machine and its MPI libraries.

    It names what would disturb a measurement, and tries every library: does it compile, launch and pin? With --launcher
    srun it also finds which of Slurm's plug-ins fits each library, on the nodes of the allocation, or whether its own
    launcher starts it there. Inside an allocation, or with --hosts, a short launch on all nodes shows the state of
    every host, what disturbs results, and how to correct it.
    """
    started = with_hosts(launcher, hosts)
    with Display() as display:
        report = examine(n, lambda step: display(PreparationStep(step)), launcher_text=started)
        states, failures = _states(report, n, started, display)
    report = replace(report, findings=(*report.findings, *failures))
    checked = check_hosts(states)
    rows = [_proof_row(proof) for proof in report.proofs]
    findings = [vars(finding) for finding in report.findings]
    unusable = [
        {"wrapper": str(unusable_one.wrapper), "reason": unusable_one.reason} for unusable_one in report.unusable
    ]
    extra_keys = {
        "machine": report.machine.record(),
        "findings": findings,
        "unusable": unusable,
        "healthy": report.healthy,
    }
    extra_keys |= {"hosts": [host_row(state) for state in states], "host_findings": records(checked)}
    n_named = len(named_hosts(started))
    answer = CommandAnswer("ictus.doctor/1", rows, (), lambda: _all_lines(report, n_named, states, checked), extra_keys)
    print_answer(answer, json, csv)
    if not report.healthy or any(host_finding.level == "error" for host_finding in checked):
        raise MeasurementError("this machine is not ready to measure; see the marks above")


def _states(
    report: DoctorReport, n: int, launcher: str, display: Display
) -> tuple[tuple[HostState, ...], list[Finding]]:
    """The hosts that are named, or those of the allocation, by the first library that works and can measure them, and
    why others could not; none where there are neither. What was found before is kept whatever happens here.
    """
    allocation = read_allocation()
    n_nodes = len(named_hosts(launcher)) or (0 if allocation is None else len(allocation.nodes))
    working = [
        proof.installation.label
        for proof in report.proofs
        if proof.works and not flavour(proof.installation.flavour).simulated
    ]
    failures: list[Finding] = []
    if not n_nodes:
        return (), failures
    for label in working:
        display(PreparationStep(f"measuring the state of all hosts with {label}, {TIMEOUT_S:g} s a try at most"))
        try:
            return measured_hosts(n_nodes, n, label, launcher, display), failures
        except IctusError as error:
            last = label == working[-1]
            message = f"their state could not be measured with {label}: {error}"
            failures.append(Finding("error" if last else "warning", "hosts", message))
    return (), failures


def _all_lines(
    report: DoctorReport, n_named: int, hosts: Sequence[HostState], checked: Sequence[HostFinding]
) -> Iterator[Text]:
    yield from _lines(report, n_named)
    if not hosts:
        return
    yield Text()
    yield from lines(host_table(hosts), width())
    yield Text()
    if checked:
        yield from lines(finding_table(checked), width())
        yield Text()
        for finding in checked:  # the table may have no room for all of it
            yield from _finding(finding.level, finding.subject, finding.sentence)
    else:
        yield Text("Nothing was found on these hosts that would disturb a measurement.")


def host_table(hosts: Sequence[HostState]) -> Table[HostState]:
    """A line for each host."""
    column = Column[HostState]
    columns = (
        column("name", "host", lambda state: Cell(state.name, "bold"), "left"),
        column("cpu_model", "processor", lambda host_state: host_state.cpu_model, "left", 3),
        column("n_ranks", "ranks", lambda row: str(len(row.ranks))),
        column("cores", "cores", lambda row: str(row.cores)),
        column("governor", "governor", lambda row: row.governor, "left", 1),
        column("turbo", "turbo", lambda row: row.turbo, "left", 2),
        column("clocksource", "clock", lambda row: row.clocksource, "left", 2),
        column("huge_pages", "huge pages", lambda row: row.huge_pages, "left", 4),
        column("shm_bytes", "shared memory", _shared_memory),
        column("others", "others", lambda row: NONE if row.others is None else f"{row.others:.1f}", "point"),
        column("kernel", "kernel", lambda row: " ".join(row.kernel.split()[:2]), "left", 5),
    )
    return Table(columns, [Block("Hosts", "others: cores that others used meanwhile", hosts)])


def _shared_memory(state: HostState) -> str:
    return NONE if state.shm_bytes is None else f"{state.shm_bytes / MIB:.0f} MiB"


def finding_table(findings: Sequence[HostFinding]) -> Table[HostFinding]:
    """A line for each finding; what it does and how to mend it is said below."""
    column = Column[HostFinding]
    columns = (
        column("subject", "", lambda finding: Cell(finding.subject, _LEVELS[finding.level]), "left"),
        column("hosts", "where", lambda host_finding: host_finding.where, "left"),
        column("state", "found", lambda row: row.state, "left"),
    )
    return Table(columns, [Block("Findings", "on these hosts", findings)])


def host_row(state: HostState) -> dict[str, Any]:
    """For scripts: what the table shows, in full."""
    sets = {"siblings", "ranks", "pinned"}
    facts = {name: value for name, value in vars(state).items() if name not in sets}
    return {**facts, "n_ranks": len(state.ranks), "cores": state.cores, "oversubscribed": state.oversubscribed}


def verdict(report: DoctorReport) -> str:
    """What works, in one sentence, and what stands in the way."""
    working = [proof.installation.label for proof in report.proofs if proof.works]
    broken = [proof.installation.label for proof in report.proofs if not proof.works]
    count_text = f"{len(working)} librar{'y works' if len(working) == 1 else 'ies work'}"
    parts = [f"{count_text} ({', '.join(working)})" if working else "No library works"]
    parts += [f"{', '.join(broken)} {'does' if len(broken) == 1 else 'do'} not"] if broken else []
    levels = [finding.level for finding in report.findings]
    parts += [
        f"{levels.count(level)} {level}{'' if levels.count(level) == 1 or level == 'advice' else 's'}"
        for level in _LEVELS
        if level in levels
    ]
    return f"{'; '.join(parts)}."


def onward(report: DoctorReport, n_hosts: int = 0) -> str:
    """The next command: a comparison where there are two libraries, a campaign with one or on hosts that are named,
    else how to get some. What is an error here would end a campaign too: then this command again, when it is mended.
    """
    working = sum(proof.works for proof in report.proofs)
    if working and any(finding.level == "error" for finding in report.findings):
        return command("doctor")
    if working and n_hosts:
        return command("run", "--nodes", n_hosts, "--ppn", 1)
    return command("demo") if working > 1 else command("run") if working else command("demo", "--install")


def load_text(load: float, n_cpus: int, usable: int) -> str:
    """`1.97: other programs use about 2 of 2 CPUs, which disturbs launches`. The load is that of all CPUs, of which we
    may use fewer.
    """
    if load < _QUIET:
        return f"{load:.2f}: these cores are quiet"
    busy = f"{load:.2f}: other programs use about {min(max(round(load), 1), n_cpus)} of {n_cpus} CPUs"
    if usable < n_cpus:
        return f"{busy}, and {usable} of these {'is' if usable == 1 else 'are'} ours; stop what runs there"
    return f"{busy}, which disturbs launches; stop them"


_QUIET = 0.5
"""Load average from which something else runs."""


def _lines(report: DoctorReport, n_named: int) -> Iterator[Text]:
    yield from wrapped(verdict(report), "bold", width())
    yield next_line(onward(report, n_named))
    yield Text()
    yield from lines(Table(_FACTS, [Block("Machine", "", _machine(report.machine))]), width())
    yield Text()
    several = any(proof.plugin for proof in report.proofs)
    columns = [column for column in _LIBRARIES if several or column.key != "plugin"]
    yield from lines(Table(columns, [Block("MPI libraries", "", report.proofs)]), width())
    for unusable in report.unusable:
        yield Text(f"  {unusable.wrapper} cannot be used: {unusable.reason}", "dim")
    if report.findings:
        yield Text()
    for finding in report.findings:
        yield from _finding(finding.level, finding.subject, finding.message)


def _finding(level: str, subject: str, message: str) -> Iterator[Text]:
    first, *following = textwrap.wrap(f"{level} {subject}: {message}", width())
    yield Text.assemble((level, _LEVELS[level]), first.removeprefix(level))
    yield from map(Text, following)


def _machine(machine: Machine) -> tuple[tuple[str, str], ...]:
    clocks = ", ".join(machine.clock_flags) or "none of the properties of a clock"
    turbo = {True: "on", False: "off", None: "unknown"}[machine.turbo]
    return (
        ("host", f"{machine.host}, {machine.system}, kernel {machine.kernel}"),
        ("processor", machine.cpu_model),
        ("cores", f"{machine.n_cores} to use, hardware threads: {machine.n_cpus}"),
        ("frequency", f"governor {machine.governor}, turbo {turbo}"),
        ("clock", f"kernel {machine.clocksource}; {clocks}"),
        ("load", load_text(machine.load_average, machine.n_cpus_online, machine.n_cpus)),
        ("virtual", machine.virtual),
    )


def _pins(proof: Proof) -> str:
    return {True: "yes", False: "no", None: "not tried"}[proof.pinned] if proof.works else ""


def _seconds(seconds: float | None) -> str:
    return "no" if seconds is None else f"{seconds:.1f} s"


def _proof_row(proof: Proof) -> dict[str, Any]:
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
_proof = Column[Proof]
_LIBRARIES = (
    _proof("label", "label", lambda row: Cell(row.installation.label, "bold" if row.works else "red"), "left"),
    _proof("flavour", "library", lambda row: f"{row.installation.flavour} {row.installation.version}", "left"),
    _proof("origin", "from", lambda row: row.installation.origin, "left", 3),
    _proof("compile_s", "compiles", lambda row: _seconds(row.compile_s)),
    _proof("launch_s", "launches", lambda row: _seconds(row.launch_s if row.works else None)),
    _proof("plugin", "plug-in", lambda row: row.plugin or "–", "left", 2),
    _proof("pinned", "pins", _pins, "left"),
    _proof("wrapper", "wrapper", lambda row: str(row.installation.compiled_by), "left", 4),
)
