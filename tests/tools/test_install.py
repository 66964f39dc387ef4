"""`make install` says where it installs only when it was told where."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def test_without_a_prefix_nothing_is_installed() -> None:
    """Exit code 2 and a line with an example; nothing is looked for or built."""
    for words in (("mpich", ""), ("mpich",), ()):
        done = subprocess.run((ROOT / "tools/install", *words), capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("install: PREFIX is not set")
        assert "make install MPI=mpich PREFIX=" in done.stderr
