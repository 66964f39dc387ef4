"""The command line: its root, what it says without words, and the help of every command."""

from typing import Annotated, Any

import typer
from typer.main import get_command

from ictus.cli.command_group import CommandGroup
from ictus.cli.tree import COMMANDS
from ictus.cli.words import short_refusals
from ictus.model.errors import MeasurementError
from ictus.model.unknown import unknown

EPILOG = "Exit codes: 0 done, 1 a gate was hit, 2 usage, 3 the measurement failed or was interrupted."


class Root(CommandGroup):
    """Ctrl-C in a command is what it is in a measurement: one line and exit code 3, not "Aborted!" and that of a
    gate.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(COMMANDS, **options)

    def make_context(self, *words: Any, **keywords: Any) -> Any:
        """Read the words before the command."""
        with short_refusals():
            return super().make_context(*words, **keywords)

    def invoke(self, ctx: Any) -> Any:
        """Run the command. Raises MeasurementError where the user stopped it."""
        try:
            with short_refusals():
                return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise MeasurementError("stopped") from error


def _show_version(requested: bool) -> None:
    if requested:
        from ictus.store.document import version  # noqa: PLC0415 (pydantic comes with it)

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


_ROOT = typer.Typer(
    name="ictus",
    cls=Root,
    help="Measure MPI communication: one common start, one common clock, fair comparisons of libraries.",
    epilog=EPILOG,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@_ROOT.callback()
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
    own_context: Any = context.find_root()
    for word in words or ():
        commands = getattr(own_context.command, "commands", {})
        if word not in commands:
            raise unknown(f"command '{word}'", word, commands)
        own_context = commands[word].make_context(word, [], parent=own_context, resilient_parsing=True)
    typer.echo(own_context.get_help())


app: Any = get_command(_ROOT)
