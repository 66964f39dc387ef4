"""A study's folder: one document with all that was measured, its figures, and the page; reads earlier ones."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ictus.model.document import Document
from ictus.model.errors import MeasurementError, UsageError
from ictus.render.output import print_note
from ictus.render.page import CAUGHT, Panel
from ictus.store.document import now, version, write_document
from ictus.store.durable import write_atomically
from ictus.store.journal import check_own

D = TypeVar("D", bound=Document)

PAGE = "report.html"
FIGURES = "figures"


def read_kept(document: type[D], folder: Path) -> D:
    """The document of a study in a folder, or the file itself. Raises UsageError where there is none."""
    path = folder / document.FILE if folder.is_dir() else folder
    if not path.is_file():
        raise UsageError(f"'{folder}' is not a study: there is no {path}")
    return document.read(path)


def document_of(
    document: type[D], kind: str, launches: Sequence[Mapping[str, Any]], extra_keys: Mapping[str, Any]
) -> D:
    """The document to keep: all answers of the core in one or more launches; `extra_keys` has the facts that only
    Python knows.
    """
    values = {
        "format": document.SCHEMA,
        "ictus": version(),
        "study": kind,
        "created": now(),
        **extra_keys,
        "launches": list(launches),
    }
    return document.parse(values, document.FILE)


def keep(folder: Path, document: Document, page: str, panels: Iterable[Panel]) -> None:
    """Write the folder whole; says where. Raises MeasurementError where that is refused."""
    write_report(folder, page, panels, document)
    if CAUGHT.get() is None:
        print_note(f"kept in {folder}: {document.FILE}, {FIGURES}, {PAGE}")


def write_report(folder: Path, page: str, panels: Iterable[Panel], document: Document | None = None) -> None:
    """Write the page and its figures, and the study's document where it is not there yet. Raises MeasurementError."""
    if CAUGHT.get() is not None:
        return
    try:
        check_own(folder / FIGURES)
        (folder / FIGURES).mkdir(parents=True, exist_ok=True)
        if document is not None:
            write_document(folder / document.FILE, document.raw)
        for number, panel in enumerate(panels, 1):
            write_atomically(folder / FIGURES / figure_name(number, panel), f"{panel.svg}\n".encode())
        write_atomically(folder / PAGE, page.encode())
    except OSError as error:
        raise MeasurementError(f"study '{folder}' cannot be written: {error.strerror}") from error


def figure_name(number: int, panel: Panel) -> str:
    """The file of a panel, by its place on the page and what it shows."""
    return f"{number:02}-{_slug(f'{panel.title} {panel.detail}')}.svg"


def _slug(text: str) -> str:
    """`Error over time, 4 processes` as `error-over-time-4-processes`."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower().replace("'", "")).strip("-")[:60]
