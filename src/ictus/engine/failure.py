"""Why a launch failed, in one message: the first rank that complained, else what the launcher said."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.model.job import Outcome

_TAIL_LINES = 8


@dataclass(frozen=True)
class RankError:
    """error.RANK.json: what one rank said before it ended the launch."""

    rank: int
    time_s: float
    host: str
    kind: str
    """`usage` (what was asked for cannot be, so that trying again is no use) or `measurement`."""
    message: str

    def __str__(self) -> str:
        return f"rank {self.rank} on {self.host}: {self.message}"


def first_error(folder: Path) -> RankError | None:
    """The earliest complaint of a rank, None when no rank left a readable one."""
    errors = [error for path in folder.glob("error.*.json") if (error := _read(path)) is not None]
    return min(errors, key=lambda error: (error.time_s, error.rank), default=None)


def failure_of(outcome: Outcome, folder: Path, timeout_s: float) -> str | None:
    """What went wrong with a launch by its outcome and its errors; None when nothing did."""
    error = first_error(folder)
    if outcome.timed_out:
        said = f"; {error}" if error is not None else ""
        return f"did not end within {timeout_s:g} s (option timeout) and was ended{said}"
    if error is not None:
        return str(error)
    if outcome.exit_code != 0:
        return f"ended with exit code {outcome.exit_code}{_said(folder)}"
    return None


def _read(path: Path) -> RankError | None:
    try:
        values: dict[str, Any] = json.loads(path.read_bytes())
        return RankError(
            rank=int(values["rank"]),
            time_s=float(values["time_s"]),
            host=str(values.get("host", "unknown")),
            kind=str(values.get("kind", "measurement")),
            message=str(values["message"]),
        )
    except (OSError, ValueError, KeyError, TypeError):  # cut short when its rank was killed: another one tells more
        return None


def _said(folder: Path) -> str:
    """The last lines that launcher and ranks wrote, indented below the message."""
    for name in ("stderr.txt", "stdout.txt"):
        try:
            lines = (folder / name).read_text("utf-8", "replace").rstrip().splitlines()
        except OSError:
            continue
        if lines:
            return f"; {name} ends with:\n" + "\n".join(f"    {line}" for line in lines[-_TAIL_LINES:])
    return " and said nothing"
