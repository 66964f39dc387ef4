"""`ictus study`: what is listed, measured, judged again; worlds with a planted claim, and without."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.calibration.claims.drawn_campaign import template
from tests.command_line import Answer, run_ictus
from tests.studies.claims.known import CLAIMS, find, study_of

import ictus
from ictus.model.plan import Plan
from ictus.stats.claim_rules import Seen, no_longer_rule
from ictus.store.campaign import load
from ictus.studies.campaign_material import CampaignMaterial
from ictus.studies.claim import Claim
from ictus.studies.claim_tables import gathered_warnings
from ictus.studies.factors.contrasts import (
    LEAST_PERCENT,
    FactorContrast,
    Shows,
    any_difference,
    is_faster,
    judge_contrasts,
)
from ictus.studies.judging import accepts, unlike_plan
from ictus.studies.registry import STUDIES, StudyEntry, every_claim, named

FORMAT1 = Path(__file__).parents[2] / "data" / "format1"
TWO = ("-m", "mpich", "-m", "openmpi")


def study(name: str, world: dict[str, Any], folder: Path, *words: object) -> dict[str, Any]:
    """The row of a quick study in a simulated world."""
    folder.mkdir(exist_ok=True)
    scenario = folder / "world.json"
    scenario.write_text(json.dumps(world))
    answer = _run(name, scenario, folder, *words)
    assert answer.code == 0, answer.err
    (row,) = json.loads(answer.out)["rows"]
    assert (folder / "study" / "study.html").is_file() == (row["folder"] is not None)
    return dict(row)


def _run(name: str, scenario: Path, folder: Path, *words: object) -> Answer:
    simulated = ("--launcher", "simulated", "--scenario", scenario, "--seed", 3)
    return run_ictus("study", name, "--quick", *simulated, "-o", folder / "study", "--json", *words)


NOISE = {"noise": 0.03}
ARRIVAL = "arrival(pattern="
WORLDS = [
    ("run-to-run", {**NOISE, "launch_spread": 0.04}, "holds"),
    ("run-to-run", {"noise": 0.005}, "does not hold"),
    ("mpirun-factor", {**NOISE, "launch_spread": 0.04}, "holds"),
    ("mpirun-factor", {**NOISE, "launch_spread": 0.0}, "does not hold"),
    ("pipelining", {**NOISE, "pipelining": 0.5}, "holds"),
    ("pipelining", NOISE, "does not hold"),
    ("window-barrier", {**NOISE, "procsync_factors": {"barrier": 1.3}}, "holds"),
    ("window-barrier", NOISE, "does not hold"),
    ("cache", NOISE, "does not hold"),
    ("local-global", {**NOISE, "local_shares": {"barrier": 0.7}}, "holds"),
    ("local-global", NOISE, "does not hold"),
    ("skew-bcast", {**NOISE, "procsync_factors": {f"{ARRIVAL}asc": 0.6, f"{ARRIVAL}desc": 3.0}}, "holds"),
    ("skew-bcast", {**NOISE, "procsync_factors": {f"{ARRIVAL}desc": 3.0}}, "does not hold"),
    ("linear-barrier", {**NOISE, "procsync_factors": {"barrier(algorithm=linear": 0.8}}, "holds"),
    ("linear-barrier", {**NOISE, "procsync_factors": {"barrier(algorithm=linear": 1.25}}, "does not hold"),
    ("harmonize-reduce", {**NOISE, "procsync_factors": {"barrier": 0.6}}, "holds"),
    ("harmonize-bcast", {**NOISE, "procsync_factors": {"barrier": 1.8}}, "holds"),
    ("harmonize-allreduce", NOISE, "does not hold"),
    ("harmonize-scatter-gather", NOISE, "holds"),
    ("harmonize-scatter-gather", {**NOISE, "procsync_factors": {"barrier": 3.0}}, "does not hold"),
]
GROWING = {"4": 1.0, "64": 2.0}
NUMBERS = [
    ({**NOISE, "process_factors": GROWING, "mean_shares": {"4": 0.3, "64": 0.05}}, "holds"),
    ({**NOISE, "process_factors": GROWING, "mean_shares": {"4": 0.3, "64": 0.3}}, "does not hold"),
    ({**NOISE, "process_factors": {"64": 0.5}, "mean_shares": {"4": 0.3, "64": 0.05}}, "does not hold"),
]


@pytest.mark.parametrize(("world", "seen"), NUMBERS)
def test_a_linear_reduce_is_judged_by_both_halves(world: dict[str, Any], seen: str, tmp_path: Path) -> None:
    """An average that falls while the longest grows; of one number of processes the reason is said."""
    row = study("linear-reduce", world, tmp_path, "-m", "mpich", "-n", "4,64")
    assert row["seen"] == seen, row
    alone = study("linear-reduce", world, tmp_path / "alone", "-m", "mpich")
    assert (alone["seen"], "one number of processes" in alone["because"]) == ("cannot be seen here", True)


@pytest.mark.few(8)
@pytest.mark.parametrize(("name", "world", "seen"), WORLDS)
def test_a_planted_claim_is_seen_and_a_missing_one_is_not(
    name: str, world: dict[str, Any], seen: str, tmp_path: Path
) -> None:
    """By the same command, in worlds that differ in nothing else."""
    row = study(name, world, tmp_path, "-m", "mpich")
    assert row["seen"] == seen, row


def test_what_was_measured_is_judged_again(tmp_path: Path) -> None:
    """The same answer from the folder, on a terminal too; nothing is measured."""
    row = study("window-barrier", {**NOISE, "procsync_factors": {"barrier": 1.3}}, tmp_path, "-m", "mpich")
    again = run_ictus("study", "window-barrier", tmp_path / "study", "--json")
    assert json.loads(again.out)["rows"] == [row]
    shown = " ".join(run_ictus("study", "window-barrier", tmp_path / "study").out.split())
    assert shown.startswith("Medians by windows and by barriers differ: holds: 2 of 2")
    assert "Judged by: rank tests that one side takes less by 5 % or more" in shown
    page = (tmp_path / "study" / "study.html").read_text("utf-8")
    legend = page.partition('<ul class="legend">')[2].partition("</ul>")[0]
    assert ("window" in legend, "barrier(library)" in legend, "mpich" in legend) == (True, True, False)
    refused = run_ictus("study", "window-barrier", tmp_path / "study", "--launches", "5")
    assert refused.code == 2
    assert "--launches" in refused.err


def test_a_difference_counts_only_as_the_paper_means_it() -> None:
    """A cold cache has to be the slower one: that warm and cold differ is not enough, whichever side comes first. A
    difference that is proven and less than what matters is none.
    """
    ones = np.exp(0.001 * np.arange(1, 11))

    def seen(ratio: float, shows: Shows) -> Seen:
        sides = {"warm": np.ones(10), "cold-memset(1 MiB)": ratio * ones}
        most = 1 / (1 + LEAST_PERCENT / 100)
        found = [
            FactorContrast({}, a, b, 1.0, no_longer_rule(sides[a], sides[b], most, paired=True))
            for a, b in permutations(sides)
        ]
        return judge_contrasts(found, [shows]).seen

    warm = is_faster("warm")
    assert (seen(1.2, warm), seen(0.8, warm), seen(0.8, any_difference)) == (
        Seen.HOLDS, Seen.DOES_NOT_HOLD, Seen.HOLDS
    )  # fmt: skip
    assert seen(0.97, any_difference) is seen(0.97, warm) is Seen.DOES_NOT_HOLD
    assert no_longer_rule(np.ones(10), 0.97 * ones, 1.0, paired=True).refuted


def test_a_cold_cache_that_is_faster_is_no_finding(tmp_path: Path) -> None:
    """The study of the cache itself asks for the direction: the same campaign, one side made quicker."""
    folder = Path(study("cache", NOISE, tmp_path, "-m", "mpich")["folder"])
    claim = next(one for one in CLAIMS if one.name == "cache")
    campaign = load(folder)
    cold = campaign.cases.filter(pl.col("cache").str.starts_with("cold"))["case_id"].to_list()

    def seen(ratio: float) -> Seen:
        times = pl.when(pl.col("case_id").is_in(cold)).then(ratio * pl.col("value")).otherwise(pl.col("value"))
        return claim.judge(
            replace(campaign, summaries=campaign.summaries.with_columns(times.alias("value")))
        ).ruling.seen

    assert (seen(1.5), seen(0.5)) == (Seen.HOLDS, Seen.DOES_NOT_HOLD)


def test_the_least_effect_is_listed_and_told(tmp_path: Path) -> None:
    """In the list for scripts, in the sentence, and among the facts of the page."""
    rows = {row["name"]: row for row in json.loads(run_ictus("study", "list", "--json").out)["rows"]}
    assert (rows["window-barrier"]["least_percent"], rows["run-to-run"]["least_percent"]) == (5, 3)
    assert (rows["rtt"]["least_percent"], rows["rtt"]["planted"]) == (None, None)
    assert rows["runtime-drift"]["planted"].startswith("clocks drift")
    row = study("window-barrier", {**NOISE, "procsync_factors": {"barrier": 1.3}}, tmp_path, "-m", "mpich")
    assert "2 of 2 comparisons differ by 5 % or more" in row["because"]
    page = (tmp_path / "study" / "study.html").read_text("utf-8")
    assert "least effect" in page
    planted = study("runtime-drift", NOISE, tmp_path / "drift", "-m", "mpich")
    assert planted["because"].endswith("(planted: clocks drift by some 20 ppm, and only their offsets are measured)")


def test_a_study_continues_with_the_options_it_began_with(tmp_path: Path) -> None:
    """A campaign of fewer launches than the study's own: the command that continues it need not say so again."""
    words = ("-m", "mpich", "--launches", "5")
    first = study("window-barrier", NOISE, tmp_path, *words)
    again = _run("window-barrier", tmp_path / "world.json", tmp_path)
    assert again.code == 0, again.err
    assert json.loads(again.out)["rows"][0]["launches"] == first["launches"] == 5


def test_two_libraries_are_needed_to_mislead(tmp_path: Path) -> None:
    """One library: the reason is said; two that are equal, in launches that differ: single launches are wrong."""
    row = study("compare-two", NOISE, tmp_path / "one", "-m", "mpich")
    assert row["seen"] == "cannot be seen here"
    assert "mpich is the only one" in row["because"]
    row = study("compare-two", {"noise": 0.01, "launch_spread": 0.02}, tmp_path / "two", *TWO)
    assert row["seen"] == "holds", row


def test_a_campaign_of_another_claim_is_judged_with_a_warning(tmp_path: Path) -> None:
    """Its plan says otherwise how calls are started and timed; of its own claim nothing is said, nor with more of a
    size.
    """
    study("clt", NOISE, tmp_path, "-m", "mpich", "--sizes", "8,64")

    def warnings(name: str) -> list[str]:
        return list(json.loads(run_ictus("study", name, tmp_path / "study", "--json").out)["warnings"])

    foreign = "the campaign was not measured for 'run-to-run', whose plan has scheme loop(calls=100)"
    assert [text.partition(":")[0] for text in warnings("run-to-run")] == [foreign]
    assert not any("was not measured for" in text for name in ("clt", "distribution") for text in warnings(name))


@pytest.mark.parametrize(
    "name", [claim.name for claim in CLAIMS if isinstance(study_of(claim.name).material, CampaignMaterial)]
)
def test_a_claim_does_not_warn_of_its_own_campaign(name: str) -> None:
    """However its plan spells what it measures."""
    assert list(unlike_plan(find(name), template(name))) == []


def test_a_claim_of_a_platform_has_the_plan_of_that_platform() -> None:
    """Its windows are longer there: those of here are not its own."""
    claim, campaign = find("runtime-drift"), template("runtime-drift")

    def warned(values: Mapping[str, Any]) -> list[str]:
        plan = Plan.from_values({key: value for key, value in values.items() if key != "seed"})
        return list(unlike_plan(claim, replace(campaign, plan=plan)))

    place = {"n": "64", "platform": "flat"}
    assert warned({**claim.plan_of(place, quick=True), **place}) == []
    (text,) = warned({**claim.plan(True), **place})
    assert "whose plan has procsync window(size=5ms),barrier(library)" in text


def test_the_name_of_a_study_stands_for_its_claims(tmp_path: Path) -> None:
    """Each in a folder of its own, which is judged again; the study's own answer stands before the verdict."""
    words = ("--quick", "--launcher", "simulated", "--launches", "4", "-m", "mpich", "-o", tmp_path / "all", "--json")
    document = json.loads(run_ictus("study", "launches", *words).out)
    assert [row["name"] for row in document["rows"]] == ["run-to-run", "compare-two"]
    assert [row["folder"] and Path(row["folder"]).name for row in document["rows"]] == ["run-to-run", None]
    assert "mpich is the only one" in document["rows"][1]["because"]  # known before anything was measured
    assert document["answers"] == {"run-to-run": [], "compare-two": []}
    again = json.loads(run_ictus("study", "launches", tmp_path / "all", "--json").out)
    assert again["rows"] == document["rows"][:1]
    refused = run_ictus("study", "diagnosis", tmp_path / "all")
    assert (refused.code, "it has no folder of a claim of 'diagnosis', such as" in refused.err) == (2, True)
    window = tmp_path / "window"
    shown = run_ictus("study", "window_size", *words[:-2], window).out
    assert json.loads(run_ictus("study", "window_size", window, "--json").out)["answers"]["window-size"]
    sentences = " ".join(shown.split())
    assert sentences.index("window") < sentences.index("Fewer samples are invalid in long windows than in short ones: ")
    assert not sentences.startswith("Fewer samples")


def test_a_study_of_which_nothing_is_claimed_answers_as_its_command_does(tmp_path: Path) -> None:
    """From a folder; of an option that it does not have the name is said."""
    document = json.loads((FORMAT1 / "clocks-accuracy" / "clocks.json").read_text("utf-8"))
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "clocks.json").write_text(json.dumps({**document, "study": "pareto"}))
    own = run_ictus("clocks", "pareto", tmp_path / "kept", "--json").out
    assert run_ictus("study", "clock-pareto", tmp_path / "kept", "--json").out == own
    refused = run_ictus("study", "clock_pareto", "--sizes", "8")
    assert (refused.code, "--sizes: study 'clock_pareto'" in refused.err) == (2, True)


def test_python_judges_as_the_command_does(tmp_path: Path) -> None:
    """A claim gives its verdict, a study of claims one each; a wrong option is named."""
    row = study("cache", NOISE, tmp_path, "-m", "mpich")
    given = {"mpi": ["mpich"], "seed": 3}
    world = {"launcher": "simulated", "scenario": tmp_path / "world.json"}
    found = ictus.study("cache", given, tmp_path / "python", quick=True, **world)
    assert {**found.as_row(), "folder": row["folder"]} == row
    both = ictus.study("launches", {**given, "launches": 4}, tmp_path / "both", quick=True, **world)
    assert [one.claim.name for one in both] == ["run-to-run", "compare-two"]
    with pytest.raises(ictus.UsageError, match="option 'quikc'"):
        ictus.study("cache", given, quikc=True)


def test_warnings_of_several_studies_are_gathered_by_kind() -> None:
    """Each kind once, with the first study that has it and how many more have; numbers do not make a kind."""
    load = "others used {} cores beside 2 ranks: they take time; end what runs there"
    warnings = ((load.format("0.3"), "no valid sample: a; longer windows"), (load.format("0.5"),), (), ("odd",))
    found: list[Any] = [
        SimpleNamespace(claim=SimpleNamespace(name=name), warnings=own)
        for name, own in zip(("clt", "rtt", "cache", "nrep"), warnings, strict=True)
    ]
    assert gathered_warnings(found) == [
        f"clt: {load.format('0.3')} (and in 1 other study)",
        "clt: no valid sample: a; longer windows",
        "nrep: odd",
    ]
    assert gathered_warnings(found[:1]) == list(warnings[0])


def test_a_machine_without_governors_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is measured."""
    monkeypatch.setattr("ictus.mpi.governor.SYSTEM", tmp_path)
    row = study("dvfs", NOISE, tmp_path / "dvfs")
    assert row["seen"] == "cannot be seen here"
    assert "no governor to set" in row["because"]
    assert row["folder"] is None


def test_a_study_of_clocks_refuses_what_it_does_not_have(tmp_path: Path) -> None:
    """Options and worlds of campaigns, and folders of other studies; before anything is measured."""
    refused = run_ictus("study", "rtt", "--quick", "--sizes", "8", "-o", tmp_path / "rtt")
    assert (refused.code, "--sizes: study 'rtt'" in refused.err) == (2, True)
    refused = run_ictus("study", "rtt", "--quick", "--launcher", "simulated", "-o", tmp_path / "rtt")
    assert (refused.code, "--platform flat" in refused.err) == (2, True)
    refused = run_ictus("study", "rtt", tmp_path)
    assert (refused.code, "is not a study: there is no" in refused.err) == (2, True)
    assert list(tmp_path.iterdir()) == []


def test_all_studies_are_listed_and_unknown_ones_refused() -> None:
    """Each with its paper and its rule; a slip of the finger gets a hint."""
    rows = json.loads(run_ictus("study", "list", "--json").out)["rows"]
    assert [row["name"] for row in rows] == [claim.name for claim in CLAIMS]
    assert all(row["claim"].endswith(".") for row in rows)
    assert all(
        any(word in row["source"] for word in ("Fig.", "Tab.", "sec.", "abstract", "Ictus, decision")) for row in rows
    )
    assert all(row["rule"] for row in rows)
    document = json.loads(run_ictus("study", "list", "--json").out)
    assert [one["name"] for one in document["studies"]] == [one.name for one in STUDIES]
    assert {row["study"] for row in rows} <= {one.name for one in STUDIES}
    shown = run_ictus("study", "list").out
    assert all(one.question in shown for one in STUDIES)
    wrong = run_ictus("study", "pining")
    assert wrong.code == 2
    assert "did you mean 'pinning'" in wrong.err
    assert run_ictus("study", "all", ".").code == 2


@pytest.mark.parametrize(("entry", "claim"), [pair for pair in every_claim() if pair[1].simulated])
def test_what_a_claim_changes_on_a_platform_is_an_option_of_its_study(entry: StudyEntry, claim: Claim) -> None:
    """A value by another name would be passed over in silence."""
    plan = {**claim.plan(True), **claim.plan(False), **claim.when_simulated(64)}
    assert [key for key in plan if not accepts(entry.study, key)] == []


def test_every_launch_of_a_study_of_clocks_is_counted(tmp_path: Path) -> None:
    """Also where its rows take launches together."""
    document = json.loads((FORMAT1 / "clocks-accuracy" / "clocks.json").read_text("utf-8"))
    (tmp_path / "clocks.json").write_text(json.dumps({**document, "launches": 3 * document["launches"]}))
    material = named("sync-accuracy")[1][0][0].study.material
    record = material.read(tmp_path)
    assert len(record.accuracy) < 3 * len(document["launches"])
    assert material.provenance(record, tmp_path).launches == 3 * len(document["launches"])


@pytest.mark.parametrize("name", ["window-size", "window-barrier", "local-global", "harmonize-reduce", "skew-bcast"])
def test_a_claim_about_starts_needs_a_second_process(name: str, tmp_path: Path) -> None:
    """Nothing is measured, and the reason is told."""
    answer = run_ictus("study", name, "-n", "2,1", "-o", tmp_path / "none")
    assert answer.code == 0
    assert "one process has no other to wait for" in " ".join(answer.out.split())
    assert "nothing was measured, so there is no folder" in answer.err
    assert list(tmp_path.iterdir()) == []


def test_the_answer_has_the_p_value_of_the_test_that_decided(tmp_path: Path) -> None:
    """On the terminal as on the page, of the opposite test where a claim does not hold."""
    row = study("run-to-run", {"noise": 0.001}, tmp_path)
    assert row["seen"] == "does not hold"
    assert row["p_value"] > 0.5
    shown = " ".join(run_ictus("study", "run-to-run", tmp_path / "study").out.split())
    told = float(re.findall(r"; p = ([\d.e-]+)\.", shown)[0])
    assert told <= 0.05
    assert f"{told:.2g}" in (tmp_path / "study" / "study.html").read_text("utf-8")
