"""`ictus dims`: whether the factors of MPI_Dims_create are as close to each other as possible."""

from typing import Annotated, Any

import typer
from rich.text import Text

from ictus.engine.backend import prepare_backend
from ictus.engine.event import PreparationStep
from ictus.guidelines.dims.analysis import violations
from ictus.guidelines.dims.tables import Answers, answer_table, dims_rows, dims_sentences, total_table, totals
from ictus.model.errors import GateHit
from ictus.model.library import library_names, parse_library
from ictus.render import plan_options as options
from ictus.render.option_set import with_option_sets
from ictus.render.output import AnswerForm, CommandAnswer, width, wrapped
from ictus.render.progress import Display
from ictus.render.table import Table
from ictus.render.terminal import stacked

UP_TO = 4096


@with_option_sets
def dims(
    mpi: options.Libraries = None,
    up_to: Annotated[
        int, typer.Option("--up-to", metavar="COUNT", min=1, max=1 << 20, help="The largest number of processes.")
    ] = UP_TO,
    fail_on_violation: Annotated[
        bool, typer.Option("--fail-on-violation", help="End with exit code 1 if any answer could be better.")
    ] = False,
    *,
    form: AnswerForm,
) -> None:
    """Check MPI_Dims_create.

    MPI says that the dimensions are as close to each other as possible. Each library is asked for every number of
    processes, in two, three and four dimensions, and its answers are compared with the most balanced ones. Nothing is
    timed.
    """
    with Display() as display:
        backend = prepare_backend(tuple(map(parse_library, library_names(mpi or ()))), "mpiexec", None, display)
        display(PreparationStep("asking the libraries for their factors"))
        factors_of = backend.dims(up_to)
    answers = [
        Answers(label, dimensions, up_to, violations(factors, dimensions))
        for label, each in factors_of.items()
        for dimensions, factors in sorted(each.items())
    ]
    rows = dims_rows(answers)
    tables: list[Table[Any]] = [total_table(answers), *([answer_table(answers)] if rows else [])]
    lines = lambda: (  # noqa: E731
        *stacked(tables, width()),
        Text(),
        *(line for text in dims_sentences(answers) for line in wrapped(text, "bold", width())),
    )
    form.print(CommandAnswer("ictus.dims/1", rows, (), lines, {"up_to": up_to, "counts": totals(answers)}))
    if fail_on_violation and rows:
        raise GateHit(f"{len(rows)} of {len(answers) * up_to} answers could be better")
