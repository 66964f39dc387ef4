"""`ictus verify`: a sound folder has nothing wrong; each fault is found, with launch, file, case and field."""

import json
import shutil
import struct
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.command_line import run_ictus
from tests.launch_document import forget_checksums, launch_document, rewrite

from ictus.engine.runner import run_campaign
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.model.design import make_design
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.store.document import write_document
from ictus.store.table_file import write_table
from ictus.verification.campaign import Verification, verify
from ictus.verification.problem import CaseLocation
from ictus.verification.raw import read_stamps
from ictus.verification.samples import check_case, check_ranks, read_plain

Edit = Callable[[dict[str, Any], Any], object]

WORLD = Scenario(noise=0.05, launch_spread=0.05, late_share=0.1, faults={1: ("contended",), 2: ("fail",)})
PLAN = {"op": "bcast,alltoall", "sizes": "64,512", "launches": 2, "nrep": 60, "seed": 7, "mpi": "a=x,b=y", "raw": True}


def measured(folder: Path, **changes: object) -> Path:
    """A campaign with raw stamps, a disturbed try and a launch that failed once."""
    values = {**PLAN, **changes}
    design = make_design(Plan.from_values(values), Registries.load(), [Simulated.installation(x) for x in "ab"])
    run_campaign(folder, design, Simulated(WORLD))
    return folder


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The campaign that all look at."""
    return measured(tmp_path_factory.mktemp("verify") / "camp")


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    """A copy of it to spoil."""
    return Path(shutil.copytree(original, tmp_path / "camp"))


def fields(found: Verification) -> set[tuple[str, str]]:
    """File and field of what is wrong."""
    return {(one.file, one.field.partition("[")[0]) for one in found.problems}


def test_a_sound_folder_has_nothing_wrong(original: Path) -> None:
    """All launches, the disturbed one too, from the stamps of every rank; what failed is compared as well."""
    found = verify(original)
    assert found.problems == ()
    assert (found.launches, found.cases, found.from_stamps) == (5, 20, 5)
    assert found.samples >= 20 * 60
    assert found.unchecked == ()
    assert len(list((original / "aside").iterdir())) == 1


@pytest.mark.parametrize("in_turn", [True, pytest.param(False, marks=pytest.mark.long)])
def test_every_file_with_a_flipped_byte_is_found(tmp_path: Path, in_turn: bool) -> None:
    """The first, a middle and the last byte of each, or one of these in turn: journal, manifests, launches, tables,
    what was set aside. All of a campaign is verified for each, so that it is a small one.
    """
    folder = measured(tmp_path / "camp", sizes="64", nrep=6)
    every = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.stat().st_size > 0]
    files = [path for path in every if not path.name.startswith("lock.")]  # who measured last, no part of what is said
    assert len(files) > 70
    for turn, path in enumerate(files):
        sound = path.read_bytes()
        places = (0, len(sound) // 2, len(sound) - 1)
        for at in {places[turn % 3]} if in_turn else set(places):
            spoilt = bytearray(sound)
            spoilt[at] ^= 1
            path.write_bytes(spoilt)
            found = verify(folder)
            said = [f"{one.launch} {one.file} {one.found}" for one in found.problems]
            assert any(path.name in one for one in said), (path, at, said)
            if "launches" in path.parts:
                assert any(path.parent.name in one for one in said), (path, at, said)
        path.write_bytes(sound)
    assert verify(folder).problems == ()


def test_the_command_ends_with_1_and_names_what_is_wrong(folder: Path) -> None:
    """As a table, and as rows; a sound folder ends with 0."""
    assert run_ictus("verify", folder).code == 0
    path = next(iter(sorted((folder / "launches").iterdir()))) / "ranks.npy"
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    answer = run_ictus("verify", folder, "--json")
    (row,) = json.loads(answer.out)["rows"]
    assert (answer.code, row["launch"], row["file"], row["field"]) == (1, path.parent.name, "ranks.npy", "checksum")
    assert "1 thing is wrong" in run_ictus("verify", folder).out
    assert run_ictus("verify", folder / "launches").code == 2


def spoil(folder: Path, edit: Edit) -> Path:
    """Change one launch as somebody who leaves no checksum behind; its folder."""
    launch = min((folder / "launches").iterdir())
    document, samples = launch_document(launch), np.load(launch / "samples.npy")
    raw = (launch / "raw.npy").read_bytes()
    edit(document, samples)
    rewrite(launch, document, samples)
    for path in launch.glob("*.parquet"):
        path.unlink()
    (launch / "raw.npy").write_bytes(raw)
    return launch


def change(name: str, value: object, index: int = 0) -> Edit:
    """A member of the launch's first case."""
    return lambda document, _: document["cases"][index].update({name: value})


def change_sample(name: str, value: float, index: int = 5) -> Edit:
    """A field of one sample."""

    def edit(_: object, samples: Any) -> None:
        samples[name][index] = value

    return edit


def change_ranks(name: str, value: float) -> Edit:
    """A duration of rank 1 in the first case."""
    return lambda document, _: document["cases"][0]["per_rank"][name].__setitem__(1, value)


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (lambda d, _: d.update(seed=5), ("launch.json", "seed")),
        (change("valid", 59), ("samples.npy", "valid")),
        (change("attempted", 1), ("samples.npy", "attempted")),
        (change("late", 99), ("samples.npy", "late")),
        (change("size_bytes", 8), ("cases.npy", "size_bytes")),
        (lambda d, _: d["cases"].reverse(), ("cases.npy", "case_id")),
        (change_sample("repetition", 77), ("samples.npy", "repetition")),
        (change_sample("flags", 8), ("samples.npy", "flags")),
        (change_sample("makespan", 1e-9), ("samples.npy", "makespan")),
        (change_sample("makespan", 1.0), ("samples.npy", "makespan")),
        (change_sample("makespan", np.nan), ("samples.npy", "makespan")),
        (change_sample("local_max", np.inf), ("samples.npy", "local_max")),
        (change_sample("local_min", -1.0), ("samples.npy", "local_min")),
        (change_sample("local_mean", 1.0), ("samples.npy", "local_mean")),
        (change_sample("root", 1.0), ("samples.npy", "root")),
        (change_sample("start", 1e4), ("samples.npy", "start")),
        (change_sample("start_skew", 1.0), ("samples.npy", "start_skew")),
        (change_sample("clock_bound", -1.0), ("samples.npy", "clock_bound")),
        (change_sample("local_max", 1.0000001e-5), ("raw.npy", "local_max")),
        (change_ranks("max_s", 1.0), ("case_ranks.npy", "max_s")),
        (change_ranks("min_s", 1e-12), ("case_ranks.npy", "min_s")),
        (change_ranks("median_s", 1.0), ("case_ranks.npy", "median_s")),
        (lambda d, _: d["blocks"][0]["opening"]["slope"].__setitem__(0, 1.0), ("clocks.npy", "slope")),
    ],
)
def test_what_contradicts_itself_is_found(folder: Path, edit: Edit, expected: tuple[str, str]) -> None:
    """One thing at a time, without any checksum to tell: by the invariants alone."""
    launch = spoil(folder, edit)
    found = verify(folder)
    assert expected in fields(found), found.problems
    assert {one.launch for one in found.problems} == {launch.name}


@pytest.mark.parametrize(
    ("column", "value"),
    [("median", 3e-6), ("mean", 3e-6), ("valid", 4), ("outliers", 9), ("clock_bound", 1.0), ("n", 3)],
)
def test_a_summary_that_is_whole_but_wrong_is_found(folder: Path, column: str, value: float) -> None:
    """As an error in our own arithmetic would write it, with the checksum of what it wrote."""
    path = min((folder / "launches").iterdir()) / "summary.parquet"
    frame = pl.read_parquet(path)
    wrong = pl.when(pl.arange(pl.len()) == 1).then(pl.lit(value)).otherwise(pl.col(column)).cast(frame[column].dtype)
    write_table(frame.with_columns(wrong.alias(column)), path, None)
    assert fields(verify(folder)) == {("summary.parquet", column)}


def test_samples_of_another_campaign_in_a_table_are_found(folder: Path) -> None:
    """Whole, and not those of samples.npy."""
    path = min((folder / "launches").iterdir()) / "samples.parquet"
    write_table(pl.read_parquet(path).with_columns(pl.col("makespan") * 1.01), path, None)
    assert fields(verify(folder)) == {("samples.parquet", "makespan")}


def edit_schedule(folder: Path, edit: Callable[[Any], object]) -> None:
    """Write another schedule, whole and with its checksum."""
    schedule = json.loads((folder / "schedule.json").read_text("utf-8"))
    edit(schedule)
    write_document(folder / "schedule.json", schedule)


def _swap(schedule: Mapping[str, Any]) -> None:
    one, other = schedule["slots"][:2]
    for key in ("mpi", "seed", "cases"):
        one[key], other[key] = other[key], one[key]


@pytest.mark.parametrize(
    ("edit", "field"),
    [
        (lambda s: s.update(seed=8), "seed"),
        (lambda s: s["slots"][1].update(seed=8), "slots.1"),
        (_swap, "slots.1"),
        (lambda s: s["slots"][2]["cases"].reverse(), "slots.2.cases"),
    ],
)
def test_a_schedule_that_is_not_of_its_seed_is_found(folder: Path, edit: Callable[[Any], object], field: str) -> None:
    """Seeds, order of launches, order of cases, all computed again from the campaign's seed."""
    edit_schedule(folder, edit)
    assert any(file == "schedule.json" and name.startswith(field) for file, name in fields(verify(folder)))


def test_launches_that_are_missing_or_in_no_journal_are_found(folder: Path) -> None:
    """And files that came later."""
    one, other, *_ = sorted((folder / "launches").iterdir())
    shutil.copytree(one, folder / "launches" / "0099-a")
    (one / "extra.txt").write_text("x")
    shutil.rmtree(other)
    found = {(row.launch, row.file, row.found) for row in verify(folder).problems}
    assert found == {
        ("0099-a", "", "not in the journal"),
        (one.name, "extra.txt", "not in the journal"),
        (other.name, "", "missing"),
    }


def test_what_was_not_checked_is_said(folder: Path) -> None:
    """Without raw stamps, without checksums, and what is not part of it."""
    forget_checksums(folder)
    for path in folder.rglob("raw.npy"):
        path.unlink()
    (folder / "report.html").write_text("<p>")
    found = verify(folder)
    assert found.problems == ()
    assert [one.partition(":")[0].partition(" of ")[0] for one in found.unchecked] == [
        "the samples", "whether the files", "whether the journal and the manifest changed", "report.html",
    ]  # fmt: skip


def test_a_folder_of_campaigns_has_all_of_them_checked(original: Path, tmp_path: Path) -> None:
    """Two campaigns, one below the other, and a document beside: what is wrong is named by its place."""
    folder = tmp_path / "tuning"
    shutil.copytree(original, folder / "race" / "a")
    shutil.copytree(original, folder / "race" / "a" / "split")
    write_document(folder / "tune.json", {"format": 1, "nrep": 5})
    (folder / "tune.html").write_text("<p>")
    sound = run_ictus("verify", folder)
    assert sound.code == 0, sound.out
    said = " ".join(sound.out.split())
    assert "Nothing is wrong: 10 launches, 40 summaries" in said
    assert "Not checked: tune.json: read, and compared with the checksum in the last line" in said
    assert "1 other files outside of campaigns, such as tune.html" in said
    (folder / "tune.json").write_text((folder / "tune.json").read_text().replace("5", "6", 1))
    (folder / "race" / "a" / "split" / "launches" / "extra").mkdir()
    spoiled = run_ictus("verify", folder, "--json")
    assert spoiled.code == 1
    found = {(row["file"], row["launch"]) for row in json.loads(spoiled.out)["rows"]}
    assert found == {("tune.json", ""), ("", "race/a/split/extra")}
    refused = run_ictus("verify", tmp_path / "tuning" / "race" / "a" / "aside")
    assert (refused.code, "and no folder in it has one" in refused.err) == (2, True)


def test_a_folder_of_documents_alone_is_taken(tmp_path: Path) -> None:
    """A study of links or clocks keeps one document, and a tuning that had nothing to race too: exit code 2 said that
    they have no campaign.json.
    """
    folder = tmp_path / "network"
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "a stranger\'s"}')
    assert run_ictus("verify", folder).code == 2
    write_document(folder / "network.json", {"format": 1, "ictus": "0.1.0", "study": "network", "nrep": 5})
    sound = run_ictus("verify", folder)
    assert sound.code == 0, sound.err
    said = " ".join(sound.out.split())
    assert said.startswith("Nothing is wrong: there is no campaign in it, so that documents were read and no number")
    assert "Not checked: network.json, package.json: read, and compared with the checksum in the last line" in said
    whole = (folder / "network.json").read_text()
    for damaged in (whole.replace("5", "6", 1), whole[:60]):
        (folder / "network.json").write_text(damaged)
        spoiled = run_ictus("verify", folder, "--json")
        assert (spoiled.code, [row["file"] for row in json.loads(spoiled.out)["rows"]]) == (1, ["network.json"])


def test_the_arrays_of_a_launch_go_with_it(tmp_path: Path) -> None:
    """Ten launches of a million samples took as much memory as all their files."""
    peaks = {}
    for launches in (1, 3):
        values = {"op": "bcast", "sizes": "8", "launches": launches, "nrep": 3000, "seed": 7, "mpi": "a=x"}
        design = make_design(Plan.from_values(values), Registries.load(), [Simulated.installation("a")])
        folder = tmp_path / str(launches)
        run_campaign(folder, design, Simulated(Scenario(noise=0.05)))
        tracemalloc.start()
        try:
            assert verify(folder).samples == launches * 3000
            peaks[launches] = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peaks[3] < 1.5 * peaks[1], peaks


@pytest.mark.long
def test_a_sample_takes_no_object_of_its_own() -> None:
    """Ten million of a launch were ten million objects, of 400 bytes and more each."""
    n = 20_000
    case = {"headline": "makespan", "calls": 1, "procsync": "barrier(library)", "window_s": 0.0}
    counts = {"attempted": n, "valid": n, "late": 0, "long": 0, "rejected": 0}
    record = struct.Struct("<IIHdddddddd")
    times = (2e-6, 2e-6, 1e-6, 5e-7, 0.0, 1e-7, 1e-8)
    body = b"".join(record.pack(number % 2, number // 2, 0, number * 1e-5, *times) for number in range(2 * n))
    content = b"\x93NUMPY\x01\x00" + struct.pack("<H", 4) + b"{} \n" + body
    tracemalloc.start()
    try:
        found = read_plain(content).by_case()
        problems = [problem for one in found.values() for problem in check_case(CaseLocation("a"), case | counts, one)]
        problems += [problem for one in found.values() for problem in check_ranks(CaseLocation("a"), [], one)]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert problems == []
    assert [len(one) for one in found.values()] == [n, n]
    assert peak < 40 * 2 * n


@pytest.mark.parametrize(("beyond_s", "error_s", "wrong"), [(3e-6, 0.0, 1), (3e-6, 4e-6, 0), (9e-6, 4e-6, 1)])
def test_a_sample_outlasts_its_window_by_the_clock_that_flagged_it(beyond_s: float, error_s: float, wrong: int) -> None:
    """That of its block's beginning; the makespan is mapped by the better one of the end. On busy cores they were 4 us
    apart, and verify called right samples wrong.
    """
    case = {"headline": "makespan", "calls": 1, "procsync": "window(size=325us)", "window_s": 325e-6}
    counts = {"attempted": 1, "valid": 1, "late": 0, "long": 0, "rejected": 0}
    taken_s = 325e-6 + beyond_s
    times = (taken_s, taken_s - 1e-6, taken_s - 2e-6, taken_s - 3e-6, 0.0, 1e-7, 1e-8)
    body = struct.pack("<IIHdddddddd", 0, 0, 0, 1.0, *times)
    content = b"\x93NUMPY\x01\x00" + struct.pack("<H", 4) + b"{} \n" + body
    found = list(check_case(CaseLocation("a"), case | counts, read_plain(content), opening_error_s=error_s))
    assert [one.field for one in found] == ["makespan[0]"] * wrong


def test_a_stamp_takes_no_object_of_its_own() -> None:
    """A stamp was a tuple in a dictionary, more than 200 bytes for a record of 30. In pieces of repetitions, rank after
    rank, as the core writes them; a repetition that is there twice or is missing is found.
    """
    n, ranks, piece = 20_000, 2, 1000
    record = struct.Struct("<IIIHqq")
    order = [
        (repetition, rank)
        for first in range(0, n, piece)
        for rank in range(ranks)
        for repetition in range(first, first + piece)
    ]
    packed = [
        record.pack(4, repetition, rank, rank, 10 * repetition, 10 * repetition + 7) for repetition, rank in order
    ]
    header = b"\x93NUMPY\x01\x00" + struct.pack("<H", 4) + b"{} \n"
    content = header + b"".join(packed)
    tracemalloc.start()
    try:
        stamps = read_stamps(content)
        found = [stamps.find(4, 1, repetition) for repetition in (0, piece - 1, piece, n - 1, n)]
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found == [*((1, 10 * one, 10 * one + 7) for one in (0, piece - 1, piece, n - 1)), None]
    assert peak < 5 * n * ranks
    assert (stamps.find(4, 2, 0), stamps.find(3, 1, 0)) == (None, None)
    assert read_stamps(header + b"".join(packed[:3] + packed[4:])).find(4, 0, 3) is None
    with pytest.raises(ValueError, match="case 4, repetition 3: rank 0 is there twice"):
        read_stamps(content + packed[3])
    for torn in (content[:-1], content[:9], b""):
        with pytest.raises(ValueError, match="whole records of 30 bytes"):
            read_stamps(torn)
