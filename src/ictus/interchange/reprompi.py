"""`reprompi`: ReproMPI's mpibenchmark, in its raw, verbose and summary forms. `#Command-Line Arguments` begins
a launch.

    #@nprocs=2
    #@clocksync=HCA3
                                          test       nrep        count    runtime_sec
                                     MPI_Bcast          0            8   0.0000015620

The raw form has one run-time of each repetition: with `runtime_type=global` from the first start to the last end on the
global clock, with `local` the longest of the processes' own durations. The verbose form (-v) has start and end on every
process, so that all metrics of a sample are known. The summary form has statistics of the run-times; one of them is the
number of the launch. `errorcode` is 1 for a start that was missed, 2 for a call that outlasted its window: the flags of
our samples. `count` is one of elements, of a block where an operation has blocks.

A fault of ReproMPI: with -v and more than 3,000 repetitions the global times of those beyond are local ones. They are
left out.
"""

from collections.abc import Sequence

from ictus.interchange.operations import word
from ictus.interchange.output_line import OutputText
from ictus.interchange.reprompi_cases import STATISTICS, printed_cases, too_few
from ictus.interchange.reprompi_run import BEGIN, ReproMpiRun
from ictus.interchange.start_command import RequestError, StartCommand, StatedCount, agreed_count, start_command
from ictus.interchange.suite import (
    CaseList,
    PrintedLaunch,
    ReadRequest,
    Suite,
    launches_in,
)
from ictus.model.errors import UsageError


def read_reprompi(output: OutputText, request: ReadRequest) -> Sequence[PrintedLaunch]:
    """The launches of a file: one for each line with a command."""
    runs: list[ReproMpiRun] = []
    command: StartCommand | None = None
    for line in output.lines:
        started = start_command(line)
        if line.text.startswith(BEGIN) and not line.foreign:
            runs.append(ReproMpiRun(line, line.text.partition(":")[2].strip(), started_by=command))
            command = None
        elif started is not None and not line.is_comment:
            command = started
        elif runs:
            runs[-1].read(line)
    if not runs:
        raise output.nothing_found("ReproMPI", BEGIN)
    ends = [*(run.begin for run in runs[1:]), None]
    return launches_in(
        [_part(run, output.between(run.begin, end), request) for run, end in zip(runs, ends, strict=True)]
    )


def _part(run: ReproMpiRun, text: str, request: ReadRequest) -> PrintedLaunch | UsageError:
    """The launch, or what is wrong with it."""
    if run.error is not None:
        return run.error
    try:
        return _launch(run, text, request)
    except RequestError:
        raise
    except UsageError as error:
        return error


def _launch(run: ReproMpiRun, text: str, request: ReadRequest) -> PrintedLaunch:
    if not run.rows:
        why = f" ({run.incomplete})" if run.incomplete else ""
        raise run.first.error(f"no row of numbers follows this line: the program ended early{why}")
    printed = run.facts.get("nprocs")
    by = run.started_by
    stated = [StatedCount(run.first.count_of(printed, "nprocs"), run.first)] if printed is not None else []
    stated += [StatedCount(by.n, by.line)] if by is not None and by.n is not None else []
    n = agreed_count(stated, request.n, "this launch")
    if n is None:
        raise RequestError(
            f"{run.first.place}: the file does not have '#@nprocs='; say the number of processes with -n"
        )
    cases = CaseList()
    for case, line in printed_cases(run, n, request):
        cases.add(case, line)
    window = run.facts.get("window_s")
    return PrintedLaunch(
        program=run.command.split()[0] if run.command else "mpibenchmark",
        version=run.facts.get("reproMPIcommitSHA1", "unknown"),
        line=run.first.number,
        n=n,
        cases=tuple(cases.printed_cases.values()),
        text=text,
        started=run.started,
        procsync=_procsync(run),
        clock={"mpi_wtime": "wtime"}.get(word(run.facts.get("clock", "")), word(run.facts.get("clock", "unknown"))),
        clocksync=word(run.facts.get("clocksync", "none")),
        window_s=None if window is None else run.first.number_of(window, "window_s"),
        warnings=tuple(run.warnings),
        incomplete=run.incomplete or too_few(run),
        started_with="" if run.started_by is None else run.started_by.started_with,
    )


def _procsync(run: ReproMpiRun) -> str:
    """Ours where it is the same start, else theirs."""
    procsync = run.facts.get("procsync", "MPI_Barrier")
    if procsync == "window" and "window_s" in run.facts:
        return f"window(size={run.first.number_of(run.facts['window_s'], 'window_s'):g}s)"
    same = {"MPI_Barrier": "barrier(library)", "dissem_barrier": "barrier(dissemination)", "None": "none"}
    return same.get(procsync, f"reprompi_{word(procsync)}")


REPROMPI = Suite(
    name="reprompi",
    title="ReproMPI",
    read=read_reprompi,
    unknown=("validation",),
    statistics=STATISTICS,
)
