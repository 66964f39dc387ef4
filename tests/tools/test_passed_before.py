"""A run that is interrupted goes on, and forgets no failure."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.engines import ROOT
from tests.passed_before import JOURNAL, add, read

TESTS = """
import pytest

@pytest.fixture
def bad_end():
    yield
    raise RuntimeError

def test_good(): ...
def test_bad(): raise RuntimeError
def test_left_out(): pytest.skip("no")
def test_ends_badly(bad_end): ...
@pytest.mark.parametrize("case", (1, 2))
def test_each(case): ...
"""


def run(folder: Path, *words: str) -> list[str]:
    """What pytest says of a folder of its own."""
    command = (sys.executable, "-m", "pytest", "-q", "--rootdir=.", "-p", "tests.passed_before", *words, ".")
    environment = {"PYTHONPATH": str(ROOT), JOURNAL: str(folder / "journal"), "PATH": ""}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def counts(lines: list[str]) -> str:
    """Of its last line."""
    return lines[-1].partition(" in ")[0]


@pytest.mark.parametrize("words", [(), ("-n", "2")])
def test_what_passed_is_left_out_and_nothing_else(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Not what failed, was skipped or could not be taken down."""
    (tmp_path / "test_them.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    passed = {"test_them.py::test_good", "test_them.py::test_each[1]", "test_them.py::test_each[2]"}
    lines = run(tmp_path, *words)
    assert counts(lines) == "1 failed, 4 passed, 1 skipped, 1 error"
    said = [
        line for line in lines[: lines.index(next(one for one in lines if "= ERRORS =" in one))] if "failed:" in line
    ]
    assert sorted(said) == ["failed: test_them.py::test_bad", "failed: test_them.py::test_ends_badly"]
    assert read(tmp_path / "journal").keys() == passed
    deselected = "" if words else ", 3 deselected"
    assert counts(run(tmp_path, *words)) == f"1 failed, 1 passed, 1 skipped{deselected}, 1 error"
    assert read(tmp_path / "journal").keys() == passed


def test_a_line_that_was_being_written_is_none(tmp_path: Path) -> None:
    """Nor does it spoil the next one."""
    journal = tmp_path / "journal"
    assert read(journal) == {}
    add(journal, "one", 1)
    journal.write_text(journal.read_text("utf-8") + '\n["tw', "utf-8")
    assert read(journal) == {"one": 1}
    add(journal, "three", 3)
    assert read(journal) == {"one": 1, "three": 3}
