"""Modules change the environment of what is started afterwards."""

import os
from pathlib import Path

import pytest

from ictus.launch.modules import load_modules
from ictus.model.errors import UsageError


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A login shell with a `module` of two modules."""
    (tmp_path / ".bash_profile").write_text(
        'module() { shift; for one in "$@"; do case $one in\n'
        'gcc/12) export GCC_HOME="/opt/g c" PATH="/opt/gcc/bin:$PATH";; mpi) export MPI_HOME=/opt/mpi;;\n'
        '*) echo "no module $one" >&2; return 1;; esac; done; }\n'
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("GCC_HOME", "MPI_HOME"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("PATH", os.environ["PATH"])


@pytest.mark.usefixtures("modules")
def test_variables_of_modules_are_there_afterwards() -> None:
    """With blanks in them, and a longer PATH; nothing of the shell itself comes along."""
    before = Path.cwd()
    load_modules(("gcc/12", "mpi"))
    assert (os.environ["GCC_HOME"], os.environ["MPI_HOME"]) == ("/opt/g c", "/opt/mpi")
    assert "/opt/gcc/bin" in os.environ["PATH"].split(":")
    assert Path.cwd() == before


@pytest.mark.usefixtures("modules")
def test_a_module_that_is_not_there_is_said() -> None:
    """In the words of `module`."""
    with pytest.raises(UsageError, match=r"^--modules 'mpi,gcc/13': no module gcc/13$"):
        load_modules(("mpi", "gcc/13"))


def test_a_shell_without_modules_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the shell says to an unknown command."""
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(UsageError, match=r"module"):
        load_modules(("gcc",))
