"""A judged comparison for continuous integration: as Markdown, with the result first and every case behind it, and as
JUnit XML, which every continuous integration reads.

A test of JUnit is a case: failed where it hits the gate, an error where nothing is known of it (no data, measured on
one side only) and the gate may not pass over it, skipped where nothing is decided, passed otherwise. It is valid
against both schemas in use, Ant's (JUnit.xsd) and Jenkins' (junit-10.xsd): it has every attribute that either requires,
in an order that both accept.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from functools import partial

from ictus.comparison.answer import settings
from ictus.comparison.case_titles import LIBRARY, Case, group_detail, operation_title, size_title, varying
from ictus.comparison.comparison import Comparison
from ictus.comparison.evidence import span_sentence
from ictus.comparison.gate import APART, Gate
from ictus.comparison.judged_pairs import summary_sentences
from ictus.comparison.mode_table import mode_table
from ictus.comparison.rows import OPEN, UNKNOWN, ComparisonRow, compared
from ictus.comparison.tables import comparison_table
from ictus.comparison.verdict_texts import interval_text, p_text, ratio_text, row_verdict
from ictus.comparison.words import method
from ictus.model.instant import instant
from ictus.model.quantity import format_duration
from ictus.render.markdown import escaped, table_lines
from ictus.store.campaign import Campaign


def comparison_markdown(campaign: Campaign, comparison: Comparison, gate: Gate | None) -> str:
    """The whole summary: heading with the gate's outcome, sentences, the cases that hit, warnings, all cases folded."""
    rows = comparison.rows
    table = partial(comparison_table, rows, comparison.alternative, comparison.level, comparison.equivalence)
    hits = [row for row in rows if gate is not None and comparison.evidence.judged and gate.hits(row)]
    title = f"## Ictus: {campaign.folder.resolve().name}"
    span = span_sentence(comparison.span, comparison.evidence, len(comparison.compared))
    proof = escaped(" ".join((comparison.evidence.sentence, *span)))
    lines = [title, "", *_outcome(gate, comparison, len(hits)), *_paragraphs(summary_sentences(comparison)), proof, ""]
    if hits:
        lines += [*table_lines(table(visible=hits)), ""]
    if comparison.warnings:
        lines += ["**Warnings**", "", *(f"- {escaped(warning)}" for warning in comparison.warnings), ""]
    folded = f"{'All' if hits else 'The'} {compared(rows)}"
    lines += ["<details>", f"<summary>{folded}</summary>", "", *table_lines(table()), ""]
    lines += [*_paragraphs(method(comparison))]
    if any(row.result.by_stratum for row in rows):
        lines += [*table_lines(mode_table(comparison)), ""]
    lines.append("</details>")
    return "\n".join(lines) + "\n"


def _outcome(gate: Gate | None, comparison: Comparison, n_hits: int) -> Iterator[str]:
    if gate is not None:
        cases = compared(comparison.rows)
        unknown, unanswered = comparison.counts.unknown, gate.unanswered(comparison.rows)
        outcome = f"**hit by {n_hits} of {cases}**" if n_hits else f"not hit by any of {cases}"
        outcome = "**cannot be answered**" if unanswered and not n_hits else outcome
        outcome += f"; nothing is known of {unknown}" if unknown else ""
        outcome = outcome if comparison.evidence.judged else "**cannot be judged**"
        yield from (f"Gate `{gate.text}` ({escaped(gate.sentence(comparison.pairs))}): {outcome}.", "")


def _paragraphs(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from (escaped(text), "")


_NO_TIME = "0"
"""A case has no duration of its own: all are measured in turn, in every launch."""


def comparison_junit(campaign: Campaign, comparison: Comparison, gate: Gate) -> str:
    """The comparison of a campaign as JUnit XML."""
    return junit_xml(
        f"ictus compare {campaign.folder.resolve().name}",
        comparison.rows,
        gate,
        created=campaign.created,
        host=str(campaign.machine.get("host", "unknown")),
        properties={"evidence": comparison.evidence.sentence.removeprefix("Evidence: ")}
        | {name: str(value) for name, value in settings(comparison).items()},
        summary=summary_sentences(comparison),
        warnings=comparison.warnings,
        judged=comparison.evidence.judged,
    )


def junit_xml(
    name: str,
    rows: Sequence[ComparisonRow],
    gate: Gate,
    *,
    created: str,
    host: str,
    properties: Mapping[str, str],
    warnings: Sequence[str],
    summary: Sequence[str] = (),
    judged: bool = True,
) -> str:
    """One test suite with a test for each case of the comparison.

    `created` is an ISO 8601 time, `properties` say how it was judged, `summary` is its output. Without
    `judged` nothing fails, and what was measured apart is skipped.
    """
    names = varying([row.case for row in rows])
    tests = [_judged(row, gate if judged else None, names) for row in rows]
    counts = {kind: sum(test.find(kind) is not None for test in tests) for kind in ("failure", "error", "skipped")}
    root = ET.Element("testsuites")
    suite = ET.SubElement(
        root,
        "testsuite",
        {
            "package": "ictus",
            "id": "0",
            "name": _clean(name),
            "timestamp": _timestamp(created),
            "hostname": _clean(host) or "unknown",
            "tests": str(len(tests)),
            "failures": str(counts["failure"]),
            "errors": str(counts["error"]),
            "skipped": str(counts["skipped"]),
            "time": _NO_TIME,
        },
    )
    facts = ET.SubElement(suite, "properties")
    for key, value in {"gate": gate.text, **properties}.items():
        ET.SubElement(facts, "property", {"name": key, "value": _clean(value)})
    suite.extend(tests)
    ET.SubElement(suite, "system-out").text = _clean("\n".join(summary))
    ET.SubElement(suite, "system-err").text = _clean("\n".join(warnings))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _judged(row: ComparisonRow, gate: Gate | None, names: Sequence[str]) -> ET.Element:
    result = row.result
    test = _test(row.case, f"{row.a} against {row.b}", names)
    text = (
        f"{row.a} {_time(result.median_a)}, {row.b} {_time(result.median_b)}, ratio {ratio_text(result.ratio)}, "
        f"interval {interval_text(result.ratio_low, result.ratio_high)}, adjusted p {p_text(result.p_adjusted)}: "
        f"{row_verdict(row)}"
    )
    if gate is not None and gate.hits(row):
        ET.SubElement(test, "failure", {"type": gate.text, "message": _clean(row_verdict(row))}).text = _clean(text)
    elif gate is not None and gate.unanswered([row]):
        ET.SubElement(test, "error", {"type": row.outcome, "message": _clean(row_verdict(row))}).text = _clean(text)
    elif row.outcome in (*OPEN, *UNKNOWN) or (gate is None and row.outcome == APART):
        ET.SubElement(test, "skipped", {"type": row.outcome, "message": _clean(text)})
    return test


def _test(case: Case, sides: str, names: Sequence[str]) -> ET.Element:
    """A test named after its size, in a class named after its library and operation."""
    factor_names = [name for name in names if name in case and name != LIBRARY]
    class_name = ".".join((*([str(case[LIBRARY])] if LIBRARY in case else []), operation_title(case)))
    name = f"{size_title(case)}, {group_detail(case, factor_names)}: {sides}"
    return ET.Element("testcase", {"classname": _clean(class_name), "name": _clean(name), "time": _NO_TIME})


def _timestamp(created: str) -> str:
    """In UTC without a zone, as the schema wants it; the beginning of the epoch where there is no time."""
    try:
        time = instant(created)
    except ValueError:
        time = datetime.fromtimestamp(0, timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:%S")


def _time(seconds: float | None) -> str:
    return "NA" if seconds is None else format_duration(seconds)


def _clean(text: str) -> str:
    """Without the control characters that XML cannot hold."""
    return "".join(sign for sign in text if sign in "\n\t" or sign >= " ")
