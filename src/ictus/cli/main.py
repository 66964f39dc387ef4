"""The way in: runs the command line and turns errors into one line and an exit code."""

import sys
from collections.abc import Sequence

from ictus.cli.app import app
from ictus.model.errors import IctusError


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `ictus` with these arguments (default: those of the process) and end the process with its exit code."""
    try:
        app(args=None if arguments is None else list(arguments), prog_name="ictus")
    except IctusError as error:
        print(f"ictus: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except SystemExit as end:
        # A reader that has gone (`| head`) is no gate that was hit, which is what exit code 1 would say.
        if isinstance(end.__context__, BrokenPipeError):
            sys.exit(0)
        raise
