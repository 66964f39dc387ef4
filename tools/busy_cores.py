"""Others on the machine: two loops that take what processor time they get."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def busy_cores() -> Iterator[None]:
    """As long as the block lasts."""
    loops = [subprocess.Popen((sys.executable, "-c", "while True: pass")) for _ in range(2)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
