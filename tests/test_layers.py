"""Imports run one way, and arithmetic opens no file: the allowed imports of every package, in plain sight."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "ictus"

GROUND = {"model", "stats", "mpi", "launch", "store"}

ALLOWED: dict[str, set[str]] = {
    "model": set(),
    "stats": {"model"},
    "store": {"model", "stats"},
    "launch": {"model"},
    "mpi": {"model", "launch"},
    "engine": GROUND,
    "render": {"model", "stats", "store", "engine"},
    "comparison": {*GROUND, "engine", "render", "interchange"},
    "programs": {*GROUND, "engine", "render"},
    "guidelines": {*GROUND, "engine", "render", "comparison"},
    "tuning": {*GROUND, "engine", "render", "comparison", "guidelines", "programs"},
    "advice": {*GROUND, "engine", "render", "comparison", "guidelines", "tuning", "programs"},
    "diagnosis": {*GROUND, "engine", "render", "comparison"},
    "studies": {*GROUND, "engine", "render", "comparison", "diagnosis", "guidelines", "tuning"},
    "interchange": {*GROUND, "engine", "render"},
    "histories": {"model", "stats", "store", "render", "comparison"},
    "verification": {"model", "store", "render", "comparison"},
    "submission": {*GROUND, "engine", "render"},
    "api": {
        *GROUND,
        "engine",
        "comparison",
        "diagnosis",
        "guidelines",
        "tuning",
        "programs",
        "advice",
        "studies",
        "interchange",
        "histories",
    },
    "cli": {
        *GROUND,
        "engine",
        "render",
        "comparison",
        "diagnosis",
        "guidelines",
        "tuning",
        "programs",
        "advice",
        "studies",
        "histories",
        "interchange",
        "verification",
        "submission",
        "api",
    },
    "__init__": {"api"},
    "__main__": {"cli"},
}
"""What each package or module of `ictus` may import from the others."""

DEBTS: set[tuple[str, str]] = set()
"""Imports against the table that are still to be removed (file, what it imports). None may be added."""

ARITHMETIC = (
    "studies/claim_tables", "studies/clock_accuracy/contenders", "studies/clock_accuracy/equal_time",
    "histories/analysis", "histories/tables", "histories/figures",
    "interchange/suite", "interchange/osu", "interchange/imb", "interchange/reprompi", "interchange/operations",
    "interchange/cases", "interchange/documents", "interchange/registry", "interchange/decoding", "interchange/labels",
    "interchange/output_line", "interchange/failure_words", "interchange/start_command", "interchange/alike",
    "interchange/row_form", "interchange/nccl",
    "verification/plain", "verification/samples", "verification/raw", "verification/schedule", "verification/problem",
    "stats/", "render/figures/", "studies/lens/suites/", "studies/clocks/errors", "studies/clocks/tables",
    "studies/clock_drift/tables", "studies/frequency/tables", "studies/clock_pareto/tables",
    "studies/clock_pareto/figures", "studies/exit_skew/figures", "studies/overlap/figures",
    "studies/overlap/progress",
    "guidelines/verify", "guidelines/judgement", "guidelines/split", "guidelines/catalogue", "guidelines/hockney",
    "guidelines/dims/analysis", "tuning/racing", "tuning/candidates", "tuning/side_effects",
    "advice/outcome", "advice/tables", "diagnosis/analysis", "diagnosis/tables", "diagnosis/figures",
)  # fmt: skip

"""Values in, values out: no file, no process, no network, no clock, no unrecorded chance. So is every analysis.py of a
study.
"""

FORBIDDEN_IN_ARITHMETIC = {
    "asyncio", "glob", "os", "pathlib", "random", "secrets", "shutil", "signal", "socket", "subprocess", "sys",
    "tempfile", "threading", "time",
    "urllib", "http",
}  # fmt: skip

FORBIDDEN_IN_MODEL = {
    "asyncio",
    "glob",
    "os",
    "random",
    "shutil",
    "signal",
    "socket",
    "subprocess",
    "tempfile",
    "threading",
    "time",
}
"""The model reads the shipped describe.json and plans that it is given, and nothing else: no process, no network."""

FILES = sorted(SOURCE.rglob("*.py"))


def package(path: Path) -> str:
    """The package or top-level module that a file belongs to."""
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """Full names of all modules that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute, so that the layer of each can be seen"
            yield node.module or ""


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_run_one_way(path: Path) -> None:
    """A file imports from its own package and from those that its package may know, and from no other."""
    own = package(path)
    assert own in ALLOWED, f"{own} is a new package: say in ALLOWED what it may import"
    module = str(path.relative_to(SOURCE).with_suffix("")).replace("/", ".")
    others = {name for name in imported(path) if name.startswith("ictus.") and name.split(".")[1] != own}
    refused = {name for name in others if name.split(".")[1] not in ALLOWED[own]}
    owed = {
        name for name in refused if any(module == file and name.startswith(f"ictus.{what}") for file, what in DEBTS)
    }
    assert not refused - owed, f"{own} must not import {sorted(refused - owed)}"


def is_analysis(path: Path) -> bool:
    """Whether it is the arithmetic of a study."""
    return package(path) == "studies" and path.name == "analysis.py"


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if str(path.relative_to(SOURCE)).startswith(ARITHMETIC) or is_analysis(path)],
    ids=lambda path: str(path.relative_to(SOURCE)),
)
def test_arithmetic_opens_no_file_and_starts_nothing(path: Path) -> None:
    """Stats, clocks and plot import nothing that reaches the machine, and do not call open."""
    reached = {name.split(".")[0] for name in imported(path)} & FORBIDDEN_IN_ARITHMETIC
    assert set() == reached
    assert "open" not in called(path)


@pytest.mark.parametrize("path", [path for path in FILES if package(path) == "model"], ids=lambda path: path.name)
def test_the_model_starts_no_process_and_knows_no_network(path: Path) -> None:
    """Model imports nothing that starts, waits for or talks to anything."""
    reached = {name.split(".")[0] for name in imported(path)} & FORBIDDEN_IN_MODEL
    if path.name == "input_file.py":  # looks at a file that is open: a name may be exchanged after a look at it
        reached.discard("os")
    assert set() == reached


def called(path: Path) -> set[str]:
    """Names of all plain functions that a file calls."""
    calls = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))
    return {call.func.id for call in calls if isinstance(call.func, ast.Name)}


def test_no_cycle_hides_in_the_table() -> None:
    """The table itself runs one way: packages can be put in an order in which each knows only earlier ones."""
    placed: set[str] = set()
    while len(placed) < len(ALLOWED):
        ready = {name for name, known in ALLOWED.items() if name not in placed and known <= placed}
        assert ready, f"a cycle among {sorted(set(ALLOWED) - placed)}"
        placed |= ready


def module(path: Path) -> str:
    """The full name of a file."""
    return ".".join(("ictus", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")


def circle(imports: Mapping[str, set[str]]) -> list[str]:
    """Modules of which each imports another of them; none where the modules can be put in an order."""
    left = dict(imports)
    while free := {name for name, known in left.items() if not known & left.keys()}:
        left = {name: known for name, known in left.items() if name not in free}
    return sorted(left)


def used(path: Path, names: set[str]) -> Iterator[str]:
    """The modules of these names that a file uses; `from package import module` is the module alone."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from names & {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            whole = {f"{node.module}.{name.name}" for name in node.names}
            yield from (names & whole) or (names & {node.module})


def test_no_file_imports_one_that_imports_it() -> None:
    """At the top, in a function or for an annotation, and through however many others; `ictus` is api's front."""
    names = {module(path) for path in FILES} - {"ictus"}
    assert circle({module(path): {*used(path, names)} for path in FILES}) == []


def test_a_circle_is_found() -> None:
    """Of two, of three, of one with itself; what only leads to it, or away, may be named beside it."""
    assert circle({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert circle({"a": {"b"}, "b": {"a"}, "c": set()}) == ["a", "b"]
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "b", "c"]
    assert circle({"a": {"a"}}) == ["a"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_files_stay_under_300_lines(path: Path) -> None:
    """Small rooms: no source file has more than 300 lines."""
    assert len(path.read_text("utf-8").splitlines()) <= 300


SHAPE = {"__init__", "study", "record", "analysis", "claims", "tables", "figures"}
"""Files of a folder of a study."""


@pytest.mark.parametrize("path", [path for path in FILES if package(path) == "studies"], ids=str)
def test_studies_have_one_shape_and_say_what_stands_apart(path: Path) -> None:
    """Every other file of a study's folder is named, with the reason, in architecture.md."""
    parts = path.relative_to(SOURCE).parts
    if len(parts) == 3 and path.stem not in SHAPE and parts[1] != "clocks":
        text = (SOURCE.parents[1] / "docs" / "explanation" / "architecture.md").read_text("utf-8")
        assert f"`{path.relative_to(SOURCE)}`" in text


def test_a_class_name_occurs_once() -> None:
    """Where two need one, both have a qualifier (a class inside a function too)."""
    places: dict[str, list[str]] = {}
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
