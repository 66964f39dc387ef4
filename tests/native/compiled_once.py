"""A compiler's launcher: what was compiled before is copied. `python compiled_once.py COMPILER WORD...`

The core is compiled for each MPI library and again by `ictus` itself, two thirds of it to the same objects. One is
known by the compiler, the options that change code, and the preprocessed text. What was compiled where warnings are
errors serves all, anything else only where they are not. Tests do without: they are compiled once anyway, and with
precompiled headers. The folder is $ICTUS_OBJECTS.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

_NO_CODE = ("-W", "-I", "-D", "-M", "-isystem", "-L", "-l")
"""Options whose whole effect on an object is in the preprocessed text, or that have none."""
_LARGE_HEAP = ("--param", "ggc-min-heapsize=4194304")
"""GCC looks for garbage in its heap from 4 GiB on, where it did from 128 MiB: a tenth less time for the same code, and
0.7 GB of memory for a large unit.
"""


def main(command: list[str]) -> int:
    """Compile, or copy the object; the exit code."""
    if "-c" not in command or "-o" not in command or "ICTUS_OBJECTS" not in os.environ:
        return subprocess.call(command)
    place = command.index("-o")
    preprocessing = [word for word in (*command[:place], *command[place + 2 :]) if word != "-c"]
    read = subprocess.run((*preprocessing, "-E", "-P"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if read.returncode != 0:
        return subprocess.call(command)  # which says why
    target, strict = Path(command[place + 1]), "-Werror" in command
    known = Path(os.environ["ICTUS_OBJECTS"], _key(command, read.stdout))
    kinds = (".strict",) if strict else (".strict", ".lax")
    found = next((path for path in map(known.with_suffix, kinds) if path.exists()), None)
    if found is not None:
        found.touch()
        shutil.copyfile(found, target)
        return 0
    heap = _LARGE_HEAP if "g++" in _compiler(command).name else ()
    code = subprocess.call((*command, *heap))
    if code == 0:
        known.parent.mkdir(parents=True, exist_ok=True)
        partial = known.with_suffix(f".{os.getpid()}")
        shutil.copyfile(target, partial)
        partial.replace(known.with_suffix(kinds[-1]))
    return code


def _compiler(command: list[str]) -> Path:
    return Path(shutil.which(command[0]) or command[0]).resolve()


def _key(command: list[str], text: bytes) -> str:
    compiler = _compiler(command)
    state = compiler.stat()
    options = [word for word in command[1:] if word.startswith("-") and not word.startswith(_NO_CODE)]
    total = hashlib.sha256("\0".join((str(compiler), str(state.st_size), str(state.st_mtime_ns), *options)).encode())
    total.update(b"\0" + text)
    return total.hexdigest()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
