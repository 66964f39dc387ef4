"""What studies declare: their options are the core's where it has them, and every function takes what is declared."""

import inspect
from collections.abc import Iterator
from typing import Any

import pytest

from ictus.cli.app import app
from ictus.model.plan import Plan
from ictus.model.registries import Parameter, Registries
from ictus.render.option_values import option_value
from ictus.store.manifest import OTHER_FOLDERS
from ictus.studies.campaign_material import CampaignMaterial
from ictus.studies.core_material import COMMON_OPTIONS, CoreMaterial, RanksMaterial
from ictus.studies.core_options import names_of
from ictus.studies.registry import STUDIES, entry, every_claim, named
from ictus.studies.study import values_of

CORE = {
    one.name: one.study.material.core
    for one in STUDIES
    if isinstance(one.study.material, RanksMaterial) and one.name != "clock_pareto"
}
"""Studies of a program of the core, by its words; `clock_pareto` has settings of its own for that of clock_accuracy."""

CALLED = {"core": "progress-place", "pause": "progress-pause", ("overlap", "sizes"): "size"}
"""What the core calls an option."""

OWN = {
    ("overlap", "datatype"): "none: that of the core is taken",
    ("overlap", "operator"): "none: that of the core is taken",
    ("clock_accuracy", "clocksync"): "none: all that synchronise, not three",
    ("exit_skew", "procsync"): "none: all that synchronise, not two",
    ("rtt", "of"): "none: auto",
    ("communicators", "groups"): "none: auto",
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
        flag_is_off = (option.kind, declared.default) == ("on", "off")  # then it is not given
        usual = None if flag_is_off else option_value(option, declared.default)
        assert values[option.keyword] == usual, option.key
    command: Any = app
    for word in entry(name).command.split():
        command = command.commands[word]
    help_of = {one.name: one.help for one in command.params}
    for option in (one for one, _ in found if one.default_text is not None):
        assert f"[default: {option.default_text}]" in help_of[option.parameter], option.key


@pytest.mark.parametrize("name", DECLARED)
def test_functions_take_what_is_declared(name: str) -> None:
    """Each option reaches what is measured, read and shown by its keyword."""
    study = entry(name).study
    every = {one.keyword for one in study.options}
    shown = {one.keyword for one in study.options if one.of_showing}
    assert len(every) == len(study.options)
    taken = {study.analyse: (1, shown), study.answer: (2, shown), study.check: (0, every)}
    if isinstance(study.material, CoreMaterial) and study.material.launches is not None:
        taken[study.material.launches] = (1, every)
    if isinstance(study.material, CampaignMaterial):
        taken[study.material.plan] = (1, every)
    for function, (places, keywords) in taken.items():
        inspect.signature(function).bind(*[None] * places, **dict.fromkeys(keywords))


@pytest.mark.parametrize("name", [name for name in DECLARED if isinstance(entry(name).study.material, CoreMaterial)])
def test_every_option_reaches_the_core_or_is_known_not_to(name: str) -> None:
    """Where a study has the usual launches, an option that the core does not have would be without effect."""
    material = entry(name).study.material
    if material.launches is None:
        own = {one.key for one in entry(name).study.options if not one.of_showing} - {"launches"}
        assert own <= names_of(material.core)


@pytest.mark.parametrize("name", [name for name in DECLARED if isinstance(entry(name).study.material, CoreMaterial)])
def test_a_study_is_told_from_a_campaign_by_its_file(name: str) -> None:
    """A command that reads campaigns says whose folder it was given: store/manifest.py lists the file."""
    file = entry(name).study.material.document.FILE
    assert OTHER_FOLDERS[file] in (f"`ictus {entry(name).command}`", "`ictus clocks`")


CLAIMS = {claim.name: (one.study, claim) for one, claim in every_claim()}


def test_a_claim_has_one_name_and_a_study_without_a_command_has_claims() -> None:
    """No two claims of all studies share a name; a name of a study and of its claim means the claim."""
    assert len(CLAIMS) == sum(len(one.study.claims) for one in STUDIES)
    assert [one.name for one in STUDIES if not (one.has_command or one.study.claims)] == []
    assert all(bool(one.study.title and one.study.schema) is one.has_command for one in STUDIES)
    entry_of_claim, ((entry_of_overlap, claim),) = named("overlap")
    assert (entry_of_claim, entry_of_overlap.name, claim.name) == (None, "overlap", "overlap")
    drift, claims = named("clock_drift")
    assert (drift, [one.name for _, one in claims]) == (entry("clock_drift"), ["clock-drift", "model-error"])


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize("quick", [True, False])
def test_the_plan_of_a_claim_is_of_the_studys_options(name: str, quick: bool) -> None:
    """What the study declares has a value of its kind; of all else the core's launches or the plan of a campaign know
    the key.
    """
    study, claim = CLAIMS[name]
    plan, own = claim.plan(quick), {one.keyword for one in study.options}
    values_of(study, {key: value for key, value in plan.items() if key in own}, python=True)
    rest = {key: value for key, value in plan.items() if key not in own}
    if isinstance(study.material, CampaignMaterial):
        Plan.from_values(rest)
    elif isinstance(study.material, RanksMaterial):
        assert rest.keys() <= {one.key for one in COMMON_OPTIONS}


@pytest.mark.parametrize("name", DECLARED)
def test_usual_values_can_be_typed(name: str) -> None:
    """The default of each option is a value of its kind, as a text and as the value that it means."""
    study = entry(name).study
    values = values_of(study, {})
    study.check(**values)
    assert values_of(study, values, python=True) == values
