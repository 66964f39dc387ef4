"""Whether an installation works: a small program is compiled with it, launched, and says where its ranks are."""

import re
import subprocess
import tempfile
import time
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from ictus.launch.allocation import read_allocation
from ictus.launch.launchers import launcher, named_hosts
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.model.errors import IctusError
from ictus.model.job import Job
from ictus.model.library import Installation
from ictus.model.quantity import parse_cpu_list
from ictus.mpi.cache import cache, noexec_reason
from ictus.mpi.command import launch
from ictus.mpi.failure_cause import cause_sentence, excerpt_of, readable, steering_sentence
from ictus.mpi.flavours import flavour
from ictus.mpi.machine import cores_of_nodes, usable_cores
from ictus.mpi.toolchain import compiler_of

_COMPILE_TIMEOUT_S = 120.0
_LAUNCH_TIMEOUT_S = 60.0
_TRIES = 3
"""Launches by a plug-in that is known to fit: MPICH by Slurm's pmi2 fails in some (docs/how-to/clusters.md), and after
a failure another way would be kept.
"""


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
    plugin: str = ""
    """The launcher's plug-in that introduced the ranks to each other; `mpiexec` where none did, and the library's own
    launcher started them inside the allocation; empty where there is one way.
    """
    detour: str = ""
    """Why its own launcher starts it instead, in one sentence; empty where the launcher that was asked for does."""

    @property
    def works(self) -> bool:
        """Whether it can be measured with."""
        return self.failure is None


def prove(installation: Installation, n_ranks: int = 2, launcher_text: str = Mpiexec.name) -> Proof:
    """Compile the probe with `installation` and launch it on `n_ranks`, pinned one per core where there are enough; on
    hosts that are named at least one on each. Of a launcher with several plug-ins each is tried, until one starts them
    as one job, and at last the library's own launcher; a plug-in that is known to fit the library up to three times.
    """
    here = launcher_text == Mpiexec.name
    with tempfile.TemporaryDirectory(prefix="ictus-probe-", dir=None if here else _shared_folder()) as name:
        folder = Path(name)
        why = noexec_reason(folder, "TMPDIR" if here else "ICTUS_CACHE")
        if why is not None:
            return Proof(installation, failure=why)
        try:
            compile_s = _compile(installation, folder / "probe")
            plugins = launcher(launcher_text).plugins()
        except IctusError as failure:
            return Proof(installation, failure=str(failure))
        tried = Proof(installation, compile_s)
        failures: list[tuple[str, str]] = []
        fitting = flavour(installation.flavour).plugins
        for plugin in plugins or ("",):
            for _ in range(_TRIES if plugin in fitting else 1):
                proof = _launch(replace(tried, plugin=plugin), n_ranks, folder, launcher_text)
                if proof.works:
                    break
            if proof.works and plugin == Mpiexec.name:
                return replace(proof, detour=_detour(installation, launcher_text, failures))
            if proof.works or not plugins:
                return proof
            failures.append((plugin, proof.failure or ""))
        return replace(tried, failure=_attempts(installation, launcher_text, failures))


def _shared_folder() -> Path:
    """A folder that other nodes see too, as they do the user's own."""
    folder = cache()
    return folder.make(folder.root / "probes")


def _attempts(installation: Installation, launcher_text: str, failures: list[tuple[str, str]]) -> str:
    """What each way did, and what to ask for."""
    return (
        f"no plug-in of {launcher_text} starts it as one job, nor does its own launcher inside the allocation "
        f"({_each(failures)}); ask the administrator for {_needed(installation, failures)}"
    )


def _detour(installation: Installation, launcher_text: str, failures: list[tuple[str, str]]) -> str:
    return (
        f"its own {Mpiexec.name} starts it inside the allocation, since no plug-in of {launcher_text} does "
        f"({_each(failures)}); ask the administrator for {_needed(installation, failures)}"
    )


def _each(failures: list[tuple[str, str]]) -> str:
    return "; ".join(f"{plugin}: {why}" for plugin, why in failures)


def _needed(installation: Installation, failures: list[tuple[str, str]]) -> str:
    """The plug-ins that would start it: those that the site lacks, or that work elsewhere."""
    needed = flavour(installation.flavour).plugins
    lacking = [plugin_name for plugin_name in needed if plugin_name not in [plugin for plugin, _ in failures]]
    return f"the plug-in {' or '.join(lacking or needed)}" if needed else "a plug-in that fits this library"


def _compile(installation: Installation, program: Path) -> float:
    compiler = compiler_of(installation)
    started = time.monotonic()
    with resources.as_file(resources.files("ictus.mpi") / "probe.cpp") as source:
        words = (str(compiler.wrapper), "-std=c++20", "-O1", str(source), "-o", str(program))
        try:
            compilation = subprocess.run(
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
    if compilation.returncode != 0:
        excerpt = excerpt_of(readable(compilation.stdout))
        message = f"cannot compile: {'it printed nothing' if excerpt is None else excerpt.lines[0].strip()}"
        raise IctusError(message)
    return time.monotonic() - started


def _launch(proof: Proof, n_ranks: int, folder: Path, launcher_text: str) -> Proof:
    here = launcher_text == Mpiexec.name
    cores = (usable_cores().n,) if here else cores_of_nodes()
    job = Job(
        n_ranks,
        (str(folder / "probe"),),
        folder,
        _LAUNCH_TIMEOUT_S,
        n_cores=min(cores),
        n_cores_all=sum(cores),
        plugin=proof.plugin,
    )
    if not here:
        job = _spread(job, launcher_text)
    try:
        outcome = launch(proof.installation, job, launcher_text)
    except IctusError as failure:
        return replace(proof, failure=str(failure))
    output = (folder / "stdout.txt").read_text(errors="replace")
    if outcome.exit_code != 0:
        what = f"no answer within {job.timeout_s:g} s" if outcome.timed_out else f"exit code {outcome.exit_code}"
        cause = cause_sentence(folder) or ("" if outcome.timed_out else "it printed nothing")
        why = ": ".join(filter(None, (f"cannot launch {job.n_ranks} ranks", what, cause)))
        return replace(proof, failure=". ".join(filter(None, (why, steering_sentence(outcome.steering)))))
    return _judge(
        replace(proof, launch_s=outcome.elapsed_s), output, job.n_ranks, sees_cores=here and not job.oversubscribed
    )


def _spread(job: Job, launcher_text: str) -> Job:
    """The job on as many nodes as its ranks can be spread over evenly; on all hosts that are named, with more ranks
    where it has too few.
    """
    hosts, allocation = named_hosts(launcher_text), read_allocation()
    if hosts:
        ppn = max(1, job.n_ranks // len(hosts))
        return replace(job, n_ranks=ppn * len(hosts), nodes=len(hosts), ppn=ppn)
    if allocation is None or not 2 <= len(allocation.nodes) <= job.n_ranks:
        return job
    nodes = max(count for count in range(2, len(allocation.nodes) + 1) if job.n_ranks % count == 0 or count == 2)
    return replace(job, nodes=nodes, ppn=job.n_ranks // nodes) if job.n_ranks % nodes == 0 else job


def _judge(proof: Proof, output: str, n_ranks: int, *, sees_cores: bool) -> Proof:
    """`sees_cores`: whether this process sees the cores that ranks run on, and there are enough."""
    sizes = re.findall(r"^ranks (\d+)$", output, re.MULTILINE)
    version = re.search(r"^library (.+)$", output, re.MULTILINE)
    if version:
        installation = replace(proof.installation, library_version=" ".join(version[1].split()))
        proof = replace(proof, installation=installation)
    if sizes != [str(n_ranks)]:
        size = int(sizes[0]) if sizes else 0
        single = f"started {n_ranks} processes that found {size} ranks each"
        program = proof.installation.launcher
        failure = single if proof.plugin else f"{program} {single}: it belongs to another library"
        return replace(proof, n_ranks=size, failure=failure)
    if flavour(proof.installation.flavour).simulated:
        return replace(proof, n_ranks=n_ranks)
    cpus = [parse_cpu_list(text) for text in re.findall(r"^rank \d+ (\S+)$", output, re.MULTILINE)]
    return replace(proof, n_ranks=n_ranks, pinned=_on_cores_of_their_own(cpus) if sees_cores else None)


def _on_cores_of_their_own(cpus: list[frozenset[int]]) -> bool:
    """Whether no two ranks may meet on a CPU, each is on the threads of one core at most, and all on cores of ours."""
    allowed = usable_cores()
    threads_per_core = max(1, allowed.n_cpus // max(1, allowed.n))
    places = frozenset[int]().union(*cpus)
    disjoint = len(places) == sum(map(len, cpus))
    ours = not allowed.restricted or places <= set(allowed.ids)
    return disjoint and ours and all(0 < len(rank_cpus) <= threads_per_core for rank_cpus in cpus)
