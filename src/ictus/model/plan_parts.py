"""Parts of a plan, and the conditions between its fields.

A method is how ranks are started together, how calls are chained, and how often they are repeated. A campaign that is
no full cross product of operations and sizes, such as that of a performance guideline, is a union of subsets; a case
that two subsets share is measured once. `nrep = "FOLDER"` in a plan becomes predicted counts.
"""

from collections.abc import Iterable, Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ictus.model.call import BASIC
from ictus.model.errors import UsageError
from ictus.model.plan_field import Name, Operation, Operations, Sizes
from ictus.model.quantity import format_duration, format_size, is_whole
from ictus.model.registries import Datatype, Registries
from ictus.model.spec import Argument, Number, Spec


class Method(BaseModel):
    """One (process synchronisation, scheme, repetition): three factors of a case that are varied together."""

    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    procsync: Name = Spec("window")
    scheme: Name = Spec("per-call")
    repetition: Name = Spec("fixed")

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: object) -> object:
        """Parse `barrier(library)/loop(calls=100)/fixed`, as on the command line; missing parts at the end keep their
        values.
        """
        if not isinstance(value, str):
            return value
        words = [word.strip() for word in value.split("/")]
        if len(words) > len(FAMILIES) or not all(words):
            raise ValueError(f"'{value}': expected PROCSYNC, PROCSYNC/SCHEME or PROCSYNC/SCHEME/REPETITION")
        return dict(zip(FAMILIES[: len(words)], words, strict=True))

    def checked(self, registries: Registries) -> "Method":
        """This method in full form, its names checked; UsageError for an unknown name or a value out of range."""
        try:
            return Method(**{family: registries.check(family, getattr(self, family)) for family in FAMILIES})
        except UsageError as error:
            raise UsageError(f"methods: {error}") from error


GLOBAL_TIME = ("round-time", "window", "window-adaptive")
"""Process synchronisations that start all ranks at one instant of the global clock."""

FAMILIES = ("procsync", "scheme", "repetition")
"""The families that a method names a member of, and the factors of a case that it decides."""


class Subset(BaseModel):
    """Every operation at every size. Aliases are the keys of TOML and campaign.json."""

    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid", populate_by_name=True)

    operations: Operations = Field(alias="op")
    sizes: Sizes
    layout: Name = BASIC
    """How the elements of a message lie in memory (family `layout`)."""

    def checked(self, registries: Registries) -> "Subset":
        """This subset in full form, its names checked; UsageError for an unknown name or a value out of range."""
        operations = dict.fromkeys(registries.check("operation", operation) for operation in self.operations)
        layout = registries.check("layout", self.layout)
        return self.model_copy(update={"operations": tuple(operations), "layout": layout})


def operations_of(subsets: Iterable[Subset]) -> tuple[Spec, ...]:
    """The operations of all, each once."""
    return tuple(dict.fromkeys(name for subset in subsets for name in subset.operations))


def sizes_of(subsets: Sequence[Subset]) -> tuple[int, ...]:
    """The sizes of all, ascending."""
    return tuple(sorted({size for subset in subsets for size in subset.sizes}))


_METRICS = ("rse", "cov_mean", "cov_median")
LAUNCHES = 3
"""Launches of a prediction, of each library."""
SHARED = "fixed(nrep=predicted)"
"""The repetition of all cases of a campaign with predicted counts, where cases are matched: the number of samples of a
launch is no difference between cases.
"""
PLANNED = "fixed(nrep=planned)"
"""The same for a campaign with a precision goal, whose launches have the planned number of samples."""


CountKey = tuple[Spec, int, int, Spec, Spec]
"""The key of a predicted count: operation, size in bytes, processes, process synchronisation, scheme."""


class PredictedCount(BaseModel):
    """The count of one case. Specs are in full form."""

    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    operation: Operation
    size_bytes: int = Field(ge=0)
    n: int = Field(ge=1)
    procsync: Name
    scheme: Name
    nrep: int = Field(ge=1)
    converged: bool = True
    """Whether the metrics came under their thresholds in every launch; else `nrep` is the most that was tried."""

    @property
    def key(self) -> CountKey:
        """The key of the count."""
        return (self.operation, self.size_bytes, self.n, self.procsync, self.scheme)


def repetition_of(counts: Iterable[PredictedCount], key: CountKey, source: str | Spec, registries: Registries) -> Spec:
    """The repetition of a case, in full form; UsageError that names a case which nothing was predicted for."""
    nrep = max((count.nrep for count in counts if count.key == key), default=None)  # of all states of the caches
    if nrep is None:
        operation, size, n, procsync, scheme = key
        raise UsageError(
            f"nrep '{source}': nothing is predicted for {operation} of {format_size(size)} with {n} processes, "
            f"procsync {procsync}, scheme {scheme}; predict it with `ictus nrep`, or leave it out"
        )
    return registries.check("repetition", f"fixed({nrep})")


def auto_rule(spec: Spec, registries: Registries) -> tuple[Spec, int]:
    """`auto(max=500,launches=5)` as the repetition `nrep(...)` in full form, and the launches. Raises UsageError."""
    launches = spec.argument("launches")
    if launches is not None and not (isinstance(launches, Number) and is_whole(launches.text) and int(launches.text)):
        raise UsageError(f"nrep '{spec}': launches is {launches}; expected a whole number of 1 or more")
    arguments = tuple(
        Argument(argument.key, argument.value) for argument in spec.arguments if argument.key != "launches"
    )
    try:
        rule = registries.check("repetition", Spec("nrep", arguments))
    except UsageError as error:
        raise UsageError(f"nrep '{spec}': {error}") from error
    least, most = rule.argument("min"), rule.argument("max")
    if isinstance(least, Number) and isinstance(most, Number) and int(most.text) < int(least.text):
        raise UsageError(f"nrep '{spec}': max, {most}, is below min, {least}")
    if not any(isinstance(rule.argument(name), Number) for name in _METRICS):
        raise UsageError(f"nrep '{spec}': {', '.join(_METRICS)} are all off; give one a threshold")
    return rule, LAUNCHES if not isinstance(launches, Number) else int(launches.text)


_USER_DEFINED = "user("


def check_operator(
    operator: str, datatype: Datatype, measured: Sequence[Subset], registries: Registries, *, by_user: bool
) -> None:
    """UsageError for an operator that is not defined on the reduced type; if no operation reduces, only where the user
    gave it (`by_user`).
    """
    reducing = [subset for subset in measured if _reduces(subset.operations, registries)]
    if operator not in datatype.operators and (reducing or by_user):
        allowed = ", ".join(datatype.operators) or "none, it cannot be reduced"
        raise UsageError(f"operator '{operator}' with datatype '{datatype.name}': allowed are {allowed}")
    derived = next((subset.layout for subset in reducing if subset.layout != BASIC), None)
    if derived is not None and not operator.startswith(_USER_DEFINED):
        allowed = ", ".join(name for name in datatype.operators if name.startswith(_USER_DEFINED))
        raise UsageError(
            f"operator '{operator}' is MPI's own and not defined on datatypes of layout '{derived}': allowed are "
            f"{allowed}"
        )


def _reduces(operations: Iterable[Spec], registries: Registries) -> bool:
    return any(registries.operation(operation).reduces for operation in operations)


def check_clocksyncs(
    clocksyncs: Iterable[Spec], methods: Iterable[Method], goals_s: Mapping[str, float | None], registries: Registries
) -> None:
    """UsageError for one that the starts or the goals, `bound` and `error`, cannot have."""
    ways = tuple(methods)
    for clocksync in clocksyncs:
        _check_global_time(ways, clocksync)
        for goal, value_s in goals_s.items():
            if value_s is not None:
                _check_clock_goal(goal, value_s, clocksync, registries)


def _check_clock_goal(goal: str, value_s: float, clocksync: Spec, registries: Registries) -> None:
    """UsageError for a goal that the algorithm cannot learn for, or that is given twice."""
    parameter = f"clock-{goal} {format_duration(value_s)}"
    goal_argument = registries.check("clocksync", clocksync).argument(goal)
    if goal_argument is None:
        able = [
            member.name
            for member in registries.family("clocksync").members
            if any(learnt.name == goal for learnt in member.parameters)
        ]
        raise UsageError(
            f"{parameter}: clocksync '{clocksync}' does not learn until that {goal} is reached; use --clocksync "
            f"{' or '.join(able)}"
        )
    if goal_argument != Spec("auto"):
        raise UsageError(f"{parameter}: clocksync '{clocksync}' says {goal}={goal_argument}; give one of the two")


def _check_global_time(methods: Iterable[Method], clocksync: Spec) -> None:
    """UsageError for a start at one instant of a clock that nobody learns."""
    needing = next((method.procsync for method in methods if method.procsync.name in GLOBAL_TIME), None)
    if needing is not None and clocksync.name == "none":
        raise UsageError(
            f"procsync '{needing}' needs a global time, and clocksync is 'none'; use --clocksync ictus or --procsync "
            f"barrier"
        )


def full_specs(registries: Registries, family: str, specs: Iterable[Spec]) -> tuple[Spec, ...]:
    """Members in full form, each once."""
    return tuple(dict.fromkeys(registries.check(family, spec) for spec in specs))


def full_repetition(registries: Registries, repetition: Spec, nrep: int | str | Spec | None) -> Spec:
    """`--repetition fixed --nrep 100` is `fixed(nrep=100)`; where both give a count, they must agree."""
    full = registries.check("repetition", repetition)
    if isinstance(nrep, (str, Spec)) and full != registries.check("repetition", "fixed"):
        raise UsageError(f"nrep '{nrep}': the counts are predicted ones; leave out repetition '{repetition}'")
    if not isinstance(nrep, int):
        return full
    keys = [parameter.name for parameter in registries.family("repetition").member(full.name).parameters]
    if "nrep" not in keys:
        raise UsageError(f"nrep {nrep}: repetition '{full.name}' has no number of repetitions; leave nrep out")
    named = repetition.arguments
    given_keys = [argument.key or key for argument, key in zip(named, keys[: len(named)], strict=True)]
    if "nrep" in given_keys and full.argument("nrep") != Number(str(nrep)):
        raise UsageError(f"nrep {nrep}: repetition '{repetition}' says {full.argument('nrep')}; give one of the two")
    arguments = tuple(argument for argument in full.arguments if argument.key != "nrep")
    return registries.check("repetition", Spec(full.name, (*arguments, Argument("nrep", Number(str(nrep))))))
