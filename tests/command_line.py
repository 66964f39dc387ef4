"""The command line in this process: a start of Python and its imports takes longer than most commands."""

import contextlib
import io
import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.column_check import undescribed
from tests.docs.pages import inline_commands, refusal

from ictus.cli.main import main


@dataclass(frozen=True)
class Answer:
    """What a command wrote, and its exit code."""

    out: str
    err: str
    code: int


Ictus = Callable[..., Answer]


def printed_commands(answer: Answer) -> list[str]:
    """Every command line that an answer names: the next one, then those in sentences."""
    text = f"{answer.out}\n{answer.err}"
    return [*re.findall(r"^Next: (.*)$", text, re.MULTILINE), *inline_commands(text)]


def unknown_words(answer: Answer) -> list[str]:
    """The command lines that an answer names and the real parser refuses. In a sentence one may lack its folder."""
    refused = [(line, refusal(line)) for line in printed_commands(answer)]
    return [
        f"{line}: {error}"
        for line, error in refused
        if isinstance(error, LookupError)
        or "no option" in str(error)
        or (error is not None and f"Next: {line}" in answer.out)
    ]


def run_ictus(*words: object) -> Answer:
    """Run `ictus` with these words, as from a shell that is not a terminal. Columns of its JSON must be described, and
    commands that it names exist, with their options.
    """
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
    assert unknown_words(answer) == []
    return answer


def succeed(*words: object) -> Answer:
    """Run `ictus` with these words; it must succeed."""
    answer = run_ictus(*words)
    assert answer.code == 0, answer.err
    return answer


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
