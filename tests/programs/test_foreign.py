"""Programs of others are looked at before they are started: errors name the program and what to do."""

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from ictus.engine import event, obstacles
from ictus.model.errors import UsageError
from ictus.model.library import Installation
from ictus.mpi.machine import Cores
from ictus.mpi.recognition import linked
from ictus.programs import program as programs
from ictus.programs.program import check_program, find_program, with_library, with_preload
from ictus.programs.request import ProgramRequest

INSTALLATION = Installation("mine", "mpich", "5.0", Path("/x/bin/mpicxx"), Path("/x/bin/mpiexec"))


def made(folder: Path, name: str, *flags: str, source: str = "int main(void) { return 0; }") -> Path:
    """A program or library of one line."""
    product = folder / name
    subprocess.run(("cc", "-x", "c", "-", "-x", "none", "-o", product, *flags), input=source.encode(), check=True)
    return product


def library(folder: Path, name: str) -> Path:
    """A shared library that asks for a libmpi of this name, and that one."""
    made(folder, name, "-shared", f"-Wl,-soname,{name}", source="int mpi(void) { return 0; }")
    return made(folder, f"asks_{name}", "-shared", "-Wl,--no-as-needed", str(folder / name), source="int x;")


def test_libraries_are_read_from_the_file(tmp_path: Path) -> None:
    """Those that a program asks for by itself; a static one asks for none; scripts and torn files tell nothing."""
    made(tmp_path, "libmpi.so.12", "-shared", "-Wl,-soname,libmpi.so.12", source="int mpi(void) { return 0; }")
    asking = made(tmp_path, "program", "-Wl,--no-as-needed", str(tmp_path / "libmpi.so.12"))
    about = linked(asking)
    assert about is not None
    assert not about.static
    assert set(about.libraries) == {"libmpi.so.12", "libc.so.6"}
    static = linked(made(tmp_path, "static", "-static"))
    assert static is not None
    assert static.static
    torn = tmp_path / "torn"
    torn.write_bytes(asking.read_bytes()[:200])
    assert linked(torn) is None
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    assert linked(script) is None
    assert linked(tmp_path / "nothing") is None


def test_a_program_of_another_library_is_refused(tmp_path: Path) -> None:
    """By the names of the libraries; the right one, none and scripts pass."""
    preload = library(tmp_path, "libmpi.so.12")
    library(tmp_path, "libmpi.so.40")
    other = made(tmp_path, "other", "-Wl,--no-as-needed", str(tmp_path / "libmpi.so.40"))
    with pytest.raises(
        UsageError, match=r"other' is linked against libmpi\.so\.40, mine \(mpich 5\.0\) is libmpi\.so\.12"
    ):
        check_program(other, preload, INSTALLATION)
    with pytest.raises(UsageError, match="statically linked"):
        check_program(made(tmp_path, "static", "-static"), preload, INSTALLATION)
    right = made(tmp_path, "right", "-Wl,--no-as-needed", str(tmp_path / "libmpi.so.12"))
    for one in (right, made(tmp_path, "none"), Path("/bin/sh")):
        check_program(one, preload, replace(INSTALLATION))


def test_programs_are_found_as_a_shell_finds_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths as they are, names in PATH; what is there but no program is told apart."""
    monkeypatch.chdir(tmp_path)
    Path("data").write_text("no program")
    assert find_program("sh") == Path(shutil.which("sh") or "")
    assert find_program("/bin/sh") == Path("/bin/sh")
    with pytest.raises(UsageError, match=r"program './no' does not exist"):
        find_program("./no")
    with pytest.raises(UsageError, match=r"program 'data' is not in PATH; './data' is here"):
        find_program("data")
    with pytest.raises(UsageError, match=r"'./data' is not a program: it is not executable"):
        find_program("./data")
    with pytest.raises(UsageError, match=r"'.*' is not a program: it is a folder"):
        find_program(str(tmp_path))


@pytest.mark.parametrize("name", ["mpirun", "/opt/mpi/bin/mpiexec", "srun"])
def test_a_launcher_is_no_program(name: str) -> None:
    """Each rank would start ranks of its own: `ictus profile run -n 2 -- mpirun -n 2 ./application`."""
    with pytest.raises(UsageError, match="is a launcher, and Ictus starts the ranks: name the program alone"):
        find_program(name)


def test_what_is_preloaded_anyway_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind ours: what --env says, else what the shell says."""
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    ours = Path("/c/libictus-preload.so")
    assert with_preload({}, ours) == {"LD_PRELOAD": str(ours)}
    assert with_preload({"A": "1", "LD_PRELOAD": "/s.so"}, ours) == {"A": "1", "LD_PRELOAD": f"{ours}:/s.so"}
    monkeypatch.setitem(os.environ, "LD_PRELOAD", "/t.so")
    assert with_preload({}, ours) == {"LD_PRELOAD": f"{ours}:/t.so"}


def test_a_program_that_cannot_find_its_library_is_shown_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the preloaded library has it from, behind what is given; nothing is changed for one that finds it, for one
    that misses something else only, and for a script.
    """
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)
    folder = tmp_path / "lib"
    folder.mkdir()
    mpi = made(folder, "libmpi.so.12", "-shared", "-Wl,-soname,libmpi.so.12", source="int mpi(void) { return 0; }")
    gone = made(tmp_path, "libgone.so", "-shared", "-Wl,-soname,libgone.so.1", source="int gone(void) { return 0; }")
    asking = ("-Wl,--no-as-needed", str(mpi))
    preload = made(tmp_path, "preload.so", "-shared", *asking, f"-Wl,-rpath,/nowhere:{folder}", source="int x;")
    lost = made(tmp_path, "lost", *asking)
    assert with_library({"A": "1"}, lost, preload, INSTALLATION) == {"A": "1", "LD_LIBRARY_PATH": str(folder)}
    given = {"LD_LIBRARY_PATH": "/nowhere"}
    assert with_library(given, lost, preload, INSTALLATION) == {"LD_LIBRARY_PATH": f"/nowhere:{folder}"}
    found = with_library({}, lost, preload, INSTALLATION)
    assert subprocess.run((lost,), env={**os.environ, **found}, check=False).returncode == 0
    content = made(tmp_path, "content", *asking, f"-Wl,-rpath,{folder}")
    other = made(tmp_path, "other", "-Wl,--no-as-needed", str(gone))
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    for one in (content, other, script):
        assert with_library({"A": "1"}, one, preload, INSTALLATION) == {"A": "1"}


@pytest.mark.parametrize(("busy", "warned"), [(1.9, True), (0.2, False), (None, False)])
def test_exec_on_busy_cores_says_so_before_it_starts(
    monkeypatch: pytest.MonkeyPatch, busy: float | None, warned: bool
) -> None:
    """Ranks that wait for each other and share their cores take many times as long; an idle machine is no news."""
    monkeypatch.setattr(programs, "busy_cores", lambda **_: busy)
    monkeypatch.setattr(programs, "usable_cores", lambda: Cores((0, 1), 2, restricted=False))
    told: list[event.Event] = []
    programs.warn_before(ProgramRequest(("/bin/true",), None, 2, {}, True, "mpiexec"), INSTALLATION, told.append)
    texts = [one.text for one in told if isinstance(one, event.WarningNote)]
    assert [text.partition(":")[0] for text in texts] == (["other processes use 1.9 of 2 cores"] if warned else [])


def test_exec_says_where_the_librarys_own_launcher_starts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside an allocation in which no plug-in of srun fits, as campaigns say it."""
    monkeypatch.setattr(programs, "busy_cores", lambda **_: None)
    monkeypatch.setattr(obstacles, "plugin_for", lambda *_: "mpiexec")
    told: list[event.Event] = []
    programs.warn_before(ProgramRequest(("/bin/true",), None, 2, {}, True, "srun"), INSTALLATION, told.append)
    (note,) = [one.text for one in told if isinstance(one, event.WarningNote)]
    assert "its own mpiexec starts it inside the allocation, since no plug-in of srun does" in note
