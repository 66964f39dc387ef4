"""Whatever varies can be compared by, also what tables are headed by: operations, sizes, numbers of processes."""

import html
import json
from pathlib import Path

import pytest
from tests.command_line import Ictus, succeed
from tests.made_once import made_once
from tests.page_text import read_aloud

WORDS = ("--launcher", "simulated", "-m", "a", "--op", "bcast,allreduce", "--sizes", "8,1Ki", "-n", "2,4")


@pytest.fixture
def folder(ictus: Ictus) -> str:
    """One library, two operations, sizes and numbers of processes."""
    words = ("run", *WORDS, "--nrep", "20", "--launches", "3", "-o", "grid")
    return str(made_once(Path("grid"), words, lambda: succeed(*words)))


@pytest.mark.parametrize(
    ("by", "pair", "title"),
    [
        ("operation", "bcast / allreduce", "operations  2 processes, times in "),
        ("size-bytes", "8 / 1024", "MPI_Bcast  2 processes, times in "),
        ("n", "n=2 / n=4", "MPI_Bcast  times in "),
    ],
)
def test_rows_say_all_but_what_is_compared(ictus: Ictus, folder: str, by: str, pair: str, title: str) -> None:
    """In every form; a page, which has figures over sizes, is refused."""
    shown = ictus("compare", folder, "--by", by)
    assert shown.code == 0, shown.err
    assert f"{pair}: a ratio below 1" in shown.out
    assert title in shown.out
    lenient = ("--level", "0.5", "--adjust", "none")  # so that three launches decide, and tables have rows
    files = ("--markdown", "c.md", "--junit", "c.xml", "--gate", "slower > 100 %")
    reference = pair.split(" / ")[1]
    answer = ictus("compare", folder, "--reference", reference, "--by", by, "--json", *lenient, *files)
    assert answer.code in (0, 1), answer.err
    rows = json.loads(answer.out)["rows"]
    assert len(rows) == 4
    assert all(by.replace("-", "_") not in row["case"] for row in rows)
    summary = Path("c.md").read_text("utf-8")
    assert any("| MPI\\_Bcast |" in line and "| – |" in line for line in summary.splitlines()) == (by == "size-bytes")
    assert Path("c.xml").read_text("utf-8").count("<testcase") == 4
    refused = ictus("report", folder, "--by", by)
    assert (refused.code, "the page has no figures by that" in refused.err) == (2, True)


def test_a_goal_of_ratios_by_size_is_told(ictus: Ictus) -> None:
    """The sentence of what is missed names the case without the size, which is on both sides."""
    goal = ("--until", "ratio 0.01% by size-bytes", "--time-budget", "1s")
    answer = ictus("run", *WORDS[:-2], "-n", "2", "--launches", "3", *goal, "-o", "goal")
    assert answer.code == 0, answer.err
    shown = " ".join(ictus("show", "goal").out.split())
    assert "Precision goal, 0.01 % of each ratio by size_bytes" in shown
    assert "8 / 1024 MPI_Bcast – n=2" in shown or "reached in all 2" in shown
    assert ictus("report", "goal").code == 0


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("words", "by", "pair"),
    [
        (("--pin", "cores,none"), "pin", "pin=cores / pin=none"),
        (
            ("--launcher-options", "--bind-to socket", "--launcher-options", "--bind-to core"),
            "launcher-options",
            "--bind-to socket / --bind-to core",
        ),
        (("--core-flags", "-O1", "--core-flags", "-O3 -Wl,-z,now"), "core-flags", "-O1 / -O3 -Wl,-z,now"),
    ],
)
def test_how_launches_are_placed_is_a_factor(ictus: Ictus, words: tuple[str, ...], by: str, pair: str) -> None:
    """Crossed in one campaign, a launch for each value in each block; recorded with each launch."""
    answer = ictus("run", *WORDS[:-2], "-n", "2", *words, "--nrep", "20", "--launches", "3", "-o", "placed")
    assert answer.code == 0, answer.err
    slots = json.loads(Path("placed/schedule.json").read_text())["slots"]
    assert len({(slot["block"], slot["algorithm"]) for slot in slots}) == len(slots) == 6
    heads = [json.loads(path.read_text()) for path in sorted(Path("placed/launches").glob("*/launch.json"))]
    values = [value.removeprefix("pin=") for value in pair.split(" / ")]
    assert sorted(head["launcher"]["algorithm"]["factors"][by] for head in heads) == sorted(3 * values)
    shown = ictus("compare", "placed", "--by", by)
    assert (shown.code, f"{pair}: a ratio below 1" in " ".join(shown.out.split())) == (0, True), shown.err
    assert f"Next: ictus compare --by {by} placed" in answer.out
    assert ictus("report", "placed").code == 0
    page = Path("placed/report.html").read_text("utf-8")
    first, second = (html.escape(value) for value in pair.split(" / "))
    assert f"<h1>{first} against {second}</h1>" in page
    assert f">{first} faster<" in page


def test_the_only_factor_that_varies_is_compared_and_named(ictus: Ictus) -> None:
    """By compare, by the report and by Next; a side says which variable it is. `unset` is a value of its own."""
    words = (*WORDS[:-2], "-n", "2", "--nrep", "20", "--launches", "6")
    refused = ictus("run", *words, "--env", "A_B=unset,1", "-o", "mixed")
    assert refused.code == 2
    assert (
        "--env 'A_B=unset,1': variable 'A_B': 'unset,1' would be one value; "
        "to try several in turn, give --env A_B=unset --env A_B=1" in refused.err
    )
    answer = ictus("run", *words, "--env", "A_B=unset", "--env", "A_B=1", "-o", "env")
    assert answer.code == 0, answer.err
    assert "A_B=unset and A_B=1" in answer.out
    assert "Next: ictus compare --by env.A_B env" in answer.out
    assert "A_B=unset / A_B=1: a ratio below 1 means that A_B=unset is faster." in ictus("compare", "env").out
    assert ictus("compare", "env", "1", "A_B=unset", "--by", "env.A_B").code == 0
    assert ictus("report", "env").code == 0
    page = Path("env/report.html").read_text("utf-8")
    assert "<h1>A_B=unset against A_B=1</h1>" in page
    assert all(f'id="{part}"' in page for part in ("comparison", "latency", "ratio", "launches", "samples"))


def test_of_several_factors_none_is_guessed(ictus: Ictus) -> None:
    """The error of compare and the page name them; Next names the first."""
    words = (*WORDS[:-2], "-n", "2", "--nrep", "20", "--launches", "3", "--heap", "kept,returned")
    answer = ictus("run", *words, "--procsync", "window,barrier(library)", "-o", "two")
    assert answer.code == 0, answer.err
    assert "Next: ictus compare --by heap two" in answer.out
    refused = ictus("compare", "two")
    assert (refused.code, "name the one to compare: --by heap or --by procsync" in refused.err) == (2, True)
    assert ictus("report", "two").code == 0
    assert "compares one: --by heap or --by procsync" in read_aloud(Path("two/report.html").read_text("utf-8"))
