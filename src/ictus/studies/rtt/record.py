"""rtt.json (file-format.md): all exchanges of each pair, in their order. Times are in seconds."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from ictus.model.document import DocumentPart
from ictus.model.written_rows import numbers_of
from ictus.stats.arrays import FloatArray
from ictus.studies.clocks.document import CoreAnswer, StudyDocument, StudySetting

NAME = "rtt.json"


def _column(value: object) -> object:
    numbers = numbers_of(value)
    try:
        return np.asarray(numbers, float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"expected a list of numbers: {error}") from error


class RoundTrips(DocumentPart):
    """The exchanges of one pair, as recorded by the client, the higher rank; arrays of shape (exchanges,)."""

    client: int
    reference: int
    client_host: int
    reference_host: int
    rtt_s: Annotated[FloatArray, BeforeValidator(_column)]
    """Both ways together, without the time that the reference spends between."""
    offset_s: Annotated[FloatArray, BeforeValidator(_column)]
    """Client's clock minus the reference's, if both ways took equally long: wrong by half the round trip at most."""
    elapsed_s: Annotated[FloatArray, BeforeValidator(_column)]
    """From before the first exchange to after this one, on the client's clock."""

    @model_validator(mode="after")
    def _of_one_length(self) -> "RoundTrips":
        columns = (self.rtt_s, self.offset_s, self.elapsed_s)
        sizes = [column.size for column in columns]
        if len(set(sizes)) != 1 or sizes[0] < 2:
            raise ValueError(f"pair {self.reference}, {self.client}: columns of {sizes} values")
        if not all(np.isfinite(column).all() for column in columns):
            raise ValueError(f"pair {self.reference}, {self.client}: an exchange without its time")
        return self


class RoundTripAnswer(CoreAnswer):
    """The answer of the launch."""

    study: Literal["rtt"]
    pairs: tuple[RoundTrips, ...]


class RoundTripDocument(StudyDocument):
    """rtt.json."""

    FILE: ClassVar = NAME

    launches: Annotated[tuple[RoundTripAnswer, ...], Field(min_length=1)]


@dataclass(frozen=True)
class RoundTripStudy:
    """Launches, in each of which all pairs measure one after the other."""

    document: RoundTripDocument

    @property
    def settings(self) -> tuple[StudySetting, ...]:
        """Under what each launch was measured."""
        return tuple(launch.setting for launch in self.document.launches)

    @cached_property
    def pairs(self) -> tuple[tuple[RoundTrips, ...], ...]:
        """What each launch measured of each pair of ranks."""
        pairs: dict[tuple[int, int], list[RoundTrips]] = {}
        for launch in self.document.launches:
            for trips in launch.pairs:
                pairs.setdefault((trips.reference, trips.client), []).append(trips)
        return tuple(map(tuple, pairs.values()))
