"""Proves that the MPI wheels of this environment can compile, launch and pin on this machine; tools/setup calls it."""

import sys

from ictus.mpi.discover import find
from ictus.mpi.doctor import prove


def main() -> int:
    """Exit code 1 when one of them cannot be measured with."""
    failures = [proof for label in ("mpich", "openmpi") if not (proof := prove(find(label))).works]
    for proof in failures:
        print(f"\n{proof.installation.label}: {proof.failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
