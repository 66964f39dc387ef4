"""`ictus-bench clocks` as a command: where it writes, what it says of mistakes."""

import json
from pathlib import Path

import pytest
from tests.native.study_launches import clocks

pytestmark = [pytest.mark.mpi, pytest.mark.beside]


def test_without_output_the_document_goes_to_standard_output(tmp_path: Path) -> None:
    """And nothing else does."""
    ended = clocks("mpich", 2, "drift", "--duration", "0", "--clock", "monotonic", folder=tmp_path)
    assert ended.exit_code == 0, ended.error
    assert json.loads(ended.output)["study"] == "drift"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "which study of clocks?"),
        ("acuracy", "unknown study of clocks 'acuracy'; known are accuracy, drift, rtt, frequency"),
        ("accuracy --wait 5s", "unknown option of clocks accuracy 'wait'; known are ranks, clock, clock-domain,"),
        ("accuracy --clocksync hca3,hca5", "unknown clocksync 'hca5'; known are"),
        ("accuracy --waits 0,5x", "option of clocks accuracy 'waits'"),
        ("accuracy --truth maybe", "'maybe' is not one of auto known ping-pong"),
        ("accuracy --clock tsc(frequency=fats)", "nor one of auto nominal calibrated calibrated-per-rank"),
        ("drift --repeats 3", "unknown option of clocks drift 'repeats'; known are"),
        ("frequency --durations", "option '--durations' needs a value"),
        ("drift --output /nowhere/at/all.json", "option 'output': cannot write /nowhere/at/all.json.partial"),
    ],
)
def test_mistakes_end_the_launch_with_what_is_known(words: str, message: str, tmp_path: Path) -> None:
    """Exit code 2 before anything is measured; the message names the option and what is allowed."""
    ended = clocks("mpich", 2, *words.split(), folder=tmp_path)
    assert ended.exit_code == 2
    assert message in ended.error
    assert not ended.output


def test_help_needs_no_launcher(tmp_path: Path) -> None:
    """Each study's options with their defaults."""
    ended = clocks("mpich", 1, "accuracy", "--help", folder=tmp_path)
    assert ended.exit_code == 0
    assert "--waits A,B,..." in ended.output
    assert "Options of `clocks drift`" not in ended.output
