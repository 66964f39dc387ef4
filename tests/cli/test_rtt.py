"""`ictus clocks rtt`: a kept study shown again, and what is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command_line import Ictus

from ictus.model.errors import MeasurementError
from ictus.studies.rtt.record import RoundTripDocument

US = 1e-6


def document() -> dict[str, Any]:
    """Three pairs as `ictus-bench clocks rtt` writes them, of which one is slow."""
    random = np.random.default_rng(1)
    pairs = []
    for reference, client in ((0, 1), (0, 2), (1, 2)):
        rtt = (2 + 8 * (client == 2)) * US * (1 + random.exponential(0.1, 200))
        columns = {"rtt_s": rtt, "offset_s": rtt * 0, "elapsed_s": np.cumsum(rtt)}
        own = {name: column.tolist() for name, column in columns.items()}
        pairs.append({"client": client, "reference": reference, "client_host": 0, "reference_host": 0, **own})
    launch = json.loads((Path(__file__).parents[1] / "data/format1/clocks-drift/clocks.json").read_text())["launches"][
        0
    ]
    return {"format": 1, "study": "rtt", "launches": [{**launch, "study": "rtt", "exchanges": 200, "pairs": pairs}]}


@pytest.mark.figures
def test_a_kept_study_is_shown_again_and_as_rows(ictus: Ictus, tmp_path: Path) -> None:
    """Tables, rows with the quality of offsets, and a page of the same numbers."""
    (tmp_path / "rtt.json").write_text(json.dumps(document()))
    shown = ictus("clocks", "rtt", "rtt.json", "-o", "kept")
    assert shown.code == 0, shown.err
    assert "Round trips  200 exchanges a pair" in shown.out
    assert "Between ranks 0, 1 a round trip takes 2." in shown.out
    rows = json.loads(ictus("clocks", "rtt", "kept", "--json").out)["rows"]
    expected = np.median(document()["launches"][0]["pairs"][0]["rtt_s"])
    assert rows[0]["median_s"] == pytest.approx(expected, rel=1e-12)
    assert [one["n"] for one in rows[0]["quality"]][-1] == 200
    page = (tmp_path / "kept/report.html").read_text()
    assert "How long round trips take" in page
    assert page.count("<svg") >= 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--of", "0,x"), "--of '0,x': 'x' is not a rank; expected numbers from 0 on"),
        (("--of", "0,2"), "--of '2': ranks are 0 to 1"),
        (("--of", "1"), "--of '1': a pair takes two ranks"),
        (
            ("--platform", "flat", "-n", "64", "--launches", "4"),
            "--exchanges '1000': for all pairs of 64 ranks at most 520",
        ),
    ],
)
def test_ranks_that_cannot_be_are_refused_by_name(ictus: Ictus, words: tuple[str, ...], said: str) -> None:
    """Before anything is looked for or built."""
    answer = ictus("clocks", "rtt", *words)
    assert (answer.code, said in answer.err) == (2, True), answer.err


def test_a_damaged_study_names_the_file() -> None:
    """A missing key, and columns of different lengths."""
    broken = document()
    del broken["launches"][0]["pairs"][1]["offset_s"]
    with pytest.raises(MeasurementError, match=r"there\.json: key 'launches\.0\.pairs\.1\.offset_s' is missing"):
        RoundTripDocument.parse(broken, "there.json")
    uneven = document()
    uneven["launches"][0]["pairs"][0]["rtt_s"].pop()
    with pytest.raises(MeasurementError, match=r"there\.json: \'launches\.0\.pairs\.0\': pair 0, 1: columns of"):
        RoundTripDocument.parse(uneven, "there.json")
