"""`ictus`, as the tools that measure with it run it."""

import os
import subprocess
import sys
from pathlib import Path

_TOOLS = Path(__file__).resolve().parents[1] / ".venv" / "bin"


def ictus(*words: str) -> str:
    """Standard output of a command that finds this checkout's tools; its messages are passed on.

    Ends this program where the command fails, with its words and exit code.
    """
    environment = {**os.environ, "PATH": f"{_TOOLS}:{os.environ.get('PATH', '')}"}
    line = (sys.executable, "-m", "ictus", *words)
    ended = subprocess.run(line, stdout=subprocess.PIPE, text=True, check=False, env=environment)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(line)}: exit code {ended.returncode}")
    return ended.stdout
