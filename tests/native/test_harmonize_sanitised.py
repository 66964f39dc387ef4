"""MPIX_Harmonize over communicators by the thousand, under the address, leak and undefined-behaviour sanitizers."""

from pathlib import Path

import pytest
from tests.native.installed import ran
from tests.native.launching import Ended, start
from tests.native.test_harmonize_interface import PROGRAMS
from tests.native.trees import NATIVE, installation, sanitised_tree

LABEL = "mpich"
"""Loses no byte of its own, so that nothing has to be left out of the leak sanitizer's report."""

COUNT = 10_000

LOST = """
#include <mpi.h>
#include <stdlib.h>
void* volatile kept;
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    kept = malloc(77);
    kept = NULL;
    MPI_Finalize();
    return 0;
}
"""


def sanitised(source: Path, folder: Path) -> Path:
    """A C program on the sanitised libictus, itself sanitised."""
    tree = sanitised_tree(LABEL, "ictus").folder
    program = folder / source.stem
    flags = ("-g", "-std=c99", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    library = (f"-I{NATIVE}/include", f"-L{tree}", f"-Wl,-rpath,{tree}", "-lictus")
    ran(installation(LABEL).wrapper.with_name("mpicc"), *flags, source, "-o", program, *library)
    return program


def check_clean(ended: Ended) -> None:
    """It ended well, and no sanitizer had anything to say."""
    assert "Sanitizer" not in ended.error + ended.output, ended.error
    assert "runtime error" not in ended.error, ended.error
    assert ended.exit_code == 0, ended.error


@pytest.mark.mpi
@pytest.mark.long
def test_ten_thousand_communicators_leave_nothing_behind_under_the_sanitizers(tmp_path: Path) -> None:
    """Half a minute; 77 bytes that a program loses are found."""
    ended = start(LABEL, 2, sanitised(PROGRAMS / "harmonize_churn.c", tmp_path), COUNT, folder=tmp_path, timeout_s=300)
    check_clean(ended)
    assert ended.output.startswith(f"{COUNT} communicators, ")
    (tmp_path / "lost.c").write_text(LOST)
    lost = start(LABEL, 2, sanitised(tmp_path / "lost.c", tmp_path), folder=tmp_path)
    assert "leak of 77 byte(s)" in lost.error
    with pytest.raises(AssertionError, match="Sanitizer"):
        check_clean(lost)
