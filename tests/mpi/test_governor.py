"""The governor of processors: set for a launch and set back, on a folder that looks like the system's."""

import os
from pathlib import Path

import pytest

from ictus.model.errors import MeasurementError, OptionError
from ictus.mpi import governor
from ictus.mpi.governor import check_governors, governor_set


@pytest.fixture
def system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two sets of processors; they had different governors before."""
    for number, own in enumerate(("schedutil", "powersave")):
        policy = tmp_path / f"cpu/cpufreq/policy{number}"
        policy.mkdir(parents=True)
        (policy / "scaling_governor").write_text(f"{own}\n")
        (policy / "scaling_available_governors").write_text("performance powersave schedutil \n")
    monkeypatch.setattr(governor, "SYSTEM", tmp_path / "cpu")
    return tmp_path / "cpu"


def found(system: Path) -> list[str]:
    """What each set of processors has."""
    return [file.read_text().strip() for file in sorted(system.glob("cpufreq/policy*/scaling_governor"))]


def test_every_processor_has_it_inside_and_its_own_again_afterwards(system: Path) -> None:
    """Each gets back what it had, which differed."""
    with governor_set("performance"):
        assert found(system) == ["performance", "performance"]
    assert found(system) == ["schedutil", "powersave"]
    with governor_set(""):
        assert found(system) == ["schedutil", "powersave"]


@pytest.mark.parametrize("ended", [KeyboardInterrupt, MeasurementError("failed")])
def test_it_is_set_back_whatever_ends_the_launch(system: Path, ended: BaseException | type[BaseException]) -> None:
    """Ctrl-C too."""
    with pytest.raises((KeyboardInterrupt, MeasurementError)), governor_set("performance"):
        raise ended
    assert found(system) == ["schedutil", "powersave"]


def test_what_was_set_already_is_set_back_where_the_rest_cannot_be(
    system: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel refuses the second processor."""
    write = Path.write_text

    def refusing(path: Path, text: str) -> int:
        if "policy1" in str(path) and text == "performance":
            raise OSError(16, "Device or resource busy")
        return write(path, text)

    monkeypatch.setattr(Path, "write_text", refusing)
    with pytest.raises(MeasurementError, match=r"governor 'performance': .*policy1.*busy"), governor_set("performance"):
        raise AssertionError("no launch with half of the processors")
    assert found(system) == ["schedutil", "powersave"]


def test_a_kernel_that_takes_another_is_found(system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read back counts, not that writing succeeded."""
    write = Path.write_text
    monkeypatch.setattr(Path, "write_text", lambda path, text: write(path, text.replace("performance", "powersave")))
    with pytest.raises(MeasurementError, match="has 'powersave' after it was set"), governor_set("performance"):
        raise AssertionError("no launch under another governor")
    monkeypatch.undo()
    assert found(system)


def test_what_cannot_be_set_is_said_before_a_launch(system: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No governor of that name, no right to write it, no cpufreq at all: each by its reason."""
    check_governors(("performance", "powersave"))
    with pytest.raises(OptionError, match=r"policy0 has no such governor; it has performance, powersave, schedutil"):
        check_governors(("performance", "ondemand"))
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: "policy1" not in str(path) and access(path, mode))
    with pytest.raises(OptionError, match=r"policy1/scaling_governor cannot be written by this user"):
        check_governors(("performance",))
    monkeypatch.setattr(governor, "SYSTEM", system / "none")
    with pytest.raises(OptionError) as refused:
        check_governors(("performance",))
    assert "--governor 'performance': this machine has no governor to set: " in refused.value.command_line_text
