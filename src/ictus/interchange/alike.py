"""What launches of one case share: sizes, and where files say them, the number of calls and the launcher's words."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ictus.interchange.files import FoundLaunch
from ictus.interchange.operations import with_facts, word
from ictus.interchange.suite import UNKNOWN_CALLS, PrintedCase, Suite
from ictus.model.imported import CALLS, LAUNCHER, VALIDATION, VERSION
from ictus.model.quantity import format_size
from ictus.model.sample import REJECTED

_SHOWN = 3


def with_gaps(launches: Sequence[FoundLaunch]) -> list[FoundLaunch]:
    """With a reason at each launch that lacks sizes of a table which other launches have: it ended early, or was
    started for other sizes.
    """
    sizes: dict[tuple[object, ...], set[int]] = {}
    for launch in launches:
        for case in launch.printed.cases:
            sizes.setdefault(_table(launch, case), set()).add(case.size_bytes)
    return [_with_gap(launch, sizes) for launch in launches]


def _with_gap(launch: FoundLaunch, sizes: dict[tuple[object, ...], set[int]]) -> FoundLaunch:
    sizes_by_table: dict[tuple[object, ...], set[int]] = {}
    for case in launch.printed.cases:
        sizes_by_table.setdefault(_table(launch, case), set()).add(case.size_bytes)
    for table, table_sizes in sizes_by_table.items():
        lacking = sorted(sizes[table] - table_sizes)
        if lacking and not launch.printed.incomplete:
            named = ", ".join(format_size(size) for size in lacking[:_SHOWN])
            unnamed = f" and {len(lacking) - _SHOWN} more" if len(lacking) > _SHOWN else ""
            reason = (
                f"{launch.path.name}, line {launch.printed.line}: {table[0]} lacks {len(lacking)} of "
                f"{len(sizes[table])} sizes that other launches have ({named}{unnamed})"
            )
            return replace(launch, printed=replace(launch.printed, incomplete=reason))
    return launch


def _table(launch: FoundLaunch, case: PrintedCase) -> tuple[object, ...]:
    """What is the same in all rows of a table."""
    return (case.operation, case.datatype, case.operator, launch.printed.n, case.together)


def with_unlike(launches: Sequence[FoundLaunch], suite: Suite) -> list[FoundLaunch]:
    """With facts of the operation where launches of one case state unlike values: the launcher's words, which two
    libraries have of their own; the suite's version; whether results were checked; how many calls the numbers are of. A
    mean of 100 calls and one of 10,000 are not repetitions of each other, nor are processes on one node and on two.
    """
    named = _with_fact(launches, LAUNCHER, lambda launch, _: launch.printed.started_with, of_label=True)
    named = _with_fact(named, VERSION, _stated_version, of_label=suite.prints_library_version)
    named = _with_fact(named, VALIDATION, _stated_validation, of_label=False)
    return named if suite.adapts_calls else _with_fact(named, CALLS, _stated_calls, of_label=False)


def _stated_version(launch: FoundLaunch, _: PrintedCase) -> str:
    version = launch.printed.version
    return "" if version == "unknown" else f"is_{word(version)}"


def _stated_validation(_: FoundLaunch, case: PrintedCase) -> str:
    rejected = bool((case.samples["flags"] & REJECTED).any())
    return "on" if case.validated else "" if rejected else "off"


def _stated_calls(_: FoundLaunch, case: PrintedCase) -> str:
    return str(case.calls) if case.calls != UNKNOWN_CALLS and case.statistic is not None else ""


def _with_fact(
    launches: Sequence[FoundLaunch], name: str, stated: Callable[[FoundLaunch, PrintedCase], str], *, of_label: bool
) -> list[FoundLaunch]:
    """With a fact where launches of one case state unlike values; those that state none have `unknown`."""

    def key(launch: FoundLaunch, case: PrintedCase) -> tuple[object, ...]:
        return (launch.printed.n, launch.label if of_label else None, *case.key)

    values: dict[tuple[object, ...], set[str]] = {}
    for launch in launches:
        for case in launch.printed.cases:
            values.setdefault(key(launch, case), set()).add(stated(launch, case))
    unlike = {table for table, texts in values.items() if len(texts - {""}) > 1}

    def told(launch: FoundLaunch, case: PrintedCase) -> PrintedCase:
        if key(launch, case) not in unlike:
            return case
        return replace(case, operation=with_facts(case.operation, {name: stated(launch, case) or "unknown"}))

    return [
        replace(
            found_launch,
            printed=replace(
                found_launch.printed, cases=tuple(told(found_launch, case) for case in found_launch.printed.cases)
            ),
        )
        for found_launch in launches
    ]
