"""The names of `ictus.stats`: each is one thing, and importing the package imports none of its modules."""

import subprocess
import sys
from pathlib import Path

import ictus.stats


def test_every_public_name_is_found_and_is_no_module() -> None:
    """A name that were a module as well would be one or the other by what was imported before."""
    modules = {path.stem for path in Path(ictus.stats.__file__).parent.glob("*.py")}
    assert set(ictus.stats.__all__) & modules == set()
    assert set(ictus.stats._HOME_OF) == set(ictus.stats.__all__)
    for name in ictus.stats.__all__:
        assert getattr(ictus.stats, name).__module__.startswith("ictus.stats.")


def test_importing_the_package_imports_no_statistics() -> None:
    """Two modules of ours, and neither numpy nor scipy."""
    code = (
        "import sys, ictus.stats; print(sorted(m for m in sys.modules if m.startswith(('ictus.', 'scipy', 'numpy'))))"
    )
    done = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['ictus.stats']"
