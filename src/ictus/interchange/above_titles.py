"""What a script says above the output of a program: `== device buffers ==`, `export UCX_TLS=tcp`, `# np=8`.

No suite prints it, so that nobody knows what it means. Where such lines are unlike above launches of one case, a
warning shows them: the user knows whether these are launches of one case. Commands, which are read, what ends the
output of an earlier launch, and words of libraries are none of them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ictus.interchange.failure_words import quoted, says_failure
from ictus.interchange.output_line import OutputLine, OutputText
from ictus.interchange.row_form import begins_like_row
from ictus.interchange.start_command import start_command
from ictus.interchange.suite import PrintedLaunch

_LINES = 3
"""Lines above a title that are looked at."""
_MOMENT = re.compile(r"\b\d{1,2}:\d\d:\d\d\b|\b\d{4}-\d\d-\d\d\b")
_OF_OTHERS = re.compile(r"\bwarn(?:ing)?\b|\binfo\b|<warn>|^\[|^#?[-=]*$|^(?:real|user|sys)\s", re.IGNORECASE)
_COMMENTS_OF = "OSU"
"""The suite whose output does not end with comments of its own."""
_SIZES = re.compile(
    r"\b(?:n|np|nprocs?|ranks?|process(?:es)?|procs?|nodes?|ppn|threads?|tasks?|cores?|gpus?)\b", re.IGNORECASE
)
"""Words beside which a number is more than the number of a run."""


def with_unlike_titles(launches: Sequence[PrintedLaunch], text: str) -> list[PrintedLaunch]:
    """The launches of a file, with a warning at the first whose lines above its title are unlike those of an earlier
    launch of the same case.
    """
    lines = OutputText("", text).lines
    first: dict[tuple[object, ...], tuple[PrintedLaunch, str]] = {}
    told: set[tuple[object, ...]] = set()
    warned = []
    for launch in launches:
        key = (launch.n, launch.label, launch.started_with, *(case.key for case in launch.cases))
        above = _above(lines[: launch.line - 1], comments=launch.program.startswith(_COMMENTS_OF))
        earlier, first_words = first.setdefault(key, (launch, above))
        if key in told or not above or not first_words or _plain(above) == _plain(first_words):
            warned.append(launch)
            continue
        told.add(key)
        warning = (
            f"lines {earlier.line} and {launch.line}: above these launches of one case stands '{quoted(first_words)}' "
            f"and '{quoted(above)}'; import them apart, or with labels, if they were not measured alike"
        )
        warned.append(replace(launch, warnings=(*launch.warnings, warning)))
    return warned


def _above(lines: Sequence[OutputLine], *, comments: bool) -> str:
    """The words of a script at the end of some lines."""
    return " / ".join(reversed(list(_upwards(lines, comments=comments))))


def _upwards(lines: Sequence[OutputLine], *, comments: bool) -> Iterator[str]:
    n_lines = 0
    for line in reversed(lines):
        text = line.text.strip()
        if begins_like_row(text) or (line.is_comment and not comments) or n_lines == _LINES:
            return
        of_others = _MOMENT.search(text) or _OF_OTHERS.search(text) or says_failure(text) or start_command(line)
        if text and not of_others:
            n_lines += 1
            yield text


def _plain(text: str) -> str:
    """Without the number of a run, which is another one in each."""
    return text if _SIZES.search(text) else re.sub(r"\d+", "#", text)
