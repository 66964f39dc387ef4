"""Ctrl-C, TERM and a lost terminal end a command once: what comes afterwards does not disturb its end."""

import atexit
import os
import signal
import sys
import threading
import time
from types import FrameType

from ictus.model.errors import MeasurementError

_NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE_S = 15.0
"""So long an end may take, with the grace that ranks have; a signal after that ends the process at once."""
_AGAIN_S = 0.02
"""Until a signal that was lost is sent again: the place that lost it has ended by then."""


def end_once() -> None:
    """The first of these signals raises KeyboardInterrupt; later ones do nothing while the command ends.

    A second Ctrl-C, 20 ms after the first, hit an end of the interpreter that is not a place for exceptions, and the
    process died by a signal instead of with exit code 3. Signals that whoever started us ignores (nohup) stay ignored.

    A signal may arrive while Python runs a finaliser or what the standard library does around a fork: there an
    exception is reported and dropped, and the campaign went on as if nobody had pressed Ctrl-C. Such a signal is sent
    again.
    """
    atexit.register(_ignore)  # Python puts the kernel's default, which is death, in the place of a handler at its end
    began: list[tuple[int, float]] = []

    def ended(number: int, _frame: FrameType | None) -> None:
        if not began:
            began.append((number, time.monotonic()))
            raise KeyboardInterrupt
        if time.monotonic() - began[0][1] > PATIENCE_S:
            os._exit(MeasurementError.exit_code)  # a folder is whole at any moment

    hook = sys.unraisablehook

    def dropped(lost: "sys.UnraisableHookArgs", /) -> None:
        if began and issubclass(lost.exc_type, KeyboardInterrupt):
            number, _ = began.pop()
            threading.Timer(_AGAIN_S, _signal_main_thread, (number,)).start()
        else:
            hook(lost)

    sys.unraisablehook = dropped
    for number in _NUMBERS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, ended)


def _signal_main_thread(number: int) -> None:
    """That thread, so that whatever it waits for is interrupted."""
    ident = threading.main_thread().ident
    if ident is not None:
        signal.pthread_kill(ident, number)


def _ignore() -> None:
    for number in _NUMBERS:
        signal.signal(number, signal.SIG_IGN)
