"""What studies declare: their options are the core's where it has them, and every function takes what is declared."""

import inspect
from collections.abc import Iterator
from typing import Any

import pytest

from ictus.cli.app import app
from ictus.model.registries import Parameter, Registries
from ictus.render.option_values import option_value
from ictus.studies.campaign_material import CampaignMaterial
from ictus.studies.core_material import CoreMaterial
from ictus.studies.registry import STUDIES, entry
from ictus.studies.study import values_of

CORE = {
    "clock_accuracy": "clocks accuracy",
    "clock_drift": "clocks drift",
    "frequency": "clocks frequency",
    "rtt": "clocks rtt",
    "exit_skew": "barriers skew",
    "network": "network state",
    "overlap": "overlap phases",
}
"""Studies of one program of the core, by its words."""

CALLED = {"core": "progress-place", "pause": "progress-pause", ("overlap", "sizes"): "size"}
"""What the core calls an option."""

OWN = {
    ("overlap", "datatype"): "none: that of the core is taken",
    ("overlap", "operator"): "none: that of the core is taken",
    ("clock_accuracy", "clocksync"): "none: all that synchronise, not three",
    ("exit_skew", "procsync"): "none: all that synchronise, not two",
    ("rtt", "of"): "none: auto",
}
"""Options with another default than the core's, and why."""

DECLARED = [one.name for one in STUDIES]


def of_the_core(name: str) -> Iterator[tuple[Any, Parameter]]:
    """The options of a study that the core declares too."""
    declared = {one.name: one for one in Registries.load().options[CORE[name]]}
    for option in entry(name).study.options:
        core = CALLED.get(option.key) or CALLED.get((name, option.key)) or option.key
        if core in declared and (name, option.key) not in OWN:
            yield option, declared[core]


@pytest.mark.parametrize("name", CORE)
def test_every_default_is_what_the_core_declares(name: str) -> None:
    """In Python, on the command line, and in its help: the texts of describe.json."""
    found = list(of_the_core(name))
    assert found
    values = values_of(entry(name).study, {})
    for option, declared in found:
        assert values[option.keyword] == option_value(option, declared.default), option.key
    command: Any = app
    for word in entry(name).command.split():
        command = command.commands[word]
    help_of = {one.name: one.help for one in command.params}
    for option, _ in found:
        assert f"[default: {option.usual}]" in help_of[option.parameter], option.key


@pytest.mark.parametrize("name", DECLARED)
def test_functions_take_what_is_declared(name: str) -> None:
    """Each option reaches what is measured, read and shown by its keyword."""
    study = entry(name).study
    every = {one.keyword for one in study.options}
    shown = {one.keyword for one in study.options if one.of_showing}
    assert len(every) == len(study.options)
    taken = {study.analyse: (1, shown), study.answer: (2, shown), study.check: (0, every)}
    if isinstance(study.material, CoreMaterial):
        taken[study.material.launches] = (1, every)
    if isinstance(study.material, CampaignMaterial):
        taken[study.material.plan] = (1, every)
    for function, (places, keywords) in taken.items():
        inspect.signature(function).bind(*[None] * places, **dict.fromkeys(keywords))


@pytest.mark.parametrize("name", DECLARED)
def test_usual_values_can_be_typed(name: str) -> None:
    """The default of each option is a value of its kind, as a text and as the value that it means."""
    study = entry(name).study
    values = values_of(study, {})
    study.check(**values)
    assert values_of(study, values, python=True) == values
