"""All documents at once: what is wrong with a file is said in one sentence with the file, the field, what was expected.

A new document is tested without a new line here: the classes are asked for.
"""

import importlib
import json
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic.fields import FieldInfo

import ictus
from ictus.model.document import Document
from ictus.model.errors import MeasurementError, UsageError

for found in pkgutil.walk_packages(ictus.__path__, "ictus."):
    if not found.name.endswith(("__main__", "namespaces.agent")):
        importlib.import_module(found.name)


def documents(of: type[Document] = Document) -> Iterator[type[Document]]:
    """Every document, however deep it inherits."""
    for one in of.__subclasses__():
        yield one
        yield from documents(one)


DOCUMENTS = sorted({one for one in documents() if hasattr(one, "FILE")}, key=lambda one: one.__name__)


def required(document: type[Document]) -> list[tuple[str, FieldInfo]]:
    """The fields that a file must have, by their key in it."""
    return [(one.alias or name, one) for name, one in document.model_fields.items() if one.is_required()]


def test_there_are_documents() -> None:
    """Or nothing below would be tested: those that the issue names are among them."""
    assert {one.FILE for one in DOCUMENTS} >= {
        "campaign.json", "schedule.json", "check.json", "clocks.json", "rtt.json", "skew.json", "overlap.json",
        "reproduction.json", "tune.json", "entered.json", "redirect.json", "preload.json", "command.json", "cvars.json",
        "network.json",
    }  # fmt: skip


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: one.__name__)
def test_a_file_that_is_cut_short_or_missing_is_named(document: type[Document], tmp_path: Path) -> None:
    """Also one that is a list, or no JSON at all."""
    path = tmp_path / document.FILE
    with pytest.raises(MeasurementError, match=f"{document.FILE}: No such file"):
        document.read(path)
    for text in ('{"format": 1, "na', "[]", ""):
        path.write_text(text)
        with pytest.raises(MeasurementError, match=rf"{document.FILE} (is no JSON|holds no JSON object)"):
            document.read(path)


@pytest.mark.parametrize("document", [one for one in DOCUMENTS if one.VERSIONED], ids=lambda one: one.__name__)
def test_a_later_version_is_refused_with_the_release_that_wrote_it(document: type[Document], tmp_path: Path) -> None:
    """And a file without a version, or with one that is not a number, is damaged."""
    path = tmp_path / document.FILE
    path.write_text(json.dumps({"format": document.SCHEMA + 1, "ictus": "9.9"}))
    with pytest.raises(UsageError, match=rf"{document.FILE} has format {document.SCHEMA + 1}, .* by Ictus 9\.9, use"):
        document.read(path)
    for version in (None, "one", 0):
        path.write_text(json.dumps({"format": version}))
        with pytest.raises(MeasurementError, match=rf"{document.FILE}: 'format' is {version!r}, expected"):
            document.read(path)


@pytest.mark.parametrize("document", [one for one in DOCUMENTS if required(one)], ids=lambda one: one.__name__)
def test_a_field_that_is_missing_or_of_another_type_is_named(document: type[Document]) -> None:
    """The first one that the file must have, taken out of it and then filled with what it cannot be."""
    with pytest.raises(MeasurementError, match=r"^here: (key '[\w.]+' is missing|')"):
        document.parse({"format": document.SCHEMA}, "here")
    key, field = required(document)[0]
    wrong: Any = {"no": "such"} if field.annotation in (int, float, str) else 7
    with pytest.raises(MeasurementError) as caught:
        document.parse({"format": document.SCHEMA, key: wrong}, "here")
    assert str(caught.value).startswith(f"here: '{key}' is {wrong!r}, expected ")


def test_what_a_later_release_added_is_kept() -> None:
    """Keys that no model names are neither refused nor lost."""
    from ictus.store.launch_files import CommandDocument

    found = CommandDocument.parse({"elapsed_s": 2, "pinning": "cores"}, "here")
    assert (found.elapsed_s, found.raw["pinning"]) == (2.0, "cores")
    assert found.model_dump(mode="json")["pinning"] == "cores"


def test_a_field_deep_inside_is_named_by_its_path() -> None:
    """As a reader of the file would look for it, without the words of the model."""
    from ictus.store.check import CheckRecord

    rule = {"name": "GL1", "kind": "pattern", "source": "paper", "left": "bcast", "right": 3, "layout": "basic"}
    values = {"format": 1, "plan": {}, "options": {}, "rules": [rule], "left_out": []}
    with pytest.raises(MeasurementError, match=r"here: 'rules\.0\.right' is 3, expected a valid string"):
        CheckRecord.parse(values, "here")
