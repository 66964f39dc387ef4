"""Documents of studies, profiles and plan files that hypothesis has changed: a command shows them or says in one
sentence what is wrong. Any exception but ours fails the test. `pytest -m long` tries sixty times as many.

Those of a campaign are in tests/store/test_fuzzed_readers.py, readers of the core in tests/native.
"""

import copy
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from tests.cli.test_network import document as network
from tests.cli.test_overlap import keep as keep_overlap
from tests.cli.test_rtt import document as round_trips
from tests.clock_documents import frequency, launches
from tests.command_line import run_ictus
from tests.studies.test_communicators import document as communicators

from ictus.launch.launchers.simulated_redirect import SimulatedReroute, redirect_document
from ictus.model.errors import IctusError
from ictus.programs.redirect.pgmpi import parse_profiles
from ictus.programs.redirect.profile import HEADER
from ictus.store.redirect import RedirectReport

FORMAT1 = Path(__file__).parents[1] / "data" / "format1"


def old(name: str) -> Callable[[Path], None]:
    """A study of an earlier version."""
    return lambda folder: shutil.copytree(FORMAT1 / name, folder) and None


def one(file: str, document: dict[str, Any]) -> Callable[[Path], None]:
    """A study of one file."""

    def write(folder: Path) -> None:
        folder.mkdir()
        (folder / file).write_text(json.dumps(document))

    return write


GIGAHERTZ = launches("frequency", frequency(2e9, [[2e9 + 200, 2e9], [2e9, 2e9 - 400]], [[2e9 + 8000], [2e9 - 2000]]))
STUDIES: dict[str, tuple[Callable[[Path], None], str, tuple[str, ...]]] = {
    "accuracy": (old("clocks-accuracy"), "clocks.json", ("clocks", "accuracy")),
    "drift": (old("clocks-drift"), "clocks.json", ("clocks", "drift")),
    "frequency": (one("clocks.json", GIGAHERTZ), "clocks.json", ("clocks", "frequency")),
    "network": (one("network.json", network()), "network.json", ("network",)),
    "communicators": (one("communicators.json", communicators()), "communicators.json", ("communicators",)),
    "rtt": (one("rtt.json", round_trips()), "rtt.json", ("clocks", "rtt")),
    "skew": (old("skew"), "skew.json", ("barriers", "skew")),
    "overlap": (lambda folder: keep_overlap(folder, 2), "overlap.json", ("overlap",)),
    "overlap-launch": (lambda folder: keep_overlap(folder, 2), "launches/*/overlap.json", ("overlap",)),
}
"""How a study is kept, which of its files is changed, and what shows it."""

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(
    ["window(", "../..", "9" * 40, "nan", "1e999", "\x00", -1, 2**63, 2**70, 1e308, -0.0]
)  # fmt: skip
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=4,
)
edits = st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(("set", "set", "drop", "double")), values),
                 min_size=1, max_size=3)  # fmt: skip


def places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Every holder with each of its keys."""
    items = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, item in list(items):
        yield document, key
        yield from places(item)


def edited(document: Any, changes: list[tuple[int, str, Any]]) -> Any:
    """The document with a value replaced, dropped or doubled at each of these places."""
    document = copy.deepcopy(document)
    for number, how, value in changes:
        found = list(places(document))
        if not found:
            return value
        holder, key = found[number % len(found)]
        if how == "drop":
            del holder[key]
        elif how == "double" and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        else:
            holder[key] = value
    return document


def trying(examples: int) -> settings:
    """So many examples, from a fixed seed; a slow machine is no fault."""
    return settings(max_examples=examples, deadline=None, derandomize=True, database=None,
                    suppress_health_check=list(HealthCheck))  # fmt: skip


AMOUNT = [8, pytest.param(500, marks=pytest.mark.long)]


@pytest.mark.parametrize("examples", AMOUNT)
@pytest.mark.parametrize("name", STUDIES)
def test_a_changed_study_is_shown_or_refused(
    name: str, examples: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its document and those of its launches."""
    monkeypatch.chdir(tmp_path)
    keep, pattern, command = STUDIES[name]
    keep(Path("study"))
    path = next(Path("study").glob(pattern))
    sound = json.loads(path.read_text("utf-8"))
    assert run_ictus(*command, "study", "--json").code == 0

    @trying(examples)
    @given(edits)
    def show(changes: list[tuple[int, str, Any]]) -> None:
        path.write_text(json.dumps(edited(sound, changes)), "utf-8")
        answer = run_ictus(*command, "study", "--json")
        assert answer.code in (0, 2, 3), answer.err
        if answer.code != 0:
            assert answer.err.startswith("ictus: ")
        else:
            json.loads(answer.out)

    show()


WORDS = (
    "MPI_Bcast", "MPI_Gather", "bcast", "gather", "bcast_as_scatter_allgather", "gather_as_reduce", "default",
    "library", "MPICH 5.0.2", HEADER, "#", "4", "2", "1", "7", "0", "8 9 7", "10 400 1", "-1", "9" * 30, "1.5", "\x00",
    "é", "\u0663",
)  # fmt: skip
words = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
lines = st.lists(words | st.text(max_size=12), max_size=9).map("\n".join)
profiles = st.builds("{}\n{}".format, st.sampled_from((HEADER, "MPI_Bcast\n4\n1", "")), lines)


@pytest.mark.parametrize("examples", [200, pytest.param(20000, marks=pytest.mark.long)])
def test_any_profile_is_read_or_refused(examples: int) -> None:
    """Of both forms, one behind the other."""

    @trying(examples)
    @given(profiles, profiles)
    def read(first: str, second: str) -> None:
        with suppress(IctusError):
            parse_profiles([("first", first), ("second", second)])

    read()


@pytest.mark.parametrize("examples", [100, pytest.param(10000, marks=pytest.mark.long)])
def test_any_report_of_redirected_calls_is_read_or_refused(examples: int) -> None:
    """redirect.json of a launch."""
    sound = redirect_document([SimulatedReroute(1, "bcast", 2, 1, 100, "bcast_as_scatter_and_allgather")], 2)
    assert list(RedirectReport.parse(sound, "redirect.json").lines())

    @trying(examples)
    @given(edits)
    def read(changes: list[tuple[int, str, Any]]) -> None:
        document = edited(sound, changes)
        with suppress(IctusError):
            assert list(RedirectReport.parse(document, "redirect.json").lines())

    read()


PLAN = (
    'op = "bcast"\nsizes = "8..64"\nlaunches = 3\nn = [2, 4]\nseed = 7\n[mpi]\nmpich = "auto"\n[env]\nA = ["x", "y"]\n'
)
snippets = st.text(max_size=6) | st.sampled_from(
    (
        "[[",
        "]]",
        "=",
        '"""',
        "\n[",
        "1_0",
        "0x",
        "inf",
        "1979-05-27",
        "{}",
        "\ufeff",
        "\x00",
        "[1,",
        "a.b = 1\n",
        "n = 1\n",
    )
)
cuts = st.lists(st.tuples(st.integers(0, len(PLAN)), st.integers(0, 12), snippets), min_size=1, max_size=4)


@pytest.mark.parametrize("examples", [20, pytest.param(2000, marks=pytest.mark.long)])
def test_any_plan_file_is_read_or_refused(examples: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces replaced anywhere; what is a plan is only planned."""
    monkeypatch.chdir(tmp_path)

    @trying(examples)
    @given(cuts)
    def read(changes: list[tuple[int, int, str]]) -> None:
        text = PLAN
        for at, length, snippet in changes:
            text = text[:at] + snippet + text[at + length :]
        Path("plan.toml").write_text(text, "utf-8", "surrogatepass")
        answer = run_ictus("run", "plan.toml", "--launcher", "simulated", "--dry-run", "-o", "none")
        assert answer.code in (0, 2), answer.err

    read()
