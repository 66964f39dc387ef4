"""The governor as a factor of real launches, on a folder that looks like the system's."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run_ictus

from ictus.engine import backend
from ictus.mpi import governor

pytestmark = [pytest.mark.mpi, pytest.mark.e2e, pytest.mark.beside]

ONE_CASE = ("-m", "mpich", "--op", "bcast", "--sizes", "8", "-n", "2", "--nrep", "20")
WORDS = (*ONE_CASE, "--launches", "2", "--contention-retries", "0", "--no-page-faults")
BOTH = ("--governor", "performance,powersave")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The governor of the only processors."""
    policy = tmp_path / "cpu/cpufreq/policy0"
    policy.mkdir(parents=True)
    (policy / "scaling_available_governors").write_text("performance powersave schedutil\n")
    (policy / "scaling_governor").write_text("schedutil\n")
    monkeypatch.setattr(governor, "SYSTEM", tmp_path / "cpu")
    return policy / "scaling_governor"


def test_each_launch_has_its_governor(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read while ranks run; Ctrl-C in the third launch sets it back, and the next call measures the rest."""
    seen: list[str] = []
    launch = backend.launch

    def watched(*words: Any) -> Any:
        seen.append(file.read_text())
        if len(seen) == 3:
            raise KeyboardInterrupt
        return launch(*words)

    monkeypatch.setattr(backend, "launch", watched)
    folder = tmp_path / "governors"
    assert run_ictus("run", *WORDS, *BOTH, "-o", folder).code != 0
    assert file.read_text().strip() == "schedutil"
    done = run_ictus("run", "-o", folder)
    assert done.code == 0, done.err
    heads = [json.loads(path.read_text()) for path in sorted((folder / "launches").glob("*/launch.json"))]
    factors = [one["launcher"]["algorithm"]["factors"]["governor"] for one in heads]
    assert factors == [*seen[:2], *seen[3:]]
    assert sorted(factors) == 2 * ["performance"] + 2 * ["powersave"]
    assert file.read_text().strip() == "schedutil"
    shown = run_ictus("compare", folder, "--by", "governor")
    assert (shown.code, "governor=performance / governor=powersave" in shown.out) == (0, True), shown.err


def test_a_machine_without_it_is_told_before_a_launch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As are simulated processors."""
    monkeypatch.setattr(governor, "SYSTEM", tmp_path / "none")
    refused = run_ictus("run", *WORDS, *BOTH, "-o", tmp_path / "refused")
    assert (refused.code, "--governor 'performance': this machine has no governor to set" in refused.err) == (2, True)
    simulated = run_ictus("run", "--launcher", "simulated", *WORDS, *BOTH, "-o", tmp_path / "refused")
    assert (simulated.code, "none can be set of simulated processors" in simulated.err) == (2, True)
    assert not (tmp_path / "refused" / "campaign.json").exists()
