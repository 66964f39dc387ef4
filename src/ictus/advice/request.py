"""What was asked: the options of the circle, and their record in its folder."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field

from ictus.advice.calls import LEAST_SHARE
from ictus.engine.folder import check_same_values
from ictus.engine.trust import check_trusted, remember
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.model.document import Document
from ictus.model.errors import UsageError
from ictus.model.job_size import ANYWHERE, MAPPINGS
from ictus.model.plan import Plan
from ictus.store.document import now, version, write_document

BUDGET_S = 1800.0


class AdviseRecord(Document):
    """advise.json: what was asked."""

    FILE: ClassVar = "advise.json"

    created: str
    program: tuple[str, ...]
    library: str
    n: int
    nodes: int = ANYWHERE
    ppn: int = ANYWHERE
    map_by: str = MAPPINGS[0]
    seed: int
    launches: int = 20
    nrep: int = 100
    limit: int = 24
    least: float = LEAST_SHARE
    environment: dict[str, str] = Field(default_factory=dict)
    plan: dict[str, Any] = Field(default_factory=dict)
    budget_s: float = BUDGET_S


@dataclass(frozen=True)
class AdviseOptions:
    """How the circle is gone; None: as recorded, else the default."""

    mpi: str | None = None
    n: int = 2
    launches: int | None = None
    """Of each check, of each side where a remedy is confirmed, and of each side of the program."""
    nrep: int | None = None
    limit: int | None = None
    """Largest number of candidates of a call, including the call itself."""
    least: float | None = None
    budget_s: float | None = None
    """Time in launches, seconds."""
    seed: int | None = None
    environment: Mapping[str, str] | None = None
    plan: Mapping[str, Any] | None = None
    """How checks measure, by keys of a plan."""
    pin: bool = True
    launcher: str = Mpiexec.name
    nodes: int | None = None
    ppn: int | None = None
    map_by: str | None = None
    timeout_s: float = 600.0
    """A launch of the program that takes longer is ended."""


_AS_RECORDED = ("nodes", "ppn", "map_by", "launches", "nrep", "limit", "least", "seed", "environment", "plan")


def measured_plan(record: AdviseRecord) -> Plan:
    """What the record runs beside the program: fields of its checks' plans, and variables of all that is measured."""
    plan_values = {key: value for key, value in record.plan.items() if key != "mpi"}  # the library is the program's
    return Plan.from_values({**plan_values, "env": {name: [value] for name, value in record.environment.items()}})


def earlier_record(folder: Path, options: AdviseOptions) -> AdviseRecord | None:
    """The request that the folder holds, None where it is to be made or empty. UsageError where it holds something
    else, or would run what this user did not name: known before anything is built.
    """
    file = folder / AdviseRecord.FILE
    if file.is_file():
        record = AdviseRecord.read(file)
        typed = {*(options.plan or ()), *(() if options.environment is None else ("env",))}
        check_trusted(folder, measured_plan(record), options.launcher, typed)
        return record
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"-o '{folder}' is not empty, and holds no advice: give another")
    for name, value in (options.environment or {}).items():
        if value and not Path(value).is_absolute() and Path(value).is_file():
            assignment = f"{name}={value}"
            raise UsageError(
                f"--env '{assignment}' names a file here; checks are launched elsewhere: give its whole path"
            )
    return None


def record_in(folder: Path, words: tuple[str, ...], library: str, options: AdviseOptions) -> AdviseRecord:
    """The request on the disk; a new one is written. UsageError as `earlier_record`, and where the folder holds another
    request.
    """
    record_values = {
        "program": list(words),
        "library": library,
        "n": options.n,
        **{name: value for name in _AS_RECORDED if (value := getattr(options, name)) is not None},
    }
    file, record = folder / AdviseRecord.FILE, earlier_record(folder, options)
    if record is not None:
        check_same_values(folder, "piece of advice", record.model_dump(mode="json"), record_values)
        if options.budget_s is not None and options.budget_s != record.budget_s:
            record = record.model_copy(update={"budget_s": options.budget_s})
            write_document(file, record)
        return record
    drawn = {"seed": random.SystemRandom().randrange(10**9), "budget_s": options.budget_s or BUDGET_S, **record_values}
    record = AdviseRecord(ictus=version(), created=now(), **drawn)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_document(file, record)
    except OSError as error:
        raise UsageError(f"-o '{folder}' cannot be written: {error.strerror}") from error
    remember(measured_plan(record))
    return record
