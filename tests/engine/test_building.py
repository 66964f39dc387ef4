"""What is said to those who wait for a compiler."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ictus.engine.building import build_with_progress
from ictus.engine.event import Event, Note, PreparationStep
from ictus.model.library import Installation

LIBRARY = Installation("mine", "mpich", "5.0", Path("/x/bin/mpicxx"), Path("/x/bin/mpiexec"))
RECORD = {
    "format": 1, "ictus": "unknown", "wrapper": "/x/bin/mpicxx", "library_version": "", "standard": "",
    "build_info": "", "compiler": "", "source_hash": "", "built_s": 38.2, "cvars": {},
}  # fmt: skip


def test_a_build_says_how_long_it_takes_and_took_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the newest record in the cache; seconds count from the first step on. What is there already says nothing."""
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path))
    monkeypatch.setattr(time, "monotonic", iter([100.0, 107.0, 131.0]).__next__)
    for folder in ("newest", "torn"):
        (tmp_path / "builds" / folder).mkdir(parents=True)
    (tmp_path / "builds/newest/build.json").write_text(json.dumps(RECORD))
    seen: list[Event] = []

    def build(_: Installation, tell: Callable[[str], None]) -> str:
        tell("1 of 2 files")
        tell("2 of 2 files")
        return "program"

    assert build_with_progress(build, LIBRARY, "measuring program", seen.append) == "program"
    name = "measuring program for mine (mpich 5.0)"
    step = f"compiling the {name}; the last build took 38 s"
    assert seen == [
        PreparationStep(step, "1 of 2 files, 0 s"),
        PreparationStep(step, "2 of 2 files, 7 s"),
        Note(f"compiled the {name} in 31 s"),
    ]
    build_with_progress(lambda *_: "kept", LIBRARY, "measuring program", seen.append)
    assert len(seen) == 3


def test_another_product_is_not_compared_with_a_build_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the measuring program's time is kept: what is smaller says whose time it is."""
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path))
    (tmp_path / "builds/newest").mkdir(parents=True)
    (tmp_path / "builds/newest/build.json").write_text(json.dumps(RECORD))
    seen: list[Event] = []
    build_with_progress(lambda _, tell: tell("1 of 1 file"), LIBRARY, "profile library", seen.append)
    (first, _) = seen
    assert isinstance(first, PreparationStep)
    assert first.step == "compiling the profile library for mine (mpich 5.0); the measuring program took 38 s"
