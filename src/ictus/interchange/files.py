"""The files that the user named: which launches are in them, and whose library each is of."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from fnmatch import fnmatchcase
from itertools import permutations
from pathlib import Path

from ictus.interchange.above_titles import with_unlike_titles
from ictus.interchange.decoding import decoded
from ictus.interchange.output_line import OutputText
from ictus.interchange.suite import PrintedLaunch, ReadRequest, Suite
from ictus.model.checksum import PREFIX, checksum
from ictus.model.errors import OptionError, UsageError
from ictus.model.input_file import DOCUMENT_BYTES, file_content
from ictus.model.library import check_label

STANDARD_INPUT = Path("-")
"""The name by which standard input is read."""
_ALIKE = 5
"""Launches with as many cases or more whose output is the same to the letter are one that is there twice."""


@dataclass(frozen=True)
class LabelRule:
    """`mpich`, or `mpich=*mpich*.txt`: which files the label is of."""

    label: str
    pattern: str | None = None

    def holds(self, path: Path) -> bool:
        """Whether a file has the label: by its name, by its path as it was given, or by a folder that it lies in."""
        if self.pattern is None:
            return True
        named = any(fnmatchcase(path_text, self.pattern) for path_text in (path.name, str(path)))
        return named or Path(self.pattern) in path.parents


@dataclass(frozen=True)
class FoundLaunch:
    """One launch of one file, with what is decided about it here."""

    printed: PrintedLaunch
    path: Path
    label: str

    @property
    def seed(self) -> int:
        """A number that identifies the launch: no seed decided it."""
        return identity(f"{self.label} {self.printed.text}")

    @property
    def started(self) -> datetime | None:
        """When it began; None where the file does not say. A time without a zone is taken as one of Greenwich: of the
        files of one import it is the same zone.
        """
        try:
            started = datetime.fromisoformat(self.printed.started)
        except ValueError:
            return None
        return started if started.tzinfo is not None else started.replace(tzinfo=timezone.utc)


def label_rules(texts: Sequence[str]) -> tuple[LabelRule, ...]:
    """Labels as typed. Raises OptionError."""
    rules = []
    for text in texts:
        label, equals, pattern = text.partition("=")
        if equals and not pattern:
            raise OptionError(("label", text, "expected a label, or LABEL=PATTERN such as 'mpich=*mpich*.txt'"))
        rules.append(LabelRule(check_label(label), pattern if equals else None))
    plain = [rule.label for rule in rules if rule.pattern is None]
    if len(plain) > 1:
        first_label, second_label = plain[:2]
        raise OptionError(
            (
                "label",
                second_label,
                f"'{first_label}' is of all files already; say which with a pattern: '{second_label}=*{second_label}*'",
            )
        )
    return tuple(sorted(rules, key=lambda rule: rule.pattern is None))


def found_launches(
    suite: Suite, paths: Sequence[Path], rules: Sequence[LabelRule], request: ReadRequest
) -> tuple[FoundLaunch, ...]:
    """All launches, in the order of the files."""
    if not paths:
        raise UsageError(f"ictus import {suite.name} needs files")
    twice = [path for path, count in Counter(path.resolve() for path in paths).items() if count > 1]
    if twice:
        raise UsageError(f"'{twice[0]}' is given twice: a launch counts once")
    for rule in rules:
        if not any(rule.holds(path) for path in paths):
            raise OptionError(("label", f"{rule.label}={rule.pattern}", "no file has such a name"))
    launches_read = []
    for path in paths:
        text = _text(path)
        launches = with_unlike_titles(suite.read(OutputText(str(path), text), request), text)
        launches_read += [
            FoundLaunch(_located(launch, path), path, _label(suite, launch, path, rules)) for launch in launches
        ]
    return tuple(_marked(launches_read))


def in_turn(launches: Sequence[FoundLaunch]) -> tuple[FoundLaunch, ...]:
    """Launches of several labels in the order in which they were measured, the user's word being that it was in turn:
    by their times where all files have them, else the first of each label, the second of each, and so on.

    UsageError where there is one label, and where the times say that two labels did not run in turn.
    """
    labels = list(dict.fromkeys(launch.label for launch in launches))
    if len(labels) < 2:
        raise UsageError(f"--interleaved: all launches are of {labels[0]}; name the libraries with --label")
    times = {
        label: sorted(
            found_launch.started
            for found_launch in launches
            if found_launch.label == label and found_launch.started is not None
        )
        for label in labels
    }
    for earlier, later in permutations((label for label in labels if times[label]), 2):
        if times[earlier][-1] < times[later][0] and len(times[earlier]) + len(times[later]) > 2:
            ended, began = (f"{at:%Y-%m-%d %H:%M:%S}" for at in (times[earlier][-1], times[later][0]))
            raise UsageError(
                f"--interleaved: the last launch of {earlier} began at {ended}, the first of {later} at {began}; they "
                "were not in turn: leave it out"
            )
    dated = [(launch.started, index) for index, launch in enumerate(launches) if launch.started is not None]
    if len(dated) == len(launches):
        return tuple(launches[index] for _, index in sorted(dated))
    rounds: Counter[str] = Counter()
    numbered = []
    for launch in launches:
        numbered.append((rounds[launch.label], labels.index(launch.label), launch))
        rounds[launch.label] += 1
    return tuple(launch for *_, launch in sorted(numbered, key=lambda entry: entry[:2]))


def _located(launch: PrintedLaunch, path: Path) -> PrintedLaunch:
    """With the file in front of its warnings, which name lines."""
    reason = f"{path.name}, {launch.incomplete}" if launch.incomplete else ""
    return replace(launch, warnings=tuple(f"{path.name}, {text}" for text in launch.warnings), incomplete=reason)


def _text(path: Path) -> str:
    if path == STANDARD_INPUT:
        return decoded(sys.stdin.buffer.read(DOCUMENT_BYTES), str(path))
    if not path.is_file():
        raise UsageError(f"'{path}' {'is not a file' if path.exists() else 'does not exist'}")
    return decoded(file_content(path), str(path))


def _label(suite: Suite, launch: PrintedLaunch, path: Path, rules: Sequence[LabelRule]) -> str:
    """By the first rule that holds, else by the file itself, else the suite's name."""
    label = next((rule.label for rule in rules if rule.holds(path)), None)
    if label is None and rules and launch.label is None:
        patterns = ", ".join(f"{rule.label}={rule.pattern}" for rule in rules)
        raise UsageError(f"'{path}' has none of the labels {patterns}; add another --label, or leave the file out")
    return check_label(label or launch.label or suite.name)


def _marked(launches: Sequence[FoundLaunch]) -> Iterator[FoundLaunch]:
    """With a warning at each launch whose output is that of an earlier one."""
    first: dict[str, FoundLaunch] = {}
    for launch in launches:
        earlier = first.setdefault(launch.printed.text, launch)
        if earlier is launch or len(launch.printed.cases) < _ALIKE:
            yield launch
            continue
        text = (
            f"'{launch.path}', line {launch.printed.line}, is word for word '{earlier.path}', line "
            f"{earlier.printed.line}: one launch counts twice"
        )
        yield replace(launch, printed=replace(launch.printed, warnings=(*launch.printed.warnings, text)))


def identity(text: str) -> int:
    """53 bits of a text, so that every reader of JSON has them whole."""
    return int(checksum(text.encode()).removeprefix(PREFIX), 16) >> 11
