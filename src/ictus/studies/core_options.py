"""Options of studies that the core measures, from its own declarations in describe.json: type, default, limits, help.
Nothing of them is said a second time.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from ictus.model.option import Kind, Option
from ictus.model.quantity import parse_duration
from ictus.model.registries import Parameter, Registries
from ictus.model.spec import Number, parse_spec, split_list

_KINDS: dict[str, Kind] = {"real": "number", "flag": "on"}
"""Kinds of types that are called otherwise in the core."""
_LISTS: dict[str, Kind] = {
    "count": "counts",
    "duration": "times",
    "size": "sizes",
    "member": "members",
    "choice": "choices",
}
_METAVARS: dict[Kind, str] = {
    **dict.fromkeys(("time", "duration", "brief"), "TIME"),
    **dict.fromkeys(("times", "positive-times", "brief-times"), "TIME,..."),
    "count": "COUNT",
    "counts": "COUNT,...",
    "number": "NUMBER",
    "size": "SIZE",
    "sizes": "SIZES",
    "text": "TEXT",
    **dict.fromkeys(("member", "choice"), "NAME"),
    **dict.fromkeys(("members", "choices"), "NAME,..."),
}


def core_option(study: str, name: str, **differs: Any) -> Option:
    """The option `name` of the core's study (`clocks drift`, as `ictus-bench` calls it), but for what `differs`."""
    declared = _declared(study, name)
    kind = cast(Kind, (_LISTS if declared.is_list else _KINDS).get(declared.type, declared.type))
    kind = differs.pop("kind", kind)
    option = Option(
        name,
        (f"--{name}",),
        kind,
        _METAVARS.get(kind, ""),
        f"{declared.help[:1].upper()}{declared.help[1:]}.",
        least=0 if declared.minimum is None and kind == "count" else declared.minimum,
        most=declared.maximum,
        default_text=_default_text(kind, declared.default),
        family=declared.family or "",
        choices=declared.choices,
    )
    return replace(option, **differs)


def names_of(study: str) -> frozenset[str]:
    """The names of its options in the core. LookupError where describe.json has no such study."""
    return frozenset(parameter.name for parameter in _options(study))


def core_words(study: str, values: Mapping[str, Any]) -> dict[str, str]:
    """The options of the core's study that have a value here, by keyword, as the core reads them; what is None here is
    left to the core's own default.
    """
    known = names_of(study)
    words = {keyword.removesuffix("_s").replace("_", "-"): value for keyword, value in values.items()}
    return {name: _text(value) for name, value in words.items() if name in known and value is not None}


def _text(value: Any) -> str:
    """Times are seconds, here and, without a unit, in the core."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, Iterable):
        return ",".join(map(_text, value))
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def _options(study: str) -> Sequence[Parameter]:
    known = Registries.load().options
    if study not in known:
        raise LookupError(f"describe.json has no study '{study}' of the core: {_AGAIN}; it has {', '.join(known)}")
    return known[study]


def _declared(study: str, name: str) -> Parameter:
    options = {parameter.name: parameter for parameter in _options(study)}
    if name not in options:
        raise LookupError(f"'{study}' of the core has no option '{name}': {_AGAIN}; it has {', '.join(options)}")
    return options[name]


_AGAIN = "`make describe` reads it from the core"


def _default_text(kind: Kind, default: str) -> str | None:
    """A flag that is off is not given."""
    if kind == "on" and default == "off":
        return None
    return _every_second(default) if kind == "times" else default


def _every_second(text: str) -> str:
    """Times as a user types them: `0..20` for every second from 0 to 20."""
    times = tuple(map(parse_duration, split_list(text)))
    return f"0..{len(times) - 1}" if len(times) > 2 and times == tuple(map(float, range(len(times)))) else text


def nrep_of(study: str) -> str:
    """The number of a study's repetitions: 100 of `fixed(nrep=100)`."""
    declared = _declared(study, "repetition")
    number = parse_spec(declared.default).argument("nrep")
    assert isinstance(number, Number)
    return number.text
