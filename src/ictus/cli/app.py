"""The whole command line: every command is one file, and one line here."""

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ictus.advice.command import advise
from ictus.cli.demo import demo
from ictus.cli.doctor import doctor
from ictus.cli.groups import add_studies, profile, redirect
from ictus.cli.install import install
from ictus.cli.list_families import list_members
from ictus.cli.mpi import mpi
from ictus.cli.run import run
from ictus.cli.words import CommandGroup, short_refusals
from ictus.comparison.command import compare
from ictus.comparison.export import export
from ictus.comparison.plot import plot
from ictus.comparison.report import report
from ictus.comparison.show import show
from ictus.findings.command import study
from ictus.guidelines.check.command import check
from ictus.guidelines.dims.command import dims
from ictus.history.command import history
from ictus.interchange.command import import_command
from ictus.model.errors import MeasurementError
from ictus.model.unknown import unknown
from ictus.programs.command import exec_command
from ictus.studies.diagnosis.command import diagnose
from ictus.submission.command import status, submit
from ictus.tuning.command import tune
from ictus.verification.command import verify

EPILOG = "Exit codes: 0 done, 1 a gate was hit, 2 usage, 3 the measurement failed or was interrupted."


class Stoppable(TyperGroup):
    """Ctrl-C in a command is what it is in a measurement: one line and exit code 3, not "Aborted!" and that of a
    gate.
    """

    def make_context(self, *words: Any, **more: Any) -> Any:
        """Read the words before the command."""
        with short_refusals():
            return super().make_context(*words, **more)

    def invoke(self, ctx: Any) -> Any:
        """Run the command. Raises MeasurementError where the user stopped it."""
        try:
            with short_refusals():
                return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise MeasurementError("stopped") from error


app = CommandGroup(
    name="ictus",
    cls=Stoppable,
    help="Measure MPI communication: one common start, one common clock, fair comparisons of libraries.",
    epilog=EPILOG,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(given: bool) -> None:
    if given:
        from ictus.store.document import version  # noqa: PLC0415 (only here)

        typer.echo(f"ictus {version()}")
        raise typer.Exit


FIRST = """\
Ictus measures MPI communication: one common start, one common clock,
fair comparisons of libraries.

  ictus demo                     compare two libraries in minutes, and report
  ictus doctor                   which MPI libraries are here and really work
  ictus run --op bcast -n 2      measure; --dry-run says what it would measure
  ictus compare FOLDER           which is faster, by how much, how surely
  ictus report FOLDER            the same as one HTML page

`ictus --help` lists all commands, `ictus help COMMAND` explains one."""
"""What `ictus` without words says."""


@app.callback()
def ictus(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 (its callback acts)
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Measure MPI communication: one common start, one common clock, fair comparisons of libraries."""
    if context.invoked_subcommand is None:
        typer.echo(FIRST)


def help_of(
    context: typer.Context,
    words: Annotated[list[str] | None, typer.Argument(metavar="[COMMAND...]", show_default=False)] = None,
) -> None:
    """Show the help of a command, as `ictus COMMAND -h` does."""
    own: Any = context.find_root()
    for word in words or ():
        known = getattr(own.command, "commands", {})
        if word not in known:
            raise unknown(f"command '{word}'", word, known)
        own = known[word].make_context(word, [], parent=own, resilient_parsing=True)
    typer.echo(own.get_help())


app.command("help", hidden=True)(help_of)
app.command("doctor")(doctor)
app.add_typer(mpi, name="mpi")
app.command("run")(run)
app.command("submit")(submit)
app.command("status")(status)
app.command("show")(show)
app.command("compare")(compare)
app.command("export")(export)
app.command("import")(import_command)
app.command("diagnose")(diagnose)
app.command("history")(history)
app.command("verify")(verify)
app.command("check")(check)
app.command("dims")(dims)
app.command("report")(report)
app.command("plot")(plot)
add_studies(app)
app.command("study")(study)
app.command("tune")(tune)
app.command("exec", context_settings={"allow_interspersed_args": False})(exec_command)
app.add_typer(redirect, name="redirect")
app.add_typer(profile, name="profile")
app.command("advise", context_settings={"allow_interspersed_args": False})(advise)
app.command("list")(list_members)
app.command("install")(install)
app.command("demo")(demo)
