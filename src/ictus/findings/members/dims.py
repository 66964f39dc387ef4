"""The finding that MPI_Dims_create answers with factors that are farther apart than they need be."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from socket import gethostname

from ictus.engine.backend import World, prepare_backend
from ictus.engine.event import Observer
from ictus.engine.launch_loop import disk_errors
from ictus.findings.finding import FindingResult, PaperFinding
from ictus.findings.material import FindingRequest, Provenance, folder_of, given_to
from ictus.findings.rules import Ruling, Seen
from ictus.guidelines.dims.analysis import Fault
from ictus.guidelines.dims.record import DimsDocument
from ictus.guidelines.dims.tables import Answers, answer_table, dims_rows, total_table
from ictus.model.errors import UsageError
from ictus.model.library import parse_library
from ictus.store.document import now, version, write_document
from ictus.store.durable import make_folder

SOURCE = "Specification guideline violations by MPI_Dims_create (Träff and Lübbe), EuroMPI 2015, abstract"
QUICK, FULL = 1024, 4096


@dataclass(frozen=True)
class DimsMaterial:
    """The answers of libraries, which are asked once each: nothing is timed."""

    def takes(self, key: str) -> bool:
        """Libraries."""
        return key == "mpi"

    def measure(self, request: FindingRequest, world: World, observer: Observer) -> Path:
        """Asks each library; a folder with the answers is whole."""
        place = folder_of(request)
        if (place / DimsDocument.FILE).is_file():
            return place
        libraries = given_to(self, request).get("mpi") or ()
        if world.launcher != "mpiexec":
            raise UsageError(f"--launcher {world.launcher}: study '{request.name}' asks one process; leave it out")
        backend = prepare_backend(tuple(map(parse_library, libraries)), world.launcher, None, observer)
        up_to = request.plan["up_to"]
        factors = {
            label: {dimensions: tuple(map(tuple, each.values())) for dimensions, each in of_library.items()}
            for label, of_library in backend.dims(up_to).items()
        }
        document = DimsDocument(ictus=version(), created=now(), host=gethostname(), up_to=up_to, factors=factors)
        with disk_errors(place):
            make_folder(place)
            write_document(place / DimsDocument.FILE, document)
        return place

    def read(self, folder: Path) -> DimsDocument:
        """The answers in the folder."""
        if not (folder / DimsDocument.FILE).is_file():
            raise UsageError(f"'{folder}' was not measured for this study: it has no {DimsDocument.FILE}")
        return DimsDocument.read(folder / DimsDocument.FILE)

    def provenance(self, data: DimsDocument, folder: Path) -> Provenance:
        """A launch for each library."""
        labels = tuple(data.factors)
        return Provenance(folder, data.created, data.ictus, data.host, labels, len(labels), 0, ())


def judge_answers(answers: Sequence[Answers]) -> tuple[Ruling, str]:
    """Nothing is random in an answer: one whose first and last factor differ more than they need be is enough."""
    labels = dict.fromkeys(one.library for one in answers)
    spread = dict.fromkeys(labels, 0)
    asked = dict(spread)
    for one in answers:
        spread[one.library] += sum(each.fault is Fault.SPREAD for each in one.violations)
        asked[one.library] += one.up_to
    said = ", ".join(f"{count:,} of {asked[label]:,} of {label}" for label, count in spread.items())
    seen = Seen.HOLDS if any(spread.values()) else Seen.DOES_NOT_HOLD
    return Ruling(seen, None, refuted=seen is Seen.DOES_NOT_HOLD), f"answers that others beat in balance: {said}"


def _judge(document: DimsDocument) -> FindingResult:
    answers = document.answers()
    rows = dims_rows(answers)
    tables = (total_table(answers), *((answer_table(answers),) if rows else ()))
    return FindingResult(*judge_answers(answers), tables, tuple(rows))


FINDINGS = (
    PaperFinding(
        "dims-create",
        "MPI_Dims_create answers with factors that are farther apart than they need be.",
        SOURCE,
        "every answer in two, three and four dimensions against the most balanced factors: one is enough; nothing is "
        "random, so that there is no test",
        lambda quick: {"up_to": QUICK if quick else FULL},
        _judge,
        material=DimsMaterial(),
    ),
)
