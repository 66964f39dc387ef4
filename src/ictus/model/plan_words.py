"""A plan as words of the command line, from the declarations of its options alone."""

from collections.abc import Collection, Iterator, Mapping

from ictus.model.option import Option
from ictus.model.plan import Plan
from ictus.model.plan_options import PLAN_OPTIONS
from ictus.model.registries import Registries


def plan_words(plan: Plan, always: Collection[str] = (), never: Collection[str] = ()) -> tuple[str, ...]:
    """The options of a plan in full form that are not the defaults, and those of the keys in `always`; none of `never`.
    Subsets, which have no option, are left out.
    """
    values, defaults = plan.values(), Plan().checked(Registries.load()).values()
    return tuple(
        word
        for option in PLAN_OPTIONS
        if option.key not in never and (option.key in always or values[option.key] != defaults[option.key])
        for word in _words(option, values[option.key])
    )


def _words(option: Option, value: object) -> Iterator[str]:
    name = min(option.names, key=len)
    if value in (None, [], {}):
        return
    if option.kind in ("on", "off"):
        yield name
    elif isinstance(value, Mapping):
        for key, texts in value.items():
            for text in texts if isinstance(texts, (list, tuple)) else (texts,):
                yield from (name, f"{key}={text}")
    elif option.kind == "each" and isinstance(value, list):
        for part in value:
            yield from (name, _text(part))
    else:
        yield from (name, ",".join(map(_text, value)) if isinstance(value, list) else _text(value))


def _text(value: object) -> str:
    """A value as it is typed: a plug-in, or a method of measuring, is an object with a key for each part."""
    if isinstance(value, Mapping):
        return str(value["path"]) if "path" in value else "/".join(map(str, value.values()))
    return f"{value:g}" if isinstance(value, float) else str(value)
