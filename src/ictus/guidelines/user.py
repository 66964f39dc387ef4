"""A user's own guidelines, from a TOML file:

[[guideline]]
name = "allgather-by-hand"
left = "allgather"                 # must not be slower
right = ["gather", "bcast"]        # than these, one after another; or one operation
layout = "vector(4,8)"             # optional: the layout in memory of both sides
right_layout = "indexed(4)"        # optional: of the right side, where it is another one
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ictus.guidelines.catalogue import GROUPS
from ictus.guidelines.rule import Kind, Rule, Source
from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.model.spec import Spec

TABLE = "guideline"
_FIELDS = ("name", "left", "right", "layout", "right_layout")
_NAME = re.compile(r"[a-z][a-z0-9_-]*")


def user_rules(
    document: Mapping[str, Any], registries: Registries, taken_rules: Sequence[Rule], source: str
) -> tuple[Rule, ...]:
    """The rules of a file's contents; `taken_rules` are taken names, `source` names the file in errors.

    `UsageError` names file, guideline, field and value, and what is allowed.
    """
    strange = [key for key in document if key != TABLE]
    tables = document.get(TABLE)
    if strange or not isinstance(tables, list) or not tables:
        what = f"unknown key '{strange[0]}'" if strange else "there is no guideline"
        raise UsageError(f"{source}: {what}; a file of guidelines is a list of [[{TABLE}]] with {', '.join(_FIELDS)}")
    taken = {rule.name.casefold() for rule in taken_rules} | set(GROUPS)
    rules: list[Rule] = []
    for number, table in enumerate(tables, start=1):
        rules.append(_rule(table, registries, taken, f"{source}, guideline {number}"))
        taken.add(rules[-1].name)
    return tuple(rules)


def _rule(table: object, registries: Registries, taken: set[str], where: str) -> Rule:
    if not isinstance(table, Mapping):
        raise UsageError(f"{where}: {table!r} is not a table of {', '.join(_FIELDS)}")
    strange = next((key for key in table if key not in _FIELDS), None)
    if strange is not None:
        raise UsageError(f"{where}: unknown field '{strange}'; allowed are {', '.join(_FIELDS)}")
    name = _text(table, "name", where)
    if not _NAME.fullmatch(name):
        raise UsageError(f"{where}, name = {name!r}: must be lower-case letters, digits, '-' and '_'")
    if name in taken:
        raise UsageError(f"{where}, name = {name!r}: is taken; choose another")
    left = _checked(registries, "operation", _text(table, "left", where), f"{where}, left")
    right = _right(table, registries, where)
    layout = _checked(registries, "layout", _text({"layout": "basic", **table}, "layout", where), f"{where}, layout")
    key = "right_layout"
    right_layout = _checked(registries, "layout", _text(table, key, where), f"{where}, {key}") if key in table else None
    right_layout = None if right_layout == layout else right_layout
    if left == right and right_layout is None:
        raise UsageError(f"{where}, right = '{right}': is the left side itself")
    _check_comparable(registries, left, right, where)
    return Rule(name, Kind.PATTERN, Source.USER, left, right, layout, right_layout)


def _check_comparable(registries: Registries, left: Spec, right: Spec, where: str) -> None:
    """UsageError where one side has sizes and the other has none: no size would be theirs, and nothing be judged."""
    sized = {side: registries.operation(side).volume != "none" for side in (left, right)}
    if sized[left] != sized[right]:
        moves, none = (left, right) if sized[left] else (right, left)
        raise UsageError(
            f"{where}, right = '{right}': {moves} has sizes and {none} moves nothing, so that they have no size in "
            "common; name two sides that move data, or two that do not"
        )


def _right(table: Mapping[str, Any], registries: Registries, where: str) -> Spec:
    """One operation, or several as one that does them one after another."""
    right = table.get("right")
    if not isinstance(right, list):
        return _checked(registries, "operation", _text(table, "right", where), f"{where}, right")
    if not right or not all(isinstance(name, str) for name in right):
        raise UsageError(f"{where}, right = {right!r}: must be an operation, or a list of operations")
    each = [_checked(registries, "operation", name, f"{where}, right") for name in right]
    text = str(each[0]) if len(each) == 1 else f"sequence({','.join(map(str, each))})"
    return _checked(registries, "operation", text, f"{where}, right")


def _text(table: Mapping[str, Any], field: str, where: str) -> str:
    if field not in table:
        raise UsageError(f"{where}: there is no '{field}'")
    value = table[field]
    if not isinstance(value, str) or not value:
        allowed = "an operation, or a list of operations" if field == "right" else "a text"
        raise UsageError(f"{where}, {field} = {value!r}: must be {allowed}")
    return value


def _checked(registries: Registries, family: str, text: str, where: str) -> Spec:
    """Full form; the error says in which field it was."""
    try:
        return registries.check(family, text)
    except UsageError as error:
        raise UsageError(f"{where} = {text!r}: {error}") from error
