"""Too little memory ends a command in one line, whoever meets it first."""

import subprocess
import sys

import pytest
from tests.command_line import run_ictus

import ictus.cli.app


def test_a_limit_of_addresses_is_said_before_a_library_fails_by_it() -> None:
    """`ulimit -v 300000` ended in a traceback in the middle of an import."""
    command = ("/bin/sh", "-c", f"ulimit -v 300000; exec {sys.executable} -m ictus --version")
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("ictus: this process may have 300000 KiB of addresses (ulimit -v); ictus needs ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("error", [MemoryError(), ImportError("libscipy.so: failed to map segment from shared object")])
def test_memory_that_is_used_up_is_said_in_one_line(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 3: the request was no mistake."""

    def app(**_words: object) -> None:
        raise error

    monkeypatch.setattr(ictus.cli.app, "app", app)
    answer = run_ictus("list")
    assert answer.code == 3
    assert answer.err == (
        "ictus: the memory of this process is used up (ulimit -v, or the limit of a job): allow more\n"
    )


def test_a_module_that_is_not_there_is_no_lack_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of ours stays one."""

    def app(**_words: object) -> None:
        raise ImportError("cannot import name 'nothing' from 'ictus.model'")

    monkeypatch.setattr(ictus.cli.app, "app", app)
    with pytest.raises(ImportError, match="nothing"):
        run_ictus("list")
