"""network.json (file-format.md): what one or more launches of `ictus-bench network state` measured. Times are in
seconds.
"""

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from ictus.model.document import DocumentPart, Integers, Numbers, check_length
from ictus.studies.clocks.document import CoreAnswer, StudyDocument

NAME = "network.json"


Shared = Literal["network", "switch", "host", "socket", "cache"]
"""The nearest thing that two ranks have in common, from far to near."""


class TrainTimes(DocumentPart):
    """A link by trains of messages from one rank to another, and streams of it alone. By size, then by repeat."""

    sender: int = Field(alias="from")
    receiver: int = Field(alias="to")
    shared: Shared | None = None
    """None in documents that were measured before it was known."""
    single_s: tuple[Numbers, ...]
    """PRTT(1, 0, s): one message there, one back."""
    train_s: tuple[Numbers, ...]
    """PRTT(n, 0, s): n messages there, one back."""
    delayed_s: tuple[Numbers, ...]
    """PRTT(n, d, s), d being the single round trip."""
    waited_s: tuple[Numbers, ...]
    """All delays of the same train together, as they became."""
    stream_s: Numbers

    def check_shape(self, n_sizes: int, where: str) -> None:
        """ValueError that names the list of another length."""
        lists = {name: getattr(self, name) for name in ("single_s", "train_s", "delayed_s", "waited_s")}
        check_length(n_sizes, "size", {f"{where}.{name}": rows for name, rows in lists.items()})
        repeats = len(self.single_s[0])
        for name, rows in lists.items():
            check_length(repeats, "repeat", {f"{where}.{name}.{index}": row for index, row in enumerate(rows)})


class MatchingTimes(DocumentPart):
    """One half of the ranks sends a stream to the other, all at once."""

    sender: Integers = Field(alias="from")
    receiver: Integers = Field(alias="to")
    stream_s: Numbers
    alone_s: float | None = None
    """The stream of the first pair while all others are silent; None in documents that were measured before."""


class NoiseTimes(DocumentPart):
    """The times of a fixed quantum of work, for each rank; empty where they were not measured."""

    quantum_s: float
    quanta: int
    units: int
    least_s: Numbers
    median_s: Numbers
    mean_s: Numbers
    p99_s: Numbers
    largest_s: Numbers


class NetworkAnswer(CoreAnswer):
    """The answer of one launch."""

    study: Literal["network"]
    sizes_bytes: tuple[int, ...] = Field(min_length=1)
    train: int = Field(ge=2)
    links: tuple[TrainTimes, ...]
    stream_bytes: int
    stream: int
    matchings: tuple[MatchingTimes, ...]
    noise: NoiseTimes

    @model_validator(mode="after")
    def _of_known_ranks(self) -> "NetworkAnswer":
        for index, link in enumerate(self.links):
            link.check_shape(len(self.sizes_bytes), f"links.{index}")
            self._check_ranks((link.sender, link.receiver), f"links.{index}")
        for index, times in enumerate(self.matchings):
            lists = {"to": times.receiver, "stream_s": times.stream_s}
            check_length(
                len(times.sender), "pair", {f"matchings.{index}.{name}": column for name, column in lists.items()}
            )
            self._check_ranks((*times.sender, *times.receiver), f"matchings.{index}")
        if self.noise.least_s:
            names = ("least_s", "median_s", "mean_s", "p99_s", "largest_s")
            check_length(self.n_ranks, "rank", {f"noise.{name}": getattr(self.noise, name) for name in names})
        return self

    def _check_ranks(self, ranks: tuple[int, ...], where: str) -> None:
        wrong = [rank for rank in ranks if not 0 <= rank < self.n_ranks]
        if wrong:
            raise ValueError(f"{where}: there is no rank {wrong[0]}, expected 0 to {self.n_ranks - 1}")


class NetworkDocument(StudyDocument):
    """network.json."""

    FILE: ClassVar = NAME

    launches: tuple[NetworkAnswer, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _of_one_plan(self) -> "NetworkDocument":
        plans = {
            (launch.n_ranks, launch.sizes_bytes, launch.train, launch.stream_bytes, launch.stream)
            for launch in self.launches
        }
        if len(plans) > 1:
            raise ValueError("launches of one study have the same ranks, sizes and trains; these differ")
        return self
