"""rtt.json, read as docs/file-format.md lays it down: all exchanges of each pair, in their order. Times are seconds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ictus.model.errors import MeasurementError
from ictus.stats.arrays import FloatArray
from ictus.studies.clocks.reading import setting_of
from ictus.studies.clocks.record import StudySetting

NAME = "rtt.json"
STUDY = "rtt"


@dataclass(frozen=True)
class RoundTrips:
    """The exchanges of one pair, told by the client, which is the higher rank; arrays of shape (exchanges,)."""

    client: int
    reference: int
    client_host: int
    reference_host: int
    rtt_s: FloatArray
    """Both ways together, without the time that the reference spends between."""
    offset_s: FloatArray
    """Client's clock minus the reference's, if both ways took equally long: wrong by half the round trip at most."""
    elapsed_s: FloatArray
    """From before the first exchange to after this one, on the client's clock."""


@dataclass(frozen=True)
class RoundTripStudy:
    """One launch: all pairs, one after the other. `document` has the file's own words."""

    setting: StudySetting
    pairs: tuple[RoundTrips, ...]
    document: Mapping[str, Any] = field(default_factory=dict)


def parse_rtt(document: Mapping[str, Any], source: str) -> RoundTripStudy:
    """The study of an rtt.json; `source` names the file in the MeasurementError of one that is not as documented."""
    try:
        (launch,) = document["launches"]
        if launch["study"] != STUDY:
            raise MeasurementError(f"{source}: study {launch['study']!r} is not {STUDY!r}")
        return RoundTripStudy(setting_of(launch), tuple(map(_pair, launch["pairs"])), document)
    except KeyError as error:
        raise MeasurementError(f"{source}: key {error} is missing") from error
    except (TypeError, ValueError) as error:
        raise MeasurementError(f"{source} is not as documented: {error}") from error


def _pair(values: Mapping[str, Any]) -> RoundTrips:
    columns = [np.asarray(values[name], float) for name in ("rtt_s", "offset_s", "elapsed_s")]
    if len({column.size for column in columns}) != 1 or columns[0].size < 2:
        raise ValueError(
            f"pair {values['reference']}, {values['client']}: columns of {[c.size for c in columns]} values"
        )
    client, reference, client_host, reference_host = (
        int(values[name]) for name in ("client", "reference", "client_host", "reference_host")
    )
    rtt_s, offset_s, elapsed_s = columns
    return RoundTrips(client, reference, client_host, reference_host, rtt_s, offset_s, elapsed_s)
