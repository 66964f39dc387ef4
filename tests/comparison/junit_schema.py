"""What the two JUnit schemas in use ask for, written as a check: Ant's JUnit.xsd and the stricter order of junit-10.xsd
of Jenkins.
"""

import re
import xml.etree.ElementTree as ET

_SUITE = {"name", "timestamp", "hostname", "tests", "failures", "errors", "time", "package", "id"}
"""Attributes that Ant's schema requires of a suite inside `testsuites`."""
_ALLOWED = {
    "testsuites": (set(), ("testsuite",)),
    "testsuite": (_SUITE | {"skipped"}, ("properties", "testcase", "system-out", "system-err")),
    "properties": (set(), ("property",)),
    "property": ({"name", "value"}, ()),
    "testcase": ({"name", "classname", "time"}, ("skipped", "failure", "error")),
    "failure": ({"type", "message"}, ()),
    "error": ({"type", "message"}, ()),
    "skipped": ({"type", "message"}, ()),
    "system-out": (set(), ()),
    "system-err": (set(), ()),
}
"""Attributes and children (in this order) that both schemas allow."""
_REQUIRED = {
    "testsuite": _SUITE,
    "testcase": {"name", "classname", "time"},
    "property": {"name", "value"},
    "failure": {"type"},
    "error": {"type"},
}


def check_junit(text: str) -> ET.Element:
    """The one suite of a document that is valid; AssertionError says what is not."""
    root = ET.fromstring(text)
    assert root.tag == "testsuites"
    _check(root)
    (suite,) = root
    assert [child.tag for child in suite if child.tag != "testcase"] == ["properties", "system-out", "system-err"]
    tests = suite.findall("testcase")
    for name, tag in (("failures", "failure"), ("skipped", "skipped"), ("errors", "error")):
        assert suite.get(name) == str(sum(test.find(tag) is not None for test in tests)), name
    assert suite.get("tests") == str(len(tests)), "tests is not their number"
    assert all(len(test) <= 1 for test in tests), "a test fails or is skipped, and only once"
    names = [(test.get("classname"), test.get("name")) for test in tests]
    assert len(set(names)) == len(names), "two tests of one name"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp", "")), "a time without a zone"
    return suite


def _check(element: ET.Element) -> None:
    assert element.tag in _ALLOWED, f"<{element.tag}> is unknown"
    attributes, children = _ALLOWED[element.tag]
    assert set(element.attrib) <= attributes, f"<{element.tag}> has {set(element.attrib) - attributes}"
    assert _REQUIRED.get(element.tag, set()) <= set(element.attrib), f"<{element.tag}> lacks an attribute"
    for name in {"tests", "failures", "errors", "skipped", "id"} & set(element.attrib):
        assert element.get(name, "").isdigit(), f"{name} is not a number"
    if "time" in element.attrib:
        assert re.fullmatch(r"\d+(\.\d+)?", element.get("time", "")), "time is no decimal"
    order = [children.index(child.tag) for child in element if child.tag in children]
    assert len(order) == len(element), f"<{element.tag}> holds a child that it cannot"
    assert order == sorted(order), f"children of <{element.tag}> are out of order"
    for child in element:
        _check(child)
