"""What a comparison rests on: said in every answer, and verdicts are as strong as it is."""

import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import scipy
from tests.command_line import run_ictus
from tests.comparison.junit_schema import check_junit
from tests.synthetic import Scenario, latency, write_folder

from ictus.comparison.against import against_many
from ictus.comparison.comparison import Comparison, compare
from ictus.comparison.evidence import EvidenceKind, side_by_side, time_of_labels
from ictus.comparison.history_store import add
from ictus.comparison.matching import medians
from ictus.comparison.times import over_times, stretches
from ictus.comparison.words import method
from ictus.model.errors import UsageError
from ictus.model.imported import ImportRecord
from ictus.store.campaign import Campaign, load

WORLD = Scenario(operations=("bcast",), sizes=(8, 4096), nrep=40, launches=8, campaign_spread=0.3)

Measure = Callable[..., Path]


@pytest.fixture(scope="module")
def measure(tmp_path_factory: pytest.TempPathFactory) -> Measure:
    """A campaign of that number, in a state of its own; made once for the same request."""
    folder, known = tmp_path_factory.mktemp("campaigns"), dict[str, Path]()

    def of(number: int, *libraries: str, **changes: object) -> Path:
        name = "-".join((*libraries, str(number), *map(str, changes.values())))
        if name not in known:
            world = replace(WORLD, libraries=libraries, seed=number, campaign=number, **changes)  # type: ignore[arg-type]
            known[name] = write_folder(folder / name, world)
        return known[name]

    return of


def kinds(found: Comparison) -> set[str]:
    return {row.outcome for row in found.rows}


def changed(campaign: Campaign, label: str, **facts: str) -> Campaign:
    """The campaign with other facts of a library."""
    libraries = tuple(replace(one, **facts) if one.label == label else one for one in campaign.libraries)
    return replace(campaign, libraries=libraries)


def test_two_campaigns_of_one_library_prove_nothing(measure: Measure) -> None:
    """The state moves both by 30 %: ratio and interval stay, and there is neither a direction nor a p-value."""
    now, base = load(measure(1, "mpich")), load(measure(2, "mpich"))
    found = compare(now, other=base)
    assert found.evidence.kind is EvidenceKind.APART
    assert kinds(found) == {"apart"}
    for row in found.rows:
        assert row.result.ratio_low is not None
        assert not row.result.ratio_low <= 1 <= (row.result.ratio_high or 0)
        assert (row.result.p_value, row.result.p_adjusted, row.stars, row.winner) == (None, None, "", None)


def test_what_differs_is_named(measure: Measure) -> None:
    """In a word each, the time with its span; equal things are not named."""
    now, base = load(measure(1, "mpich")), load(measure(2, "mpich"))
    other = replace(
        changed(now, "mpich", version="5.1.0"),
        created="2025-11-22T11:30:00+00:00",
        machine={**now.machine, "kernel": "6.2.0"},
    )
    assert compare(other, other=base).evidence.differs == ("time (25.5 h)", "kernel", "library mpich")
    assert compare(now, other=base).evidence.differs == ("time (0 s)",)


def test_launches_of_one_campaign_are_side_by_side(measure: Measure) -> None:
    """Of two libraries in turn; of a factor inside a launch in the same launches."""
    both = load(measure(1, "mpich", "openmpi"))
    assert compare(both).evidence.sentence == "Evidence: side by side, launches in turn."
    inside = load(measure(1, "mpich", procsyncs=("window", "barrier")))
    assert compare(inside, by="procsync").evidence.sentence == "Evidence: side by side, in the same launches."


def begun(campaign: Campaign, *days: tuple[int, str]) -> Campaign:
    """The campaign with so many launches on each day, the first at that time, one in each minute, each of 30 s."""
    firsts = [(count, datetime.fromisoformat(f"{at}+00:00")) for count, at in days]
    times = [at + timedelta(minutes=number) for count, at in firsts for number in range(count)]
    assert len(times) == len(campaign.launches)
    launches = (
        replace(launch, started=at.isoformat(), elapsed_s=30.0)
        for launch, at in zip(campaign.launches, times, strict=True)
    )
    return replace(campaign, launches=tuple(launches))


def test_a_campaign_that_grew_says_over_which_times(measure: Measure) -> None:
    """Launches of both sides on both days: they stay side by side. A day that lacks a library is named with the one
    that it has; pauses within an hour, and unknown times, say nothing.
    """
    both = load(measure(1, "mpich", "openmpi"))
    later = begun(both, (12, "2026-11-27T10:00"), (4, "2026-11-28T23:58"))
    found = compare(later).evidence
    assert found.sentence == (
        "Evidence: side by side, launches in turn, over 2 times: 2026-11-27 10:00 to 10:11 UTC; 2026-11-28 23:58 "
        "to 2026-11-29 00:01 UTC."
    )
    assert found.as_object()["times"] == [
        ["2026-11-27T10:00:00+00:00", "2026-11-27T10:11:30+00:00"],
        ["2026-11-28T23:58:00+00:00", "2026-11-29T00:01:30+00:00"],
    ]
    (label,) = {launch.mpi for launch in both.launches[15:]}
    alone = compare(begun(both, (15, "2026-11-27T10:00"), (1, "2026-11-28T09:00"))).evidence
    assert alone.sentence.endswith(f"2026-11-28 09:00 to 09:00 UTC (only {label}).")
    at_once = begun(both, (12, "2026-11-27T10:00"), (4, "2026-11-27T11:11"))
    assert compare(at_once).evidence.sentence == "Evidence: side by side, launches in turn."
    unknown = replace(later, launches=(*later.launches[:-1], replace(later.launches[-1], started="unknown")))
    assert compare(unknown).evidence.times == ()


def test_a_check_that_grew_says_over_which_times(measure: Measure) -> None:
    """Both sides of a guideline are in each of its launches; so are all ways of looking."""
    later = begun(load(measure(1, "mpich", "openmpi")), (12, "2026-11-27T10:00"), (4, "2026-11-28T09:00"))
    assert side_by_side(later, paired=True).sentence == (
        "Evidence: side by side, in the same launches, over 2 times: 2026-11-27 10:00 to 10:11 UTC; 2026-11-28 09:00 "
        "to 09:03 UTC."
    )
    several = [begun(later, (16, f"2026-11-2{day}T10:00")) for day in (3, 4)]
    times = stretches([launch for one in several for launch in one.launches])
    assert over_times(times) == "over 2 times: 2026-11-23 10:00 to 10:15 UTC; 2026-11-24 10:00 to 10:15 UTC"


def test_a_library_that_is_the_same_in_both_is_the_control(measure: Measure) -> None:
    """The state of 30 % is gone from the ratio. The control itself has no row. One campaign a side proves nothing: what
    a state does to one library alone is not known.
    """
    now, base = load(measure(1, "mpich", "openmpi")), load(measure(2, "mpich", "openmpi"))
    found = compare(now, other=base)
    assert (found.evidence.kind, found.evidence.control, found.test) == (EvidenceKind.CONTROL, "openmpi", "welch")
    assert method(found)[1].startswith("95 % intervals over the launches that were measured, through openmpi")
    assert {row.a.rpartition(":")[2] for row in found.rows} == {"mpich"}
    assert kinds(found) == {"apart"}
    for row in found.rows:
        assert (row.result.p_value, row.result.p_adjusted, row.stars, row.winner) == (None, None, "", None)
        logs = {
            (campaign.folder, label): np.log(
                medians(campaign)
                .filter((pl.col("mpi") == label) & (pl.col("size_bytes") == row.case["size_bytes"]))["value"]
                .to_numpy()
            ).mean()
            for campaign in (now, base)
            for label in ("mpich", "openmpi")
        }
        distances = [logs[one.folder, "mpich"] - logs[one.folder, "openmpi"] for one in (now, base)]
        assert row.ratio == pytest.approx(np.exp(distances[0] - distances[1]))


def test_the_library_that_changed_is_no_control(measure: Measure) -> None:
    """By checksum or version; the one that stayed is. Where both changed, nothing stands for the state."""
    now, base = load(measure(1, "mpich", "openmpi")), load(measure(2, "mpich", "openmpi"))
    for fact in ("checksum", "version"):
        other = changed(now, "openmpi", **{fact: "another"})
        assert compare(other, other=base).evidence.control == "mpich", fact
        neither = changed(other, "mpich", **{fact: "another"})
        assert compare(neither, other=base).evidence.kind is EvidenceKind.APART, fact
    with pytest.raises(UsageError, match="control='openmpi': it is not the same in all campaigns: checksum"):
        compare(changed(now, "openmpi", checksum="another"), other=base, control="openmpi")


def test_the_control_that_a_plan_marks_is_taken(measure: Measure) -> None:
    """Of two that stayed the same the marked one, and not the last; a mark in one of the campaigns is enough."""
    marked = load(measure(1, "mpich", "openmpi", control="mpich"))
    plain = load(measure(2, "mpich", "openmpi"))
    assert compare(plain, other=load(measure(3, "mpich", "openmpi"))).evidence.control == "openmpi"
    for now, base in ((marked, plain), (plain, marked)):
        found = compare(now, other=base)
        assert (found.evidence.kind, found.evidence.control) == (EvidenceKind.CONTROL, "mpich")
        assert {row.a.rpartition(":")[2] for row in found.rows} == {"openmpi"}


def test_a_marked_control_that_changed_is_none_and_the_answer_says_why(measure: Measure) -> None:
    """Another that stayed takes its place; without one the campaigns are apart."""
    now, base = (load(measure(number, "mpich", "openmpi", control="openmpi")) for number in (1, 2))
    other = changed(now, "openmpi", checksum="another")
    found = compare(other, other=base).evidence
    why = "openmpi, the control of a plan, is not the same in all campaigns: checksum."
    assert (found.control, found.remark) == ("mpich", why)
    assert found.sentence.endswith(why)
    neither = changed(other, "mpich", version="5.1")
    assert compare(neither, other=base).evidence.kind is EvidenceKind.APART
    assert compare(neither, other=base).evidence.sentence.endswith(why)
    alone = compare(load(measure(3, "mpich")), other=base).evidence
    assert alone.sentence.endswith("openmpi, the control of a plan, is not in all campaigns.")
    only = compare(load(measure(4, "after", "openmpi")), other=load(measure(5, "before", "openmpi", control="openmpi")))
    assert only.evidence.sentence.endswith("is the only library in all campaigns: name one of each to compare.")
    unknown = changed(now, "openmpi", checksum="unknown")
    said = compare(unknown, other=base).evidence.remark
    assert said == "openmpi, the control of a plan, has no checksum in all campaigns."


def test_the_control_is_no_library_under_test(measure: Measure) -> None:
    """With a reference the others are judged, and a slow control hits no gate; alone, or by name, it is compared."""
    three = load(measure(1, "before", "after", "openmpi", control="openmpi"))
    assert compare(three, reference="before").pairs == (("after", "before"),)
    assert compare(three, "openmpi", reference="before").pairs == (("openmpi", "before"),)
    two = load(measure(1, "mpich", "openmpi", control="openmpi"))
    assert compare(two, reference="mpich").pairs == (("openmpi", "mpich"),)


def test_a_library_without_a_checksum_is_a_control_only_by_name(measure: Measure) -> None:
    """As folders of earlier versions are: the answer says what to give."""
    now, base = load(measure(1, "mpich", "openmpi")), load(measure(2, "mpich", "openmpi"))
    for label in ("mpich", "openmpi"):
        now, base = changed(now, label, checksum="unknown"), changed(base, label, checksum="unknown")
    found = compare(now, other=base)
    assert found.evidence.kind is EvidenceKind.APART
    assert found.evidence.remark.endswith("--control openmpi says it is the same.")
    assert compare(now, other=base, control="openmpi").evidence.control == "openmpi"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"control": "mpch"}, "did you mean 'mpich'"),
        ({"control": "mpich", "a": "mpich"}, "it is compared itself; name another library"),
        ({"test": "rank-sum"}, "through a control the test is welch"),
    ],
)
def test_a_control_that_cannot_be_is_refused(measure: Measure, options: dict[str, str], said: str) -> None:
    """A UsageError that names option, value and what is allowed."""
    now, base = load(measure(1, "mpich", "openmpi")), load(measure(2, "mpich", "openmpi"))
    with pytest.raises(UsageError, match=said):
        compare(now, other=base, **options)  # type: ignore[arg-type]


def test_one_library_alone_can_be_no_control(measure: Measure) -> None:
    """There would be nothing left to compare; and launches in turn need none."""
    now, base = load(measure(1, "mpich")), load(measure(2, "mpich"))
    with pytest.raises(UsageError, match="there is nothing to compare"):
        compare(now, other=base, control="mpich")
    with pytest.raises(UsageError, match="launches in turn need no control"):
        compare(load(measure(1, "mpich", "openmpi")), control="mpich")
    none = compare(load(measure(1, "mpich", "openmpi")), other=load(measure(2, "mpich", "openmpi")), control="none")
    assert none.evidence.kind is EvidenceKind.APART


def test_a_change_of_the_library_is_found_through_the_control(measure: Measure) -> None:
    """12 % slower, in states of their own, 3 against 3: `slower` in both cases, by about as much."""

    def slow(label: str, operation: str, size: int) -> float:
        return latency(label, operation, size) * (1.12 if label == "mpich" else 1.0)

    bases = [load(measure(number, "mpich", "openmpi")) for number in (1, 2, 3)]
    found = compare([load(measure(number, "mpich", "openmpi", latency=slow)) for number in (4, 5, 6)], other=bases)
    assert kinds(found) == {"slower"}
    assert all(1.05 < row.ratio < 1.2 for row in found.rows)


def test_several_campaigns_count_once_each(measure: Measure) -> None:
    """The exact rank-sum test of campaign medians; names and counts are those of campaigns."""
    ours, others = ([load(measure(number, "mpich")) for number in side] for side in ((1, 2, 3, 4), (5, 6, 7, 8)))
    found = compare(ours, other=others, adjust="none")
    assert found.evidence.kind is EvidenceKind.CAMPAIGNS
    assert {(row.a, row.b) for row in found.rows} == {("mpich-1…mpich-4:mpich", "mpich-5…mpich-8:mpich")}
    for row in found.rows:
        sides = [
            [medians(one).filter(pl.col("size_bytes") == row.case["size_bytes"])["value"].median() for one in campaigns]
            for campaigns in (ours, others)
        ]
        expected = scipy.stats.mannwhitneyu(*sides, method="exact").pvalue
        assert row.result.p_value == pytest.approx(expected, rel=1e-12)
        assert (row.result.n_a, row.result.n_b, row.result.unit) == (4, 4, "campaign")


def test_too_few_campaigns_say_how_many_are_needed(measure: Measure) -> None:
    """3 against 3 reach 2 / C(6, 3) = 0.1 at best; for two cases by Holm 5 a side are needed: 2 / C(10, 5) = 0.0079."""
    sides = [[load(measure(number, "mpich")) for number in side] for side in ((1, 2, 3), (4, 5, 6))]
    found = compare(sides[0], other=sides[1])
    assert kinds(found) == {"cannot-decide"}
    assert (
        "3 campaigns can never reach the level after adjustment; at least 5 needed" in found.rows[0].result.verdict.text
    )
    with pytest.raises(UsageError, match="is given twice"):
        compare([sides[0][0], sides[0][0]], other=sides[1])
    with pytest.raises(UsageError, match="no campaign to compare"):
        compare(sides[0], other=[])


def test_of_several_campaigns_with_a_control_the_spread_between_them_counts(measure: Measure) -> None:
    """Student's test over campaigns, 2 against 2."""
    sides = [[load(measure(number, "mpich", "openmpi")) for number in side] for side in ((1, 2), (3, 4))]
    found = compare(sides[0], other=sides[1])
    assert (found.evidence.kind, found.test) == (EvidenceKind.CONTROL, "student")
    assert method(found)[1].startswith("How sure: the chance"), "campaigns that repeat one another show it"
    assert {(row.result.n_a, row.result.unit) for row in found.rows} == {(2, "campaign")}
    assert "2 against 2 campaigns; the spread between them counts" in found.evidence.sentence


def test_earlier_campaigns_with_the_control_show_its_spread(measure: Measure) -> None:
    """One campaign a side: Student's test over three earlier ones; those without the control, or with another, and the
    compared ones themselves do not count.
    """
    now, base, *others = (load(measure(number, "mpich", "openmpi")) for number in (1, 2, 3, 4, 5))
    history = [now, *others, load(measure(6, "mpich")), changed(base, "openmpi", checksum="another")]
    found = compare(now, other=base, history=history)
    assert (found.test, found.evidence.n_history) == ("student", 3)
    assert "1 against 1 campaigns, 3 earlier; the spread between them counts" in found.evidence.sentence
    for row in found.rows:
        differences = []
        for one in (now, base, *others):
            of_size = medians(one).filter(pl.col("size_bytes") == row.case["size_bytes"])
            logs = [np.log(of_size.filter(pl.col("mpi") == label)["value"].to_numpy()).mean()
                    for label in ("mpich", "openmpi")]  # fmt: skip
            differences.append(logs[0] - logs[1])
        statistic = (differences[0] - differences[1]) / (np.std(differences[2:], ddof=1) * np.sqrt(2))
        assert row.result.p_value == pytest.approx(2 * scipy.stats.t.sf(abs(statistic), 2))
        assert (row.result.n_a, row.result.unit) == (1, "campaign")
    once = compare(now, other=base, history=others[:1])
    assert (once.test, kinds(once)) == ("welch", {"apart"})


def test_the_usual_spread_stands_beside_the_ratio(measure: Measure, tmp_path: Path) -> None:
    """From campaigns, or from a store that has them: the same. The compared ones do not count."""
    now, base = load(measure(1, "mpich")), load(measure(2, "mpich"))
    others = [load(measure(number, "mpich")) for number in (3, 4, 5, 6)]
    found = compare(now, other=base, history=others)
    add(tmp_path / "store", [now, base, *others])
    stored = compare(now, other=base, history=[tmp_path / "store"])
    for row, twin in zip(found.rows, stored.rows, strict=True):
        size = row.case["size_bytes"]
        logs = np.log([medians(one).filter(pl.col("size_bytes") == size)["value"].median() for one in others])
        expected = np.exp(scipy.stats.t.ppf(0.975, 3) * logs.std(ddof=1) * np.sqrt(2))
        assert row.usual_ratio == pytest.approx(expected)
        assert twin.usual_ratio == pytest.approx(expected)
        assert row.result.verdict.text == f"apart, within the usual {expected:.3g} times"
    quiet = [load(measure(number, "mpich", campaign_spread=0.001)) for number in (3, 4, 5, 6)]
    for row in compare(now, other=base, history=quiet).rows:
        assert row.beyond_usual is True
        assert "beyond the usual" in row.result.verdict.text
    with pytest.raises(UsageError, match=r"--history '.*empty' holds no campaign"):
        compare(now, other=base, history=[tmp_path / "empty"])


def test_a_gate_on_what_was_measured_apart_ends_with_2_and_says_what_decides(measure: Measure, tmp_path: Path) -> None:
    """Complete commands; nothing fails in JUnit, and the summary says that it was not judged."""
    now, base = measure(1, "mpich"), measure(2, "mpich")
    words = ("compare", now, "--baseline", base, "--gate", "slower > 3 %")
    answer = run_ictus(*words, "--markdown", tmp_path / "s.md", "--junit", tmp_path / "j.xml")
    assert answer.code == 2
    assert "gate 'slower > 3 %' cannot be judged" in answer.err
    assert "--allow apart" in answer.err
    assert answer.out.splitlines()[1].startswith("Evidence: apart.")

    suite = check_junit((tmp_path / "j.xml").read_text("utf-8"))
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "2")
    assert "**cannot be judged**" in (tmp_path / "s.md").read_text("utf-8")
    document = json.loads(run_ictus(*words, "--json").out)
    assert (document["evidence"]["kind"], document["gate"]["hit_by"]) == ("apart", None)


def test_the_commands_that_decide_are_whole(measure: Measure, tmp_path: Path) -> None:
    """In turn where the libraries are two, with the wrapper of each; a control; as many campaigns as cases need."""
    now, base = measure(1, "mpich"), tmp_path / "base"
    write_folder(base, replace(WORLD, libraries=("mpich",), seed=2))
    document = json.loads((base / "campaign.json").read_text("utf-8"))
    document["libraries"][0] |= {"wrapper": "/old/mpicxx", "checksum": "old"}
    (base / "campaign.json").write_text(json.dumps(document), "utf-8")
    error = run_ictus("compare", now, "--baseline", base, "--gate", "slower > 3 %").err
    commands = [line.strip() for line in error.splitlines() if line.startswith("  ")]
    in_turn, through, several, allow = commands
    assert "-m mpich-1=/simulated/mpicxx -m base=/old/mpicxx --launcher simulated -o in-turn" in in_turn
    assert in_turn.endswith("compare in-turn mpich-1 --reference base --gate 'slower > 3 %'`")
    assert through.count("-m openmpi --control openmpi --launcher simulated --campaigns 3 --over 1h") == 2
    assert through.endswith(
        "compare mpich-1-control-1 mpich-1-control-2 mpich-1-control-3 --against base-control-1 base-control-2 "
        "base-control-3 --gate 'slower > 3 %'`"
    )
    assert several.startswith("several campaigns a side, 5 for 2 cases: before the change `")
    assert several.count("--campaigns 4 --over 1h -o ") == 2
    assert allow.startswith("--allow apart accepts it")
    measured = shlex.split(in_turn.removeprefix("in turn: `").partition(" && ")[0])
    assert run_ictus(*measured[1:], "--dry-run", "--help").code == 0


def test_a_gate_on_one_campaign_a_side_through_a_control_ends_with_2(measure: Measure) -> None:
    """And names the campaigns that decide; `--allow apart` takes the interval of these two."""
    now, base = (measure(number, "mpich", "openmpi") for number in (1, 2))
    words = ("compare", now, "--baseline", base, "--gate", "different > 3 %")
    answer = run_ictus(*words)
    assert answer.code == 2
    assert "cannot be judged: one campaign a side through a control proves nothing" in answer.err
    assert "several campaigns a side through openmpi, 3 for 2 cases: before the change" in answer.err
    assert "through a control: before" not in answer.err
    allowed = run_ictus(*words, "--allow", "apart")
    assert allowed.code in (0, 1)
    assert "not known. It is accepted by --allow apart." in " ".join(allowed.out.split())


def test_what_is_allowed_to_be_apart_is_judged_by_its_interval_and_says_so(measure: Measure) -> None:
    """Exit code 1 where a whole interval lies beyond the share, unless the usual spread explains the ratio."""
    now, base = load(measure(1, "mpich")), load(measure(2, "mpich"))
    slower = sum((row.result.ratio_low or 0) > 1.03 for row in compare(now, other=base).rows)
    faster = sum((row.result.ratio_high or 9) < 1 / 1.03 for row in compare(now, other=base).rows)
    assert slower + faster > 0
    words = ("compare", now.folder, "--baseline", base.folder, "--allow", "apart", "--gate")
    answer = run_ictus(*words, "different > 3 %")
    assert answer.code == 1
    assert f"is hit by {slower + faster} of 2 cases" in answer.err
    assert "It is accepted by --allow apart." in " ".join(answer.out.split())
    assert run_ictus(*words, "slower > 3 %").code == (1 if slower else 0)
    assert run_ictus(*words, "faster > 3 %").code == (1 if faster else 0)
    usual = [word for number in (3, 4, 5, 6) for word in ("--history", measure(number, "mpich"))]
    assert run_ictus(*words, "different > 3 %", *usual).code == 0


def test_logs_of_two_labels_are_apart(measure: Measure) -> None:
    """Nobody knows that they ran in turn: no verdict, no ranking; inside a log sides share their launches."""
    both = load(measure(1, "mpich", "openmpi"))
    record = ImportRecord(suite="osu", title="OSU", summary="mean", numbers=("means",), unknown=("the order",))
    imported = replace(both, imported=record)
    found = compare(imported)
    assert found.evidence.kind is EvidenceKind.APART
    assert kinds(found) == {"apart"}
    assert not found.rankings


def test_all_folders_behind_against_are_its_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word in their row that is no folder is a name; options end the row."""
    monkeypatch.chdir(tmp_path)
    for name in ("new1", "new2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "campaign.json").touch()
    words = ["old1", "--against", "new1", "new2", "mpich", "--gate", "slower"]
    assert against_many(words) == ["old1", "--against", "new1", "--against", "new2", "mpich", "--gate", "slower"]
    assert against_many(["a", "--against", "gone", "b/c", "--all"]) == [
        "a",
        "--against",
        "gone",
        "--against",
        "b/c",
        "--all",
    ]
    assert against_many(["a", "b"]) == ["a", "b"]


def test_the_command_takes_several_campaigns_a_side(measure: Measure) -> None:
    """`compare old1 old2 --against new1 new2`; a third folder without it, and both options, are refused."""
    one, two, three, four = (measure(number, "mpich") for number in (1, 2, 3, 4))
    document = json.loads(run_ictus("compare", one, two, "--against", three, four, "--json").out)
    assert document["evidence"]["campaigns_a"] == ["mpich-1", "mpich-2"]
    assert document["evidence"]["campaigns_b"] == ["mpich-3", "mpich-4"]
    assert {row["unit"] for row in document["rows"]} == {"campaign"}
    for words, said in (
        ((one, two, three), "is one folder too many: for several campaigns a side give the others behind --against"),
        ((one, "--baseline", two, "--against", three), "--against names the other side already"),
    ):
        refused = run_ictus("compare", *words)
        assert (refused.code, said in " ".join(refused.err.split())) == (2, True), refused.err


def test_the_page_and_the_junit_say_the_evidence(measure: Measure, tmp_path: Path) -> None:
    """Every output has it."""
    folder = measure(1, "mpich", "openmpi")
    assert run_ictus("report", folder, "-o", tmp_path / "page.html").code == 0
    assert "side by side, launches in turn" in (tmp_path / "page.html").read_text("utf-8")
    words = ("compare", folder, measure(2, "mpich", "openmpi"), "--gate", "slower > 30 %", "--allow", "apart")
    assert run_ictus(*words, "--junit", tmp_path / "j.xml", "--markdown", tmp_path / "s.md").code == 0
    facts = {
        one.get("name"): one.get("value") for one in check_junit((tmp_path / "j.xml").read_text()).iter("property")
    }
    assert str(facts["evidence"]).startswith("through a control, openmpi")
    assert "Evidence: through a control, openmpi" in (tmp_path / "s.md").read_text("utf-8")


def test_first_times_of_labels_are_instants(measure: Measure) -> None:
    """As texts 23:59 in New York is before 00:30 in London of the next day, and it is four hours and a half later."""
    both = load(measure(1, "mpich", "openmpi"))
    times = {"mpich": ["2026-11-28T23:59:00-05:00", "2026-11-29T00:30:00+00:00"]}
    launches = tuple(
        replace(one, started=times.get(one.mpi, ["2026-11-29T00:40:00+00:00"] * 2)[place % 2])
        for place, one in enumerate(sorted(both.launches, key=lambda one: one.mpi))
    )
    assert time_of_labels(replace(both, launches=launches)) == "time (10 min)"
