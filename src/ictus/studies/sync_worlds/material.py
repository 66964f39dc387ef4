"""Simulated worlds as what a finding is judged from: clocks and messages of virtual time, drawn from a seed, in which
the core's own algorithms synchronise. The truth is known.

The folder has what was asked (worlds.json) and a line for each synchronisation (worlds.jsonl), appended as they end; an
interrupted study goes on with those that are missing.
"""

import json
import os
import platform
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from ictus.engine.backend import find_library
from ictus.engine.building import build_with_progress
from ictus.engine.event import Observer, PreparationStep
from ictus.engine.folder import check_same_values
from ictus.engine.launch_loop import disk_errors
from ictus.model.document import Document, DocumentPart, parsed
from ictus.model.errors import MeasurementError, StoppedByUser, UsageError
from ictus.model.input_file import file_content
from ictus.mpi.build import build_simulate
from ictus.mpi.sources import native_folder, source_hash
from ictus.store.document import version, write_document
from ictus.store.durable import append_line, make_folder, write_atomically
from ictus.studies.core_material import check_core, parse_study_options
from ictus.studies.keeping import read_kept
from ictus.studies.material import Material, Provenance, StudyRequest

RESULTS = "worlds.jsonl"
_PIECE = 8
"""Synchronisations that one process makes: so many are lost at most when the study is interrupted."""
_OWN = ("mpi", "n", "seed")
_SAME = ("sources", "seed", "seeds", "networks", "algorithms")


class WorldWait(DocumentPart):
    """All ranks but the root at one time after the last of them had its clock; seconds."""

    wait_s: float
    max_s: float
    """The largest error over ranks."""
    p95_s: float
    bound_s: float | None
    """The largest bound over ranks; None: the algorithm states none."""
    violated: int
    """Ranks whose error is beyond their bound."""


class WorldRun(DocumentPart):
    """One synchronisation in one world, as ictus-simulate writes it."""

    world: str
    algorithm: str
    elapsed_s: float
    messages: int
    arity: int
    waits: tuple[WorldWait, ...] = Field(min_length=1)

    @property
    def violated(self) -> bool:
        """Whether any bound of any rank was broken at any time."""
        return any(wait.violated for wait in self.waits)

    def at(self, wait_s: float) -> WorldWait:
        """The check at that time after synchronising."""
        return next(wait for wait in self.waits if wait.wait_s == wait_s)


@dataclass(frozen=True)
class WorldKind:
    """A kind of world: all but the seed."""

    network: str
    n: int

    @property
    def title(self) -> str:
        """`flat, 64 hosts`."""
        return f"{self.network}, {self.n:,} hosts"


class WorldsDocument(Document):
    """worlds.json: which worlds were asked for, and by what they were simulated."""

    FILE: ClassVar = "worlds.json"

    created: str
    host: str
    library: str
    """The MPI library whose compiler made the simulator; no rank of it runs."""
    sources: str
    """Hash of the core's sources."""
    seed: int
    """Of the first world of each kind; the next ones follow. None below 1001 is used: they were looked at while the
    algorithms were written."""
    seeds: int = Field(ge=1)
    networks: Mapping[str, str]
    """Parameters of each network, by its name."""
    algorithms: Mapping[int, tuple[str, ...]]
    """By number of hosts."""

    @property
    def places(self) -> tuple[WorldKind, ...]:
        """All kinds of worlds."""
        return tuple(WorldKind(network, n) for network in self.networks for n in self.algorithms)

    def world(self, world_kind: WorldKind, seed: int) -> str:
        """A world in ictus-simulate's words."""
        return f"world(size={world_kind.n},seed={seed},{self.networks[world_kind.network]})"

    def pairs(self, world_kind: WorldKind) -> Iterator[tuple[str, str]]:
        """World and algorithm of every synchronisation, seed by seed."""
        for seed in range(self.seed, self.seed + self.seeds):
            for algorithm in self.algorithms[world_kind.n]:
                yield self.world(world_kind, seed), algorithm


@dataclass(frozen=True)
class Worlds:
    """All synchronisations of a study, by kind of world and algorithm, in the order of seeds."""

    document: WorldsDocument
    runs: Mapping[WorldKind, Mapping[str, tuple[WorldRun, ...]]]


@dataclass(frozen=True, kw_only=True)
class WorldsMaterial(Material[Worlds]):
    """Synchronisations in simulated worlds. The plan has `networks` (parameters by name), `n` (numbers of hosts),
    `seeds` (worlds of each kind) and `algorithms`: from the plan and a number of hosts those that synchronise them.
    """

    def accepts(self, key: str) -> bool:
        """The library whose compiler is used, numbers of hosts, the first seed."""
        return key in _OWN

    def measure(self, request: StudyRequest, observer: Observer) -> Worlds:
        """Simulates what the folder lacks."""
        check_core(request)
        plan, folder, typed = request.claim_plan, request.place, request.typed
        named = typed.get("mpi")
        library = named[0] if isinstance(named, list) else named
        options = parse_study_options({"n": plan["n"], **typed, "mpi": library})
        program = build_with_progress(build_simulate, find_library(options.mpi), "simulator", observer)
        document = WorldsDocument(
            created=datetime.now().astimezone().isoformat(timespec="seconds"),
            ictus=version(),
            host=platform.node(),
            library=find_library(options.mpi).label,
            sources=source_hash(native_folder()),
            seed=1000 * options.seed + 1,
            seeds=plan["seeds"],
            networks=plan["networks"],
            algorithms={n: tuple(plan["algorithms"](plan, n)) for n in options.processes},
        )
        with disk_errors(folder):
            make_folder(folder)
            _begin(folder, document)
            _simulate(folder, document, program, observer)
        return self.read(folder)

    def read(self, folder: Path, **_: Any) -> Worlds:
        """From the folder. Raises UsageError where it has none, or not all."""
        document = read_kept(WorldsDocument, folder)
        runs_by_pair = {(run.world, run.algorithm): run for run in _kept(folder / RESULTS)}
        runs: dict[WorldKind, dict[str, tuple[WorldRun, ...]]] = {}
        for kind in document.places:
            pairs = list(document.pairs(kind))
            missing = sum(pair not in runs_by_pair for pair in pairs)
            if missing:
                raise UsageError(
                    f"'{folder}' lacks {missing} of {len(pairs)} synchronisations ({kind.title}); -o {folder} goes on"
                )
            runs[kind] = {
                algorithm: tuple(runs_by_pair[pair] for pair in pairs if pair[1] == algorithm)
                for algorithm in document.algorithms[kind.n]
            }
        return Worlds(document, runs)

    def provenance(self, record: Worlds, folder: Path) -> Provenance:
        """A synchronisation counts as a launch."""
        document = record.document
        launches = sum(len(runs) for each in record.runs.values() for runs in each.values())
        return Provenance(
            folder, document.created, document.ictus, document.host, ("simulated",), launches, document.seed, ()
        )


def _begin(folder: Path, document: WorldsDocument) -> None:
    """Keep what was asked; UsageError where the folder has other worlds, or those of other sources."""
    path = folder / WorldsDocument.FILE
    if not path.is_file():
        write_document(path, document)
        return
    recorded, here = (
        {name: getattr(document, name) for name in _SAME} for document in (WorldsDocument.read(path), document)
    )
    check_same_values(folder, "study", recorded, here)


def _whole_lines(path: Path) -> list[bytes]:
    """All but a last one that is torn: that is simulated again."""
    content = file_content(path) if path.is_file() else b""
    return [line for line in content.splitlines(keepends=True) if line.endswith(b"\n")]


def _kept(path: Path) -> list[WorldRun]:
    runs = []
    for number, line in enumerate(_whole_lines(path), start=1):
        where = f"{path}, line {number}"
        try:
            values = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise MeasurementError(
                f"{where}: this is not JSON; remove the line, and -o {path.parent} goes on"
            ) from error
        runs.append(parsed(WorldRun, values, where))
    return runs


def _simulate(folder: Path, document: WorldsDocument, program: Path, observer: Observer) -> None:
    """All that is missing, in pieces, as many at a time as there are cores."""
    path = folder / RESULTS
    simulated = {(run.world, run.algorithm) for run in _kept(path)}
    write_atomically(path, b"".join(_whole_lines(path)))
    missing = [pair for world_kind in document.places for pair in document.pairs(world_kind) if pair not in simulated]
    pieces = [missing[i : i + _PIECE] for i in range(0, len(missing), _PIECE)]
    n_simulated, total = len(simulated), len(simulated) + len(missing)
    pool = ThreadPoolExecutor(os.cpu_count() or 1)
    try:
        for answers in pool.map(partial(_ask, program), pieces):
            append_line(path, "\n".join(answers))
            n_simulated += len(answers)
            observer(PreparationStep("simulated synchronisations", f"{n_simulated} of {total}"))
    except KeyboardInterrupt as stop:
        raise StoppedByUser(folder, n_simulated, total) from stop
    finally:
        pool.shutdown(cancel_futures=True)


def _ask(program: Path, pairs: Sequence[tuple[str, str]]) -> list[str]:
    lines = "".join(f"{world} {algorithm}\n" for world, algorithm in pairs)
    ended = subprocess.run((str(program),), input=lines, capture_output=True, text=True, check=False)
    answers = ended.stdout.splitlines()
    if ended.returncode != 0 or len(answers) != len(pairs):
        raise MeasurementError(f"ictus-simulate ended with exit code {ended.returncode}: {ended.stderr.strip()}")
    return answers
