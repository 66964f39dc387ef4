"""The command line as a whole: every command is one file, and one line here."""

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ictus.cli.barriers.app import barriers
from ictus.cli.check.command import check
from ictus.cli.clocks.app import clocks
from ictus.cli.compare import compare
from ictus.cli.demo import demo
from ictus.cli.diagnose import diagnose
from ictus.cli.dims import dims
from ictus.cli.doctor import doctor
from ictus.cli.exec import exec_program
from ictus.cli.families import list_members
from ictus.cli.lens import lens
from ictus.cli.mpi import mpi
from ictus.cli.nrep import nrep
from ictus.cli.overlap import overlap
from ictus.cli.procsync.app import procsync
from ictus.cli.redirect.app import redirect
from ictus.cli.report import report
from ictus.cli.reproduce.command import reproduce
from ictus.cli.run import run
from ictus.cli.show import show
from ictus.cli.tune.command import tune
from ictus.model.errors import MeasurementError

EPILOG = (
    "Exit codes: 0 done, 1 a gate that was asked for was hit, 2 usage, 3 the measurement failed or was interrupted."
)


class Stoppable(TyperGroup):
    """Ctrl-C in a command is what it is in a measurement: one line and exit code 3, not "Aborted!" and that of a
    gate.
    """

    def invoke(self, ctx: Any) -> Any:
        """Run the command. Raises MeasurementError where the user stopped it."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise MeasurementError("stopped") from error


app = typer.Typer(
    name="ictus",
    cls=Stoppable,
    help="Measure MPI communication: one common start, one common clock, fair comparisons of libraries.",
    epilog=EPILOG,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from ictus.store.document import version  # noqa: PLC0415 (only here)

        typer.echo(f"ictus {version()}")
        raise typer.Exit


@app.callback()
def ictus(
    version: Annotated[
        bool, typer.Option("--version", help="Say the version and end.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Measure MPI communication: one common start, one common clock, fair comparisons of libraries."""


app.command("doctor")(doctor)
app.add_typer(mpi, name="mpi")
app.command("run")(run)
app.command("nrep")(nrep)
app.command("show")(show)
app.command("compare")(compare)
app.command("diagnose")(diagnose)
app.command("check")(check)
app.command("dims")(dims)
app.command("report")(report)
app.add_typer(clocks, name="clocks")
app.add_typer(barriers, name="barriers")
app.add_typer(procsync, name="procsync")
app.command("lens")(lens)
app.command("tune")(tune)
app.command("overlap")(overlap)
app.command("reproduce")(reproduce)
app.command("exec", context_settings={"allow_interspersed_args": False})(exec_program)
app.add_typer(redirect, name="redirect")
app.command("list")(list_members)
app.command("demo")(demo)
