"""What launches of one case share: their sizes, and how many calls they time where the files say it."""

from collections.abc import Sequence
from dataclasses import replace

from ictus.interchange.files import FoundLaunch
from ictus.interchange.operations import with_facts
from ictus.interchange.suite import UNKNOWN_CALLS, PrintedCase
from ictus.model.quantity import format_size

_SHOWN = 3


def with_gaps(found: Sequence[FoundLaunch]) -> list[FoundLaunch]:
    """With a reason at each launch that lacks sizes of a table which other launches have: it ended early, or was
    started for other sizes.
    """
    sizes: dict[tuple[object, ...], set[int]] = {}
    for launch in found:
        for case in launch.printed.cases:
            sizes.setdefault(_table(launch, case), set()).add(case.size_bytes)
    return [_with_gap(launch, sizes) for launch in found]


def _with_gap(launch: FoundLaunch, sizes: dict[tuple[object, ...], set[int]]) -> FoundLaunch:
    own: dict[tuple[object, ...], set[int]] = {}
    for case in launch.printed.cases:
        own.setdefault(_table(launch, case), set()).add(case.size_bytes)
    for table, there in own.items():
        lacking = sorted(sizes[table] - there)
        if lacking and not launch.printed.incomplete:
            named = ", ".join(format_size(size) for size in lacking[:_SHOWN])
            more = f" and {len(lacking) - _SHOWN} more" if len(lacking) > _SHOWN else ""
            reason = (
                f"{launch.path.name}, line {launch.printed.line}: {table[0]} lacks {len(lacking)} of "
                f"{len(sizes[table])} sizes that other launches have ({named}{more})"
            )
            return replace(launch, printed=replace(launch.printed, incomplete=reason))
    return launch


def _table(launch: FoundLaunch, case: PrintedCase) -> tuple[object, ...]:
    """What is the same in all rows of a table."""
    return (case.operation, case.datatype, case.operator, launch.printed.n, case.together)


def with_calls(found: Sequence[FoundLaunch]) -> list[FoundLaunch]:
    """With the number of calls as a factor of the operation, where launches of one case state different ones: a mean
    of 100 calls and one of 10,000 are not repetitions of each other.
    """
    calls: dict[tuple[object, ...], set[int]] = {}
    for launch in found:
        for case in launch.printed.cases:
            calls.setdefault((launch.printed.n, *case.key), set()).add(case.calls)
    unlike = {key for key, numbers in calls.items() if len(numbers - {UNKNOWN_CALLS}) > 1}

    def told(launch: FoundLaunch, case: PrintedCase) -> PrintedCase:
        if (launch.printed.n, *case.key) not in unlike or case.statistic is None:
            return case
        said = case.calls if case.calls != UNKNOWN_CALLS else "unknown"
        return replace(case, operation=with_facts(case.operation, {"calls": said}))

    return [
        replace(one, printed=replace(one.printed, cases=tuple(told(one, case) for case in one.printed.cases)))
        for one in found
    ]
