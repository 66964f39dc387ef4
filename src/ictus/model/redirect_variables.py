"""The variables that libictus-redirect reads (redirect.md): in force are those of a launch that names a profile."""

from collections.abc import Sequence
from pathlib import Path

from ictus.model.errors import UsageError

PROFILE = "ICTUS_REDIRECT_PROFILE"
"""The file of its rules. Simulated ranks heed it without the library."""
REPORT = "ICTUS_REDIRECT_REPORT"
"""The file of the report that rank 0 writes."""
RANKS = "ICTUS_REDIRECT_RANKS"
"""How many ranks the program was started with."""
PLUGINS = "ICTUS_REDIRECT_PLUGINS"
"""The shared libraries that a profile may name."""


def plugins(files: Sequence[Path]) -> dict[str, str]:
    """The variable for these files. UsageError for a name that it cannot hold."""
    for file in files:
        if ":" in str(file):
            raise UsageError(f"plug-in '{file}': a name with ':' cannot be given to libictus-redirect; rename it")
    return {PLUGINS: ":".join(map(str, files))} if files else {}
