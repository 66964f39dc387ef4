"""The words of each launcher, pinned whole."""

from dataclasses import replace
from pathlib import Path

import pytest

from ictus.launch.launchers import LAUNCHERS, Dialect, launcher
from ictus.model.errors import UsageError
from ictus.model.job import Job
from ictus.model.library import Installation
from ictus.mpi.command import compose

INSTALLATION = Installation("a", "mpich", "5.0.2", Path("/opt/m/bin/mpicxx"), Path("/opt/m/bin/mpiexec"))


def job(n_ranks: int = 2, *, pin: bool = True, n_cores: int = 2) -> Job:
    return Job(n_ranks, ("/core", "--plan", "arguments.txt"), Path("/folder"), 60.0, pin=pin, n_cores=n_cores)


def test_mpiexec_is_launcher_placement_exports_program() -> None:
    """The library's own launcher, then what its flavour says, then the program with its arguments."""
    words = launcher("mpiexec").tokens(job(), INSTALLATION, Dialect(("-n", "2"), ("-genv", "A", "b c")))
    expected = ("/opt/m/bin/mpiexec", "-n", "2", "-genv", "A", "b c", "/core", "--plan", "arguments.txt")
    assert expected == words


@pytest.mark.parametrize(
    ("asked", "placement"),
    [
        (job(), ("--ntasks=2", "--cpus-per-task=1", "--cpu-bind=cores")),
        (job(pin=False), ("--ntasks=2", "--cpus-per-task=1", "--cpu-bind=none")),
        (job(8), ("--ntasks=8", "--cpus-per-task=1", "--cpu-bind=none", "--overcommit")),
    ],
    ids=["pinned", "unpinned", "oversubscribed"],
)
def test_srun_places_by_its_own_options(asked: Job, placement: tuple[str, ...]) -> None:
    """Slurm's words, whatever the library; a failing task ends all."""
    words = launcher("srun").tokens(asked, INSTALLATION, Dialect(("-n", "9"), ("-x", "A=b")))
    expected = ("srun", *placement, "--kill-on-bad-exit=1", "--export=ALL", "/core", "--plan", "arguments.txt")
    assert expected == words


def test_further_words_follow_our_own_and_precede_the_program() -> None:
    """So that they win where both say something."""
    asked = replace(job(), launcher_options=("--mem-bind", "local"))
    words = launcher("srun").tokens(asked, INSTALLATION, Dialect((), ()))
    assert words[-6:] == ("--export=ALL", "--mem-bind", "local", "/core", "--plan", "arguments.txt")
    composed = compose(INSTALLATION, replace(asked, folder=Path()), "mpiexec", ambient={}, one_host=True).tokens
    plain = compose(INSTALLATION, job(), "mpiexec", ambient={}, one_host=True).tokens
    at = composed.index("--mem-bind")
    assert composed[:at] + composed[at + 2 :] == plain
    assert composed.index("/core") > at


def test_an_unknown_launcher_lists_the_known_ones() -> None:
    """The message says what could have been meant."""
    known = ", ".join(one.name for one in LAUNCHERS)
    with pytest.raises(UsageError, match=rf"^launcher 'mpirun' is unknown; known: {known}$"):
        launcher("mpirun")
