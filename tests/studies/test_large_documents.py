"""Documents of studies of many ranks: results are arrays, read as the lists of earlier versions, in fewer bytes.

Ranks are made up: bytes are counted, and nothing is timed.
"""

import base64
import json
import random
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from tests.clock_documents import accuracy, drift, head

from ictus.studies.clocks.accuracy import AccuracyAnswer, AccuracyLaunches
from ictus.studies.clocks.record import DriftAnswer
from ictus.studies.network.record import NetworkAnswer
from ictus.studies.rtt.record import RoundTripAnswer

RANKS = (1024, 16384)
WAITS, MATCHINGS = 3, 2


def packed(value: Any) -> Any:
    """A document as the core writes it: a list of 256 numbers or more is an array where that is shorter."""
    if isinstance(value, Mapping):
        return {key: packed(one) for key, one in value.items()}
    if not isinstance(value, list) or not value:
        return value
    if len(value) < 256 or not all(one is None or type(one) in (int, float) for one in value):
        return [packed(one) for one in value]
    key, form = ("i4", "i") if all(type(one) is int for one in value) else ("f8", "d")
    numbers = [float("nan") if one is None else one for one in value]
    array = {key: base64.b64encode(struct.pack(f"<{len(value)}{form}", *numbers)).decode()}
    return array if len(json.dumps(array)) < len(json.dumps(value)) else value


def numbers(n: int, seed: int) -> list[float]:
    """Errors below a microsecond, with all their digits."""
    generator = random.Random(seed)
    return [1e-6 * (generator.random() - 0.5) for _ in range(n)]


def matched(n: int) -> dict[str, Any]:
    """Network: halves of the ranks that send to each other, and noise."""
    one = {"from": list(range(0, n, 2)), "to": list(range(1, n, 2)), "stream_s": numbers(n // 2, 1), "alone_s": 1e-3}
    names = ("least_s", "median_s", "mean_s", "p99_s", "largest_s")
    noise = {"quantum_s": 1e-3, "quanta": 9, "units": 9, **{name: numbers(n, 2) for name in names}}
    more = {"sizes_bytes": [1], "train": 2, "links": [], "stream_bytes": 1, "stream": 1}
    return head("network", n, **more, matchings=[one] * MATCHINGS, noise=noise)


def judged(n: int) -> dict[str, Any]:
    """Accuracy: an algorithm whose errors are known."""
    rows = [numbers(n, wait) for wait in range(WAITS)]
    return accuracy(n, list(range(WAITS)), [("hca3", 1.0, 9, rows, rows)])


def pairs(made: dict[str, Any]) -> tuple[object, object]:
    """What counts of a network: its pairs; and what is read."""
    found = NetworkAnswer.model_validate(made)
    return made["matchings"], (found.matchings, found.noise)


def errors(made: dict[str, Any]) -> tuple[object, object]:
    """What counts of accuracy: its errors; and what is read."""
    known = [one.known for one in AccuracyAnswer.model_validate(made).synchronisations]
    return made["synchronisations"][0]["known"], known


# A pair has two ranks: two whole numbers and a time for both.
MADE = {
    "network": (matched, pairs, MATCHINGS * (2 * 16 / 3 + 32 / 3) / 2),
    "accuracy": (judged, errors, 2 * WAITS * 32 / 3),
}
"""By study: the made-up answer, what is looked at, and the bytes of a rank in arrays."""


@pytest.mark.parametrize("study", MADE)
def test_results_of_many_ranks_take_half_the_bytes_and_are_the_same(study: str) -> None:
    """From 1,024 ranks to 16,384 each number takes 10.7 bytes, that of a rank 5.3; both forms are read alike."""
    make, look, expected = MADE[study]
    sizes = {}
    for n in RANKS:
        as_lists, as_arrays = look(make(n)), look(packed(make(n)))
        assert as_lists[1] == as_arrays[1]
        sizes[n] = [len(json.dumps(one[0])) for one in (as_lists, as_arrays)]
    a_rank = [(sizes[RANKS[1]][form] - sizes[RANKS[0]][form]) / (RANKS[1] - RANKS[0]) for form in (0, 1)]
    print(f"{study}: {a_rank[0]:.0f} bytes a rank as lists, {a_rank[1]:.1f} as arrays; {sizes}")
    assert a_rank[1] == pytest.approx(expected, abs=0.1)
    assert a_rank[1] < 0.6 * a_rank[0]


def only(matrix: Sequence[Sequence[float | None]], ranks: Sequence[int]) -> list[list[float | None]]:
    """The columns of some ranks."""
    return [[row[rank] for rank in ranks] for row in matrix]


def test_ranks_that_were_not_checked_are_not_written() -> None:
    """A hundredth of the ranks: a hundredth of the bytes, the same steps as of a list with nulls."""
    n, checked = 16384, list(range(100, 16384, 100))
    rows: list[list[float | None]] = [
        [error if rank in set(checked) else None for rank, error in enumerate(numbers(n, wait))] for wait in (0, 1)
    ]
    whole = accuracy(n, [0, 1], [("hca3", 1.0, 9, rows, rows)], truth="ping-pong")
    whole["checked"] = checked
    (one,) = whole["synchronisations"]
    few = {
        **whole,
        "synchronisations": [{**one, "ping_pong": {k: only(v, checked) for k, v in one["ping_pong"].items()}}],
    }
    runs = [AccuracyLaunches((AccuracyAnswer.model_validate(made),)).runs for made in (whole, few)]
    assert runs[0] == runs[1]
    assert [len(step.ranks) for step in runs[1][0].steps] == [len(checked)] * 2
    before, after = (len(json.dumps(made["synchronisations"][0]["ping_pong"])) for made in (whole, few))
    print(f"{before} bytes with nulls, {after} without")
    assert after < 0.05 * before


def test_many_exchanges_are_read_from_arrays() -> None:
    """A column that says null for an exchange is refused in both forms."""
    columns = {name: numbers(300, seed) for seed, name in enumerate(("rtt_s", "offset_s", "elapsed_s"))}
    ranks = {"client": 1, "reference": 0, "client_host": 0, "reference_host": 0}
    made = head("rtt", 2, pairs=[{**ranks, **columns}])
    (listed,), (unpacked,) = (RoundTripAnswer.model_validate(one).pairs for one in (made, packed(made)))
    for name, column in columns.items():
        assert getattr(listed, name).tolist() == getattr(unpacked, name).tolist() == column
    columns["offset_s"][7] = float("nan")
    lost = head("rtt", 2, pairs=[{**ranks, **columns}])
    with pytest.raises(ValueError, match="an exchange without its time"):
        RoundTripAnswer.model_validate(packed(lost))


def test_series_of_ranks_are_columns_or_the_objects_of_earlier_versions() -> None:
    """Names once, and not once a rank."""
    old = drift({rank: [0.0, 1.0, 2.0] for rank in range(1, 1000)})
    old["n_ranks"], old["places"]["host"] = 1000, [0] * 1000
    new = {**old}
    for name in ("series", "fits"):
        new[name] = {field: [one[field] for one in old[name]] for field in old[name][0]}
    assert DriftAnswer.model_validate(packed(new)).series == DriftAnswer.model_validate(old).series
    assert DriftAnswer.model_validate(packed(new)).fits == DriftAnswer.model_validate(old).fits
    before, after = (len(json.dumps([made["series"], made["fits"]])) / 999 for made in (old, packed(new)))
    print(f"{before:.0f} bytes a rank, {after:.0f} in columns")
    assert after < 0.6 * before
