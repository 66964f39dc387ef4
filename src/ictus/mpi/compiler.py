"""How the core and the probe are compiled: by the installation's wrapper, called by a path that it can stand."""

import hashlib
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ictus.model.errors import UsageError
from ictus.model.library import Installation
from ictus.mpi.cache import cache_folder
from ictus.mpi.environment import launch_environment
from ictus.mpi.flavours import flavour
from ictus.mpi.recognition import output_of


@dataclass(frozen=True)
class Compiler:
    """A wrapper ready to be called."""

    wrapper: Path
    environment: Mapping[str, str]
    alone: bool = False
    """Whether programs must be compiled and linked by the wrapper itself: it does more than naming headers and
    libraries (SimGrid)."""

    def shown(self) -> str:
        """The command line that it would run: compiler, folders of headers and libraries."""
        return output_of((str(self.wrapper), "-show"), self.environment).strip()

    def below(self) -> str:
        """The compiler that the wrapper calls: the first word of what it shows."""
        words = self.shown().split()
        return (words and shutil.which(words[0])) or "c++"

    def version(self) -> str:
        """First line of what the compiler below the wrapper says of itself."""
        program = self.below() if self.alone else str(self.wrapper)
        lines = output_of((program, "--version"), self.environment).splitlines()
        return lines[0].strip() if lines else "unknown"


def compiler_of(installation: Installation) -> Compiler:
    """The wrapper of `installation`, with the environment that it needs.

    MPICH's wrapper splits its own path at blanks. One in a folder with blanks in its name is therefore called through a
    link from the cache, which stays: the programs find their library there.

    Raises:
        UsageError: the path holds blanks, and so does the cache's.
    """
    member = flavour(installation.flavour)
    environment = launch_environment(installation, member.compile_environment(installation)).variables
    return Compiler(_without_blanks(installation.wrapper), environment, alone=member.simulated)


def _without_blanks(wrapper: Path) -> Path:
    if not _has_blanks(wrapper):
        return wrapper
    prefix = wrapper.parent.parent
    link = cache_folder() / "prefixes" / hashlib.sha256(os.fsencode(prefix)).hexdigest()[:16]
    if _has_blanks(link):
        message = (
            f"{wrapper}: MPI wrappers cannot work from a folder with blanks in its name; "
            f"set ICTUS_CACHE to a folder without (it is {cache_folder()})"
        )
        raise UsageError(message)
    link.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        link.symlink_to(prefix, target_is_directory=True)
    return link / wrapper.parent.name / wrapper.name


def _has_blanks(path: Path) -> bool:
    return any(character.isspace() for character in str(path))
