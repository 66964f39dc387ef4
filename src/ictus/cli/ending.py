"""Ctrl-C, TERM and a lost terminal end a command once: what comes afterwards does not disturb its end."""

import atexit
import os
import signal
import time
from types import FrameType

from ictus.model.errors import MeasurementError

_NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE_S = 15.0
"""So long an end may take, with the grace that ranks have; a signal after that ends the process at once."""


def end_once() -> None:
    """The first of these signals raises KeyboardInterrupt; later ones do nothing while the command ends.

    A second Ctrl-C, 20 ms after the first, hit an end of the interpreter that is no place for exceptions, and the
    process died by a signal instead of with exit code 3. Signals that whoever started us ignores (nohup) stay ignored.
    """
    atexit.register(_ignore)  # Python puts the kernel's default, which is death, in the place of a handler at its end
    began: list[float] = []

    def ended(_number: int, _frame: FrameType | None) -> None:
        if not began:
            began.append(time.monotonic())
            raise KeyboardInterrupt
        if time.monotonic() - began[0] > PATIENCE_S:
            os._exit(MeasurementError.exit_code)  # a folder is whole at any moment

    for number in _NUMBERS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, ended)


def _ignore() -> None:
    for number in _NUMBERS:
        signal.signal(number, signal.SIG_IGN)
