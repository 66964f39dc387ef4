"""Cases that a side lacks: rows with the reason in every output, which no gate passes over unless it is told to."""

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.command_line import run_ictus
from tests.comparison.junit_schema import check_junit
from tests.interchange.printed import osu_text
from tests.page_text import read_aloud
from tests.synthetic import Scenario, write_folder

from ictus.comparison.comparison import Comparison, compare
from ictus.comparison.judged_pairs import pair_sentences
from ictus.engine.runner import run_campaign
from ictus.interchange.folder import import_results
from ictus.launch.launchers.scenario import Scenario as World
from ictus.launch.launchers.simulated import Simulated
from ictus.model.design import make_design
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.store.campaign import Campaign, load

SIZES = (4096, 8192, 16384, 32768, 65536)
LAST = SIZES[2]
"""The new library aborts above this size."""
WHY = "only in old; none of 8 launches of new has it"
ACCEPTED = ("--reference", "old", "--allow", "apart")


def write_logs(folder: Path) -> list[Path]:
    """Eight launches a side, as OSU prints them; those of the new library end in the middle."""
    files = []
    for label in ("old", "new"):
        for launch in range(8):
            sizes = [size for size in SIZES if label == "old" or size <= LAST]
            files.append(folder / f"{label}{launch}.txt")
            files[-1].write_text(osu_text({size: 1.0 + size / 6000 + launch / 100 for size in sizes}))
    return files


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The campaign of those logs."""
    folder = tmp_path_factory.mktemp("logs")
    labels = ("old=old*", "new=new*")
    return import_results("osu", write_logs(folder), folder / "camp", labels=labels, n=2).folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """Three libraries on 2 and 4 processes, measured to the end."""
    world = Scenario(
        libraries=("old", "new", "third"), operations=("bcast",), sizes=(8, 64), processes=(2, 4), launches=6, nrep=40
    )
    return load(write_folder(tmp_path_factory.mktemp("whole") / "camp", world))


def without(campaign: Campaign, label: str, *processes: int, why: str = "failed: rank 1 crashed") -> Campaign:
    """The campaign without a library's launches on so many processes."""
    gone = {slot.slot: why for slot in campaign.slots if slot.mpi == label and slot.n in processes}
    return replace(
        campaign,
        launches=tuple(one for one in campaign.launches if one.slot.slot not in gone),
        summaries=campaign.summaries.filter(~pl.col("slot").is_in(list(gone))),
        lost=gone if why else {},
    )


def texts(found: Comparison) -> dict[tuple[str, int, int], str]:
    """Why a side lacks each case, by first side, processes and size."""
    return {
        (row.a, int(row.case["n"]), int(row.case["size_bytes"])): row.result.verdict.text
        for row in found.rows
        if row.missing
    }


@pytest.mark.parametrize("gate", ["slower > 3 %", "faster", "different > 5 %"])
def test_no_gate_passes_over_sizes_that_one_side_lacks(logs: Path, gate: str) -> None:
    """Exit code 0 until now, and the two sizes were nowhere; `--allow-missing` judges the others and says so."""
    refused = run_ictus("compare", logs, *ACCEPTED, "--gate", gate)
    assert refused.code == 2
    named = f"nothing is known of 2 of 5 cases: MPI_Bcast 32 KiB n=2, MPI_Bcast 64 KiB n=2 ({WHY})"
    assert f"ictus: gate '{gate}' cannot be answered: {named}" in refused.err
    passed = run_ictus("compare", logs, *ACCEPTED, "--gate", gate, "--allow-missing")
    assert (passed.code, "gate not hit; nothing is known of 2 of 5 cases" in passed.err) == (0, True)


def test_a_gate_that_is_hit_says_what_it_does_not_know(logs: Path) -> None:
    """Exit code 1 stays: what is hit is hit."""
    answer = run_ictus("compare", logs, *ACCEPTED, "--gate", "undecided")
    assert answer.code == 1
    assert "gate 'undecided' is hit by 3 of 5 cases; nothing is known of 2 of 5 cases" in answer.err


def test_every_output_has_the_missing_sizes(logs: Path, tmp_path: Path) -> None:
    """Table, JSON, CSV, Markdown, JUnit and page; the numbers of the side that has them stand there."""
    words = ("compare", logs, *ACCEPTED, "--gate", "slower > 3 %")
    answer = run_ictus(*words, "--markdown", tmp_path / "s.md", "--junit", tmp_path / "j.xml")
    assert "in 3 cases prove nothing; 2 are only in old." in answer.out
    shown = [line.split() for line in answer.out.splitlines() if line.endswith("only in old")]
    assert [(*line[:3], line[3] != "NA") for line in shown] == [("32", "KiB", "NA", True), ("64", "KiB", "NA", True)]
    assert "Only in old: none of 8 launches of new has it." in answer.out
    document = json.loads(run_ictus(*words, "--json").out)
    rows = [row for row in document["rows"] if row["verdict"] == "missing"]
    assert [(row["case"]["size_bytes"], row["n_a"], row["n_b"], row["verdict_text"]) for row in rows] == [
        (32768, 0, 8, WHY),
        (65536, 0, 8, WHY),
    ]
    assert document["gate"]["unanswered"] == 2
    assert run_ictus(*words, "--csv").out.count(WHY) == 2
    summary = (tmp_path / "s.md").read_text("utf-8")
    assert ": **cannot be answered**; nothing is known of 2." in summary
    assert summary.count(WHY) == 2
    suite = check_junit((tmp_path / "j.xml").read_text("utf-8"))
    assert (suite.get("tests"), suite.get("errors"), suite.get("failures")) == ("5", "2", "0")
    assert run_ictus("report", logs, "-o", tmp_path / "r.html").code == 0
    page = read_aloud((tmp_path / "r.html").read_text("utf-8"))
    assert "2 are only in old" in page
    assert "Only in old: none of 8 launches of new has it." in page


def test_other_commands_name_what_no_launch_of_a_library_has(logs: Path) -> None:
    """`show` has no row of it: a warning says so."""
    shown = " ".join(run_ictus("show", logs).err.split())
    assert "in no launch of new: MPI_Bcast 32 KiB n=2, MPI_Bcast 64 KiB n=2 (none of 8 launches of new has it)" in shown


def test_logs_as_two_campaigns_have_the_same_rows(tmp_path: Path) -> None:
    """Who measured apart lacks the same sizes."""
    files = write_logs(tmp_path)
    old, new = (
        import_results("osu", own, tmp_path / name, labels=("mpi",), n=2)
        for name, own in (("old", files[:8]), ("new", files[8:]))
    )
    found = compare(new, other=old)
    reason = "only in old:mpi; none of 8 launches of new:mpi has it"
    assert texts(found) == {("new:mpi", 2, 32768): reason, ("new:mpi", 2, 65536): reason}


def test_the_row_says_why_launches_are_missing(whole: Campaign) -> None:
    """They failed, or are not measured yet."""
    text = "only in old; launch {} (and 5 more) failed: rank 1 crashed"
    first = next(slot.folder_name for slot in whole.slots if slot.mpi == "new" and slot.n == 4)
    found = compare(without(whole, "new", 4), "new", "old")
    assert texts(found) == {("new", 4, 8): text.format(first), ("new", 4, 64): text.format(first)}
    assert [row.outcome for row in found.rows].count("missing") == 2
    pending = compare(without(whole, "new", 4, why=""), "new", "old")
    assert set(texts(pending).values()) == {"only in old; new has no complete launch of it"}


def test_a_library_without_any_launch_is_compared_in_rows(whole: Campaign) -> None:
    """The others alone would pass a gate, and nobody would see that a library is gone."""
    found = compare(without(whole, "third", 2, 4), reference="old")
    assert found.pairs == (("new", "old"), ("third", "old"))
    assert len(texts(found)) == 4
    assert pair_sentences(found)[-1].startswith(
        "third and old cannot be compared in any of 4 cases: only in old; launch 0001-third (and 5 more) failed: "
        "rank 1 crashed (2 cases), only in old; launch"
    )
    with pytest.raises(UsageError, match=r"have no case in common: launch .* failed: rank 1 crashed"):
        compare(without(whole, "third", 2, 4), "third", "old")


def test_a_case_without_launches_on_either_side_is_a_row(whole: Campaign) -> None:
    """It is in the plan, and in no launch that counts."""
    found = compare(without(without(whole, "new", 4), "old", 4), "new", "old")
    assert {text.partition(";")[0] for text in texts(found).values()} == {"on neither side"}


def test_number_of_processes_that_a_library_lacks_is_a_row_of_its_comparison(whole: Campaign) -> None:
    """By any factor, as between libraries."""
    found = compare(without(whole, "new", 4), "4", "2", by="n")
    assert {(row.case["mpi"], row.outcome == "missing") for row in found.rows} == {
        ("old", False), ("third", False), ("new", True)
    }  # fmt: skip
    assert all(text.startswith("only in n=2; launch") for text in texts_by_size(found))


def texts_by_size(found: Comparison) -> list[str]:
    """Why each is missing, where processes are compared."""
    return [row.result.verdict.text for row in found.rows if row.missing]


def test_what_a_plan_has_on_one_side_only_is_missing_nowhere(tmp_path: Path) -> None:
    """An allreduce has no root: where roots are compared, nothing of it is missing, of a broken-off campaign either."""
    plan = {"mpi": "a=a,b=b", "op": ["bcast", "allreduce"], "sizes": [8], "n": [2], "root": "0,1", "launches": 6}
    design = make_design(
        Plan.from_values({**plan, "nrep": 20, "seed": 1}),
        Registries.load(),
        [Simulated.installation(label) for label in ("a", "b")],
    )
    run_campaign(tmp_path / "roots", design, Simulated(World(noise=0.01)))
    campaign = without(load(tmp_path / "roots"), "b", 2)
    found = compare(campaign, by="root")
    assert {(row.case["mpi"], row.case["operation"], row.missing) for row in found.rows} == {
        ("a", "bcast", False), ("b", "bcast", True)
    }  # fmt: skip


def test_a_launch_that_failed_on_disk_is_the_reason(tmp_path: Path) -> None:
    """By the journal: the last launch of the first round fails for good, and the campaign ends there."""
    plan = {"mpi": "old=old,new=new", "op": "bcast", "sizes": [8], "n": [2, 4], "launches": 2, "nrep": 20, "retries": 0}
    design = make_design(
        Plan.from_values({**plan, "seed": 3}),
        Registries.load(),
        [Simulated.installation(label) for label in ("old", "new")],
    )
    with pytest.raises(MeasurementError, match="failed"):
        run_campaign(tmp_path / "camp", design, Simulated(World(faults={3: ("fail",)})))
    campaign = load(tmp_path / "camp")
    (last,) = (slot for slot in campaign.slots if slot.slot == 3)
    other = next(label for label in ("old", "new") if label != last.mpi)
    assert list(campaign.lost) == [3]
    found = compare(campaign, last.mpi, other)
    (row,) = (row for row in found.rows if row.missing)
    assert row.case["n"] == last.n
    assert row.result.verdict.text.startswith(f"only in {other}; launch {last.folder_name} failed: ")


def test_a_launch_that_was_left_out_as_damaged_is_the_reason(tmp_path: Path) -> None:
    """What `--leave-out-damaged` leaves out is not there for a gate either."""
    folder = write_folder(
        tmp_path / "camp", Scenario(operations=("bcast",), sizes=(8,), processes=(2, 4), launches=1, nrep=20)
    )
    slot = next(one for one in load(folder).slots if (one.mpi, one.n) == ("mpich", 4))
    (folder / "launches" / slot.folder_name / "launch.json").write_text("{}")
    words = ("compare", folder, "--reference", "openmpi", "--leave-out-damaged", "--gate", "slower > 3 %")
    answer = run_ictus(*words)
    assert answer.code == 2
    assert f"only in openmpi; launch {slot.folder_name} was left out: " in " ".join(answer.err.split())


def test_of_several_campaigns_the_one_that_lacks_a_case_is_named(tmp_path: Path) -> None:
    """A campaign counts once a side, so that a case needs all of them; the control too."""
    world = Scenario(operations=("bcast",), sizes=(8, 64), launches=2, nrep=20)

    def measured(name: str, libraries: tuple[str, ...], sizes: tuple[int, ...], seed: int) -> Campaign:
        changed = replace(world, libraries=libraries, sizes=sizes, seed=seed, campaign=seed)
        return load(write_folder(tmp_path / name, changed))

    ours = [measured("new1", ("mpich",), (8, 64), 1), measured("new2", ("mpich",), (8,), 2)]
    others = [measured(f"old{seed}", ("mpich",), (8, 64), seed) for seed in (3, 4)]
    found = compare(ours, other=others)
    assert [(row.case["size_bytes"], row.missing) for row in found.rows] == [(8, False), (64, True)]
    row = found.rows[1]
    assert row.result.verdict.text == "not in new2:mpich; it is not in the plan of new2:mpich"
    assert (row.result.n_a, row.result.n_b, row.result.unit) == (1, 2, "campaign")


def test_without_the_control_a_case_is_missing(tmp_path: Path) -> None:
    """Both sides have it, and nothing stands for the state of the machine."""
    world = Scenario(libraries=("mpich", "openmpi"), operations=("bcast",), sizes=(8, 64), launches=3, nrep=20)
    folders = ((1, "now"), (2, "base"))
    now, base = (load(write_folder(tmp_path / name, replace(world, seed=seed))) for seed, name in folders)
    of_control = (pl.col("mpi") == "openmpi") & (pl.col("case_id") == 1)
    shorter = replace(base, summaries=base.summaries.filter(~of_control))
    found = compare(now, other=shorter, control="openmpi")
    assert [row.result.verdict.text.partition(";")[0] for row in found.rows if row.missing] == ["not in base:openmpi"]


def test_where_no_case_can_be_compared_the_reason_comes_first_and_the_exit_code_is_2(tmp_path: Path) -> None:
    """Two campaigns with too few repetitions for a tail: nothing but rows of NA, until now with exit code 0."""
    world = Scenario(libraries=("mpich",), operations=("bcast",), sizes=(8, 64), launches=2, nrep=20)
    for seed, name in ((1, "now"), (2, "base")):
        write_folder(tmp_path / name, replace(world, seed=seed))
    answer = run_ictus("compare", tmp_path / "now", tmp_path / "base", "--summary", "p99")
    why = "too few repetitions for p99: 20, at least 1,000"
    assert answer.code == 2
    said = " ".join(answer.out.split())
    assert said.startswith(f"now:mpich and base:mpich cannot be compared in any of 2 cases: {why}. Evidence: ")
    assert f"ictus: no case can be compared: {why}" in answer.err
