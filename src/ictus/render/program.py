"""The name by which this program was called, which is the one that printed commands begin with."""

import re
import shutil
import sys
from pathlib import Path

_COMMAND = re.compile(r"(?:(?<=`)|(?<=&& ))ictus(?= )")
"""In backquotes, also behind another one."""


def as_called(text: str) -> str:
    """The text with the commands in it as they can be typed here."""
    name = program()
    return text if name == "ictus" else _COMMAND.sub(lambda _: name, text)


def program() -> str:
    """`ictus` where the shell finds it; else the path from the current folder, such as `.venv/bin/ictus`."""
    called, in_path = Path(sys.argv[0]), shutil.which("ictus")
    if called.name != "ictus" or not called.is_file() or (in_path is not None and called.samefile(in_path)):
        return "ictus"
    try:
        return str(called.absolute().relative_to(Path.cwd()))
    except ValueError:
        return "ictus"
