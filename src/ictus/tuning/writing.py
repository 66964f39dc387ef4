"""Writes the files of confirmed remedies into FOLDER/remedy, and the command that checks again with them."""

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ictus.guidelines.check.request import REDUCTION
from ictus.guidelines.judgement import Options
from ictus.guidelines.rule import Rule, Source
from ictus.model import redirect_variables
from ictus.model.algorithm import Setting
from ictus.model.environment import UNSET, common
from ictus.model.plan import Plan
from ictus.model.quantity import format_size, size_text
from ictus.model.registries import Registries
from ictus.mpi.tuning_files import TuningFiles
from ictus.render.output import command
from ictus.store.check import read_check
from ictus.store.durable import write_atomically
from ictus.tuning.candidates import Way
from ictus.tuning.confirming import ConfirmedRemedies
from ictus.tuning.drafts import PROFILE, SCRIPT, VARIABLES, TuningLibrary, save
from ictus.tuning.outcome import Confirmation, Result, WrittenRemedy
from ictus.tuning.session import TuningSession

REMEDY, USER = "remedy", "guidelines.toml"
ENVIRONMENT = "in your environment"
"""In the place of a file, where the user changes a variable."""


@dataclass(frozen=True)
class Written:
    """What was written, and how it is used."""

    files: tuple[WrittenRemedy, ...]
    recheck: tuple[str, ...]
    """Commands."""
    warnings: tuple[str, ...]
    settings: Mapping[str, Setting]
    """By label: what puts the files of a library in force in a launch."""


def write_all(
    session: TuningSession,
    libraries: Mapping[str, TuningLibrary],
    confirmed: Mapping[str, ConfirmedRemedies],
    rules: tuple[Rule, ...],
) -> Written:
    """Write the confirmed remedies and nothing else. The remedies of an earlier run are only replaced, as a whole, by
    confirmed ones of this run.
    """
    files: list[WrittenRemedy] = []
    settings: dict[str, Setting] = {}
    recheck: list[str] = []
    warnings: list[str] = []
    for label, remedies in confirmed.items():
        good = [result for result in remedies.results if result.result is Result.CONFIRMED]
        in_force = [result for result in good if libraries[label].in_force(result.remedy)]
        folder = session.folder / REMEDY / label
        if in_force:
            _swap(folder, remedies.written)
            files += _used(folder, libraries[label], remedies.written)
            settings[label] = remedies.written.setting(str(folder.absolute()))
            recheck.append(_recheck(session, folder, remedies.written, in_force, rules))
        elif folder.exists():
            warnings.append(f"{folder} is of an earlier run: this run confirms nothing")
        files += [
            WrittenRemedy("in the program", _by_hand(result)) for result in good if result not in in_force
        ]  # fmt: skip
    return Written(tuple(files), tuple(recheck), tuple(warnings), settings)


def _swap(folder: Path, written: TuningFiles) -> None:
    """The files in the place of those that are there, which are removed when the new ones are complete."""
    fresh, old = (folder.with_name(f"{folder.name}.{word}") for word in ("new", "old"))
    for path in (fresh, old):
        shutil.rmtree(path, ignore_errors=True)
    fresh.mkdir(parents=True)
    save(fresh, written, named=folder)
    if folder.exists():
        folder.rename(old)
    fresh.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _used(folder: Path, library: TuningLibrary, written: TuningFiles) -> Iterator[WrittenRemedy]:
    """The files, and how each is used; first what the user changes in the environment."""
    setting = written.setting(str(folder.absolute()))
    changed = [
        variable
        for variable in library.forced
        if setting.environment.get(variable.name, variable.value) != variable.value
    ]
    if changed:
        yield WrittenRemedy(
            ENVIRONMENT, "; ".join(variable.change_to(setting.environment[variable.name]) for variable in changed)
        )
    for name in written.files:
        if name == PROFILE:
            use = command("exec", "--redirect", folder / name, "-m", library.label, "--", "PROGRAM")
            yield WrittenRemedy(str(folder / name), f"`{use}`")
        elif name == SCRIPT:
            yield WrittenRemedy(str(folder / name), f"`. {folder / name}` does this in your shell, before the launch")
        elif name == VARIABLES:
            settings = {
                key: value for key, value in setting.environment.items() if key not in _REDIRECT and value != UNSET
            }
            variables = " ".join(f"{key}={value}" for key, value in sorted(settings.items()))
            yield WrittenRemedy(str(folder / name), f"variables for the launcher and its ranks: {variables}")
        elif not written.options:
            yield WrittenRemedy(str(folder / name), "read by the library, through the variables of remedy.env")
    if written.options:
        yield WrittenRemedy(str(folder), f"words for the launcher: {' '.join(written.options)}")


_REDIRECT = ("LD_PRELOAD", redirect_variables.PROFILE)
"""Variables of the ranks alone, which `ictus exec --redirect` sets."""


def _by_hand(confirmation: Confirmation) -> str:
    """The remedies that only the program's author can apply."""
    cell, candidate = confirmation.remedy.cell, confirmation.remedy.candidate
    return (
        f"{cell.operation} of {format_size(cell.size_bytes)} ({cell.place.library}, n={cell.place.n}): call "
        f"{candidate.name} instead"
    )


def _recheck(
    session: TuningSession, folder: Path, written: TuningFiles, good: list[Confirmation], rules: tuple[Rule, ...]
) -> str:
    """`ictus check` with the remedy in force, in a folder of its own, for all guidelines of the check."""
    record, label = read_check(session.check), folder.name
    plan = record.plan
    names = ",".join(dict.fromkeys(rule.name for rule in rules))
    which = next((str(library) for library in plan.libraries if library.label == label), label)
    words: list[object] = ["-m", which, "-n", ",".join(map(str, plan.processes)), "--guidelines", names]
    user_rules = [rule for rule in rules if rule.source is Source.USER]
    if user_rules:
        # those of a plan file too, and as they were then
        path = session.folder / USER
        write_atomically(path, "".join(map(_table, user_rules)).encode())
        words += ["--user", path]
    usually = vars(Options())
    for name in ("test", "tolerance"):
        value = record.options.get(name, usually[name])
        words += [f"--{name}", value] if value != usually[name] else []
    words += [word for name in REDUCTION if name in record.options for word in (f"--{name}", record.options[name])]
    words += ["--sizes", ",".join(map(size_text, plan.sizes)), "--launches", plan.launches, "--nrep", session.nrep]
    default_plan = Plan().checked(Registries.load())
    for name in _DECIDE:
        value = getattr(plan, name)
        if value is not None and value != getattr(default_plan, name):
            text = ",".join(map(str, value)) if isinstance(value, tuple) else value
            words += [f"--{name.replace('_', '-')}", text]
    words += [] if plan.pin == default_plan.pin else ["--pin", ",".join(plan.pin)]
    words += [word for text in plan.launcher_options for word in ("--launcher-options", text)]
    words += [word for text in plan.core_flags for word in ("--core-flags", text)]
    setting = written.setting(str(folder.absolute()))
    variables = dict(common(plan.environment))
    if session.forces_by_name(label):
        words += [word for text in _by_name(good) for word in ("--algorithm", text)]
        variables |= {name: value for name, value in setting.environment.items() if name in _REDIRECT or value == UNSET}
    else:
        variables |= setting.environment
    words += [word for key, value in sorted(variables.items()) for word in ("--env", f"{key}={value}")]
    return command("check", *words, "-o", session.folder / f"recheck-{label}")


def _table(rule: Rule) -> str:
    """A guideline of the user, as a file of guidelines has it."""
    fields = {"name": rule.name, "left": str(rule.left), "right": str(rule.right), "layout": str(rule.layout)}
    fields |= {} if rule.other_layout is None else {"right_layout": str(rule.other_layout)}
    return "[[guideline]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items())


_DECIDE = (
    "datatype", "operator", "clock", "clock_domain", "clocksync", "platform", "size_is", "scheme", "warmup", "root",
    "procsync", "cache", "adjust", "level",
)  # fmt: skip
"""Fields of a plan that are options of `ictus check` and decide what is measured, or how it is judged."""


def _by_name(good: list[Confirmation]) -> list[str]:
    """`gather=binomial`, where a library takes an algorithm for all sizes."""
    chosen = {
        result.remedy.cell.operation: result.remedy.candidate.variant
        for result in good
        if result.remedy.candidate.way is Way.ALGORITHM
    }
    return list(chosen.values())
