"""Output of other suites as campaign folders, which every command reads and which say what their numbers are."""

import json
import re
from collections import Counter
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from tests.command_line import Ictus
from tests.interchange.printed import OUTPUTS, imb_text, osu_text

import ictus as product
from ictus.comparison.export import SUITES
from ictus.interchange.exporting import WRITABLE
from ictus.model.checksum import FileHash
from ictus.model.errors import OptionError, UsageError
from ictus.store import checksums
from ictus.store.checksums import hash_of

BCASTS = tuple(OUTPUTS / f"osu-7.4-bcast-{number}.txt" for number in (1, 2, 3))
MEAN = "Avg Latency(us) as printed, the mean over processes of each one's mean"


def test_three_files_are_three_launches(tmp_path: Path) -> None:
    """At 16 KiB OSU printed 3.03, 3.54 and 3.48 µs: the median over launches is 3.48. Each is one sample, a mean of
    nobody knows how many calls; the file's own words lie beside it.
    """
    campaign = product.import_results("osu", BCASTS, tmp_path / "old", labels=["mpich"], n=2)
    assert campaign.imported is not None
    assert (campaign.labels, len(campaign.launches), len(campaign.cases)) == (("mpich",), 3, 17)
    assert campaign.imported.numbers == (f"{MEAN} of an unknown number of calls",)
    assert "validation" in campaign.imported.unknown
    (row,) = [row for row in product.cases(campaign).rows if row.case["size_bytes"] == 16384]
    assert (row.median_s, row.min_s, row.max_s) == (3.48e-6, 3.03e-6, 3.54e-6)
    assert (row.n_launches, row.attempted, row.metric, row.summary) == (3, 3, "mean", "mean")
    assert (row.start_skew_s, row.clock_bound_s, row.low_s) == (None, None, None)
    launch = campaign.launches[1]
    assert (launch.folder / "output.txt").read_text("utf-8").strip() == BCASTS[1].read_text("utf-8").strip()
    assert (campaign.complete, campaign.unchecked) == (True, 0)


def test_each_file_is_hashed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the folder is written; who loads it checks it."""
    hashed: list[Path] = []

    def counted(path: Path) -> FileHash:
        hashed.append(path)
        return hash_of(path)

    monkeypatch.setattr(checksums, "hash_of", counted)
    product.import_results("osu", BCASTS, tmp_path / "old", labels=["mpich"], n=2)
    written = Counter(path.name for path in hashed if ".importing" in str(path))
    assert written["launch.json"] == written["samples.npy"] == len(BCASTS)


def test_sizes_are_totals_as_everywhere(tmp_path: Path) -> None:
    """OSU prints the block of an alltoall: 8 B on 4 processes are 32 B of the largest buffer."""
    (tmp_path / "a.txt").write_text(osu_text({8: 0.4}, "All-to-All Personalized Exchange Latency Test"))
    campaign = product.import_results("osu", [tmp_path / "a.txt"], tmp_path / "c", n=4)
    assert campaign.cases.select("size_bytes", "block_bytes", "moved_bytes").rows() == [(32, 8, 32)]


def test_every_command_reads_an_imported_folder(ictus: Ictus) -> None:
    """Show says what the numbers are, verify finds nothing wrong, and all others end well."""
    files = [f"{number}.txt" for number in range(3)]
    for name in files:
        Path(name).write_text(osu_text({8: 0.5 + 0.1 * int(name[0]), 64: 0.7}))
    answer = ictus("import", "osu", *files, "-o", "old", "--label", "mpich", "-n", "2")
    assert answer.code == 0, answer.err
    assert "3 launches of mpich, 2 cases, are in old\nNext: ictus show old\n" in answer.err
    shown = ictus("show", "old")
    said = " ".join((shown.out + shown.err).split())
    assert shown.code == 0
    assert f"Imported from OSU Micro-Benchmarks 7.4: {MEAN} of an unknown number of calls." in said
    assert (
        "Not known: the library, proven errors of clocks, the order of launches, the state of the machine, single calls"
        in said
    )
    assert "not synchronised" not in said
    assert re.search(r"size +library +mean ", shown.out)
    verified = ictus("verify", "old")
    assert (verified.code, verified.out.split(":")[0]) == (0, "Nothing is wrong"), verified.out
    for words in (
        ("report", "old", "-o", "old.html"),
        ("plot", "latency", "old", "-o", "fig.svg"),
        ("history", "old"),
        ("export", "old", "-o", "old.csv"),
        ("show", "old", "--launches"),
        ("diagnose", "old"),
    ):
        done = ictus(*words)
        assert done.code == 0, (words, done.err)
    assert "Imported from OSU" in Path("old.html").read_text("utf-8")
    document = json.loads(ictus("show", "old", "--json").out)
    assert document["imported"]["suite"] == "osu"
    assert [one["file"] for one in document["imported"]["launches"]] == files


def scattered(ictus: Ictus, *more: str) -> None:
    """Ten outputs of each of two libraries in the folder `two`, the second 20 % slower with a scatter of 2 %."""
    for number in range(10):
        own = 1 + 0.02 * ((number * 7) % 10 - 4.5) / 4.5
        for label, factor in (("mpich", 1.0), ("openmpi", 1.2)):
            Path(f"{label}-{number}.txt").write_text(osu_text({8: 100 * own * factor, 64: 200 * own * factor}))
    labels = ("--label", "mpich=mpich-*", "--label", "openmpi=openmpi-*")
    answer = ictus("import", "osu", *sorted(Path().glob("*-?.txt")), "-o", "two", "-n", "2", *labels, *more)
    assert answer.code == 0, answer.err


def test_logs_of_two_labels_are_apart(ictus: Ictus) -> None:
    """The ratio is told, and nobody knows whether they ran in turn. A gate ends with 2 and names what would measure
    them so; `--allow apart` accepts it.
    """
    scattered(ictus)
    compared = ictus("compare", "two", "--json")
    document = json.loads(compared.out)
    assert [(row["verdict"], row["metric"], row["summary"]) for row in document["rows"]] == [
        ("apart", "mean", "mean")
    ] * 2
    assert document["evidence"]["kind"] == "apart"
    assert [row["ratio"] for row in document["rows"]] == pytest.approx([1 / 1.2] * 2, rel=2e-3)
    assert (document["onward"], document["imported"]["suite"]) == (None, "osu")
    text = " ".join(ictus("compare", "two").out.split())
    assert "mpich / openmpi, apart: ratios of 0.833 in 2 cases prove nothing." in text
    assert "Imported from OSU" in text
    gated = ("compare", "two", "--gate", "slower > 3 %", "--reference", "mpich")
    refused = ictus(*gated)
    assert refused.code == 2
    assert "ictus run -m mpich -m openmpi --op bcast --sizes 8,64 -n 2 -o in-turn" in refused.err
    assert "if these logs were in turn: import them again with --interleaved" in refused.err
    assert ictus(*gated, "--allow", "apart").code == 1


def test_logs_that_the_user_says_were_in_turn_are_side_by_side(ictus: Ictus) -> None:
    """The same logs have verdicts and a gate, the answer says whose word that is, and launches are in turn: the first
    of each library, the second of each, and so on.
    """
    scattered(ictus, "--interleaved")
    document = json.loads(ictus("compare", "two", "--json").out)
    assert [row["verdict"] for row in document["rows"]] == ["faster", "faster"]
    said = "Evidence: side by side, launches in turn, as `ictus import --interleaved` says."
    assert document["evidence"]["sentence"] == said
    assert ictus("compare", "two", "--gate", "slower > 3 %", "--reference", "mpich").code == 1
    campaign = product.load("two")
    assert campaign.imported is not None
    assert "the order of launches" not in campaign.imported.unknown
    assert [launch.mpi for launch in campaign.launches] == ["mpich", "openmpi"] * 10
    files = [one.file for one in campaign.imported.launches]
    assert files[:4] == ["mpich-0.txt", "openmpi-0.txt", "mpich-1.txt", "openmpi-1.txt"]
    assert ictus("report", "two", "-o", "two.html").code == 0
    assert "10 of each library, interleaved" in Path("two.html").read_text("utf-8")
    assert ictus("verify", "two").code == 0


def imb_logs(*runs: tuple[str, str]) -> list[Path]:
    """Logs of IMB, each with its label and its time of day."""
    table = (
        "# Benchmarking Bcast\n# #processes = 2\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n8 9 1 3 2\n"
    )
    paths = []
    for label, time in runs:
        paths.append(Path(f"{label}-{time.replace(':', '')}.log"))
        paths[-1].write_text(imb_text(table).replace("07:44:26", time))
    return paths


def test_times_in_the_logs_order_what_was_in_turn(ictus: Ictus) -> None:
    """Not the order of the files. Where they are not in turn, it is refused with the times."""
    turns = imb_logs(("b", "08:03:00"), ("a", "08:02:00"), ("b", "08:01:00"), ("a", "08:00:00"))
    labels = ["a=a-*", "b=b-*"]
    campaign = product.import_results("imb", turns, "turns", labels=labels, interleaved=True)
    assert [launch.started[11:] for launch in campaign.launches] == ["08:00:00", "08:01:00", "08:02:00", "08:03:00"]
    assert [launch.mpi for launch in campaign.launches] == ["a", "b", "a", "b"]
    apart = imb_logs(("a", "09:00:00"), ("a", "09:01:00"), ("b", "09:25:00"), ("b", "09:26:00"))
    with pytest.raises(UsageError) as caught:
        product.import_results("imb", apart, "apart", labels=labels, interleaved=True)
    assert str(caught.value) == (
        "--interleaved: the last launch of a began at 2026-11-23 09:01:00, the first of b at 2026-11-23 09:25:00; "
        "they were not in turn: leave it out"
    )
    with pytest.raises(UsageError, match="all launches are of a; name the libraries with --label"):
        product.import_results("imb", apart[:2], "alone", labels=["a"], interleaved=True)
    found = product.compare(product.import_results("imb", apart, "apart", labels=labels))
    assert found.evidence.differs == ("time (25 min)",)


def test_two_imported_folders_are_compared(ictus: Ictus) -> None:
    """Of different labels, measured apart: nothing is decided, and `--metric max` has what full tables have."""
    full = OUTPUTS / "osu-7.4-allreduce-full.txt"
    assert ictus("import", "osu", full, "-o", "one", "-n", "2").code == 0
    Path("other.txt").write_text(full.read_text("utf-8").replace("0.43", "0.44"))
    assert ictus("import", "osu", "other.txt", "-o", "two", "-n", "2").code == 0
    answer = ictus("compare", "one", "two", "--metric", "max", "--json")
    assert answer.code == 0, answer.err
    row = json.loads(answer.out)["rows"][0]
    assert (row["median_a_s"], row["median_b_s"], row["metric"]) == (0.43e-6, 0.44e-6, "max")
    assert row["verdict"] == "apart"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--summary", "min"), ("--summary 'min': launch 0000-osu is output of OSU MPI Broadcast Latency Test 7.4, "
         "with one number of each case instead of its calls; leave it out")),
        (("--metric", "max"), "its samples have no local_max"),
        (("--metric", "makespan"), "clocks were not synchronised, so there is no makespan"),
    ],
)  # fmt: skip
def test_what_the_file_does_not_have_is_refused(ictus: Ictus, words: tuple[str, ...], message: str) -> None:
    """The mean of many calls is not called their minimum."""
    assert ictus("import", "osu", *BCASTS, "-o", "old", "-n", "2").code == 0
    answer = ictus("show", "old", *words)
    assert answer.code == 2
    assert message in answer.err


def test_single_repetitions_are_summarised_as_ours(tmp_path: Path) -> None:
    """Raw run-times of ReproMPI: 100 makespans, of which the launch's median is taken; all statistics are open."""
    files = [OUTPUTS / "reprompi-raw.txt", OUTPUTS / "reprompi-window-verbose.txt"]
    product.import_results("reprompi", files, tmp_path / "raw")
    campaign = product.load(tmp_path / "raw", reduction=product.Reduction(summary="min", outliers=None))
    found = {
        (row.case["operation"], row.case["procsync"].partition("(")[0]): row for row in product.cases(campaign).rows
    }
    assert found["bcast", "barrier"].metric == "makespan"
    assert found["bcast", "barrier"].valid == 100
    assert (found["bcast", "window"].late, found["bcast", "window"].long) == (1, 1)
    times = [
        float(line.split()[3])
        for line in files[0].read_text("utf-8").splitlines()
        if line.strip().startswith("MPI_Bcast")
    ]
    assert found["bcast", "barrier"].median_s == min(times)
    assert campaign.imported is not None
    assert campaign.imported.summary is None


def test_a_summary_of_reprompi_says_which_statistic_it_is(tmp_path: Path) -> None:
    """The median is its own."""
    campaign = product.import_results("reprompi", [OUTPUTS / "reprompi-summary.txt"], tmp_path / "sum")
    rows = {(row.case["operation"], row.case["size_bytes"]): row for row in product.cases(campaign).rows}
    assert (rows["bcast", 1024].median_s, rows["bcast", 1024].summary) == (2.2935e-6, "median")
    assert campaign.imported is not None
    assert campaign.imported.numbers[0].startswith("median_sec as printed, the median of 100 repetitions")
    assert campaign.created == "2026-11-23T07:44:26"


def test_numbers_of_two_kinds_are_not_mixed(tmp_path: Path) -> None:
    """Raw and summary output in one campaign would compare medians with medians of medians."""
    files = [OUTPUTS / "reprompi-summary.txt", OUTPUTS / "reprompi-raw.txt"]
    with pytest.raises(UsageError, match="launches of one campaign have numbers of one kind"):
        product.import_results("reprompi", files, tmp_path / "mixed")


def test_a_launch_that_is_there_twice_is_said(tmp_path: Path) -> None:
    """A copied file would make one launch two."""
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(BCASTS[0].read_text("utf-8"))
    campaign = product.import_results("osu", [tmp_path / "a.txt", tmp_path / "b.txt"], tmp_path / "c", n=2)
    (warning,) = campaign.launches[1].record.head.warnings
    assert "is word for word" in warning
    assert "one launch counts twice" in warning
    assert campaign.launches[0].record.head.warnings == ()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"suite": "ous"}, "unknown suite 'ous', did you mean 'osu'? known: osu, imb, reprompi, nccl"),
        ({"suite": "imb"}, "holds no output of Intel MPI Benchmarks"),
        ({"files": []}, "ictus import osu needs files"),
        ({"files": ["nowhere.txt"]}, "'nowhere.txt' does not exist"),
        ({"files": [BCASTS[0], BCASTS[0]]}, "is given twice: a launch counts once"),
        ({"labels": ["a", "b"]}, "'a' is of all files already"),
        ({"labels": ["a=nothing*"]}, "no file has such a name"),
        ({"labels": ["a=*bcast-1*"]}, "has none of the labels a=*bcast-1*"),
        ({"labels": ["../a"]}, "label '../a': a label is at most 200 letters"),
        ({"statistic": "mode"}, "unknown --statistic 'mode'"),
        ({"started": "yesterday"}, "expected a time such as 2026-11-23T07:44"),
        ({"n": None}, "OSU does not print the number of processes; say it with -n"),
    ],
)
def test_wrong_requests_leave_nothing_behind(tmp_path: Path, asked: dict[str, object], message: str) -> None:
    """The message says what is wrong; no folder is there afterwards."""
    request: dict[str, object] = {"suite": "osu", "files": BCASTS, "n": 2, **asked}
    suite, files = request.pop("suite"), request.pop("files")
    with pytest.raises((UsageError, OptionError)) as refused:
        product.import_results(suite, files, tmp_path / "old", **request)  # type: ignore[arg-type]
    assert message in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    """A campaign, imported or measured, is not added to."""
    product.import_results("osu", BCASTS, tmp_path / "old", n=2)
    with pytest.raises(UsageError, match="holds a campaign already; name another folder"):
        product.import_results("osu", BCASTS, tmp_path / "old", n=2)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_a_changed_number_is_found(ictus: Ictus) -> None:
    """The lines of the file have a checksum in the journal, as all of a launch has."""
    assert ictus("import", "osu", *BCASTS, "-o", "old", "-n", "2").code == 0
    output = Path("old/launches/0001-osu/output.txt")
    output.write_text(output.read_text("utf-8").replace("3.54", "2.54"))
    answer = ictus("verify", "old")
    assert answer.code == 1
    assert "output.txt" in answer.out


def test_both_ways_are_one(tmp_path: Path) -> None:
    """Written and read again, every number is what it was: mean, least and most of OSU and IMB."""
    assert SUITES == WRITABLE
    files = {
        "osu": [OUTPUTS / f"osu-7.4-{name}.txt" for name in ("allreduce-full", "barrier", "bcast-1", "latency")],
        "imb": [OUTPUTS / f"imb-2021-mpi1-{number}.txt" for number in (1, 2)],
    }
    columns = ("mpi", "n", "operation", "size_bytes", "datatype", "local_mean", "local_min", "local_max")
    for suite in SUITES:
        first = product.import_results(suite, files[suite], tmp_path / suite, labels=["mpich"], n=2)
        written = product.export_results(first, suite, tmp_path / f"as-{suite}")
        assert written.warnings == ()
        again = product.import_results(suite, written.files, tmp_path / f"{suite}-again")
        frames = [
            one.samples.collect().drop("datatype", strict=False).join(one.cases, on="case_id")
            .select(columns).sort("operation", "size_bytes", "local_mean", "local_max")
            for one in (first, again)
        ]  # fmt: skip
        assert frames[0].equals(frames[1], null_equal=True), suite


@pytest.mark.parametrize(
    "words", [("run", "old"), ("run", "-o", "old", "--launches", "9"), ("run", "old/campaign.json")]
)
def test_nothing_is_measured_into_it(ictus: Ictus, words: tuple[str, ...]) -> None:
    """A launch of ours beside those of another suite would be compared with them."""
    assert ictus("import", "osu", *BCASTS, "-o", "old", "-n", "2").code == 0
    answer = ictus(*words)
    assert answer.code == 2
    assert "'old' holds results of OSU Micro-Benchmarks 7.4, read by `ictus import`" in answer.err


def test_a_datatype_that_follows_from_the_operation_is_nothing_to_compare(ictus: Ictus) -> None:
    """IMB reduces floats and moves bytes: the next command is the report, and no factor of an allreduce varies."""
    assert ictus("import", "imb", OUTPUTS / "imb-2021-mpi1-1.txt", "-o", "imb").code == 0
    shown = ictus("show", "imb")
    assert shown.code == 0
    assert "--by datatype" not in shown.out
    refused = ictus("compare", "imb")
    assert refused.code == 2
    assert "only 'imb'" in refused.err


def test_what_did_not_end_well_is_counted_and_no_gate_passes(ictus: Ictus) -> None:
    """The new library aborts above 16 KiB in each of eight launches: the sizes that it lacks are named, and a gate ends
    with exit code 2. One launch of the old one lacks a size without a word: that is told as well.
    """
    head = "# OSU MPI Bandwidth Test v7.4\n# Datatype: MPI_CHAR.\n# Size      Bandwidth (MB/s)\n"
    for number in range(8):
        own = 1 + 0.01 * (number - 3.5) / 3.5
        sizes = (1024, 16384) if number == 7 else (1024, 16384, 32768)
        Path(f"old-{number}.txt").write_text(head + "".join(f"{size}   {5000 * own:.2f}\n" for size in sizes))
        rows = "".join(f"{size}   {5000 * own:.2f}\n" for size in (1024, 16384))
        Path(f"new-{number}.txt").write_text(f"{head}{rows}Assertion failed in file a.c\n")
    words = ("--label", "old=old-*", "--label", "new=new-*")
    answer = ictus("import", "osu", *sorted(Path().glob("*.txt")), "-o", "c", *words)
    assert answer.code == 0, answer.err
    assert "9 of 16 imported launches are incomplete: new-0.txt, line 6: Assertion failed in file a.c" in answer.err
    shown = ictus("show", "c")
    assert "9 of 16 imported launches are incomplete" in shown.out + shown.err
    document = json.loads(ictus("show", "c", "--json").out)
    reasons = [one["incomplete"] for one in document["imported"]["launches"] if one["file"] == "old-7.txt"]
    assert reasons == ["old-7.txt, line 1: osu_bw lacks 1 of 3 sizes that other launches have (32 KiB)"]
    gated = ictus("compare", "c", "--gate", "slower > 3 %", "--reference", "old", "--allow", "apart")
    assert gated.code == 2
    assert "32 KiB" in gated.out + gated.err


def test_means_of_unlike_numbers_of_calls_are_no_launches_of_one_case(tmp_path: Path) -> None:
    """100 calls and 1,000 by -f: two cases, each with the number as a factor."""
    columns = "# Size   Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
    head = f"# OSU MPI Allreduce Latency Test v7.4\n{columns}"
    for calls in (100, 1000):
        (tmp_path / f"{calls}.txt").write_text(f"{head}8   0.50   0.40   0.60   {calls}\n")
    files = [tmp_path / "100.txt", tmp_path / "1000.txt"]
    campaign = product.import_results("osu", files, tmp_path / "c", n=2)
    assert campaign.cases["operation"].to_list() == ["allreduce(calls=100)", "allreduce(calls=1000)"]


def test_standard_input_is_a_file(ictus: Ictus, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name is `-`."""
    text = osu_text({8: 0.5}).encode()
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text)))
    answer = ictus("import", "osu", "-", "-o", "c", "-n", "2")
    assert answer.code == 0, answer.err
    assert "1 launch of osu, 1 case, is in c" in answer.err


def test_advice_fits_what_an_import_can_do(ictus: Ictus) -> None:
    """No longer windows, no clocks to synchronise, no operation that Ictus does not have; and two imports with unlike
    metrics hear which they share.
    """
    wrong = "# OSU MPI Latency Test v7.4\n# Size   Avg Latency(us)    Validation\n8   0.90   Fail\n16   0.80   Pass\n"
    Path("wrong.txt").write_text(wrong)
    assert ictus("import", "osu", "wrong.txt", "-o", "wrong").code == 0
    assert ictus("import", "imb", OUTPUTS / "imb-2021-mpi1-1.txt", "-o", "imb").code == 0
    said = " ".join(ictus(*words).err for words in (("show", "wrong"), ("show", "imb")))
    assert "no valid sample at all, shown as NA" in said
    assert "output.txt of its launches" in said
    assert not any(word in said for word in ("longer windows", "--clocksync", "--warmup", "--nrep"))
    Path("right.txt").write_text(wrong.replace("Fail", "Pass").replace("0.90", "0.95"))
    assert ictus("import", "osu", "right.txt", "-o", "right").code == 0
    gated = ictus("compare", "wrong", "right", "--gate", "slower > 3 %")
    assert gated.code == 2
    assert "ictus run" not in gated.err
    for name in ("raw", "summary"):
        assert ictus("import", "reprompi", OUTPUTS / f"reprompi-{name}.txt", "-o", name).code == 0
    unlike = ictus("compare", "raw", "summary")
    assert unlike.code == 2
    assert "the sides have no metric in common (makespan and max)" in " ".join((unlike.out + unlike.err).split())


def test_files_are_labelled_by_name_and_by_folder(ictus: Ictus) -> None:
    """`-m` as in `ictus run`: a folder, and a file's own name."""
    Path("before").mkdir()
    for name in ("before/1.txt", "2.txt"):
        Path(name).write_text(osu_text({8: 0.5 + 0.1 * len(name)}))
    answer = ictus(
        "import", "osu", "before/1.txt", "2.txt", "-o", "c", "-n", "2", "-m", "old=before/", "-m", "new=2.txt"
    )
    assert answer.code == 0, answer.err
    assert "2 launches of old, new, 1 case, are in c" in answer.err
