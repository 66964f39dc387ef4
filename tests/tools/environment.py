"""Virtual environments of their own for what tests install, kept in build/environments and made once; and the files of
this tree.
"""

import functools
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
ENVIRONMENTS = ROOT / "build/environments"


def new_environment(folder: Path) -> Path:
    """The Python of an empty virtual environment."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run((sys.executable, "-m", "venv", str(folder)), check=True, capture_output=True)
    return folder / "bin/python"


@functools.cache
def python_with(name: str, *requirements: str) -> Path:
    """The Python of an environment with these packages; a failing installation fails the test with pip's words."""
    folder = ENVIRONMENTS / name
    stamp = folder / "installed.txt"
    if not stamp.is_file() or stamp.read_text() != "\n".join(requirements):
        python = new_environment(folder)
        pip = (str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements)
        done = subprocess.run(pip, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        stamp.write_text("\n".join(requirements))
    return folder / "bin/python"


def known_files() -> list[str]:
    """The files of this tree: those of a checkout that git knows, all those of an unpacked source distribution."""
    if not (ROOT / ".git").exists():
        return [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file()]
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.splitlines() if (ROOT / name).is_file()]
