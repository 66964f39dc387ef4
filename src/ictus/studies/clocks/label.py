"""Short names of algorithms: `hca3(fitpoints=10,exchanges=20)` instead of the nested full form.

A key that exactly one nested member has can be given to the outermost one, and defaults can be left out. The short form
is used only if it resolves to the same spec.
"""

from collections.abc import Collection, Iterator

from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.model.spec import Argument, Number, Spec, parse_spec

FAMILY = "clocksync"


def short_label(registries: Registries, text: str) -> str:
    """The shortest spec that means the same as `text`; `text` itself where these registries do not know it."""
    try:
        full = registries.check(FAMILY, text)
        brief = registries.brief(FAMILY, full)
    except UsageError:
        return text
    flat = Spec(brief.name, tuple(_leaves(brief)))
    keys = [argument.key for argument in flat.arguments]
    if len(set(keys)) < len(keys):
        return str(brief)
    try:
        same = registries.check(FAMILY, str(flat)) == full
    except UsageError:
        same = False
    return str(flat) if same and len(str(flat)) < len(str(brief)) else str(brief)


def _leaves(spec: Spec) -> Iterator[Argument]:
    """All arguments that are no members with arguments, in order."""
    for argument in spec.arguments:
        if isinstance(argument.value, Spec) and argument.value.arguments and argument.key is not None:
            yield from _leaves(argument.value)
        else:
            yield argument


def number_in(text: str, key: str) -> int | None:
    """The whole number that the first parameter `key` has anywhere in a full spec, None where there is none."""
    number = next((argument.value for argument in arguments(parse_spec(text)) if argument.key == key), None)
    return int(float(number.text)) if isinstance(number, Number) else None


def arguments(spec: Spec) -> Iterator[Argument]:
    """All arguments, those of nested members after those of the outer ones."""
    pending = [spec]
    while pending:
        outer = pending.pop(0)
        yield from outer.arguments
        pending += [argument.value for argument in outer.arguments if isinstance(argument.value, Spec)]


def reset(registries: Registries, text: str, keys: Collection[str]) -> str:
    """The full spec with the parameters of these names, however deep, at the defaults of its name.

    `text` itself where these registries do not know it.
    """
    try:
        full = registries.check(FAMILY, text)
        return str(registries.check(FAMILY, _reset(full, registries.check(FAMILY, full.name), keys)))
    except UsageError:
        return text


def _reset(spec: Spec, plain: Spec | None, keys: Collection[str]) -> Spec:
    """`plain` is what stands at this place by default; where another member does, its own defaults are taken."""
    kept = []
    for argument in spec.arguments:
        default = plain.argument(argument.key) if plain is not None and argument.key is not None else None
        if argument.key in keys:
            kept += [] if default is None else [Argument(argument.key, default)]
        elif isinstance(argument.value, Spec):
            inner = default if isinstance(default, Spec) and default.name == argument.value.name else None
            kept.append(Argument(argument.key, _reset(argument.value, inner, keys)))
        else:
            kept.append(argument)
    return Spec(spec.name, tuple(kept))


def without(text: str, keys: Collection[str]) -> Spec:
    """A spec without its own arguments of these keys."""
    spec = parse_spec(text)
    return Spec(spec.name, tuple(argument for argument in spec.arguments if argument.key not in keys))


def label(algorithm: str) -> str:
    """The shortest spec that means the same."""
    return short_label(Registries.load(), algorithm)


def seconds(wait_s: float) -> str:
    """`5 s`, `0.5 s`: a wait as typed."""
    return f"{wait_s:g} s"
