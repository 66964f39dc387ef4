"""The types of a plan's fields: texts of the command line, lists and numbers of TOML all become one type per field.
Also how a value is shown, and the sentence for an invalid one.
"""

import re
import shlex
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, InstanceOf, PlainSerializer

from ictus.model.algorithm import Request, requests_of
from ictus.model.call import ROTATING
from ictus.model.environment import checked_values
from ictus.model.errors import UsageError
from ictus.model.goal import Goal, parse_goal
from ictus.model.heap import HeapState
from ictus.model.job_size import MapBy
from ictus.model.library import LibraryRequest, library_names, parse_library
from ictus.model.plugin import Plugin, read_plugin
from ictus.model.quantity import is_whole, parse_duration, parse_long_duration, parse_sizes
from ictus.model.spec import Spec, parse_operation, parse_spec, split_list

Parse = Callable[[str], Spec]


def _single(value: object, parse: Parse = parse_spec) -> object:
    """`window(a,b)`, parsed."""
    if isinstance(value, (str, Spec)):
        return parse(value) if isinstance(value, str) else value
    raise UsageError(f"expected a name such as 'barrier(library)', not {value!r}")


def _several(value: object, parse: Parse = parse_spec) -> object:
    """`bcast,window(a,b)` or a list of such texts, parsed, without repeats, in the order given."""
    if isinstance(value, (str, Spec)):
        value = split_list(value) if isinstance(value, str) else [value]
    if not isinstance(value, (list, tuple)):
        raise UsageError(f"expected names such as 'bcast,scan', or a list of them, not {value!r}")
    return list(dict.fromkeys(_single(item, parse) for item in value))


def _sizes(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, (str, int, list, tuple)):
        return value
    items = value if isinstance(value, (list, tuple)) else [value]
    return list(parse_sizes(",".join(map(str, items))))


def _roots(value: object) -> object:
    """`0,rotating`, or a rank or list of them, as texts without repeats."""
    items = (
        list(split_list(value)) if isinstance(value, str) else value if isinstance(value, (list, tuple)) else [value]
    )
    wrong = next((item for item in items if item != ROTATING and not _is_rank(item)), None)
    if wrong is not None:
        raise UsageError(f"expected ranks from 0 on, or {ROTATING}; not '{wrong}'")
    return list(dict.fromkeys(text if text == ROTATING else str(int(str(text))) for text in items))


def _is_rank(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, (int, str)) and is_whole(str(value))


def _places(value: object) -> object:
    """`no`, `yes` or `no,yes`; the truth values of TOML too."""
    items = value if isinstance(value, (list, tuple)) else split_list(value) if isinstance(value, str) else [value]
    texts = [_TRUTH.get(item, item) if isinstance(item, bool) else item for item in items]
    wrong = next((text for text in texts if text not in _TRUTH.values()), None)
    if wrong is not None:
        raise UsageError(f"expected no, yes or no,yes; not '{wrong}'")
    return list(dict.fromkeys(texts))


_TRUTH = {False: "no", True: "yes"}


def _words(value: object) -> object:
    """`kept,returned` or a list of such words, without repeats, in the order given."""
    items = split_list(value) if isinstance(value, str) else value
    if not isinstance(items, (list, tuple)) or not all(isinstance(item, str) for item in items):
        return value  # pydantic says what it is
    return list(dict.fromkeys(items))


def _pins(value: object) -> object:
    """As `_words`; plans of earlier versions say whether ranks are pinned."""
    return ["cores" if value else "none"] if isinstance(value, bool) else _words(value)


def _launcher_options(value: object) -> object:
    """One text of words, or several that are tried in turn. Raises ValueError for a quote that is not closed."""
    texts = [value] if isinstance(value, str) else value
    for text in texts if isinstance(texts, (list, tuple)) else ():
        shlex.split(str(text))
    if not isinstance(texts, (list, tuple)) or not all(isinstance(part, str) for part in texts):
        return value  # pydantic says what it is
    return list(dict.fromkeys(texts))


def _core_flags(value: object) -> object:
    """One text of flags, or several that are tried in turn, blanks made single. Raises UsageError for what would be no
    word of flags any more where a build passes it on.
    """
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, (list, tuple)):
        return value
    for text in texts:
        if not _FLAGS.fullmatch(str(text).strip()):
            raise UsageError("expected flags of the compiler, unquoted, such as '-O3 -march=native'")
    return list(dict.fromkeys(" ".join(str(text).split()) for text in texts))


_FLAGS = re.compile(r"(-[\w./=,+:@%~\s-]*)?")
"""Flags; a quote, `;` or `$` has a meaning of its own to CMake or the shell of a wrapper."""


def _whole_numbers(value: object) -> object:
    if isinstance(value, str):
        return list(split_list(value))
    return [value] if isinstance(value, int) else value


def _number(value: object) -> object:
    """Refuse `true`, which Python takes for 1."""
    if isinstance(value, bool):
        raise UsageError(f"expected a number, not {str(value).lower()}")
    return value


def _libraries(value: object) -> object:
    """Texts, each of which may name several, or libraries."""
    items = list(split_list(value)) if isinstance(value, str) else value
    if not isinstance(items, (list, tuple)):
        return value
    return [
        library
        for item in items
        for library in (map(parse_library, library_names((item,))) if isinstance(item, str) else (item,))
    ]


def _plugins(value: object) -> object:
    """A file, or a list of them."""
    items = list(value) if isinstance(value, (list, tuple)) else [value]
    return list(dict.fromkeys(map(read_plugin, items)))


def _algorithms(value: object) -> object:
    """`allreduce=ring,tree` or a list of such texts."""
    texts = [value] if isinstance(value, str) else value
    return list(requests_of(map(str, texts))) if isinstance(texts, (list, tuple)) else value


def _variables(value: object) -> object:
    return checked_values(value) if isinstance(value, dict) else value


def _repetitions(value: object) -> object:
    """A number, or what says where numbers come from: `auto(...)`, or the text that is a folder's."""
    if isinstance(value, Spec):
        return value
    if isinstance(value, str) and is_whole(value.strip().lstrip("-")):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise UsageError("expected a whole number of 1 or more, the folder of a prediction, or auto(...)")
    if isinstance(value, int) and value < 1:
        raise UsageError("a case needs 1 repetition or more")
    if not isinstance(value, str):
        return value
    text = value.strip()
    return parse_spec(text) if text == AUTO or text.startswith(f"{AUTO}(") else text


def _duration(value: object) -> object:
    return parse_duration(value) if isinstance(value, str) else _number(value)


def _long_duration(value: object) -> object:
    return parse_long_duration(value) if isinstance(value, str) else _number(value)


def _goal(value: object) -> object:
    """`1 %`, `ratio 2 %`, 0.01, each in its usual spelling."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float, Goal)):
        raise UsageError("expected a text such as '1 %' or 'ratio 2 %'")
    return parse_goal(str(value))


def _usage(parse: Any) -> BeforeValidator:
    """A parser of ours as a validator: its UsageError becomes an error of the field."""

    def validate(value: object) -> object:
        try:
            return parse(value)
        except UsageError as error:
            raise ValueError(str(error)) from error

    return BeforeValidator(validate)


AUTO = "auto"
"""`nrep = "auto(...)"`: predicted before the campaign, by these parameters of `repetition nrep`."""

_TEXT = PlainSerializer(str)
_TEXTS = PlainSerializer(lambda values: list(map(str, values)))
_TEXT_OR_TEXTS = PlainSerializer(lambda values: str(values[0]) if len(values) == 1 else list(map(str, values)))
"""As files of earlier versions have it, where there was one alone."""

Name = Annotated[InstanceOf[Spec], _usage(_single), _TEXT]
Names = Annotated[tuple[InstanceOf[Spec], ...], _usage(_several), Field(min_length=1), _TEXTS]
NamesOfLaunches = Annotated[tuple[InstanceOf[Spec], ...], _usage(_several), Field(min_length=1), _TEXT_OR_TEXTS]
Operation = Annotated[InstanceOf[Spec], _usage(partial(_single, parse=parse_operation)), _TEXT]
Operations = Annotated[
    tuple[InstanceOf[Spec], ...], _usage(partial(_several, parse=parse_operation)), Field(min_length=1), _TEXTS
]
Roots = Annotated[tuple[str, ...], _usage(_roots), Field(min_length=1)]
Places = Annotated[tuple[str, ...], _usage(_places), Field(min_length=1)]
Pins = Annotated[tuple[Literal["cores", "none"], ...], _usage(_pins), Field(min_length=1)]
Mappings = Annotated[tuple[MapBy, ...], _usage(_words), Field(min_length=1)]
Modules = Annotated[tuple[Annotated[str, Field(pattern=r"^[\w][\w./+:=-]*$")], ...], _usage(_words)]
LauncherOptions = Annotated[tuple[str, ...], _usage(_launcher_options)]
CoreFlags = Annotated[tuple[str, ...], _usage(_core_flags)]
Governors = Annotated[tuple[Annotated[str, Field(pattern=r"^[a-z_]+$")], ...], _usage(_words)]
Heaps = Annotated[tuple[HeapState, ...], _usage(_words), Field(min_length=1)]
Sizes = Annotated[tuple[int, ...], _usage(_sizes), Field(min_length=1)]
Whole = Annotated[int, _usage(_number)]
Counts = Annotated[tuple[Annotated[Whole, Field(ge=1)], ...], _usage(_whole_numbers), Field(min_length=1)]
FewOrNoCounts = Annotated[tuple[Annotated[Whole, Field(ge=1)], ...], _usage(_whole_numbers)]
Libraries = Annotated[tuple[LibraryRequest, ...], _usage(_libraries), _TEXTS]
Plugins = Annotated[
    tuple[InstanceOf[Plugin], ...],
    _usage(_plugins),
    PlainSerializer(lambda values: [value.record() for value in values]),
]
Repetitions = Annotated[
    int | InstanceOf[Spec] | Annotated[str, Field(min_length=1)],
    _usage(_repetitions),
    PlainSerializer(lambda value: value if isinstance(value, int) else str(value)),
]
Algorithms = Annotated[tuple[InstanceOf[Request], ...], _usage(_algorithms), _TEXTS]
Variables = Annotated[dict[str, str | tuple[str, ...]], _usage(_variables)]
Duration = Annotated[float, _usage(_duration), Field(gt=0, allow_inf_nan=False)]
LongDuration = Annotated[float, _usage(_long_duration), Field(gt=0, allow_inf_nan=False)]
PrecisionGoal = Annotated[InstanceOf[Goal], _usage(_goal), _TEXT]


def shown(value: object) -> str:
    """A field's value in one line; a list of many parts as how many they are."""
    if value == []:
        return "none"
    if isinstance(value, list) and value and isinstance(value[0], dict) and "op" in value[0]:
        return f"{len(value)} subsets of {sum(len(subset['op']) * len(subset['sizes']) for subset in value)} cases"
    if isinstance(value, list) and value and isinstance(value[0], dict) and "nrep" in value[0]:
        return (
            f"{len(value)} counts from {min(case['nrep'] for case in value)} to {max(case['nrep'] for case in value)}"
        )
    if isinstance(value, list) and value and isinstance(value[0], dict) and "sha256" in value[0]:
        return ",".join(f"{file['path']} (SHA-256 {file['sha256'][:12] or 'any'})" for file in value)
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def problem(detail: Any) -> tuple[str, object, str]:
    """The field, its value and what is allowed, for one error."""
    message = detail["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    message = re.sub(rf"^(\w+ )?'{re.escape(str(detail['input']))}': ", "", message)  # the option says its value
    return str(detail["loc"][0]), detail["input"], f"{message[0].lower()}{message[1:]}"
