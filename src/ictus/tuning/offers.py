"""The offers of each library for an operation: algorithms, their segments, settings, the placement of ranks; and its
ping-pong, latency and bandwidth at sizes of its own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ictus.engine.backend import Backend
from ictus.engine.building import build_with_progress
from ictus.engine.event import Observer, ignore
from ictus.engine.forced import ForcedVariable, concerning, forced_variables, hindering, without
from ictus.guidelines.check.explaining import link_of, selected_algorithm_of
from ictus.guidelines.hockney import Hockney
from ictus.guidelines.measured import GuidelineMedians
from ictus.guidelines.verdict import Configuration, GuidelineVerdict
from ictus.launch.launchers.simulated import force_algorithms
from ictus.model.algorithm import Algorithm, Knob, Offer, SelectedAlgorithm, Setting, Variant
from ictus.model.call import BASIC
from ictus.model.library import Installation
from ictus.model.plugin import Plugin
from ictus.model.registries import Registries
from ictus.model.spec import parse_spec
from ictus.mpi.build import build_redirect
from ictus.mpi.flavours import FLAVOURS, flavour
from ictus.mpi.machine import packages, usable_cores
from ictus.mpi.operation_library import digest_of, operation_library
from ictus.mpi.toolchain import REDIRECT
from ictus.programs.program import with_preload
from ictus.programs.redirect.profile import PluginLine
from ictus.store.campaign import Campaign
from ictus.store.launch_files import control_variables
from ictus.tuning.budget import affordable
from ictus.tuning.candidates import TuningVariant, Way
from ictus.tuning.drafts import TuningLibrary
from ictus.tuning.session import CampaignRequest, TuningSession, folder_name, in_full, over


@dataclass
class Libraries:
    """The libraries of a check, each asked on demand and only once."""

    backend: Backend
    check: Campaign
    bases: Mapping[str, Variant] = field(default_factory=dict)
    observer: Observer = ignore
    plugins: tuple[Plugin, ...] = ()
    """Plug-ins whose operations are remedies too."""
    _offers: dict[str, Offer] = field(default_factory=dict)

    def installation(self, label: str) -> Installation:
        """The one of that label."""
        return next(installation for installation in self.backend.installations if installation.label == label)

    def offers(self, label: str, operation: str) -> dict[str, TuningVariant]:
        """The variants to be tried for an operation, by name, in the order of their promise. Those with an algorithm
        are launched without the user's variables that would keep it from being taken.
        """
        if not self._offers:
            self._offers.update(self.backend.offers())
        algorithms = [offered for offered in self._offers[label].get(operation, ()) if offered.name not in _NEVER]
        base, free = self.bases.get(label, Variant()), self._without(label, self._hindering(label, operation))

        def use(forced: Mapping[str, Algorithm]) -> Setting:
            return free.overlaid(self._use(label)(forced)) if forced else Setting()

        named = {
            name: TuningVariant(Way.REMOVAL, over(base, name, removal))
            for name, removal in self._removals(label, operation)
        }
        named |= {
            (name := f"{operation}={offered.name}"): TuningVariant(
                Way.ALGORITHM, over(base, name, use({operation: offered})), offered
            )
            for offered in algorithms
        }
        knobs = self._knobs(label, operation)
        for knob in knobs:
            algorithm = next((offered for offered in algorithms if offered.name == knob.algorithm), None)
            if knob.algorithm is not None and algorithm is None:
                continue
            forced = {} if algorithm is None else {operation: algorithm}
            name = knob.name if algorithm is None else f"{operation}={algorithm.name},{knob.name}"
            way = Way.ALGORITHM if algorithm is not None else Way.PLACEMENT if knob.placement else Way.SETTING
            setting = use(forced).overlaid(knob.setting)
            named[name] = TuningVariant(way, over(base, name, setting), algorithm, knob.segment_bytes)
        return named

    def library(self, label: str, measured: GuidelineMedians, *, redirects: bool) -> TuningLibrary:
        """The facts for writing remedies; `redirects`: whether mock-ups are among them."""
        installation = self.installation(label)
        return TuningLibrary(
            label=label,
            flavour=installation.flavour,
            version=installation.library_version,
            tree=self.tree(label),
            measured=measured,
            base=self.bases.get(label, Variant()),
            forced=self.forced(label),
            preload=self._preload(label) if redirects else None,
            plugins=self._plugin_lines(installation) if redirects else {},
        )

    def _plugin_lines(self, installation: Installation) -> dict[str, PluginLine]:
        """Of all operations of the plug-ins."""
        by_operation: dict[str, PluginLine] = {}
        for plugin in self.plugins:
            library = operation_library(installation, plugin, lambda _: None)
            digest = digest_of(Plugin(str(library)))
            for operation in plugin.operations:
                by_operation[operation.name] = PluginLine(operation.name, operation.stands_for, digest, str(library))
        return by_operation

    def _preload(self, label: str) -> str | None:
        """LD_PRELOAD of its ranks with the redirect library before their own. Simulated launches read the profile
        themselves; no library can be loaded before SimGrid's ranks, which are threads of one process.
        """
        if self.backend.on_platform:
            return None
        environment = self.bases.get(label, Variant()).setting.environment
        if not self.backend.real:
            return with_preload(environment, Path(REDIRECT))["LD_PRELOAD"]
        library = build_with_progress(build_redirect, self.installation(label), "redirect library", self.observer)
        return with_preload(environment, library)["LD_PRELOAD"]

    def forced(self, label: str) -> tuple[ForcedVariable, ...]:
        """The user's variables that select its algorithms in the launches of the check."""
        library = next(measured for measured in self.check.libraries if measured.label == label)
        return forced_variables(self.check, library)

    def _removals(self, label: str, operation: str) -> Iterator[tuple[str, Setting]]:
        """Launches without each of those that concern an operation, and without all of them, by name."""
        variables = concerning(self.installation(label).flavour, operation, self.forced(label))
        for removed in (*((variable,) for variable in variables), *((variables,) if len(variables) > 1 else ())):
            yield f"without {' and '.join(forced.name for forced in removed)}", self._without(label, removed)

    def _hindering(self, label: str, operation: str) -> tuple[ForcedVariable, ...]:
        return hindering(self.installation(label).flavour, operation, self.forced(label))

    def _without(self, label: str, removed: tuple[ForcedVariable, ...]) -> Setting:
        reference = self.backend.reference_cvars.get(label, {})
        environment, expected = without(self.installation(label).flavour, removed, reference)
        return Setting(environment, expected=expected)

    def selected_algorithm(self, verdict: GuidelineVerdict) -> SelectedAlgorithm:
        """Which algorithm the library took for a call of the check."""
        if not self._offers:
            self._offers.update(self.backend.offers())
        return selected_algorithm_of(self.check, verdict, self._offers[verdict.place.library])

    def cvars(self, label: str) -> dict[str, str]:
        """The control variables that the library had in a launch of the check."""
        launch = next((each_launch for each_launch in self.check.launches if each_launch.mpi == label), None)
        return {} if launch is None else control_variables(launch.folder, launch.checksums)

    def usable(self, label: str) -> tuple[str, ...]:
        """The operations that it has."""
        operations = self.backend.availability().get(label, ())
        every = tuple(member.name for member in Registries.load().family("operation").members)
        lacking = {operation.name for operation in operations if not operation.available}
        return tuple(name for name in every if name not in lacking)

    def tree(self, label: str) -> Mapping[str, Any] | None:
        """The library's own choices, which its tuning file has to repeat."""
        installation = self.installation(label)
        members = (known_flavour for known_flavour in FLAVOURS if known_flavour.name == installation.flavour)
        return next((member.choice_tree(installation) for member in members), None)

    def _knobs(self, label: str, operation: str) -> tuple[Knob, ...]:
        name = self.installation(label).flavour
        if name not in {member.name for member in FLAVOURS}:
            return ()
        offered = flavour(name).knobs(operation, self.cvars(label), spread=packages() > 1)
        # where not all cores are ours, ranks are on those that are named, which words for a placement would undo
        return tuple(knob for knob in offered if not (knob.placement and usable_cores().restricted))

    def _use(self, label: str) -> Any:
        name = self.installation(label).flavour
        return flavour(name).use if name in {member.name for member in FLAVOURS} else force_algorithms


_NEVER = ("two_proc", "ccl")
"""Algorithms for two processes alone, or for devices that are not there: those are the library's own choice then."""


LAUNCHES = 5
SIZES = tuple(4**power for power in range(11))
"""1 B to 1 MiB, whatever was checked: through two sizes a line goes exactly, and says nothing."""
SHARE = 0.1
"""At most this share of the budget."""
_PING_PONG = parse_spec("pingpong(time=half)")


@dataclass
class PingPongs:
    """One for each library and number of processes, measured on demand."""

    session: TuningSession
    budget_s: float | None
    """The budget of the tuning; None: no limit."""
    _links: dict[Configuration, Hockney | None] = field(default_factory=dict)
    _skipped: list[Configuration] = field(default_factory=list)

    def link(self, configuration: Configuration) -> Hockney | None:
        """Latency and bandwidth; None with a single process, or without time."""
        if configuration not in self._links:
            self._links[configuration] = self._measured(configuration) if configuration.n > 1 else None
        return self._links[configuration]

    def warnings(self) -> Iterator[str]:
        """The measurements that the budget had no time for."""
        for configuration in self._skipped:
            yield (
                f"{configuration.library}, n={configuration.n}: no ping-pong, which would take more than {SHARE:.0%} "
                "of the budget; --explain measures it"
            )

    def _measured(self, configuration: Configuration) -> Hockney | None:
        name = f"pingpong/{folder_name(configuration.library, f'n{configuration.n}')}"
        launch_s = self.session.launch_s(len(SIZES))
        exists = self.session.is_begun(name)
        if self.budget_s is not None and not exists and not affordable(LAUNCHES, launch_s, SHARE * self.budget_s):
            self._skipped.append(configuration)
            return None
        calls = {(in_full(_PING_PONG), BASIC): SIZES}
        base = self.session.base(configuration.library)
        request = CampaignRequest(configuration.library, [configuration.n], calls, [base], LAUNCHES, datatype="byte")
        campaign = self.session.campaign(name, request)
        return link_of(campaign)
