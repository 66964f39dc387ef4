"""A study of clocks as its folder keeps it: clocks.json, its figures, and the page."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ictus.model.errors import UsageError
from ictus.render.page import Panel
from ictus.studies import keeping
from ictus.studies.clocks.document import ClocksDocument
from ictus.studies.clocks.reading import study_of
from ictus.studies.clocks.record import Study


def kept(folder: Path, kind: str) -> Study:
    """The study in a folder, or in the file itself. Raises UsageError where there is none of that kind."""
    study = study_of(keeping.read_kept(ClocksDocument, folder))
    wanted = "accuracy" if kind == "pareto" else kind
    if not getattr(study, wanted):
        raise UsageError(f"'{folder}' holds a study of {study.kind}: `ictus clocks {study.kind} {folder}` shows it")
    return study


def assembled(kind: str, launches: Sequence[Mapping[str, Any]], more: Mapping[str, Any]) -> Study:
    """A study of what the core said in one or more launches; `more` is what only this side knows."""
    return study_of(keeping.document_of(ClocksDocument, kind, launches, more))


def keep(folder: Path, study: Study, panels: Iterable[Panel], page: str) -> None:
    """Write the folder whole; says where. Raises MeasurementError where that is refused."""
    keeping.keep(folder, study.document, panels, page)
