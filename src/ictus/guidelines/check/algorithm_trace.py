"""entered.json of a check: the library functions that a call entered, where no variable shows its algorithm.

After a check, each such library is launched once per number of processes, without timing, with the calls that violate
a guideline.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar

from ictus.engine.backend import Backend
from ictus.engine.event import Observer, WarningNote
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State
from ictus.model.algorithm import DEFAULT
from ictus.model.call import BASIC, EQUAL_COUNTS, OUT_OF_PLACE, WORLD
from ictus.model.document import Document, DocumentPart
from ictus.model.environment import common
from ictus.model.errors import MeasurementError
from ictus.model.job import Job
from ictus.model.launch_factor import UNPINNED
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.mpi.algorithm_trace import TraceRequest, trace_functions
from ictus.mpi.flavours import FLAVOURS
from ictus.mpi.placed_job import placed_job
from ictus.store.document import version, write_document

DOCUMENT = "entered.json"


@dataclass(frozen=True)
class TracedCall:
    """A call as the library chooses by it."""

    mpi: str
    """Label of the library."""
    n: int
    operation: str
    bytes: int
    """Bytes of the message, or of one block."""


class CallTrace(DocumentPart):
    """A call, and the functions of the library that it entered."""

    mpi: str
    n: int
    operation: str
    bytes: int
    functions: tuple[str, ...]


class TraceDocument(Document):
    """entered.json."""

    FILE: ClassVar = DOCUMENT

    calls: tuple[CallTrace, ...]


def write_traces(folder: Path, traces: Mapping[TracedCall, Iterable[str]]) -> None:
    """Write all that was found out, in place of what was there."""
    calls = tuple(CallTrace(**asdict(call), functions=tuple(functions)) for call, functions in traces.items())
    write_document(folder / DOCUMENT, TraceDocument(ictus=version(), calls=calls))


def read_traces(folder: Path) -> dict[TracedCall, tuple[str, ...]]:
    """The traced calls; empty without a trace. Raises MeasurementError for a damaged file."""
    path = folder / DOCUMENT
    if not path.is_file():
        return {}
    calls = TraceDocument.read(path).calls
    return {TracedCall(call.mpi, call.n, call.operation, call.bytes): call.functions for call in calls}


_USUAL = {"comm": (WORLD,), "counts": (EQUAL_COUNTS,), "in_place": (OUT_OF_PLACE,)}
"""How calls are made in that launch; of others nothing is known."""


def trace_algorithms(
    folder: Path, plan: Plan, backend: Backend, verdicts: Sequence[GuidelineVerdict], observer: Observer
) -> None:
    """Write entered.json; where a library cannot be traced, a warning says so and the check continues without."""
    if any(getattr(plan, name) != default for name, default in _USUAL.items()):
        return
    traces: dict[TracedCall, tuple[str, ...]] = {}
    for configuration, calls in _by_place(plan, backend, verdicts):
        installation, program = backend.programs[configuration.library]
        job = Job(
            n_ranks=configuration.n,
            program=(),
            folder=folder,
            timeout_s=plan.timeout_s,
            environment=common(plan.environment),
            pin=plan.pin[0] != UNPINNED,
        )
        where = next(job_size for job_size in plan.job_sizes if job_size.n == configuration.n)
        try:
            job = placed_job(job, installation, backend.launcher, where, plan.map_by[0])
            answer = trace_functions(installation, program, job, backend.launcher, calls)
        except MeasurementError as error:
            observer(WarningNote(str(error)))
            continue
        for (operation, size), functions in answer.items():
            if operation in calls.operations:
                traces[TracedCall(configuration.library, configuration.n, operation, size)] = functions
    if traces:
        write_traces(folder, traces)


def _by_place(
    plan: Plan, backend: Backend, verdicts: Sequence[GuidelineVerdict]
) -> Iterator[tuple[Configuration, TraceRequest]]:
    """The violated calls of each library that can be traced, by configuration."""
    operator = str(plan.checked(Registries.load()).operator)
    cells: dict[Configuration, list[GuidelineVerdict]] = {}
    for verdict in verdicts:
        traceable = (
            verdict.state is State.VIOLATED and verdict.place.algorithm == DEFAULT and verdict.rule.layout == BASIC
        )
        if traceable and verdict.place.library in backend.programs:
            cells.setdefault(verdict.place, []).append(verdict)
    for configuration, verdicts_there in cells.items():
        if backend.programs[configuration.library][0].flavour in {
            flavour.name for flavour in FLAVOURS if flavour.shows_functions
        }:
            operations = tuple(
                dict.fromkeys(
                    verdict_there.rule.left.name
                    for verdict_there in verdicts_there
                    if not verdict_there.rule.left.arguments
                )
            )
            sizes = tuple(sorted({verdict_there.size_bytes for verdict_there in verdicts_there}))
            if operations:
                yield configuration, TraceRequest(operations, sizes, plan.datatype, operator, str(plan.root[0]))
