"""Words that say nothing clear are refused by name, before anything is planned."""

import json
import re
from pathlib import Path

import pytest
from tests.command_line import Ictus

from ictus.model.plan_parts import GLOBAL_TIME
from ictus.render.characters import shortened

RUN = ("run", "--launcher", "simulated", "--op", "bcast", "--sizes", "8", "--nrep", "2", "-o", "campaign")
PROCSYNC = Path(__file__).parents[2] / "native/src/procsync"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("exec", "-m", "a", "-m", "b", "-n", "1", "--", "/bin/true"),
            "-m is given 2 times: `ictus exec` takes one library",
        ),
        ((*RUN, "--launches", "10000000000"), "--launches '10000000000': must be less than or equal to 100000"),
        (("clocks", "rtt", "-m", "a", "-m", "b"), "-m is given 2 times: `ictus clocks rtt` takes one library"),
        ((*RUN[:5], "--sizes", "٨", *RUN[7:]), "--sizes '٨': expected a number"),
        ((*RUN, "--timeout", "１s"), "--timeout '１s': expected a number"),
        ((*RUN, "--root", "٠"), "--root '٠': expected ranks from 0 on"),
        ((*RUN, "--repetition", "fixed(nrep=٣)"), "fixed(nrep=٣)"),
        ((*RUN, "--until", "٥ %"), "--until '٥ %': expected a share"),
        ((*RUN, "--until", "5 ％"), "--until '5 ％': expected a share"),
        (("compare", "a", "--gate", "slower > ٣ %"), "--gate 'slower > ٣ %': expected"),
        (("compare", "a", "--gate", "slower > 3 ％"), "--gate 'slower > 3 ％': expected"),
        ((*RUN, "--clocksync", "none"), "procsync 'window' needs a global time, and clocksync is 'none'"),
        (
            (*RUN[:7], "--clocksync", "none", "--methods", "barrier(library)", "--methods", "window-adaptive"),
            "procsync 'window-adaptive' needs a global time, and clocksync is 'none'",
        ),
        (("exec", "--redirect", "nowhere/dir", "-n", "1", "--", "/bin/true"), "'nowhere/dir' cannot be read: No such"),
    ],
)
def test_it_is_refused_by_name(ictus: Ictus, words: tuple[str, ...], said: str) -> None:
    """Exit code 2, the option as typed, and no folder."""
    answer = ictus(*words)
    assert answer.code == 2, answer.out + answer.err
    assert said in answer.err
    assert not Path("campaign").exists()


@pytest.mark.parametrize("key", ["launches", "warmup", "retries", "contention-retries", "seed", "n", "timeout"])
def test_true_is_no_number(ictus: Ictus, key: str) -> None:
    """Python takes it for 1."""
    value = "[true]" if key == "n" else "true"
    Path("plan.toml").write_text(f'op = "bcast"\nsizes = "8"\n{key} = {value}\n', "utf-8")
    answer = ictus("run", "plan.toml", "--launcher", "simulated")
    assert answer.code == 2
    assert key in answer.err
    assert "expected a number, not true" in answer.err


def test_a_byte_order_mark_is_no_part_of_a_plan(ictus: Ictus) -> None:
    """Some editors write one."""
    Path("plan.toml").write_text('op = "bcast"\nsizes = "8"\nlaunches = 1\nnrep = 2\n', "utf-8-sig")
    answer = ictus("run", "plan.toml", "--launcher", "simulated")
    assert answer.code == 0, answer.err


def test_the_core_demands_a_global_time_where_the_plan_does() -> None:
    """The same members, by their sources."""
    sources = (path.read_text("utf-8") for path in PROCSYNC.glob("*.cpp"))
    demanding = re.findall(r'require_global_time\(context, "([a-z-]+)"\)', "\n".join(sources))
    assert sorted(demanding) == sorted(GLOBAL_TIME)


LONG = "x" * 200_000


@pytest.mark.parametrize(
    "words", [("run", "--op", LONG, "-o", "q"), ("show", LONG), ("list", LONG), ("run", f"--{LONG}")]
)
def test_a_word_of_200_kb_is_not_echoed_whole(ictus: Ictus, words: tuple[str, ...]) -> None:
    """Its beginning tells which it is; a terminal was full of it."""
    answer = ictus(*words)
    assert answer.code in (2, 3)
    assert "x" * 90 in answer.err
    assert len(answer.err) < 2000


def test_a_path_is_never_shortened() -> None:
    """999 characters are whole, one more is not."""
    assert shortened(f"a {'/x' * 499}y b") == f"a {'/x' * 499}y b"
    assert shortened(f"a {'x' * 1000} b") == f"a {'x' * 100}... (1,000 characters) b"


def test_every_launcher_is_listed(ictus: Ictus) -> None:
    """What an error names as known is in the list; `simulated` was missing."""
    known = ictus("run", "--launcher", "nobody", "-o", "x").err.partition("known: ")[2].strip().split(", ")
    listed = [row["name"] for row in json.loads(ictus("list", "launcher", "--json").out)["rows"]]
    assert known == listed
    assert "simulated" in listed
