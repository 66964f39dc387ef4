"""The request of `ictus check`: options override a plan file, which overrides defaults; or a folder's check."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ictus.comparison.options import parse_share
from ictus.engine.event import Observer, ignore
from ictus.engine.extension import check_growth
from ictus.engine.folder import refuse_other
from ictus.engine.plugins import with_plugins
from ictus.guidelines.catalogue import catalogue, select
from ictus.guidelines.check.analysis import rules_of
from ictus.guidelines.judgement import Options, make_options
from ictus.guidelines.rule import Kind, Rule, Source
from ictus.guidelines.user import TABLE, user_rules
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.model.availability import named
from ictus.model.call import BASIC
from ictus.model.errors import OptionError, UsageError
from ictus.model.plan import Plan
from ictus.model.plan_field import shown
from ictus.model.registries import Registries
from ictus.model.spec import Spec, parse_operation, split_list
from ictus.model.toml import read_toml
from ictus.render.output import command
from ictus.store.check import CheckRecord, is_check, read_check

USUAL = {"sizes": "paper", "launches": 20, "datatype": "byte", "nrep": "auto"}
"""The defaults of a check: the paper's sizes and bytes, reduced by bitwise or."""
PAPER, USER = "paper", "user"
SINGLE = "GL1,GL2"
"""The guidelines of one call, which `op` names operations for; those of the paper's whose left side is one of them are
checked too.
"""
REDUCTION = ("metric", "summary", "outliers")
"""Options by which a launch becomes one number."""
OWN = ("op", "guidelines", "user", "test", "tolerance", *REDUCTION, TABLE)
"""Keys of a plan file that are no fields of a campaign's plan, or have another meaning."""
RECORDED = ("op", "user")
"""Options that belong to what is measured: they may not differ on a folder."""
OF_SUBSETS = ("sizes", "layout")
"""Fields that the subsets of a measured plan have in another form: they are recorded as they were asked for."""
_ONE_AT_A_TIME = (
    "nodes",
    "ppn",
    "map_by",
    "procsync",
    "cache",
    "counts",
    "comm",
    "root",
    "in_place",
    "layout",
    "clock",
    "clocksync",
)


@dataclass(frozen=True)
class CheckRequest:
    """A new check, or one to continue."""

    folder: Path
    plan: Plan
    rules: tuple[Rule, ...]
    """The selected rules; empty for an existing check, whose record has them."""
    options: Mapping[str, Any]
    """`test`, `tolerance`, and the words of the choice."""
    record: CheckRecord | None
    """The record of an existing check."""
    shown_rules: tuple[Rule, ...] = ()
    """The rules to show of an existing check; empty: all."""
    typed: frozenset[str] = frozenset()
    """Keys of the plan that were given with this call."""


def parse_check(
    target: Path | None,
    out: Path | None,
    own_options: Mapping[str, Any],
    plan_values: Mapping[str, Any],
    *,
    launcher: str = Mpiexec.name,
    observer: Observer = ignore,
) -> CheckRequest:
    """Understand `ictus check [PLAN.toml | FOLDER] [-o FOLDER] [options]`; None in `own_options` and `plan_values`: not
    given. Plug-ins are asked for their operations, which guidelines may name.

    Raises UsageError.
    """
    existing, file = (target, None) if target is not None and target.is_dir() else (None, target)
    if existing is not None and out is not None and existing.resolve() != out.resolve():
        raise UsageError(f"two folders, '{existing}' and -o '{out}': name one")
    folder = existing or out or _new_folder(file)
    options = {key: value for key, value in own_options.items() if value is not None}
    fields = {key: value for key, value in plan_values.items() if value is not None}
    if is_check(folder):
        return _continued(folder, file, options, fields, lambda plan: with_plugins(plan, launcher, observer))
    if existing is not None:
        beside = existing.with_name(f"{existing.resolve().name}-check")
        raise UsageError(
            f"'{existing}' is not a check of guidelines; `{command('check', '-o', beside)}` begins one in a new folder"
        )
    in_file, tables = _of_file(file)
    options = {key: value for key, value in in_file.items() if key in OWN} | options
    fields = USUAL | {key: value for key, value in in_file.items() if key not in OWN} | fields
    plan = with_plugins(Plan.from_values(fields).seeded(), launcher, observer)
    _check_plan(plan)
    judging(options)
    return CheckRequest(folder, plan, _laid_out(_chosen(options, tables, file), plan), options, None)


def judging(options: Mapping[str, Any]) -> dict[str, Any]:
    """`test`, `tolerance` and what is given of the reduction as they are recorded, checked."""
    tolerance = options.get("tolerance", Options.tolerance)
    share = parse_share("--tolerance", tolerance, zero=True) if isinstance(tolerance, str) else float(tolerance)
    reduction: dict[str, Any] = {key: str(options[key]) for key in REDUCTION if key in options}
    judged = make_options(test=options.get("test", Options.test), tolerance=share, **reduction)
    return {"test": judged.test, "tolerance": judged.tolerance, **reduction}


def _new_folder(file: Path | None) -> Path:
    dated = f"check-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}"
    return Path(dated if file is None or file.stem == file.name else file.stem)


def _of_file(file: Path | None) -> tuple[dict[str, Any], list[Any] | None]:
    """The fields of a plan file, checked, and its own guidelines."""
    if file is None:
        return {}, None
    values = read_toml(file)
    tables = values.pop(TABLE, None)
    Plan.from_values({key: value for key, value in values.items() if key not in OWN}, source=f"plan '{file}'")
    if "subset" in values:
        raise UsageError(f"plan '{file}', subset: guidelines say which operations are measured; leave it out")
    for key in ("op", "guidelines"):
        if isinstance(values.get(key), list):
            values[key] = ",".join(map(str, values[key]))
    return values, tables


def _chosen(options: Mapping[str, Any], tables: list[Any] | None, file: Path | None) -> tuple[Rule, ...]:
    """The guidelines by the words of --guidelines: of the catalogue, of --user, and of the plan file itself."""
    rules = _user_rules(options, tables, file)
    registries = Registries.load()
    op = options.get("op")
    selectable = (
        *(catalogue(registries) if op is None else catalogue(registries, _operations(op, registries))),
        *rules,
    )
    default = PAPER if op is None else SINGLE
    words = options.get("guidelines", f"{default},{USER}" if rules else default)
    try:
        chosen = select(selectable, split_list(words))
    except UsageError as error:
        raise UsageError(
            f"--guidelines '{words}': {error}" if "--guidelines" not in str(error) else str(error)
        ) from error
    if op is not None and "guidelines" not in options:
        requested_names = {operation.name for operation in _operations(op, registries)}
        chosen = (*chosen, *(rule for rule in selectable if _is_of_paper(rule, requested_names)))
    if op is not None and all(rule.kind is Kind.PATTERN for rule in chosen):
        raise UsageError(
            f"--op {op}: GL1 and GL2 are checked of these operations, and --guidelines {words} has neither; name one, "
            "or leave --op out"
        )
    return chosen


def _is_of_paper(rule: Rule, operations: Collection[str]) -> bool:
    """Whether the paper says that one of these operations is not slower than other calls."""
    return rule.source is Source.PAPER and rule.kind is Kind.PATTERN and rule.left.name in operations


def _laid_out(rules: Sequence[Rule], plan: Plan) -> tuple[Rule, ...]:
    """The rules, with the layout of the plan where they have none of their own."""
    registries = Registries.load()
    layout = registries.check("layout", plan.layout[0])
    return tuple(
        replace(rule, layout=layout)
        if rule.layout == BASIC and registries.operation(rule.left).volume != "none"
        else rule
        for rule in rules
    )


def _operations(words: str, registries: Registries) -> tuple[Spec, ...]:
    """The operations that `op` names for GL1 and GL2, in full form; `all` for every call of MPI."""
    try:
        specs = tuple(parse_operation(word) for word in split_list(words))
    except UsageError as error:
        raise OptionError(("op", words, str(error))) from error
    return tuple(dict.fromkeys(registries.check("operation", spec) for spec in named(specs, registries)))


def _user_rules(options: Mapping[str, Any], tables: list[Any] | None, file: Path | None) -> tuple[Rule, ...]:
    """The user's guidelines: of the plan file itself, and of --user."""
    registries = Registries.load()
    built_in = taken = catalogue(registries)
    if tables is not None:
        taken += user_rules({TABLE: tables}, registries, taken, f"plan '{file}'")
    if options.get("user") is not None:
        path = Path(options["user"])
        taken += user_rules(read_toml(path, "--user"), registries, taken, str(path))
    return taken[len(built_in) :]


def _check_unchanged(folder: Path, record: CheckRecord, rules: Sequence[Rule]) -> None:
    """UsageError where a user's guideline differs from the one that the check started with."""
    recorded = {rule.name: rule for rule in rules_of(record) if rule.source is Source.USER}
    for rule in rules:
        if rule.name in recorded and recorded[rule.name] != rule:
            raise UsageError(
                f"guideline '{rule.name}' is {rule.text} now, and '{folder}' holds a check of "
                f"{recorded[rule.name].text}: give another -o"
            )


def _shown(folder: Path, record: CheckRecord, words: str | None) -> tuple[Rule, ...]:
    """The guidelines that --guidelines selects for display; empty where it names all of the check's."""
    if words is None or words == record.options.get("guidelines"):
        return ()
    rules = rules_of(record)
    try:
        return select(rules, split_list(words))
    except UsageError as error:
        has = ", ".join(dict.fromkeys(rule.name for rule in rules))
        raise UsageError(f"--guidelines {words}: '{folder}' holds a check of {has}; others need another -o") from error


def _continued(
    folder: Path,
    file: Path | None,
    options: Mapping[str, Any],
    fields: Mapping[str, Any],
    describe: Callable[[Plan], Plan],
) -> CheckRequest:
    """The check in the folder, with the given options laid over its plan so that differences are found. Only plug-ins
    that this user names now are asked: others wait for `check_trusted`.
    """
    record = read_check(folder)
    in_file, tables = _of_file(file)
    requested = {key: value for key, value in in_file.items() if key in OWN} | dict(options)
    for key in RECORDED:
        if key in requested and str(requested[key]) != record.options.get(key):
            recorded = record.options.get(key) or "none"
            raise UsageError(f"--{key} {requested[key]}: '{folder}' holds a check with {recorded}; give another -o")
    _check_unchanged(folder, record, _user_rules(requested, tables, file))
    shown_rules = _shown(folder, record, requested.get("guidelines"))
    base = record.plan.values()
    laid = {key: value for key, value in in_file.items() if key not in OWN} | dict(fields)
    if "nrep" in laid:
        base["repetition"] = "fixed"
    elif "repetition" in laid:
        base["nrep"] = None
    typed = frozenset(laid)
    other_lines = _other_subsets(record, laid)
    plan = Plan.from_values({**base, **laid})
    plan = describe(plan) if "plugin" in laid else plan
    _check_plan(plan)
    differences = record.plan.checked(Registries.load()).differences(plan.checked(Registries.load()))
    may_differ = ("level", "adjust", *(("launches",) if plan.launches > record.plan.launches else ()))
    differences = tuple(line for line in differences if not line.startswith(tuple(f"{name}:" for name in may_differ)))
    refuse_other(folder, "check", [f"{line} asked for" for line in (*other_lines, *differences)])
    grown = record.plan.model_copy(update={"launches": plan.launches})
    if grown.launches > record.plan.launches:
        check_growth(folder, grown)
    return CheckRequest(folder, grown, (), requested, record.model_copy(update={"plan": grown}), shown_rules, typed)


def _other_subsets(record: CheckRecord, laid: dict[str, Any]) -> list[str]:
    """In which fields of `OF_SUBSETS` the check differs from what is laid over its plan, which loses them."""
    differences = []
    for key in OF_SUBSETS:
        if key in laid and key in record.options:
            requested_value = Plan.from_values({key: laid.pop(key)}).values()[key]
            if requested_value != record.options[key]:
                differences.append(f"{key}: {shown(record.options[key])} there, {shown(requested_value)}")
    return differences


def _check_plan(plan: Plan) -> None:
    """UsageError for what would be more than one answer to a question."""
    for name in _ONE_AT_A_TIME:
        if len(getattr(plan, name)) > 1:
            raise UsageError(f"--{name} {shown(getattr(plan, name))}: guidelines are checked with one at a time")
    if plan.methods:
        raise UsageError("methods: guidelines are checked with one at a time; give procsync, scheme and repetition")
    if plan.goal is not None:
        raise UsageError("until: guidelines have no precision goal; give a number of launches")
