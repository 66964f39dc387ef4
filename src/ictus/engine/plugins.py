"""Asks cores what the plug-ins of a plan are, before names of operations are checked: they run code of the plug-in."""

from dataclasses import replace
from pathlib import Path

from ictus.engine.building import MEASURING_PROGRAM, build_with_progress
from ictus.engine.event import Observer, PreparationStep, ignore
from ictus.launch.launchers.simulated import Simulated
from ictus.model.errors import UsageError
from ictus.model.library import Installation
from ictus.model.member import Member
from ictus.model.plan import Plan
from ictus.model.plugin import Plugin
from ictus.mpi.build import build_core, built_core
from ictus.mpi.discover import discover, find, survey
from ictus.mpi.flavours import flavour
from ictus.mpi.inquiry import operations_of
from ictus.mpi.operation_library import digest_of, operation_library


def with_plugins(plan: Plan, launcher: str, observer: Observer = ignore) -> Plan:
    """The plan with its plug-ins described; their operations are known to this process from then on.

    Raises:
        UsageError: a plug-in is missing, has changed, is refused by a core, or ranks are simulated.
        MeasurementError: it does not compile, or ends the core that asks it.
    """
    if not plan.plugins:
        return plan
    described = tuple(_described(plugin, plan, launcher, observer) for plugin in plan.plugins)
    return plan.model_copy(update={"plugins": described})


def _described(plugin: Plugin, plan: Plan, launcher: str, observer: Observer) -> Plugin:
    if launcher == Simulated.name or plan.platform is not None:
        raise UsageError(
            f"--plugin {plugin.path}: simulated ranks cannot load it; leave it out, or name a real library"
        )
    here = replace(plugin, path=str(Path(plugin.path).expanduser().absolute()))
    digest = digest_of(here)
    if here.is_described:
        return here
    answers = {library.label: _asked(library, here, observer) for library in _libraries(plan)}
    if not answers:
        raise UsageError(f"--plugin {plugin.path}: no library can be asked for its operations; {survey().none_found}")
    first, *others = answers.items()
    for label, operations in others:
        if operations != first[1]:
            raise UsageError(f"plug-in '{here.path}' describes its operations differently for {first[0]} and {label}")
    return here.described(here.path, digest, first[1])


def _asked(installation: Installation, plugin: Plugin, observer: Observer) -> tuple[Member, ...]:
    core = built_core(installation) or build_with_progress(build_core, installation, MEASURING_PROGRAM, observer)
    step = f"asking plug-in {Path(plugin.path).name} for its operations ({installation.label})"
    observer(PreparationStep(step))

    def progress(detail: str) -> None:
        observer(PreparationStep(step, detail))

    library = operation_library(installation, plugin, progress)
    return operations_of(core.installation, core.program, library)


def _libraries(plan: Plan) -> tuple[Installation, ...]:
    """Those of the plan, else one of each flavour, as they are measured."""
    if plan.libraries:
        return tuple(find(library.which, library.label) for library in plan.libraries)
    real = [installation for installation in discover() if not flavour(installation.flavour).simulated]
    return tuple({installation.flavour: installation for installation in reversed(real)}.values())
