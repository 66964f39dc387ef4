"""`ictus import`: the results of another suite as a campaign."""

from pathlib import Path
from typing import Annotated

import typer

from ictus.interchange.folder import import_results
from ictus.render.output import command, next_line, print_note, warn


def import_command(
    suite: Annotated[str, typer.Argument(metavar="SUITE", help="osu, imb, reprompi or nccl.", show_default=False)],
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="Files that it printed; each launch in them counts.", show_default=False
        ),
    ],
    *,
    out: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="The campaign to make.", show_default=False)
    ],
    label: Annotated[
        list[str] | None,
        typer.Option(
            "--label",
            "-m",
            metavar="LABEL[=PATTERN]",
            help="The library: of all files, or of those whose name matches, as in 'mpich=*mpich*', or that lie in a "
            "folder, as in 'old=before/'. Several may be given. [default: what the file says, else the suite]",
            show_default=False,
        ),
    ] = None,
    n: Annotated[
        int | None,
        typer.Option(
            "-n", metavar="COUNT", min=1, help="Processes, where the files leave it open (osu).", show_default=False
        ),
    ] = None,
    statistic: Annotated[
        str | None,
        typer.Option(
            "--statistic",
            metavar="NAME",
            help="Which printed number stands for a launch: p50, p90, p99 (osu); median, mean, min, max (reprompi). "
            "[default: the suite's own]",
            show_default=False,
        ),
    ] = None,
    started: Annotated[
        str | None,
        typer.Option(
            "--started",
            metavar="TIME",
            help="When it was measured, such as 2026-11-23T07:44. [default: what the files say, else when the first "
            "was changed]",
            show_default=False,
        ),
    ] = None,
    interleaved: Annotated[
        bool,
        typer.Option(
            "--interleaved",
            help="Say that launches of the labels ran in turn, in the order of their files; then they are compared "
            "side by side. [default: apart, nothing is proven between them]",
        ),
    ] = False,
) -> None:
    """Make a campaign from the output of another suite.

    Several files are several launches. No sample is invented: where a file has a mean of many calls, that mean is the
    launch's number, and every table says so. What the files do not tell (clocks, validation, order) is marked as
    unknown. Launches of two labels are apart, unless --interleaved says that they were in turn.
    """
    campaign = import_results(
        suite, files, out, labels=label or (), n=n, statistic=statistic, started=started, interleaved=interleaved
    )
    assert campaign.imported is not None, "an imported campaign says so"
    warn(
        [
            campaign.imported.warning,
            *filter(None, [campaign.imported.incomplete]),
            *(text for launch in campaign.launches for text in launch.record.head.warnings),
        ]
    )
    labels, cases, launches = ", ".join(campaign.labels), len(campaign.cases), len(campaign.launches)
    count = f"{launches} launch{'' if launches == 1 else 'es'} of {labels}, {cases} case{'' if cases == 1 else 's'}"
    print_note(f"{count}, {'is' if launches == 1 else 'are'} in {out}")
    word = "compare" if len(campaign.labels) > 1 else "show"
    print_note(next_line(command(word, out)))
