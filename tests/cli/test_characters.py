"""What a terminal gets: characters that it has, and no control characters of other people."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.command_line import Ictus, succeed

from ictus.render.characters import REPLACEMENT, shown

RUN = (
    "run",
    "--launcher",
    "simulated",
    "--op",
    "bcast",
    "--sizes",
    "8",
    "--launches",
    "2",
    "--nrep",
    "3",
    "--seed",
    "1",
)
HOSTILE = "\x1b]0;title\x07\x1b[2J\x9b31m\u202ered"


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """A small campaign, simulated."""
    succeed(*RUN, "-o", tmp_path / "campaign")
    return tmp_path / "campaign"


@pytest.mark.few(1)
@pytest.mark.parametrize("encoding", ["latin-1", "ascii", pytest.param("cp1252", marks=pytest.mark.long)])
def test_a_terminal_without_unicode_gets_ascii(campaign: Path, encoding: str) -> None:
    """It ended in a UnicodeEncodeError after the first lines."""
    command = (sys.executable, "-m", "ictus", "compare", str(campaign))
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert b"?" not in done.stdout + done.stderr, "each character that we write has a spelling"
    text = done.stdout.decode(encoding)
    assert "times in us" in text if encoding == "ascii" else "times in µs" in text
    assert "cannot decide" in text, "to the last lines"


def test_a_folder_whose_name_is_no_text_is_refused_before_measuring(tmp_path: Path) -> None:
    """It ended in a TypeError after the first launch."""
    folder = os.fsencode(tmp_path) + b"/caf\xe9"
    command = (sys.executable, "-m", "ictus", *RUN, "-o", folder)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2, done.stderr
    assert "is not UTF-8" in done.stderr
    assert not Path(os.fsdecode(folder)).exists()


def test_escapes_in_a_folder_reach_no_terminal(campaign: Path, ictus: Ictus) -> None:
    """Neither from the plan's facts nor from a launch's warnings; JSON keeps them, escaped."""
    document = json.loads((campaign / "campaign.json").read_text("utf-8"))
    document["libraries"][0]["version"] = HOSTILE
    document.pop("checksum", None)
    (campaign / "campaign.json").write_text(json.dumps(document), "utf-8")
    journal = campaign / "journal.jsonl"
    lines = [json.loads(line) for line in journal.read_text("utf-8").splitlines()]
    for line in lines:
        line.pop("checksums", None)
        line.pop("checksum", None)
    journal.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    for path in campaign.glob("launches/*/launch.json"):
        path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "warnings": [f"look {HOSTILE}"]}), "utf-8")
    for words in (("show",), ("show", "--launches"), ("compare",), ("compare", "--json"), ("compare", "--csv")):
        answer = ictus(words[0], campaign, *words[1:])
        assert answer.code == 0, answer.err
        written = (answer.out + answer.err).replace("\n", "").replace("\t", "")
        assert shown(written) == written, words
    compared = ictus("compare", campaign)
    assert REPLACEMENT in compared.out + compared.err, "the warning is there, without its escapes"
    told = json.loads(ictus("compare", campaign, "--json").out)
    assert any(HOSTILE in one for one in told["warnings"])


def test_an_error_about_a_hostile_name_is_shown_without_it(ictus: Ictus) -> None:
    """The message names what was typed."""
    answer = ictus("show", f"none{HOSTILE}")
    assert answer.code == 2
    assert "\x1b" not in answer.err
    assert REPLACEMENT in answer.err
