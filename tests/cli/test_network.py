"""`ictus network`: a kept study shown again, as rows and as a page, and what is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command_line import Ictus
from tests.studies.network.test_loggp import SIZES, Link, N, trains

from ictus.model.errors import MeasurementError
from ictus.studies.network.record import NetworkDocument

INSIDE = Link(latency=0.3e-6, overhead=0.1e-6, gap=0.2e-6, per_byte=0.06e-9, noise=1e-9)
BETWEEN = Link(latency=2e-6, overhead=0.4e-6, gap=0.9e-6, per_byte=0.1e-9, noise=1e-9)
VOLUME = 8 << 20
GIB = 1 << 30


def document(launches: int = 3) -> dict[str, Any]:
    """Four ranks on two hosts. A pair alone has 8 GiB/s inside a host, 4 between; in matchings 8 and 1. Of quanta of
    1 ms, rank 3 loses a twentieth, the others a thousandth.
    """
    kept = json.loads((Path(__file__).parents[1] / "data/format1/clocks-drift/clocks.json").read_text())["launches"][0]
    rank, host = kept["ranks"][0], kept["hosts"][0]
    common = {
        **kept,
        "study": "network",
        "n_ranks": 4,
        "warnings": [],
        "places": {name: [0, 0, 2, 2] for name in ("host", "socket", "domain")},
        "ranks": [{**rank, "rank": number, "host": f"n{1 + number // 2}"} for number in range(4)],
        "hosts": [{**host, "host": name} for name in ("n1", "n2")],
        "sizes_bytes": [int(size) for size in SIZES],
        "train": N,
        "stream_bytes": 1 << 20,
        "stream": 8,
    }
    made = []
    for number in range(launches):
        links = []
        for place, (sender, receiver, link, rate) in enumerate(((0, 1, INSIDE, 8), (0, 2, BETWEEN, 4))):
            found = trains(lambda _, link=link: link, 10 * number + place, repeats=10)
            names = ("single_s", "train_s", "delayed_s", "waited_s")
            columns = {name: getattr(found, name).tolist() for name in names}
            links.append({"from": sender, "to": receiver, **columns, "stream_s": [VOLUME / (rate * GIB)] * 3})
        matchings = [
            {"from": [0, 2], "to": [1, 3], "stream_s": [VOLUME / (8 * GIB)] * 2},
            {"from": [0, 3], "to": [2, 1], "stream_s": [VOLUME / (0.5 * GIB), VOLUME / (1.5 * GIB)]},
        ]
        mean = [1e-3 / (1 - lost) for lost in (0.001, 0.001, 0.001, 0.05)]
        noise = {
            "quantum_s": 1e-3, "quanta": 100, "units": 5000, "least_s": [1e-3] * 4, "median_s": [1e-3] * 4,
            "mean_s": mean, "p99_s": mean, "largest_s": [1.1e-3, 1.1e-3, 1.1e-3, 6e-3],
        }  # fmt: skip
        made.append({**common, "links": links, "matchings": matchings, "noise": noise})
    return {"format": 1, "study": "network", "launches": made}


def test_a_kept_study_is_shown_again_and_as_rows(ictus: Ictus, tmp_path: Path) -> None:
    """Parameters of both links as they were made, bandwidths and losses by hand."""
    (tmp_path / "network.json").write_text(json.dumps(document()))
    found = json.loads(ictus("network", "network.json", "--json").out)
    for row, link, kind in zip(found["rows"], (INSIDE, BETWEEN), ("inside a host", "between hosts"), strict=True):
        assert row["kind"] == kind
        assert row["latency_s"] == pytest.approx(link.latency, rel=0.02)
        assert row["overhead_s"] == pytest.approx(link.overhead, rel=0.02)
        assert row["gap_s"] == pytest.approx(link.gap, rel=0.02)
        assert row["gap_per_byte_s"] == pytest.approx(link.per_byte, rel=0.02)
        assert row["launches"] == 3
    inside, between = found["bisection"]
    assert (inside["share"], between["share"]) == pytest.approx((1.0, 0.25), rel=1e-9)  # (0.5 + 1.5) / 2 of 4 GiB/s
    assert between["effective_bytes_per_s"] == pytest.approx(GIB, rel=1e-9)
    assert between["slowest_bytes_per_s"] == pytest.approx(0.5 * GIB, rel=1e-9)
    assert [row["lost"] for row in found["noise"]] == pytest.approx([0.001, 0.001, 0.001, 0.05], rel=1e-9)
    assert found["noise"][3]["largest_s"] == pytest.approx(5e-3)
    said = " ".join(found["warnings"])
    assert "matchings have 25 % of a lone pair's bandwidth between hosts" in said
    assert "1 of 4 ranks lose more than 1.00 % of their time to others (rank 3)" in said


def test_links_are_told_by_what_ranks_share_and_matchings_by_a_pair_of_their_own_alone(
    ictus: Ictus, tmp_path: Path
) -> None:
    """A link that one launch has not measured has the launches that did; a lone pair of a matching has 2 GiB/s between
    hosts, whatever links had.
    """
    made = document()
    for launch in made["launches"]:
        for link, shared in zip(launch["links"], ("cache", "switch"), strict=True):
            link["shared"] = shared
        for matching, rate in zip(launch["matchings"], (8, 2), strict=True):
            matching["alone_s"] = VOLUME / (rate * GIB)
    made["launches"][1]["links"][1]["shared"] = "network"  # the batch system put it elsewhere
    (tmp_path / "network.json").write_text(json.dumps(made))
    found = json.loads(ictus("network", "network.json", "--json").out)
    told = [(row["kind"], row["launches"]) for row in found["rows"]]
    assert told == [("behind one cache", 3), ("behind one switch", 2)]
    inside, between = found["bisection"]
    assert (inside["share"], between["share"]) == pytest.approx((1.0, 0.5), rel=1e-9)


@pytest.mark.figures
def test_the_terminal_and_the_page_say_the_same(ictus: Ictus, tmp_path: Path) -> None:
    """Answer first, then tables; the page has three figures."""
    (tmp_path / "network.json").write_text(json.dumps(document()))
    shown = ictus("network", "network.json", "-o", "kept")
    assert shown.code == 0, shown.err
    assert "In random matchings a pair between hosts has 1.00 GiB/s, 25 % of a lone pair's." in shown.out
    assert "5.00 % of a rank's time (rank 3), at most 5.00 ms at once" in shown.out.replace("\n", " ")
    page = (tmp_path / "kept/report.html").read_text()
    assert "In random matchings a pair between hosts has 1.00 GiB/s" in page
    assert page.count("<svg") >= 3
    again = ictus("network", "kept", "--csv")
    assert len(again.out.splitlines()) == 1 + 2


def test_without_noise_matchings_or_sizes_enough_the_rest_is_shown(ictus: Ictus, tmp_path: Path) -> None:
    """Of three sizes no line is taken: round trips alone; two launches have an interval, one has none."""
    made = document(1)
    (launch,) = made["launches"]
    launch["sizes_bytes"] = launch["sizes_bytes"][:3]
    for link in launch["links"]:
        link |= {name: link[name][:3] for name in ("single_s", "train_s", "delayed_s", "waited_s")}
    launch["matchings"] = []
    launch["noise"] |= {name: [] for name in ("least_s", "median_s", "mean_s", "p99_s", "largest_s")}
    (tmp_path / "network.json").write_text(json.dumps(made))
    shown = ictus("network", "network.json", "-o", "kept")
    assert shown.code == 0, shown.err
    assert "A round trip inside a host takes" in shown.out
    assert "bisection" not in shown.out
    assert json.loads(ictus("network", "kept", "--json").out)["rows"] == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda one: one["links"][0]["train_s"].pop(), "links.0.train_s"),
        (lambda one: one["links"][1]["single_s"][2].pop(), "links.1.single_s.2"),
        (lambda one: one["links"][1].update(to=9), "links.1: there is no rank 9"),
        (lambda one: one["matchings"][0]["stream_s"].pop(), "matchings.0.stream_s"),
        (lambda one: one["noise"]["mean_s"].pop(), "noise.mean_s"),
    ],
)
def test_lists_that_do_not_fit_together_are_named(change: Any, said: str) -> None:
    """By their place in the file."""
    made = document(1)
    change(made["launches"][0])
    with pytest.raises(MeasurementError, match=said):
        NetworkDocument.parse(made, "network.json")


def test_launches_of_two_plans_are_no_study() -> None:
    """Their sizes differ."""
    made = document(2)
    made["launches"][1]["train"] = 8
    with pytest.raises(MeasurementError, match="launches of one study have the same ranks, sizes and trains"):
        NetworkDocument.parse(made, "network.json")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--sizes", "0,8"), "a message of a train has 1 byte or more"),
        (("--stream-size", "0"), "--stream-size '0': a message has 1 byte or more"),
        (("--quantum", "2m"), "--quantum"),
        (("-n", "3", "--nodes", "2"), "cannot be shared out equally with nodes = 2"),
    ],
)
def test_what_cannot_be_measured_is_refused_by_name(ictus: Ictus, words: tuple[str, ...], said: str) -> None:
    """Before anything is looked for or built."""
    answer = ictus("network", *words)
    assert (answer.code, said in answer.err) == (2, True), answer.err


def test_a_document_is_made_of_numbers_that_json_can_hold() -> None:
    """The one above, for the fuzzer."""
    assert np.isfinite(document()["launches"][0]["links"][0]["single_s"]).all()
