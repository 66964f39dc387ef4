"""Parsed values of options; every UsageError names the option."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ictus.model.errors import UsageError
from ictus.model.option import IN_SECONDS, Kind, Option
from ictus.model.quantity import is_whole, parse_duration, parse_size, parse_sizes
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
    sizes: set[float] = set()
    for item in items:
        begin, dots, end = item.partition("..")
        if not dots:
            sizes.add(duration(option, item))
            continue
        first, last = duration(option, begin), duration(option, end)
        if first > last:
            raise UsageError(f"{option} '{item}': the range ends before it begins")
        sizes.update(first + step for step in range(int(last - first) + 1))
    return tuple(sorted(sizes))


def seconds(values_s: Iterable[float]) -> str:
    """Times as the core reads them."""
    return ",".join(f"{value:.9g}s" for value in values_s)


def positive_times(option: str, text: str) -> tuple[float, ...]:
    """Like `times`, but none of them 0."""
    times_s = times(option, text)
    if times_s[0] == 0:
        raise UsageError(f"{option} '{text}': times above 0 s are expected")
    return times_s


def brief(option: str, text: str) -> float:
    """Like `positive`, but at most 1 s."""
    return _checked_brief(option, text, positive(option, text))


def brief_times(option: str, text: str) -> tuple[float, ...]:
    """Like `positive_times`, but at most 1 s each."""
    times_s = positive_times(option, text)
    _checked_brief(option, text, times_s[-1])
    return times_s


def _checked_brief(option: str, text: str, longest_s: float, allowed_s: float = LONGEST_S) -> float:
    """The time itself; `5` is five seconds, where microseconds were meant."""
    if longest_s > allowed_s:
        raise UsageError(
            f"{option} '{text}': {longest_s:g} s is longer than the {allowed_s:g} s that is allowed; a number without "
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


def one_of(option: str, text: str, choices: Sequence[str]) -> str:
    """One of a few words."""
    if text not in choices:
        raise UsageError(f"{option} '{text}': expected one of {', '.join(choices)}")
    return text


def words(option: str, text: str, choices: Sequence[str]) -> tuple[str, ...]:
    """`a,b`: some of a few words, each once."""
    return tuple(dict.fromkeys(one_of(option, word, choices) for word in split_list(text)))


_NUMBERS: Mapping[Kind, type] = {"count": int, "share": float, "number": float}
_TEXTS: Mapping[Kind, Callable[[str, str], Any]] = {
    "counts": counts,
    "time": positive,
    "duration": duration,
    "brief": brief,
    "times": times,
    "positive-times": positive_times,
    "brief-times": brief_times,
    "size": lambda option, text: _named(option, parse_size, text),
    "sizes": lambda option, text: _named(option, parse_sizes, text),
}


def _named(option: str, parse: Callable[[str], Any], text: str) -> Any:
    try:
        return parse(text)
    except UsageError as error:
        raise UsageError(f"{option} '{text}': {error}") from error


def option_value(option: Option, typed: Any, name: str = "") -> Any:
    """The value of an option that was typed, or given in Python, where the text and the value itself are equal. Raises
    UsageError that names the option, `name` where it is not called as on the command line.
    """
    name = name or max(option.names, key=len)
    kind = option.kind
    if kind in _NUMBERS:
        return _number(option, name, typed)
    if kind in ("on", "off", "file", "each"):
        return typed
    text = _as_text(kind, typed)
    if kind == "member":
        check_member(name, option.family, text)
    if kind == "members":
        return members(name, option.family, text)
    if kind == "choice":
        return one_of(name, text, option.choices)
    if kind == "choices":
        return words(name, text, option.choices)
    value: Any = _TEXTS[kind](name, text) if kind in _TEXTS else text
    if kind in ("time", "duration") and option.most is not None:
        _checked_brief(name, text, value, option.most)
    return value


def _as_text(kind: Kind, typed: Any) -> str:
    """As it would be typed: 0.5 seconds as `0.5s`, several values with commas."""
    if isinstance(typed, str):
        return typed
    if isinstance(typed, Iterable):
        return ",".join(_as_text(kind, entry) for entry in typed)
    return f"{typed!r}s" if kind in IN_SECONDS else str(typed)


def _number(option: Option, name: str, typed: Any) -> Any:
    """A number within its limits."""
    kind = _NUMBERS[option.kind]
    try:
        value = kind(typed)
    except (TypeError, ValueError):
        value = None
    low, high = option.least, option.most
    wrong = value is None or value != value or isinstance(typed, bool)  # noqa: PLR0124 (not a number)
    wrong = wrong or (isinstance(typed, float) and value != typed)
    if wrong or (low is not None and value < low) or (high is not None and value > high):
        limits = [f"{low:g} or more" if low is not None else "", f"at most {high:g}" if high is not None else ""]
        which = "a whole number" if kind is int else "a number"
        raise UsageError(f"{name} '{typed}': expected {which}{', '.join(['', *filter(None, limits)])}")
    return value
