"""`ictus advise` whole, on the example program: a planted algorithm is found, mended and proven in the program; of a
healthy library no gain is claimed.
"""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run_ictus, succeed
from tests.native.programs import compiled

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

EXAMPLES = Path(__file__).parents[2] / "examples"
RULES = """1
2
2
2
3
0 0 0 0
65536 5 0 64
65537 0 0 0
3
1
0 0 0 0
"""
"""Open MPI's allreduce of 64 KiB between two processes as a ring of segments of 64 bytes."""
QUICK = ("--nrep", "20", "--procsync", "barrier", "--clocksync", "none", "--contention-retries", "0", "-n", "2")


def planted(folder: Path) -> tuple[str, ...]:
    """Options that plant the ring, at 64 KiB alone."""
    rules = folder / "planted.rules"
    rules.write_text(RULES)
    values = {"use_dynamic_rules": "true", "priority": "90", "dynamic_rules_filename": str(rules)}
    return tuple(word for name, value in values.items() for word in ("--env", f"OMPI_MCA_coll_tuned_{name}={value}"))


def advised(folder: Path, *words: object, steps: int = 4000) -> dict[str, Any]:
    """The advice on the example, compiled with Open MPI, for that number of steps."""
    file = folder / "halo_allreduce"
    if not file.exists():
        compiled("openmpi", "halo_allreduce", folder, "-g", folder_of_source=EXAMPLES)
    answer = succeed("advise", "-m", "openmpi", *QUICK, *words, "--json", "--", file, steps)
    return dict(json.loads(answer.out))


def test_of_a_program_whose_calls_cost_little_nothing_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a threshold that no call reaches the profile is all: its share of MPI is told, and nothing to do. The same
    command says the same again without a launch; another program needs another folder.
    """
    out = tmp_path / "advice"
    found = advised(tmp_path, "--least", "99 %", "-o", out, steps=20)
    assert (found["schema"], found["rows"], found["to_do"]) == ("ictus.advise/1", [], [])
    assert found["advice"].startswith("Nothing to gain: ")
    assert f"{found['mpi_share']:.1%} of the time" in found["advice"]
    assert {one.name for one in out.iterdir()} == {"advise.json", "profile", "advice.html"}
    assert advised(tmp_path, "--least", "99 %", "-o", out, steps=20) == found
    other = run_ictus("advise", "-m", "openmpi", *QUICK, "--least", "99 %", "-o", out, "--", tmp_path / "planted")
    assert (other.code, "does not exist" in other.err) == (2, True)
    (tmp_path / "here.conf").touch()
    monkeypatch.chdir(tmp_path)
    other = run_ictus("advise", "-m", "openmpi", *QUICK, "--env", "A=here.conf", "-o", "new", "--", "./halo_allreduce")
    assert (other.code, "give its whole path" in " ".join(other.err.split())) == (2, True), other.err
    assert not Path("new").exists()
    other = run_ictus(
        "advise", "-m", "openmpi", *QUICK, "--least", "2 %", "-o", out, "--", tmp_path / "halo_allreduce", "20"
    )
    assert (other.code, "least: 0.99 there, 0.02 asked for" in " ".join(other.err.split())) == (2, True), other.err


@pytest.mark.long
def test_a_planted_algorithm_is_found_mended_and_proven_in_the_program(tmp_path: Path) -> None:
    """The check finds the ring at the program's own size, the tuning replaces it, and the program runs faster with the
    file, as do its calls where they could be counted; what is there is not launched again.
    """
    words = (*planted(tmp_path), "--launches", "8", "--limit", "6", "--seed", "1", "--time-budget", "5min")
    found = advised(tmp_path, *words, "-o", tmp_path / "advice")
    (row,) = found["rows"]
    case = tuple(row[key] for key in ("operation", "size_bytes", "n", "datatype", "operator", "state"))
    assert case == ("allreduce", 65536, 2, "double", "sum", "remedied")
    assert row["share"] > 0.5
    assert row["ratio"] < 0.5
    (remedy,) = found["remedies"]
    assert remedy["gains"], remedy
    assert remedy.get("calls_verdict", "faster") == "faster"
    assert remedy["run_ratio"] < 1
    assert any("mpiexec" in line or "exec --redirect" in line for line in found["to_do"])
    assert found["advice"].startswith("The program runs faster: ")
    again = advised(tmp_path, *words, "-o", tmp_path / "advice")
    assert (again["remedies"], again["spent_s"]) == (found["remedies"], found["spent_s"])


LIMITS = {"openmpi": "OMPI_MCA_btl_sm_eager_limit=256", "mpich": "MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_CELL_SIZE=192"}
"""Messages of 512 bytes, the halos of the example, are sent in another way than with the library's own limits."""


@pytest.mark.long
@pytest.mark.parametrize("label", LIMITS)
def test_a_planted_limit_of_eager_messages_is_found_and_proven_in_the_program(label: str, tmp_path: Path) -> None:
    """The example does little but exchange its halos, which no guideline speaks of: settings are tried in it."""
    program = compiled(label, "halo_allreduce", tmp_path, "-g", folder_of_source=EXAMPLES)
    words = (*QUICK, "--env", LIMITS[label], "--launches", "8", "--limit", "4", "--seed", "1", "--time-budget", "20min")
    command = ("advise", "-m", label, *words, "--json", "-o", tmp_path / "advice", "--", program, "20000", "1", "64")
    found = json.loads(succeed(*command).out)
    tried = [one for one in found["tried"] if one["tried_for"] == "messages, 2 processes"]
    name, _, value = LIMITS[label].partition("=")
    shown = name.removeprefix("OMPI_MCA_")
    own = [f"without {name}", f"{shown}={4 * int(value)}", f"{shown}={16 * int(value)}"]
    assert [one["setting"] for one in tried] == own
    assert all(one["ratio"] is not None for one in tried), tried
    assert any(one["is_worth_a_proof"] for one in tried), tried
    remedy = next(one for one in found["remedies"] if one["remedy_for"] == "messages, 2 processes")
    assert remedy["gains"], remedy
    assert remedy["calls_verdict"] == "faster"
    setting, line = found["to_do"]
    assert setting.removeprefix("messages, 2 processes: ") in own
    assert "mpiexec" in line
    assert found["advice"].startswith("The program runs faster: ")
    again = json.loads(succeed(*command).out)
    assert (again["tried"], again["spent_s"]) == (found["tried"], found["spent_s"])


SLOW_SITE = {
    "use_dynamic_rules": "true",
    "priority": "90",
    "allreduce_algorithm": "segmented_ring",
    "allreduce_algorithm_segmentsize": "64",
    "reduce_algorithm": "pipeline",
    "reduce_algorithm_segmentsize": "64",
    "bcast_algorithm": "pipeline",
    "bcast_algorithm_segmentsize": "64",
    "reduce_scatter_block_algorithm": "basic_linear",
}
"""Whatever an allreduce could be made of is slow, by a site's file, of which no variable can be left out."""


@pytest.mark.long
def test_a_plugin_that_is_faster_than_what_the_site_planted_is_advised(tmp_path: Path) -> None:
    """It races with the mock-ups and wins; the program's allreduce becomes the plug-in's, and the program is faster."""
    site = tmp_path / "site.conf"
    site.write_text("".join(f"coll_tuned_{name} = {value}\n" for name, value in SLOW_SITE.items()))
    plugin = EXAMPLES / "plugins/doubling_allreduce.cpp"
    words = ("--plugin", plugin, "--env", f"OMPI_MCA_mca_base_param_files={site}", "--limit", "4", "--launches", "8")
    found = advised(tmp_path, *words, "--seed", "1", "--time-budget", "20min", "-o", tmp_path / "advice", steps=1000)
    (row,) = (one for one in found["rows"] if one["operation"] == "allreduce")
    assert (row["state"], row["remedy"]) == ("remedied", "my_allreduce")
    assert row["ratio"] < 0.5
    assert any(one["gains"] and one["remedy_for"].startswith("allreduce") for one in found["remedies"])
    line = next(one.partition(": ")[2] for one in found["to_do"] if ": ictus exec --redirect" in one and " -- " in one)
    assert found["advice"].startswith("The program runs faster: ")
    ran = run_ictus(*shlex.split(line)[1:])
    assert ran.code == 0, ran.err
    assert "allreduce: 2000 calls, 2000 as my_allreduce" in ran.err
