"""Tutorials run as they stand: files and commands of a page, one after the other, in an empty folder, on real ranks.

A mark before a block says what a reader sees and a shell cannot know: `exits 1`, `may exit 3: WHEN`, or `not run:
REASON`. What a reader has and a test machine has not is put in its place: `make` of the clone, and a program that calls
itself osu_reduce. The tutorial of a cluster runs in tests/cluster, on a Slurm of its own, and that of containers in
tests/tools/test_container.py.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.pages import ROOT, TUTORIALS, PageBlock, blocks

ON_A_CLUSTER = "cluster-campaign.md"
IN_A_CONTAINER = "container.md"
_ELSEWHERE = ("index.md", ON_A_CLUSTER, IN_A_CONTAINER)
AFTER_THE_JOB = "after the job"
STAND_IN = Path(__file__).parent / "osu_reduce.c"
_ENDS = re.compile(r"(exits|may exit) (\d)(?:: .*)?")
PAGES = [page for page in sorted(TUTORIALS.glob("*.md")) if page.name not in _ELSEWHERE]


def script_of(page: list[PageBlock]) -> str:
    """A script that writes the files of a page, runs its commands, and ends at the first failure."""
    parts = ["set -eu"]
    for block in page:
        if block.title is not None:
            parts.append(f"cat >{block.title} <<'END OF FILE'\n{block.text}END OF FILE")
        elif block.language == "sh" and (ends := _ENDS.fullmatch(block.mark)):
            codes = f"0|{ends[2]}" if ends[1] == "may exit" else ends[2]
            parts.append(f"code=0\n(\n{block.text}) || code=$?\ncase $code in {codes}) ;; *) exit 1 ;; esac")
        elif block.language == "sh" and not block.mark.startswith("not run: "):
            assert block.mark in ("", AFTER_THE_JOB), block.mark
            parts.append(block.text)
    return "\n".join(parts)


def machine(folder: Path) -> dict[str, str]:
    """The variables of a reader who is in the clone: its programs, MPICH's compiler, and a home of his own."""
    programs = folder / "programs"
    programs.mkdir()
    (programs / "make").write_text(f'#!/bin/sh\nexec {shutil.which("make")} -C "{ROOT}" "$@"\n')
    (programs / "make").chmod(0o755)
    mpi = ROOT / ".venv/mpi/mpich/bin"
    path = ":".join(map(str, (programs, Path(sys.executable).parent, mpi, os.environ["PATH"])))
    return {**os.environ, "PATH": path, "HOME": str(folder), "COLUMNS": "100"}


@pytest.mark.engine("tutorials")
@pytest.mark.mpi
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_tutorial_runs_as_it_stands(page: Path, tmp_path: Path) -> None:
    """Every command ends as the page says."""
    folder = tmp_path / "clone"
    folder.mkdir()
    (folder / ".venv").symlink_to(ROOT / ".venv")
    variables = machine(tmp_path)
    if "./osu_reduce" in page.read_text("utf-8"):
        subprocess.run(("mpicc", "-O2", STAND_IN, "-o", folder / "osu_reduce"), env=variables, check=True)
    script = script_of(blocks(page.read_text("utf-8")))
    done = subprocess.run(
        ("bash", "-c", script), cwd=folder, env=variables, check=False, text=True, capture_output=True, timeout=1500
    )
    assert done.returncode == 0, f"{script}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


def test_a_page_becomes_a_script_that_ends_at_the_first_failure(tmp_path: Path) -> None:
    """Files, commands and marks; a block that is not run is left out."""
    text = (
        '```toml title="a.toml"\nx = 1\n```\n\n```sh\ncat a.toml\n```\n\n<!-- exits 1 -->\n```sh\nfalse\n```\n\n'
        "<!-- not run: no network -->\n```sh\nfetch it\n```\n\n```text\nx = 1\n```\n\n"
        "```sh\necho done; exit {code}\n```\n"
    )
    for code in (0, 3):
        script = script_of(blocks(text.replace("{code}", str(code))))
        done = subprocess.run(("bash", "-c", script), cwd=tmp_path, check=False, text=True, capture_output=True)
        assert (done.returncode, done.stdout) == (code, "x = 1\ndone\n")
    unexpected = script_of(blocks(text.replace("false", "true")))
    assert subprocess.run(("bash", "-c", unexpected), cwd=tmp_path, check=False, capture_output=True).returncode != 0
