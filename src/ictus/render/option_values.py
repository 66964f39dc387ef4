"""Parsed values of options; every UsageError names the option."""

from collections.abc import Iterable, Sequence

from ictus.model.errors import UsageError
from ictus.model.quantity import is_whole, parse_duration
from ictus.model.registries import Registries
from ictus.model.spec import Spec, parse_spec, split_list

LONGEST_S = 1.0
"""For a window, or for how far apart ranks enter: microseconds are usual, and a longer time lacks its unit."""


def counts(option: str, text: str) -> tuple[int, ...]:
    """`2,4,8` as whole numbers of 1 or more, ascending, each once."""
    try:
        items = split_list(text)
        values = {int(item) for item in items} if all(map(is_whole, items)) else {0}
    except UsageError:
        values = {0}
    if min(values) < 1:
        raise UsageError(f"{option} '{text}': expected whole numbers of 1 or more, such as 2 or 2,4,8")
    return tuple(sorted(values))


def duration(option: str, text: str) -> float:
    """`5s` in seconds, 0 or more."""
    try:
        value = parse_duration(text)
    except UsageError as error:
        raise UsageError(f"{option}: {error}") from error
    if not 0 <= value < float("inf"):
        raise UsageError(f"{option} '{text}': a time of 0 s or more is expected")
    return value


def positive(option: str, text: str) -> float:
    """Like `duration`, but not 0."""
    value = duration(option, text)
    if value == 0:
        raise UsageError(f"{option} '{text}': a time above 0 s is expected")
    return value


def times(option: str, text: str) -> tuple[float, ...]:
    """`0,1,5s,0..20`: seconds, ascending, each once; a range is every whole second."""
    try:
        items = split_list(text)
    except UsageError as error:
        raise UsageError(f"{option} '{text}': expected times such as 0,1,5s or 0..20") from error
    found: set[float] = set()
    for item in items:
        begin, dots, end = item.partition("..")
        if not dots:
            found.add(duration(option, item))
            continue
        first, last = duration(option, begin), duration(option, end)
        if first > last:
            raise UsageError(f"{option} '{item}': the range ends before it begins")
        found.update(first + step for step in range(int(last - first) + 1))
    return tuple(sorted(found))


def seconds(values_s: Iterable[float]) -> str:
    """Times as the core reads them."""
    return ",".join(f"{value:.9g}s" for value in values_s)


def positive_times(option: str, text: str) -> tuple[float, ...]:
    """Like `times`, but none of them 0."""
    found = times(option, text)
    if found[0] == 0:
        raise UsageError(f"{option} '{text}': times above 0 s are expected")
    return found


def brief(option: str, text: str) -> float:
    """Like `positive`, but at most 1 s."""
    return _checked_brief(option, text, positive(option, text))


def brief_times(option: str, text: str) -> tuple[float, ...]:
    """Like `positive_times`, but at most 1 s each."""
    found = positive_times(option, text)
    _checked_brief(option, text, found[-1])
    return found


def _checked_brief(option: str, text: str, longest_s: float) -> float:
    """The time itself; `5` is five seconds, where microseconds were meant."""
    if longest_s > LONGEST_S:
        raise UsageError(
            f"{option} '{text}': {longest_s:g} s is longer than the {LONGEST_S:g} s that is allowed; a number without "
            f"a unit is seconds, write 20us or 5ms"
        )
    return longest_s


def check_member(option: str, family: str, text: str) -> Spec:
    """The member of a family that is named, in full form."""
    try:
        return Registries.load().check(family, text)
    except UsageError as error:
        raise UsageError(f"{option}: {error}") from error


def members(option: str, family: str, text: str) -> tuple[str, ...]:
    """`a,b(c,d)`: members of a family as typed, each once."""
    try:
        names = tuple(dict.fromkeys(str(parse_spec(name)) for name in split_list(text)))
    except UsageError as error:
        raise UsageError(f"{option}: {error}") from error
    for name in names:
        check_member(option, family, name)
    return names


def one_of(option: str, text: str, known: Sequence[str]) -> str:
    """One of a few words."""
    if text not in known:
        raise UsageError(f"{option} '{text}': expected one of {', '.join(known)}")
    return text
