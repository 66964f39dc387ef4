"""The one way to run a study: as a command, and from Python."""

import inspect
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from ictus.engine.event import Observer, log
from ictus.engine.measurement import plan_words
from ictus.engine.study_options import StudyOptions
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.unknown import unknown
from ictus.render.output import (
    CommandAnswer,
    Csv,
    Json,
    answer_first,
    page_command,
    print_answer,
    print_lines,
    print_note,
    width,
    wrapped,
)
from ictus.render.plan_options import DryRun, PlanValues, output_option, plan_command
from ictus.render.progress import resumable
from ictus.render.terminal import stacked
from ictus.render.typed_options import check_only, typed_options
from ictus.studies.judging import measure_named
from ictus.studies.material import StudyAnswer, StudyRequest
from ictus.studies.registry import STUDIES, entry
from ictus.studies.study import Study, values_of

_SHOWING = ("folder", "json", "csv")
"""Parameters of every study that do not say how it is measured."""
_FIELDS = {
    "processes": "n",
    "timeout_s": "timeout",
    "clock_domain": "clock-domain",
    "environment": "env",
    "map_by": "map-by",
}
"""Fields of StudyOptions that are called otherwise on the command line."""


def command_of(study: Study[Any, Any]) -> Callable[..., None]:
    """The command of a study."""
    output = output_option(study.material.output_help)
    folder_argument = typer.Argument(metavar="FOLDER", help=study.material.folder_help, show_default=False)

    def command(
        context: typer.Context,
        folder: Annotated[Path | None, folder_argument] = None,
        *,
        plan_values: PlanValues,
        out: Annotated[Path | None, output] = None,
        dry_run: DryRun = False,
        json: Json = False,
        csv: Csv = False,
    ) -> None:
        own_keys = {option.key for option in study.options}
        typed = {key: value for key, value in plan_values.items() if key not in own_keys}
        values = values_of(study, {key: plan_values[key] for key in own_keys})
        showing = [option.parameter for option in study.options if option.of_showing]
        if folder is not None:
            check_only(context, (*_SHOWING, *showing, *(["out"] if study.material.keeps_elsewhere else [])))
        study.check(**values)
        if dry_run:
            print_lines(study.material.preview(StudyRequest(typed, values, out)))
            return
        print_study(
            study, StudyRequest(typed, values, out), folder, typed_options(context, showing), json=json, csv=csv
        )

    command.__doc__ = f"{entry(study.name).summary}\n\n{inspect.cleandoc(study.about)}"
    return plan_command(*study.material.options, *study.options)(command)


def print_study(
    study: Study[Any, Any], request: StudyRequest, folder: Path | None, showing: Sequence[str], *, json: bool, csv: bool
) -> None:
    """Measure what is asked for, or read the folder; print the answer and keep it. `showing` are the words that show it
    once more as it was asked for.
    """
    with nullcontext() if folder is None else _reading(folder):
        shown_values = study.shown(request.values)
        command, out = entry(study.name).command.split(), request.folder
        if folder is None:
            with resumable(*command) as display:
                record = study.material.measure(request, display)
        else:
            record = study.material.read(folder, **shown_values)
        rows = study.analyse(record, **shown_values)
        answer = study.answer(record, rows, **shown_values)
        conditions = study.material.conditions(record)
        print_answer(_command_answer(study, answer, conditions, csv=csv), json, csv)
        own_folder = getattr(record, "folder", None)
        if own_folder is not None:  # its page is in it
            showing = (own_folder.resolve().name, *showing)
        elif out is not None:
            showing = (str(out), *showing, "-o", str(out))
        answer = replace(answer, question=entry(study.name).question)
        study.material.keep(record, out, study.title, answer, page_command(*command, *showing))
    if answer.gate is not None:
        print_note(answer.gate())


def study(
    name: str,
    plan: Any = None,
    folder: Path | str | None = None,
    *,
    launcher: str | None = None,
    scenario: Path | str | None = None,
    observer: Observer = log,
    **options: Any,
) -> Any:
    """Measure a study, as its command does, and give back what was found; or judge claims of papers, as `ictus study`.

    Args:
        name: the study, such as `clock_accuracy` or `nrep`; `ictus.STUDIES` has all, with their questions and claims.
            Or a claim, such as `run-to-run`; a name that both have is the study's.
        plan: of a study that is a campaign: what is measured, where it is not as usual. Of claims: values by TOML key
            that replace their own.
        folder: of such a study, and of `overlap`: where it is kept, and continued. Of a claim: its folder.
        launcher: how ranks are started: a name of `ictus list launcher`, of a campaign also `simulated`.
        scenario: for the launcher `simulated`: the file of the world to measure, JSON.
        observer: receives each event; by default it goes to the logger `ictus`.
        options: the study's own options; of one that is not a campaign also the fields of `ictus.StudyOptions`, such
            as `processes`, `platform`, `mpi`. Of claims: `quick=True` for fewer launches.

    Returns:
        The rows of a campaign; the record of what the core measured. Of claims a verdict each.

    Raises:
        UsageError: there is no such study or option, or a value is wrong.
        MeasurementError: a library, a launch or the disk failed.
        StoppedByUser: Ctrl-C; the same call continues with what is kept.
    """
    path = None if folder is None else Path(folder)
    if not any(study_entry.name == name and study_entry.has_command for study_entry in STUDIES):
        wrong = next((key for key in options if key != "quick"), None)
        if wrong is not None:
            raise unknown(f"study '{name}': option '{wrong}'", wrong, ["quick"])
        plan_values = {**plan_words(plan)[1], "launcher": launcher, "scenario": scenario}
        verdicts = measure_named(
            name, plan_values, path, lambda _: nullcontext(observer), quick=bool(options.get("quick"))
        )
        return verdicts if len(verdicts) > 1 else verdicts[0]
    chosen = entry(name).study
    keys = {option.key for option in chosen.material.options}
    is_campaign = "scenario" in keys
    if not is_campaign and (plan is not None or scenario is not None):
        raise UsageError(f"study '{name}' is not a campaign: it takes no plan and no scenario")
    own_keywords = [option.keyword for option in chosen.options]
    common = [] if is_campaign else [field.name for field in fields(StudyOptions) if field.name != "output"]
    for key in options:
        if key not in (*own_keywords, *common):
            raise unknown(f"study '{name}': option '{key}'", key, [*own_keywords, *common])
    common_options = {_FIELDS.get(key, key): _typed(key, value) for key, value in options.items() if key in common}
    common_options |= {"launcher": launcher, "scenario": scenario}
    values = values_of(chosen, {key: options[key] for key in own_keywords if key in options}, python=True)
    chosen.check(**values)
    record = chosen.material.measure(StudyRequest(common_options, values, path, plan), observer)
    return chosen.material.result(record, chosen.analyse(record, **chosen.shown(values)) if is_campaign else None)


def _typed(key: str, value: Any) -> Any:
    """A field of StudyOptions as it is typed."""
    if key == "processes":
        return ",".join(map(str, value))
    return f"{value!r}s" if key == "timeout_s" else value


def _command_answer(
    study: Study[Any, Any], answer: StudyAnswer, conditions: Sequence[str], *, csv: bool
) -> CommandAnswer:
    rows = answer.csv_rows if csv and answer.csv_rows is not None else answer.rows
    return CommandAnswer(study.schema, rows, answer.warnings, lambda: _lines(answer, conditions), answer.extra_keys)


def _lines(answer: StudyAnswer, conditions: Sequence[str]) -> Iterator[Text]:
    """The lines of the terminal: the answer, what it rests on, the tables, remarks for reading them."""
    columns = width()
    if answer.tables_alone:
        yield from stacked(answer.tables, columns)
        return
    about = [line for text in answer.evidence for line in wrapped(text, "", columns)]
    about += [line for text in (*conditions, *answer.conditions) for line in wrapped(text, "dim", columns)]
    remarks = [line for text in answer.remarks for line in wrapped(text, "dim", columns)]
    tables = list(stacked(answer.tables, columns))
    details = [*about, *([Text()] if about and tables else []), *tables, *([Text(), *remarks] if remarks else [])]
    yield from answer_first(answer.sentences, details, columns, onward=answer.onward)


@contextmanager
def _reading(folder: Path) -> Iterator[None]:
    """MeasurementError where what is read in the block contradicts itself in a way that no document checks, such as
    numbers that cannot be together. Lengths and places of lists are checked as a document is read, by their fields.
    """
    try:
        with warnings.catch_warnings():  # NumPy's, about numbers that are too large and lists that are empty
            warnings.simplefilter("ignore", RuntimeWarning)
            yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise MeasurementError(
            f"'{folder}' holds a study that contradicts itself ({type(error).__name__}: {error}): restore the file "
            f"that was changed, or measure again"
        ) from error
