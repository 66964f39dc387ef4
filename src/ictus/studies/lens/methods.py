"""Which methods a campaign of lenses measures: those of the suites, of starts, and the reference."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from ictus.model.errors import UsageError
from ictus.model.registries import Member, Parameter, Registries
from ictus.model.spec import split_list
from ictus.studies.lens.suites.lens import per_call
from ictus.studies.lens.suites.registry import ALL, Look, find_look

CALLS = 1000
"""Of each case by each suite."""
REFERENCE = "window"
"""How the makespan is measured that all others are put in relation to."""

EVERY = "all"


def parse_looks(text: str | None) -> tuple[Look, ...] | None:
    """The lenses of `--lens`, each once; None for all there are."""
    if text is None or text.strip() == EVERY:
        return None
    looks = {look.label: look for look in map(find_look, _items("--lens", text))}
    return tuple(looks.values())


def parse_procsyncs(text: str | None) -> tuple[str, ...]:
    """The process synchronisations of `--procsync` in full form, each once; `all` are all of the registry."""
    if text is None:
        return ()
    registries = Registries.load()
    names = every_procsync(registries) if text.strip() == EVERY else _items("--procsync", text)
    return tuple(dict.fromkeys(str(registries.check("procsync", name)) for name in names))


def methods(looks: Sequence[Look] | None, procsyncs: Sequence[str], calls: int) -> list[dict[str, str]]:
    """The methods of the plan, the reference first, each once."""
    registries = Registries.load()
    chosen = tuple(map(find_look, ALL)) if looks is None else looks
    methods_of_all = [per_call(name, calls) for name in (REFERENCE, *procsyncs)] + [
        look.method(calls) for look in chosen
    ]
    return [method.model_dump() for method in dict.fromkeys(method.checked(registries) for method in methods_of_all)]


def every_procsync(registries: Registries) -> Iterator[str]:
    """Every member, with every barrier and every rule that it may have; not those that only delay another's start."""
    for member in registries.family("procsync").members:
        if not any(parameter.family == "procsync" for parameter in member.parameters):
            yield from _variants(member, registries)


def _variants(member: Member, registries: Registries) -> Iterator[str]:
    ways = {parameter.name: _values(parameter, registries) for parameter in member.parameters}
    varied = {name: values for name, values in ways.items() if values}
    for chosen in itertools.product(*varied.values()):
        words = ",".join(f"{name}={value}" for name, value in zip(varied, chosen, strict=True))
        yield f"{member.name}({words})" if words else member.name


def _values(parameter: Parameter, registries: Registries) -> tuple[str, ...]:
    """The values to try for a parameter: every barrier, every word of a choice; none for numbers."""
    if parameter.family == "barrier":
        return tuple(barrier.name for barrier in registries.family("barrier").members)
    return parameter.choices if parameter.type == "choice" else ()


def _items(option: str, text: str) -> tuple[str, ...]:
    try:
        return split_list(text)
    except UsageError as error:
        raise UsageError(f"{option}: {error}") from error


USUAL = {"op": "bcast,reduce,allreduce", "sizes": "8,1Ki"}


def usual_of(looks: Sequence[Look] | None, procsyncs: Sequence[str], calls: int = CALLS) -> dict[str, Any]:
    """The defaults, by TOML key."""
    return {**USUAL, "methods": methods(looks, procsyncs, calls), "raw": True}
