"""Ctrl-C ends a command with exit code 3, however often it is pressed, and nohup is respected."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ictus.store.campaign import load

RUN = ("run", "--launcher", "simulated", "--op", "bcast", "--sizes", "8", "--launches", "300", "--nrep", "2")


@pytest.mark.parametrize("pauses_s", [pytest.param((0.02,), marks=pytest.mark.long), (0.01, 0.03, 0.1, 0.2)])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_repeated_interrupt_ends_with_3(tmp_path: Path, pauses_s: tuple[float, ...], number: signal.Signals) -> None:
    """The process died by the second signal, some 20 ms after the first, or by the third."""
    folder = tmp_path / "campaign"
    command = (sys.executable, "-m", "ictus", *RUN, "-o", str(folder))
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    _launches_begin(folder)
    running.send_signal(number)
    for pause_s in pauses_s:
        time.sleep(pause_s)
        running.send_signal(number)
    error = running.communicate(timeout=60)[1]
    assert running.returncode == 3, error
    assert "Traceback" not in error
    assert load(folder).warnings == ()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_in_a_finaliser_is_not_lost(number: signal.Signals) -> None:
    """Python reports what a finaliser raises and drops it: a campaign went on after Ctrl-C and ended with 0."""
    program = f"""
import signal, time
from ictus.cli.ending import end_once
class Interrupted:
    def __del__(self):
        signal.raise_signal({int(number)})
end_once()
try:
    Interrupted()
    time.sleep(30)
except KeyboardInterrupt:
    raise SystemExit(3)
"""
    done = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (3, "")


def test_a_signal_that_whoever_started_us_ignores_stays_ignored(tmp_path: Path) -> None:
    """`nohup ictus run` outlives its terminal: between launches, and in them."""
    folder = tmp_path / "campaign"
    words = tuple("15" if word == "300" else word for word in RUN)
    command = (sys.executable, "-m", "ictus", *words, "-o", str(folder))
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGHUP, before)
    _launches_begin(folder)
    while running.poll() is None:
        running.send_signal(signal.SIGHUP)
        time.sleep(0.02)
    error = running.communicate()[1]
    assert running.returncode == 0, error
    assert load(folder).complete


def _launches_begin(folder: Path) -> None:
    deadline = time.monotonic() + 60
    journal = folder / "journal.jsonl"
    while time.monotonic() < deadline and not (
        journal.exists() and journal.read_text("utf-8").count('"event": "accepted"') > 2
    ):
        time.sleep(0.01)
