"""How the core and the probe are compiled: by the installation's wrapper, called by a path that it can stand."""

import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ictus.model.errors import UsageError
from ictus.model.installation import Installation
from ictus.mpi.environment import launch_environment
from ictus.mpi.flavours import flavour
from ictus.mpi.folders import cache_folder
from ictus.mpi.recognition import output_of


@dataclass(frozen=True)
class Compiler:
    """A wrapper ready to be called."""

    wrapper: Path
    environment: Mapping[str, str]

    def shown(self) -> str:
        """The command line that it would run: compiler, folders of headers and libraries."""
        return output_of((str(self.wrapper), "-show"), self.environment).strip()

    def version(self) -> str:
        """First line of what the compiler below the wrapper says of itself."""
        lines = output_of((str(self.wrapper), "--version"), self.environment).splitlines()
        return lines[0].strip() if lines else "unknown"


def compiler_of(installation: Installation) -> Compiler:
    """The wrapper of `installation`, with the environment that it needs.

    MPICH's wrapper splits its own path at blanks. One in a folder with blanks in its name is therefore called through a
    link from the cache, which stays: the programs find their library there.

    Raises:
        UsageError: the path holds blanks, and so does the cache's.
    """
    variables = flavour(installation.flavour).compile_environment(installation)
    environment = launch_environment(installation, variables).variables
    return Compiler(_without_blanks(installation.wrapper), environment)


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
