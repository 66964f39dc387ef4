"""What `make overlap-study` writes, from rows that are given."""

from pathlib import Path
from typing import Any

import pytest
from tools.overlap_study import __main__ as study
from tools.overlap_study.judgement import pairs_of, shortfalls

US = 1e-6


def row(compute: str, overhead_us: float, thread: str = "none", tests: int = 0) -> dict[str, Any]:
    """Of T_b 100 us, with an interval of 2 us around the overhead."""
    return {
        "mpi": "mpich", "size_bytes": 1024, "thread": thread, "compute": compute, "tests": tests,
        "blocking_s": 100 * US, "overhead_s": overhead_us * US, "overhead_low_s": (overhead_us - 1) * US,
        "overhead_high_s": (overhead_us + 1) * US, "overlap": 1 - overhead_us / 100,
    }  # fmt: skip


@pytest.mark.parametrize(("work_us", "word"), [(58, "agree"), (42, "agree"), (90, "part"), (10, "undecided")])
def test_who_agrees(work_us: float, word: str) -> None:
    """Within a tenth of T_b; by work surely more; anything else is not what a stolen core does."""
    rows = [row("time", 50), row("work", work_us), row("work", 500, tests=3), row("work", 500, thread="own")]
    (pair,) = pairs_of(rows, "none")
    assert pair.word == word
    assert (not shortfalls([pair], agrees=True)) == (word == "agree")
    assert (not shortfalls([pair], agrees=False)) == (word == "part")
    assert shortfalls([], agrees=True)


def test_page_and_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between its marks, and nothing else; a figure for each library; exit code 1 with what was missed."""
    monkeypatch.setattr(study, "BUILD", tmp_path / "build")
    page = tmp_path / "overlap.md"
    monkeypatch.setattr(study, "PAGE", page)
    monkeypatch.setattr(study, "FIGURES", tmp_path / "img" / "overlap-study")
    for name, helper in (("quiet", "no-thread"), ("stolen", "own-thread")):
        figures = tmp_path / "build" / name / "figures"
        figures.mkdir(parents=True)
        for library in ("mpich", "openmpi"):
            path = figures / f"07-time-and-work-iallreduce-{library}-2-processes-{helper}.svg"
            path.write_text(f"<svg>{name} {library}</svg>")
    rows = [row("time", 50), row("work", 51), row("time", 50, "own"), row("work", 55, "own")]
    monkeypatch.setattr(study, "measured", lambda _: {"rows": rows, "warnings": ["others were there"]})
    page.write_text(f"before\n\n{study.MARKS.begin}\nold\n{study.MARKS.end}\n\nbehind\n")
    with pytest.raises(SystemExit, match="same core: time and work were to part, and are: agree"):
        study.main()
    text = page.read_text()
    assert text.startswith(f"before\n\n{study.MARKS.begin}\n\n### Nobody")
    assert text.endswith(f"{study.MARKS.end}\n\nbehind\n")
    assert "old" not in text
    assert (
        "| mpich | 1 KiB | 100 µs | 50.0 µs (49.0 µs … 51.0 µs) | 51.0 µs (50.0 µs … 52.0 µs) | 50 % | 49 % |" in text
    )
    assert "- others were there" in text
    assert (tmp_path / "img" / "overlap-study" / "stolen-openmpi.svg").read_text() == "<svg>stolen openmpi</svg>"
