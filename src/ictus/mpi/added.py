"""The MPI libraries that the user added: label and wrapper of each, in mpi.json of the user's settings."""

import json
import os
from pathlib import Path
from typing import ClassVar

from ictus.model.document import Document
from ictus.model.errors import IctusError, UsageError
from ictus.model.library import check_label
from ictus.mpi.cache import config_folder


class AddedDocument(Document):
    """mpi.json: wrappers by label."""

    FILE: ClassVar = "mpi.json"

    installations: dict[str, Path]


def added_file() -> Path:
    """Where they are kept."""
    return config_folder() / AddedDocument.FILE


def load_added() -> dict[str, Path]:
    """Label and wrapper of each, in the order they were added; empty where there is no file.

    Raises:
        UsageError: the file is not one that Ictus wrote.
    """
    try:
        return dict(AddedDocument.read(added_file()).installations) if added_file().exists() else {}
    except IctusError as failure:
        raise UsageError(f"{failure}; correct or remove that file") from failure


def save_added(label: str, wrapper: Path) -> None:
    """Remember an installation; one of the same label is replaced.

    Raises:
        UsageError: the label cannot be one, or the file cannot be written.
    """
    _write({**load_added(), check_label(label): wrapper})


def remove_added(label: str) -> None:
    """Forget an installation.

    Raises:
        UsageError: none of this label was added.
    """
    installations = load_added()
    if label not in installations:
        labels = ", ".join(installations) or "none"
        message = f"label {label!r} was not added; added: {labels}"
        raise UsageError(message)
    _write({name: wrapper for name, wrapper in installations.items() if name != label})


def _write(installations: dict[str, Path]) -> None:
    content = AddedDocument(installations=installations).model_dump(mode="json", include={"format", "installations"})
    path = added_file()
    partial = path.with_suffix(f".{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(json.dumps(content, indent=2) + "\n")
        partial.replace(path)
    except OSError as failure:
        message = f"cannot write {path}: {failure.strerror or failure}"
        raise UsageError(message) from failure
