"""Nothing but the call is between the two readings of the clock: the disassembly of the built core says so."""

import functools
import subprocess
from pathlib import Path

import pytest
from tests.native.disassembly import detours, faults, functions
from tests.native.launching import EITHER
from tests.native.trees import NATIVE, installation, mpi_tree

pytestmark = [
    pytest.mark.mpi,  # starts no ranks, but waits for what is built beside the tests without
    pytest.mark.beside,
    pytest.mark.x86,
]

INLINED = ("TscClock", "MonotonicClock", "WtimeClock")
SPOILED = {
    "by_a_second_call": ["a call"],
    "by_a_store": ["a store"],
    "by_a_store_behind": ["a store"],
    "by_arithmetic": ["arithmetic"],
    "by_a_virtual_call": ["0 calls through a register", "a load from other memory than the stack", "a call"],
    "by_a_late_load": ["0 calls through a register", "a call"],
    "by_no_call": ["0 calls through a register"],
    "loop_that_stores": ["a store"],
}
"""The functions of native/tests/programs/spoiled_window.cpp, and what is wrong in them."""


@functools.cache
def core(label: str) -> Path:
    """As users have it: optimised."""
    return mpi_tree(label).folder / "ictus-bench"


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("spoiled") / "spoiled_window.o"
    source = NATIVE / "tests/programs/spoiled_window.cpp"
    options = ("-std=c++20", "-O2", "-fPIC", "-c", f"-I{NATIVE / 'src'}")
    subprocess.run((installation("mpich").wrapper, *options, source, "-o", made), check=True)
    return made


@pytest.mark.parametrize("label", EITHER)
@pytest.mark.parametrize("clock", INLINED)
def test_nothing_but_the_call_is_between_two_readings(label: str, clock: str) -> None:
    copies = functions(core(label), rf"::time_call<ictus::{clock}>")  # one for each source file that takes another
    assert copies
    assert {name: found for name, code in copies.items() if (found := faults(code, calls=1))} == {}


@pytest.mark.parametrize("label", EITHER)
@pytest.mark.parametrize("calls", [1, 2])
@pytest.mark.parametrize("clock", INLINED)
def test_the_rounds_of_a_loop_have_nothing_but_their_calls(label: str, clock: str, calls: int) -> None:
    named = rf"::time_loop<ictus::{clock}{', ictus::BoundCall' * calls}>"
    (code,) = functions(core(label), named).values()
    assert faults(code, calls=calls, loops=True) == []


@pytest.mark.parametrize("label", ["mpich", "openmpi"])
def test_the_way_to_a_bound_function_reads_its_block_alone(label: str) -> None:
    ways = functions(core(label), r"::BoundCall::load_and_jump<.*>\(ictus::BoundCall const\*\)$")
    assert len(ways) > 20  # one for each list of parameter types
    assert {name: detours(code) for name, code in ways.items() if detours(code)} == {}


def test_phases_of_an_overlap_are_calls_in_timed_windows() -> None:
    """MPI is called through `time_call` alone, which the test above reads: no other function of the study calls it."""
    found = functions(core("mpich"), r"::(overlap|compute_with_tests)<ictus::\w+>|::PhaseTimer<ictus::\w+>::call")
    assert sum("::overlap<" in name for name in found) == 4  # one for each clock
    for name, code in found.items():
        called = [one.called for one in code if one.called]
        assert [one for one in called if "MPI_" in one and "MPI_Wtime" not in one] == [], name
        if not name.endswith("[clone .cold]"):  # the compiler's part for what throws
            assert any("::time_call<" in one or "::PhaseTimer<" in one for one in called), name


def test_the_librarys_barrier_is_bound_as_mpis_own_function() -> None:
    """`loop-barrier` times MPI_Barrier, no function of ours that calls it: its address goes into the bound call."""
    (bound,) = functions(core("mpich"), r"::MpiTransport::bind_library_barrier\(\)").values()
    assert any("<MPI_Barrier" in one.remark for one in bound)
    assert any("::BoundCall::load_and_jump<" in one.remark for one in bound)
    assert functions(core("mpich"), r"LoopBarrier::wait") == {}


def test_a_spin_pauses_the_processor() -> None:
    """A wait for an instant tells the core so, but for its last microsecond."""
    for clock in INLINED[:2]:
        (code,) = functions(core("mpich"), rf"::CounterClock<ictus::{clock}>::wait_until\(").values()
        assert "pause" in [one.mnemonic for one in code]


def test_a_latecomer_holds_back_by_a_clock_that_is_not_mpis() -> None:
    """A library may answer MPI_Wtime coarsely, or a tool in front of it otherwise: the wait would never end, or at
    once.
    """
    (code,) = functions(core("mpich"), r"::Latecomer::come\(").values()
    called = [one.called for one in code if one.called]
    assert any("steady_clock::now" in one for one in called)
    assert [one for one in called if "MPI_Wtime" in one] == []


def test_a_whole_window_is_told_from_spoiled_ones(spoiled: Path) -> None:
    (call,) = functions(spoiled, r"::time_call<").values()
    (loop,) = functions(spoiled, r"::time_loop<").values()
    assert faults(call, calls=1) == []
    assert faults(loop, calls=2, loops=True) == []
    assert faults(loop, calls=1, loops=True) != []
    assert faults(loop, calls=2) != []


@pytest.mark.parametrize("name", SPOILED)
def test_each_fault_is_seen(name: str, spoiled: Path) -> None:
    (code,) = functions(spoiled, rf"::spoiled_{name}\(").values()
    found = faults(code, calls=1, loops=name.startswith("loop"))
    assert list(dict.fromkeys(one.split(" at ")[0] for one in found)) == SPOILED[name]


def test_a_detour_is_seen(spoiled: Path) -> None:
    (code,) = functions(spoiled, r"::spoiled_detour\(").values()
    assert detours(code) != []
