"""Which plug-in of a launcher fits a library, found out by trying and kept for the next time.

Slurm's srun introduces ranks to each other by one of several plug-ins. With a wrong one the launch is refused, or each
rank is alone, which ends with exit code 0 and plausible numbers.
"""

import functools
import hashlib
from contextlib import suppress
from pathlib import Path

from ictus.launch.launchers import is_known, launcher
from ictus.model.errors import MeasurementError
from ictus.model.library import Installation
from ictus.mpi.cache import cache, cache_folder
from ictus.mpi.proof import prove


@functools.cache
def plugin_for(installation: Installation, launcher_text: str) -> str:
    """The plug-in for this library; empty where the launcher has one way, or the user has chosen.

    Raises:
        MeasurementError: none starts two ranks as one job; the message says what each did, and what to ask for.
    """
    if not is_known(launcher_text):
        return ""
    offered = launcher(launcher_text).plugins()
    if not offered:
        return ""
    with suppress(OSError):
        kept = _place(installation, launcher_text).read_text("utf-8").strip()
        if kept in offered:
            return kept
    proof = prove(installation, 2, launcher_text)
    if not proof.works:
        raise MeasurementError(f"library '{installation.label}': {proof.failure}")
    remember(installation, launcher_text, proof.plugin)
    return proof.plugin


def remember(installation: Installation, launcher_text: str, plugin: str) -> None:
    """Keep what worked. A cache that cannot be written to costs the next run a try."""
    entry = _place(installation, launcher_text)
    with suppress(OSError):
        cache().make(entry.parent)
        entry.write_text(f"{plugin}\n", "utf-8")


def _place(installation: Installation, launcher_text: str) -> Path:
    library = (str(installation.wrapper), str(installation.compiled_by), installation.version)
    parts = (launcher_text, *launcher(launcher_text).plugins(), *library)
    return cache_folder() / "plugins" / hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
