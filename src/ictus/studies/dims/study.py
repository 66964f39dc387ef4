"""The claim that MPI_Dims_create answers with factors that are farther apart than they need be."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from socket import gethostname
from typing import Any

from ictus.engine.backend import prepare_backend
from ictus.engine.event import Observer
from ictus.engine.launch_loop import disk_errors
from ictus.guidelines.dims.analysis import Fault
from ictus.guidelines.dims.record import DimsDocument
from ictus.guidelines.dims.tables import Answers, answer_table, dims_rows, total_table
from ictus.model.errors import UsageError
from ictus.model.library import library_names, parse_library
from ictus.stats.claim_rules import Ruling, Seen
from ictus.store.document import now, version, write_document
from ictus.store.durable import make_folder
from ictus.studies.claim import Claim, ClaimResult
from ictus.studies.keeping import read_kept
from ictus.studies.material import Material, Provenance, StudyRequest
from ictus.studies.study import study_of_claims

SOURCE = "Specification guideline violations by MPI_Dims_create (Träff and Lübbe), EuroMPI 2015, abstract"
QUICK, FULL = 1024, 4096


@dataclass(frozen=True, kw_only=True)
class DimsMaterial(Material[DimsDocument]):
    """The answers of libraries, which are asked once each: nothing is timed."""

    def accepts(self, key: str) -> bool:
        """Libraries."""
        return key == "mpi"

    def measure(self, request: StudyRequest, observer: Observer) -> DimsDocument:
        """Asks each library; a folder with the answers is whole."""
        folder, launcher = request.place, request.launcher_choice.launcher
        if (folder / DimsDocument.FILE).is_file():
            return self.read(folder)
        libraries = request.typed.get("mpi") or ()
        if launcher != "mpiexec":
            raise UsageError(f"--launcher {launcher}: study '{request.claim}' asks one process; leave it out")
        backend = prepare_backend(tuple(map(parse_library, library_names(libraries))), launcher, None, observer)
        up_to = request.claim_plan["up_to"]
        factors = {
            label: {dimensions: tuple(map(tuple, each.values())) for dimensions, each in of_library.items()}
            for label, of_library in backend.dims(up_to).items()
        }
        document = DimsDocument(ictus=version(), created=now(), host=gethostname(), up_to=up_to, factors=factors)
        with disk_errors(folder):
            make_folder(folder)
            write_document(folder / DimsDocument.FILE, document)
        return document

    def read(self, folder: Path, **_: Any) -> DimsDocument:
        """The answers in the folder."""
        return read_kept(DimsDocument, folder)

    def provenance(self, record: DimsDocument, folder: Path) -> Provenance:
        """A launch for each library."""
        labels = tuple(record.factors)
        return Provenance(folder, record.created, record.ictus, record.host, labels, len(labels), None, ())


def judge_answers(answers: Sequence[Answers]) -> tuple[Ruling, str]:
    """Nothing is random in an answer: one whose first and last factor differ more than they need be is enough."""
    labels = dict.fromkeys(library_answers.library for library_answers in answers)
    spread = dict.fromkeys(labels, 0)
    answers_by_label = dict(spread)
    for answer in answers:
        spread[answer.library] += sum(each.fault is Fault.SPREAD for each in answer.violations)
        answers_by_label[answer.library] += answer.up_to
    counts_text = ", ".join(f"{count:,} of {answers_by_label[label]:,} of {label}" for label, count in spread.items())
    answer_seen = Seen.HOLDS if any(spread.values()) else Seen.DOES_NOT_HOLD
    return Ruling(
        answer_seen, None, refuted=answer_seen is Seen.DOES_NOT_HOLD
    ), f"answers that others beat in balance: {counts_text}"


def _judge(document: DimsDocument) -> ClaimResult:
    answers = document.answers()
    rows = dims_rows(answers)
    tables = (total_table(answers), *((answer_table(answers),) if rows else ()))
    return ClaimResult(*judge_answers(answers), tables, tuple(rows))


CLAIMS = (
    Claim(
        "dims-create",
        "MPI_Dims_create answers with factors that are farther apart than they need be.",
        SOURCE,
        "every answer in two, three and four dimensions against the most balanced factors: one is enough; nothing is "
        "random, so that there is no test",
        lambda quick: {"up_to": QUICK if quick else FULL},
        _judge,
    ),
)

STUDY = study_of_claims("dims", DimsMaterial(), CLAIMS)
