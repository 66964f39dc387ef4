"""Compiler wrappers as files: their real path, their C++ sibling, the launcher beside them.

A wrapper finds its installation from the path it is called by, and some decide from their own name what they are. So
the folder is resolved, while a link of the file itself is followed only as long as it leads to another wrapper's name:
`/etc/alternatives/mpicxx` leads to `mpicxx.openmpi`, but that to `opal_wrapper`, which would not know its language.
"""

import os
import re
from pathlib import Path

_WRAPPER_NAME = re.compile(r"mpi(cc|cxx|c\+\+|CC|gcc|gxx|icc|icx|icpc|icpx)(\.\w+)?")
_LAUNCHER_NAME = re.compile(r"mpi(exec|run)(\.\w+)?")

_SIBLINGS = {
    "mpicc": "mpicxx",
    "mpic++": "mpicxx",
    "mpiCC": "mpicxx",
    "mpigcc": "mpigxx",
    "mpiicc": "mpiicpc",
    "mpiicx": "mpiicpx",
}
"""C++ wrapper to use in place of another one from the same folder."""


def real_wrapper(path: Path) -> Path:
    """The real path of a wrapper, its name kept; the C++ sibling when it is a C wrapper and the sibling exists."""
    resolved = _resolve(path, _WRAPPER_NAME)
    stem, suffix = _split(resolved.name)
    sibling = resolved.with_name(_SIBLINGS.get(stem, stem) + suffix)
    return sibling if os.access(sibling, os.X_OK) else resolved


def is_c_wrapper(path: Path) -> bool:
    """Whether the wrapper compiles C only."""
    return _split(path.name)[0] in {"mpicc", "mpigcc", "mpiicc", "mpiicx"}


def launcher_beside(wrapper: Path, names: tuple[str, ...]) -> Path | None:
    """The launcher of the wrapper's own folder with the wrapper's suffix (`mpicxx.mpich`: `mpiexec.mpich`)."""
    suffix = _split(wrapper.name)[1]
    for name in names:
        path = wrapper.with_name(name + suffix)
        if os.access(path, os.X_OK):
            return _resolve(path, _LAUNCHER_NAME)
    return None


def _resolve(path: Path, name: re.Pattern[str]) -> Path:
    here = path.parent.resolve() / path.name
    while here.is_symlink():
        target = here.parent / here.readlink()
        target = target.parent.resolve() / target.name
        on_the_way = "alternatives" in target.parts  # /etc/alternatives/mpi is no wrapper's name, but leads to one
        if not name.fullmatch(target.name) and not on_the_way:
            break
        here = target
    return here


def _split(name: str) -> tuple[str, str]:
    stem, dot, suffix = name.partition(".")
    return stem, dot + suffix
