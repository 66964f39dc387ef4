"""The work of `ictus doctor`: the machine, each library proven by use, and advice on both.

A small program shows whether an installation can compile, launch and pin.
"""

import re
import subprocess
import tempfile
import time
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from ictus.model.errors import IctusError
from ictus.model.job import Job
from ictus.model.library import Installation
from ictus.model.quantity import parse_cpu_list
from ictus.mpi.command import launch
from ictus.mpi.discover import Surroundings, survey
from ictus.mpi.flavours import flavour
from ictus.mpi.machine import Machine, read_machine, usable_cores
from ictus.mpi.preflight import Finding, preflight
from ictus.mpi.recognition import Unusable
from ictus.mpi.toolchain import Progress, compiler_of

_COMPILE_TIMEOUT_S = 120.0
_LAUNCH_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Proof:
    """The result of a proof. A step that was not reached is None."""

    installation: Installation
    """With `library_version`, if the library answered."""
    compile_s: float | None = None
    launch_s: float | None = None
    n_ranks: int | None = None
    """Ranks in MPI_COMM_WORLD: 1 when the launcher belongs to another library, whatever the request."""
    pinned: bool | None = None
    """Whether each rank was alone on its core; None where there are not cores enough, or only simulated ones."""
    failure: str | None = None
    """What went wrong, in one line; None when all went well."""

    @property
    def works(self) -> bool:
        """Whether it can be measured with."""
        return self.failure is None


def prove(installation: Installation, n_ranks: int = 2) -> Proof:
    """Compile the probe with `installation` and launch it on `n_ranks`, pinned one per core where there are enough."""
    with tempfile.TemporaryDirectory(prefix="ictus-probe-") as name:
        folder = Path(name)
        try:
            compile_s = _compile(installation, folder / "probe")
        except IctusError as failure:
            return Proof(installation, failure=str(failure))
        return _launch(Proof(installation, compile_s), n_ranks, folder)


def _compile(installation: Installation, program: Path) -> float:
    compiler = compiler_of(installation)
    started = time.monotonic()
    with resources.as_file(resources.files("ictus.mpi") / "probe.cpp") as source:
        words = (str(compiler.wrapper), "-std=c++20", "-O1", str(source), "-o", str(program))
        try:
            done = subprocess.run(
                words,
                env=compiler.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=_COMPILE_TIMEOUT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as failure:
            message = f"cannot compile: {failure}"
            raise IctusError(message) from failure
    if done.returncode != 0:
        message = f"cannot compile: {_telling_line(done.stdout.decode(errors='replace'))}"
        raise IctusError(message)
    return time.monotonic() - started


def _launch(proof: Proof, n_ranks: int, folder: Path) -> Proof:
    n_cores = usable_cores().n
    job = Job(n_ranks, (str(folder / "probe"),), folder, _LAUNCH_TIMEOUT_S, n_cores=n_cores)
    try:
        outcome = launch(proof.installation, job)
    except IctusError as failure:
        return replace(proof, failure=str(failure))
    output = (folder / "stdout.txt").read_text(errors="replace")
    if outcome.exit_code != 0:
        said = _telling_line((folder / "stderr.txt").read_text(errors="replace") or output)
        what = (
            f"no answer within {job.timeout_s:g} s" if outcome.timed_out else f"exit code {outcome.exit_code}: {said}"
        )
        return replace(proof, failure=f"cannot launch {n_ranks} ranks: {what}")
    return _judge(replace(proof, launch_s=outcome.elapsed_s), output, n_ranks, oversubscribed=job.oversubscribed)


def _judge(proof: Proof, output: str, n_ranks: int, *, oversubscribed: bool) -> Proof:
    found = re.findall(r"^ranks (\d+)$", output, re.MULTILINE)
    version = re.search(r"^library (.+)$", output, re.MULTILINE)
    if version:
        installation = replace(proof.installation, library_version=" ".join(version[1].split()))
        proof = replace(proof, installation=installation)
    if found != [str(n_ranks)]:
        size = int(found[0]) if found else 0
        launcher = proof.installation.launcher
        failure = f"{launcher} started {n_ranks} processes that found {size} ranks each: it belongs to another library"
        return replace(proof, n_ranks=size, failure=failure)
    if flavour(proof.installation.flavour).simulated:
        return replace(proof, n_ranks=n_ranks)
    cpus = [parse_cpu_list(text) for text in re.findall(r"^rank \d+ (\S+)$", output, re.MULTILINE)]
    return replace(proof, n_ranks=n_ranks, pinned=None if oversubscribed else _on_cores_of_their_own(cpus))


def _on_cores_of_their_own(cpus: list[frozenset[int]]) -> bool:
    """Whether no two ranks may meet on a CPU, each is on the threads of one core at most, and all on cores of ours."""
    allowed = usable_cores()
    threads_per_core = max(1, allowed.n_cpus // max(1, allowed.n))
    places = frozenset[int]().union(*cpus)
    disjoint = len(places) == sum(map(len, cpus))
    ours = not allowed.restricted or places <= set(allowed.ids)
    return disjoint and ours and all(0 < len(own) <= threads_per_core for own in cpus)


def _telling_line(text: str) -> str:
    """The line of a compiler's or launcher's output that says most: the first with `error`, else the first."""
    lines = [line.strip() for line in text.splitlines() if line.strip(" -=")]
    return next((line for line in lines if "error" in line.lower()), lines[0] if lines else "it said nothing")


@dataclass(frozen=True)
class DoctorReport:
    """All that the doctor knows."""

    machine: Machine
    proofs: tuple[Proof, ...]
    """One for each usable installation, in the order in which a bare name chooses."""
    unusable: tuple[Unusable, ...]
    findings: tuple[Finding, ...]
    elapsed_s: float

    @property
    def healthy(self) -> bool:
        """Whether there is a library to measure with and nothing that will make launches fail."""
        working = any(proof.works for proof in self.proofs)
        return working and not any(finding.level == "error" for finding in self.findings)


def examine(
    n_ranks: int = 2,
    on_progress: Progress | None = None,
    surroundings: Surroundings | None = None,
) -> DoctorReport:
    """Look at the machine and try every installation with `n_ranks`; takes a second or two for each.

    Raises:
        UsageError: the file of added installations cannot be read.
    """
    started = time.monotonic()
    report_progress = on_progress or (lambda _text: None)
    report_progress("looking at the machine")
    machine = read_machine()
    seen = survey(surroundings)
    before = preflight(seen.installations, n_ranks)
    proofs = tuple(_prove(installation, n_ranks, report_progress) for installation in seen.installations)
    findings = (*before, *_of_proofs(proofs), *_of_machine(machine))
    return DoctorReport(machine, proofs, seen.unusable, findings, time.monotonic() - started)


def _prove(installation: Installation, n_ranks: int, report_progress: Progress) -> Proof:
    report_progress(f"trying {installation.label}")
    return prove(installation, n_ranks)


def _of_proofs(proofs: tuple[Proof, ...]) -> list[Finding]:
    if not proofs:
        message = (
            "no MPI found: make setup installs two, or load a module, or name one with ictus mpi add LABEL WRAPPER"
        )
        return [Finding("error", "MPI", message)]
    findings = []
    for proof in proofs:
        label = proof.installation.label
        if proof.failure is not None:
            findings.append(Finding("warning", label, proof.failure))
        elif proof.pinned is False:
            message = "launched, but its ranks are not on cores of their own: they move about, and times vary more"
            findings.append(Finding("warning", label, message))
    return findings


def _of_machine(machine: Machine) -> list[Finding]:
    """Advice on what makes times vary or clocks doubtful."""
    findings = []
    if machine.governor not in {"unknown", "performance"}:
        message = (
            f"governor {machine.governor} changes frequencies meanwhile; do: cpupower frequency-set -g performance"
        )
        findings.append(Finding("advice", "frequency", message))
    if machine.turbo:
        message = "turbo is on: frequencies depend on temperature and on busy cores; switch it off to compare runs"
        findings.append(Finding("advice", "frequency", message))
    lacking = [flag for flag in ("constant_tsc", "nonstop_tsc") if flag not in machine.clock_flags]
    if lacking and machine.architecture == "x86_64":
        message = f"the processor does not promise {' and '.join(lacking)}: measure with --clock monotonic"
        findings.append(Finding("advice", "clock", message))
    elif machine.clocksource not in {"tsc", "unknown"}:
        message = f"the kernel prefers {machine.clocksource} to tsc, perhaps for a reason; try --clock monotonic"
        findings.append(Finding("advice", "clock", message))
    if machine.n_cores < 2:
        findings.append(
            Finding("advice", "cores", "one core only: two ranks take turns, and latencies are the scheduler's")
        )
    if machine.virtual != "none":
        message = f"virtual ({machine.virtual}): neighbours show up as stolen time, which is recorded with each launch"
        findings.append(Finding("advice", "machine", message))
    return findings
