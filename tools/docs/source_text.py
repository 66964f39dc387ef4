"""What classes and functions say of themselves in their sources: fields with their docstrings, signatures, prose."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_HEADS = {"Args:": "Arguments", "Returns:": "Returns", "Raises:": "Raises"}


@dataclass(frozen=True)
class FieldText:
    """A field or a property of a class, its type as the source has it, and what is said of it."""

    name: str
    type: str
    text: str


def fields(kind: type) -> list[FieldText]:
    """The public fields of a class and of our classes that it derives from, in their order; constants are left out."""
    texts: dict[str, FieldText] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.partition(".")[0] == "ictus":
            texts |= {text.name: text for text in _own_fields(_body(base))}
    return list(texts.values())


def methods(kind: type) -> list[FieldText]:
    """The public methods and properties that the class itself defines; of a method the type is its signature."""
    texts = []
    for statement in _body(kind):
        if isinstance(statement, ast.FunctionDef) and not statement.name.startswith("_"):
            decorators = {ast.unparse(decorator) for decorator in statement.decorator_list}
            returned = ast.unparse(statement.returns) if statement.returns else ""
            shown = returned if decorators & {"property", "cached_property"} else _call(statement)
            texts.append(FieldText(statement.name, shown, one_line(ast.get_docstring(statement) or "")))
    return texts


def signature(function: Any) -> str:
    """As in the source, on as many lines as it needs."""
    node = _node(function)
    assert isinstance(node, ast.FunctionDef)
    short = f"{node.name}{_call(node)}"
    if len(short) <= 100:
        return short
    bare = ast.unparse(node.args)
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}(\n" + "".join(f"    {parameter},\n" for parameter in _split(bare)) + f"){returned}"


def prose(documentation: str) -> Iterator[str]:
    """A docstring as Markdown: paragraphs, and lists of arguments and errors."""
    for block in inspect.cleandoc(documentation).split("\n\n"):
        head, _, body = block.partition("\n")
        if head in _HEADS:
            yield f"**{_HEADS[head]}**"
            yield "\n".join(_items(textwrap.dedent(body)))
        elif block:
            yield one_line(block)


def one_line(text: str) -> str:
    """All of it, without line breaks."""
    return " ".join(text.split())


def table(rows: list[FieldText]) -> str:
    """Fields as a table."""
    lines = [f"| `{row.name}` | `{_cell(row.type)}` | {_cell(row.text)} |" for row in rows]
    return "\n".join(("| | type | |", "| --- | --- | --- |", *lines))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _items(body: str) -> Iterator[str]:
    for item in re.split(r"\n(?! )", body):
        name, colon, text = one_line(item).partition(": ")
        yield f"- `{name}`: {text}" if colon and " " not in name else f"- {one_line(item)}"


def _node(value: Any) -> ast.stmt:
    return ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]


def _body(kind: type) -> list[ast.stmt]:
    node = _node(kind)
    assert isinstance(node, ast.ClassDef)
    return node.body


def _own_fields(body: list[ast.stmt]) -> Iterator[FieldText]:
    for statement, following in zip(body, (*body[1:], None), strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            kind = ast.unparse(statement.annotation)
            if not statement.target.id.startswith("_") and not kind.startswith("ClassVar"):
                yield FieldText(statement.target.id, _shown(statement.annotation), one_line(_docstring(following)))


def _shown(annotation: ast.expr) -> str:
    """Without validators: of `Annotated[A, ...]` the A."""
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Annotated":
        inner = annotation.slice
        return _shown(inner.elts[0]) if isinstance(inner, ast.Tuple) else ast.unparse(inner)
    if isinstance(annotation, ast.Subscript):
        parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        return f"{ast.unparse(annotation.value)}[{', '.join(map(_shown, parts))}]"
    return ast.unparse(annotation)


def _docstring(statement: ast.stmt | None) -> str:
    """The docstring of a field is the text behind it."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return str(statement.value.value)
    return ""


def _call(node: ast.FunctionDef) -> str:
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"({ast.unparse(node.args)}){returned}"


def _split(arguments: str) -> list[str]:
    """At the commas that stand in no bracket."""
    depth, parts = 0, [""]
    for character in arguments:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]
