"""Commands as Ictus has them: options in groups, and of `-m a -m b` none is silently dropped where one is taken."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from typer._click.exceptions import ClickException, NoSuchOption
from typer.core import TyperCommand

from ictus.cli.impossible_values import check_possible
from ictus.cli.no_such_option import command_words, no_such_option
from ictus.cli.option_groups import grouped
from ictus.comparison.against import AGAINST, against_many
from ictus.model.errors import UsageError
from ictus.render.characters import shortened, shown
from ictus.render.typed_options import running

_LIBRARY = "mpi"
_PLAIN = {
    "Input should be a valid integer, unable to parse string as an integer": "expected a whole number, such as 10",
    "Input should be a valid number, unable to parse string as a number": "expected a number, such as 0.05",
}
"""What the library says against a word, and what a user understands."""


class IctusCommand(TyperCommand):
    """A command whose help has its options in groups, and that refuses a second library where it takes one."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments, then the groups of options."""
        parameters: list[Any] = list(self.get_params(ctx))
        arguments = [parameter for parameter in parameters if parameter.param_type_name == "argument"]
        options = [
            parameter for parameter in parameters if parameter.param_type_name == "option" and not parameter.hidden
        ]
        for heading, group_parameters in {"Arguments": arguments, **grouped(command_words(ctx), options)}.items():
            entries = [
                record for parameter in group_parameters if (record := parameter.get_help_record(ctx)) is not None
            ]
            if entries:
                with formatter.section(heading):
                    formatter.write_dl(entries)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The words as parameters. Raises UsageError."""
        if any(AGAINST in param.opts for param in self.params):
            args = against_many(args)
        try:
            typed, _, order = self.make_parser(ctx).parse_args(args=list(args))
        except NoSuchOption as error:
            raise no_such_option(error.option_name, ctx) from error
        times = sum(parameter.name == _LIBRARY and not parameter.multiple for parameter in order)
        if times > 1 and not ctx.resilient_parsing:
            raise UsageError(f"-m is given {times} times: `ictus {command_words(ctx)}` takes one library")
        if not ctx.resilient_parsing:
            check_possible(self.params, typed)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command, whose options the commands that it prints may need."""
        with running(ctx):
            return super().invoke(ctx)


@contextmanager
def short_refusals() -> Iterator[None]:
    """What typer says against a word has the beginning of a long one, and no control characters, as in our errors."""
    try:
        yield
    except ClickException as error:
        text = shortened(shown(error.format_message()))
        for theirs, ours in _PLAIN.items():
            text = text.replace(theirs, ours)
        error.format_message = lambda: text  # type: ignore[method-assign]
        raise
