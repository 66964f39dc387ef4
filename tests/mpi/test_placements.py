"""Where ranks may be placed otherwise, in each library's own words; and that its launcher takes them."""

from pathlib import Path

import pytest

from ictus.model.algorithm import Knob, Setting, Variant
from ictus.model.job import Job
from ictus.mpi.command import launch
from ictus.mpi.discover import find
from ictus.mpi.flavours import flavour
from ictus.mpi.machine import usable_cores


def placements(name: str, *, spread: bool) -> list[Knob]:
    """All that a flavour offers."""
    return [one for one in flavour(name).knobs("bcast", {}, spread=spread) if one.placement]


@pytest.mark.parametrize(
    ("name", "one_package", "more"),
    [
        ("mpich", [("-map-by", "hwthread")], [("-map-by", "socket")]),
        ("openmpi", [("--map-by", "core")], [("--map-by", "package")]),
        ("simgrid", [], []),
    ],
)
def test_each_library_is_told_in_its_own_words(
    name: str, one_package: list[tuple[str, ...]], more: list[tuple[str, ...]]
) -> None:
    """On packages in turn only where there are several; a simulated platform is not ours to tune."""
    assert [one.options for one in placements(name, spread=False)] == one_package
    assert [one.options for one in placements(name, spread=True)] == [*one_package, *more]


def test_intel_mpi_is_told_by_a_variable() -> None:
    """The order in which cores are taken."""
    orders = [one.environment["I_MPI_PIN_ORDER"] for one in placements("intelmpi", spread=True)]
    assert orders == ["compact", "spread", "scatter"]


@pytest.mark.mpi
@pytest.mark.beside
@pytest.mark.parametrize("name", ["mpich", "openmpi"])
def test_launchers_take_the_words(name: str, tmp_path: Path) -> None:
    """With all that they are told besides, and each rank is still on a core of its own."""
    installation = find(name, name)
    n_ranks = min(2, usable_cores().n)
    for number, knob in enumerate(placements(name, spread=True)):
        folder = tmp_path / str(number)
        folder.mkdir()
        variant = Variant(knob.name, Setting(knob.environment, knob.options))
        program = ("grep", "Cpus_allowed_list", "/proc/self/status")
        ended = launch(installation, Job(n_ranks, program, folder, 60.0, n_cores=usable_cores().n, variant=variant))
        assert ended.exit_code == 0, (folder / "stderr.txt").read_text()
        cores = [line.split()[1] for line in (folder / "stdout.txt").read_text().splitlines()]
        assert len(set(cores)) == len(cores) == n_ranks
