"""What a command says first, and the command that it names next."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.conftest import WORLD, simulate
from tests.command_line import Ictus

from ictus.cli.doctor import load_text, onward, verdict
from ictus.launch.allocation import JobAllocation
from ictus.model.errors import IctusError, MeasurementError, UsageError
from ictus.model.host_state import HostState
from ictus.model.library import Installation
from ictus.mpi.doctor import DoctorReport, host_state
from ictus.mpi.machine import read_machine
from ictus.mpi.preflight import Finding
from ictus.mpi.proof import Proof

MPICH = Proof(Installation("mpich", "mpich", "5.0", Path("/mpi/mpicxx"), Path("/mpi/mpiexec")), 1.0, 0.5, 2)
REPORT = DoctorReport(read_machine(), (MPICH,), (), (), 0.0)


def named(text: str) -> list[str]:
    """The next commands of an output, without the program's name."""
    return [line.removeprefix("Next: ictus ") for line in text.splitlines() if line.startswith("Next: ")]


def test_open_cases_and_an_open_gate_name_the_command_that_decides(ictus: Ictus, tmp_path: Path) -> None:
    """It continues the same campaign; the rest is named where nothing is open."""
    few = simulate(ictus, tmp_path, "few", WORLD, "--launches", "3")
    answer = ictus("compare", few, "mpich", "--reference", "openmpi", "--gate", "slower > 3 %")
    (onward_command,) = named(answer.out)
    assert onward_command.startswith("run few --launches ")
    assert named(answer.err) == [onward_command]
    assert named(ictus("diagnose", few).out) == ["diagnose few -o diagnosis.html"]
    assert named(ictus("diagnose", few, "-o", "page.html").out) == ["show few"]
    assert named(ictus("history", few).out) == ["history few -o history.html"]
    assert named(ictus("history", few, "-o", "page.html").out) == []


def test_a_check_that_decides_nothing_names_more_launches(ictus: Ictus) -> None:
    """Three launches can decide no guideline; the named command is taken, and measures more."""
    words = ("--launcher", "simulated", "-m", "mpich", "-n", "4", "--sizes", "8", "--guidelines", "GL10")
    answer = ictus("check", *words, "--nrep", "20", "--launches", "3", "--seed", "3", "-o", "check")
    assert answer.code == 0, answer.err
    (onward_command,) = named(answer.out)
    assert onward_command.startswith("check check --launches ")
    more = ictus(*onward_command.split())
    assert more.code == 0, more.err
    assert f"{onward_command.split()[3]} launches" in more.out


def test_the_doctor_begins_with_a_verdict() -> None:
    """How many libraries work, which do not, and what was found."""
    broken = replace(MPICH, installation=replace(MPICH.installation, label="old"), failure="does not start")
    other = replace(MPICH, installation=replace(MPICH.installation, label="openmpi"))
    findings = (Finding("warning", "old", "x"), Finding("advice", "clock", "x"), Finding("advice", "cores", "x"))
    assert verdict(REPORT) == "1 library works (mpich)."
    found = replace(REPORT, proofs=(MPICH, other, broken), findings=findings)
    assert verdict(found) == "2 libraries work (mpich, openmpi); old does not; 1 warning; 2 advice."
    assert verdict(replace(REPORT, proofs=())) == "No library works."
    commands = [onward(one) for one in (replace(REPORT, proofs=()), REPORT, found)]
    assert commands == ["ictus demo --install", "ictus run", "ictus demo"]
    assert onward(replace(REPORT, findings=(Finding("error", "shared memory", "x"),))) == "ictus doctor"


@pytest.mark.parametrize("error", [MeasurementError("n2 does not answer"), UsageError("no such option")])
def test_the_doctor_shows_what_it_found_where_the_hosts_cannot_be_measured(
    ictus: Ictus, monkeypatch: pytest.MonkeyPatch, error: IctusError
) -> None:
    """A launch on all hosts may fail, or be refused, with each library in turn; what was proved before is kept."""

    def failing(*_: object) -> tuple[()]:
        raise error

    in_allocation(monkeypatch, failing)
    answer = ictus("doctor", "--json")
    assert answer.code == 3
    document = json.loads(answer.out)
    assert [row["label"] for row in document["rows"]] == ["mpich", "openmpi"]
    assert document["findings"] == [
        {"level": level, "subject": "hosts", "message": f"their state could not be measured with {label}: {error}"}
        for level, label in (("warning", "mpich"), ("error", "openmpi"))
    ]


def test_the_doctor_of_hosts_names_a_campaign_on_them() -> None:
    """`demo` takes no hosts."""
    assert onward(REPORT, 3).endswith("ictus run --nodes 3 --ppn 1")
    assert onward(REPORT).endswith("ictus run")


def in_allocation(monkeypatch: pytest.MonkeyPatch, measured: Callable[..., tuple[HostState, ...]]) -> None:
    """A job on two nodes with two libraries that work; `measured` is what a launch on all hosts does."""
    two = replace(MPICH, installation=replace(MPICH.installation, label="openmpi"))
    monkeypatch.setattr("ictus.cli.doctor.examine", lambda *_, **__: replace(REPORT, proofs=(MPICH, two)))
    monkeypatch.setattr("ictus.cli.doctor.read_allocation", lambda: JobAllocation("slurm", "7", ("n1", "n2")))
    monkeypatch.setattr("ictus.cli.doctor.measured_hosts", measured)


def test_the_doctor_measures_the_hosts_with_the_next_library_where_one_fails(
    ictus: Ictus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failure is a warning beside the hosts."""
    state = host_state(read_machine())

    def second(_n_nodes: int, _n: int, label: str, *_: object) -> tuple[HostState, ...]:
        if label == "mpich":
            raise MeasurementError("Destination is unreachable")
        return (state,)

    in_allocation(monkeypatch, second)
    document = json.loads(ictus("doctor", "--json").out)
    assert [one["name"] for one in document["hosts"]] == [state.name]
    (finding,) = document["findings"]
    assert (finding["level"], "mpich: Destination is unreachable" in finding["message"]) == ("warning", True)


def test_the_load_is_said_with_what_it_means() -> None:
    """A number alone tells nobody whether to go on."""
    assert load_text(0.04, 2, 2) == "0.04: these cores are quiet"
    assert load_text(1.97, 2, 2) == "1.97: other programs use about 2 of 2 CPUs, which disturbs launches; stop them"
    assert "about 2 of 2 CPUs" in load_text(28.0, 2, 2)
