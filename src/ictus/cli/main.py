"""The entry point: runs the command line and turns errors into one line and an exit code."""

import atexit
import contextlib
import errno
import gc
import os
import shutil
import sys
import traceback
from collections.abc import Sequence
from typing import NoReturn, TextIO

from ictus.cli.ending import end_once
from ictus.cli.memory_limit import check_addresses, is_lack_of_memory
from ictus.cli.streams import open_streams
from ictus.model.errors import ForeignPrograms, IctusError, MeasurementError, UsageError
from ictus.render.characters import degrade_streams, folded, shortened, shown
from ictus.render.program import as_called


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `ictus` with these arguments (default: those of the process) and end the process with its exit code."""
    if arguments is None:  # the process is ours
        _spare_collections()
        open_streams()
        end_once()
    degrade_streams()
    try:
        if arguments is None:
            check_addresses()
        _call(arguments)
    except IctusError as error:
        _complain(error.command_line_text)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        _complain("stopped")
        sys.exit(MeasurementError.exit_code)
    except OSError as error:
        _unwritten(error)
    except (MemoryError, ImportError) as error:
        if not is_lack_of_memory(error):
            raise
        _complain("the memory of this process is used up (ulimit -v, or the limit of a job): allow more")
        sys.exit(MeasurementError.exit_code)
    except SystemExit as end:
        # A reader that has gone (`| head`) is no gate that was hit, which is what exit code 1 would say.
        if isinstance(end.__context__, BrokenPipeError):
            sys.exit(0)
        _flushed()
        raise
    except Exception as error:  # noqa: BLE001 (reported, or raised again)
        _unexpected(error, ours=arguments is None)
    else:
        _flushed()


def _spare_collections() -> None:
    """What is imported stays: to look through it for garbage while it grows, and once more at the end, takes a quarter
    of a short command.
    """
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)


def _call(arguments: Sequence[str] | None, agreed: frozenset[str] = frozenset()) -> None:
    """Call the command. Where a folder would run what this user did not name, the user at the terminal is asked; those
    who agree have named it, and the command is called again.
    """
    from ictus.cli.app import app  # noqa: PLC0415 (it takes a while, in which Ctrl-C must be no traceback)

    try:
        app(args=None if arguments is None else list(arguments), prog_name="ictus")
    except ForeignPrograms as error:
        from ictus.engine.trust import agree  # noqa: PLC0415 (only where it is asked)
        from ictus.render.output import is_agreed  # noqa: PLC0415 (as above)

        if agreed >= set(error.programs) or not is_agreed(error.command_line_text):
            raise  # what cannot be remembered is asked once
        agree(error.programs)
        _call(arguments, agreed | set(error.programs))


def _unexpected(error: Exception, *, ours: bool) -> NoReturn:
    """A traceback and exit code 3: Python's own, 1, says that a gate was hit. Whoever calls `main` gets the error."""
    if not ours:
        raise error
    traceback.print_exception(error)
    _complain("this is a fault of Ictus; please report the lines above")
    sys.exit(MeasurementError.exit_code)


def _complain(text: str) -> None:
    """One line to standard error, folded on a terminal. If its reader has gone, only the exit code says it."""
    line = shortened(shown(f"ictus: {as_called(text)}"))
    try:
        if sys.stderr.isatty():
            line = folded(line, shutil.get_terminal_size().columns)
        print(line, file=sys.stderr, flush=True)
    except BrokenPipeError:
        _silence(sys.stderr)


def _flushed() -> None:
    """Write what is still buffered now, while a failure can still be reported."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _silence(sys.stdout)
        sys.exit(0)
    except OSError as error:
        _unwritten(error)


def _unwritten(error: OSError) -> NoReturn:
    """One line for an output that takes no more, such as a full disk: no gate was hit, and it is no fault of ours. A
    name that no file can have was typed: of an option whose value may be something else than a path.
    """
    _silence(sys.stdout)
    what = f"'{error.filename}'" if error.filename else "the output cannot be written"
    _complain(f"{what}: {error.strerror or error}")
    sys.exit((UsageError if error.errno == errno.ENAMETOOLONG else MeasurementError).exit_code)


def _silence(stream: TextIO) -> None:
    """Redirect the stream to nowhere, so that the interpreter does not fail on its remaining content."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
