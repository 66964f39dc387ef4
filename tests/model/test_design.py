"""The design of a campaign, and libraries by label."""

from pathlib import Path

import pytest

from ictus.engine.attempt import differing_cvars
from ictus.model.design import make_design
from ictus.model.errors import UsageError
from ictus.model.library import Installation
from ictus.model.plan import Plan
from ictus.model.registries import Registries


def installation(label: str, version: str = "5.0") -> Installation:
    """An installation that is nowhere."""
    return Installation(label, "mpich", version, Path("/opt/bin/mpicxx"), Path("/opt/bin/mpiexec"))


def test_an_algorithm_for_what_is_not_measured_is_noted() -> None:
    """Its launches would be repeats; MPI_Barrier counts always, for ranks may be started by it."""
    plan = Plan.from_values({"op": "bcast", "sizes": "8", "algorithm": ["scan=a", "bcast=b", "barrier=c"]})
    design = make_design(plan, Registries.load(), [installation("a")])
    assert design.notes == ("algorithm 'scan=a': the plan does not measure scan",)


def test_libraries_follow_the_plan_and_the_seed_is_drawn() -> None:
    """Each label of the plan is answered by the installation that carries it."""
    plan = Plan.from_values({"mpi": "b=mpich,a=mpich"})
    design = make_design(plan, Registries.load(), [installation("a"), installation("b")])
    assert [library.label for library in design.libraries] == ["b", "a"]
    assert design.seed == design.plan.seed
    assert len(design.cases) == 3 * 14 - 1  # one double for each of two ranks is 16 B at least, so alltoall merges 8 B


def test_a_label_that_nothing_answers_is_refused() -> None:
    """A campaign never measures another library than the one that was asked for."""
    with pytest.raises(UsageError, match="library 'b': no installation carries this label; there are a"):
        make_design(Plan.from_values({"mpi": "b"}), Registries.load(), [installation("a")])
    with pytest.raises(UsageError, match="no MPI library to measure"):
        make_design(Plan.from_values({}), Registries.load(), [])


def test_a_control_is_one_of_several_libraries_that_are_found() -> None:
    """Where the plan names no library it is held against those of the machine; `none` is none."""
    marked = Plan.from_values({"control": "b"})
    assert make_design(marked, Registries.load(), [installation("a"), installation("b")]).plan.control == "b"
    with pytest.raises(UsageError, match="control='b': expected the label of a measured library: a; name it with -m b"):
        make_design(marked, Registries.load(), [installation("a")])
    with pytest.raises(UsageError, match="control='a': no other library is measured"):
        make_design(Plan.from_values({"control": "a"}), Registries.load(), [installation("a")])
    assert Plan.from_values({"mpi": "a", "control": "none"}).control is None


def test_records_of_one_label_differ_by_what_is_known() -> None:
    """What was "unknown" before the core was built does not count."""
    design = make_design(Plan.from_values({}), Registries.load(), [installation("a"), installation("b", "5.1")])
    first, second = design.libraries
    assert first.differences(second) == ("label: a there, b", "version: 5.0 there, 5.1")


def test_control_variables_differ_from_the_reference_only() -> None:
    """Changed, added and removed variables, by name."""
    found = differing_cvars({"EAGER": "8192", "POLL": "1", "GONE": "x"}, {"EAGER": "64", "POLL": "1", "ADDED": "y"})
    assert found == {
        "ADDED": {"reference": None, "found": "y"},
        "EAGER": {"reference": "8192", "found": "64"},
        "GONE": {"reference": "x", "found": None},
    }
