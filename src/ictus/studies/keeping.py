"""A study's folder: one document with all that was measured, its figures, and the page. Or one that was kept before."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from ictus.model.errors import MeasurementError, UsageError
from ictus.model.sample import FORMAT
from ictus.render.output import print_note
from ictus.render.page import Panel
from ictus.store.document import read_document, version, write_document

PAGE = "report.html"
FIGURES = "figures"


def read_kept(folder: Path, name: str) -> tuple[Mapping[str, Any], Path]:
    """The document of a study in a folder, or the file itself, and where it was. Raises UsageError where it is not."""
    path = folder / name if folder.is_dir() else folder
    if not path.is_file():
        raise UsageError(f"'{folder}' is no study: there is no {path}")
    return read_document(path), path


def document_of(kind: str, launches: Sequence[Mapping[str, Any]], more: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept: all that the core said in one or more launches; `more` is what only this side knows."""
    return {
        "format": FORMAT,
        "ictus": version(),
        "study": kind,
        "created": datetime.now().astimezone().isoformat(timespec="seconds"),
        **more,
        "launches": list(launches),
    }


def keep(folder: Path, name: str, document: Mapping[str, Any], panels: Iterable[Panel], page: str) -> None:
    """Write the folder whole; says where. Raises MeasurementError where that is refused."""
    try:
        (folder / FIGURES).mkdir(parents=True, exist_ok=True)
        write_document(folder / name, document)
        for number, panel in enumerate(panels, 1):
            (folder / FIGURES / figure_name(number, panel)).write_text(f"{panel.svg}\n", "utf-8")
        (folder / PAGE).write_text(page, "utf-8")
    except OSError as error:
        raise MeasurementError(f"study '{folder}' cannot be written: {error.strerror}") from error
    print_note(f"kept in {folder}: {name}, {FIGURES}, {PAGE}")


def figure_name(number: int, panel: Panel) -> str:
    """The file of a panel, by its place on the page and what it shows."""
    return f"{number:02}-{_slug(f'{panel.title} {panel.detail}')}.svg"


def _slug(text: str) -> str:
    """`Error over time, 4 processes` as `error-over-time-4-processes`."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower().replace("'", "")).strip("-")[:60]
