"""`python -m tools.describe`: describe.json anew, from the core as it is now, and the pages that are made from it.

The core is the measuring program for MPICH, which the next `ictus` command takes from the cache: no test is built.
"""

import subprocess
import sys
from pathlib import Path

from ictus.mpi.build import build_core
from ictus.mpi.discover import find

ROOT = Path(__file__).parents[1]
DESCRIBED = ROOT / "src" / "ictus" / "model" / "describe.json"


def main() -> int:
    """Builds the core, asks it, and writes what it says."""
    core = build_core(find("mpich"), lambda done: print(done, file=sys.stderr)).program
    told = subprocess.run((core, "describe"), check=True, capture_output=True).stdout
    if told != DESCRIBED.read_bytes():
        DESCRIBED.write_bytes(told)
        print(DESCRIBED.relative_to(ROOT))
    # In a process of its own: this one has read the former file.
    return subprocess.run((sys.executable, "-m", "tools.docs"), cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
