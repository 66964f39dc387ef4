"""Profiles of libictus-redirect: written, read back, refused."""

from dataclasses import replace

import pytest

from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.programs.redirect.pgmpi import parse_profiles
from ictus.programs.redirect.profile import (
    HEADER,
    NO_SUBSTITUTE,
    PluginLine,
    RedirectProfile,
    Reroute,
    format_profile,
    mockups,
    parse_profile,
)

GATHER = Reroute("gather", 4, 1, 4096, "gather_as_allgather", "GL3, ratio 1.83 [1.52, 2.11]")
REDUCE = Reroute("reduce", 4, 1024, 2048, "reduce_as_allreduce")


def test_a_profile_is_read_back_as_it_was_written() -> None:
    """Lines, evidence with blanks, the library's words; comments and empty lines are nobody's."""
    profile = RedirectProfile("MPICH Version:      5.0.0", (GATHER, REDUCE))
    text = format_profile(profile)
    assert parse_profile(text) == profile
    assert parse_profile(text.replace("\n", "\n\n  # said\n")) == profile
    assert text.splitlines()[0] == HEADER
    assert "gather 4 1 4096 gather_as_allgather GL3, ratio 1.83 [1.52, 2.11]" in text.splitlines()


def test_what_does_not_read_back_is_not_written() -> None:
    """A line break in the evidence would be a line of its own; the same range twice is one too many."""
    for bad in (Reroute("scan", 2, 1, 2, "scan_as_exscan_and_reduce_local", "two\nlines"), GATHER):
        with pytest.raises(UsageError):
            format_profile(RedirectProfile("", (GATHER, bad)))


def test_every_mockup_that_can_take_the_place_of_its_call_may_be_named() -> None:
    """All of the registry but the barrier, of which MPI does not promise that it holds anybody back, and messages that
    two ranks agree on.
    """
    all_of_them = {one.name for one in Registries.load().family("operation").members if one.mockup_of}
    assert mockups().keys() == all_of_them - NO_SUBSTITUTE
    assert {"barrier_as_allreduce", "bcast_as_sends", "pingpong_as_packed", "reduce_as_receives"} == NO_SUBSTITUTE


def test_ranges_may_touch_and_other_processes_may_overlap() -> None:
    """4096 and 4097 are neighbours; 2 and 4 processes have nothing to do with each other."""
    lines = ("gather 4 1 4096 gather_as_allgather", "gather 4 4097 5000 gather_as_reduce")
    text = "\n".join((HEADER, *lines, "gather 2 1 5000 gather_as_reduce"))
    assert len(parse_profile(text).reroutes) == 3


MISTAKES = {
    "": "line 1: '' is not the first line of a profile, which is 'ictus-redirect 1'",
    "ictus-redirect 2": "line 1: 'ictus-redirect 2' is not the first line of a profile, which is 'ictus-redirect 1'",
    f"{HEADER}\ngather 4 1 8": "line 2: 'gather 4 1 8' is not 'operation processes from_bytes to_bytes mock-up'",
    f"{HEADER}\n\ngathre 4 1 8 gather_as_reduce": "line 3: unknown operation 'gathre'; there are mock-ups of allg",
    f"{HEADER}\nbarrier 4 1 8 barrier_as_allreduce": "line 2: unknown operation 'barrier'",
    f"{HEADER}\ngather 4 1 8 reduce_as_allreduce": "line 2: 'reduce_as_allreduce' does not stand for gather; gather_",
    f"{HEADER}\ngather 0 1 8 gather_as_reduce": "line 2: processes '0' is not a whole number from 1",
    f"{HEADER}\ngather 4 x 8 gather_as_reduce": "line 2: from_bytes 'x' is not a whole number from 1",
    f"{HEADER}\ngather 4 1 99999999999999999999 gather_as_reduce": "to_bytes '99999999999999999999' is not a whole",
    f"{HEADER}\ngather 4 9 8 gather_as_reduce": "line 2: from_bytes 9 is above to_bytes 8",
    f"{HEADER}\ngather 4 1 8 gather_as_reduce\ngather 4 8 9 gather_as_allgather": (
        "line 3: gather of 4 processes from 8 to 9 bytes overlaps 1 to 8 bytes of line 2"
    ),
    f"{HEADER}\nlibrary a\nlibrary b": "line 3: 'library' comes once, before all calls",
}
"""Texts, and what is said of them; tests/native/test_redirect.py shows that the library says the same."""


DIGEST = "0123456789abcdef" * 4
MINE = f"plugin my_gather gather {DIGEST} /home/me/lib mine.so"
PLUGIN_MISTAKES = {
    f"{HEADER}\nplugin my_gather gather {DIGEST}": "is not 'plugin name operation sha256 path'",
    f"{HEADER}\nplugin my_gather barrier {DIGEST} a.so": "no calls of 'barrier' can be rerouted; possible are calls of",
    f"{HEADER}\nplugin my_gather gather {DIGEST[1:]} a.so": "is not a SHA-256, 64 hexadecimal digits",
    f"{HEADER}\n{MINE}\n{MINE}": "line 3: plug-in operation 'my_gather' is named twice",
    f"{HEADER}\n{MINE}\nlibrary a": "line 3: 'library' comes once, before all calls",
    f"{HEADER}\n{MINE}\nscatter 4 1 8 my_gather": "line 3: 'my_gather' does not stand for scatter; scatter_",
    f"{HEADER}\ngather 4 1 8 gather_as_reduce\n{MINE}": "line 3: 'plugin' comes before all calls",
}
"""The same for operations of plug-ins; tests/native/test_redirect_plugins.py shows it of the library."""


def test_operations_of_plugins_are_read_back_as_they_were_written() -> None:
    """With their parameters, and a path with blanks; also where several files are read together."""
    plugin = PluginLine("my_gather", "gather", DIGEST, "/home/me/lib mine.so")
    profile = RedirectProfile("", (replace(GATHER, mockup="my_gather(segment=65536)"), REDUCE), (plugin,))
    text = format_profile(profile)
    assert MINE in text.splitlines()
    assert parse_profile(text) == profile
    assert parse_profiles([("faster.txt", text)]).profile == profile


@pytest.mark.parametrize("text", [*MISTAKES, *PLUGIN_MISTAKES])
def test_mistakes_name_file_line_and_what_is_allowed(text: str) -> None:
    """One message each."""
    with pytest.raises(UsageError) as error:
        parse_profile(text, "faster.txt")
    assert str(error.value).startswith("faster.txt, line ")
    assert {**MISTAKES, **PLUGIN_MISTAKES}[text] in str(error.value)
