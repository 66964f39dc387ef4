"""`make overlap-study`: `time` against `work`, with no thread and with a progress thread on the rank's own core; the
figures in docs/img/overlap-study and the measured part of overlap.md.

Both libraries, two ranks, some ten minutes of an idle machine. What was measured is kept in build/overlap-study, and
gone on with: delete that folder to measure anew. All is written in any case; the exit code is 1 where both do not agree
without a thread, or do not part with one.
"""

import argparse
import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.ictus_command import ictus
from tools.marked_page import Marks
from tools.overlap_study.judgement import Pair, pairs_of, shortfalls

from ictus.model.quantity import format_duration, format_size

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "overlap-study"
PAGE = ROOT / "docs" / "explanation" / "overlap.md"
FIGURES = ROOT / "docs" / "img" / "overlap-study"
MARKS = Marks("overlap-study")
LIBRARIES, OPERATION = ("mpich", "openmpi"), "iallreduce"
SAME = ("-m", "mpich", "-m", "openmpi", "--op", OPERATION, "--launches", "6")


@dataclass(frozen=True)
class Study:
    """One command."""

    name: str
    title: str
    words: tuple[str, ...]
    show: tuple[str, ...]
    """Options that the kept study is shown with."""
    thread: str
    """Of the rows and figures that are shown."""
    agrees: bool
    """What is expected of `time` and `work`."""


STUDIES = (
    Study(
        name="quiet",
        title="Nobody takes the core: `time` and `work` agree",
        words=(*SAME, "--sizes", "1Ki,32Ki,1Mi", "--threads", "none"),
        show=(),
        thread="none",
        agrees=True,
    ),
    Study(
        name="stolen",
        title="A progress thread on the rank's own core: they part",
        words=(
            *SAME,
            *("--sizes", "32Ki,1Mi", "--intervals", "none", "--threads", "none,own", "--core", "same"),
            *("--pause", "20us", "--compute-factor", "4", "--reduce", "mean"),
        ),
        show=("--reduce", "mean"),
        thread="own",
        agrees=False,
    ),
)


def main() -> None:
    """Both studies, the figures and the part of the page; exits with what falls short."""
    parts, missed = [], []
    for study in STUDIES:
        answer = measured(study)
        pairs = pairs_of(answer["rows"], study.thread)
        parts += [f"### {study.title}", f"    {command(study)}", *figures(study), table(pairs)]
        parts += ["\n".join(f"- {text}" for text in answer["warnings"])] if answer["warnings"] else []
        missed += shortfalls(pairs, agrees=study.agrees)
    parts.append("\n".join(f"- {one}" for one in missed) if missed else "All of it as expected.")
    MARKS.write(PAGE, "\n\n".join(parts))
    print(f"written: {PAGE}")
    if missed:
        sys.exit("\n".join(missed))


def command(study: Study) -> str:
    """As a user types it."""
    return " ".join(("ictus", "overlap", *study.words, "-o", study.name))


def measured(study: Study) -> dict[str, Any]:
    """The study's rows, progress and warnings; measured now, or gone on with."""
    folder = BUILD / study.name
    BUILD.mkdir(parents=True, exist_ok=True)
    print(f"measuring: {command(study)}", flush=True)
    ictus("overlap", *study.words, "-o", str(folder))
    found: dict[str, Any] = json.loads(ictus("overlap", str(folder), *study.show, "--json"))
    return found


def figures(study: Study) -> Iterator[str]:
    """Copies the figures of time and work to docs; the Markdown that shows them."""
    helper = "no thread" if study.thread == "none" else f"{study.thread} thread"
    for library in LIBRARIES:
        end = f"-time-and-work-{OPERATION}-{library}-2-processes-{helper.replace(' ', '-')}.svg"
        found = sorted((BUILD / study.name / "figures").glob(f"*{end}"))
        if not found:
            sys.exit(f"{BUILD / study.name / 'figures'}: there is no figure *{end}")
        FIGURES.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(found[-1], FIGURES / f"{study.name}-{library}.svg")
        text = f"Overhead of MPI_Iallreduce by time and by work, {library}, {helper}"
        yield f"![{text}](../img/{FIGURES.name}/{study.name}-{library}.svg)"


def table(pairs: Sequence[Pair]) -> str:
    """Overhead and overlap of both kinds, without tests."""
    head = ("library", "size", "T_b", "overhead by `time`", "by `work`", "overlap by `time`", "by `work`", "")
    lines = [head, ("---", *["---:"] * (len(head) - 2), "---")]
    for one in pairs:
        time, work = one.time, one.work
        lines.append(
            (
                one.library,
                format_size(one.size_bytes),
                format_duration(time["blocking_s"]),
                overhead(time),
                overhead(work),
                f"{round(100 * time['overlap'])} %",
                f"{round(100 * work['overlap'])} %",
                one.word,
            )
        )
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def overhead(row: dict[str, Any]) -> str:
    """`12.3 µs (12.1 µs … 12.6 µs)`."""
    low, high = row["overhead_low_s"], row["overhead_high_s"]
    within = "" if low is None or high is None else f" ({format_duration(low)} … {format_duration(high)})"
    return f"{format_duration(row['overhead_s'])}{within}"


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()  # there are no options, and a word is a mistake
    main()
