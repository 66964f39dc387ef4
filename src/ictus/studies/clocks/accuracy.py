"""Study accuracy: synchronisations with their checks, as a launch writes them and as errors are judged.

A sign is that of the rank minus the reference. A computed error is preferred to one measured by ping-pong.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan
from statistics import fmean
from typing import Literal

from pydantic import model_validator

from ictus.model.document import DocumentPart, Integers, Numbers, OptionalNumbers, check_length
from ictus.studies.clocks.document import CoreAnswer, StudySetting


class BarrierTime(DocumentPart):
    """MPI_Barrier."""

    mean_s: float | None


class StudyAlgorithm(DocumentPart):
    """An algorithm as typed, and in full form."""

    name: str
    spec: str
    synchronises: bool


ERRORS = ("error_s", "bound_s", "half_width_s", "waited_s")


class ErrorMatrices(DocumentPart):
    """Errors of all ranks, by wait, then by rank; None where a rank was not checked."""

    error_s: tuple[OptionalNumbers, ...]
    bound_s: tuple[OptionalNumbers | None, ...] | None
    half_width_s: tuple[OptionalNumbers, ...] | None = None
    waited_s: tuple[OptionalNumbers, ...] | None = None

    def of_ranks(self, checked: Sequence[int] | None, n_ranks: int) -> "ErrorMatrices":
        """The same with a place for each rank, where rows have those of `checked` alone."""
        if checked is None:
            return self

        def spread(row: OptionalNumbers | None) -> OptionalNumbers | None:
            if row is None or len(row) != len(checked):
                return row  # earlier versions wrote all ranks
            by_rank = dict(zip(checked, row, strict=True))
            return tuple(by_rank.get(rank) for rank in range(n_ranks))

        return self.model_copy(
            update={name: tuple(map(spread, matrix)) for name in ERRORS if (matrix := getattr(self, name)) is not None}
        )

    def check_shape(self, where: str, n_waits: int, n_ranks: int) -> None:
        """ValueError that names the matrix, and in it the row, of another shape; `where` leads to it."""
        for name in ERRORS:
            matrix, path = getattr(self, name), f"{where}.{name}"
            check_length(n_waits, "wait", {path: matrix})
            check_length(n_ranks, "rank", {f"{path}.{number}": row for number, row in enumerate(matrix or ())})


class Synchronisation(DocumentPart):
    """One synchronisation."""

    repeat: int
    algorithm: int
    """Its place in `algorithms`."""
    elapsed_s: float
    messages: int
    known: ErrorMatrices | None
    """By the truth that the ranks computed ..."""
    ping_pong: ErrorMatrices | None
    """... and by ping-pongs. The core writes the ranks that were checked."""


class AccuracyAnswer(CoreAnswer):
    """A launch of study accuracy."""

    study: Literal["accuracy"]
    truth: str
    barrier: BarrierTime | None = None
    waits_s: Numbers
    checked: Integers | None = None
    """The ranks that ping-pong checks."""
    algorithms: tuple[StudyAlgorithm, ...]
    synchronisations: tuple[Synchronisation, ...]

    @model_validator(mode="after")
    def _matrices_of_known_algorithms(self) -> "AccuracyAnswer":
        for index, synchronisation in enumerate(self.synchronisations):
            where = f"synchronisations.{index}"
            if not 0 <= synchronisation.algorithm < len(self.algorithms):
                raise ValueError(
                    f"{where}.algorithm is {synchronisation.algorithm}, expected a place in algorithms, which has "
                    f"{len(self.algorithms)}"
                )
            of_all_ranks = synchronisation.ping_pong and synchronisation.ping_pong.of_ranks(self.checked, self.n_ranks)
            for name, matrices in (("known", synchronisation.known), ("ping_pong", of_all_ranks)):
                if matrices is not None:
                    matrices.check_shape(f"{where}.{name}", len(self.waits_s), self.n_ranks)
        return self


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
    launch: int
    """Which of the launches that have its algorithm, from 0 on."""
    n_ranks: int
    elapsed_s: float
    messages: int
    steps: tuple[SynchronisationStep, ...]
    """Empty for a single rank: there is no other clock to err against."""
    synchronises: bool = True
    """False for an algorithm that leaves clocks alone."""


@dataclass(frozen=True)
class AccuracyLaunches:
    """Launches that differ only in the algorithms that they judge, taken as one."""

    launches: tuple[AccuracyAnswer, ...]

    @property
    def setting(self) -> StudySetting:
        """That of the first, with what disturbed any."""
        settings = [launch.setting for launch in self.launches]
        warnings = tuple(dict.fromkeys(text for study_setting in settings for text in study_setting.warnings))
        disturbed = max(setting.disturbed_share or 0.0 for setting in settings) or None
        return replace(settings[0], warnings=warnings, disturbed_share=disturbed)

    @property
    def truth(self) -> str:
        """`known` or `ping-pong`."""
        return self.launches[0].truth

    @property
    def barrier_s(self) -> float | None:
        """Mean time of the library's MPI_Barrier, seconds."""
        means = [launch.barrier.mean_s for launch in self.launches if launch.barrier is not None]
        means_s = [mean for mean in means if mean is not None]
        return fmean(means_s) if means_s else None

    @property
    def waits_s(self) -> tuple[float, ...]:
        """Those of any, ascending."""
        return tuple(sorted({wait for launch in self.launches for wait in launch.waits_s}))

    @cached_property
    def runs(self) -> tuple[SynchronisationRun, ...]:
        """All synchronisations in the order asked for; repeats of an algorithm are numbered through."""
        repeats: Counter[str] = Counter()
        launches: Counter[str] = Counter()
        runs = []
        for launch in self.launches:
            # Measured in shuffled order.
            for synchronisation in sorted(launch.synchronisations, key=lambda made: (made.repeat, made.algorithm)):
                algorithm = launch.algorithms[synchronisation.algorithm]
                numbers = (repeats[algorithm.spec], launches[algorithm.spec])
                runs.append(_run(synchronisation, algorithm, launch, *numbers))
                repeats[algorithm.spec] += 1
            launches.update(algorithm.spec for algorithm in launch.algorithms)
        return tuple(runs)


def together(answers: Sequence[AccuracyAnswer]) -> tuple[AccuracyLaunches, ...]:
    """Launches with as many ranks, the same clock and the same truth are one."""
    groups: dict[tuple[int, str, str], list[AccuracyAnswer]] = {}
    for answer in answers:
        groups.setdefault((answer.n_ranks, answer.clock.spec, answer.truth), []).append(answer)
    return tuple(AccuracyLaunches(tuple(group)) for group in groups.values())


def _run(
    synchronisation: Synchronisation, algorithm: StudyAlgorithm, launch: AccuracyAnswer, repeat: int, number: int
) -> SynchronisationRun:
    ping_pong = synchronisation.ping_pong
    matrices = synchronisation.known or (ping_pong and ping_pong.of_ranks(launch.checked, launch.n_ranks))
    return SynchronisationRun(
        algorithm=algorithm.spec,
        name=algorithm.name,
        repeat=repeat,
        launch=number,
        n_ranks=launch.n_ranks,
        elapsed_s=synchronisation.elapsed_s,
        messages=synchronisation.messages,
        steps=tuple(_steps(matrices, launch.waits_s)) if matrices else (),
        synchronises=algorithm.synchronises,
    )


def _steps(matrices: ErrorMatrices, waits: Sequence[float]) -> Iterator[SynchronisationStep]:
    """The matrices of one check, turned: a step for each wait at which a rank was checked, with these ranks."""
    for index, wait in enumerate(waits):
        error, bound = matrices.error_s[index], matrices.bound_s
        checked = [rank for rank, value in enumerate(error) if rank and value is not None]
        if not checked:
            continue
        bounds = (None if bound is None else bound[index]) or [None] * len(error)
        doubts = [0.0] * len(error) if matrices.half_width_s is None else matrices.half_width_s[index]
        waited = [wait] * len(error) if matrices.waited_s is None else matrices.waited_s[index]
        yield SynchronisationStep(
            wait_s=wait,
            ranks=tuple(checked),
            error_s=tuple(_or_nan(error[rank]) for rank in checked),
            bound_s=tuple(bounds[rank] for rank in checked),
            doubt_s=tuple(_or_nan(doubts[rank]) for rank in checked),
            waited_s=max((_or_nan(waited[rank]) for rank in checked), default=wait),
        )


def _or_nan(value: float | None) -> float:
    """The values of the checked ranks; NaN where the file leaves one out."""
    return nan if value is None else value
