"""Two campaigns that were measured under different conditions are refused, unless the difference is meant."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.command_line import run_ictus, succeed

from ictus.comparison.comparison import compare
from ictus.comparison.conditions import CONDITIONS, conditions
from ictus.model.errors import UsageError
from ictus.model.spec import Spec
from ictus.store.campaign import Campaign, load

OTHER: dict[str, dict[str, object]] = {
    "pin": {"pin": ("none",)},
    "map-by": {"map_by": ("node",)},
    "launcher-options": {"launcher_options": ("-l",)},
    "core-flags": {"core_flags": ("-O1",)},
    "governor": {"governor": ("performance",)},
    "validation": {"validation": False},
    "platform": {"platform": Spec("flat")},
}
"""For each condition but the heap, which launches record, a plan that gives it another value than the usual one."""


def measured(folder: Path, words: Sequence[str]) -> Path:
    succeed("run", "--launcher", "simulated", "--op", "bcast", "--sizes", "8", "--launches", "4", "--nrep", "3", *words,
            "-o", folder)  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    return load(measured(tmp_path_factory.mktemp("campaigns") / "old", ("--seed", "4")))


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    return load(measured(tmp_path_factory.mktemp("campaigns") / "new", ("--seed", "5")))


@pytest.mark.parametrize("name", [name for name in CONDITIONS if name != "heap"])
def test_a_condition_that_differs_is_refused_unless_it_is_meant(old: Campaign, new: Campaign, name: str) -> None:
    """By its name and both values; where it is meant, a warning says it beside the table."""
    changed = replace(new, plan=new.plan.model_copy(update=OTHER[name]))
    here, there = (conditions(one)[name] for one in (changed, old))
    assert here != there
    with pytest.raises(UsageError) as refused:
        compare(changed, other=old)
    assert f"differ in {name} ({here} against {there})" in str(refused.value)
    assert f"--allow {name}" in str(refused.value)
    assert f"the launches differ: {name} {here} against {there}" in compare(changed, other=old, allow=[name]).warnings


def test_a_condition_that_is_compared_is_meant(old: Campaign, tmp_path: Path) -> None:
    """`--by heap` names it."""
    new = load(measured(tmp_path / "new", ("--heap", "returned")))
    rows = compare(new, "returned", "kept", other=old, by="heap").rows
    assert {(row.a, row.b) for row in rows} == {("heap=returned", "heap=kept")}


def test_the_command_refuses_and_allows(tmp_path: Path) -> None:
    """Exit code 2 with the option to give; several of them in one word."""
    old, new = measured(tmp_path / "old", ()), measured(tmp_path / "new", ("--heap", "returned", "--no-validate"))
    refused = run_ictus("compare", new, old)
    assert refused.code == 2
    assert "--allow heap,validation" in refused.err
    assert run_ictus("compare", new, old, "--allow", "heap, validation").code == 0
    misspelled = run_ictus("compare", new, old, "--allow", "head")
    assert misspelled.code == 2
    assert "did you mean 'heap'" in misspelled.err


def test_conditions_that_are_alike_are_compared(old: Campaign, new: Campaign) -> None:
    """And what is allowed to differ need not."""
    assert compare(new, other=old).rows
    assert compare(new, other=old, allow=["pin", "heap"]).rows


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("n", ("-n", "3")),
        ("warmup", ("--warmup", "7")),
        ("clock", ("--clock", "wtime")),
        ("clocksync", ("--clocksync", "none", "--procsync", "barrier")),
        ("procsync", ("--procsync", "barrier")),
        ("cache", ("--cache", "cold-memset")),
    ],
)
def test_cases_that_differ_in_a_factor_do_not_match(
    old: Campaign, tmp_path: Path, name: str, words: Sequence[str]
) -> None:
    """Ranks, clock, start and cache are factors of a case: no number of one is held against one of the other."""
    new = load(measured(tmp_path / "new", words))
    with pytest.raises(UsageError, match=rf"no case in common: they differ in (.*, )?{name} "):
        compare(new, other=old)
