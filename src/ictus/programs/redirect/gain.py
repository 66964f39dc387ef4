"""Launches of a user's program with and without rerouted calls, in pairs of random order."""

import csv
import re
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ictus.engine.attempt import LaunchFailure, LaunchInterruption
from ictus.engine.event import Observer, StudyLaunchStarted
from ictus.engine.journal import Journal
from ictus.engine.launch_loop import LaunchLoop, launch_folder
from ictus.launch.process import PassedStreams
from ictus.model.errors import MeasurementError, UsageError
from ictus.mpi.failure_cause import quoted_output, readable, with_steering
from ictus.programs.launch_pairs import PairedLaunch, draw_pairs
from ictus.programs.redirect.launch import RedirectedProgram, launch_redirected, remarks_on
from ictus.store.durable import make_folder
from ictus.store.redirect import RedirectReport


@dataclass(frozen=True)
class ProgramLaunch:
    """One launch of the program: a row of the answer and of the file that is kept."""

    pair: int
    """From 0; both of a pair are launched one after the other, in an order that is drawn."""
    rerouted: bool
    time_s: float
    calls_rerouted: int
    """Calls of all processes."""


@dataclass(frozen=True)
class PairedLaunches:
    """All launches that count, and their results."""

    rows: tuple[ProgramLaunch, ...]
    report: RedirectReport | None
    """The report of the last rerouted launch."""
    warnings: tuple[str, ...]


def compare_launches(
    program: RedirectedProgram,
    pairs: int,
    seed: int,
    observer: Observer,
    *,
    time: str | None = None,
    keep: Path | None = None,
) -> PairedLaunches:
    """Launch `program` in `pairs` pairs after a warm-up. `time` is the text before the program's own time in seconds
    (None: from start to end of the launch), `keep` the file that gets each launch as CSV when it ends.

    Raises: UsageError: the file exists. MeasurementError: a launch failed, or the user stopped it.
    """
    if keep is not None and keep.exists():
        raise UsageError(f"-o '{keep}' exists: choose another name")
    with tempfile.TemporaryDirectory(prefix="ictus-compare-") as name, launch_folder(Path(name)) as journal:
        run = _PairedRun(Path(name), draw_pairs(pairs, seed), journal, observer)
        run.program, run.time, run.file = program, time, keep
        if not run.run_all():
            raise MeasurementError("stopped; all ranks are ended")
    return PairedLaunches(tuple(run.rows), run.report, tuple(dict.fromkeys(run.warnings)))


class _PairedRun(LaunchLoop[PairedLaunch, ProgramLaunch]):
    program: RedirectedProgram
    time: str | None
    file: Path | None

    def __init__(self, folder: Path, launches: Sequence[PairedLaunch], journal: Journal, observer: Observer) -> None:
        super().__init__(folder, launches, journal, observer, kept=False)
        self.rows: list[ProgramLaunch] = []
        self.report: RedirectReport | None = None
        self.warnings: list[str] = []

    def tell_begun(self, slot: PairedLaunch, attempt: int) -> None:
        total = sum(launch.pair >= 0 for launch in self.slots)
        what = "warm-up" if slot.pair < 0 else f"launch {slot.slot - 1} of {total}"
        self.observer(StudyLaunchStarted(f"redirect compare: {what}", attempt, self.progress()))

    def attempt(self, slot: PairedLaunch, partial: Path) -> ProgramLaunch | LaunchFailure | LaunchInterruption:
        make_folder(partial, within=partial.parent)
        with (partial / "stdout.txt").open("w+b") as output_file:
            try:
                outcome, report, warnings = launch_redirected(
                    self.program, PassedStreams(output_file.fileno()), reroutes=slot.remedied
                )
            except KeyboardInterrupt:
                return LaunchInterruption()
            output_file.seek(0)
            output = readable(output_file.read())
        if outcome.interrupted:
            return LaunchInterruption()
        if outcome.exit_code != 0:
            side = "with its calls rerouted" if slot.remedied else "without anything in front of it"
            reason = f"'{self.program.program}' ended with {outcome.exit_code} {side}{quoted_output(output)}"
            reason = with_steering(reason, outcome.steering)
            return LaunchFailure(reason, final=True, ran=True)
        self.report = report if slot.remedied else self.report
        self.warnings += [*warnings, *(remarks_on(report, outcome) if slot.remedied else ())]
        time_s = outcome.elapsed_s if self.time is None else printed_time(output, self.time)
        return ProgramLaunch(slot.pair, slot.remedied, time_s, 0 if report is None else report.rerouted)

    def keep(self, slot: PairedLaunch, partial: Path, record: ProgramLaunch) -> None:
        self.accept(slot, partial, record.time_s)
        if slot.pair >= 0:
            self.rows.append(record)
            _keep(self.file, record)


def printed_time(output: str, text: str) -> float:
    """The number behind `text`, the last one that is there.

    Raises:
        MeasurementError: there is none, or it is not a time.
    """
    numbers = re.findall(re.escape(text) + r"[\s:=]*([-+0-9.eE]+)", output)
    try:
        seconds = float(numbers[-1])
    except (IndexError, ValueError):
        raise MeasurementError(
            f"--time: the program prints no number behind '{text}'; it printed: {output[-500:]}"
        ) from None
    if not 0 < seconds < float("inf"):
        raise MeasurementError(f"--time: the program prints {numbers[-1]} behind '{text}', which is not a time")
    return seconds


def _keep(file: Path | None, row: ProgramLaunch) -> None:
    if file is None:
        return
    values = asdict(row)
    is_new = not file.exists()
    try:
        with file.open("a", newline="") as kept:
            writer = csv.DictWriter(kept, values, lineterminator="\n")
            if is_new:
                writer.writeheader()
            writer.writerow(values)
    except OSError as error:
        raise MeasurementError(f"-o '{file}' cannot be written: {error.strerror}") from error
