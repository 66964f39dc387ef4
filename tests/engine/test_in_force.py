"""A launch that did not use the algorithm that it was told to use is refused, whichever way that shows."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.launch_document import launch_document

from ictus.engine.attempt import failure_of
from ictus.engine.in_force import not_in_force
from ictus.engine.runner import run_campaign
from ictus.launch.launchers.simulated import OFFER, Scenario, Simulated, force_algorithms
from ictus.model.algorithm import Setting, Variant, requests_of, variants_of
from ictus.model.design import Slot, make_design
from ictus.model.errors import MeasurementError
from ictus.model.job import Outcome
from ictus.model.plan import Plan
from ictus.model.registries import Registries

SETTING = Setting(expected={"RING": "1"}, refusals=("will be ignored",), fallbacks=("^Bcast .*cannot be applied",))
VARIANT = Variant("bcast=ring", SETTING)


def campaign(folder: Path, scenario: Scenario) -> Path:
    """One launch of each variant in a simulated world; the folder of the launch with the ring."""
    variants = variants_of(requests_of(["allreduce=ring,default"]), {"a": OFFER}, {"a": force_algorithms})
    plan = Plan.from_values({"mpi": "a", "op": "allreduce", "sizes": "8", "launches": 1, "nrep": 20, "seed": 1})
    design = make_design(plan, Registries.load(), [Simulated.installation("a")], variants=variants)
    run_campaign(folder, design, Simulated(scenario, variants))
    slots = json.loads((folder / "schedule.json").read_text())["slots"]
    return folder / "launches" / f"{next(s['slot'] for s in slots if s['algorithm'] == 'allreduce=ring'):04d}-a"


def test_a_launch_that_heeds_it_is_kept_with_all_of_it_recorded(tmp_path: Path) -> None:
    """Name, variables and what proves them stand in campaign.json and launch.json."""
    launch = campaign(tmp_path / "c", Scenario())
    recorded = launch_document(launch)["launcher"]["algorithm"]
    assert recorded["control_variables"] == {"SIMULATED_ALLREDUCE": "ring"}
    manifest = json.loads((tmp_path / "c" / "campaign.json").read_text())
    assert [one["name"] for one in manifest["algorithms"]["a"]] == ["allreduce=ring", "default"]
    assert manifest["plan"]["algorithm"] == []  # a plan that the command line did not make keeps its own words


def test_a_library_that_ignores_it_ends_the_campaign(tmp_path: Path) -> None:
    """Once: another try would be ignored too. The launch ran, so it is no error of usage; it is kept aside, and never
    analysed.
    """
    with pytest.raises(MeasurementError) as error:
        campaign(tmp_path / "c", Scenario(ignores_algorithms=True))
    assert "algorithm 'allreduce=ring' is not in force: " in str(error.value)
    assert "no control variable SIMULATED_ALLREDUCE in this launch" in str(error.value)
    assert len(list((tmp_path / "c" / "aside").iterdir())) == 1


@pytest.fixture
def launch(tmp_path: Path) -> Path:
    """A launch folder in which nothing speaks against VARIANT: 20 warm-ups and 30 samples of one case."""
    done = campaign(tmp_path / "c", Scenario())
    (done / "cvars.json").write_text(json.dumps({"cvars": {"RING": "1"}}))
    assert not_in_force(done, VARIANT) is None
    return done


def test_a_variable_with_another_value_speaks_against_it(launch: Path) -> None:
    """So does one that is not there, and a launch that said nothing of its variables."""
    (launch / "cvars.json").write_text(json.dumps({"cvars": {"RING": "0"}}))
    assert "control variable RING was '0' where '1' was asked for" in str(not_in_force(launch, VARIANT))
    (launch / "cvars.json").unlink()
    assert "there is no cvars.json" in str(not_in_force(launch, VARIANT))
    assert not_in_force(launch, Variant()) is None


def test_what_the_library_must_say_is_looked_for(launch: Path) -> None:
    """A library without control variables says at startup what it read; silence speaks against it."""
    variant = Variant("bcast=3", Setting(confirmed=(r"startup: BCAST=3$",)))
    assert "does not say that it read the setting" in str(not_in_force(launch, variant))
    (launch / "stdout.txt").write_text("[0] startup: BCAST=3\n")
    assert not_in_force(launch, variant) is None


def test_a_word_of_the_library_speaks_against_it(launch: Path) -> None:
    """One line is enough where it says that a setting is not known."""
    (launch / "stderr.txt").write_text("startup: RING=7, will be ignored\n")
    assert "the library says 'startup: RING=7, will be ignored'" in str(not_in_force(launch, VARIANT))


COMPLAINT = "Bcast ring cannot be applied.\n"


def marked(case_id: int, complaints: int) -> str:
    """What a launch says between the marks of a case."""
    begin, end = (f"ictus-bench: calls of case {case_id} {word}\n" for word in ("begin", "end"))
    return f"{begin}{complaints * COMPLAINT}{end}"


def test_calls_that_got_another_algorithm_are_counted_case_by_case(launch: Path) -> None:
    """The case has 40 calls. Control traffic of many ranks may complain more often than that, outside of its marks, and
    a few lines of other ranks come late. Half of its calls are enough, for a library may serve some roots alone.
    """
    file = launch / "stderr.txt"
    file.write_text(1000 * COMPLAINT + marked(0, 19) + 1000 * COMPLAINT)
    assert not_in_force(launch, VARIANT) is None
    file.write_text(5 * COMPLAINT + marked(0, 20))
    assert "says 'Bcast ring cannot be applied.' 20 times in 40 calls of case 0" in str(not_in_force(launch, VARIANT))
    file.write_text(5 * COMPLAINT)
    assert "says 5 times 'Bcast ring cannot be applied.'" in str(not_in_force(launch, VARIANT))
    file.write_text(marked(0, 0))
    assert not_in_force(launch, VARIANT) is None


@pytest.mark.parametrize(("exit_code", "timed_out"), [(1, False), (-9, False), (None, True), (None, False)])
def test_a_failure_names_the_variables_that_steered_the_library(
    tmp_path: Path, exit_code: int | None, timed_out: bool
) -> None:
    """Below the cause, however the launch ended (the last one hung); one forced in the shell is easily forgotten."""
    (tmp_path / "stderr.txt").write_text("Error: no such transport\n")
    steering = ("OMPI_MCA_pml=ucx (shell)", "OMPI_MCA_btl=self,sm (Ictus)")
    stuck = exit_code is None and not timed_out
    outcome = Outcome(("mpiexec",), {}, exit_code, 1.0, timed_out, stuck=stuck, steering=steering)
    reason = failure_of(outcome, tmp_path, 60.0)
    assert reason is not None
    assert reason.endswith(
        "; stderr.txt says:\n    Error: no such transport\n"
        "Variables that steer the library: OMPI_MCA_pml=ucx (shell), OMPI_MCA_btl=self,sm (Ictus)"
    )


def test_a_launch_of_another_algorithm_names_them_too(tmp_path: Path) -> None:
    """It ended well, and does not count."""

    def executed(slot: Slot, folder: Path) -> Outcome:
        return replace(
            Simulated(Scenario(ignores_algorithms=True), design.variants)(slot, folder), steering=("A=1 (shell)",)
        )

    variants = variants_of(requests_of(["allreduce=ring"]), {"a": OFFER}, {"a": force_algorithms})
    plan = Plan.from_values({"mpi": "a", "op": "allreduce", "sizes": "8", "launches": 1, "nrep": 20, "seed": 1})
    design = make_design(plan, Registries.load(), [Simulated.installation("a")], variants=variants)
    with pytest.raises(
        MeasurementError, match=r"is not in force: (?s:.*)Variables that steer the library: A=1 \(shell\)"
    ):
        run_campaign(tmp_path / "c", design, executed)
