"""The results of a study of clocks, typed. Times are in seconds; a sign is that of this rank minus the reference."""

from dataclasses import dataclass

from ictus.studies.clocks.document import ClocksDocument


@dataclass(frozen=True)
class StudySetting:
    """Under what a launch was measured."""

    n_ranks: int
    hosts: tuple[str, ...]
    """The name of each rank's host."""
    n_hosts: int
    """Counted by the memory that ranks share: two hosts may have one name."""
    n_nodes: int
    """The same, where the batch system does not say that a host is several nodes."""
    clock: str
    """The clock's spec in full form."""
    frequency_source: str
    simulated: bool
    library: str
    """The first line of the library's version."""
    label: str
    """What the library was called when it was launched; empty where the core was started by hand."""
    seed: int
    warnings: tuple[str, ...] = ()
    disturbed_share: float | None = None
    """Share of the ranks' time on their cores that others took, where that is so much that the launch counts as
    contended.
    """


@dataclass(frozen=True)
class SynchronisationStep:
    """All checked ranks but the reference at one time after synchronising, seconds; entries belong together."""

    wait_s: float
    ranks: tuple[int, ...]
    error_s: tuple[float, ...]
    """Signed: the rank's global clock minus the reference's."""
    bound_s: tuple[float | None, ...]
    """Proven bound on the error; None where there is none."""
    doubt_s: tuple[float, ...]
    """How much the check itself may err: half of what its exchanges prove, 0 where the truth is computed."""
    waited_s: float = 0.0
    """The real time of the last rank's check, seconds after synchronising: later than requested where another algorithm
    was still at work."""

    @property
    def late(self) -> bool:
        """Whether the check came so late that it concerns another time: by a tenth of the wait plus 0.1 s."""
        return self.waited_s > 1.1 * self.wait_s + 0.1


@dataclass(frozen=True)
class SynchronisationRun:
    """One synchronisation and its checks."""

    algorithm: str
    """The spec in full form."""
    name: str
    """The spec as typed."""
    repeat: int
    n_ranks: int
    elapsed_s: float
    messages: int
    steps: tuple[SynchronisationStep, ...]
    """Empty for a single rank: there is no other clock to err against."""
    synchronises: bool = True
    """False for an algorithm that leaves clocks alone."""


@dataclass(frozen=True)
class Accuracy:
    """One launch of study accuracy."""

    setting: StudySetting
    truth: str
    """`known` or `ping-pong`."""
    barrier_s: float | None
    """Mean time of the library's MPI_Barrier, seconds."""
    waits_s: tuple[float, ...]
    runs: tuple[SynchronisationRun, ...]


@dataclass(frozen=True)
class Window:
    """Straight lines through all complete windows of one length, in order."""

    window_s: float
    slope: tuple[float, ...]
    slope_error: tuple[float, ...]
    residual_max_s: tuple[float, ...]
    """The largest distance of an offset from the line of its window."""


@dataclass(frozen=True)
class DriftSeries:
    """One rank's offset from the root over time, seconds."""

    rank: int
    host: str
    first_offset_s: float
    at_s: tuple[float, ...]
    """The root's time."""
    offset_s: tuple[float, ...]
    """This rank minus the root, minus the first offset."""
    bound_s: tuple[float | None, ...]
    windows: tuple[Window, ...]


@dataclass(frozen=True)
class Drift:
    """One launch of study drift."""

    setting: StudySetting
    interval_s: float
    duration_s: float
    offset: str
    """The estimator in full form."""
    series: tuple[DriftSeries, ...]


@dataclass(frozen=True)
class Calibration:
    """One way to a frequency over one duration: `hz` per rank, per repeat."""

    source: str
    duration_s: float
    elapsed_s: float
    hz: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Frequency:
    """One launch of study frequency."""

    setting: StudySetting
    stated_hz: tuple[float | None, ...]
    stated_source: tuple[str | None, ...]
    model_name_hz: tuple[float | None, ...]
    calibrations: tuple[Calibration, ...]


@dataclass(frozen=True)
class ClocksStudy:
    """All launches of a clocks.json, by kind."""

    kind: str
    """The requested study: one of the core, or `pareto`."""
    document: ClocksDocument
    """The document that they were read from."""
    accuracy: tuple[Accuracy, ...] = ()
    drift: tuple[Drift, ...] = ()
    frequency: tuple[Frequency, ...] = ()

    @property
    def settings(self) -> tuple[StudySetting, ...]:
        """Under what each launch was measured."""
        launches: tuple[Accuracy | Drift | Frequency, ...] = (*self.accuracy, *self.drift, *self.frequency)
        return tuple(one.setting for one in launches)

    @property
    def runs(self) -> tuple[SynchronisationRun, ...]:
        """All synchronisations of all launches."""
        return tuple(run for launch in self.accuracy for run in launch.runs)
