"""`ictus overlap` on a study that was kept, and what it refuses before anything is measured."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command_line import Ictus
from tests.studies.overlap.test_overlap import BLOCKING, TIME, US, run, written

STOLEN = {**TIME, "compute": 130 * US}
TESTED = {**TIME, "test": 9 * US}


def keep(
    folder: Path, launches: int, libraries: Sequence[str] = ("library",), tested: Mapping[str, float] = TESTED
) -> None:
    """A study of libraries, alone, with tests, and with a thread that steals 30 us of a computation of 100."""
    each = [(library, thread) for library in libraries for thread in ("none", "own")]
    slots = [
        {"number": number, "library": library, "n": 2, "thread": thread, "launch": number // len(each)}
        for number, (library, thread) in enumerate(each * launches)
    ]
    for slot in slots:
        disturbed = STOLEN if slot["thread"] == "own" else TIME
        runs = [
            run(0, "none", None, BLOCKING, 0.0),
            run(1, "time", None, TIME, 100 * US),
            run(2, "work", None, disturbed, 100 * US),
        ]
        if slot["thread"] == "none":
            runs += [run(3, "time", 16384, tested, 100 * US)]
        document, records = written(runs, launcher={"library": {"label": slot["library"]}})
        put(folder / "launches" / f"{slot['number']:04}-{slot['library']}-n2-{slot['thread']}", document, records)
    plan = {
        "op": "iallreduce", "compute": "time,work", "intervals": "none,16Ki", "threads": ["none", "own"],
        "thread": {"progress-place": "same", "progress-pause": "0"}, "launches": launches, "n": [2],
        "mpi": list(libraries), "seed": 1,
    }  # fmt: skip
    study: dict[str, Any] = {
        "format": 1, "ictus": "1", "created": "2026-01-01T00:00:00+00:00", "plan": plan, "slots": slots,
        "unavailable": ["library: progress thread of the library unavailable: it has none"],
    }  # fmt: skip
    (folder / "overlap.json").write_text(json.dumps(study))


def put(folder: Path, document: Mapping[str, Any], records: np.ndarray[Any, Any]) -> None:
    """A launch as the core leaves it."""
    folder.mkdir(parents=True)
    (folder / "overlap.json").write_text(json.dumps(document))
    np.save(folder / "phases.npy", records)


@pytest.mark.figures
def test_a_study_that_was_kept_is_shown(ictus: Ictus) -> None:
    """Time and work agree where nobody takes the core and part where a thread does; the page has a figure of each."""
    keep(Path("study"), 6)
    shown = json.loads(ictus("overlap", "study", "--json").out)
    overlaps = {(row["thread"], row["compute"]): row["overlap"] for row in shown["rows"] if not row["tests"]}
    assert overlaps == pytest.approx(
        {("none", "time"): 0.5, ("none", "work"): 0.5, ("own", "time"): 0.5, ("own", "work"): 0.2}
    )
    assert shown["progress"][0]["progress"] == "by itself"
    assert shown["warnings"] == ["library: progress thread of the library unavailable: it has none"]
    assert {row["plain_overlap"] for row in shown["rows"] if row["thread"] == "none"} == {None}
    table = ictus("overlap", "study").out
    assert table.startswith("iallreduce, library, 2 processes, compute time: hides half or more without a test")
    assert any("plain" in line for line in table.splitlines()[:10])
    assert "it makes progress by itself" in " ".join(table.split())
    assert "own thread" in table
    page = Path("study/report.html").read_text()
    assert page.count("<svg") >= 2
    assert "unavailable: it has none" in page
    lead, rest = (re.findall(rf'<{tag}>(.*?)</{end}>', page, re.DOTALL) for tag, end in
                  (('p class="lead"', "p"), ('ul class="answers"', "ul")))  # fmt: skip
    assert "compute time" in lead[0]
    assert "compute work" not in lead[0]
    assert rest[0].count("<li>") == 1  # the first sentence is large, each of the others has a line
    head = page[page.index('<ul class="facts">') : page.index("</header>")]
    assert "<span>progress threads</span> none, own" in head
    assert head.count("<span>seed</span>") == 1
    assert "<span>own thread</span> core same" in head
    assert not set("{[") & set(head)
    figures = {path.name for path in Path("study/figures").iterdir()}
    assert any("time-and-work-iallreduce-library-2-processes-own-thread" in name for name in figures)


@pytest.mark.figures
def test_libraries_stand_side_by_side(ictus: Ictus) -> None:
    """In one row of the terminal's table, in a table of the page, and in one figure over test intervals."""
    keep(Path("study"), 6, ("first", "second"))
    table = ictus("overlap", "study").out
    assert "first: T_b" in table
    assert "second: T_b" in table
    assert "OSU" in table
    assert "IMB" in table
    page = Path("study/report.html").read_text()
    assert "Libraries side by side" in page
    (figure,) = Path("study/figures").glob("*test-interval-iallreduce-of-64-kib*time.svg")
    assert "first" in figure.read_text()
    assert "second" in figure.read_text()


def test_a_damaged_study_is_refused(ictus: Ictus) -> None:
    """One repetition whose phases contradict each other, in one launch of twelve."""
    keep(Path("study"), 6)
    path = next(Path("study/launches").glob("0003*")) / "phases.npy"
    records = np.load(path)
    records["wait"][25] *= 10
    np.save(path, records)
    answer = ictus("overlap", "study")
    assert answer.code == 3
    assert "run 2, repetition 5: phases contradict each other" in " ".join(answer.err.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--op", "bcast"), "--op 'bcast': it is blocking"),
        (("--compute", "sleep"), "--compute 'sleep': expected one of time, work"),
        (("--threads", "two"), "--threads 'two': expected one of none, library, own"),
        (("--reduce", "best"), "--reduce 'best': expected one of median, mean"),
        (("--core", "here"), "--core 'here': expected same, any, or numbers"),
        (("--core", "99"), "--core '99': this process may not use CPU 99, only 0"),
        (("--core", "0", "-n", "2"), "--core '0': CPUs for 1 of the 2 ranks of this host"),
        (("--intervals", "often"), "--intervals 'often'"),
        (("--intervals", "0"), "--intervals '0': expected none"),
        (("--sizes", "many"), "--sizes 'many'"),
        (("--pause", "5"), "longer than the 1 s"),
        (("--procsync", "gong"), "--procsync: unknown"),
        (("nowhere",), "'nowhere' is not a study"),
        (("study", "--nrep", "5"), "--nrep with 'study'"),
    ],
)
def test_what_is_refused(ictus: Ictus, words: tuple[str, ...], said: str) -> None:
    """Option, value and what is allowed; exit code 2."""
    answer = ictus("overlap", *words)
    assert answer.code == 2
    assert said in " ".join(answer.err.split())
