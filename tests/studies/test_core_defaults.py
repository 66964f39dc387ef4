"""Defaults of the studies that the core measures have one source: its own declaration, which describe.json repeats."""

import ast
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ictus.model.quantity import parse_duration, parse_size, parse_sizes
from ictus.model.registries import Registries
from ictus.model.spec import parse_spec, split_list
from ictus.studies.clock_accuracy.study import measure as accuracy
from ictus.studies.clock_drift.study import measure as drift
from ictus.studies.exit_skew.study import measure as skew
from ictus.studies.frequency.study import measure as frequency
from ictus.studies.network.study import measure as network
from ictus.studies.overlap.study import measure as overlap
from ictus.studies.rtt.study import measure as rtt

MEASURES: dict[str, Callable[..., Any]] = {
    "clocks accuracy": accuracy,
    "clocks drift": drift,
    "clocks rtt": rtt,
    "clocks frequency": frequency,
    "barriers skew": skew,
    "overlap phases": overlap,
    "network state": network,
}

OTHER_NAMES = {
    "watch": "duration",
    "stream-bytes": "stream-size",
    "core": "progress-place",
    "pause": "progress-pause",
    ("overlap phases", "sizes"): "size",
    ("barriers skew", "nrep"): "repetition",
    ("clocks rtt", "ranks"): "of",
}
"""Of parameters in Python: what the core calls them."""

OWN = {
    ("overlap phases", "datatype"): "none: that of the core is taken",
    ("overlap phases", "operator"): "none: that of the core is taken",
    ("clocks accuracy", "clocksync"): "none: all that synchronise, not three",
    ("barriers skew", "procsync"): "none: all that synchronise, not two",
    ("overlap phases", "clocksync"): "it follows from the start",
    ("clocks rtt", "of"): "none: auto",
}
"""Options with another default in Python, and why."""


def option_of(study: str, parameter: str) -> str:
    """What the core calls a parameter of Python; empty where it has none of that kind."""
    name = parameter.removesuffix("_s").replace("_", "-")
    own = OTHER_NAMES.get((study, name)) or OTHER_NAMES.get(name) or name.removesuffix("-bytes")
    return own if any(one.name == own for one in Registries.load().options[study]) else ""


def meaning(study: str, option: str, value: object) -> object:
    """A value of the core as Python has it."""
    (declared,) = (one for one in Registries.load().options[study] if one.name == option)
    text = declared.default
    if option == "repetition":
        return int(str(parse_spec(text).argument("nrep")))
    if isinstance(value, str):
        return text
    if declared.type == "duration":
        times = tuple(map(parse_duration, split_list(text)))
        return times if isinstance(value, tuple) else times[0]
    if declared.type == "size":
        return parse_sizes(text) if isinstance(value, tuple) else parse_size(text)
    return float(text)


@pytest.mark.parametrize("study", MEASURES)
def test_every_default_is_what_the_core_declares(study: str) -> None:
    """By the texts of describe.json, read by this test. Options that every study has, and files, are no parameters."""
    found = {}
    for name, one in inspect.signature(MEASURES[study]).parameters.items():
        option = option_of(study, name)
        if option and (study, option) not in OWN:
            assert one.default == meaning(study, option, one.default), name
            found[option] = one.default
    shared = {"ranks", "clock", "clock-domain", "seed", "output", "phases"}
    words = {"windows", "round-gap", "exchanges", "barriers", "warmup", "root", "validate", "stream", "progress-thread"}
    declared = {one.name for one in Registries.load().options[study]} - shared
    assert {option for option in declared - found.keys() if (study, option) not in OWN} <= words
    assert found


def defaults_in(file: Path) -> Iterator[tuple[str, ast.expr]]:
    """The parameters of the functions of a file, each with what its default is written as."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.FunctionDef):
            both = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
            yield from ((one.arg, default) for one, default in both if default is not None)


@pytest.mark.parametrize("study", MEASURES)
@pytest.mark.parametrize("name", ["study.py", "command.py"])
def test_no_default_of_the_core_is_repeated_by_hand(study: str, name: str) -> None:
    """Neither in the function nor in the command: it is read from the core's declaration."""
    file = Path(inspect.getfile(MEASURES[study])).with_name(name)
    given = [(one, default) for one, default in defaults_in(file) if option_of(study, one)]
    known = [(one, default) for one, default in given if (study, option_of(study, one)) not in OWN]
    repeated = [one for one, default in known if isinstance(default, (ast.Constant, ast.Tuple, ast.BinOp))]
    assert repeated == []
    assert known
