"""The libraries of a run, found and built, or simulated: they answer questions and execute launches."""

import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from ictus.engine.attempt import Execute
from ictus.engine.building import MEASURING_PROGRAM, build_with_progress
from ictus.engine.event import Observer
from ictus.engine.pause import Pause, RealPause
from ictus.engine.variables import check_variables
from ictus.launch.launchers import LAUNCHERS, is_known
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.launch.launchers.scenario import Scenario
from ictus.launch.launchers.simulated import OFFER, Simulated, force_algorithms
from ictus.launch.launchers.simulated_time import SimulatedTime
from ictus.model.algorithm import Offer, Variant, variants_of
from ictus.model.availability import Availability
from ictus.model.design import Design, Slot
from ictus.model.environment import common
from ictus.model.errors import MeasurementError, OptionError, UsageError
from ictus.model.input_file import UnreadableFile, text_content
from ictus.model.job import Job, Outcome
from ictus.model.job_size import JobSize
from ictus.model.launch_factor import CORE_FLAGS, GOVERNOR, LAUNCHER_OPTIONS, MAP_BY, PIN, UNPINNED, value_in
from ictus.model.library import Installation, LibraryRequest, library_names, parse_library
from ictus.model.plan import Plan
from ictus.model.platform import parse_platform
from ictus.model.unknown import unknown
from ictus.mpi.build import Build, build_core, built_core
from ictus.mpi.command import launch
from ictus.mpi.discover import discover, find, survey
from ictus.mpi.flavours import flavour
from ictus.mpi.governor import governor_set
from ictus.mpi.inquiry import available, dims_of, offered
from ictus.mpi.operation_library import operation_library
from ictus.mpi.placed_job import placed_job
from ictus.store.launch_head import LaunchHead
from ictus.store.page_faults import CoreFaults
from ictus.store.redirect import RedirectReport, report_variable

T = TypeVar("T")


@dataclass(frozen=True)
class Backend:
    """Libraries that can be measured with, and how a slot is executed with them."""

    installations: tuple[Installation, ...]
    """One for each label, with the library's facts about itself."""
    reference_cvars: Mapping[str, Mapping[str, str]]
    execute: Callable[[Design], Execute]
    offers: Callable[[], Mapping[str, Offer]]
    """Asks each library, by label, which algorithms it has."""
    availability: Callable[[], Mapping[str, tuple[Availability, ...]]]
    """Asks each library, by label, which operations it has."""
    dims: Callable[[int], Mapping[str, Mapping[int, Mapping[int, tuple[int, ...]]]]]
    """Asks each library, by label, for the factors of MPI_Dims_create up to a number of processes."""
    variants: Callable[[Plan], Mapping[str, tuple[Variant, ...]]]
    """The variants in which each library is launched, by label; UsageError for an algorithm that it does not have."""
    real: bool
    """False for simulated libraries: there is no machine to look at."""
    counts_faults: bool = False
    """Whether its processes have a heap whose page faults can be counted."""
    on_platform: bool = False
    """Whether SimGrid simulates the ranks on a platform."""
    launcher: str = Mpiexec.name
    """How its ranks are started."""
    programs: Mapping[str, tuple[Installation, Path]] = field(default_factory=dict)
    """For each library with ranks, by label: the installation that its core was built for, and the core that answers
    questions.
    """
    pause: Pause = field(default_factory=RealPause)
    """How the begin of a block is waited for."""


@dataclass(frozen=True)
class LauncherChoice:
    """How launches are started."""

    launcher: str = Mpiexec.name
    scenario: Path | None = None
    """The file of a world for the launcher `simulated`."""


def prepare_backend(
    requests: tuple[LibraryRequest, ...],
    launcher: str,
    scenario: Path | None,
    observer: Observer,
    plan: Plan | None = None,
) -> Backend:
    """Find the libraries, build the core for each, with each of the plan's flags. Without requests: one library of
    every flavour that is found.

    Raises UsageError for an unknown library or launcher, for variables of the plan that a launch cannot have and for
    flags that a compiler refuses, MeasurementError where a core does not build.
    """
    installations = look_up(requests, launcher, scenario)
    if launcher == Simulated.name:
        return _simulated(installations, scenario)
    core_flags = () if plan is None else plan.core_flags
    if plan is not None:
        check_variables(plan.environment, plan.algorithms, installations)
    on_platform = all_on_platform(installations)
    built = dict(_built(installations, core_flags or ("",), observer))
    cores = {of: (build.installation, build.program) for of, build in built.items()}
    builds = {installation.label: built[installation.label, (core_flags or ("",))[0]] for installation in installations}
    programs = {label: (build.installation, build.program) for label, build in builds.items()}
    return Backend(
        installations=tuple(build.installation for build in builds.values()),
        reference_cvars={label: build.cvars for label, build in builds.items()},
        execute=lambda design: _executor(cores, design, launcher),
        offers=lambda: _offers(programs),
        availability=lambda: {label: available(*pair) for label, pair in programs.items()},
        dims=lambda up_to: {label: dims_of(*pair, up_to) for label, pair in programs.items()},
        variants=lambda plan: _variants(programs, plan),
        real=not on_platform,
        counts_faults=not on_platform,
        on_platform=on_platform,
        launcher=launcher,
        programs=programs,
    )


def look_up(requests: tuple[LibraryRequest, ...], launcher: str, scenario: Path | None) -> tuple[Installation, ...]:
    """The libraries of a request, of which nothing is built yet. Raises UsageError for an unknown library or launcher,
    and where there is none.
    """
    if launcher != Simulated.name and not is_known(launcher):
        raise unknown(f"launcher '{launcher}'", launcher, [*(member.name for member in LAUNCHERS), Simulated.name])
    if launcher == Simulated.name:
        labels = [request.label for request in requests] or ["mpich", "openmpi"]
        return tuple(Simulated.installation(label) for label in labels)
    if scenario is not None:
        raise UsageError("--scenario belongs to --launcher simulated")
    installations = tuple(find(library.which, library.label) for library in requests) or _one_of_each_flavour()
    if not installations:
        raise UsageError(survey().none_found)
    return installations


def known_availability() -> dict[str, tuple[Availability, ...] | None]:
    """Availability of all operations in one library of each flavour, by label; None where its core is not built yet,
    which takes too long for a list.
    """
    builds = {installation.label: built_core(installation) for installation in _one_of_each_flavour()}
    return {
        label: None if build is None else available(build.installation, build.program)
        for label, build in builds.items()
    }


def find_library(which: str | None) -> Installation:
    """The library that is named by label, flavour or wrapper, `LABEL=WHICH` too; None: the first that is found and not
    simulated. Raises UsageError.
    """
    if which is not None:
        if len(library_names((which,))) > 1:
            raise UsageError(f"-m '{which}': one library is measured here")
        request = parse_library(which)
        return find(request.which, request.label)
    installation = next((candidate for candidate in discover() if not flavour(candidate.flavour).simulated), None)
    if installation is None:
        raise UsageError(survey().none_found)
    return installation


def all_on_platform(installations: tuple[Installation, ...]) -> bool:
    """Whether these are simulated; UsageError where some are, for times of another world are not compared."""
    simulated = [installation.label for installation in installations if flavour(installation.flavour).simulated]
    if simulated and len(simulated) < len(installations):
        raise UsageError(
            f"library '{simulated[0]}' is simulated, others are not: measure them in campaigns of their own"
        )
    return bool(simulated)


def _offers(programs: Mapping[str, tuple[Installation, Path]]) -> dict[str, Offer]:
    return {label: offered(installation, program) for label, (installation, program) in programs.items()}


def _variants(programs: Mapping[str, tuple[Installation, Path]], plan: Plan) -> dict[str, tuple[Variant, ...]]:
    """All variants for the plan's algorithms; libraries are asked for their algorithms only if the plan names some."""
    if not plan.algorithms:
        return {}
    return variants_of(
        plan.algorithms,
        _offers(programs),
        {label: flavour(installation.flavour).use for label, (installation, _) in programs.items()},
    )


def _built(
    installations: tuple[Installation, ...], core_flags: tuple[str, ...], observer: Observer
) -> Iterator[tuple[tuple[str, str], Build]]:
    """The core of each library with each of the flags, by label and flags."""
    for installation in installations:
        for flags in core_flags:
            what = f"measuring program with {flags}" if flags else MEASURING_PROGRAM
            build = partial(build_core, flags=flags) if flags else build_core
            yield (installation.label, flags), build_with_progress(build, installation, what, observer)


def _executor(cores: Mapping[tuple[str, str], tuple[Installation, Path]], design: Design, launcher: str) -> Execute:
    plan = design.plan
    platform = None if plan.platform is None else parse_platform(plan.platform)

    def execute(slot: Slot, folder: Path) -> Outcome:
        variables, variant = common(plan.environment), design.variant(slot.mpi, slot.algorithm)
        installation, program = cores[slot.mpi, value_in(plan, variant, CORE_FLAGS)]
        plugins = (operation_library(installation, plugin, lambda _: None) for plugin in plan.plugins)
        loaded = (word for library in plugins for word in ("--plugin", str(library)))
        report = report_variable(folder, variables, variant.setting.environment, variant.environment)
        job = Job(
            n_ranks=slot.n,
            program=(str(program), *loaded, "--plan", "arguments.txt", "--heap", slot.heap),
            folder=folder,
            timeout_s=plan.timeout_s,
            environment={**variables, **report},
            pin=value_in(plan, variant, PIN) != UNPINNED,
            launcher_options=tuple(shlex.split(value_in(plan, variant, LAUNCHER_OPTIONS))),
            variant=variant,
            is_written=partial(_is_written, folder, redirected=bool(report)),
            # Each launch draws its own latencies: launches are the sample.
            platform=None if platform is None else replace(platform, seed=platform.seed + slot.slot),
        )
        with governor_set(value_in(plan, variant, GOVERNOR)):
            size, map_by = JobSize(slot.n, slot.nodes, slot.ppn), value_in(plan, variant, MAP_BY)
            return launch(installation, placed_job(job, installation, launcher, size, map_by), launcher)

    return execute


_LAST = (LaunchHead.FILE, CoreFaults.FILE)
"""Of a launch, and of one that counts page faults: the file that the core writes last, when it has all of all ranks."""


def _is_written(folder: Path, *, redirected: bool) -> bool:
    """Whether all results of a launch are on the disk. A report of redirected calls comes after those of the core."""
    if not any((folder / name).is_file() for name in _LAST):
        return False
    with suppress(MeasurementError):
        return not redirected or RedirectReport.read(folder / RedirectReport.FILE).finalised
    return False


def _one_of_each_flavour() -> tuple[Installation, ...]:
    """The first installation of each flavour: what a bare name would choose. A simulator is used only by name."""
    first: dict[str, Installation] = {}
    for installation in discover():
        if not flavour(installation.flavour).simulated:
            first.setdefault(installation.flavour, installation)
    return tuple(first.values())


def _simulated(installations: tuple[Installation, ...], scenario: Path | None) -> Backend:
    labels = [installation.label for installation in installations]
    try:
        simulated_world = Scenario() if scenario is None else Scenario.from_json(text_content(scenario))
    except (UnreadableFile, UsageError) as error:
        raise OptionError(("scenario", str(scenario), str(error))) from error
    time = SimulatedTime()
    return Backend(
        installations=installations,
        reference_cvars={},
        execute=lambda design: Simulated(
            simulated_world
            if simulated_world.campaign is not None
            else replace(simulated_world, campaign=design.plan.seed),
            design.variants,
            common(design.plan.environment),
            time,
            design.plan.map_by[0],
        ),
        offers=lambda: dict.fromkeys(labels, OFFER),
        availability=lambda: dict.fromkeys(labels, ()),
        dims=lambda _: {},
        variants=lambda plan: variants_of(
            plan.algorithms, dict.fromkeys(labels, OFFER), dict.fromkeys(labels, force_algorithms)
        ),
        real=False,
        counts_faults=bool(simulated_world.page_faults),
        pause=time,
    )
