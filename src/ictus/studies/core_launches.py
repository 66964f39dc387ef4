"""The launches of a study that the core measures: what they are made of, and the usual ones.

The usual launches are several of each library with each number of processes, all in random order. Each takes the values
of the study's own options that its program of the core declares too, under the same names.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ictus.engine.event import Observer
from ictus.engine.study import StudyBackend, StudyLaunch
from ictus.engine.study_options import StudyOptions
from ictus.model.random import shuffled
from ictus.studies.core_options import core_words, names_of


@dataclass(frozen=True)
class PlannedLaunches:
    """The launches, and what only Python knows of them: further keys of the document."""

    launches: Sequence[StudyLaunch]
    extra_keys: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StudySetup:
    """What the launches of a study are made of."""

    common: StudyOptions
    backends: Sequence[StudyBackend]
    """One a library."""
    observer: Observer

    @property
    def backend(self) -> StudyBackend:
        """Of a study of one library."""
        return self.backends[0]

    @property
    def n_ranks(self) -> int:
        """Of a study of one number of processes."""
        (n_ranks,) = self.common.processes
        return n_ranks

    def in_random_order(self, core: str, words: Mapping[str, str], launches: int, title: str) -> PlannedLaunches:
        """So many launches of each library with each number of processes, of the core's program `core` with the options
        `words`; each with a seed of its own. Clocks and seed are given where the program takes them.
        """
        slots = [
            (backend, n, launch)
            for backend in self.backends
            for n in self.common.processes
            for launch in range(launches)
        ]
        known = names_of(core)
        planned = []
        for number, (backend, n, launch) in enumerate(shuffled(slots, self.common.seed), 1):
            every_word = {**backend.clocks, **words, "seed": str(self.common.seed + launch)}
            known_words = {key: text for key, text in every_word.items() if key in known}
            about = f"{title}: {backend.installation.label}, launch {number} of {len(slots)}"
            planned.append(StudyLaunch(seeded(backend, launch), tuple(core.split()), n, known_words, about))
        return PlannedLaunches(planned)


def seeded(backend: StudyBackend, launch: int) -> StudyBackend:
    """Each launch on a simulated platform draws its own messages."""
    if backend.platform is None:
        return backend
    return replace(backend, platform=replace(backend.platform, seed=backend.platform.seed + launch))


def usual_launches(core: str, setup: StudySetup, values: Mapping[str, Any]) -> PlannedLaunches:
    """As many as the option `launches` says, else one."""
    return setup.in_random_order(core, core_words(core, values), values.get("launches", 1), core)
