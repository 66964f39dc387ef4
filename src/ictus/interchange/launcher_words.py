"""The words of a start command that change what is measured: how processes are placed, and what connects them."""

import re
from collections.abc import Sequence

from ictus.interchange.operations import header_fact, word

COUNTS = ("-n", "-np", "--np", "--n", "--ntasks")
EXACT_COUNT = re.compile(r"(?:-n|-np|--np|--n|--ntasks)=?(\d+)")
"""The number of processes, in one word."""
_NAMES_NO_PLACE = (
    "H", "host", "hosts", "hostfile", "machinefile", "f", "w", "nodelist", "output-filename", "o", "output", "e",
    "error", "i", "input", "J", "job-name", "A", "account", "t", "time", "wdir", "chdir", "D", "jobid",
    "path", "prefix",
)  # fmt: skip
"""Options whose value is another in each launch, and changes no number."""
_SAYS_NOTHING = (
    "l", "label", "label-io", "prepend-rank", "tag-output", "timestamp-output", "allow-run-as-root", "v", "verbose",
    "u", "unbuffered", "report-bindings", "display-map", "display-allocation", "q", "quiet", "K", "kill-on-bad-exit",
)  # fmt: skip
"""Options without a value that change no number."""


def placing(parts: Sequence[Sequence[str]]) -> str:
    """The words that change what is measured, as a value of the grammar of names; without paths, which say where a
    library is, without hosts, and without the number of processes.
    """
    kept: list[str] = []
    for words in parts:
        skips = False
        for text in words:
            name = text.lstrip("-").partition("=")[0]
            if text.startswith("-"):
                alone = name in _SAYS_NOTHING
                count = text.partition("=")[0] in COUNTS or EXACT_COUNT.fullmatch(text) is not None
                skips = (name in _NAMES_NO_PLACE or text in COUNTS) and "=" not in text
                if alone or count or name in _NAMES_NO_PLACE:
                    continue
            elif skips:
                skips = False
                continue
            if "/" not in text:
                kept.append(text.lstrip("-"))
    return header_fact([word(kept_word) for kept_word in kept]) if kept else ""
