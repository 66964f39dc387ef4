"""Intel MPI Benchmarks: recorded output of MPI-1, and every other form of table as its source prints it."""

import pytest
from tests.interchange.printed import imb_text, read_text, recorded

from ictus.model.errors import UsageError

WHO = "# Benchmarking {} \n# #processes = {} \n"
SHORT = "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]"
RANGE = "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"


def test_recorded_tables_of_one_launch() -> None:
    """Bcast of 256 B in the second file: 0.32, 0.35, 0.33 µs; PingPong has the largest of both processes alone."""
    (launch,) = recorded("imb", "imb-2021-mpi1-2.txt")
    assert (launch.program, launch.version, launch.n) == ("IMB-MPI1", "2021.11", 2)
    assert launch.started == "2026-11-23T07:44:26"
    found = {(case.operation, case.size_bytes): case for case in launch.cases}
    assert len(found) == 18 + 16 + 18
    sample = found["bcast", 256].samples[0]
    assert [float(sample[name]) for name in ("local_min", "local_max", "local_mean")] == [0.32e-6, 0.35e-6, 0.33e-6]
    assert found["bcast", 256].headline == "local_mean"
    assert (found["allreduce", 8].datatype, found["bcast", 8].datatype) == ("float", "byte")
    pair = found["imb_pingpong", 65536]
    assert (pair.headline, pair.calls) == ("local_max", 200)
    assert "half of the largest over processes" in pair.number


def test_fewer_processes_than_the_launch_has_are_a_communicator() -> None:
    """The first table has two of four processes, the second all."""
    tables = (
        WHO.format("Bcast", 2)
        + "# ( 2 additional processes waiting in MPI_Barrier)\n"
        + RANGE
        + "8 100 1.00 3.00 2.00\n\n"
        + WHO.format("Bcast", 4)
        + RANGE
        + "8 100 2.00 4.00 3.00\n"
    )
    (launch,) = read_text("imb", imb_text(tables))
    assert launch.n == 4
    assert [(case.operation, case.together) for case in launch.cases] == [("bcast", 2), ("bcast", None)]


@pytest.mark.parametrize(
    ("benchmark", "columns", "row", "operation", "field", "expected_s"),
    [
        ("Barrier", "#repetitions  t_min[usec]  t_max[usec]  t_avg[usec]", "1000 0.1 0.3 0.2", "barrier", "mean", 2e-7),
        ("Sendrecv", "#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec] Mbytes/sec", "8 100 1 3 2 5.3",
         "sendrecv_ring", "mean", 2e-6),
        ("Ibcast", "#bytes #repetitions t_ovrl[usec] t_pure[usec] t_CPU[usec] overlap[%]", "8 100 4 3 2 50",
         "imb_ibcast", "mean", 3e-6),
        ("Ibcast_pure", SHORT, "8 100 1 3 2", "ibcast", "mean", 2e-6),
        ("Uniband", "#bytes #repetitions Mbytes/sec Msg/sec", "8 100 8.00 1000000", "imb_uniband", "max", 1e-6),
        ("Truly_passive_put", "#bytes #repetitions t_pure[usec] t_ovrl[usec]", "8 100 3 4", "imb_truly_passive_put",
         "mean", 3e-6),
        ("Window", SHORT, "8 100 1 3 2", "imb_window", "mean", 2e-6),
    ],
)  # fmt: skip
def test_every_form_of_table(  # noqa: PLR0917 (a row of the table above)
    benchmark: str, columns: str, row: str, operation: str, field: str, expected_s: float
) -> None:
    """The forms of IMB_output.c; a benchmark that is none of our operations keeps its name."""
    (launch,) = read_text("imb", imb_text(f"{WHO.format(benchmark, 2)}{columns}\n{row}\n"))
    (case,) = launch.cases
    assert (case.operation, case.headline) == (operation, f"local_{field}")
    assert float(case.samples[f"local_{field}"][0]) == pytest.approx(expected_s, rel=1e-12)


def test_modes_and_groups_are_benchmarks_of_their_own() -> None:
    """Aggregate or not, and several groups at once: none is the plain call."""
    mode = "#\n#    MODE: AGGREGATE \n#\n"
    aggregate = WHO.format("Unidir_Put", 2) + mode + " #bytes #repetitions t[usec] Mbytes/sec\n8 100 0.5 16\n"
    groups = (
        "# Benchmarking Multi-Bcast \n# ( 2 groups of 2 processes each running simultaneous ) \n"
        "# Group  0:     0    1\n Group #bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n"
        "0 8 100 1 3 2\n1 8 100 2 4 3\n"
    )
    (one,) = read_text("imb", imb_text(aggregate, "2021.11, EXT part"))
    assert one.cases[0].operation == "imb_unidir_put(mode=aggregate,part=ext)"
    (other,) = read_text("imb", imb_text(groups))
    assert other.n == 4
    assert [case.operation for case in other.cases] == [
        "imb_multi_bcast(groups=2,group=0)",
        "imb_multi_bcast(groups=2,group=1)",
    ]


def test_sizes_that_failed_and_wrong_results_are_said() -> None:
    """A size that ran out of time has no case; one with defects has no valid sample."""
    columns = "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]  defects\n"
    rows = "8 100 1 3 2 0.00\n16 100 1 3 2 1.00\n"
    (launch,) = read_text("imb", imb_text(WHO.format("Bcast", 2) + columns + rows))
    assert [case.validated for case in launch.cases] == [True, False]
    assert [int(case.samples["flags"][0]) for case in launch.cases] == [0, 4]
    failed = RANGE + '8 100 1 3 2\n4194304 time-out.; Time limit is over; use "-time X"\n'
    (launch,) = read_text("imb", imb_text(WHO.format("Bcast", 2) + failed))
    assert len(launch.cases) == 1
    assert launch.warnings == ("line 9: Bcast of 4194304 B was not measured: time-out",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# OSU MPI Broadcast Latency Test v7.4\n", "'out.txt' holds no output of Intel MPI Benchmarks"),
        (imb_text(""), "'out.txt', line 2: no row of numbers follows this line: the program ended early"),
        (imb_text(RANGE + "8 100 1 3 2\n"), "line 5: a line of columns without '# Benchmarking' and '# #processes'"),
        (imb_text(WHO.format("Bcast", 2) + RANGE + "8 100 1 3\n"), "line 8: 4 values under the 5 columns of line 7"),
        (
            imb_text(WHO.format("Bcast", 2) + RANGE + "8 100 1 3 2\n" + WHO.format("Reduce", 4) + RANGE),
            "line 11: 4 processes in all, an earlier table of this launch has 2",
        ),
        (imb_text(WHO.format("Bcast", 2) + "#bytes joules\n"), "line 7: unknown column 'joules'"),
    ],
)
def test_wrong_files_are_refused_with_the_line(text: str, message: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(UsageError) as refused:
        read_text("imb", text)
    assert message in str(refused.value)


def test_another_number_of_processes_than_printed_is_refused() -> None:
    """The file knows."""
    with pytest.raises(UsageError, match=r"this launch has 2 processes \(# #processes = 2\), -n says 4"):
        recorded("imb", "imb-2021-mpi1-1.txt", n=4)


HEAD = """#    Intel(R) MPI Benchmarks 2021.9, MPI-1 part
# Calling sequence was:

# ./IMB-MPI1 {options} Allreduce Bcast

# MPI_Datatype                   :   {moved}
# MPI_Datatype for reductions    :   {reduced}
# MPI_Op                         :   {operator}
{warning}
"""
TABLES = "".join(f"{WHO.format(name, 2)}{RANGE}64 1000 1.10 1.91 1.51\n\n" for name in ("Allreduce", "Bcast"))
END = "# All processes entering MPI_Finalize\n"


def head(*, options: str = "", moved: str = "MPI_BYTE", reduced: str = "MPI_FLOAT", operator: str = "MPI_SUM",
         warning: str = "") -> str:  # fmt: skip
    """The head of a launch."""
    return HEAD.format(options=options, moved=moved, reduced=reduced, operator=operator, warning=warning)


def test_datatype_and_operator_of_the_head_are_factors() -> None:
    """Of reductions and of others apart; one that IMB ignores is told, and is IMB's usual one."""
    (usual,) = read_text("imb", head() + TABLES + END)
    assert [(case.datatype, case.operator) for case in usual.cases] == [("float", "sum"), ("byte", "sum")]
    text = head(moved="MPI_DOUBLE", reduced="MPI_INT", operator="MPI_MAX") + TABLES + END
    (other,) = read_text("imb", text)
    assert [(case.datatype, case.operator) for case in other.cases] == [("int", "max"), ("double", "sum")]
    warning = "WARNING: data_type double is ignored for Bcast"
    (told,) = read_text("imb", head(moved="MPI_DOUBLE", reduced="MPI_DOUBLE", warning=warning) + TABLES + END)
    assert [case.datatype for case in told.cases] == ["double", "byte"]
    assert told.warnings == (f"line 9: {warning}",)


def test_options_that_change_what_is_measured_are_factors() -> None:
    """The order of ranks, caches, synchronisation; not those that columns tell."""
    options = "-map 2x4 -off_cache 30,64 -sync 1 -iter 50 -msglog 0:3 -npmin 2"
    (launch,) = read_text("imb", head(options=options) + TABLES + END)
    assert launch.cases[1].operation == "bcast(map=is_2x4,off_cache=is_30_64,sync=1)"


def test_comments_of_a_table_that_are_not_understood_are_kept() -> None:
    """Threads and windows of the MT part are factors; other words are a header."""
    threads = WHO.format("PingPongMT", "2 (threads: 4)") + "# window_size = 64\n" + RANGE + "8 10 1.00 2.00 1.50\n"
    strange = WHO.format("Bcast", 2) + "# buffers: gpu\n" + RANGE + "8 10 1.00 2.00 1.50\n"
    (launch,) = read_text("imb", imb_text(threads + strange, "2021.9, MT part"))
    assert [case.operation for case in launch.cases] == [
        "imb_pingpongmt(threads=4,messages=64)",
        "bcast(header=is_buffers_gpu)",
    ]


def test_a_line_that_calls_a_result_wrong_is_believed() -> None:
    """Though the defects of its row are 0.00: the row has no valid sample, and the launch is incomplete."""
    columns = RANGE.rstrip() + "      defects\n"
    table = (
        f"{WHO.format('Reduce_scatter', 2)}{columns}0 1000 0.14 0.21 0.18 0.00\n"
        "1: Error Reduce_scatter,size = 4,sample #0\nProcess 1: Got invalid buffer:\nBuffer entry: 1.500000\npos: 0\n"
        "4 1000 1.42 3.96 2.21 0.00\nApplication error code 1 occurred\n"
    )
    (launch,) = read_text("imb", head() + table)
    assert [int(case.samples["flags"][0]) for case in launch.cases] == [0, 4]
    assert launch.incomplete == "line 14: 1: Error Reduce_scatter,size = 4,sample #0"
    (silent,) = read_text("imb", head() + TABLES)
    assert silent.incomplete == "line 1: the output ends without 'All processes entering MPI_Finalize'"
    assert read_text("imb", head() + TABLES + END)[0].incomplete == ""


@pytest.mark.parametrize(
    "line",
    [
        "-128 1000 1 3 2", "2.56e2 1000 1 3 2", "1,024 1000 1 3 2", "512;1000;1;3;2", "128 1000 1 3", "128 1000 3 1 2",
        "128 1000 1 3 4", "128 1000 0.00 3 2", "128 1000 1 0.28e30 2", "warning: x 128 1000 1.00 3.00 2.00",
        "128 1000 1 3 2 warning", "x 1000 1.00 3.00 2.00", "64 1000 1 3 2", RANGE.strip(),
    ],
)  # fmt: skip
def test_no_row_is_lost_without_a_word(line: str) -> None:
    """Damaged rows, and numbers that cannot be, are errors with their line."""
    text = imb_text(WHO.format("Bcast", 2) + RANGE + f"64 1000 1.00 3.00 2.00\n{line}\n")
    with pytest.raises(UsageError, match="line 9: "):
        read_text("imb", text)


def test_the_command_and_the_tables_agree() -> None:
    """Else both lines are named; what a launcher puts before lines is taken off."""
    labelled = "".join(f"[1,0]<stdout>:{line}\n" for line in (head() + TABLES + END).splitlines())
    (launch,) = read_text("imb", "$ mpirun -np 2 IMB-MPI1 Bcast\n" + labelled)
    assert (launch.n, len(launch.cases), launch.text.splitlines()[0]) == (2, 2, "$ mpirun -np 2 IMB-MPI1 Bcast")
    with pytest.raises(UsageError, match=r"line 1: 8 processes \(\$ mpirun .*\), line 12 says 2"):
        read_text("imb", "$ mpirun -np 8 IMB-MPI1 Bcast\n" + head() + TABLES + END)


NBC = "       #bytes #repetitions t_ovrl[usec] t_pure[usec]  t_CPU[usec]   overlap[%]"
MODE = "#\n#    MODE: AGGREGATE \n#\n"


@pytest.mark.parametrize(
    ("head", "table", "program", "operation", "expected_s"),
    [
        (
            "2021.8, MPI-IO partn#----------------------------------------------------------------",
            WHO.format("S_IWrite_Indv", 1)
            + "# ( 3 additional processes waiting in MPI_Barrier)\n"
            + MODE
            + NBC
            + "\n            0         1000      9979.14         0.02      9979.60       100.00\n",
            "IMB-IO",
            "imb_s_iwrite_indv(mode=aggregate)",
            0.02e-6,
        ),
        (
            "2018, MPI-IO partn#----------------------------------------------------------------",
            WHO.format("P_IWrite_Shared", 1)
            + "# ( 1 additional process waiting in MPI_Barrier)\n"
            + MODE
            + NBC
            + "      defects\n            0         1000      1091.42         1.63      1014.80      0.00     0.00\n",
            "IMB-IO",
            "imb_p_iwrite_shared(mode=aggregate)",
            1.63e-6,
        ),
        (
            "2019 Update 6, MPI-NBC part",
            WHO.format("Ibarrier", 4)
            + " #repetitions t_ovrl[usec] t_pure[usec]  t_CPU[usec]   overlap[%]\n 1000 7.10 3.30 3.20 0.00\n",
            "IMB-NBC",
            "imb_ibarrier",
            3.3e-6,
        ),
        (
            "2021.3, MPI-2 part",
            WHO.format("Unidir_Put", 2) + MODE + " #bytes #repetitions t[usec] Mbytes/sec\n 4 1000 3.36 1.19\n",
            "IMB-EXT",
            "imb_unidir_put(mode=aggregate,part=ext)",
            3.36e-6,
        ),
        (
            "2021.3, MPI-RMA part",
            WHO.format("Unidir_put", 2) + MODE + " #bytes #repetitions t[usec] Mbytes/sec\n 4 1000 1.36 2.94\n",
            "IMB-RMA",
            "imb_unidir_put(mode=aggregate,part=rma)",
            1.36e-6,
        ),
        (
            "2021.3, P2P part",
            WHO.format("PingPong", 4) + " #bytes #repetitions t[usec] Mbytes/sec Msg/sec\n 1 100000 25.50 0.08 78431\n",
            "IMB-P2P",
            "imb_pingpong(part=p2p)",
            25.5e-6,
        ),
        (
            "PREVIEW, MT part    ",
            WHO.format("UniBandMT", "2 (threads: 4)")
            + "# window_size = 256\n #bytes #repetitions Mbytes/sec Msg/sec\n 32 100 64.00 2000000\n",
            "IMB-MT",
            "imb_unibandmt(threads=4,messages=256)",
            0.5e-6,
        ),
        (
            "2021.3, MPI-1 part (GPU)",
            WHO.format("Bcast", 2) + RANGE + "8 100 1.00 3.00 2.00\n",
            "IMB-MPI1",
            "bcast(accelerator=gpu)",
            2e-6,
        ),
    ],
)
def test_every_program_of_the_suite_is_read_in_the_form_that_people_post(
    head: str, table: str, program: str, operation: str, expected_s: float
) -> None:
    """IMB-IO prints `partn` for a line end; Unidir_put of EXT and of RMA are two benchmarks."""
    (launch,) = read_text("imb", imb_text(table, head))
    (case,) = launch.cases
    assert (launch.program, case.operation) == (program, operation)
    assert float(case.samples[case.headline][0]) == pytest.approx(expected_s)
    assert launch.started == "2026-11-23T07:44:26"


def test_tables_of_mt_without_columns_are_refused_by_name() -> None:
    """The halo exchange of IMB-MT prints `8(x4)(bytes) 3.2(usec) 9.9(Mb/s)`: no row is dropped."""
    halo = "# Benchmarking HaloMT (processes: 2; threads: 1; dimensions: 2)\n8(x4)(bytes) 3.2(usec) 9.9(Mb/s)\n"
    with pytest.raises(UsageError, match="line 6: a row of 'HaloMT' without a line of columns: this form is not read"):
        read_text("imb", imb_text(halo, "PREVIEW, MT part"))


def test_a_benchmark_without_a_successful_execution_is_told() -> None:
    """IMB-MT says so in the place of its table."""
    columns = "#bytes #repetitions t[usec] Mbytes/sec"
    done = f"# Benchmarking PingPongMT\n# #processes = 2 (threads: 1)\n{columns}\n 8 9 2.00 4.00\n"
    none = "# Benchmarking BcastMT\n# NO SUCCESSFUL EXECUTIONS\n#----\n\n"
    (launch,) = read_text("imb", imb_text(done + none, "PREVIEW, MT part"))
    assert launch.incomplete == "line 10: BcastMT has no successful execution"


def test_words_between_rows_are_no_rows() -> None:
    """Four whole numbers are no row of a table whose times have decimals; a count of no errors says nothing."""
    table = (
        WHO.format("PingPong", 2)
        + " #bytes #repetitions t[usec] Mbytes/sec\n 1 1000 0.31 3.23\n{}\n 2 1000 0.33 6.06\n"
    )
    with pytest.raises(UsageError, match=r"line 9: '99' has not the decimals of '0\.31' in line 8"):
        read_text("imb", imb_text(table.format("77 88 99 11")))
    (launch,) = read_text("imb", imb_text(table.format("0 errors")))
    assert (len(launch.cases), launch.incomplete) == (2, "")
