"""What people's logs of OSU hold beside plain tables: facts, numbers of processes, failures, damaged rows, labels."""

import gzip
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.interchange.printed import read_text

import ictus as product
from ictus.interchange.suite import PrintedLaunch
from ictus.model.errors import UsageError

TITLE = "# OSU MPI{} Latency Test v7.4\n"
HEADER = "# Size       Avg Latency(us)\n"
ROWS = "1                       0.91\n8                       0.92\n"
LOG = TITLE.format("") + "# Datatype: MPI_CHAR.\n" + HEADER + ROWS


def operations(launches: Sequence[PrintedLaunch]) -> list[str]:
    """The operation of the first case of each launch."""
    return [launch.cases[0].operation for launch in launches]


@pytest.mark.parametrize(
    ("title", "comments", "operation"),
    [
        (" ", "", "osu_latency"),
        ("-CUDA ", "", "osu_latency(accelerator=cuda)"),
        ("-ZE ", "", "osu_latency(accelerator=ze)"),
        ("-SYCL ", "", "osu_latency(accelerator=sycl)"),
        ("-OPENACC ", "", "osu_latency(accelerator=openacc)"),
        (
            "-CUDA ",
            "# Send Buffer on DEVICE (D) and Receive Buffer on HOST (H)\n",
            "osu_latency(accelerator=cuda,send=device,receive=host)",
        ),
        (
            "-CUDA ",
            "# Send Buffer on MANAGED (MD) and Receive Buffer on MANAGED (MH)\n",
            "osu_latency(accelerator=cuda,send=managed_md,receive=managed_mh)",
        ),
        (
            "-ROCM ",
            "# Rank 0 Memory on DEVICE (D) and Rank 1 Memory on HOST (H)\n",
            "osu_latency(accelerator=rocm,rank0=device,rank1=host)",
        ),
        (
            " ",
            "# Window creation: MPI_Win_create\n# Synchronization: MPI_Win_flush\n",
            "osu_latency(window=mpi_win_create,synchronization=mpi_win_flush)",
        ),
        (
            " ",
            "# Number of forked processes in sender: 2\n# Number of forked processes in receiver: 3\n",
            "osu_latency(forked_senders=2,forked_receivers=3)",
        ),
        (" ", "#Using NCCL\n", "osu_latency(header=is_using_nccl)"),
        (" ", "# Cache: flushed\n", "osu_latency(header=is_cache_flushed)"),
    ],
)
def test_every_fact_of_a_table_is_a_factor(title: str, comments: str, operation: str) -> None:
    """Buffers, threads, windows; and words that nobody here knows."""
    text = TITLE.format(title.rstrip()) + comments + HEADER + ROWS
    assert operations(read_text("osu", text)) == [operation]


def test_words_behind_the_version_and_long_comments_are_kept() -> None:
    """Two comments that differ behind their sixtieth letter are two headers."""
    behind = TITLE.format("").replace("v7.4", "v7.4 (huge pages)") + HEADER + ROWS
    assert operations(read_text("osu", behind)) == ["osu_latency(header=is_huge_pages)"]
    long = [TITLE.format("") + f"# {'x' * 80}{end}\n" + HEADER + ROWS for end in "ab"]
    assert len({operations(read_text("osu", text))[0] for text in long}) == 2


def test_lines_above_a_title_belong_to_it() -> None:
    """Threads of osu_latency_mt, printed before the title."""
    one = (
        "# Number of Sender threads: {0} \n# Number of Receiver threads: 2\n"
        "# OSU MPI Multi-threaded Latency Test v5.9\n"
    )
    text = "".join(one.format(count) + "# Size          Latency (us)\n8   0.90\n" for count in (1, 8))
    assert operations(read_text("osu", text)) == [
        "osu_latency_mt(senders=1,receivers=2)",
        "osu_latency_mt(senders=8,receivers=2)",
    ]


@pytest.mark.parametrize(
    ("command", "n"),
    [
        ("$ mpirun -n 16 --map-by node ./osu_iallgather -m 1:1", 16),
        ("+ mpirun -np 24 -x UCX_TLS=sm ./osu_iallgather", 24),
        ("user@node:~> srun -n8 osu_iallgather", 8),
        ("srun --ntasks=12 --label ./osu_iallgather", 12),
        ("srun -N 2 --ntasks-per-node=4 ./osu_iallgather", 8),
        ("mpiexec -n 3 ./osu_iallgather : -n 2 ./osu_iallgather", 5),
        ("flux run -n 6 ./osu_iallgather", 6),
        ("mpirun -np 4 bash run_all.sh", 4),
        ("jsrun -n 2 -a 4 ./osu_iallgather", 8),
        ("time mpirun -np 8 -ppn 4 -hosts a,b ./osu_iallgather", 8),
        ("# mpirun -np 4 ./osu_iallgather", 4),
    ],
)
def test_the_command_in_the_log_says_how_many(command: str, n: int) -> None:
    """And -n that says otherwise is an error with that line."""
    text = f"{command}\n# OSU MPI Non-blocking Allgather Latency Test v5.3.2\n# Size   Pure Comm.(us)\n1   130.30\n"
    (launch,) = read_text("osu", text)
    assert launch.n == n
    assert launch.text.startswith(command)
    with pytest.raises(UsageError, match=rf"line 1: this launch has {n} processes .*, -n says 99; leave -n out"):
        read_text("osu", text, n=99)


def test_programs_of_two_need_no_number() -> None:
    """And one that runs on more has what -n says, in the same file."""
    other = "# OSU MPI Allreduce Latency Test v7.4\n" + HEADER + ROWS
    one, two = read_text("osu", LOG + other, n=16)
    assert (one.n, two.n) == (2, 16)
    assert one.warnings == ("line 1: OSU MPI Latency Test runs on 2 processes, -n 16 is not of it",)
    with pytest.raises(UsageError, match="line 6: OSU does not print the number of processes; say it with -n"):
        read_text("osu", LOG + other)
    with pytest.raises(UsageError, match=r"line 2: 2 processes .*, line 1 says 4"):
        read_text("osu", "$ mpirun -n 4 ./osu_latency\n" + LOG)


def test_options_that_matter_are_factors() -> None:
    """`D D`, managed memory, and an option that no comment tells; iterations are the calls."""
    title = TITLE.format("") + HEADER + ROWS
    for words, operation in (
        ("-m 1:8 -f -i 500", "osu_latency"),
        ("D H", "osu_latency(send=device,receive=host)"),
        ("-d managed", "osu_latency(memory=managed)"),
        ("-x 9", "osu_latency(options=is_x_9)"),
    ):
        (launch,) = read_text("osu", f"$ mpirun -n 2 osu_latency {words}\n{title}")
        assert operations([launch]) == [operation]
        assert launch.cases[0].calls == (500 if "500" in words else 0)


@pytest.mark.parametrize(
    "words",
    [
        "Assertion failed in file src/a.c at line 243: size <= limit",
        "internal ABORT - process 1",
        "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES",
        "=   EXIT CODE: 139",
        "slurmstepd: error: *** STEP 7.0 ON n1 CANCELLED AT 2026-03-04T10:11:12 DUE TO TIME LIMIT ***",
        "mpirun noticed that process rank 1 with PID 7 on node n1 exited on signal 11 (Segmentation fault).",
        "Process 1: Got invalid buffer:",
        "[node1:77] *** Process received signal ***\n[node1:77] Signal: Segmentation fault (11)",
        "srun: error: node1: task 1: Killed",
        "forrtl: severe (174): SIGSEGV, segmentation fault occurred",
    ],
)
def test_words_of_failure_make_a_launch_incomplete(words: str) -> None:
    """Its rows stay."""
    (launch,) = read_text("osu", f"{LOG}{words}\n")
    assert launch.incomplete.startswith(("line 6: ", "line 7: "))
    assert len(launch.cases) == 2


@pytest.mark.parametrize(
    "words",
    [
        "[node1:7] WARNING: an error of the fabric is ignored",
        "All done: 0 errors",
        "real 1.20",
        "0.52user 0.03system 0:01.20elapsed 99%CPU (0avgtext+0avgdata 9matz)",
        "Elapsed 3.20",
        "mpirun finished with exit code 0",
        "libfabric:7:core:1<info> no error",
    ],
)
def test_other_words_are_harmless(words: str) -> None:
    """A warning, or a count of nought."""
    assert read_text("osu", f"{LOG}{words}\n")[0].incomplete == ""


def test_a_wrong_result_below_its_row_is_no_number() -> None:
    """The line names the size."""
    (launch,) = read_text("osu", LOG + "DATA VALIDATION ERROR: osu_latency exited with status 1 on message size 8.\n")
    assert [int(case.samples["flags"][0]) for case in launch.cases] == [0, 4]
    assert launch.incomplete.startswith("line 6: DATA VALIDATION ERROR")


@pytest.mark.parametrize(
    "line",
    [
        "-128 6.0", "2.56e2 7.0", "512;8.0", "512,8.0", "1,024 9.00", "0x40 7.0", "64K 7.0", "16", "16 ",
        "16 0.98 [n1]", "16.0 7.0",
        "[n1:7] UCX WARN unreadable 16                     98.20", "unreadable16                     98.20",
        "[n1:7] UCX WARN unreadable 16   98.20   97.10   99.30   200", "# a note 16   98.20   97.10   99.30   200",
        "# a note 16   0.98", "16   0.98# OSU MPI Latency Test v7.4",
        "16 nan", "16 -1.00", "16 0.00", "16 0.28e30", "16 1_0", "nan 7.0", "8 0.93", "16   98.20[n1:7] UCX WARN",
    ],
)  # fmt: skip
def test_no_row_is_lost_without_a_word(line: str) -> None:
    """A line that begins like a row, or has one at its end, is an error with its number; as are impossible numbers."""
    with pytest.raises(UsageError, match="line 6: "):
        read_text("osu", f"{LOG}{line}\n")


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        ("Avg Latency(us)   Min Latency(us)   Max Latency(us)", "32   0.50   0.60   0.70"),
        ("Avg Latency(us)   Min Latency(us)   Max Latency(us)", "32   0.80   0.60   0.70"),
        ("Avg Latency(us)", "32   0.80   0.90   1.00   200"),
        ("Avg Latency(us)   Min Latency(us)   Max Latency(us)", "32   0.50   0.00   0.70"),
        ("Avg Latency(us)", "32   0.50   0.40   0.60   x"),
    ],
)
def test_an_average_lies_between_its_least_and_most(columns: str, row: str) -> None:
    """Else columns are swapped, or the line is damaged."""
    with pytest.raises(UsageError, match="line 3: "):
        read_text("osu", f"{TITLE.format('')}# Size   {columns}\n{row}\n")


def test_more_columns_than_named_are_read_where_the_form_is_known() -> None:
    """Average, least, most and iterations of -f, under a header that names the average alone."""
    (launch,) = read_text("osu", f"{TITLE.format('')}{HEADER}8   0.50   0.40   0.60   200\n")
    sample = launch.cases[0].samples[0]
    assert [float(sample[name]) for name in ("local_mean", "local_min", "local_max")] == [0.5e-6, 0.4e-6, 0.6e-6]
    assert launch.cases[0].calls == 200
    with pytest.raises(UsageError, match="line 4: 5 values, rows above it have 2"):
        read_text("osu", f"{TITLE.format('')}{HEADER}8   0.50\n16   0.50   0.40   0.60   200\n")


def test_a_header_that_changes_ends_the_table() -> None:
    """What follows without a title has no name."""
    for change in (HEADER, "# Send Buffer on HOST (H) and Receive Buffer on HOST (H)\n", "# Datatype: MPI_INT.\n"):
        with pytest.raises(UsageError, match="line 7: a row below line 6, where another table begins"):
            read_text("osu", LOG + change + "64   1.20\n")
        assert operations(read_text("osu", LOG + change + "64   1.20\n" + LOG)) == ["osu_latency"]  # no fact of its own
    (launch,) = read_text("osu", LOG + "# a note\n64   1.20\n")
    assert [case.operation for case in launch.cases] == ["osu_latency"] * 2 + ["osu_latency(header=is_a_note)"]


def test_a_file_that_ends_inside_a_number_is_refused() -> None:
    """0.9 of 0.92; but a last line without a line end is read."""
    assert len(read_text("osu", LOG.rstrip())[0].cases) == 2
    with pytest.raises(UsageError, match=r"ends in this row, and its last number has fewer digits: '0\.9'"):
        read_text("osu", LOG.rstrip()[:-1])


LABELS = {
    "srun": lambda line: f"0: {line}",
    "srun of many": lambda line: f"00: {line}",
    "mpiexec -l": lambda line: f"[0] {line}",
    "open mpi 4": lambda line: f"[1,0]<stdout>:{line}",
    "open mpi 4 with time": lambda line: f"Wed Mar  4 10:11:12 2026[1,0]<stdout>:{line}",
    "open mpi 4, time alone": lambda line: f"Wed Mar  4 10:11:12 2026<stdout>:{line}",
    "open mpi 5": lambda line: f"[prterun-node1-77@1,0]<stdout>: {line}",
    "open mpi 5 with host": lambda line: f"[prterun-node1-77@1,0][node1:78]<stdout>: {line}",
    "ts": lambda line: f"2026-03-04T10:11:12.5Z {line}",
    "colours": lambda line: f"\x1b[32m{line}\x1b[0m",
}


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_labels_are_taken_off(name: str, end: str) -> None:
    """Of every launcher; the number of the rank is no size."""
    text = "".join(f"{LABELS[name](line)}{end}" for line in LOG.splitlines())
    (launch,) = read_text("osu", text)
    assert [float(case.samples["local_mean"][0]) for case in launch.cases] == [0.91e-6, 0.92e-6]
    assert operations([launch]) == ["osu_latency"]


def test_lines_of_other_ranks_are_no_rows() -> None:
    """Their words of failure count; and where each prints the title, each ran alone."""
    labelled = "".join(f"0: {line}\n" for line in LOG.splitlines())
    (launch,) = read_text("osu", labelled + "1: 16    7.00\n1: Assertion failed\n")
    assert (len(launch.cases), launch.incomplete) == (2, "line 7: Assertion failed")
    with pytest.raises(UsageError, match="several ranks print the title"):
        read_text("osu", labelled + labelled.replace("0: ", "1: "))


def test_two_rows_on_one_line_are_refused() -> None:
    """Tags in the middle of a line."""
    tag = "[1,0]<stdout>:"
    lines = [tag + line for line in LOG.splitlines()]
    with pytest.raises(UsageError, match="line 4: two lines of output are merged"):
        read_text("osu", "\n".join([*lines[:3], lines[3] + lines[4]]) + "\n")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("packed", [False, True])
def test_files_of_windows_and_archives_are_read(tmp_path: Path, encoding: str, packed: bool) -> None:
    """Byte order marks, two bytes a letter, gzip."""
    content = LOG.replace("\n", "\r\n").encode(encoding)
    (tmp_path / "a.log").write_bytes(gzip.compress(content) if packed else content)
    campaign = product.import_results("osu", [tmp_path / "a.log"], tmp_path / "c")
    assert campaign.cases["size_bytes"].to_list() == [1, 8]


def test_a_bad_part_never_loses_the_others() -> None:
    """osu_hello has no times, osu_init has those of its start, a damaged table is told, the last one is read."""
    hello = "# OSU MPI Hello World Test v7.4\nThis is a test with 4 processes\n"
    init = "# OSU MPI Init Test v7.4\nnprocs: 2, min: 21 ms, max: 23 ms, avg: 22 ms\n"
    damaged = LOG + "-3 4.0\n"
    one, two = read_text("osu", hello + init + damaged + LOG)
    assert operations([one, two]) == ["osu_init", "osu_latency"]
    assert [float(one.cases[0].samples[name][0]) for name in ("local_mean", "local_min", "local_max")] == [
        0.022, 0.021, 0.023,
    ]  # fmt: skip
    assert (one.n, len(two.cases)) == (2, 2)
    assert one.warnings == (
        "line 1: OSU MPI Hello World Test prints no times; it is passed over",
        "a part is left out: line 10: it begins like a row of the table, but is not one: '-3 4.0'",
    )
    with pytest.raises(UsageError, match="avg is not between its minimum and maximum"):
        read_text("osu", init.replace("avg: 22", "avg: 25"))


def test_latency_of_many_pairs_says_what_it_is() -> None:
    """Half a round trip, averaged over the pairs."""
    (launch,) = read_text("osu", LOG.replace("MPI Latency", "MPI Multi Latency"), n=4)
    assert "half the mean round trip of {calls} calls, averaged over pairs" in launch.cases[0].number


def test_a_datatype_below_the_columns_is_of_the_table() -> None:
    """Version 7.1 prints it there; a shell's times below a table are no rows."""
    text = TITLE.format("") + HEADER + "# Datatype: MPI_FLOAT.\n" + ROWS
    (launch,) = read_text("osu", text)
    assert {(case.operation, case.datatype) for case in launch.cases} == {("osu_latency", "float")}


RATES = "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: 4 ] [ window size: 64 ]\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LOG + "77  3\n16  0.93\n", "line 6: '3' has not the decimals of '0.92' in line 5: the row was cut, or is of"),
        (LOG + "16   12.3\n32   0.93\n", "line 6: '12.3' has not the decimals of '0.92' in line 5: the row was cut"),
        (LOG + "4   0.93\n", "line 6: Size 4 below 8: sizes of OSU ascend, it is not a row"),
        (
            TITLE.format("") + "# Size  Avg Latency(us) # Size Avg Latency(us)\n1  0.91  1  0.95\n",
            "line 2: column 'Size' is there twice: two tables stand side by side",
        ),
        (
            RATES + "# Size                  MB/s        Messages/s\n2               9750000.00              19.50\n",
            "line 4: MB/s is '9750000.00', but 19.50 Messages/s of 2 B are 0.00: the line is damaged",
        ),
    ],
)
def test_rows_of_something_else_are_refused(text: str, message: str) -> None:
    """Two whole numbers of another program, tables that `paste` put side by side, swapped columns."""
    with pytest.raises(UsageError) as refused:
        read_text("osu", text, n=8)
    assert message in str(refused.value)


def test_words_of_failure_in_harmless_lines_leave_a_launch_complete() -> None:
    """Settings and counts of none, above, between and below rows."""
    lines = "MPI_ERRORS_RETURN\nError checking enabled\n"
    text = "$ mpirun -n 2 ./osu_latency\n" + lines + LOG + "0 errors\n16   0.95\n" + lines + "error: 0\nfailed: 0\n"
    (launch,) = read_text("osu", text)
    assert (launch.incomplete, launch.warnings, len(launch.cases)) == ("", (), 3)
    (failed,) = read_text("osu", text + "Error: link is down\n")
    assert failed.incomplete == "line 15: Error: link is down"
