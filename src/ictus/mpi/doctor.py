"""The work of `ictus doctor`: the machine, each library proven by use (mpi/proof.py), and advice on both."""

import time
from dataclasses import dataclass

from ictus.launch.launchers import launcher
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.launch.launchers.namespaces import CLOCK
from ictus.model.host_checks import check_hosts
from ictus.model.host_state import HostState
from ictus.model.job_size import JobSize
from ictus.model.library import Installation
from ictus.model.spec import Spec
from ictus.mpi.cache import cache_folder, noexec_reason
from ictus.mpi.discover import Survey, survey
from ictus.mpi.flavours import flavour
from ictus.mpi.machine import Machine, read_machine
from ictus.mpi.placed_job import ranks_of_node
from ictus.mpi.plugin import remember
from ictus.mpi.preflight import Finding, preflight
from ictus.mpi.proof import Proof, prove
from ictus.mpi.recognition import Unusable
from ictus.mpi.search import VARIABLE, Surroundings
from ictus.mpi.stages import Progress
from ictus.mpi.wheels import HOW_TO_INSTALL

__all__ = ["DoctorReport", "Proof", "examine", "prove"]

MONOTONIC = Spec(CLOCK)
"""The clock that tells hosts of every launcher apart."""


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
    launcher_text: str = Mpiexec.name,
) -> DoctorReport:
    """Look at the machine and try every installation with `n_ranks`; takes a second or two for each. A simulator is
    tried with its own launcher alone.

    Raises:
        UsageError: the file of added installations cannot be read, or the launcher is unknown.
        MeasurementError: the launcher cannot be used from here.
    """
    launcher(launcher_text).check_usable(MONOTONIC)
    started = time.monotonic()
    report_progress = on_progress or (lambda _text: None)
    report_progress("looking at the machine")
    machine = read_machine()
    search = survey(surroundings)
    before = preflight(search.installations, ranks_of_node(JobSize(n_ranks), launcher_text))
    tried = [
        installation
        for installation in search.installations
        if launcher_text == Mpiexec.name or not flavour(installation.flavour).simulated
    ]
    proofs = tuple(_prove(installation, n_ranks, report_progress, launcher_text) for installation in tried)
    findings = (*_of_cache(), *before, *_of_search(search), *_of_proofs(proofs), *_of_machine(machine))
    return DoctorReport(machine, proofs, search.unusable, findings, time.monotonic() - started)


def _prove(installation: Installation, n_ranks: int, report_progress: Progress, launcher_text: str) -> Proof:
    report_progress(f"trying {installation.label}")
    proof = prove(installation, n_ranks, launcher_text)
    if proof.works and proof.plugin:
        remember(installation, launcher_text, proof.plugin)
    return proof


def _of_cache() -> list[Finding]:
    why = noexec_reason(cache_folder(), "ICTUS_CACHE")
    return [] if why is None else [Finding("error", "cache", why)]


def _of_search(search: Survey) -> list[Finding]:
    if not search.left_out:
        return []
    message = (
        f"{VARIABLE} has only {', '.join(search.searched)}: not searched for libraries: {', '.join(search.left_out)}"
    )
    return [Finding("advice", VARIABLE, message)]


def _of_proofs(proofs: tuple[Proof, ...]) -> list[Finding]:
    if not proofs:
        message = f"no MPI found: {HOW_TO_INSTALL}; or load a module, or name one with `ictus mpi add LABEL WRAPPER`"
        return [Finding("error", "MPI", message)]
    findings = []
    for proof in proofs:
        label = proof.installation.label
        if proof.failure is not None:
            findings.append(Finding("warning", label, proof.failure))
        elif proof.detour:
            findings.append(Finding("advice", label, proof.detour))
        elif proof.pinned is False:
            message = "launched, but its ranks are not on cores of their own: they move about, and times vary more"
            findings.append(Finding("warning", label, message))
    return findings


def host_state(machine: Machine) -> HostState:
    """This machine as a host without ranks."""
    on_off = {True: "on", False: "off", None: "unknown"}
    has_counter = machine.architecture == "x86_64"
    return HostState(
        name=machine.host,
        cpu_model=machine.cpu_model,
        kernel=machine.kernel,
        governor=machine.governor,
        turbo=on_off[machine.turbo],
        smt=on_off[machine.smt],
        clocksource=machine.clocksource,
        tsc_invariant={"constant_tsc", "nonstop_tsc"} <= set(machine.clock_flags) if has_counter else None,
        huge_pages=machine.huge_pages,
    )


def _of_machine(machine: Machine) -> list[Finding]:
    """Advice on what makes times vary or clocks doubtful: the checks of all hosts, and what is worth a word before
    anything is launched.
    """
    findings = [
        Finding("advice", check_host.subject, check_host.advice) for check_host in check_hosts([host_state(machine)])
    ]
    if machine.clocksource not in {"tsc", "unknown"} and not any(finding.subject == "clock" for finding in findings):
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
