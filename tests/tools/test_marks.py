"""Every test runs once in `make test`, or in `make test-long`: by the marks that both ask for."""

from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.engines import ENGINES
from tests.passed_before import add
from tools.suite import STAGES
from tools.test_long import Stage, run, stages

ROOT = Path(__file__).parents[2]
MARKS = ("long", "mpi", "beside")


def chosen(expressions: list[str], marks: dict[str, bool]) -> int:
    """How many of the expressions, as pytest reads them, take a test with these marks."""
    return sum(bool(eval(one, {"__builtins__": {}}, dict(marks))) for one in expressions)


def taken_wrongly(expressions: list[str]) -> list[dict[str, bool]]:
    """Sets of marks whose tests are run never or more than once."""
    sets = [dict(zip(MARKS, one, strict=True)) for one in product((False, True), repeat=len(MARKS))]
    return [marks for marks in sets if chosen(expressions, marks) != 1]


SHORT = [marks for _, marks, _ in STAGES]
OF_LONG = list(stages("a state"))
KINDS = ("long", "shuffled", "busy")
LONG, SHUFFLED, BUSY = ([one.marks for one in OF_LONG if one.name.startswith(kind)] for kind in KINDS)


def test_every_test_is_run_once() -> None:
    """Whatever marks it has; `make test-long` runs all of them, each of the others again in shuffled order, and on busy
    cores.
    """
    assert len(SHORT) == len(LONG) == 2
    assert all(taken_wrongly([*others, *LONG]) == [] for others in (SHORT, SHUFFLED, BUSY))


def test_of_an_engine_all_tests_are_run() -> None:
    """Long or not."""
    engines = {one.how: one.marks for one in OF_LONG if one.name.startswith("engine")}
    assert engines == {("--engine", one.name): "" for one in ENGINES.values() if one.packaged}


def test_a_stage_without_tests_has_failed(tmp_path: Path) -> None:
    """As that of an engine whose mark no test has; one whose tests have passed before has not."""
    nowhere = Stage("nowhere", "long and not long", ("tests/tools/test_suite.py",))
    assert run(nowhere, tmp_path).failed == 1
    add(tmp_path / "nowhere.jsonl", "one that passed", 2)
    row = run(nowhere, tmp_path)
    assert (row.failed, row.tests, row.seconds) == (0, 1, 2)


@pytest.mark.parametrize("missing", range(2))
def test_marks_that_no_run_asks_for_are_seen(missing: int) -> None:
    """Without any of its runs, or with one of them twice."""
    assert taken_wrongly([*SHORT[:missing], *SHORT[missing + 1 :], *LONG])
    assert taken_wrongly([*SHORT, SHORT[missing], *LONG])


@pytest.mark.few(4)
@pytest.mark.parametrize("inner", range(3))
@pytest.mark.parametrize("outer", range(2))
def test_cases_beyond_the_first_few_are_long(inner: int, outer: int, request: pytest.FixtureRequest) -> None:
    """And no other, whichever of the two runs asks, of one case or of all."""
    assert (request.node.get_closest_marker("long") is not None) == (3 * outer + inner >= 4)


@pytest.fixture
def hooks(request: pytest.FixtureRequest) -> Any:
    """tests/conftest.py, as pytest has loaded it."""
    return request.config.pluginmanager.get_plugin(str(ROOT / "tests/conftest.py"))


@pytest.mark.parametrize("expression", [*SHORT, *LONG])
def test_a_run_reads_each_file_that_may_hold_its_tests(expression: str, hooks: Any, tmp_path: Path) -> None:
    """One without the mark of ranks is left out exactly where every test of the run has it; one whose tests all run
    beside others, where none of the run does; any other, nowhere.
    """
    ranks, none, beside = (tmp_path / f"test_{name}.py" for name in ("ranks", "none", "beside"))
    ranks.write_text("pytestmark = pytest.mark.mpi\n\n@pytest.mark.beside\ndef test(): ...\n")
    none.touch()
    beside.write_text("pytestmark = [\n    pytest.mark.mpi,\n    pytest.mark.beside,\n]\n")
    sets = [dict(zip(MARKS, one, strict=True)) for one in product((False, True), repeat=len(MARKS))]
    taken = [marks for marks in sets if chosen([expression], marks)]
    config = SimpleNamespace(getoption={"markexpr": expression}.get)
    assert hooks.pytest_ignore_collect(ranks, config) is None
    assert hooks.pytest_ignore_collect(tmp_path, config) is None
    assert hooks.pytest_ignore_collect(none, config) is (None if any(not one["mpi"] for one in taken) else True)
    assert hooks.pytest_ignore_collect(beside, config) is (None if any(one["beside"] for one in taken) else True)


def test_a_test_with_ranks_whose_file_does_not_name_the_mark_is_refused(hooks: Any, tmp_path: Path) -> None:
    """It would be left out unseen: the run of all other tests, which reads all files, says so."""
    path = tmp_path / "test_hidden.py"
    path.touch()
    item = SimpleNamespace(path=path, get_closest_marker={"mpi": pytest.mark.mpi}.get)
    with pytest.raises(pytest.UsageError, match=r"test_hidden\.py"):
        hooks.pytest_collection_modifyitems(SimpleNamespace(), [item])
