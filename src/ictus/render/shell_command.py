"""Commands to try next, spelled so that they can be pasted: the program as it was called, folders quoted."""

import shlex
import shutil
import sys
from pathlib import Path


def command(*words: object) -> str:
    """The command line of `ictus` with these words, for the shell and the folder that we were called from."""
    return shlex.join([program(), *map(str, words)])


def program() -> str:
    """`ictus` where the shell finds it; else the path from the current folder, such as `.venv/bin/ictus`."""
    called, found = Path(sys.argv[0]), shutil.which("ictus")
    if called.name != "ictus" or not called.is_file() or (found is not None and called.samefile(found)):
        return "ictus"
    try:
        return str(called.absolute().relative_to(Path.cwd()))
    except ValueError:
        return "ictus"
