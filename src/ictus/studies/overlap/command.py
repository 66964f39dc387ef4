"""`ictus overlap`: how much of a nonblocking operation a computation hides, and what makes it progress."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from ictus.engine.study_options import StudyOptions
from ictus.model.errors import MeasurementError
from ictus.model.narrower_options import NREP
from ictus.render.option_values import brief, check_member, duration, one_of
from ictus.render.output import CommandAnswer, Csv, Json, page_command, print_answer, print_note
from ictus.render.plan_options import Datatype, Operator, output_option, plan_option, typer_option
from ictus.render.progress import resumable
from ictus.studies.core_defaults import OVERLAP
from ictus.studies.options import Libraries, libraries, study_command

Folder = Annotated[
    Path | None, typer.Argument(metavar="FOLDER", help="A study that was kept: show it again.", show_default=False)
]


@study_command(shown=("reduce",), without=("mpi",))
def overlap(
    folder: Folder = None,
    *,
    common: StudyOptions,
    mpi: Libraries = None,
    op: Annotated[
        str, plan_option("op", OVERLAP.text("op"), help="Nonblocking and persistent operations; all are all of them.")
    ] = OVERLAP.text("op"),
    sizes: Annotated[str, plan_option("sizes", OVERLAP.text("size"))] = OVERLAP.text("size"),
    datatype: Datatype = None,
    operator: Operator = None,
    compute: Annotated[
        str,
        typer.Option(
            "--compute",
            metavar="time,work",
            help="The computation: for a fixed time, or a fixed amount of work.",
        ),
    ] = OVERLAP.text("compute"),
    intervals: Annotated[
        str,
        typer.Option(
            "--intervals",
            metavar="SIZE,...",
            help="Bytes of the message from one MPI_Test to the next; none: no tests.",
        ),
    ] = OVERLAP.text("intervals"),
    threads: Annotated[
        str,
        typer.Option(
            "--threads",
            metavar="none,library,own",
            help="Additional progress: none, the library's progress thread, or one of Ictus.",
        ),
    ] = "none,library,own",
    core: Annotated[
        str,
        typer.Option(
            "--core",
            metavar="same|any|CPU,...",
            help="Where our thread runs: on its rank's CPU, anywhere, or on these CPUs, one for each rank of a host.",
        ),
    ] = OVERLAP.text("progress-place"),
    pause: Annotated[
        str, typer.Option("--pause", metavar="TIME", help="Sleep of our thread between two calls.")
    ] = OVERLAP.text("progress-pause"),
    compute_factor: Annotated[
        float, typer.Option("--compute-factor", metavar="NUMBER", min=1, max=1000, help="Computation in units of T_b.")
    ] = OVERLAP.number("compute-factor"),
    procsync: Annotated[
        str,
        plan_option(
            "procsync", OVERLAP.text("procsync"), metavar="NAME", help="How ranks begin together (ictus list procsync)."
        ),
    ] = OVERLAP.text("procsync"),
    launches: Annotated[int, plan_option("launches", "6", help="Launches of each library and thread.")] = 6,
    nrep: Annotated[int, typer_option(NREP, OVERLAP.text("nrep"))] = OVERLAP.count("nrep"),
    reduce: Annotated[
        str,
        typer.Option(
            "--reduce",
            metavar="median|mean",
            help="How a launch's repetitions become one number; the mean includes rare stalls.",
        ),
    ] = "median",
    out: Annotated[Path | None, output_option("The study's folder. [default: overlap-DATE]")] = None,
    json: Json = False,
    csv: Csv = False,
) -> None:
    """Measure how much of an operation a computation can hide.

    Init, tests, computation and wait of nonblocking and persistent operations, launch by launch: how much of the
    blocking time a computation hides, without tests, with tests at several intervals, with progress threads; whether
    the library makes progress by itself; and what OSU and IMB would report about the same data. With -o, a folder that
    holds the same study is continued.
    """
    from ictus.studies.keeping import PAGE, write_report  # noqa: PLC0415
    from ictus.studies.overlap.analysis import summarise  # noqa: PLC0415
    from ictus.studies.overlap.page import overlap_page  # noqa: PLC0415
    from ictus.studies.overlap.study import measure, read  # noqa: PLC0415 (numpy and matplotlib take most of a second)
    from ictus.studies.overlap.tables import answer_lines  # noqa: PLC0415
    from ictus.studies.overlap.words import as_row, progress_rows, warnings_of  # noqa: PLC0415

    how = one_of("--reduce", reduce, ("median", "mean"))
    if folder is None:
        folder = out or Path(f"overlap-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}")
        check_member("--procsync", "procsync", procsync)
        with resumable("overlap", folder=folder) as display:
            measure(
                replace(common, output=folder),
                display,
                libraries=libraries(mpi),
                op=op,
                sizes=sizes,
                datatype=datatype,
                operator=operator,
                compute=compute,
                intervals=intervals,
                threads=threads,
                core=core,
                pause_s=brief("--pause", pause) if duration("--pause", pause) else 0.0,
                compute_factor=compute_factor,
                procsync=procsync,
                launches=launches,
                nrep=nrep,
            )
    study = read(folder)
    if not study.launches:
        raise MeasurementError(f"no launch of '{folder}' is complete")
    summaries = summarise(study.launches, "mean" if how == "mean" else "median")
    write_report(folder, *overlap_page(study, summaries, page_command("overlap", folder, "--reduce", how)))
    print_note(f"page: {folder / PAGE}")
    rows = [as_row(one) for one in summaries]
    more = {"progress": progress_rows(summaries), "reduce": how}
    warned = warnings_of(study, summaries)
    print_answer(
        CommandAnswer("ictus.overlap/2", rows, warned, lambda: answer_lines(study, summaries), more), json, csv
    )
