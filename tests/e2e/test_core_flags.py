"""Builds of the core with given flags, crossed in one campaign of real launches."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run_ictus

from ictus.engine import backend
from ictus.mpi.build import Build, build_core

pytestmark = [pytest.mark.mpi, pytest.mark.e2e, pytest.mark.beside]

ONE_CASE = ("-m", "mpich", "--op", "bcast", "--sizes", "8", "-n", "2", "--launches", "1", "--nrep", "20",
            "--no-page-faults", "--contention-retries", "0")  # fmt: skip


def test_each_launch_runs_the_core_of_its_flags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the command that started it; builds are copies of one core, for compiling takes a minute."""

    def copied(*words: Any, flags: str = "") -> Build:
        build = build_core(*words)
        program = tmp_path / f"built{flags}" / "ictus-bench"
        program.parent.mkdir(exist_ok=True)
        return replace(build, program=Path(shutil.copy(build.program, program)))

    monkeypatch.setattr(backend, "build_core", copied)
    folder = tmp_path / "flags"
    flags = ("", "-O1", "-O3")
    words = (word for text in flags for word in ("--core-flags", text))
    done = run_ictus("run", *ONE_CASE, *words, "-o", folder)
    assert done.code == 0, done.err
    launches = sorted(path.parent for path in (folder / "launches").glob("*/launch.json"))
    assert len(launches) == 3
    for launch in launches:
        own = json.loads((launch / "launch.json").read_text())["launcher"]["algorithm"]["factors"]["core-flags"]
        assert str(tmp_path / f"built{own}" / "ictus-bench") in (launch / "command.json").read_text()


@pytest.mark.long
def test_a_core_says_how_it_was_compiled(tmp_path: Path) -> None:
    """In every launch; a third build would say otherwise."""
    folder = tmp_path / "flags"
    flags = ("", "-O1 -fno-inline-small-functions")
    words = (word for text in flags for word in ("--core-flags", text))
    done = run_ictus("run", *ONE_CASE, *words, "-o", folder)
    assert done.code == 0, done.err
    heads = [json.loads(path.read_text()) for path in sorted((folder / "launches").glob("*/launch.json"))]
    said = {(one["launcher"]["algorithm"]["factors"]["core-flags"], one["core"]["flags"]) for one in heads}
    assert said == {(text, f"-std=c++20 -O2 {text}".strip()) for text in flags}
    shown = run_ictus("compare", folder, "--by", "core-flags")
    assert shown.code == 0, shown.err
    assert f"unset / {flags[1]}: a ratio below 1" in " ".join(shown.out.split())


def test_what_the_compiler_refuses_ends_the_run_before_a_launch(tmp_path: Path) -> None:
    """The option as typed, and the compiler's words."""
    refused = run_ictus("run", *ONE_CASE, "--core-flags", "-fno-such-thing", "-o", tmp_path / "refused")
    assert refused.code == 2
    assert "--core-flags '-fno-such-thing': the compiler of mpich refuses: " in refused.err
    assert refused.err.count("no-such-thing") >= 3
    assert not (tmp_path / "refused").exists()
