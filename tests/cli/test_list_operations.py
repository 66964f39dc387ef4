"""`ictus list operations` where no core has been built, and where there is no MPI."""

import json
from pathlib import Path

import pytest

from ictus.cli.list_operations import list_operations
from ictus.engine import backend
from ictus.model.errors import UsageError
from ictus.model.library import Installation
from ictus.model.registries import Registries
from ictus.mpi import build
from ictus.mpi.cache import cache_folder


def _never(*_: object, **__: object) -> None:
    raise UsageError("a core was built for a list")


def _names(*, mockups: bool) -> list[str]:
    members = Registries.load().family("operation").members
    return [member.name for member in members if bool(member.mockup_of) == mockups]


@pytest.mark.parametrize("mockups", [False, True])
def test_without_any_mpi_everything_is_listed(
    mockups: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What can be measured does not depend on what is installed; of no library anything is claimed."""
    monkeypatch.setattr(backend, "discover", lambda: ())
    list_operations((), mockups=mockups, json=True, csv=False)
    out = capsys.readouterr().out
    rows = [row for value in json.loads(out).values() if isinstance(value, list) for row in value if "operation" in row]
    assert [row["operation"] for row in rows] == _names(mockups=mockups)
    assert {(row["mpi"], row["available"]) for row in rows} == {(None, None)}
    list_operations((), mockups=mockups, json=False, csv=False)
    shown = capsys.readouterr()
    assert _names(mockups=mockups)[0] in shown.out
    assert "no MPI found" in " ".join((shown.out + shown.err).split())


def test_a_library_whose_core_is_not_built_is_not_asked(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nothing is built for a list; how to find out is said."""
    installation = Installation("lib", "mpich", "4.3.2", tmp_path / "mpicxx", tmp_path / "mpiexec")
    monkeypatch.setattr(backend, "discover", lambda: (installation,))
    monkeypatch.setattr(backend, "build_core", _never)
    monkeypatch.setattr(build, "_place", lambda *_: cache_folder() / "builds/nothing")
    list_operations((), mockups=False, json=False, csv=False)
    shown = capsys.readouterr()
    assert "?" in shown.out
    said = " ".join((shown.out + shown.err).split())
    assert f"`ictus list operations -m {installation.label}` builds it" in said
