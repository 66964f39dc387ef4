"""Files of pages: checked before anything is computed, written whole, said where they are."""

import os
from pathlib import Path

from ictus.model.errors import MeasurementError, UsageError
from ictus.render.output import print_note
from ictus.render.page import CAUGHT
from ictus.store.durable import write_atomically


def check_page_file(path: Path, example: str, option: str = "-o") -> None:
    """UsageError, before anything is computed, for the file of a page or a summary that could not be written; `example`
    is a name for one.
    """
    if path.is_dir():
        raise UsageError(f"{option} '{path}' is a folder; name a file, such as {path / example}")
    if not path.parent.is_dir():
        raise UsageError(f"{option} '{path}': the folder '{path.parent}' does not exist")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UsageError(f"{option} '{path}' cannot be written to")


def write_page_file(path: Path, text: str) -> None:
    """Write a page to the file that the user named; says where. Raises MeasurementError where that is refused."""
    if CAUGHT.get() is not None:
        return
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise MeasurementError(f"page '{path}' cannot be written: {error.strerror}") from error
    print_note(f"{path}, {opening(path)}")


def opening(path: Path) -> str:
    """`46 kB; open it in a browser, it needs nothing else`."""
    size = path.stat().st_size
    large = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
    return f"{large}; open it in a browser, it needs nothing else"


def write_page(path: Path, text: str) -> None:
    """Write a page in a folder of ours; says where. Raises MeasurementError where that is refused."""
    if CAUGHT.get() is not None:
        return
    try:
        write_atomically(path, text.encode())  # in the place of a link that may be there
    except OSError as error:
        raise MeasurementError(f"page '{path}' cannot be written: {error.strerror}") from error
    print_note(f"page: {path}")
