"""arguments.txt: the plan of one launch, as the native core reads it. Text in, text out."""

from collections.abc import Mapping
from dataclasses import dataclass

from ictus.model.call import IN_PLACE
from ictus.model.case import Case
from ictus.model.design import Slot
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.spec import Argument, Number, Spec


def arguments_text(plan: Plan, slot: Slot, cases: Mapping[int, Case], *, page_faults: int = 0) -> str:
    """The text for one launch: one `launch` line, then its cases in measuring order.

    With `page_faults` the launch counts those of so many calls of each case, and times nothing. The core writes into
    its working directory, the launch's folder: so that no path has to be spelled in a file whose values hold no blanks.
    """
    first = cases[slot.cases[0]]  # a launch has one clock and one synchronisation
    launch = _line(
        "launch",
        {
            "ranks": slot.n,
            "seed": slot.seed,
            "heap": slot.heap,
            **({"page-faults": page_faults} if page_faults else {}),
            "clock": first.clock,
            "clock-domain": plan.clock_domain,
            "clocksync": first.clocksync,
            **({} if plan.clock_bound_s is None else {"clock-bound": f"{plan.clock_bound_s:.9g}s"}),
            **({} if plan.clock_error_s is None else {"clock-error": f"{plan.clock_error_s:.9g}s"}),
            "validate": _flag(plan.validation),
            "raw": _flag(plan.raw),
            "block-time": f"{plan.block_time_s:.9g}s",
            "resync-time": f"{plan.resync_time_s:.9g}s",
            "output": ".",
        },
    )
    lines = [f"# slot {slot.slot}, library {slot.mpi}", launch]
    nreps = slot.nrep or (None,) * len(slot.cases)
    lines += [_case_line(cases[case_id], nrep) for case_id, nrep in zip(slot.cases, nreps, strict=True)]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Arguments:
    """arguments.txt taken apart: the words of the `launch` line and of each `case` line, by key."""

    launch: Mapping[str, str]
    cases: tuple[Mapping[str, str], ...]


def parse_arguments(text: str) -> Arguments:
    """The inverse of `arguments_text`, for a program in place of the core; UsageError names the line."""
    parsed: list[tuple[str, dict[str, str]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        kind, *words = line.split() or ["#"]
        if kind.startswith("#"):
            continue
        pairs = [word.partition("=") for word in words]
        if kind != ("case" if parsed else "launch") or not all(equals for _, equals, _ in pairs):
            raise UsageError(
                f"arguments.txt, line {number}: expected one 'launch' line, then 'case' lines of key=value words"
            )
        parsed.append((kind, {key: value for key, _, value in pairs}))
    if not parsed:
        raise UsageError("arguments.txt: there is no 'launch' line")
    return Arguments(parsed[0][1], tuple(words for _, words in parsed[1:]))


def _case_line(case: Case, nrep: int | None) -> str:
    return _line(
        "case",
        {
            "id": case.case_id,
            "op": case.operation,
            "size": case.size_bytes,
            "datatype": case.datatype,
            "operator": case.operator,
            "comm": case.comm,
            "root": case.root,
            "in-place": _flag(case.in_place == IN_PLACE),
            "counts": case.counts,
            "layout": case.layout,
            "procsync": case.procsync,
            "scheme": case.scheme,
            "repetition": case.repetition if nrep is None else with_nrep(case.repetition, nrep),
            "cache": case.cache,
            "warmup": case.warmup,
        },
    )


def with_nrep(repetition: Spec, nrep: int) -> Spec:
    """`fixed(nrep=1000,max_attempts=auto)` with another count, in full form."""
    arguments = (
        Argument(argument.key, Number(str(nrep))) if argument.key == "nrep" else argument
        for argument in repetition.arguments
    )
    return Spec(repetition.name, tuple(arguments))


def _line(kind: str, words: Mapping[str, object]) -> str:
    return " ".join([kind, *(f"{key}={value}" for key, value in words.items())])


def _flag(value: bool) -> str:
    return "on" if value else "off"
