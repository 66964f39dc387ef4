"""Readers of the core under texts that were changed at random: a plan, and both forms of a profile. Each is read or
refused with a message; nothing else happens.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.native.trees import NATIVE, Tree, built_tree, installation, mpi_tree

CORPUS = NATIVE / "tests/fuzz/corpus"
READERS = ("plan", "profile")
RUNS = {"plan": 40000, "profile": 200000}
"""A second or two."""


def fuzzed(tree: Tree, reader: str, *words: object, folder: Path) -> str:
    """What the fuzzer of a reader says; it must end well."""
    command = (tree.folder / "fuzz" / f"fuzz_{reader}", *map(str, words))
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    assert ended.returncode == 0, (ended.stdout + ended.stderr)[-4000:]
    return ended.stdout + ended.stderr


@pytest.mark.mpi
@pytest.mark.beside
@pytest.mark.parametrize("reader", READERS)
def test_a_reader_takes_any_text(reader: str, tmp_path: Path) -> None:
    """From a fixed seed, in the tree of the other tests."""
    assert f"{RUNS[reader]} runs" in fuzzed(
        mpi_tree("mpich"), reader, CORPUS / reader, 7, RUNS[reader], folder=tmp_path
    )


@pytest.mark.engine("compilers")
@pytest.mark.mpi
@pytest.mark.parametrize("reader", READERS)
def test_a_reader_takes_any_text_under_the_sanitizers(reader: str, tmp_path: Path) -> None:
    """libFuzzer, which looks for new ways through the code, for ten minutes (`ICTUS_FUZZ_S` seconds)."""
    clang = next((one for one in ("clang++", *(f"clang++-{n}" for n in range(30, 13, -1))) if shutil.which(one)), None)
    assert clang is not None
    wrapper = f"-DMPI_CXX_COMPILER={installation('mpich').wrapper}"
    definitions = (wrapper, f"-DCMAKE_CXX_COMPILER={clang}", "-DICTUS_SANITIZE=ON", "-DICTUS_FUZZ=ON")
    tree = built_tree("fuzz", *definitions, targets=tuple(f"fuzz_{one}" for one in READERS))
    found = shutil.copytree(CORPUS / reader, tmp_path / "corpus")
    seconds = os.environ.get("ICTUS_FUZZ_S", "600")
    words = (found, "-seed=7", f"-max_total_time={seconds}", "-max_len=4096", "-timeout=20", "-rss_limit_mb=2500")
    said = fuzzed(tree, reader, *words, folder=tmp_path)
    print(said.strip().splitlines()[-1])
