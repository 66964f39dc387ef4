"""Steps of Slurm that outlive their run are found by name and ended; those of other folders are left alone.

Slurm is two scripts here: squeue lists what a file says, and scancel takes a line out of it. tests/cluster asks a real
one.
"""

from pathlib import Path

import pytest

from ictus.launch.slurm_steps import end_steps, step_name


@pytest.fixture
def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of running steps."""
    steps = tmp_path / "steps"
    scripts = {
        "squeue": f'[ "$1 $2" = "--steps --noheader" ] && cat {steps}',
        "scancel": f'[ "$1" = "--signal=KILL" ] && sed -i "/^ *$2|/d" {steps}',
    }
    for name, body in scripts.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return steps


def test_the_steps_of_a_folder_are_ended_and_no_others(tmp_path: Path, listed: Path) -> None:
    """By their whole name; what was ended is said."""
    own, other = step_name(tmp_path / "a"), step_name(tmp_path / "b")
    assert own != other
    listed.write_text(f"  7.0|{own}\n7.1|{other}\n7.2|{own}x\n7.3|{own}\n")
    said = end_steps(tmp_path / "a", patience_s=5.0)
    assert said == "steps of Slurm of an earlier run that was killed still ran and were ended: 7.0, 7.3"
    assert listed.read_text() == f"7.1|{other}\n7.2|{own}x\n"
    assert end_steps(tmp_path / "a", patience_s=5.0) is None


def test_a_step_that_does_not_end_is_named(tmp_path: Path, listed: Path) -> None:
    """The next run would be measured beside it."""
    (tmp_path / "scancel").write_text("#!/bin/sh\n")
    listed.write_text(f"7.0|{step_name(tmp_path)}\n")
    said = end_steps(tmp_path, patience_s=0.0)
    assert said is not None
    assert said.endswith("were ended: 7.0; still there: 7.0")


def test_without_slurm_there_is_nothing_to_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No program is started."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert end_steps(tmp_path) is None
