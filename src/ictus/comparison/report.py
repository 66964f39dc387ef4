"""`ictus report`: one HTML file that explains itself."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ictus.comparison import comparison
from ictus.comparison.cases import cases as measured_cases
from ictus.comparison.compared_factor import only_factor
from ictus.comparison.comparison import Comparison
from ictus.comparison.judged_pairs import result_sentences
from ictus.comparison.load_options import LoadOptions
from ictus.comparison.option_sets import JudgementOptions
from ictus.comparison.options import (
    FOLDER,
)
from ictus.comparison.page import campaign_page
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.launch_factor import is_launch_factor
from ictus.render.option_set import with_option_sets
from ictus.render.output import AnswerForm, CommandAnswer, command, output, page_command, print_note
from ictus.render.page_file import check_page_file, opening
from ictus.render.typed_options import typed_options
from ictus.store.campaign import Campaign
from ictus.store.durable import write_atomically

_PAGE = (
    "by",
    "test",
    "adjust",
    "level",
    "equivalence",
    "alternative",
    "strata",
    "metric",
    "summary",
    "outliers",
    "include_contended",
    "leave_out_damaged",
)
"""Parameters that change what the page says."""


@with_option_sets
def report(
    context: typer.Context,
    folder: Annotated[Path, FOLDER],
    out: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The file to write. [default: report.html in the folder]",
            show_default=False,
        ),
    ] = None,
    *,
    judgement: JudgementOptions,
    loading: LoadOptions,
    form: AnswerForm,
) -> None:
    """Write the report, one HTML file.

    Headline, comparison, figures and every factor, each with what it means. It opens anywhere, offline.
    """
    if out is not None:
        check_page_file(out, "report.html")

    campaign, by = loading.load(folder), judgement.by
    recorded_only = by is not None and is_launch_factor(by) and by not in campaign.settings[0]
    if recorded_only or (by or "").replace("-", "_") in ("operation", "size_bytes", "n"):
        raise UsageError(
            f"--by {by}: the page has no figures by that; `{command('compare', folder, '--by', by)}` has rows"
        )
    compared = None
    if by is not None or only_factor(campaign) is not None:
        compared = comparison.compare_as_asked(campaign, None, judgement.request())
    path = write_report(campaign, compared, out, typed_options(context, _PAGE))
    size = path.stat().st_size
    if form.json or form.csv:
        row = {"report": str(path), "size_bytes": size}
        form.print(CommandAnswer("ictus.report/1", [row], compared.warnings if compared else (), tuple))
    else:
        for sentence in result_sentences(compared) if compared else ():
            print_note(sentence)
        output().print(str(path))
        print_note(opening(path))


def write_report(
    campaign: "Campaign", compared: "Comparison | None", out: Path | None, typed: Sequence[str] = ()
) -> Path:
    """Write the page of a campaign and what was compared in it; returns where it is. `typed` are the options that made
    it as it is. MeasurementError if that is refused.
    """
    again = page_command("report", campaign.folder.resolve().name, *typed)
    text = campaign_page(campaign, measured_cases(campaign), compared, again)
    path = out if out is not None else campaign.folder / "report.html"
    try:
        if out is None:  # whatever the folder has under that name is replaced, not written into: it may be a link
            write_atomically(path, text.encode())
        else:
            path.write_text(text, "utf-8")
    except OSError as error:
        raise MeasurementError(f"report '{path}' cannot be written: {error.strerror}") from error
    return path
