"""Installations that the user added by hand: label and wrapper, in mpi.json of the user's settings."""

import json
import os
from pathlib import Path

from ictus.model.errors import UsageError
from ictus.model.library import check_label
from ictus.mpi.cache import config_folder

FORMAT = 1


def added_file() -> Path:
    """Where they are kept."""
    return config_folder() / "mpi.json"


def load_added() -> dict[str, Path]:
    """Label and wrapper of each, in the order they were added; empty where there is no file.

    Raises:
        UsageError: the file is not one that Ictus wrote.
    """
    try:
        content = json.loads(added_file().read_text())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as failure:
        message = f"{added_file()} cannot be read ({failure}); mend or remove it"
        raise UsageError(message) from failure
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        message = f"{added_file()} has a format that this version of Ictus does not know; mend or remove it"
        raise UsageError(message)
    return {str(label): Path(wrapper) for label, wrapper in content["installations"].items()}


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
        known = ", ".join(installations) or "none"
        message = f"label {label!r} was not added; added: {known}"
        raise UsageError(message)
    _write({name: wrapper for name, wrapper in installations.items() if name != label})


def _write(installations: dict[str, Path]) -> None:
    content = {"format": FORMAT, "installations": {label: str(wrapper) for label, wrapper in installations.items()}}
    path = added_file()
    partial = path.with_suffix(f".{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(json.dumps(content, indent=2) + "\n")
        partial.replace(path)
    except OSError as failure:
        message = f"cannot write {path}: {failure.strerror or failure}"
        raise UsageError(message) from failure
