"""Clocks and synchronisations crossed in one campaign of real launches."""

import json
from pathlib import Path

import pytest
from tests.command_line import run_ictus

pytestmark = [pytest.mark.mpi, pytest.mark.e2e, pytest.mark.beside]

WORDS = ("-m", "mpich", "--op", "bcast", "--sizes", "8", "-n", "2", "--launches", "1", "--nrep", "20")


def test_ranks_read_the_clock_of_their_launch(tmp_path: Path) -> None:
    """The core records which clock it read and how it was synchronised; the folder passes every check."""
    folder = tmp_path / "crossed"
    crossed = ("--clock", "tsc,monotonic", "--clocksync", "ictus,hca3")
    done = run_ictus("run", *WORDS, *crossed, "--no-page-faults", "--contention-retries", "0", "-o", folder)
    assert done.code == 0, done.err
    heads = [json.loads(path.read_text()) for path in (folder / "launches").glob("*/launch.json")]
    names = [tuple(one[key]["spec"].partition("(")[0] for key in ("clock", "clocksync")) for one in heads]
    assert sorted(names) == sorted((clock, sync) for clock in ("tsc", "monotonic") for sync in ("ictus", "hca3"))
    assert run_ictus("verify", folder).code == 0
    shown = run_ictus("compare", folder, "--by", "clocksync")
    assert (shown.code, "ictus / hca3" in " ".join(shown.out.split())) == (0, True), shown.err
