"""What the folder of an advice holds is read before anything is built."""

from pathlib import Path

import pytest

from ictus.advice import study
from ictus.advice.request import AdviseOptions, AdviseRecord
from ictus.engine.event import log
from ictus.model.errors import IctusError

FOREIGN = "notes.txt"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        (AdviseRecord.FILE, '{"broken', r"advise\.json is no JSON"),
        (AdviseRecord.FILE, "{}", r"advise\.json: 'format' is None, expected 1"),
        (FOREIGN, "", "is not empty, and holds no advice"),
    ],
)
def test_a_folder_that_holds_no_advice_is_refused_before_a_library_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: str, reason: str
) -> None:
    """It was compiled for a minute before."""
    (tmp_path / name).write_text(content)
    monkeypatch.setattr(study, "prepare_library", lambda *_: pytest.fail("it builds"))
    with pytest.raises(IctusError, match=reason):
        study.run_advice(("/bin/true",), tmp_path, AdviseOptions(), log)
    assert [one.name for one in tmp_path.iterdir()] == [name]
