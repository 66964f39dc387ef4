"""Where calls are in a program's source: a module whose functions are known, with and without debug information."""

import subprocess
from pathlib import Path

import pytest

from ictus.programs.profile import sites
from ictus.programs.profile.sites import resolve_sites

SOURCE = """namespace shown { int function(int x) { return x + 1; } }
__attribute__((noinline)) static int hidden(int x) { return x + 2; }
int (*keep)(int) = hidden;
"""


def starts(module: Path) -> dict[str, int]:
    """The address of each function, as long as the module has its own symbols."""
    listed = subprocess.run(("nm", "-C", module), check=True, capture_output=True, text=True).stdout
    lines = (line.split(maxsplit=2) for line in listed.splitlines() if line.endswith("(int)"))
    return {name: int(address, 16) for address, _, name in lines}


def test_the_most_that_a_module_tells_is_shown(tmp_path: Path) -> None:
    """The line; else the function; of a function without a symbol the place alone, and not the symbol before it."""
    (tmp_path / "some.cpp").write_text(SOURCE)
    module = tmp_path / "libsome.so"
    command = ("g++", "-shared", "-fPIC", "-O0", "-g", "some.cpp", "-o", module.name)
    subprocess.run(command, cwd=tmp_path, check=True)
    known = starts(module)
    shown, hidden = ((str(module), known[name] + 5) for name in ("shown::function(int)", "hidden(int)"))
    places = {site: f"libsome.so+{site[1]:#x}" for site in (shown, hidden)}
    nowhere = {("", 0): "", (str(tmp_path / "missing.so"), 16): "missing.so+0x10"}
    assert resolve_sites([shown, hidden, *nowhere]) == {shown: "some.cpp:1", hidden: "some.cpp:2", **nowhere}
    subprocess.run(("strip", "-g", module), check=True)
    functions = {shown: f"{places[shown]} (shown::function(int))", hidden: f"{places[hidden]} (hidden(int))"}
    assert resolve_sites([shown, hidden]) == functions
    subprocess.run(("strip", module), check=True)
    assert resolve_sites([shown, hidden]) == {shown: functions[shown], hidden: places[hidden]}


@pytest.mark.parametrize("module", ["--plugin=/stranger/evil.so", "@/stranger/words", "-D"])
def test_a_module_that_is_an_option_is_not_asked_about(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plug-in that an option names is loaded by nm: the profile of a stranger ran what it named."""
    called: list[object] = []
    monkeypatch.setattr(sites.subprocess, "run", lambda *words, **_: called.append(words))
    assert list(resolve_sites([(module, 16)])) == [(module, 16)]
    assert called == []
