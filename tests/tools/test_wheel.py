"""The wheel holds all that the core is built from on the user's machine."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
NAMED = re.compile(r"(?<![\w./}*-])((?:[\w-]+/)+[\w.-]+\.(?:cpp|hpp|h|c|f90|cmake|in))\b")


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the native sources in an unpacked wheel of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "unpacked")
    return folder / "unpacked/ictus/native"


def test_each_source_that_cmake_names_is_in_the_wheel(native: Path) -> None:
    """A path in CMakeLists.txt or an included file; a comment's example is no source."""
    named: set[str] = set()
    for script in (native / "CMakeLists.txt", *(native / "cmake").glob("*.cmake")):
        lines = (line.partition("#")[0] for line in script.read_text("utf-8").splitlines())
        named.update(path for line in lines for path in NAMED.findall(line) if (ROOT / "native" / path).is_file())
    assert any(path.endswith("/main.cpp") for path in named)
    assert [path for path in sorted(named) if not (native / path).is_file()] == []


def test_the_wheel_holds_every_file_of_native(native: Path) -> None:
    """So a new folder cannot be forgotten."""
    tree = subprocess.run(["git", "ls-files", "native"], cwd=ROOT, capture_output=True, text=True, check=False)
    if tree.returncode != 0:
        pytest.skip("no checkout: git does not know the files of native")
    files = [line.removeprefix("native/") for line in tree.stdout.splitlines() if (ROOT / line).is_file()]
    assert files
    assert [path for path in files if not (native / path).is_file()] == []
