"""One test over all declared tables: terminal, page, Markdown, CSV and JSON have the same cells, in the same order."""

import ast
import csv
import io
import json
import math
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from tests.advice.made_up import ADVICE
from tests.cli.conftest import PLAN, WORLD
from tests.cli.test_clocks import GRID
from tests.cli.test_machine_modes import CROSSED
from tests.cli.test_network import document as network
from tests.cli.test_overlap import keep as keep_overlap
from tests.cli.test_rtt import document as round_trips
from tests.clock_documents import accuracy, frequency, launches
from tests.command_line import Ictus
from tests.diagnosed import PLANTED
from tests.guidelines.test_dims_tables import KEPT, SPOILT
from tests.history.test_history import keep_history
from tests.model.test_host_state import FINE
from tests.programs.test_exit_skew import REPORT, log
from tests.studies.claims.known import CLAIMS
from tests.studies.test_communicators import document as communicators
from tests.synthetic import Scenario, write_folder
from tests.tuning.test_tune_tables import SOME

import ictus.render.markdown
from ictus.advice.outcome import call_row, remedy_row
from ictus.advice.tables import advice_table, proof_table
from ictus.cli.doctor import finding_table, host_row, host_table
from ictus.guidelines.dims.tables import answer_table, dims_rows, total_table, totals
from ictus.model.host_checks import check_hosts
from ictus.model.plan import Plan
from ictus.programs.exit_skew import exit_skew_table, summarise_exits
from ictus.programs.profile.tables import group_table, profile_table, rank_table
from ictus.render import terminal
from ictus.render.output import as_json
from ictus.render.page import Page, Section, render_page
from ictus.render.table import Cell, Column, Output, Table, Times, View, records, row_columns
from ictus.stats import claim_rules as rules
from ictus.stats.mean import MeanInterval
from ictus.stats.verdict import stars
from ictus.studies.claim import ClaimResult
from ictus.studies.claim_tables import verdict_table
from ictus.studies.clock_accuracy.equal_time import Match, match_table
from ictus.studies.clock_drift.regressions import TreeRow, tree_table
from ictus.studies.judging import ClaimVerdict
from ictus.studies.network.analysis import LinkSummary, SizeTimes
from ictus.studies.network.tables import size_table
from ictus.studies.precision.study import GoalTrial, Reached, trial_table
from ictus.studies.sync_worlds.claims import ArityRow, BoundRow, arity_table, bound_table
from ictus.tuning.outcome import tuned_row
from ictus.tuning.tables import tune_table
from ictus.verification.campaign import Verification
from ictus.verification.problem import Problem
from ictus.verification.tables import problem_table

SOURCE = Path(__file__).parents[2] / "src" / "ictus"
FORMAT1 = Path(__file__).parents[1] / "data" / "format1"
SIMULATED = ("--launcher", "simulated", "--scenario", "world.json", "-m", "mpich", "-m", "openmpi")

Command = tuple[str, ...]
Seen = list[tuple[str, Table[Any]]]
"""Tables that a command made, each with the function that declares it."""


# What shows every table: a command over a folder, and what has to be there before it.


def nothing(_: Ictus) -> None:
    """The command needs no folder; it looks at the libraries of this machine, and waits for their builds."""


def nothing_to_do(_: Ictus) -> None:
    """The command needs no folder and no library."""


def old(name: str) -> Callable[[Ictus], None]:
    """A folder of an earlier version."""
    return lambda _: shutil.copytree(FORMAT1 / name, name) and None


def clocks(study: Mapping[str, Any]) -> Callable[[Ictus], None]:
    """A study of clocks that was kept."""
    return lambda _: Path("clocks.json").write_text(json.dumps(study)) and None


def campaign(scenario: Scenario) -> Callable[[Ictus], None]:
    """A campaign of arithmetic."""
    return lambda _: write_folder(Path("camp"), scenario) and None


def measured(*words: str, **world: Any) -> Callable[[Ictus], None]:
    """What a command measures in a simulated world of two libraries."""

    def measure(run: Ictus) -> None:
        Path("world.json").write_text(json.dumps({**WORLD, **world}))
        answer = run(*words, *SIMULATED)
        assert answer.code == 0, answer.err

    return measure


GIGAHERTZ = frequency(2e9, [[2e9 + 200, 2e9], [2e9, 2e9 - 400]], [[2e9 + 8000], [2e9 - 2000]])
VIOLATED = {"operation_factors": {"mpich:gather": 1.6, "mpich:bcast:4096": 12.0}}
CHECK = ("-n", "4", "--sizes", "8,512,4Ki", "--nrep", "20", "--launches", "12", "--seed", "3")
SMALL = (*PLAN, "--op", "bcast", "--sizes", "8,32Ki")
FEW = ("--sizes", "8,8Ki", "--launches", "6", "--nrep", "20", "--seed", "3")
SHOWN: dict[str, tuple[Callable[[Ictus], None], Command, set[str]]] = {
    "show": (campaign(Scenario(late_share=0.1)), ("show", "camp"), {"comparison.case_table.case_table"}),
    "goal": (
        measured("run", *SMALL, "--until", "5 %", "-o", "camp"),
        ("report", "camp"),
        {"comparison.goal.goal_section"},
    ),
    "compare": (
        campaign(
            Scenario(libraries=("mpich", "openmpi", "mvapich"), procsyncs=("window", "barrier"), sizes=(8, 4096))
        ),
        ("compare", "camp"),
        {"comparison.tables.comparison_table", "comparison.tables.ranking_table", "comparison.tables.share_table"},
    ),
    "modes": (
        measured("run", *SMALL, "--launches", "16", "-o", "camp", **CROSSED),
        ("compare", "camp"),
        {"comparison.mode_table.mode_table"},
    ),
    "launches": (
        measured("run", *SMALL, "-o", "camp", **CROSSED),
        ("show", "camp", "--launches"),
        {"comparison.launch_table.launch_table"},
    ),
    "processes": (
        measured("run", *SMALL, "-n", "2,4", "-o", "camp"),
        ("show", "camp", "--over-processes"),
        {"comparison.over_processes.scaling_table"},
    ),
    "check": (
        measured("check", *CHECK, "--guidelines", "GL2,GL10", "-o", "chk", **VIOLATED),
        ("check", "chk"),
        {f"guidelines.check.tables.{one}_table{s}" for one, s in
         (("count", ""), ("guideline", ""), ("size", "s"), ("loss", ""), ("rule", ""))},
    ),
    "study": (
        measured("study", "run-to-run", "--quick", "--launches", "6", "-o", "camp"),
        ("study", "run-to-run", "camp"),
        {"studies.launches.study._spread_table"},
    ),
    "study-of-two": (
        measured("study", "compare-two", "--quick", "--launches", "6", "-o", "camp", noise=0.01, launch_spread=0.02),
        ("study", "compare-two", "camp"),
        {"studies.launches.compare_two._table"},
    ),
    "study-of-remedies": (
        measured("study", "remedies", "--quick", "-o", "camp",
                 noise=0.02, operation_factors={"scatter": 3.0, "scatter_as_bcast": 1.1}),
        ("study", "remedies", "camp"),
        {"studies.remedies.study.remedy_table"},
    ),
    "study-of-exchanges": (
        measured("study", "sparse-exchange", "--quick", "-o", "camp",
                 noise=0.01, set_ups_s={"neighbor_alltoall": 1e-4, "sparse_alltoall": 1e-5}),
        ("study", "sparse-exchange", "camp"),
        {"studies.sparse_exchange.study.exchange_table"},
    ),
    "study-of-repetitions": (
        measured("study", "nrep", "--quick", "--launches", "6", "-o", "camp", noise=0.25),
        ("study", "nrep", "camp"),
        {"studies.nrep.claims.stop_table"},
    ),
    "study-of-suites": (
        measured("study", "suites", "--quick", "-o", "camp", noise=0.005),
        ("study", "suites", "camp"),
        {"studies.lens.claims.report_table", "studies.lens.claims.print_table"},
    ),
    "study-of-trials": (
        measured("study", "reproducibility", "--quick", "--launches", "4", "-o", "camp", noise=0.02, launch_spread=0.1),
        ("study", "reproducibility", "camp"),
        {"studies.reproduce.claims.nearer_table"},
    ),
    "study-of-campaigns": (
        measured("study", "apart", "--quick", "--launches", "2", "-o", "camp", noise=0.02),
        ("study", "apart", "camp"),
        {"studies.reproduce.apart._table"},
    ),
    "studies": (nothing_to_do, ("study", "list"), {"studies.claim_tables.list_table"}),
    "history": (
        keep_history,
        ("history", "--store", "kept"),
        {"histories.tables.change_table", "histories.tables.last_table"},
    ),
    "accuracy": (
        old("clocks-accuracy"),
        ("clocks", "accuracy", "clocks-accuracy"),
        {"studies.clock_accuracy.tables.error_table", "studies.clocks.tables.overview"},
    ),
    "accuracy-of-ranks": (
        old("clocks-accuracy"),
        ("clocks", "accuracy", "clocks-accuracy", "--per-rank"),
        {"studies.clock_accuracy.tables.rank_table"},
    ),
    "pareto": (
        clocks(accuracy(2, (5,), GRID)),
        ("clocks", "pareto", "clocks.json"),
        {"studies.clock_pareto.tables.pareto_table"},
    ),
    "drift": (
        old("clocks-drift"),
        ("clocks", "drift", "clocks-drift"),
        {"studies.clock_drift.tables.drift_table", "studies.clock_drift.tables.departure_table"},
    ),
    "frequency": (
        clocks(launches("frequency", GIGAHERTZ)),
        ("clocks", "frequency", "clocks.json"),
        {"studies.frequency.tables.frequency_table"},
    ),
    "rtt": (
        lambda _: Path("rtt.json").write_text(json.dumps(round_trips())) and None,
        ("clocks", "rtt", "rtt.json"),
        {"studies.rtt.tables.round_trip_table", "studies.rtt.tables.quality_table"},
    ),
    "network": (
        lambda _: Path("network.json").write_text(json.dumps(network())) and None,
        ("network", "network.json"),
        {f"studies.network.tables.{one}_table" for one in ("loggp", "bisection", "noise")},
    ),
    "communicators": (
        lambda _: Path("communicators.json").write_text(json.dumps(communicators())) and None,
        ("communicators", "communicators.json"),
        {"studies.communicators.tables.creation_table"},
    ),
    "skew": (old("skew"), ("barriers", "skew", "skew"), {"studies.exit_skew.tables.skew_table"}),
    "skew-of-ranks": (
        old("skew"), ("barriers", "skew", "skew", "--per-rank"), {"studies.exit_skew.tables.exit_tables"},
    ),
    "impact": (
        measured("barriers", "impact", "--op", "bcast", *FEW, "--procsync", "none,window,barrier(library)",
                 "-o", "camp", procsync_factors={"openmpi:barrier": 0.9, "barrier": 1.2}),
        ("barriers", "impact", "camp"),
        {"studies.barrier_impact.tables.matrix_tables", "studies.barrier_impact.tables.contest_table"},
    ),
    "window": (
        measured("procsync", "window", "--windows", "20us,50us", "--op", "alltoall", *FEW, "-o", "camp"),
        ("procsync", "window", "camp"),
        {"studies.window_size.tables.window_table"},
    ),
    "times": (
        measured("procsync", "times", "--op", "alltoall", *FEW, "-o", "camp"),
        ("procsync", "times", "camp"),
        {"studies.local_and_global.tables.times_table"},
    ),
    "persistent": (
        measured("persistent", "--op", "bcast", *FEW, "-o", "camp", noise=0.01,
                 set_ups_s={"bcast_init": 1e-5}, operation_factors={"bcast_init": 0.8}),
        ("persistent", "camp"),
        {"studies.persistent.tables.persistent_table"},
    ),
    "lens": (
        measured("lens", "--op", "bcast", *FEW, "-o", "looked", barrier_s=1.5e-6),
        ("lens", "looked"),
        {f"studies.lens.tables.{one}" for one in ("headline_tables", "ratio_table", "detail_tables", "suite_table")},
    ),
    "nrep": (old("nrep"), ("nrep", "nrep"), {"studies.nrep.tables.nrep_table"}),
    "overlap": (
        lambda _: keep_overlap(Path("study"), 6, ("first", "second")),
        ("overlap", "study"),
        {f"studies.overlap.tables.{one}_table" for one in ("overlap", "side", "progress")},
    ),
    "reproduce": (
        measured("reproduce", *FEW, "--trials", "2", "--lens", "osu", "-o", "again"),
        ("reproduce", "again"),
        {"studies.reproduce.tables.diff_table", "studies.reproduce.tables.result_table",
         "studies.reproduce.tables.way_table"},
    ),
    "diagnose": (campaign(PLANTED), ("diagnose", "camp"), {"diagnosis.tables.diagnosis_table"}),
    "diagnose-one": (
        campaign(PLANTED),
        ("diagnose", "camp", "--op", "bcast", "--case", "0"),
        {"diagnosis.tables.launch_table"},
    ),
    "operations": (nothing, ("list", "operations"), {"cli.list_operations._table"}),
    "algorithms": (nothing, ("list", "algorithms"), {"cli.list_operations._algorithm_table"}),
    "doctor": (nothing, ("doctor",), {"cli.doctor._lines"}),
    "mpi": (nothing, ("mpi", "list"), {"cli.mpi.list_installations"}),
}  # fmt: skip

SCRIPTS: dict[str, Command] = {"goal": ("show", "camp")}
"""What gives the JSON, where it is another command."""
CSV_APART = {
    "rtt": "leaves out lists of objects",
    "nrep": "has the numbers of all launches in one cell",
    "diagnose": "has a row for each launch",
    "diagnose-one": "has a row for each launch",
    "doctor": "measures again",
}
"""Whose CSV is another one than the rows of JSON, and why."""


# What every output shows, read back from its text.


@dataclass
class Shown:
    """Headings and rows of cells as an output shows them."""

    headings: list[str]
    rows: list[list[str]]


class _PageTable(HTMLParser):
    """Headings and rows of the first table of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.shown, self._row, self._in = Shown([], []), list[str](), False

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        self._row = [] if tag == "tr" else self._row
        if tag in ("th", "td"):
            self._in = True
            self._row.append("")

    def handle_endtag(self, tag: str) -> None:
        self._in = self._in and tag not in ("th", "td")
        if tag == "thead":
            self.shown.headings = self._row
        if tag == "tr" and self._row:
            self.shown.rows.append(self._row)

    def handle_data(self, data: str) -> None:
        if self._in:
            self._row[-1] += data.replace("\N{NO-BREAK SPACE}", " ")


def on_page(table: Table[Any]) -> Shown:
    """The table as the page has it; rows that are titles of groups are left out."""
    page = Page(
        title="",
        where="",
        reproduce_command="",
        ictus="",
        question="",
        facts=(),
        sections=(Section("a", "", (), tables=(table,)),),
    )
    parser = _PageTable()
    parser.feed(render_page(page).replace("</thead>", "</thead><!---->"))
    head = any(column.heading for column in table.columns)
    rows = [row for row in parser.shown.rows[1 if head else 0 :] if len(row) > 1 or len(table.columns) == 1]
    return Shown(parser.shown.rows[0] if head else [], rows)


def in_markdown(table: Table[Any]) -> Shown:
    """The table as Markdown has it."""
    lines = [line for line in ictus.render.markdown.table_lines(table) if line.startswith("|")]
    cells = [[re.sub(r"\\(.)", r"\1", one).strip() for one in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return Shown(cells[0], cells[2:])


def on_terminal(table: Table[Any]) -> list[str]:
    """The lines of the terminal without blanks: a column has no border there."""
    return ["".join(line.plain.split()) for line in terminal.lines(table, 10_000)]


# What is expected of them: worked out from the columns alone.


def columns_for(table: Table[Any], output: str) -> list[Column[Any]]:
    """The declared columns of an output, in its order."""
    own = [column for column in table.columns if output in column.only]
    return sorted(own, key=lambda one: one.importance) if output == "page" and table.important_first else own


def rows_of(table: Table[Any], columns: Sequence[Column[Any]]) -> Iterator[list[Cell | None]]:
    """The declared cells; None where a row repeats the text of the one above."""
    for block in table.blocks:
        above = None
        for row in block.rows:
            first = columns[0].of(row).text
            again = above is not None and _same(first, above)
            yield [None if again and column.once else column.of(row) for column in columns]
            above = first


def _same(one: str | Times, other: str | Times) -> bool:
    return one == other if isinstance(one, str) else isinstance(other, Times) and one.seconds == other.seconds


NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
SCALES = [1.0, 100.0, 1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9, 1 / 1024, 1 / 1024**2, 1 / 1024**3]


def says(text: str, value: Any) -> bool:
    """Whether a text may be what people read of a value: three digits of a number, in any unit."""
    if value is None or value == "" or (isinstance(value, float) and math.isnan(value)):
        return not NUMBER.search(text)
    if isinstance(value, bool):
        return text in ("", "yes", "no", "*", "●", "✓") or not NUMBER.search(text)
    if isinstance(value, (int, float)):
        numbers = [one.replace(",", "") for one in NUMBER.findall(text)]
        found = [
            (float(one), max(0.51 * 10.0 ** -len(one.partition(".")[2]), 6e-3 * abs(float(one)))) for one in numbers
        ]
        near = any(abs(one - value * scale) <= last for one, last in found for scale in SCALES)
        return near or (text.startswith("<") and value < 1) or (value == 0 and text in ("", "–"))
    if isinstance(value, Mapping):
        return any(says(text, one) for one in value.values())
    if isinstance(value, (list, tuple)):
        return " x ".join(map(str, value)) == text or any(says(text, one) for one in value)
    shown, known = (set(re.findall(r"[a-z0-9]+", one.lower())) for one in (text, str(value)))
    return text == value or shown <= known or known <= shown or text in value or value in text


def values_of(document: Any, key: str) -> Iterator[Any]:
    """All that JSON has under a name, however deep."""
    if isinstance(document, Mapping):
        for name, value in document.items():
            if name == key:
                yield value
            yield from values_of(value, key)
    elif isinstance(document, list):
        for one in document:
            yield from values_of(one, key)


TRANSLATED = {
    "state": "marks",
    "fault": "words",
    "volume": "words",
    "proof": "words",
    "result": "words",
    "factor": "its title",
    "algorithm": "without the settings that have columns",
    "compile_s": "measured again by each run of doctor",
    "launch_s": "measured again by each run of doctor",
    "late": "a share",
    "long": "a share",
    "gap_per_byte_s": "its inverse, a bandwidth",
    "gap_per_byte_s_low": "inverses, bandwidths",
}
"""Keys whose values people read otherwise, and as what."""


def check(table: Table[Any], document: Mapping[str, Any], *, same: bool = True) -> None:
    """All outputs of a table show its declared columns and cells, and JSON has them under the columns' keys: `same`
    values, where they are of the same measurement.
    """
    for output, shown in (("page", on_page(table)), ("markdown", in_markdown(table))):
        columns = columns_for(table, output)
        if shown.headings:
            titles = [
                "".join(column.ends) if column.ends and output == "page" else column.heading for column in columns
            ]
            assert [" ".join(one.split()) for one in shown.headings] == titles, output
        expected = list(rows_of(table, columns))
        assert len(shown.rows) == len(expected), output
        for texts, cells in zip(shown.rows, expected, strict=True):
            assert len(texts) == len(cells), output
            for text, cell in zip(texts, cells, strict=True):
                assert _shows(text, cell, own_unit=output == "markdown"), (output, text, cell)
    _check_terminal(table)
    _check_p_values(table, document)
    for column in table.columns:
        if column.key:
            _check_values(table, column, document, same=same)


P_VALUE = re.compile(r"(?:^|_)p(?:_value|_less|_greater|_valid|_adjusted)?$")
"""Keys of p-values."""


def _check_p_values(table: Table[Any], document: Mapping[str, Any]) -> None:
    """A p-value of a case alone is `p`, which may follow its test, an adjusted one `adjusted p`; stars are those of an
    adjusted one.
    """
    for column in table.columns:
        if P_VALUE.search(column.key):
            adjusted = column.key.endswith("p_adjusted")
            assert column.heading.endswith("p"), (column.key, column.heading)
            assert (column.heading == "adjusted p") == adjusted, (column.key, column.heading)
            assert adjusted or column.heading == "p" or column.key.endswith("_p"), (column.key, column.heading)
    for row in _with(document, "stars"):
        judged = [row, *row.get("by_mode", ())]
        assert row["stars"] in ("", *(stars(one["p_adjusted"]) for one in judged)), row


def _with(document: Any, key: str) -> Iterator[Mapping[str, Any]]:
    """All objects of JSON that have a key, however deep."""
    if isinstance(document, Mapping):
        if key in document:
            yield document
        document = list(document.values())
    if isinstance(document, list):
        for one in document:
            yield from _with(one, key)


def _shows(text: str, cell: Cell | None, *, own_unit: bool) -> bool:
    """Whether a text is what the declared cell says."""
    if cell is None or cell.drawing:
        return text == ""
    if isinstance(cell.text, str):
        return " ".join(text.split()) == " ".join(cell.text.split())
    del own_unit
    return all(says(text, one) for one in cell.text.seconds) or (len(cell.text.seconds) > 1 and text == "–")


def _check_terminal(table: Table[Any]) -> None:
    """Every row is a line: its cells, in order."""
    columns = columns_for(table, "terminal")
    lines = on_terminal(table)
    if not table.blocks:
        assert lines == []
        return
    if table.kind != "marks" and any(column.heading for column in columns):
        heading = "".join("".join(column.heading.split()) for column in columns)
        assert lines.count(heading) == len(table.blocks), heading
    at = 0
    for cells in rows_of(table, columns):
        row = re.compile("".join(_pattern(cell, table.kind) for cell in cells))
        at = next((place for place in range(at, len(lines)) if row.fullmatch(lines[place])), -1) + 1
        assert at, (row.pattern, lines)


def _pattern(cell: Cell | None, kind: str) -> str:
    if cell is None:
        return ""
    if isinstance(cell.text, Times):
        return r"[^●]*?"
    return re.escape("".join((cell.short if kind == "marks" and cell.short else cell.text).split()))


def _check_values(table: Table[Any], column: Column[Any], document: Mapping[str, Any], *, same: bool) -> None:
    """What people read in a column is a value that JSON has under its key."""
    rows = [row for block in table.blocks for row in block.rows]
    known = list(values_of(document, column.key))
    assert known or not rows, f"JSON has no '{column.key}'"
    if column.key in TRANSLATED or not same:
        return
    for row in rows:
        cell = column.of(row)
        if table.columns[0].of(row).style == "dim":  # a row that says what the others are relative to
            continue
        times = cell.text.seconds[:1] if isinstance(cell.text, Times) else ()
        found = any(_equal(times[0], one) for one in known) if times else any(says(cell.shown, one) for one in known)
        assert found, (column.key, cell, known[:20])


def _equal(seconds: float | None, value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_equal(seconds, one) for one in value)
    if isinstance(value, Mapping):
        return any(_equal(seconds, one) for one in value.values())
    if seconds is None or math.isnan(seconds):
        return value is None
    return isinstance(value, (int, float)) and math.isclose(value, seconds, rel_tol=1e-9, abs_tol=1e-15)


def check_csv(text: str, document: Mapping[str, Any]) -> None:
    """CSV has the rows of JSON: the same names in the same order, the same values."""
    header, *rows = csv.reader(io.StringIO(text)) if text else [[]]
    flat = [_flat(row) for row in document["rows"]]
    assert header == list(dict.fromkeys(name for row in flat for name in row))
    assert len(rows) == len(flat)
    for cells, row in zip(rows, flat, strict=True):
        assert all(_equal_texts(cell, _in_csv(row.get(name))) for cell, name in zip(cells, header, strict=True))


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in row.items():
        flat |= value if isinstance(value, Mapping) else {name: value}
    return flat


def _in_csv(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: ""}[value]
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


def _equal_texts(one: str, other: str) -> bool:
    """Sums of threads may differ in the last digit from one reading to the next."""
    return one == other or (bool(NUMBER.match(one)) and math.isclose(float(one), float(other), rel_tol=1e-12))


# The tests.


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """Every table that is made from here on."""
    tables: Seen = []
    made = Table.__init__

    def spy(self: Table[Any], *values: Any, **more: Any) -> None:
        made(self, *values, **more)
        frame = sys._getframe(1)
        while frame.f_code.co_name.startswith("<") and frame.f_back:
            frame = frame.f_back
        tables.append((f"{frame.f_globals['__name__']}.{frame.f_code.co_name}".removeprefix("ictus."), self))

    monkeypatch.setattr(Table, "__init__", spy)
    return tables


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=(pytest.mark.mpi, pytest.mark.beside) if SHOWN[name][0] is nothing else ())
        for name in SHOWN
    ],
)
def test_what_a_command_shows_is_the_same_in_every_output(ictus: Ictus, seen: Seen, name: str) -> None:
    """Its tables on terminal and page, and as Markdown; its JSON and CSV."""
    prepare, words, functions = SHOWN[name]
    prepare(ictus)
    answer = ictus(*SCRIPTS.get(name, words), "--json")
    assert answer.code == 0, answer.err
    document = json.loads(answer.out)
    if name not in CSV_APART:
        check_csv(ictus(*SCRIPTS.get(name, words), "--csv").out, document)
    assert ictus(*words).code == 0
    assert functions <= {one for one, _ in seen}
    for function, table in {one: table for one, table in seen if one in functions}.items():
        assert table.blocks, function
        check(table, document, same=name != "doctor")


EXITS = summarise_exits(log({(0, rank): [rank * 1e-6] * 8 for rank in range(3)}), REPORT)
WRONG = (
    Problem("0001-mpich", "samples.npy", "3", "valid", "39", "40, as samples.npy has it"),
    Problem("", "schedule.json", "", "seed", "1", "2, the campaign's"),
)
FOUND_WRONG = Verification(Path("camp"), WRONG, 2, 8, 800, 0, 22, ())
SAID = [
    ClaimVerdict(CLAIMS[0], ClaimResult(rules.Ruling(rules.Seen.HOLDS, 0.01), "so it was"), None),
    ClaimVerdict(CLAIMS[1], ClaimResult(rules.Ruling(rules.Seen.CANNOT_BE_SEEN, None), "there is one library"), None),
]
HOSTS = [
    FINE,
    replace(FINE, name="n2", governor="powersave", others=2.5, ranks=FINE.ranks[:1]),
]
BAD_HOSTS = check_hosts(HOSTS)
LINK_SIZES = [
    SizeTimes(8 << at, *(MeanInterval(base, 0.9 * base, 1.1 * base) for base in (2e-6, 3e-7, 1e-7))) for at in (0, 7)
]
LINK_COLUMNS = row_columns("""
    size_bytes round_trip_s=round_trip_s.mean round_trip_s_low round_trip_s_high gap_s=gap_s.mean gap_s_low gap_s_high
    overhead_s=overhead_s.mean overhead_s_low overhead_s_high
""")
LINK = LinkSummary(0, 1, ("n1", "n2"), "between hosts", 3, tuple(LINK_SIZES), ())

CALLED: list[dict[str, Any]] = [
    {
        "operation": "Allreduce",
        "smallest_bytes": 2049,
        "largest_bytes": 2100,
        "communicator": "MPI_COMM_WORLD",
        "n_ranks": 4,
        "n_remote": 0,
        "ranks": "0-3",
        "datatype": "MPI_DOUBLE",
        "op": "MPI_SUM",
        "root": None,
        "in_place": True,
        "site": "solver.c:12",
        "calls": 1200,
        "bytes": 3145728,
        "mean_s": 3.25e-6,
        "share": 0.0625,
        "waiting_share": 0.03125,
        "waiting_low_share": 0.03,
        "waiting_high_share": 0.0325,
    },
    {
        "operation": "Bcast",
        "smallest_bytes": 8,
        "largest_bytes": 8,
        "communicator": "half",
        "n_ranks": 2,
        "n_remote": 3,
        "ranks": "1,2",
        "datatype": "MPI_CHAR",
        "op": "",
        "root": 1,
        "in_place": False,
        "site": "solver.c:15",
        "calls": 7,
        "bytes": 56,
        "mean_s": 1.5e-6,
        "share": None,
        "waiting_share": None,
        "waiting_low_share": None,
        "waiting_high_share": None,
    },
]
WAITING: list[dict[str, Any]] = [
    {
        "rank": 1,
        "time_s": 0.5,
        "waiting_s": 0.0625,
        "waiting_low_s": 0.05,
        "waiting_high_s": 0.075,
        "transfer_s": 0.4375,
        "awaited_s": 0.03125,
        "last_calls": 30,
        "sampled_calls": 40,
    },
    {
        "rank": 0,
        "time_s": 0.25,
        "waiting_s": None,
        "waiting_low_s": None,
        "waiting_high_s": None,
        "transfer_s": None,
        "awaited_s": None,
        "last_calls": None,
        "sampled_calls": None,
    },
]
ADVISED, PROVEN = [call_row(one) for one in ADVICE.calls], [remedy_row(one) for one in ADVICE.remedies]
MERGED = (TreeRow(2, 0, 1.52e-8, 2.5e-3), TreeRow(4096, 11, 1.84e-7, 0.03125))
MATCHED = Match("flat, 16 hosts", 0.005, "ictus(fitpoints=30)", "jk(fitpoints=10)", (1e-6, 2e-6), (3e-6, 5e-6))
BOUNDED = BoundRow("flat, 16 hosts", 0, 100, 4.7e-6, 6.5e-9)
ARITY = ArityRow("1 us, 16 hosts", 16, "auto", 15, 9.6, [1e-6, 1.1e-6], [0.1, 0.1])
TRIAL = GoalTrial("mpich", Reached(0.1, 0.05, 6, 240_000, 5.2), Reached(0.099, 0.06, 7, 28_159, 2.5))

DIRECT: dict[str, tuple[Table[Any], list[dict[str, Any]]]] = {
    "studies.claim_tables.verdict_table": (verdict_table(SAID), [one.as_row() for one in SAID]),
    "studies.clock_drift.regressions.tree_table": (tree_table(MERGED, "made up"), [vars(one) for one in MERGED]),
    "studies.clock_accuracy.equal_time.match_table": (match_table([MATCHED]), [MATCHED.as_row()]),
    "studies.sync_worlds.claims.bound_table": (bound_table([BOUNDED]), [vars(BOUNDED)]),
    "studies.sync_worlds.claims.arity_table": (arity_table([ARITY]), [ARITY.as_row()]),
    "studies.precision.study.trial_table": (trial_table([TRIAL], Plan()), [TRIAL.as_row()]),
    "guidelines.dims.tables.total_table": (total_table([KEPT, SPOILT]), totals([KEPT, SPOILT])),
    "guidelines.dims.tables.answer_table": (answer_table([SPOILT]), dims_rows([SPOILT])),
    "programs.exit_skew.exit_skew_table": (exit_skew_table(EXITS, REPORT), [asdict(one) for one in EXITS]),
    "cli.doctor.host_table": (host_table(HOSTS), [host_row(one) for one in HOSTS]),
    "cli.doctor.finding_table": (finding_table(BAD_HOSTS), records(BAD_HOSTS)),
    "studies.network.tables.size_table": (
        size_table(LINK),
        records(LINK_SIZES, LINK_COLUMNS),
    ),
    "advice.tables.advice_table": (advice_table(ADVISED), ADVISED),
    "advice.tables.proof_table": (proof_table(PROVEN), PROVEN),
    "programs.profile.tables.profile_table": (profile_table(CALLED), CALLED),
    "programs.profile.tables.group_table": (group_table(CALLED, "place"), CALLED),
    "programs.profile.tables.rank_table": (rank_table(WAITING), WAITING),
    "verification.tables.problem_table": (problem_table(FOUND_WRONG), records(WRONG)),
    "tuning.tables.tune_table": (tune_table(SOME), [tuned_row(one) for one in SOME]),
}
"""Tables of commands that need a real library or measure for long, with their rows for scripts."""


@pytest.mark.parametrize("name", DIRECT)
def test_so_are_tables_of_what_needs_a_library(name: str) -> None:
    """The same, of results that are made up."""
    table, rows = DIRECT[name]
    check(table, json.loads(as_json("", (), rows)))


def test_no_table_is_left_out() -> None:
    """Every function that declares a table is in one of the lists above."""
    declared = set[str]()
    for path in SOURCE.rglob("*.py"):
        module = ".".join(path.relative_to(SOURCE).with_suffix("").parts)
        text = path.read_text("utf-8")
        for function in ast.walk(ast.parse(text if "Table(" in text else "")):
            if isinstance(function, ast.FunctionDef) and any(
                isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "Table"
                for one in ast.walk(function)
            ):
                declared.add(f"{module}.{function.name}")
    assert declared == {*DIRECT, *(name for _, _, functions in SHOWN.values() for name in functions)}


@pytest.mark.parametrize("output", ["terminal", "page", "markdown", "rows"])
@pytest.mark.parametrize("fault", ["dropped", "renamed"])
def test_an_output_that_drops_or_renames_a_column_is_found(
    monkeypatch: pytest.MonkeyPatch, output: str, fault: str
) -> None:
    """The check above fails where one output alone goes its own way."""
    table, rows = DIRECT["programs.exit_skew.exit_skew_table"]
    if output == "rows":
        rows = [{name: value for name, value in row.items() if name != "mean_s"} for row in rows]
        rows = [{**row, "average_s": 1.0} for row in rows] if fault == "renamed" else rows
    view = Table.view

    def faulty(self: Table[Any], asked: Output) -> View:
        shown = view(self, asked)
        if asked != output:
            return shown
        if fault == "renamed":
            return replace(shown, columns=(*shown.columns[:-1], replace(shown.columns[-1], title="other")))
        blocks = tuple(replace(block, rows=[row[:-1] for row in block.rows]) for block in shown.blocks)
        return replace(shown, columns=shown.columns[:-1], blocks=blocks)

    monkeypatch.setattr(Table, "view", faulty)
    with pytest.raises(AssertionError):
        check(table, {"rows": rows})
