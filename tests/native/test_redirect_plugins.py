"""Operations of plug-ins in the place of a program's calls, by libictus-redirect.so."""

import hashlib
import shutil
from functools import cache
from pathlib import Path

import pytest
from tests.native.launching import EITHER, LIBRARIES, start
from tests.native.programs import compiled
from tests.native.test_plugins import EXAMPLES, HERE, library
from tests.native.test_redirect import ALL_SIZES, Run, run
from tests.programs.test_profile import DIGEST, PLUGIN_MISTAKES

from ictus.model.errors import UsageError
from ictus.programs.redirect.profile import PluginLine, RedirectProfile, Reroute, format_profile, parse_profile

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

COLLECTIVES = ("allgather", "allreduce", "bcast", "gather", "reduce", "reduce_scatter_block", "scan", "scatter")
"""Calls that are rerouted, of those that a plug-in can stand for."""


@pytest.fixture(params=EITHER)
def label(request: pytest.FixtureRequest) -> str:
    """A library."""
    name: str = request.param
    return name


@cache
def operations(label: str, source: Path) -> Path:
    """The plug-in for a library."""
    return library(label, source)


def profile_of(plugin: Path, lines: list[tuple[str, str]], most: int = 5) -> str:
    """All sizes of these collectives become these operations of the plug-in."""
    digest = hashlib.sha256(plugin.read_bytes()).hexdigest()
    named = {name.partition("(")[0]: collective for collective, name in lines}
    reroutes = [Reroute(one, n, *ALL_SIZES, name) for one, name in lines for n in range(1, most + 1)]
    plugins = [PluginLine(name, collective, digest, str(plugin)) for name, collective in named.items()]
    return format_profile(RedirectProfile("", tuple(reroutes), tuple(plugins)))


def checked(label: str, plugin: Path, lines: list[tuple[str, str]], folder: Path) -> Run:
    """The program of all calls, rerouted to the plug-in."""
    program = compiled(label, "redirected_calls", folder)
    return run(label, 5, profile_of(plugin, lines), program, ICTUS_REDIRECT_PLUGINS=str(plugin))


@pytest.mark.few(1)
@pytest.mark.parametrize("label", LIBRARIES)
def test_calls_of_a_program_go_through_a_plugin_and_are_right(label: str, tmp_path: Path) -> None:
    """On 1 to 5 ranks, by all of a program's datatypes, counts and roots, in place and not, in communicators that are
    freed; as many checks as without, and each operation was used with each number of processes.
    """
    plain = start(label, 5, compiled(label, "redirected_calls", tmp_path), folder=tmp_path)
    assert plain.exit_code == 0, plain.error
    lines = [(one, f"my_{one}") for one in COLLECTIVES]
    redirected = checked(label, operations(label, HERE / "every_collective.c"), lines, tmp_path)
    assert (redirected.ended.exit_code, redirected.ended.output) == (0, plain.output), redirected.ended.error
    assert redirected.used == {(f"my_{one}", n) for one in COLLECTIVES for n in range(1, 6)}
    passed = {reason for one in redirected.report["operations"] for reason in one["passed"]}
    assert passed <= {"nothing to move", "operator or datatype of the program", "not in the profile"}


def test_calls_in_place_reach_a_plugin_that_never_is(label: str, tmp_path: Path) -> None:
    """What such calls find in their results is copied before: the same checks with operations that would not know."""
    source = tmp_path / "never_in_place.c"
    source.write_text("#define IN_PLACE 0\n" + (HERE / "every_collective.c").read_text("utf-8"))
    redirected = checked(label, operations(label, source), [(one, f"my_{one}") for one in COLLECTIVES], tmp_path)
    assert redirected.ended.exit_code == 0, redirected.ended.error
    assert {name for name, _ in redirected.used} == {f"my_{one}" for one in COLLECTIVES}


def test_a_parameter_of_the_profile_reaches_the_operation(label: str, tmp_path: Path) -> None:
    """A broadcast in segments of 100 bytes; a parameter beyond its limits is refused."""
    plugin = operations(label, EXAMPLES / "pipelined_bcast.c")
    redirected = checked(label, plugin, [("bcast", "my_bcast(segment=100)")], tmp_path)
    assert redirected.ended.exit_code == 0, redirected.ended.error
    assert ("my_bcast(segment=100)", 5) in redirected.used
    refused = checked(label, plugin, [("bcast", "my_bcast(segment=0)")], tmp_path)
    assert refused.ended.exit_code == 2
    assert "segment" in refused.ended.error


def test_a_wrong_operation_is_seen_by_the_program(label: str, tmp_path: Path) -> None:
    """So the program's own checks see what the operations compute."""
    source = tmp_path / "spoiled.c"
    text = (HERE / "every_collective.c").read_text("utf-8")
    before, call, behind = text.partition("CALL(bcast, ")
    assert call
    spoil = "static int spoil(char* first, int n) { return n > 0 ? (*first ^= 1, 0) : 0; }\n"
    source.write_text(before + spoil + call + "spoil(receive, n) + " + behind)
    spoiled = checked(label, operations(label, source), [("bcast", "my_bcast")], tmp_path)
    assert spoiled.ended.exit_code != 0
    assert "wrong" in spoiled.ended.error + spoiled.ended.output


def test_nothing_is_loaded_that_the_user_did_not_name(label: str, tmp_path: Path) -> None:
    """A profile alone loads nothing; nor does a file of another content, or one without the operation."""
    plugin = tmp_path / "libmine.so"
    shutil.copy(operations(label, EXAMPLES / "pipelined_bcast.c"), plugin)
    program = compiled(label, "redirected_calls", tmp_path)
    profile = profile_of(plugin, [("bcast", "my_bcast")])
    unnamed = run(label, 2, profile, program)
    assert unnamed.ended.exit_code == 2
    assert "variable 'ICTUS_REDIRECT_PLUGINS' is not set: name that file there if you trust it" in unnamed.ended.error
    with plugin.open("ab") as file:
        file.write(b"changed")
    changed = run(label, 2, profile, program, ICTUS_REDIRECT_PLUGINS=str(plugin))
    assert changed.ended.exit_code == 2
    assert f"of a plug-in with SHA-256 {profile.split()[5][:12]}..., which was '{plugin}'" in changed.ended.error
    other = operations(label, EXAMPLES / "pipelined_bcast.c")
    lacking = run(label, 2, profile_of(other, [("bcast", "your_bcast")]), program, ICTUS_REDIRECT_PLUGINS=str(other))
    assert lacking.ended.exit_code == 2
    assert "has no operation 'your_bcast' that stands for bcast" in lacking.ended.error


@pytest.mark.parametrize("text", PLUGIN_MISTAKES)
def test_the_library_says_of_a_mistake_what_python_says(text: str, tmp_path: Path) -> None:
    """Word for word."""
    program = compiled("mpich", "redirected_calls", tmp_path)
    refused = run("mpich", 2, text, program)
    with pytest.raises(UsageError) as error:
        parse_profile(text, str(tmp_path / "faster.txt"))
    assert refused.ended.exit_code == 2
    assert str(error.value) in refused.ended.error
    assert DIGEST not in PLUGIN_MISTAKES[text]
