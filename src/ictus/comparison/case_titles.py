"""The titles of cases in tables, and the grouping of cases into blocks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ictus.model.case import FACTORS
from ictus.model.environment import ENVIRONMENT
from ictus.model.errors import IctusError
from ictus.model.launch_factor import is_launch_factor, names_a_setting
from ictus.model.quantity import format_size
from ictus.model.registries import Member, Registries

T = TypeVar("T")

Case = Mapping[str, Any]
"""The factors of a case by name, as in campaign.json, without its id."""

LIBRARY = "mpi"
"""The factor that distinguishes libraries; a case that has it belongs to one library, and another factor is compared.
"""

DERIVED = ("block_bytes", "moved_bytes", "cache_bytes")
"""Factors that follow from the others; rows have them, but they do not distinguish cases."""

ALGORITHM = "algorithm"
"""A factor of launches: which of the library's own algorithms were forced (model/algorithm.py)."""

IDENTITY = (*(factor for factor in FACTORS if factor not in DERIVED), ALGORITHM)
"""The factors that distinguish cases of one library: those of a case, and those of its launch."""
SPECS = ("operation", "procsync", "scheme", "repetition", "cache", "counts", "layout", "comm", "clock", "clocksync")
"""Factors that are members of a family, spelled in full in a case and briefly in a table."""


def factor_title(factor: str) -> str:
    """The title of a factor."""
    return "library" if factor == "mpi" else factor


def varying(cases: Sequence[Case]) -> tuple[str, ...]:
    """Factors, other than operation and size, that take more than one value among the cases, in the order of the
    factors.
    """
    names = ("mpi", *IDENTITY)
    return tuple(
        name
        for name in names
        if name not in ("operation", "size_bytes", "n") and len({case.get(name) for case in cases}) > 1
    )


def grouped(rows: Iterable[T], key: Callable[[T], object]) -> list[list[T]]:
    """The rows in groups of equal key: groups in the order in which they first appear, rows in theirs."""
    groups: dict[object, list[T]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return list(groups.values())


def group_key(case: Case, names: Sequence[str]) -> tuple[object, ...]:
    """The factors that all rows of one table block share: everything except the size."""
    return (case.get("operation"), case.get("n"), *(case.get(name) for name in names))


def group_detail(case: Case, names: Sequence[str]) -> str:
    """The second part of a block's title: `2 processes, procsync barrier`. Factors without a meaning for the operation
    are left out.
    """
    parts = [f"{case['n']} process" + ("es" if case["n"] != 1 else "")] if "n" in case else []
    return ", ".join([*parts, *(_named(name, case) for name in names if _applies(name, case))])


def _applies(factor: str, case: Case) -> bool:
    if factor not in _TOLD_BY:
        return True
    try:
        return _TOLD_BY[factor](Registries.load().operation(str(case.get("operation"))))
    except IctusError:  # a folder written by a later version may name what is unknown here
        return True


_TOLD_BY: Mapping[str, Callable[[Member], bool]] = {
    "root": lambda operation: operation.rooted,
    "in_place": lambda operation: operation.in_place,
    "counts": lambda operation: operation.varied,
    "layout": lambda operation: operation.volume != "none",
}
"""Factors that say something of some operations only: of which."""


def _named(factor: str, case: Case) -> str:
    """`library mpich`, `procsync window`, `env.UCX_TLS=sm`."""
    value = case.get(factor)
    if factor == ALGORITHM and names_a_setting(str(value)):
        return str(value)  # nothing is forced: the setting says what it is
    return f"{_WORDS.get(factor, factor)} {label_of(factor, value, case.get('cache_bytes'))}"


_WORDS = {"mpi": "library", "in_place": "in place"}


def operation_title(case: Case) -> str:
    """The title of a case's operation. Where operations are compared, a case has none."""
    text = str(case.get("operation", "operations"))
    try:
        return Registries.load().operation_title(text)
    except IctusError:  # there is none, or a folder written by a later version may name what is unknown here
        return text


def brief(factor: str, value: object) -> str:
    """A factor's value as short as can be: arguments that only repeat a default are left out, but for the barrier."""
    if factor not in SPECS:
        return str(value)
    registries = Registries.load()
    try:
        if factor == "procsync":
            return registries.short(factor, str(value))
        return str(registries.brief(factor, str(value)))
    except IctusError:
        return str(value)


def label_of(factor: str, value: object, cache_bytes: int | None) -> str:
    """The label of a value; a cache mode has its measured size, `cold-memset(512 KiB)`."""
    text = brief(factor, value)
    return f"{text.partition('(')[0]}({format_size(cache_bytes)})" if factor == "cache" and cache_bytes else text


def value_title(factor: str, value: object, cache_bytes: int | None = None) -> str:
    """The name of a value as a side of a comparison: `mpich`, `window`; with its factor where the value alone says
    nothing, `UCX_TLS=unset`, `heap=kept`, `n=2`.
    """
    text = label_of(factor, value, cache_bytes)
    return text if text.startswith("-") else f"{side_prefix(factor)}{text}"


def side_prefix(factor: str) -> str:
    """What the name of a side begins with where the value alone says nothing: `UCX_TLS=`; else nothing."""
    if not (factor in ("n", "root", "in_place") or is_launch_factor(factor)):
        return ""
    return f"{_WORDS.get(factor, factor).removeprefix(ENVIRONMENT)}="


def size_title(case: Case) -> str:
    """`64 B`; a dash where sizes are compared."""
    return format_size(int(case["size_bytes"])) if "size_bytes" in case else "–"


def processes_title(case: Case) -> str:
    """`n=2`; empty where numbers of processes are compared."""
    return f"n={case['n']}" if "n" in case else ""


def case_title(case: Case) -> str:
    """`mpich MPI_Bcast 64 B n=2`; without the library where libraries are compared."""
    words = (str(case[LIBRARY]),) if LIBRARY in case else ()
    return " ".join((*words, operation_title(case), size_title(case), processes_title(case))).rstrip()


class NamingText(str):
    """A text that names some of several things; `names` are all of them, which a page shows on demand."""

    __slots__ = ("names",)
    names: tuple[str, ...]


def naming(text: str, names: Iterable[str]) -> NamingText:
    """The text with the first of these names in the place of its `{}`."""
    each = tuple(dict.fromkeys(names))
    made = NamingText(text.replace("{}", first_ones(each)))
    made.names = each
    return made


def first_ones(names: Iterable[str], at_most: int = 3) -> str:
    """`a, b, c and 4 more`, each once."""
    each = list(dict.fromkeys(names))
    return ", ".join(each[:at_most]) + (f" and {len(each) - at_most} more" if len(each) > at_most else "")


def processes(n_ranks: int) -> str:
    """`1 process`, `4 processes`."""
    return f"{n_ranks} process{'' if n_ranks == 1 else 'es'}"


def joined(parts: Sequence[str]) -> str:
    """`a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
