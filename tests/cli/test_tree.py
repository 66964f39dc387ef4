"""The tree of commands lists them without importing them, and lists what they say themselves."""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.synthetic import Scenario, write_folder

from ictus.cli.command_group import CommandEntry, GroupEntry
from ictus.cli.tree import COMMANDS
from ictus.model.entry_point import EntryPoint

SOURCE = Path(__file__).parents[2] / "src" / "ictus"


def entries(group: Sequence[CommandEntry | GroupEntry] = COMMANDS) -> Iterator[CommandEntry]:
    """All commands."""
    for entry in group:
        yield from entries(entry.entries) if isinstance(entry, GroupEntry) else (entry,)


@pytest.mark.parametrize("entry", [*entries()], ids=lambda entry: entry.function)
def test_a_command_is_listed_by_the_first_sentence_of_its_help(entry: CommandEntry) -> None:
    """Which help shows beside its word, and its own help first."""
    assert entry.made().get_short_help_str(200) == entry.summary


def test_no_word_is_listed_twice() -> None:
    """In one group; the later would hide the other."""
    for group in (COMMANDS, *(entry.entries for entry in COMMANDS if isinstance(entry, GroupEntry))):
        words = [entry.word for entry in group]
        assert sorted(set(words)) == sorted(words)


LOADED = "import sys\nfrom ictus.cli.main import main\ntry:\n main({})\nfinally:\n print(*sys.modules, file=sys.stderr)"
HEAVY = {"jinja2", "matplotlib", "numpy", "polars", "rich", "scipy"}


def loaded(*words: str, **variables: str) -> set[str]:
    """The modules that a command line imports."""
    done = subprocess.run(
        (sys.executable, "-c", LOADED.format(list(words))), env=variables, capture_output=True, text=True, check=True
    )
    assert done.stdout
    return {*done.stderr.split()}


@pytest.mark.parametrize(
    ("words", "variables"),
    [
        (("--help",), {}),
        (("mpi", "--help"), {}),
        (("clocks", "--help"), {}),
        ((), {"COMP_WORDS": "ictus comp", "COMP_CWORD": "1", "_ICTUS_COMPLETE": "complete_bash"}),
    ],
    ids=["help", "group", "studies", "completion"],
)
def test_a_list_of_commands_imports_none_of_them(words: tuple[str, ...], variables: dict[str, str]) -> None:
    """Nor the libraries that commands need, which take a second."""
    modules = loaded(*words, **variables)
    assert {one.split(".")[0] for one in modules} & HEAVY == set()
    assert {entry.function.split(":")[0] for entry in entries()} & modules == {"ictus.cli.app"}


def test_show_waits_for_no_library_of_other_results(tmp_path: Path) -> None:
    """Of six launches medians have an interval, but there is no figure, no page and no test of a hypothesis."""
    folder = write_folder(tmp_path / "camp", Scenario(operations=("bcast",), sizes=(8,), launches=6, nrep=20))
    modules = loaded("show", str(folder))
    assert {"matplotlib", "jinja2", "scipy.special", "scipy.stats"} & modules == set()
    others = ("comparison.comparison", "comparison.over_processes", "render.page", "stats.compare", "launch.launchers")
    assert {f"ictus.{one}" for one in others} & modules == set()
    assert {"numpy", "polars"} <= modules


def test_every_entry_point_of_the_source_is_a_function() -> None:
    """Also one that few results need: its name is a text, which no type check reads."""
    texts = [path.read_text("utf-8") for path in SOURCE.rglob("*.py")]
    names = [name for text in texts for name in re.findall(r'EntryPoint\("([^"]+)"\)', text)]
    assert "ictus.comparison.goal:goal_of" in names
    assert all(callable(EntryPoint(name).load()) for name in names)
    with pytest.raises(AttributeError):
        EntryPoint("ictus.comparison.goal:no_such").load()
