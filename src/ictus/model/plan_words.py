"""A plan in words: what a field's value is, and what is wrong with it."""

from typing import Any


def shown(value: object) -> str:
    """A field's value in one line; a list of many parts as how many they are."""
    if value == []:
        return "none"
    if isinstance(value, list) and value and isinstance(value[0], dict) and "op" in value[0]:
        return f"{len(value)} subsets of {sum(len(one['op']) * len(one['sizes']) for one in value)} cases"
    if isinstance(value, list) and value and isinstance(value[0], dict) and "nrep" in value[0]:
        return f"{len(value)} counts from {min(one['nrep'] for one in value)} to {max(one['nrep'] for one in value)}"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def problem(source: str, detail: Any) -> str:
    """One line for one error: field, value, what is allowed."""
    message = detail["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    return f"{source}, {detail['loc'][0]} = {detail['input']!r}: {message[0].lower()}{message[1:]}"
