"""The command line in this process: a start of Python and its imports takes longer than most commands."""

import contextlib
import io
import json
from collections.abc import Callable
from dataclasses import dataclass

from tests.column_check import undescribed

from ictus.cli.main import main


@dataclass(frozen=True)
class Answer:
    """What a command wrote, and its exit code."""

    out: str
    err: str
    code: int


Ictus = Callable[..., Answer]


def run_ictus(*words: object) -> Answer:
    """Run `ictus` with these words, as from a shell that is not a terminal. Columns of its JSON must be described."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2))
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main([str(word) for word in words])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    answer = Answer(_text(out), _text(err), code)
    if "--json" in words and answer.out.startswith('{\n "schema"'):
        assert undescribed(json.loads(answer.out)) == [], "columns without a meaning in ictus.model.columns"
    return answer


def succeed(*words: object) -> Answer:
    """Run `ictus` with these words; it must succeed."""
    answer = run_ictus(*words)
    assert answer.code == 0, answer.err
    return answer


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
