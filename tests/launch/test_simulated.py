"""The simulated launcher: exact, seeded, and as documented."""

from pathlib import Path

import numpy as np
import pytest
from tests.launch_document import launch_document

from ictus.launch.launchers.scenario import Scenario
from ictus.launch.launchers.simulated import Simulated
from ictus.launch.launchers.simulated_record import normal
from ictus.model import redirect_variables
from ictus.model.errors import UsageError
from ictus.model.job import Job, Outcome

ARGUMENTS = """\
launch ranks=2 seed={seed} clock=tsc clocksync={clocksync} validate=on raw=off block-time=5s output={output}
case id=0 op=alltoall size=8 datatype=double operator=sum root=0 procsync=window scheme=per-call \
repetition=fixed(100) cache=warm warmup=20
case id=1 op=barrier size=0 datatype=double operator=sum root=0 procsync=barrier scheme=per-call \
repetition=fixed(100) cache=warm warmup=20
"""


def launch(folder: Path, scenario: Scenario, *, seed: int = 1, clocksync: str = "hca3") -> tuple[Outcome, Path]:
    """One launch of library `slow` in slot 3."""
    output = folder / "0003-slow.partial"
    output.mkdir(parents=True)
    (output / "arguments.txt").write_text(ARGUMENTS.format(seed=seed, clocksync=clocksync, output=output))
    job = Job(2, ("ictus-bench", "--plan", str(output / "arguments.txt")), output, timeout_s=60.0)
    return Simulated(scenario).run(job), output


def test_every_sample_is_exactly_the_latency_of_the_scenario(tmp_path: Path) -> None:
    """8 B over two ranks are two blocks of a double: 16 B at 1 GB/s behind 1 us, twice as slow under this library."""
    outcome, folder = launch(tmp_path, Scenario(factors={"slow": 2.0}))
    samples = np.load(folder / "samples.npy")
    first = samples[samples["case_id"] == 0]
    assert outcome.exit_code == 0
    assert first["makespan"] == pytest.approx(np.full(100, 2 * (1e-6 + 16e-9)), rel=1e-15)
    assert samples[samples["case_id"] == 1]["makespan"] == pytest.approx(np.full(100, 2e-6), rel=1e-15)
    case = launch_document(folder)["cases"][0]
    assert (case["size_bytes"], case["block_bytes"], case["moved_bytes"], case["count"]) == (8, 8, 16, 1)


def test_a_profile_makes_a_call_its_mock_up_and_the_decision_costs(tmp_path: Path) -> None:
    """As libictus-redirect.so does, for the ranks and the volume of the line; another line changes nothing."""
    scenario = Scenario(operation_factors={"alltoall": 3.0, "other": 2.0}, redirect_s=1e-7)
    for line, expected_s in (("2 16 16", 2 * 1.016e-6 + 1e-7), ("2 1 15", 3 * 1.016e-6), ("4 16 16", 3 * 1.016e-6)):
        name = line.replace(" ", "-")
        profile = tmp_path / f"{name}.txt"
        profile.write_text(f"ictus-redirect 1\nalltoall {line} other why\n")
        output = launch(tmp_path / name, scenario)[1]
        words = ("ictus-bench", "--plan", str(output / "arguments.txt"))
        job = Job(2, words, output, 60.0, {redirect_variables.PROFILE: str(profile)})
        assert Simulated(scenario).run(job).exit_code == 0
        samples = np.load(output / "samples.npy")
        assert samples[samples["case_id"] == 0]["makespan"] == pytest.approx(np.full(100, expected_s), rel=1e-12)


def test_noise_has_the_stated_spread_and_depends_on_the_seed_alone(tmp_path: Path) -> None:
    """Equal seeds give equal files; other seeds other numbers."""
    scenario = Scenario(noise=0.1, launch_spread=0.3)
    one, again, other = (
        np.load(launch(tmp_path / name, scenario, seed=seed)[1] / "samples.npy")
        for name, seed in (("one", 5), ("again", 5), ("other", 6))
    )
    assert np.array_equal(one, again)
    assert not np.array_equal(one["makespan"], other["makespan"])
    assert np.std(np.log(one["makespan"][:100])) == pytest.approx(0.1, rel=0.3)


def test_late_repetitions_are_topped_up(tmp_path: Path) -> None:
    """As the core does: 100 valid ones, and a fifth of all is late, spread evenly."""
    flags = np.load(launch(tmp_path, Scenario(late_share=0.2))[1] / "samples.npy")["flags"][:125]
    assert np.bincount(flags).tolist() == [100, 25]
    assert [np.count_nonzero(part) for part in np.split(flags, 5)] == [5] * 5


def test_without_synchronisation_there_is_no_makespan(tmp_path: Path) -> None:
    """NaN, and the headline is local."""
    _, folder = launch(tmp_path, Scenario(), clocksync="none")
    assert np.isnan(np.load(folder / "samples.npy")["makespan"]).all()
    assert launch_document(folder)["cases"][0]["headline"] == "local_max"


def test_a_scenario_is_read_from_json_strictly() -> None:
    """Unknown fields and faults are named."""
    assert Scenario.from_json('{"noise": 0.5, "faults": {"2": ["", "fail"]}}').faults == {2: ("", "fail")}
    with pytest.raises(UsageError, match="unknown field 'noize'"):
        Scenario.from_json('{"noize": 1}')
    with pytest.raises(UsageError, match=r"scenario: 'startup_s' is \{'startup_s': 1\}, expected a valid number"):
        Scenario.from_json('{"startup_s": {"startup_s": 1}}')
    with pytest.raises(UsageError, match=r"scenario: 'factors.mpich' is \[\], expected a valid number"):
        Scenario.from_json('{"factors": {"mpich": []}}')
    with pytest.raises(UsageError, match="unknown fault 'explode'"):
        Scenario.from_json('{"faults": {"0": ["explode"]}}')
    for text in ("{", "[1]", ""):
        with pytest.raises(UsageError, match="scenario: no JSON object"):
            Scenario.from_json(text)


def test_its_normal_numbers_are_normal() -> None:
    """Mean 0, variance 1, and the share beyond two standard deviations, within five standard errors of 10^6."""
    values = normal(1_000_000, seed=4)
    assert abs(values.mean()) < 5e-3
    assert abs(values.var() - 1) < 5 * 2**0.5 * 1e-3
    assert abs(np.mean(np.abs(values) > 2) - 0.0455) < 5 * (0.0455 / 1e6) ** 0.5
