"""From a spec as typed to its full form: names checked, keys bound, values typed and in range, defaults filled in.

Full forms make cases comparable: `hca3`, `hca3(exchanges=100)` and `hca3(offset=skampi)` are the same.
"""

from collections.abc import Mapping
from decimal import Decimal

from ictus.model.errors import UsageError
from ictus.model.member import LIST, Families, Member, Parameter
from ictus.model.quantity import DURATION_UNITS, RATE_UNITS, SIZE_UNITS, decimal_quantity
from ictus.model.spec import Argument, Number, Spec, parse_spec, parse_value
from ictus.model.unknown import unknown

Value = Spec | Number

_UNITS: Mapping[str, dict[str, Decimal]] = {
    "duration": DURATION_UNITS,
    "rate": RATE_UNITS,
    "size": SIZE_UNITS,
    "count": SIZE_UNITS,
}


def resolve(families: Families, family: str, spec: Spec) -> Spec:
    """The full form of `spec`, a member of `family`; UsageError names the member, the key and what is allowed."""
    return _resolve(families, family, spec, handed={}, is_default=False)


def shortened(families: Families, family: str, full: Spec) -> Spec:
    """The full form without the arguments that equal their default, nested ones shortened likewise."""
    member = families.family(family).member(full.name)
    kept = list(_listed(full))
    if kept == list(_default_list(member)):
        kept = []
    of_list = member.parameters[0].family if kept else None
    if of_list is not None:
        kept = [
            Argument(None, shortened(families, of_list, argument.value))
            for argument in kept
            if isinstance(argument.value, Spec)
        ]
    for parameter in member.parameters:
        value = full.argument(parameter.name)
        if value is None or value == _default(families, member, parameter):
            continue
        if parameter.nests and parameter.family is not None and isinstance(value, Spec):
            value = shortened(families, parameter.family, value)
        kept.append(Argument(parameter.name, value))
    return Spec(full.name, tuple(kept))


def _resolve(families: Families, family: str, spec: Spec, handed: Mapping[str, Value], *, is_default: bool) -> Spec:
    """`handed` are keys that an outer member hands on; they win over a default's arguments, never over the user's."""
    member = families.family(family).member(spec.name)
    bound = _bind(member, spec)
    twice = [key for key in handed if key in bound and not is_default]
    if twice:
        raise UsageError(f"{family} '{spec}': '{twice[0]}' is given twice")
    bound |= handed
    parameter_names = {parameter.name for parameter in member.parameters}
    passed_on = _receivers(families, family, member, bound, [key for key in bound if key not in parameter_names])
    arguments: list[Argument] = []
    for parameter in member.parameters:
        if parameter.type == LIST:
            arguments += _full_list(families, family, parameter, spec) or _default_list(member)
            continue
        inner = passed_on.get(parameter.name, {})
        value = bound.get(parameter.name)
        arguments.append(Argument(parameter.name, _value(families, member, parameter, value, inner)))
    return Spec(member.name, tuple(arguments))


def _bind(member: Member, spec: Spec) -> dict[str, Value]:
    """Arguments by key; positional ones take the parameters in their declared order."""
    bound: dict[str, Value] = {}
    takes_list = bool(member.parameters) and member.parameters[0].type == LIST
    for position, argument in enumerate(spec.arguments):
        key = argument.key
        if takes_list and key is None:
            continue
        if takes_list and key == member.parameters[0].name:
            raise UsageError(
                f"'{spec}': the values of '{key}' are written without it: "
                f"{member.name}({member.parameters[0].default or '...'})"
            )
        if key is None:
            if position >= len(member.parameters):
                names = ", ".join(parameter.name for parameter in member.parameters) or "none"
                raise UsageError(f"'{spec}': {member.name} takes {len(member.parameters)} arguments ({names})")
            key = member.parameters[position].name
        if key in bound:
            raise UsageError(f"'{spec}': '{key}' is given twice")
        bound[key] = argument.value
    return bound


def _listed(spec: Spec) -> tuple[Argument, ...]:
    """The values of a list: all positional arguments."""
    return tuple(argument for argument in spec.arguments if argument.key is None)


def _full_list(families: Families, family: str, parameter: Parameter, spec: Spec) -> tuple[Argument, ...]:
    """The values of a list, of a family those in full form."""
    listed = _listed(spec)
    if parameter.family is None:
        return listed
    if not listed:
        raise UsageError(
            f"{family} '{spec}': '{parameter.name}': the list is empty; it takes one or more of family "
            f"{parameter.family}, separated by commas"
        )
    members = [_nested_spec(argument.value, parameter) for argument in listed]
    return tuple(Argument(None, resolve(families, parameter.family, member)) for member in members)


def _default_list(member: Member) -> tuple[Argument, ...]:
    if not member.parameters or member.parameters[0].type != LIST:
        return ()
    return parse_spec(f"list({member.parameters[0].default})").arguments


def _receivers(
    families: Families, family: str, member: Member, arguments: Mapping[str, Value], keys: list[str]
) -> dict[str, dict[str, Value]]:
    """Which parameter each foreign key is handed on to: the one whose nested member has it, itself or deeper."""
    nested = {
        parameter.name: (parameter.family, _nested_spec(arguments.get(parameter.name), parameter))
        for parameter in member.parameters
        if parameter.nests and parameter.family is not None
    }
    passed_on: dict[str, dict[str, Value]] = {}
    for key in keys:
        accepting = [name for name, (inner, spec) in nested.items() if key in _accepted(families, inner, spec)]
        if len(accepting) > 1:
            raise UsageError(
                f"{family} '{member.name}': '{key}' could be meant for {' or '.join(accepting)}; "
                f"write {accepting[0]}={nested[accepting[0]][1].name}({key}=...)"
            )
        if not accepting:
            accepted = [parameter.name for parameter in member.parameters]
            for inner, spec in nested.values():
                accepted += [name for name in _accepted(families, inner, spec) if name not in accepted]
            raise unknown(f"parameter '{key}' of {family} '{member.name}'", key, accepted)
        passed_on.setdefault(accepting[0], {})[key] = arguments[key]
    return passed_on


def _nested_spec(value: Value | None, parameter: Parameter) -> Spec:
    if value is None:
        return parse_spec(parameter.default)
    if isinstance(value, Spec):
        return value
    raise UsageError(f"'{parameter.name}={value}': expected a member of family {parameter.family}")


def _accepted(families: Families, family: str, spec: Spec) -> list[str]:
    """Keys that a member takes, its own first, then those of the members nested in it."""
    member = families.family(family).member(spec.name)
    bound = _bind(member, spec)
    keys = [parameter.name for parameter in member.parameters]
    for parameter in member.parameters:
        if parameter.nests and parameter.family is not None:
            keys += _accepted(families, parameter.family, _nested_spec(bound.get(parameter.name), parameter))
    return keys


def _default(families: Families, member: Member, parameter: Parameter) -> Value:
    return _value(families, member, parameter, None, {})


def _value(
    families: Families, member: Member, parameter: Parameter, argument: Value | None, inner: Mapping[str, Value]
) -> Value:
    if parameter.nests and parameter.family is not None:
        spec = _nested_spec(argument, parameter)
        return _resolve(families, parameter.family, spec, inner, is_default=argument is None)
    if argument is None:
        argument = Spec(parameter.default) if parameter.type == "text" else parse_value(parameter.default)
    return scalar(parameter, argument, member.name)


def scalar(parameter: Parameter, value: Value, owner: str) -> Value:
    """Canonical form of a value that is no member: one spelling for each value, `0.1s` and `100ms` being one.

    The words of `choices`, and `auto` where it is one, are taken whatever the type.
    """
    text = str(value)
    words = parameter.choices or (("on", "off") if parameter.type == "flag" else ())
    if parameter.type == "text" or text in words or (parameter.auto and text == "auto"):
        return value
    if words and parameter.type in ("flag", "choice"):
        raise UsageError(f"{owner}({parameter.name}={text}): expected one of {', '.join(words)}")
    number = _number(parameter, value, owner)
    if (parameter.minimum is not None and number < Decimal(str(parameter.minimum))) or (
        parameter.maximum is not None and number > Decimal(str(parameter.maximum))
    ):
        raise UsageError(f"{owner}({parameter.name}={text}): allowed is {_interval(parameter)}")
    return _canonical(parameter.type, number)


def _number(parameter: Parameter, value: Value, owner: str) -> Decimal:
    """Exact value in the base unit: seconds, ratio, bytes."""
    expected = {
        "count": "a whole number",
        "real": "a number",
        "duration": "a time such as 100us",
        "rate": "a rate such as 5ppm",
        "size": "a size such as 64Ki",
    }.get(parameter.type)
    or_words = f" or one of {', '.join(parameter.choices)}" if parameter.choices else ""
    if expected is None:
        raise UsageError(f"{owner}: parameter '{parameter.name}' has type '{parameter.type}', unknown to this version")
    wrong = UsageError(f"{owner}({parameter.name}={value}): expected {expected}{or_words}")
    if isinstance(value, Spec):
        raise wrong
    try:
        number = decimal_quantity(str(value), _UNITS.get(parameter.type, {}), parameter.name)
    except UsageError:
        raise wrong from None
    if parameter.type in ("count", "size") and (number < 0 or number != number.to_integral_value()):
        raise wrong
    return number


def _interval(parameter: Parameter) -> str:
    if parameter.minimum is None:
        return f"at most {parameter.maximum:g}"
    if parameter.maximum is None:
        return f"{parameter.minimum:g} or more"
    return f"{parameter.minimum:g} to {parameter.maximum:g}"


def _canonical(kind: str, number: Decimal) -> Number:
    """One spelling for each value: the largest unit that is at most the time or divides the size; ppm."""
    if kind == "duration":
        unit = next((unit for unit in ("s", "ms", "us") if abs(number) >= DURATION_UNITS[unit]), "ns")
        return Number(_plain(number / DURATION_UNITS[unit]), unit) if number else Number("0", "s")
    if kind == "rate":
        return Number(_plain(number / RATE_UNITS["ppm"]), "ppm")
    if kind == "size":
        for unit in ("Gi", "Mi", "Ki"):
            if number and number % SIZE_UNITS[unit] == 0:
                return Number(_plain(number / SIZE_UNITS[unit]), unit)
    return Number(_plain(number))


def _plain(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
