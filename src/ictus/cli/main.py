"""The way in: runs the command line and turns errors into one line and an exit code."""

import os
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
    except BrokenPipeError:
        # The reader (`| head`) has gone: there is nobody left to tell. Python must not try again while it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
