"""Options of studies that the core measures, from its own declarations in describe.json: type, default, limits, help.
Nothing of them is said a second time.
"""

from dataclasses import replace
from typing import Any, cast

from ictus.model.option import Kind, Option
from ictus.model.quantity import parse_duration
from ictus.model.registries import Registries
from ictus.model.spec import Number, parse_spec, split_list

_KINDS: dict[str, Kind] = {"real": "number", "flag": "on"}
"""Kinds of types that are called otherwise in the core."""
_LISTS: dict[str, Kind] = {"duration": "times", "size": "sizes", "member": "members", "choice": "choices"}
_METAVARS: dict[Kind, str] = {
    **dict.fromkeys(("time", "duration", "brief"), "TIME"),
    **dict.fromkeys(("times", "positive-times", "brief-times"), "TIME,..."),
    "count": "COUNT",
    "number": "NUMBER",
    "size": "SIZE",
    "sizes": "SIZES",
    "text": "TEXT",
    **dict.fromkeys(("member", "choice"), "NAME"),
    **dict.fromkeys(("members", "choices"), "NAME,..."),
}


def core_option(study: str, name: str, **differs: Any) -> Option:
    """The option `name` of the core's study (`clocks drift`, as `ictus-bench` calls it), but for what `differs`."""
    declared = next(parameter for parameter in Registries.load().options[study] if parameter.name == name)
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
        default_text=_usual(kind, declared.default),
        family=declared.family or "",
        choices=declared.choices,
    )
    return replace(option, **differs)


def _usual(kind: Kind, default: str) -> str | None:
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
    declared = next(parameter for parameter in Registries.load().options[study] if parameter.name == "repetition")
    number = parse_spec(declared.default).argument("nrep")
    assert isinstance(number, Number)
    return number.text
