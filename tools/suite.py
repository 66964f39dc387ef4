"""The stages of `make test`, and a table of where its time went. tools/test has made the environment of users before;
what tests alone need is fetched here.

What the tests need compiled is compiled meanwhile (tests/native/trees.py), and format, lint, types and site are checked
beside the first tests. Tests that measure are alone on the machine. A skipped test is a failure: what needs
more than every machine has is an engine (tests/engines.py).
"""

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUILT = ROOT / "build/tests"
PROCESSOR_S = "30"
"""A test takes no more processor time; what does is marked `long`. The aim is 20 s; half as much again is for machines
that others share.
"""
NOTHING_CHOSEN = 5
"""Exit code of pytest."""

IN_MEMORY = Path("/dev/shm")
ROOM_BYTES = 4 << 30
"""Room for what tests write at a time: some 200 MB. The rest is for the ranks' shared memory."""

GROUPS = ("--numprocesses=2", "--dist=loadscope", "--no-loadscope-reorder")
STAGES = (
    ("two at a time", "not long and (not mpi or beside)", GROUPS),
    ("ranks alone", "not long and mpi and not beside", ()),
)
"""Name, marks, and how the tests are distributed. A test runs in exactly one (tests/tools/test_marks.py)."""


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    name: str
    seconds: float
    processor_s: float
    tests: int = 0
    failed: int = 0
    skipped: int = 0


def processor_s() -> float:
    """Of all processes that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def stage(name: str, marks: str, how: Sequence[str], words: Sequence[str], **environment: str) -> Row:
    """Run its tests, with these variables."""
    report = BUILT / f"{name.replace(' ', '-')}.xml"
    report.unlink(missing_ok=True)
    begun, used = time.monotonic(), processor_s()
    command = (
        sys.executable,
        "-m",
        "pytest",
        "-m",
        marks,
        "-rs",
        "--durations=10",
        f"--junitxml={report}",
        *how,
        *words,
    )
    code = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "TESTS_PROCESSOR_S": PROCESSOR_S, **environment}, check=False
    ).returncode
    counts = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    if report.is_file():
        for suite in ET.parse(report).getroot().iter("testsuite"):
            counts = {key: counts[key] + int(suite.get(key, 0)) for key in counts}
    failed = counts["failures"] + counts["errors"]
    if code not in (0, NOTHING_CHOSEN) or (code == NOTHING_CHOSEN and not words):
        failed = max(failed, 1)
    return Row(name, time.monotonic() - begun, processor_s() - used, counts["tests"], failed, counts["skipped"])


def summed(name: str, rows: Sequence[Row], seconds: float, used_s: float) -> Row:
    """The last line, of runs that took so long together."""
    return Row(
        name, seconds, used_s, *(sum(getattr(row, one) for row in rows) for one in ("tests", "failed", "skipped"))
    )


def table(rows: Sequence[Row]) -> str:
    """Every stage, and the total."""
    lines = [f"{'stage':26}{'seconds':>9}{'processor':>11}{'tests':>8}{'failed':>8}{'skipped':>9}"]
    lines += [
        f"{row.name:26}{row.seconds:9.0f}{row.processor_s:11.0f}{row.tests:8}{row.failed:8}{row.skipped:9}"
        for row in rows
    ]
    return "\n".join(lines)


def temporary_base(memory: Path = IN_MEMORY) -> Path:
    """Where temporary files are: in memory, where new files cost least, if it has the room and programs can be started
    from it; else on disk.
    """
    try:
        state = os.statvfs(memory)
    except OSError:
        return Path(tempfile.gettempdir())
    fits = state.f_bavail * state.f_frsize >= ROOM_BYTES and not state.f_flag & os.ST_NOEXEC
    return memory if fits and os.access(memory, os.W_OK) else Path(tempfile.gettempdir())


def in_own_folder(run: Callable[[], int]) -> int:
    """The exit code of `run`; its temporary files are in a folder of their own, kept where something failed."""
    temporary = tempfile.mkdtemp(prefix="tests-", dir=temporary_base())
    os.environ["TMPDIR"] = temporary
    code = 1
    try:
        code = run()
    finally:
        if code == 0:
            shutil.rmtree(temporary, ignore_errors=True)
        else:
            print(f"temporary files are kept in {temporary}")
    return code


def main(words: Sequence[str]) -> int:
    """Exit code 1 where anything failed or was skipped."""
    return in_own_folder(lambda: _staged(words))


def _staged(words: Sequence[str]) -> int:
    begun = float(os.environ.get("TESTS_BEGUN", time.time()))
    BUILT.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was begun is ended then too
    with (BUILT / "trees.log").open("w") as log, (BUILT / "check.log").open("w") as check_log:
        builder = subprocess.Popen((sys.executable, "-m", "tests.native.trees"), cwd=ROOT, stdout=log, stderr=log)
        started = [builder]
        try:
            if code := subprocess.run(("tools/setup", "--dev"), cwd=ROOT, check=False).returncode:
                return code
            rows = [Row("set-up", time.time() - begun, 0)]
            checks = subprocess.Popen(("tools/check",), cwd=ROOT, stdout=check_log, stderr=check_log)
            started.append(checks)
            rows.append(stage(*STAGES[0], words))
            begun_waiting = time.monotonic()
            failed = checks.wait() != 0
            rows.append(Row("checks, after those", time.monotonic() - begun_waiting, 0, 1, int(failed)))
            rows += [stage(*marked, words) for marked in STAGES[1:]]
        except KeyboardInterrupt:
            return 130
        finally:
            for process in started:
                process.send_signal(signal.SIGTERM)  # a test that misses what could not be built says why
                process.wait()
    rows.append(summed("make test", rows, time.time() - begun, processor_s()))
    print(table(rows))
    print((BUILT / "check.log").read_text(), end="")  # last, where whoever sees only the end of a log sees it
    return int(rows[-1].failed > 0 or rows[-1].skipped > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
