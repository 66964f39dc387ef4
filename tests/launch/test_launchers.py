"""The words of each launcher, pinned whole."""

from dataclasses import replace
from pathlib import Path

import pytest

from ictus.launch.launchers import LAUNCHERS, Dialect, launcher, with_hosts
from ictus.launch.launchers.srun import plugins_in
from ictus.launch.slurm_steps import step_name
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.job import Job
from ictus.model.library import Installation
from ictus.model.spec import Spec
from ictus.mpi.command import compose
from ictus.mpi.machine import Cores

INSTALLATION = Installation("a", "mpich", "5.0.2", Path("/opt/m/bin/mpicxx"), Path("/opt/m/bin/mpiexec"))

NAMED = f"--job-name={step_name(Path('/'))}"


def job(n_ranks: int = 2, *, pin: bool = True, n_cores: int = 2) -> Job:
    return Job(n_ranks, ("/core", "--plan", "arguments.txt"), Path("/folder"), 60.0, pin=pin, n_cores=n_cores)


def test_mpiexec_is_launcher_placement_exports_program() -> None:
    """The library's own launcher, then what its flavour says, then the program with its arguments."""
    words = launcher("mpiexec").tokens(job(), INSTALLATION, Dialect(("-n", "2"), ("-genv", "A", "b c")))
    expected = ("/opt/m/bin/mpiexec", "-n", "2", "-genv", "A", "b c", "/core", "--plan", "arguments.txt")
    assert expected == words


@pytest.mark.parametrize(
    ("asked", "placement"),
    [
        (job(), ("--ntasks=2", "--cpus-per-task=1", "--cpu-bind=cores")),
        (job(pin=False), ("--ntasks=2", "--cpus-per-task=1", "--cpu-bind=none")),
        (job(8), ("--ntasks=8", "--cpus-per-task=1", "--cpu-bind=none", "--overcommit")),
    ],
    ids=["pinned", "unpinned", "oversubscribed"],
)
def test_srun_places_by_its_own_options(asked: Job, placement: tuple[str, ...]) -> None:
    """Slurm's words, whatever the library; a failing task ends all."""
    words = launcher("srun").tokens(asked, INSTALLATION, Dialect(("-n", "9"), ("-x", "A=b")))
    expected = ("srun", *placement, NAMED, "--kill-on-bad-exit=1", "--export=ALL", "/core", "--plan", "arguments.txt")
    assert expected == words


def test_further_words_follow_our_own_and_precede_the_program() -> None:
    """So that they win where both say something."""
    asked = replace(job(), launcher_options=("--mem-bind", "local"))
    words = launcher("srun").tokens(asked, INSTALLATION, Dialect((), ()))
    assert words[-6:] == ("--export=ALL", "--mem-bind", "local", "/core", "--plan", "arguments.txt")
    composed = compose(INSTALLATION, replace(asked, folder=Path()), "mpiexec", ambient={}, one_host=True).tokens
    plain = compose(INSTALLATION, job(), "mpiexec", ambient={}, one_host=True).tokens
    at = composed.index("--mem-bind")
    assert composed[:at] + composed[at + 2 :] == plain
    assert composed.index("/core") > at


def test_an_unknown_launcher_lists_the_known_ones() -> None:
    """The message says what could have been meant."""
    known = ", ".join(one.name for one in LAUNCHERS)
    with pytest.raises(UsageError, match=rf"^launcher 'mpirun' is unknown; known: {known}; a template has"):
        launcher("mpirun")


PLACED = Job(
    8, ("/core", "--plan", "arguments.txt"), Path("/folder"), 60.0, n_cores=4, nodes=2, ppn=4, launcher_options=("-x",)
)
PROGRAM = ("/core", "--plan", "arguments.txt")
DOCUMENTED = {
    # srun(1): -N, --ntasks-per-node, --distribution=NODES:SOCKETS, --cpu-bind, --overcommit, --mpi
    ("srun", "core"): "srun --ntasks=8 --nodes=2 --ntasks-per-node=4 --cpus-per-task=1 --distribution=block:block "
    f"--cpu-bind=cores {NAMED} --kill-on-bad-exit=1 --export=ALL -x",
    ("srun", "socket"): "srun --ntasks=8 --nodes=2 --ntasks-per-node=4 --cpus-per-task=1 --distribution=block:cyclic "
    f"--cpu-bind=cores {NAMED} --kill-on-bad-exit=1 --export=ALL -x",
    ("srun", "node"): "srun --ntasks=8 --nodes=2 --ntasks-per-node=4 --cpus-per-task=1 --distribution=cyclic:block "
    f"--cpu-bind=cores {NAMED} --kill-on-bad-exit=1 --export=ALL -x",
    # flux-run(1): --nodes, --tasks-per-node, --taskmap; flux-shell(1): cpu-affinity
    ("flux", "core"): "flux run --nodes=2 --tasks-per-node=4 -o cpu-affinity=per-task -x",
    ("flux", "node"): "flux run --nodes=2 --tasks-per-node=4 --taskmap=cyclic -o cpu-affinity=per-task -x",
    # mpiexec(1) of PALS: -n, --ppn, --cpu-bind
    ("pals", "core"): "mpiexec -n 8 --ppn 4 --cpu-bind core -x",
    # jsrun(1): --nrs, --tasks_per_rs, --cpu_per_rs, --rs_per_host, --launch_distribution, --bind
    ("jsrun", "core"): "jsrun --nrs 8 --tasks_per_rs 1 --cpu_per_rs 1 --rs_per_host 4 --launch_distribution packed "
    "--bind packed:1 -x",
    ("jsrun", "node"): "jsrun --nrs 8 --tasks_per_rs 1 --cpu_per_rs 1 --rs_per_host 4 --launch_distribution cyclic "
    "--bind packed:1 -x",
}
"""Words of the engines of sites, as their documentation has them; only srun is run by us (tests/cluster)."""


@pytest.mark.parametrize(("name", "map_by"), DOCUMENTED)
def test_the_engines_of_sites_get_the_words_of_their_documentation(name: str, map_by: str) -> None:
    """Two nodes with four ranks on each, in every order that the engine has."""
    words = launcher(name).tokens(replace(PLACED, map_by=map_by), INSTALLATION, Dialect())
    assert " ".join(words) == DOCUMENTED[name, map_by] + " " + " ".join(PROGRAM)


@pytest.mark.parametrize(("name", "map_by"), [("pals", "node"), ("flux", "socket"), ("jsrun", "socket")])
def test_an_order_that_an_engine_has_no_words_for_is_refused(name: str, map_by: str) -> None:
    """With those that it has."""
    with pytest.raises(UsageError, match=rf"^--map-by '{map_by}': launcher {name} can do core"):
        launcher(name).tokens(replace(PLACED, map_by=map_by), INSTALLATION, Dialect())


@pytest.mark.parametrize(
    ("flavour", "version", "map_by", "expected"),
    [
        ("mpich", "5.0.2", "core", "-n 8 -bind-to core -ppn 4"),
        ("mpich", "5.0.2", "node", "-n 8 -bind-to core -ppn 1"),
        ("mpich", "5.0.2", "socket", "-n 8 -bind-to core -ppn 4 -map-by socket"),
        ("intelmpi", "2021.18", "node", "-n 8 -ppn 1"),
        ("openmpi", "5.0.11", "core", "-n 8 --map-by ppr:4:node --bind-to core"),
        ("openmpi", "5.0.11", "node", "-n 8 --map-by ppr:4:node --rank-by node --bind-to core"),
        ("openmpi", "4.1.4", "core", "-n 8 --map-by ppr:4:node --bind-to core"),
    ],
)
def test_the_launchers_of_libraries_are_told_nodes_and_order(
    flavour: str, version: str, map_by: str, expected: str
) -> None:
    """The mpiexec of each library, in an allocation of just these nodes."""
    installation = replace(INSTALLATION, flavour=flavour, version=version)
    asked = replace(PLACED, map_by=map_by, folder=Path(), launcher_options=())
    words = compose(
        installation, asked, "mpiexec", ambient={}, one_host=False, cores=Cores((0, 1, 2, 3), 4, False)
    ).tokens
    found = [word for word in words[1:] if word not in PROGRAM]
    assert " ".join(found).replace(" -genv ", " -x ").partition(" -x ")[0] == expected


def test_plugins_are_read_from_both_forms_of_srun() -> None:
    """Of release 22.05, below each other; of earlier ones with `srun:` before each. The richest is tried first."""
    new = "MPI plugin types are...\n\tnone\n\tcray_shasta\n\tpmi2\n\tpmix\nspecific pmix plugin versions available: "
    new += "pmix_v4\n"
    old = "srun: MPI types are...\nsrun: none\nsrun: openmpi\nsrun: pmi2\nsrun: pmix_v3\nsrun: pmix\n"
    assert plugins_in(new) == ("pmix", "cray_shasta", "pmi2", "none")
    assert plugins_in(old) == ("pmix", "pmi2", "none", "openmpi")


def test_srun_is_told_the_plugin() -> None:
    """The one that was found to fit."""
    assert "--mpi=pmi2" in launcher("srun").tokens(replace(job(), plugin="pmi2"), INSTALLATION, Dialect())


def test_where_no_plugin_fits_the_librarys_own_launcher_has_all_the_words() -> None:
    """Its own mpiexec in the place of srun, with its own options, and a preloaded library for the ranks alone."""
    asked = replace(job(), plugin="mpiexec", environment={"LD_PRELOAD": "/opt/shim.so"})
    by_srun, own = (compose(INSTALLATION, asked, name, ambient={}, one_host=False) for name in ("srun", "mpiexec"))
    assert by_srun == own
    assert by_srun.tokens[0] == str(INSTALLATION.launcher)
    assert "LD_PRELOAD" not in by_srun.environment


HOSTS = "# of the group\nn1 slots=4\nn2:4\nn1\n\nn3 # slow\n"


def test_hosts_come_from_a_file(tmp_path: Path) -> None:
    """Each once, whatever a library's own form has behind the name; a job takes the first that it needs."""
    (tmp_path / "hosts").write_text(HOSTS)
    text = with_hosts("ssh(agent=/opt/agent,interface=eth0)", tmp_path / "hosts")
    with launcher(text).hosts() as hosts:
        assert hosts is not None
        assert (hosts.addresses, hosts.agent, hosts.interface) == (("n1", "n2", "n3"), "/opt/agent", "eth0")
        assert hosts.first(2).addresses == ("n1", "n2")
        with pytest.raises(UsageError, match=r"^--nodes 4: there are 3 hosts, n1, n2, n3$"):
            hosts.first(4)
    with launcher(with_hosts("mpiexec", tmp_path / "hosts")).hosts() as hosts:
        assert hosts is not None
        assert hosts.agent == "ssh"
    with pytest.raises(UsageError, match=r"--hosts '.*': srun starts on the hosts of its allocation"):
        launcher(with_hosts("srun", tmp_path / "hosts"))
    with pytest.raises(UsageError, match=r"'user' is not a parameter of it; there are agent and interface"):
        launcher("ssh(user=me)")
    (tmp_path / "none").write_text("# nobody\n")
    with pytest.raises(UsageError, match=r"it names no host"):
        with_hosts("ssh", tmp_path / "none")


def test_a_template_gets_what_is_asked(tmp_path: Path) -> None:
    """Words in braces are replaced; the program and the options are words of their own."""
    (tmp_path / "hosts").write_text(HOSTS)
    text = "run 'two words' -n {n} --at={hosts} --each {ppn}x{nodes} {options} {program} --end"
    words = launcher(with_hosts(text, tmp_path / "hosts")).tokens(PLACED, INSTALLATION, Dialect())
    assert words == ("run", "two words", "-n", "8", "--at=n1,n2", "--each", "4x2", "-x", *PROGRAM, "--end")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("run -n {n} {p} {program}", r"'\{p\}' is none of \{n\}, \{nodes\}"),
        ("run {program}", r"it says no number of ranks"),
        ("run -n {n} '{program} x'", r"must be a word of its own"),
        ("run -n {n} {hosts} {program}", r"name the hosts in a file"),
        ("run '-n {n} {program}", r"No closing quotation"),
    ],
)
def test_a_template_that_cannot_be_is_refused(text: str, said: str) -> None:
    """Before anything is started."""
    with pytest.raises(UsageError, match=said):
        launcher(text).check_usable(Spec("tsc"))


def test_a_template_without_a_place_for_nodes_needs_none_in_the_plan() -> None:
    """And one with it needs them."""
    with pytest.raises(UsageError, match=r"\{ppn\} needs --nodes and --ppn"):
        launcher("run -n {n} --ppn {ppn} {program}").tokens(job(), INSTALLATION, Dialect())


def test_engines_of_sites_are_refused_outside_of_an_allocation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where the program is missing, and where the shell is in no allocation: before the first launch."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MeasurementError, match=r"^launcher jsrun: there is no program 'jsrun' here$"):
        launcher("jsrun").check_usable(Spec("tsc"))
    (tmp_path / "jsrun").write_text("#!/bin/sh\n")
    (tmp_path / "jsrun").chmod(0o755)
    monkeypatch.delenv("LSB_JOBID", raising=False)
    with pytest.raises(MeasurementError, match=r"in no allocation \(LSB_JOBID not set\)"):
        launcher("jsrun").check_usable(Spec("tsc"))
    monkeypatch.setenv("LSB_JOBID", "12")
    launcher("jsrun").check_usable(Spec("tsc"))
