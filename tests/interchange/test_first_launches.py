"""The first start of each file is told where it is unlike the others."""

from pathlib import Path

import numpy as np
from tests.command_line import Ictus
from tests.interchange.printed import osu_text


def write(folder: Path, n_files: int, slow: float) -> list[str]:
    """Files of three starts, of which the first is slower at small sizes."""
    folder.mkdir()
    random = np.random.default_rng(7)
    for number in range(n_files):
        starts = []
        for start in range(3):
            factor = slow if start == 0 else 1.0
            times = {size: 20 * random.lognormal(0, 0.01) * (factor if size < 32 else 1) for size in (4, 16, 64, 256)}
            starts.append(osu_text(times, "Allreduce Latency Test"))
        (folder / f"{number}.txt").write_text("".join(starts))
    return [str(folder / f"{number}.txt") for number in range(n_files)]


def test_diagnose_and_compare_tell_that_first_starts_are_slow(ictus: Ictus) -> None:
    """Six files of each library: 30 % at 4 and 16 B, nothing above."""
    files = [*write(Path("old"), 6, 1.3), *write(Path("new"), 6, 1.3)]
    made = ictus("import", "osu", *files, "-o", "c", "-n", "16", "-m", "old=old/", "-m", "new=new/", "--interleaved")
    assert made.code == 0, made.err
    for name in ("diagnose", "compare"):
        answer = ictus(name, "c")
        assert answer.code == 0, answer.err
        said = " ".join(answer.err.split())
        assert "the first launch of each file is slower than those after it in 2 of 4 cases" in said
        assert "leave first launches out of the files" in said


def test_files_without_such_an_effect_are_not_told_of(ictus: Ictus) -> None:
    """Neither where first starts are like the others, nor where one file of three starts cannot tell."""
    for name, n_files, slow in (("alike", 6, 1.0), ("single", 1, 1.3)):
        files = write(Path(name), n_files, slow)
        assert ictus("import", "osu", *files, "-o", f"c-{name}", "-n", "16").code == 0
        assert "first launch" not in ictus("diagnose", f"c-{name}").err
