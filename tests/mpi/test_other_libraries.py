"""Libraries that no wrapper of ours names: they are known by MPI_Get_library_version, and measured all the same."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from tests.native.trees import installation as wheel

from ictus.model.errors import UsageError
from ictus.model.job import Hosts
from ictus.model.library import Installation
from ictus.mpi.build import build_core
from ictus.mpi.discover import find
from ictus.mpi.doctor import prove
from ictus.mpi.flavours import FLAVOURS, Situation, flavour
from ictus.mpi.inquiry import inquire

from .conftest import script

SAID = {
    "mpich": ("MPICH Version:      5.0.2 MPICH Release date: today", "5.0.2"),
    "openmpi": ("Open MPI v5.0.11, package: Open MPI root@host Distribution", "5.0.11"),
    "intelmpi": ("Intel(R) MPI Library 2021.18 for Linux* OS", "2021.18"),
    "mvapich": ("MVAPICH2 Version      :	2.3.7 MVAPICH2 Release date", "2.3.7"),
    "cray": ("MPI VERSION    : CRAY MPICH version 8.1.28.29 (ANL base 3.4a2)", "8.1.28.29"),
    "nec": ("NEC MPI: Version 3.5.0 (13. June 2023)", "3.5.0"),
    "generic": ("Acme Message Passing, release 7.1b", "7.1b"),
}


def answer(name: str) -> Installation:
    """An installation of that flavour."""
    return Installation(name, name, "2.3.7", Path("/opt/mpi/bin/mpicxx"), Path("/opt/mpi/bin/mpiexec"), origin="path")


@pytest.mark.parametrize("name", SAID)
def test_the_first_flavour_that_recognises_a_version_is_the_right_one(name: str) -> None:
    """Each by its own text; what nobody knows is generic."""
    said, version = SAID[name]
    patterns = ((one.name, one.library_pattern) for one in FLAVOURS if one.library_pattern is not None)
    found, match = next((who, match) for who, pattern in patterns if (match := pattern.search(said)))
    assert (found, match[1]) == (name, version)


def test_a_library_of_which_nothing_is_known_is_told_the_number_of_ranks_alone() -> None:
    """No binding, no exported variables, no algorithm, no tuning file; named hosts are refused, not ignored."""
    member = flavour("generic")
    assert member.placement(answer("generic"), Situation(3)) == ("-n", "3")
    assert member.exports({"A": "1"}) == ()
    assert member.algorithms({}, lambda _: "") == {}
    assert member.progress_variable({"ASYNC_PROGRESS": "0"}) is None
    with pytest.raises(UsageError, match="how hosts are named to the launcher of generic is not known"):
        member.placement(answer("generic"), Situation(2, hosts=Hosts(("10.0.0.1",), "/a", ("/a",), "eth0", {})))


def test_mvapich_binds_by_its_own_variables() -> None:
    """To the cores that are named, and not at all with more ranks than cores; release 3 has another prefix."""
    member, old, recent = flavour("mvapich"), answer("mvapich"), replace(answer("mvapich"), version="3.0")
    assert member.run_environment(old, Situation(2)) == {"MV2_ENABLE_AFFINITY": "1"}
    assert member.run_environment(recent, Situation(2, cores=(4, 6, 8)))["MVP_CPU_MAPPING"] == "4:6"
    assert member.run_environment(old, Situation(8, oversubscribed=True)) == {"MV2_ENABLE_AFFINITY": "0"}
    assert flavour("nec").placement(answer("nec"), Situation(2)) == ("-np", "2")


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """MPICH behind a wrapper that says nothing of it, in programs that say they run on another library."""
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ICTUS_CONFIG", str(tmp_path / "config"))
    real = wheel("mpich")
    source = tmp_path / "acme.c"
    source.write_text(
        "#include <mpi.h>\n#include <string.h>\nint MPI_Get_library_version(char *text, int *length) {\n"
        f'    strcpy(text, "{SAID["generic"][0]}");\n    *length = (int)strlen(text);\n    return MPI_SUCCESS;\n}}\n'
    )
    built = tmp_path / "acme.o"
    assert os.system(f"{real.wrapper.with_name('mpicc')} -c {source} -o {built}") == 0
    words = 'case "$1" in -v|-V|-show|--showme*|--version) echo acme; exit;; esac'
    script(tmp_path / "bin/mpiexec", f'exec {real.launcher} "$@"')
    return script(tmp_path / "bin/mpicxx", f'{words}\nexec {real.wrapper} "$@" {built}')


@pytest.mark.mpi
@pytest.mark.beside
def test_a_wrapper_that_says_nothing_is_recognised_by_its_library_and_proved(acme: Path) -> None:
    """Compiled, launched on two ranks that find each other; the second time the answer is remembered."""
    found = find(str(acme))
    assert (found.flavour, found.version) == ("generic", "7.1b")
    assert found.launcher == acme.with_name("mpiexec")
    proof = prove(found)
    assert (proof.failure, proof.n_ranks) == (None, 2)
    assert "Acme Message Passing" in str(proof.installation.library_version)
    acme.with_name("mpiexec").write_text("#!/bin/sh\nexit 1\n")
    assert find(str(acme)).version == "7.1b"


@pytest.mark.mpi
@pytest.mark.beside
def test_a_wrapper_whose_programs_do_not_run_is_told_with_the_reason(acme: Path) -> None:
    """The launcher's own words."""
    acme.with_name("mpiexec").write_text("#!/bin/sh\necho no licence\nexit 1\n")
    with pytest.raises(UsageError, match="asking the library fails: no licence"):
        find(str(acme))


@pytest.mark.mpi
@pytest.mark.beside
def test_the_core_answers_when_it_is_launched_without_any_knowledge() -> None:
    """What was built for MPICH, started by the words that every mpiexec knows."""
    build = build_core(wheel("mpich"))
    generic = replace(build.installation, flavour="generic")
    assert "MPICH" in inquire(generic, build.program).library_version
