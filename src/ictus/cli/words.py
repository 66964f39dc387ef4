"""Commands that take one library: of `-m a -m b` none is silently dropped, as in commands that compare several."""

from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand

from ictus.model.errors import UsageError

_LIBRARY = "mpi"


class OneLibraryCommand(TyperCommand):
    """A command that refuses a second library where it takes one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The words as parameters. Raises UsageError."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        times = sum(one.name == _LIBRARY and not one.multiple for one in order)
        if times > 1 and not ctx.resilient_parsing:
            raise UsageError(f"-m is given {times} times: `ictus {ctx.info_name}` takes one library")
        return super().parse_args(ctx, args)


class CommandGroup(typer.Typer):
    """A group of such commands."""

    def command(self, name: str | None = None, **options: Any) -> Callable[[Any], Any]:
        """As typer's own."""
        return super().command(name, cls=OneLibraryCommand, **options)
