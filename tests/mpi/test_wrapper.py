"""Wrappers are called by a path that they can stand: real folder, own name."""

from pathlib import Path

import pytest

from ictus.mpi.recognition import is_c_wrapper, launcher_beside, real_wrapper


def program(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o755)
    return path


def link(path: Path, target: Path | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
    return path


def test_a_folder_reached_through_a_link_is_resolved(tmp_path: Path) -> None:
    """MPICH's wrapper computes its prefix from the path that it is called by."""
    wrapper = program(tmp_path / "mpich-5.0.2/bin/mpicxx")
    link(tmp_path / "mpich", "mpich-5.0.2")
    assert wrapper == real_wrapper(tmp_path / "mpich/bin/mpicxx")


def test_a_link_from_elsewhere_is_followed_to_the_wrapper(tmp_path: Path) -> None:
    """A link in a user's bin folder would make the wrapper look for headers beside the link."""
    wrapper = program(tmp_path / "opt/bin/mpicxx")
    assert wrapper == real_wrapper(link(tmp_path / "home/bin/mpicxx", wrapper))


def test_a_name_that_decides_the_language_is_kept(tmp_path: Path) -> None:
    """Debian's mpicxx leads over /etc/alternatives to mpic++.openmpi, which is opal_wrapper under a telling name."""
    program(tmp_path / "usr/bin/opal_wrapper")
    link(tmp_path / "usr/bin/mpic++.openmpi", "opal_wrapper")
    expected = link(tmp_path / "usr/bin/mpicxx.openmpi", "opal_wrapper")
    link(tmp_path / "etc/alternatives/mpicxx", tmp_path / "usr/bin/mpic++.openmpi")
    assert expected == real_wrapper(link(tmp_path / "usr/bin/mpicxx", tmp_path / "etc/alternatives/mpicxx"))


def test_an_alternative_of_another_name_is_followed(tmp_path: Path) -> None:
    """Debian's mpicc leads over /etc/alternatives/mpi, which is not a wrapper's name."""
    program(tmp_path / "usr/bin/mpicc.mpich")
    expected = program(tmp_path / "usr/bin/mpicxx.mpich")
    link(tmp_path / "etc/alternatives/mpi", tmp_path / "usr/bin/mpicc.mpich")
    assert expected == real_wrapper(link(tmp_path / "usr/bin/mpicc", tmp_path / "etc/alternatives/mpi"))


@pytest.mark.parametrize(
    ("given", "sibling"),
    [("mpicc", "mpicxx"), ("mpicc.openmpi", "mpicxx.openmpi"), ("mpigcc", "mpigxx"), ("mpiicx", "mpiicpx")],
)
def test_a_c_wrapper_leads_to_its_cxx_sibling(tmp_path: Path, given: str, sibling: str) -> None:
    """The core is C++; the suffix of a distribution is kept."""
    program(tmp_path / given)
    assert tmp_path / given == real_wrapper(tmp_path / given)
    assert is_c_wrapper(tmp_path / given)
    assert program(tmp_path / sibling) == real_wrapper(tmp_path / given)
    assert not is_c_wrapper(tmp_path / sibling)


def test_the_launcher_has_the_wrapper_s_suffix(tmp_path: Path) -> None:
    """mpiexec.mpich for mpicxx.mpich, never the unsuffixed one of another library."""
    program(tmp_path / "mpiexec")
    expected = program(tmp_path / "mpiexec.mpich")
    assert expected == launcher_beside(tmp_path / "mpicxx.mpich", ("mpiexec", "mpirun"))
    assert launcher_beside(tmp_path / "mpicxx.openmpi", ("mpiexec", "mpirun")) is None


def test_the_preferred_launcher_is_taken(tmp_path: Path) -> None:
    """In the order of the flavour's names."""
    program(tmp_path / "mpirun")
    assert tmp_path / "mpirun" == launcher_beside(tmp_path / "mpicxx", ("mpiexec", "mpirun"))
    program(tmp_path / "mpiexec")
    assert tmp_path / "mpiexec" == launcher_beside(tmp_path / "mpicxx", ("mpiexec", "mpirun"))
