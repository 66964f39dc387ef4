"""The short suite finds what is wrong: ten defects, a room each, are planted in a copy of the tree, one at a time, and
the tests of `make test` must fail. Those that are likely to see it run first; only where they pass, all others.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.tools.environment import ROOT, known_files
from tools.suite import STAGES

COPY = ROOT / "build/planted"


@dataclass(frozen=True)
class Defect:
    """One wrong place."""

    name: str
    file: str
    right: str
    wrong: str
    first: tuple[str, ...]
    """Where to look first."""


DEFECTS = (
    Defect(
        "a clock's sign",
        "native/src/clockmath/clock_model.hpp",
        "- far.intercept.s * near.slope)",
        "+ far.intercept.s * near.slope)",
        ("tests/native/test_plain.py", "-k", "clock"),
    ),
    Defect(
        "the rank that is last is lost",
        "native/src/measure/reduction.cpp",
        "reduce_to_root(context, own, extremes_count, MPI_MAX)",
        "reduce_to_root(context, own, extremes_count, MPI_MIN)",
        ("tests/native/test_ictus_bench.py",),
    ),
    Defect(
        "a size of the core",
        "native/src/base/quantity.cpp",
        '{"Ki", 1024.0}',
        '{"Ki", 1000.0}',
        ("tests/native/test_plain.py", "-k", "quantity"),
    ),
    Defect(
        "an adjusted p is below that of a smaller one",
        "src/ictus/stats/adjust.py",
        "np.maximum.accumulate(ordered * factor, axis=-1)",
        "ordered * factor",
        ("tests/stats",),
    ),
    Defect(
        "labels are swapped",
        "src/ictus/comparison/sides.py",
        "_pair(campaign, None, by, x, y)",
        "_pair(campaign, None, by, y, x)",
        ("tests/comparison", "tests/cli/test_golden.py"),
    ),
    Defect(
        "a unit of another's log", "src/ictus/interchange/suite.py", "MICRO = -6", "MICRO = -3", ("tests/interchange",)
    ),
    Defect(
        "a launch with too many ranks counts",
        "src/ictus/store/arrival_checks.py",
        "if record.n_ranks != slot.n:",
        "if record.n_ranks < slot.n:",
        ("tests/store", "tests/engine"),
    ),
    Defect(
        "cases are not shuffled",
        "src/ictus/engine/schedule.py",
        "order = case_ids if in_order else shuffled(case_ids, launch_seed)",
        "order = case_ids",
        ("tests/engine",),
    ),
    Defect(
        "ranks are bound where they share cores",
        "src/ictus/launch/launchers/srun.py",
        'binding = "cores" if job.pin and not job.oversubscribed else "none"',
        'binding = "cores" if job.pin else "none"',
        ("tests/launch",),
    ),
    Defect(
        "an honest library is blamed",
        "src/ictus/guidelines/judgement.py",
        "p_adjusted <= options.level, best <= options.level)",
        "p_adjusted <= 2 * options.level, best <= options.level)",
        ("tests/guidelines",),
    ),
)


@pytest.fixture(scope="module")
def copy() -> Path:
    """The tree once more, with an environment and builds of its own, which are kept for the next defect."""
    names = set(known_files())
    for name in names:
        source, target = ROOT / name, COPY / name
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
    for folder in ("src", "native", "tests", "tools", "docs"):
        for path in [*(COPY / folder).rglob("*")]:
            known = str(path.relative_to(COPY)) in names or "__pycache__" in path.parts
            if path.is_file() and not known:
                path.unlink()
    subprocess.run(("tools/setup", "--dev"), cwd=COPY, check=True, capture_output=True)
    return COPY


@contextmanager
def planted(tree: Path, defect: Defect) -> Iterator[None]:
    """As long as the block lasts."""
    path = tree / defect.file
    text = path.read_text("utf-8")
    path.write_text(text.replace(defect.right, defect.wrong), "utf-8")
    try:
        yield
    finally:
        path.write_text(text, "utf-8")


def fails(tree: Path, *words: str) -> bool:
    """Whether a test of a short stage fails, by an assertion and not for want of something."""
    for _, marks, how in STAGES:
        command = (".venv/bin/python", "-m", "pytest", "-x", "-q", "-m", marks, *how, *words)
        ended = subprocess.run(command, cwd=tree, check=False, capture_output=True, text=True)
        if re.search("^FAILED ", ended.stdout, re.MULTILINE):  # the exit code after -x depends on the number of workers
            return True
        assert ended.returncode in (0, 5), f"pytest ended with {ended.returncode}: {' '.join(command)}\n{ended.stdout}"
    return False


@pytest.mark.parametrize("defect", DEFECTS, ids=[one.name for one in DEFECTS])
def test_a_defect_has_its_place(defect: Defect) -> None:
    """One, so that who changes it mends the list."""
    assert (ROOT / defect.file).read_text("utf-8").count(defect.right) == 1


@pytest.mark.long
@pytest.mark.parametrize("defect", DEFECTS, ids=[one.name for one in DEFECTS])
def test_the_short_suite_finds_a_planted_defect(defect: Defect, copy: Path) -> None:
    """And passes there without it, where it was looked for first."""
    assert not fails(copy, *defect.first)
    with planted(copy, defect):
        assert fails(copy, *defect.first) or fails(copy)
