"""Folders in format 1, measured by version 0.1.0 (tests/data/format1/README.md): readers still give their figures.

Only the public command line and `import ictus` are used. What is expected is computed here, from the raw files.
"""

import json
import shutil
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.command_line import Ictus

import ictus

DATA = Path(__file__).parents[1] / "data" / "format1"
CAMPAIGNS = (
    "campaign",
    "resumed",
    "check",
    "check/nrep",
    "nrep",
    "reproduce/trials/01/ictus",
    "reproduce/trials/02/ictus",
)


def folder(name: str, tmp_path: Path) -> Path:
    """A copy of a folder, as commands put pages beside what they read."""
    return Path(shutil.copytree(DATA / name, tmp_path / name))


def rows(run: Ictus, *words: str | Path) -> list[dict[str, Any]]:
    """The rows of a command's --json."""
    done = run(*words, "--json")
    assert done.code == 0, done.err
    found: list[dict[str, Any]] = json.loads(done.out)["rows"]
    return found


@pytest.fixture
def run(ictus: Ictus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ictus:
    """The command line, away from the caches of this account."""
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path / "no-cache"))
    return ictus


def document(path: Path) -> dict[str, Any]:
    """A JSON file."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def launches(campaign: Path) -> list[Path]:
    """The folders that the journal says were accepted, in order of slots."""
    events = [json.loads(line) for line in (campaign / "journal.jsonl").read_text("utf-8").splitlines()]
    kept = {entry["slot"]: entry["folder"] for entry in events if entry["event"] in ("accepted", "contended")}
    return [campaign / kept[slot] for slot in sorted(kept)]


def label(launch: Path) -> str:
    """The library of a launch folder."""
    return launch.name.split("-", 1)[1]


def valid(launch: Path, case_id: int) -> NDArray[np.float64]:
    """Makespans, seconds, of a case's valid samples; local maxima where clocks are not synchronised."""
    samples = np.load(launch / "samples.npy")
    one = samples[(samples["case_id"] == case_id) & (samples["flags"] == 0)]
    return np.asarray(one["local_max"] if np.isnan(one["makespan"]).all() else one["makespan"], dtype=np.float64)


def fenced(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """What lies within Tukey's fences."""
    low, high = np.quantile(values, (0.25, 0.75))
    reach = 1.5 * (high - low)
    return values[(values >= low - reach) & (values <= high + reach)]


def case_ids(campaign: Path, **factors: Any) -> list[int]:
    """The cases of campaign.json that have these factors; a text fits every member of that name."""
    return [
        case["case_id"]
        for case in document(campaign / "campaign.json")["cases"]
        if all(str(case[name]).split("(")[0] == str(value).split("(")[0] for name, value in factors.items())
    ]


def one_case(campaign: Path, **factors: Any) -> int:
    """The only case that has these factors."""
    (found,) = case_ids(campaign, **factors)
    return found


def factors_of(row: dict[str, Any]) -> dict[str, Any]:
    """Which case of the campaign a row is about."""
    return {name: row["case"][name] for name in ("operation", "size_bytes", "n", "procsync")}


@pytest.mark.parametrize("name", CAMPAIGNS)
def test_a_campaign_loads_with_all_its_samples(name: str, tmp_path: Path) -> None:
    """As many launches and samples, and the same sum of makespans, as the raw files have."""
    place = folder(name, tmp_path)
    raw = [np.load(launch / "samples.npy") for launch in launches(place)]
    frame = ictus.load(place).samples.collect()
    assert frame["slot"].n_unique() == len(raw) == len(list((place / "launches").iterdir()))
    assert frame.height == sum(map(len, raw))
    expected = np.nansum(np.concatenate([part["makespan"] for part in raw]))
    assert float(np.nansum(frame["makespan"].to_numpy())) == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize("name", ["campaign", "nrep"])
def test_show_gives_the_median_of_launch_medians(name: str, tmp_path: Path, run: Ictus) -> None:
    """Every row, with Tukey's fences and without."""
    place = folder(name, tmp_path)
    for options, keep in (((), fenced), (("--outliers", "off"), lambda values: values)):
        shown = rows(run, "show", place, *options)
        assert len(shown) == len(document(place / "campaign.json")["cases"]) * len({row["mpi"] for row in shown})
        for row in shown:
            case = one_case(place, **factors_of(row))
            samples = [valid(launch, case) for launch in launches(place) if label(launch) == row["mpi"]]
            medians = [np.median(keep(values)) for values in samples]
            assert row["n_launches"] == len(medians)
            assert row["valid"] == sum(map(len, samples))
            assert row["median_s"] == pytest.approx(float(np.median(medians)), rel=1e-12)


def test_compare_gives_the_ratio_by_hodges_and_lehmann(tmp_path: Path, run: Ictus) -> None:
    """The median of all quotients of launch medians; three launches cannot decide eight cases."""
    place = folder("campaign", tmp_path)
    compared = rows(run, "compare", place, "mpich", "openmpi")
    assert len(compared) == len(document(place / "campaign.json")["cases"]) == 8
    for row in compared:
        case = one_case(place, **factors_of(row))
        a, b = (
            [np.median(fenced(valid(launch, case))) for launch in launches(place) if label(launch) == mpi]
            for mpi in ("mpich", "openmpi")
        )
        assert row["ratio"] == pytest.approx(float(np.median(np.divide.outer(a, b))), rel=1e-9)
        assert row["verdict"] == "cannot-decide"
        assert row["p_greater"] == pytest.approx(_rank_sum_greater(a, b))
    result = ictus.compare(ictus.load(place), "mpich", "openmpi")
    assert [one["ratio"] for one in result.to_frame().to_dicts()] == [row["ratio"] for row in compared]


def _rank_sum_greater(a: list[Any], b: list[Any]) -> float:
    """Exact chance of a rank sum of 3 of 6 values that is as large as that of `a`, which has no ties with `b`."""
    ordered = sorted([*a, *b])
    seen = sum(ordered.index(value) for value in a)
    sums = [sum(choice) for choice in combinations(range(len(ordered)), len(a))]
    return sum(one >= seen for one in sums) / len(sums)


def test_raw_stamps_give_the_local_durations(tmp_path: Path) -> None:
    """Ticks over the frequency of launch.json: the longest of any rank is the sample's local_max."""
    place = folder("campaign", tmp_path)
    for launch in launches(place):
        raw, samples = np.load(launch / "raw.npy"), np.load(launch / "samples.npy")
        hertz = document(launch / "launch.json")["clock"]["frequency_hz"]
        ranks = document(launch / "launch.json")["n_ranks"]
        assert len(raw) == ranks * len(samples)
        longest: dict[tuple[int, int], float] = {}
        for record in raw:
            key = (int(record["case_id"]), int(record["repetition"]))
            longest[key] = max(longest.get(key, 0.0), float(record["end"] - record["start"]) / hertz)
        expected = [longest[int(sample["case_id"]), int(sample["repetition"])] for sample in samples]
        assert samples["local_max"] == pytest.approx(expected, rel=1e-6)


def test_a_resumed_campaign_has_every_launch_once(tmp_path: Path, run: Ictus) -> None:
    """The journal begins twice; the launch that Ctrl-C ended lies aside; both values of the variable are compared."""
    place = folder("resumed", tmp_path)
    events = [json.loads(line) for line in (place / "journal.jsonl").read_text("utf-8").splitlines()]
    assert [entry["resumed"] for entry in events if entry["event"] == "start"] == [False, True]
    assert [entry["event"] for entry in events].count("stopped") == 1
    assert len(list((place / "aside").iterdir())) == 1
    slots = len(document(place / "schedule.json")["slots"])
    assert len(launches(place)) == slots == 6
    compared = rows(run, "compare", place, "--by", "env.ICTUS_SITE")
    assert {(row["a"], row["b"], row["n_a"], row["n_b"]) for row in compared} == {("a", "b", 3, 3)}
    variants = [document(launch / "launcher.json")["algorithm"]["name"] for launch in launches(place)]
    case = one_case(place, **factors_of(compared[0]))
    medians = [np.median(fenced(valid(launch, case))) for launch in launches(place)]
    a = [one for one, name in zip(medians, variants, strict=True) if name.endswith("=a")]
    assert compared[0]["median_a_s"] == pytest.approx(float(np.median(a)), rel=1e-12)


def test_check_judges_what_was_measured(tmp_path: Path, run: Ictus) -> None:
    """Scatter is slower than its mock-up in all six launches: p is 2 to the -6, by Holm twice that, so violated."""
    place = folder("check", tmp_path)
    before = (place / "journal.jsonl").read_bytes()
    judged = rows(run, "check", place, "--step", "analyze")
    assert (place / "journal.jsonl").read_bytes() == before
    assert len(judged) == 2
    for row in judged:
        left, right = (
            np.array([np.median(fenced(valid(launch, case))) for launch in launches(place)])
            for case in (
                one_case(place, operation=row[side], size_bytes=row["size_bytes"]) for side in ("left", "right")
            )
        )
        assert (left > right).all()
        assert (row["guideline"], row["state"], row["n_launches"]) == ("GL7", "violated", len(left))
        assert row["left_s"] == pytest.approx(float(np.median(left)), rel=1e-12)
        assert row["right_s"] == pytest.approx(float(np.median(right)), rel=1e-12)
        assert row["p_value"] == pytest.approx(2.0 ** -len(left))
        assert row["p_adjusted"] == pytest.approx(2 * 2.0 ** -len(left))


def test_nrep_takes_the_largest_count_of_the_launches(tmp_path: Path, run: Ictus) -> None:
    """A launch's count is how many valid samples it stopped at."""
    place = folder("nrep", tmp_path)
    for row in rows(run, "nrep", place):
        case = one_case(place, operation=row["case"]["operation"], size_bytes=row["case"]["size_bytes"])
        counts = [len(valid(launch, case)) for launch in launches(place)]
        assert [one["nrep"] for one in row["launches"]] == counts
        assert row["nrep"] == max(counts)


def test_clock_errors_are_those_of_the_document(tmp_path: Path, run: Ictus) -> None:
    """Largest error of rank 1 at each wait, median over repeats; both by the command and from Python."""
    place = folder("clocks-accuracy", tmp_path)
    (launch,) = document(place / "clocks.json")["launches"]
    for row in rows(run, "clocks", "accuracy", place):
        index = [one["name"] for one in launch["algorithms"]].index(row["algorithm"])
        done = [one for one in launch["synchronisations"] if one["algorithm"] == index]
        wait = launch["waits_s"].index(row["wait_s"])
        errors = [max(abs(value) for value in one["known"]["error_s"][wait][1:]) for one in done]
        assert row["repeats"] == len(done) == 2
        assert row["max_s"] == pytest.approx(float(np.median(errors)), rel=1e-12)
        assert row["messages"] == float(np.median([one["messages"] for one in done]))
    specs = [one["spec"] for one in launch["algorithms"]]
    assert [one.algorithm for one in ictus.clock_errors(ictus.load_clocks(place))] == specs


def test_drift_is_the_line_through_the_series(tmp_path: Path, run: Ictus) -> None:
    """Slope and change of rank 1, by least squares."""
    place = folder("clocks-drift", tmp_path)
    (launch,) = document(place / "clocks.json")["launches"]
    (series,) = launch["series"]
    (row,) = rows(run, "clocks", "drift", place)
    assert (row["rank"], row["samples"]) == (1, len(series["at_s"]))
    assert row["slope"] == pytest.approx(float(np.polyfit(series["at_s"], series["offset_s"], 1)[0]), rel=1e-6)
    assert row["span_s"] == pytest.approx(series["at_s"][-1] - series["at_s"][0], rel=1e-12)


def test_skews_are_those_of_the_document(tmp_path: Path, run: Ictus) -> None:
    """The largest of all launches, and how many entries were valid."""
    place = folder("skew", tmp_path)
    documents = document(place / "skew.json")["launches"]
    for row in rows(run, "barriers", "skew", place):
        starts = [one for launch in documents for one in launch["starts"] if one["spec"] == row["spec"]]
        skews = np.concatenate([one["measured"]["exit"]["skew_s"] for one in starts])
        assert row["launches"] == len(starts) == 2
        assert row["valid"] == len(skews) == sum(one["valid"] for one in starts)
        assert row["skew_max_s"] == pytest.approx(float(skews.max()), rel=1e-12)


def test_overlap_reads_the_phases(tmp_path: Path, run: Ictus) -> None:
    """Blocking time: the median over launches of the medians of the valid repetitions of run 0."""
    place = folder("overlap", tmp_path)
    phases = [np.load(path) for path in sorted(place.glob("launches/*/phases.npy"))]
    blocking = [np.median(one["total"][(one["run"] == 0) & (one["flags"] == 0)]) for one in phases]
    found = rows(run, "overlap", place)
    assert len(found) == 2
    for row in found:
        assert row["launches"] == len(phases) == 2
        assert row["blocking_s"] == pytest.approx(float(np.median(blocking)), rel=1e-9)


def test_reproduce_gives_the_difference_of_its_trials(tmp_path: Path, run: Ictus) -> None:
    """A trial's result is the mean over its launches' medians."""
    place = folder("reproduce", tmp_path)
    (row,) = rows(run, "reproduce", place)
    trials = sorted(place.glob("trials/*/ictus"))
    results = [float(np.mean([np.median(fenced(valid(one, 0))) for one in launches(trial)])) for trial in trials]
    assert row["results_s"] == pytest.approx(results, rel=1e-12)
    assert row["diff"] == pytest.approx(max(results) / min(results) - 1, rel=1e-6)


@pytest.mark.parametrize("name", ["campaign", "resumed"])
def test_a_page_is_made_of_it(name: str, tmp_path: Path, run: Ictus) -> None:
    """It names every operation and library."""
    place = folder(name, tmp_path)
    page = tmp_path / "page.html"
    done = run("report", place, "--output", page)
    assert done.code == 0, done.err
    text = page.read_text("utf-8")
    plan = document(place / "campaign.json")
    assert all(case["operation"] in text.lower() for case in plan["cases"])
    assert all(f"{library['flavour']} {library['version']}" in text for library in plan["libraries"])


def test_a_launch_with_torn_samples_is_left_out_when_told_to(tmp_path: Path, run: Ictus) -> None:
    """One byte less than its header says, in a folder whose derived tables are gone."""
    place = folder("campaign", tmp_path)
    launch = launches(place)[0]
    for derived in launch.glob("*.parquet"):
        derived.unlink()
    whole = (launch / "samples.npy").read_bytes()
    (launch / "samples.npy").write_bytes(whole[:-1])
    refused = run("show", place)
    assert (refused.code, f"launch {launch.name}: " in refused.err) == (3, True)
    shown = run("show", place, "--json", "--leave-out-damaged")
    assert shown.code == 0, shown.err
    warnings = json.loads(shown.out)["warnings"]
    assert any(f"left out: launch {launch.name}" in one and "samples.npy is torn" in one for one in warnings)
    left = [path for path in launches(place) if path != launch]
    assert ictus.load(place, leave_out_damaged=True).samples.collect().height == sum(
        len(np.load(path / "samples.npy")) for path in left
    )


@pytest.mark.parametrize(("command", "file"), [("clocks accuracy", "clocks.json"), ("barriers skew", "skew.json")])
def test_a_document_that_ends_early_is_refused(command: str, file: str, tmp_path: Path, run: Ictus) -> None:
    """By its name, and not taken for an empty one."""
    place = folder({"clocks.json": "clocks-accuracy", "skew.json": "skew"}[file], tmp_path)
    text = (place / file).read_text("utf-8")
    (place / file).write_text(text[: len(text) // 2], "utf-8")
    torn = run(*command.split(), place)
    assert torn.code == 3
    assert file in torn.err
