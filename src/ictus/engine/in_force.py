"""Did a launch really use the algorithms that it was told to use? What a library ignores is not to be reported."""

import re
from collections.abc import Iterator
from pathlib import Path

from ictus.model.algorithm import DEFAULT, Variant
from ictus.store.document import read_object
from ictus.store.launch_record import read_launch

_SPOKEN = ("stdout.txt", "stderr.txt")


def not_in_force(folder: Path, variant: Variant) -> str | None:
    """Why a complete launch does not count as one of `variant`; None where nothing speaks against it.

    Four witnesses: the library's control variables as they were in that launch (cvars.json), what it said about
    settings that it does not know, how often it said that an algorithm could not serve a call, and the environment
    that the ranks recorded.
    """
    if variant.name == DEFAULT:
        return None
    found = next(
        (reason for reason in (*_variables(folder, variant), *_words(folder, variant), *_environment(folder, variant))),
        None,
    )
    return None if found is None else f"algorithm '{variant.name}' is not in force: {found}"


def _environment(folder: Path, variant: Variant) -> Iterator[str]:
    """What the ranks recorded of the variables that are a factor; it is not everything that they may have had."""
    recorded = read_object(folder / "launch.json").get("environment") or {}
    for name, wanted in variant.environment.items():
        value = str(recorded.get(name, wanted))
        if value != wanted:
            yield f"variable {name} was {value!r} where {wanted!r} was asked for"


def _variables(folder: Path, variant: Variant) -> Iterator[str]:
    expected = variant.setting.expected
    if not expected:
        return
    if not (folder / "cvars.json").exists():
        yield "the launch did not say which control variables it had (there is no cvars.json)"
        return
    values = {str(name): str(value) for name, value in read_object(folder / "cvars.json").get("cvars", {}).items()}
    for name, wanted in expected.items():
        value = values.get(name)
        if value is None:
            yield f"the library has no control variable {name} in this launch"
        elif value != wanted:
            yield f"control variable {name} was {value!r} where {wanted!r} was asked for"


def _words(folder: Path, variant: Variant) -> Iterator[str]:
    setting = variant.setting
    lines = [line for name in _SPOKEN for line in _text(folder / name).splitlines()]
    for pattern in setting.confirmed:
        if not any(re.search(pattern, line) for line in lines):
            yield f"the library does not say that it read the setting (no line '{pattern}')"
    for pattern in setting.refusals:
        line = next((line for line in lines if re.search(pattern, line)), None)
        if line is not None:
            yield f"the library says '{line.strip()}'"
    for pattern in setting.fallbacks:
        complaints = [line for line in lines if re.search(pattern, line)]
        calls = min(
            (case.attempted + int(case.factors.get("warmup", 0)) for case in read_launch(folder).cases), default=0
        )
        # Control traffic makes a few calls of its own, with other sizes; a case that is not served complains each time.
        if complaints and len(complaints) >= calls:
            yield f"the library says {len(complaints):,} times '{complaints[0].strip()}' and takes another one"


def _text(path: Path) -> str:
    return path.read_text("utf-8", errors="replace") if path.exists() else ""
