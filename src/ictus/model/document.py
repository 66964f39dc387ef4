"""Our JSON files: one model for each. It names the schema versions that it reads and the one that it writes.

An invalid file ends in one sentence: the file, the field, what was found, what was expected. Unknown keys are kept: a
later version of the same schema may have them. The last line of a file that Ictus writes is its checksum; a file
without that line, as other programs and earlier versions write it, is read unchecked.
"""

import json
import re
from collections.abc import Mapping, Sequence
from math import nan
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from ictus.model.checksum import checksum
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.input_file import file_content
from ictus.model.written_rows import numbers_of

M = TypeVar("M", bound=BaseModel)
D = TypeVar("D", bound="Document")


class DocumentPart(BaseModel):
    """An object inside a document."""

    model_config = ConfigDict(
        frozen=True, defer_build=True, extra="allow", populate_by_name=True, arbitrary_types_allowed=True
    )

    def declared(self) -> dict[str, Any]:
        """The fields that the model names, for rows of scripts: keys that a writer added beyond them stay out."""
        names = (name for name in type(self).model_fields if name not in Document.model_fields)
        return {name: _declared(getattr(self, name)) for name in names}


class Document(DocumentPart):
    """A JSON file. `FILE` is its usual name, `SCHEMA` the version that is written; every one up to it is read."""

    FILE: ClassVar[str]
    SCHEMA: ClassVar[int] = 1
    VERSIONED: ClassVar[bool] = True
    """False of a file that carries no version: it is part of a launch, whose launch.json does."""

    format: int = 1
    ictus: str = "unknown"
    """The version of Ictus that wrote it."""
    raw: Mapping[str, Any] = Field(default_factory=dict, exclude=True, repr=False)
    """What the file had, word for word; empty for a document that was made here."""

    @classmethod
    def read(cls: type[D], path: Path) -> D:  # noqa: PYI019 (Self needs Python 3.11)
        """The document in a file. Raises MeasurementError where it is missing, broken or not as documented,
        UsageError where a later version of Ictus wrote it.
        """
        return cls.parse(read_object(path), str(path))

    @classmethod
    def parse(cls: type[D], values: Mapping[str, Any], source: str) -> D:  # noqa: PYI019 (Self needs Python 3.11)
        """The document that an object is; `source` names the file in errors, which are those of `read`."""
        if cls.VERSIONED:
            check_version(values, source, cls.SCHEMA)
        return parsed(cls, values, source).model_copy(update={"raw": values})


def _declared(value: object) -> object:
    if isinstance(value, DocumentPart):
        return value.declared()
    return tuple(map(_declared, value)) if isinstance(value, tuple) else value


def read_object(path: Path) -> dict[str, Any]:
    """The object in a JSON file; MeasurementError that names the file when it is missing, broken, or not what its
    checksum says.
    """
    return object_in(file_content(path), path)


def object_in(content: bytes, path: Path) -> dict[str, Any]:
    """The object in what `path` holds; MeasurementError as `read_object`."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise MeasurementError(f"{path} is no JSON ({error}): it was cut short or damaged") from error
    if not isinstance(document, dict):
        raise MeasurementError(f"{path} holds no JSON object")
    body, stated = unsealed(content)
    if stated is None:
        return document
    del document[CHECKSUM]
    if stated != checksum(body):
        raise MeasurementError(
            f"{path} changed after Ictus wrote it: its checksum is {checksum(body)}, its last line says {stated}; "
            f"restore it, or remove that line where the change was meant"
        )
    return document


CHECKSUM = "checksum"
"""The last key of a file that Ictus writes."""
_LAST_LINE = re.compile(rb',\n"checksum": "(xxh3:[0-9a-f]{16})"\n}\n\Z')


def sealed(lines: str) -> bytes:
    """The content of a file whose keys are these lines, with its checksum as the last one."""
    body = f"{{{lines}"
    return f'{body},\n"{CHECKSUM}": "{checksum(body.encode())}"\n}}\n'.encode()


def unsealed(content: bytes) -> tuple[bytes, str | None]:
    """What the checksum of a file is about, and the checksum that its last line has; None without one."""
    match = _LAST_LINE.search(content, max(0, len(content) - 128))
    return (content, None) if match is None else (content[: match.start()], match[1].decode())


def object_or_none(content: bytes | str) -> dict[str, Any] | None:
    """The JSON object in a text that another program wrote or a crash cut short; None where it holds none."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def check_version(values: Mapping[str, Any], source: str, newest: int) -> None:
    """MeasurementError for an object without a version, UsageError for one of a version that is not known yet."""
    written = values.get("format")
    if isinstance(written, int) and 1 <= written <= newest:
        return
    if isinstance(written, int) and written > newest:
        raise UsageError(
            f"{source} has format {written}, this version of Ictus reads {newest}: it was written by Ictus "
            f"{values.get('ictus', 'unknown')}, use that or a later one"
        )
    raise MeasurementError(f"{source}: 'format' is {written!r}, expected {newest}")


def parsed(model: type[M], values: Mapping[str, Any], source: str) -> M:
    """An object as `model`; MeasurementError names `source`, the first field that is wrong, and what was expected."""
    try:
        return model.model_validate(values, context={"source": source})
    except ValidationError as error:
        raise MeasurementError(f"{source}: {_complaint(error.errors(include_url=False)[0], values)}") from error
    except UsageError as error:  # of what is also typed, such as a label: there no file is to be named
        if source in str(error):
            raise
        raise MeasurementError(f"{source}: {error}") from error


def _complaint(detail: ErrorDetails, values: object) -> str:
    where = _path(detail["loc"], values)
    if detail["type"] in ("missing", "union_tag_not_found"):
        key = detail["loc"][-1] if detail["type"] == "missing" else detail["ctx"]["discriminator"].strip("'")
        return f"key '{where + '.' if where else ''}{key}' is missing"
    if detail["type"] == "union_tag_invalid":
        about = detail["ctx"]
        kind, tags = about["discriminator"].strip("'"), about["expected_tags"].replace("'", "")
        return f"{kind} {about['tag']!r} is none of {tags}"
    if detail["type"] == "value_error":
        return f"'{where}': {detail['ctx']['error']}"
    text, expected = repr(detail["input"]), detail["msg"].replace("Input should be ", "")
    return f"'{where}' is {text if len(text) <= _SHOWN else text[:_SHOWN] + ' ...'}, expected {expected}"


_SHOWN = 80


def _path(loc: Sequence[int | str], values: object) -> str:
    """`launches.0.clock.spec`, as far as it exists, without steps that are no keys, such as a choice."""
    steps = []
    for step in loc:
        is_key = isinstance(values, Mapping) and step in values
        listed = isinstance(values, Sequence) and isinstance(step, int) and step < len(values)
        if is_key or listed:
            values = values[step]  # type: ignore[index]
            steps.append(str(step))
    return ".".join(steps)


def check_length(n: int, what: str, lists: Mapping[str, Sequence[object] | None]) -> None:
    """ValueError that names the first list without `n` values, one for each of `what`; None is no list."""
    for name, values in lists.items():
        if values is not None and len(values) != n:
            raise ValueError(f"{name} has {len(values)} values, expected {n}, one for each {what}")


def _with_nan(written: object) -> object:
    value = numbers_of(written)
    return [nan if entry is None else entry for entry in value] if isinstance(value, (list, tuple)) else value


def _as_texts(value: object) -> object:
    return {str(key): str(entry) for key, entry in value.items()} if isinstance(value, Mapping) else value


Numbers = Annotated[tuple[float, ...], BeforeValidator(_with_nan)]
"""A list of numbers, null as NaN."""
OptionalNumbers = Annotated[tuple[float | None, ...], BeforeValidator(numbers_of)]
"""A list of numbers, some of which do not exist."""
Integers = Annotated[tuple[int, ...], BeforeValidator(numbers_of)]
"""A list of whole numbers."""
Texts = Annotated[dict[str, str], BeforeValidator(_as_texts)]
"""An object of scalars, each as a text: values of variables."""
