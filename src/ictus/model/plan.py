"""The plan of a campaign: everything the user decides. TOML keys are the names of the command line's options.

A plan knows shapes and ranges; whether names exist is checked against the registries (`checked`).
"""

import secrets
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from ictus.model.errors import UsageError
from ictus.model.goal import Goal, parse_goal
from ictus.model.library import LibraryRequest
from ictus.model.method import FAMILIES, Method
from ictus.model.plan_field import (
    Algorithms,
    Counts,
    Duration,
    GoalText,
    Libraries,
    LongDuration,
    Names,
    Repetitions,
    Sizes,
    Variables,
)
from ictus.model.platform import DEFAULT_PLATFORM, platform_text, simulated_clock
from ictus.model.predicted import PredictedCount
from ictus.model.quantity import format_duration, parse_sizes
from ictus.model.registries import Registries, unknown
from ictus.model.repetition import full_repetition
from ictus.model.spec import Number, Spec

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LARGEST_SEED = 2**53 - 1
"""Seeds stay whole in every reader of JSON."""


class Plan(BaseModel):
    """What is measured, how often, and how it is judged. Aliases are the keys of TOML and campaign.json."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    libraries: Libraries = Field(default=(), alias="mpi")
    operations: Names = Field(default=("bcast", "allreduce", "alltoall"), alias="op")
    sizes: Sizes = parse_sizes("8..64Ki")
    size_is: Literal["total", "block"] = Field(default="total", alias="size-is")
    """Whether a size is the volume of the largest buffer or of one block of it (the habit of OSU and IMB)."""
    processes: Counts = Field(default=(2,), alias="n")
    launches: int = Field(default=10, ge=1)
    """Of each library; with `until` the least."""
    until: GoalText | None = None
    """The precision goal (model/goal.py): launches are added until every interval is so narrow."""
    time_budget_s: LongDuration | None = Field(default=None, alias="time-budget")
    """With `until`: no launch begins that would end after so much measuring."""
    nrep: Repetitions | None = None
    """Valid repetitions of a case; None: what the member of family repetition says, 1000 for `fixed`. A text is the
    folder of `ictus nrep` that has predicted a count for each case, or `auto(...)`: predicted first.
    """
    predicted: tuple[PredictedCount, ...] = ()
    """What such a text stood for when the campaign was begun: written by Ictus."""
    datatype: str = "double"
    operator: str | None = None
    """Reduction operator; None: `sum`, for bytes `bor`."""
    root: int = Field(default=0, ge=0)
    counts: Names = ("equal",)
    """How blocks differ in size where an operation is told each one's."""
    clock: str = "tsc"
    clock_domain: Literal["auto", "host", "rank"] = Field(default="auto", alias="clock-domain")
    """Which ranks are said to read one counter, before it is verified: those of a host where the clock is one for it
    (`auto`), those of a host in any case, or none."""
    clocksync: str = "ictus"
    clock_bound_s: Annotated[Duration, Field(ge=1e-9, le=1)] | None = Field(default=None, alias="clock-bound")
    """Clocks are learnt until every one is proven right to this; None: as long as `clocksync` says."""
    procsync: Names = ("window",)
    scheme: str = "per-call"
    cache: Names = ("warm",)
    repetition: str = "fixed"
    methods: tuple[Method, ...] = ()
    """Several ways to measure each case in the same launches; where there are any, they stand for `procsync`, `scheme`
    and `repetition`, which are then left as they are.
    """
    algorithms: Algorithms = Field(default=(), alias="algorithm")
    """The libraries' own algorithms to be tried, as `allreduce=ring,default`, crossed (model/algorithm.py)."""
    warmup: int = Field(default=20, ge=1)
    seed: int | None = Field(default=None, ge=0, le=LARGEST_SEED)
    """Decides schedule and launches; None: drawn and recorded."""
    platform: str | None = None
    """What simulated libraries run on; None for real ones."""
    timeout_s: Duration = Field(default=600.0, alias="timeout")
    retries: int = Field(default=2, ge=0)
    """Further tries of a launch that failed."""
    contention_retries: int = Field(default=2, ge=0, alias="contention-retries")
    """Further tries of a launch that others disturbed."""
    block_time_s: Duration = Field(default=5.0, alias="block-time")
    """A block of cases ends, and the clocks are looked at again, after so much time."""
    resync_time_s: Duration = Field(default=60.0, alias="resync-time")
    """Clocks are synchronised anew between blocks when the last time is longer ago."""
    pin: bool = True
    validation: bool = Field(default=True, alias="validate")
    raw: bool = False
    environment: Variables = Field(default_factory=dict, alias="env")
    """Variables for the ranks; those with several values are a factor of launches (model/environment.py)."""
    level: float = Field(default=0.05, gt=0, lt=1)
    adjust: Literal["holm", "bh", "none"] = "holm"

    @field_validator("operations", "procsync", "cache", "counts")
    @classmethod
    def _without_repeats(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(names))

    @field_validator("time_budget_s")
    @classmethod
    def _of_a_goal(cls, budget_s: float | None, info: ValidationInfo) -> float | None:
        if budget_s is not None and info.data.get("until") is None:
            raise ValueError("a time budget ends the pursuit of a precision goal: give until too, such as '2 %'")
        return budget_s

    @field_validator("methods")
    @classmethod
    def _alone(cls, methods: tuple[Method, ...], info: ValidationInfo) -> tuple[Method, ...]:
        """Each once, and nothing beside them that they decide."""
        for name in (*FAMILIES, "nrep") if methods else ():
            if info.data.get(name) != cls.model_fields[name].default:
                raise ValueError(
                    f"{name} = {_shown(info.data.get(name))} is given too, which methods name: leave one out"
                )
        return tuple(dict.fromkeys(methods))

    @field_validator("processes")
    @classmethod
    def _ascending(cls, counts: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(set(counts)))

    @field_validator("libraries")
    @classmethod
    def _labels_differ(cls, libraries: tuple[LibraryRequest, ...]) -> tuple[LibraryRequest, ...]:
        labels = [library.label for library in libraries]
        twice = next((label for label in labels if labels.count(label) > 1), None)
        if twice is not None:
            raise ValueError(f"label '{twice}' is given twice; name them apart, as in 'a={twice}' and 'b={twice}'")
        return libraries

    @staticmethod
    def from_toml(path: Path) -> "Plan":
        """The plan in a TOML file; UsageError names file, field, value and what is allowed."""
        return Plan.from_values(read_toml(path), source=str(path))

    @staticmethod
    def from_values(values: Mapping[str, object], source: str = "plan") -> "Plan":
        """A plan from fields by their TOML keys (or their names here); `source` is named in the UsageError."""
        keys = [field.alias or name for name, field in Plan.model_fields.items()]
        foreign = next((key for key in values if key not in keys and key not in Plan.model_fields), None)
        if foreign is not None:
            raise unknown(f"field '{foreign}' in {source}", foreign, keys)
        try:
            return Plan.model_validate(dict(values))
        except ValidationError as error:
            raise UsageError("\n".join(_problem(source, detail) for detail in error.errors())) from None

    def values(self) -> dict[str, Any]:
        """All fields by their TOML keys, as JSON has them; the inverse of `from_values`."""
        return self.model_dump(mode="json", by_alias=True)

    def seeded(self) -> "Plan":
        """This plan with a seed: its own, or one drawn now, short enough to be typed."""
        return self if self.seed is not None else self.model_copy(update={"seed": secrets.randbelow(10**9)})

    def simulated(self) -> "Plan":
        """This plan for simulated libraries: on a platform, and in simulated time where no clock is named."""
        clock = simulated_clock(self.clock if "clock" in self.model_fields_set else None)
        return self.model_copy(update={"clock": clock, "platform": self.platform or DEFAULT_PLATFORM})

    @property
    def goal(self) -> Goal | None:
        """The precision goal; None for a plan with a fixed number of launches."""
        return None if self.until is None else parse_goal(self.until)

    @property
    def ways(self) -> tuple[Method, ...]:
        """How each operation and size is measured: `methods`, else one for each process synchronisation."""
        each = (Method(procsync=name, scheme=self.scheme, repetition=self.repetition) for name in self.procsync)
        return self.methods or tuple(each)

    def checked(self, registries: Registries) -> "Plan":
        """This plan with every name checked and in full form, so that equal plans are equal texts."""
        datatype = registries.datatype(self.datatype)
        operator = self.operator or datatype.default_operator
        operations = [registries.check("operation", text) for text in self.operations]
        reducing = next((spec for spec in operations if registries.operation(spec.name).reduces), None)
        if operator not in datatype.operators and (reducing is not None or self.operator is not None):
            allowed = ", ".join(datatype.operators) or "none, it cannot be reduced"
            raise UsageError(f"operator '{operator}' with datatype '{datatype.name}': allowed are {allowed}")
        if self.root >= min(self.processes):
            raise UsageError(
                f"root {self.root}: the smallest number of processes is {min(self.processes)}, roots begin at 0"
            )
        checked: dict[str, object] = {"operations": _texts(operations), "operator": operator}
        if self.methods:
            checked["methods"] = tuple(dict.fromkeys(method.checked(registries) for method in self.methods))
        else:
            repetition = full_repetition(registries, self.repetition, self.nrep)
            nrep = None if isinstance(self.nrep, str) else repetition.argument("nrep")
            checked["procsync"] = _texts(registries.check("procsync", text) for text in self.procsync)
            checked["scheme"] = str(registries.check("scheme", self.scheme))
            checked["repetition"] = str(repetition)
            checked["nrep"] = int(nrep.text) if isinstance(nrep, Number) else self.nrep
        if self.platform is not None:
            checked["platform"] = platform_text(self.platform)
        checked["cache"] = _texts(registries.check("cache", text) for text in self.cache)
        checked["counts"] = _texts(registries.check("counts", text) for text in self.counts)
        for family in ("clock", "clocksync"):
            checked[family] = str(registries.check(family, getattr(self, family)))
        self._check_clock_bound(registries)
        return self.model_copy(update=checked)

    def _check_clock_bound(self, registries: Registries) -> None:
        """UsageError for a bound that the algorithm cannot be asked to reach, or that is asked for twice."""
        if self.clock_bound_s is None:
            return
        asked = f"clock-bound {format_duration(self.clock_bound_s)}"
        own = registries.check("clocksync", self.clocksync).argument("bound")
        if own is None:
            able = [
                member.name
                for member in registries.family("clocksync").members
                if any(parameter.name == "bound" for parameter in member.parameters)
            ]
            raise UsageError(
                f"{asked}: clocksync '{self.clocksync}' does not learn until a bound is reached; use --clocksync "
                f"{' or '.join(able)}"
            )
        if own != Spec("auto"):
            raise UsageError(f"{asked}: clocksync '{self.clocksync}' says bound={own}; give one of the two")

    def differences(self, other: "Plan") -> tuple[str, ...]:
        """Fields in which the plans differ, as `field: here there, other`; a seed or libraries left open do not."""
        here, there = self.values(), other.values()
        left_open: dict[str, object] = {"seed": None, "mpi": []}
        return tuple(
            f"{key}: {_shown(here[key])} there, {_shown(there[key])}"
            for key in here
            if here[key] != there[key] and not (key in left_open and left_open[key] in (here[key], there[key]))
        )


def read_toml(path: Path) -> dict[str, Any]:
    """The fields of a plan as the TOML file has them, unchecked; UsageError when it cannot be read."""
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"plan '{path}': {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"plan '{path}' is no TOML: {error}") from error


def _texts(specs: Iterable[Spec]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(str, specs)))


def _shown(value: object) -> str:
    if value == []:
        return "none"
    if isinstance(value, list) and value and isinstance(value[0], dict) and "nrep" in value[0]:
        return f"{len(value)} counts from {min(one['nrep'] for one in value)} to {max(one['nrep'] for one in value)}"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _problem(source: str, detail: Any) -> str:
    """One line for one error: field, value, what is allowed."""
    message = detail["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    return f"{source}, {detail['loc'][0]} = {detail['input']!r}: {message[0].lower()}{message[1:]}"
