"""`ictus reproduce` over the simulated launcher: whole texts, arithmetic by hand, going on, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path
from statistics import mean

import pytest
from tests.cli.conftest import check_golden
from tests.command_line import Answer, Ictus

import ictus as product
from ictus.launch.launchers.simulated import Simulated
from ictus.model.case import expand
from ictus.model.design import Design, make_design
from ictus.model.plan import Plan
from ictus.model.platform import parse_platform
from ictus.model.registries import Registries
from ictus.studies.lens.suites.registry import find_look
from ictus.studies.reproduce.measuring import parts_of, suite_plan
from ictus.studies.reproduce.record import new_reproduction, slug

WORLD = {"factors": {"mpich": 1.0}, "launch_spread": 0.08, "noise": 0.05, "bandwidth": 4e9}
PLAN = ("--sizes", "8,4Ki", "--trials", "3", "--launches", "4", "--nrep", "30", "--seed", "7", "-m", "mpich")


def reproduce(ictus: Ictus, *more: str, **world: object) -> Answer:
    """A study in the folder `again`."""
    Path("world.json").write_text(json.dumps({**WORLD, **world}))
    return ictus("reproduce", "--launcher", "simulated", "--scenario", "world.json", *more, "-o", "again")


def rows_of(answer: Answer) -> dict[tuple[str, int], dict[str, object]]:
    """By way and size."""
    return {(row["way"], row["case"]["size_bytes"]): row for row in json.loads(answer.out)["rows"]}


@pytest.mark.figures
def test_tables_page_and_rows(ictus: Ictus) -> None:
    """Whole text; the same again from the folder; one page with a figure for every way; results by hand."""
    answer = reproduce(ictus, *PLAN)
    assert answer.code == 0, answer.err
    check_golden("reproduce.txt", answer.out)
    assert all(len(line) <= 100 and line == line.rstrip() for line in answer.out.splitlines())
    assert "21 launches to come: a few seconds" in answer.err
    assert "trial 3 of 3 is there" in answer.err
    page = Path("again/reproduce.html").read_text("utf-8")
    assert ictus("reproduce", "again").out == answer.out
    assert Path("again/reproduce.html").read_text("utf-8") == page
    assert page.count("result / smallest result") == 4
    evidence = json.loads(ictus("reproduce", "again", "--json").out)["evidence"]
    assert (evidence["kind"], len(evidence["times"])) == ("several campaigns", 1)
    assert evidence["sentence"].removeprefix("Evidence: ").rstrip(".") in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    check_by_hand(rows_of(ictus("reproduce", "again", "--json")))


def check_by_hand(rows: dict[tuple[str, int], dict[str, object]]) -> None:
    """Every number once more, from the campaigns that the study is made of, by another way than the product's."""
    for size in (8, 4096):
        results = []
        for trial in ("01", "02", "03"):
            campaign = product.load(f"again/trials/{trial}/ictus")
            wanted = next(row["case_id"] for row in campaign.cases.iter_rows(named=True) if row["size_bytes"] == size)
            medians = [row["median"] for row in campaign.summaries.iter_rows(named=True) if row["case_id"] == wanted]
            assert len(medians) == 4
            results.append(mean(medians))
        row = rows["ictus", size]
        assert row["results_s"] == pytest.approx(results, rel=1e-12)
        assert row["diff"] == pytest.approx(1 - min(results) / max(results), rel=1e-12)
        assert row["normalised"] == pytest.approx([one / min(results) for one in results], rel=1e-12)
        assert (row["min_s"], row["max_s"]) == pytest.approx((min(results), max(results)), rel=1e-12)
        launches = [product.load(f"again/trials/{trial}/osu").launches[0] for trial in ("01", "02", "03")]
        for osu, launch in zip(rows["osu", size]["results_s"], launches, strict=True):  # type: ignore[call-overload]
            cases = zip(launch.record.cases, launch.record.case_ranks["mean_s"], strict=True)
            case, means = next((case, own) for case, own in cases if case.size_bytes == size)
            assert (len(means), case.valid) == (2, 1000)
            assert osu == pytest.approx(mean(means), rel=1e-12)


def test_a_study_that_was_ended_goes_on_to_the_same_numbers(ictus: Ictus) -> None:
    """Stopped in the second launch of the first campaign; then the same command, and the same text as without."""
    whole = reproduce(ictus, *PLAN)
    Path("again").rename("whole")
    stopped = reproduce(ictus, *PLAN, faults={"1": ["interrupt"]})
    said = "`ictus reproduce -o again --launcher simulated --scenario world.json` continues"
    assert (stopped.code, said in stopped.err) == (3, True)
    assert not any(Path("again").glob("trials/*/ictus/launches/0001-mpich"))
    assert ictus("reproduce", "again").code == 2, "no trial is whole yet"
    gone_on = reproduce(ictus)
    assert (gone_on.code, gone_on.out) == (0, whole.out), gone_on.err
    complete = reproduce(ictus)
    assert (complete.out, "to come" in complete.err) == (whole.out, False)


def test_what_is_missing_is_said(ictus: Ictus) -> None:
    """A trial of which one part is gone does not count; the others do."""
    reproduce(ictus, *PLAN, "--lens", "none")
    Path("again/trials/02/ictus").rename("gone")
    answer = ictus("reproduce", "again", "--json")
    document = json.loads(answer.out)
    assert document["trials"] == 2
    assert {len(row["results_s"]) for row in document["rows"]} == {2}
    assert any("2 of 3 trials are complete" in text for text in document["warnings"])


def test_every_trial_and_way_draws_its_own_launches(ictus: Ictus) -> None:
    """Seeds of all campaigns differ, and follow from the study's; ways come in another order in every trial."""
    reproduce(ictus, *PLAN, "--trials", "4", "--lens", "osu,imb", "--launches", "1", "--nrep", "5", "--sizes", "8")
    seeds = [json.loads(path.read_text())["seed"] for path in Path("again").glob("*/*/*/campaign.json")]
    assert len(seeds) == len(set(seeds)) == 4 * 3
    journal = [json.loads(line) for line in Path("again/journal.jsonl").read_text().splitlines()]
    order = [one["folder"].split("/")[1:] for one in journal if one["event"] == "part" and "trials" in one["folder"]]
    ways = [[way for trial, way in order if trial == number] for number in ("01", "02", "03", "04")]
    assert all(sorted(trial) == ["ictus", "imb", "osu"] for trial in ways)
    assert len(set(map(tuple, ways))) > 1


def test_on_a_simulated_platform_every_campaign_draws_its_own_messages() -> None:
    """The platform's seed decides what messages take: one for all would give every trial the same launches."""
    registries = Registries.load()
    values = {
        "mpi": ["mpich"],
        "op": "bcast",
        "sizes": "8",
        "platform": "flat(latency=2us)",
        "seed": 3,
        "clock": "wtime",
    }
    study = new_reproduction(3, "median", ("osu",), Plan.from_values(values).checked(registries))

    def make(plan: Plan, in_order: bool) -> Design:
        return replace(make_design(plan, registries, [Simulated.installation("mpich")]), in_order=in_order)

    rehearsals, trials = parts_of(study, make)
    platforms = [part.design.plan.platform or "" for part in (*rehearsals, *trials)]
    assert len({parse_platform(text).seed for text in platforms}) == len(platforms) == 8
    assert {parse_platform(text).latency_s for text in platforms} == {2e-6}
    assert {part.name.rsplit("/", 1)[1]: part.design.in_order for part in trials} == {"ictus": False, "osu": True}


def test_suites_do_as_they_do_by_themselves() -> None:
    """Their calls by size, warm-ups, order and synchronisation; no clock where none is needed; nothing done again."""
    own = Plan.from_values({"mpi": ["mpich"], "op": "bcast", "sizes": "8,8Ki,16Ki,64Ki"}).checked(Registries.load())
    found = {}
    for name in ("osu", "imb", "skampi", "skampi(window)", "imb-loop", "mpibench"):
        plan = suite_plan(own, find_look(name))
        cases = expand(plan, Registries.load()).cases
        counts = [int(str(case.repetition).split("nrep=")[1].split(",")[0].rstrip(")")) for case in cases]
        found[name] = (counts, plan.warmup, plan.clocksync[0].name, plan.raw)
        assert (plan.launches, plan.contention_retries) == (1, 0)
    assert found["osu"] == ([1000, 1000, 100, 100], 100, "none", False)
    assert found["imb"] == ([1000, 1000, 1000, 640], 100, "none", False)
    assert found["skampi"] == ([36] * 4, 20, "none", False)
    assert found["skampi(window)"] == ([36] * 4, 20, "ictus", False)
    assert found["imb-loop"][0] == [1] * 4
    assert found["mpibench"][3], "all ranks' samples are pooled"


def test_folders_of_ways_are_plain_words() -> None:
    """Parentheses and signs are no names of folders."""
    assert slug("skampi(window)") == "skampi-window"
    assert slug("mpibench(factor=1.5)") == "mpibench-factor-1.5"


REFUSED = (
    (("-o", "again", "--trials", "4"), "--trials 4: 'again' holds a study with 3"),
    (("-o", "again", "--sizes", "16"), "sizes: 8,4096 there, 16 asked for"),
    (("-o", "again", "--lens", "osu"), "--lens osu: 'again' holds a study with osu,imb,skampi"),
    (("-o", "again", "--nrep", "31"), "nrep: 30 there, 31 asked for"),
    (("--summary", "mode"), "--summary 'mode'"),
    (("--lens", "osy"), "unknown lens 'osy', did you mean 'osu'"),
    (("--procsync", "window,none"), "--procsync 'window,none': one is reproduced at a time"),
    (("again", "--trials", "3"), "--trials with 'again'"),
    (("nowhere",), "'nowhere' is not a study of reproducibility"),
)


def test_what_cannot_be_is_said(ictus: Ictus) -> None:
    """Option, value, what is allowed; exit code 2. A folder of something else is left alone."""
    reproduce(ictus, *PLAN, "--launches", "1")
    simulated = ("--launcher", "simulated", "--scenario", "world.json", "-m", "mpich")
    for words, said in REFUSED:
        more = () if words[0] in ("again", "nowhere") else simulated
        answer = ictus("reproduce", *more, *words)
        assert (answer.code, said in " ".join(answer.err.split())) == (2, True), answer.err
    Path("full").mkdir()
    Path("full/thesis.tex").write_text("")
    answer = ictus("reproduce", *simulated, "-o", "full")
    assert (answer.code, "not empty" in answer.err) == (2, True), answer.err
