"""What ranks were doing when their launch was ended explains a time-out, and no other failure."""

import json
from pathlib import Path

from ictus.engine.attempt import failure_of
from ictus.model.job import Outcome

WHAT = "my_bcast of plug-in libmine.so had not returned when the launch was ended"


def reason(folder: Path, *, timed_out: bool) -> str | None:
    """The failure of a launch whose rank 1 was ended in an operation of a plug-in."""
    error = {"rank": 1, "time_s": 1.0, "host": "node", "kind": "ended", "message": WHAT}
    (folder / "error.1.json").write_text(json.dumps(error), "utf-8")
    (folder / "stderr.txt").write_text("rank 0 ran out of memory\n", "utf-8")
    exit_code = None if timed_out else 9
    return failure_of(Outcome(("mpiexec",), {}, exit_code, 2.0, timed_out=timed_out), folder, 20.0)


def test_what_hung_is_named(tmp_path: Path) -> None:
    """Beside the limit that it reached."""
    expected = f"did not end within 20 s (option timeout) and was ended; rank 1 on node: {WHAT}"
    assert reason(tmp_path, timed_out=True) == expected


def test_another_failure_is_not_blamed_on_what_it_ended(tmp_path: Path) -> None:
    """The launcher ends all ranks after the failure of one."""
    failure = reason(tmp_path, timed_out=False)
    assert failure is not None
    assert WHAT not in failure
    assert "exit code 9" in failure
    assert "rank 0 ran out of memory" in failure
