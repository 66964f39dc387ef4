"""entered.json of a check: which functions of its library a call entered, where no variable tells its algorithm."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ictus.model.errors import MeasurementError
from ictus.model.sample import FORMAT
from ictus.store.document import read_document, version, write_document

DOCUMENT = "entered.json"


@dataclass(frozen=True)
class Call:
    """A call as the library chooses by it."""

    mpi: str
    """Label of the library."""
    n: int
    operation: str
    bytes: int
    """Of the message; of an operation with blocks, of one."""


def write_entered(folder: Path, found: Mapping[Call, Iterable[str]]) -> None:
    """Write all that was found out, in place of what was there."""
    rows = [{**asdict(call), "functions": list(functions)} for call, functions in found.items()]
    write_document(folder / DOCUMENT, {"format": FORMAT, "ictus": version(), "calls": rows})


def read_entered(folder: Path) -> dict[Call, tuple[str, ...]]:
    """What was found out; nothing where nobody asked. Raises MeasurementError for a damaged file."""
    path = folder / DOCUMENT
    if not path.is_file():
        return {}
    try:
        return dict(_call(row) for row in read_document(path)["calls"])
    except (KeyError, TypeError, ValueError) as error:
        raise MeasurementError(f"{path}: not as documented: {error!r}") from error


def _call(row: Mapping[str, Any]) -> tuple[Call, tuple[str, ...]]:
    call = Call(str(row["mpi"]), int(row["n"]), str(row["operation"]), int(row["bytes"]))
    return call, tuple(map(str, row["functions"]))
