"""The command of a launch: from an installation and a job to tokens, environment and outcome.

On a simulated platform also the library that makes the platform, and the host of each rank.
"""

import functools
import hashlib
import json
import os
import re
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from ictus.launch.allocation import read_allocation, slots_of
from ictus.launch.launchers import Dialect, launcher, named_hosts, starter
from ictus.launch.lease import lease_in
from ictus.launch.process import Announcement, run
from ictus.model.errors import UsageError
from ictus.model.input_file import UnreadableFile, regular_file
from ictus.model.job import Job, Outcome
from ictus.model.library import Installation
from ictus.model.platform import DEFAULT_PLATFORM, parse_platform
from ictus.mpi.cache import (
    cache,
    cache_folder,
    check_cache_runs,
    check_cached,
    exclusive_access,
    is_whole,
    new_partial,
    put,
)
from ictus.mpi.environment import launch_environment
from ictus.mpi.flavours import Simulation, Situation, flavour
from ictus.mpi.machine import Cores, usable_cores
from ictus.mpi.sources import native_folder
from ictus.mpi.stages import run_stages
from ictus.mpi.toolchain import compiler_of


@dataclass(frozen=True)
class Command:
    """Everything that determines a launch, before it starts."""

    tokens: tuple[str, ...]
    environment: Mapping[str, str]
    """The whole environment of the launcher."""
    changed_variables: Mapping[str, str]
    """Variables that Ictus set; the launch records them."""
    warnings: tuple[str, ...] = ()
    own_variables: Mapping[str, str] = field(default_factory=dict)
    """Those of `changed_variables` that neither the shell nor the plan has."""
    steering: tuple[str, ...] = ()
    """Variables that steer the library, each with who set it."""


def compose(
    installation: Installation,
    job: Job,
    launcher_name: str = "mpiexec",
    *,
    ambient: Mapping[str, str] | None = None,
    cores: Cores | None = None,
    one_host: bool | None = None,
    simulation: Simulation | None = None,
) -> Command:
    """The command that starts `job` with `installation`.

    None selects the environment of this shell, the usable cores, and the extent of the allocation.

    Variables of the flavour and the plan also go to the ranks through the launcher's options, so that they reach other
    hosts. A variable that starts with LD_ goes only to the ranks: a preloaded library is not for the launcher.

    Raises: UsageError: the launcher or the flavour is unknown, hosts are given to a launcher that takes none, a
    platform to a library that is not simulated, an algorithm and the plan set one variable, or what is run from the
    cache is not what was built.
    """
    if job.platform is not None and simulation is None:
        raise UsageError(f"{installation.label} is not simulated: a platform belongs to the flavour simgrid")
    shell = os.environ if ambient is None else ambient
    member = flavour(installation.flavour)
    here = job.hosts is None and (on_one_host(shell) if one_host is None else one_host)
    situation = replace(_situation(job, cores or usable_cores(), one_host=here), simulation=simulation)
    requested = _requested_variables(job)
    platform = () if simulation is None else (str(simulation.library),)
    check_cached((*job.program, *requested.get("LD_PRELOAD", "").split(":"), *platform))
    environment = launch_environment(installation, member.run_environment(installation, situation), requested, shell)
    placement = (*member.placement(installation, situation), *job.variant.setting.options, *job.launcher_options)
    dialect = Dialect(placement, member.exports(environment.changed_variables))
    chosen = starter(launcher_name, job.plugin)
    tokens = chosen.tokens(job, installation, dialect)
    ranks_only = set() if chosen.shares_environment else {name for name in requested if name.startswith("LD_")}
    variables = {name: value for name, value in environment.variables.items() if name not in ranks_only}
    changes = (environment.changed_variables, environment.warnings, environment.own_variables, environment.steering)
    return Command(tokens, variables, *changes)


def launch(
    installation: Installation,
    job: Job,
    launcher_name: str = "mpiexec",
    *,
    ambient: Mapping[str, str] | None = None,
    one_host: bool | None = None,
) -> Outcome:
    """Start `job` with `installation`, wait for its end, leave nothing behind.

    Raises:
        UsageError: the launcher or the flavour is unknown.
        MeasurementError: the launcher cannot be started, or its hosts cannot be made.
    """
    with launcher(launcher_name).hosts() as hosts:
        job = replace(job, hosts=hosts.first(job.nodes) if hosts is not None else job.hosts)
        simulated = flavour(installation.flavour).simulated
        simulation = prepare_simulation(installation, job) if simulated else None
        command = compose(installation, job, launcher_name, ambient=ambient, one_host=one_host, simulation=simulation)
        record = _launcher_record(installation, job, command, named_hosts(launcher_name))
        (job.folder / "launcher.json").write_text(json.dumps(record), "utf-8")
        with lease_in(job.folder, job.timeout_s) as lease:
            outcome = run(
                command.tokens,
                command.environment,
                job.folder,
                job.timeout_s,
                command.changed_variables,
                lease=lease,
                announcement=partial(_announcement, job, flavour(installation.flavour).end_announcement),
            )
    return replace(outcome, steering=command.steering)


def _announcement(job: Job, of_failure: str) -> Announcement:
    """What a job has said of its end. A failure comes first: it may have come after results were written."""
    if _has_failed(job.folder, of_failure):
        return "failed"
    return "written" if job.is_written() else "none"


def _has_failed(folder: Path, announcement: str) -> bool:
    """Whether launcher or a rank has said on standard error that the launch ends."""
    if not announcement:
        return False
    with suppress(OSError, UnreadableFile), regular_file(folder / "stderr.txt") as file:
        file.seek(-min(_LAST_BYTES, file.seek(0, os.SEEK_END)), os.SEEK_END)
        return re.search(rf"^({announcement})".encode(), file.readall(), re.MULTILINE) is not None
    return False


_LAST_BYTES = 1 << 16
"""What is said at the end lies within so many bytes."""


def _launcher_record(installation: Installation, job: Job, command: Command, named: tuple[str, ...]) -> dict[str, Any]:
    """launcher.json: what only the launcher knows; the core copies it into launch.json. `named` are the hosts of
    `--hosts`.
    """
    library = {
        "label": installation.label,
        "flavour": installation.flavour,
        "version": installation.version,
        "wrapper": str(installation.compiled_by),
        "origin": installation.origin,
        "build_info": installation.build_info,
    }
    hosts = {} if job.hosts is None else {"hosts": dict(job.hosts.record)}
    allocation = read_allocation()
    if allocation is not None:
        hosts["allocation"] = allocation.record()
    share_cores = job.hosts is not None and job.hosts.share_cores
    bound = job.pin and not job.oversubscribed and not share_cores
    hosts["asked"] = {"hosts": named[: job.nodes or None], "runner": _runner(named), "bound": bound}
    variables = {"environment": dict(command.changed_variables), "set_by_ictus": sorted(command.own_variables)}
    record = {"command": list(command.tokens), **variables, "library": library, **hosts}
    return {**record, "algorithm": job.variant.record()}


@functools.cache
def _runner(named: tuple[str, ...]) -> str:
    """The name of this host, where it is known to be none of these: each is an address, and none is an own one. Empty
    otherwise.
    """
    for host in named:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_DGRAM)[0]
        except OSError:  # a name that only ssh knows
            return ""
        with suppress(OSError), socket.socket(family, kind, protocol) as probe:
            probe.bind(address)  # only an address of this host can be bound
            return ""
    return socket.gethostname()


def _requested_variables(job: Job) -> dict[str, str]:
    """Variables of the plan and of the algorithms; UsageError where both set one."""
    forced = job.variant.setting.environment
    twice = sorted(job.environment.keys() & forced.keys())
    if twice:
        raise UsageError(f"--env {twice[0]}: algorithm '{job.variant.name}' sets this variable itself; leave one out")
    return {**job.environment, **job.variant.environment, **forced}


def usual_situation() -> Situation:
    """That of a launch of two ranks from here, before anything is known of a job."""
    job = Job(2, (), Path(), 0.0, n_cores=2)
    return _situation(job, usable_cores(), one_host=on_one_host(os.environ))


def _situation(job: Job, cores: Cores, *, one_host: bool) -> Situation:
    return Situation(
        n_ranks=job.n_ranks,
        oversubscribed=job.oversubscribed,
        pin=job.pin and not (job.hosts is not None and job.hosts.share_cores),
        cores=cores.in_turn(job.map_by) if cores.restricted and one_host else None,
        one_host=one_host,
        as_root=os.geteuid() == 0,
        hosts=job.hosts,
        nodes=job.nodes,
        ppn=job.ppn,
        map_by=job.map_by,
        node_names=_more_nodes(job),
    )


def _more_nodes(job: Job) -> tuple[str, ...]:
    """The nodes of the allocation, where there are more than the job asks for. Raises UsageError for too few."""
    allocation = read_allocation()
    if allocation is None or not job.nodes or not allocation.nodes or job.hosts is not None:
        return ()
    if job.nodes > len(allocation.nodes):
        raise UsageError(
            f"--nodes {job.nodes}: the allocation {allocation.job} of {allocation.scheduler} has "
            f"{len(allocation.nodes)}, {', '.join(allocation.nodes[:8])}"
        )
    return allocation.nodes if len(allocation.nodes) > job.nodes else ()


def on_one_host(shell: Mapping[str, str]) -> bool:
    """Whether a launch stays on this host: true outside a batch system's allocation and inside one of a single node."""
    for name in ("SLURM_JOB_NUM_NODES", "SLURM_NNODES", "PBS_NUM_NODES"):
        if shell.get(name, "").isdigit():
            return int(shell[name]) == 1
    allocation = read_allocation(shell)
    return len(slots_of(shell) if allocation is None else allocation.nodes) <= 1


LIBRARY = "libictus-platform.so"


def prepare_simulation(installation: Installation, job: Job) -> Simulation:
    """Write the hostfile of `job` into its folder; the platform library comes from the cache or is compiled (5 s).

    Raises:
        UsageError: hosts are named, or a word of the program has blanks, at which smpirun splits.
        MeasurementError: the library does not compile.
    """
    if job.hosts is not None:
        raise UsageError(f"{installation.label} simulates its hosts: it cannot be started on others")
    if job.nodes or job.map_by != "core":
        what = f"--nodes {job.nodes}" if job.nodes else f"--map-by {job.map_by}"
        raise UsageError(f"{what}: the hosts of simulated ranks are those of --platform; leave it out")
    split = [word for word in job.program if any(character.isspace() for character in word)]
    if split:
        raise UsageError(f"{installation.launcher} splits words at blanks: '{split[0]}' must be without")
    platform = job.platform or parse_platform(DEFAULT_PLATFORM)
    hostfile = job.folder / "hosts.txt"
    hostfile.write_text("".join(f"{name}\n" for name in platform.host_names(job.n_ranks)), "utf-8")
    library = platform_library(installation)
    return Simulation(library, hostfile, platform.description(job.n_ranks), platform.reading_s)


@functools.cache
def platform_library(installation: Installation) -> Path:
    """The library that SimGrid loads instead of a platform file, compiled once for this version of it.

    Raises:
        MeasurementError: it does not compile; the message names the log.
    """
    check_cache_runs()
    compiler = compiler_of(installation)
    source = native_folder() / "src"
    files = sorted([*(source / "platform").iterdir(), source / "base" / "random.hpp"])
    digest = hashlib.sha256(f"{installation.version}\0{compiler.version()}\0".encode())
    for path in files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    entry = cache_folder() / "platforms" / f"{installation.flavour}-{installation.version}-{digest.hexdigest()[:16]}"
    with exclusive_access(entry):
        if not is_whole(entry):
            partial = new_partial(entry)
            units = (str(path) for path in files if path.suffix == ".cpp")
            flags = ("-std=c++20", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-I", str(source))
            command = (compiler.below(), *flags, *units, "-o", str(partial / LIBRARY), "-lsimgrid")
            what = "building the simulated platforms"
            run_stages(((command,),), compiler.environment, partial / "build.log", what, lambda _text: None)
            put(partial, entry, LIBRARY)
    return cache().checked(entry / LIBRARY)
