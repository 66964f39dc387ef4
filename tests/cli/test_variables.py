"""Variables in the environment of ranks: what selects algorithms stands in the head of answers, and what Ictus sets by
itself in the report and in the list of libraries, with its reason.
"""

import json
from pathlib import Path

import pytest
from tests.command_line import Ictus
from tests.launch_document import edit_head, launch_document
from tests.synthetic import Scenario, write_folder

from ictus.guidelines.check.analysis import _marks
from ictus.store.campaign import load

FORCED = {"MPIR_CVAR_BCAST_INTRA_ALGORITHM": "binomial", "OMPI_MCA_coll": "basic"}
"""The second means nothing to MPICH."""
SENTENCE = "Variables of the environment select algorithms of mpich: MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial"


def campaign(folder: Path, **head: object) -> Path:
    """Two libraries; `head` are fields of every launch of MPICH."""
    made = write_folder(folder, Scenario(operations=("bcast",), sizes=(8,), launches=6, nrep=20))
    manifest = json.loads((made / "campaign.json").read_text())
    for library in manifest["libraries"]:
        library["flavour"] = library["label"]
    (made / "campaign.json").write_text(json.dumps(manifest))
    for path in made.glob("launches/*mpich*/launch.json") if head else ():
        edit_head(path, **head)
    return made


def test_what_selects_algorithms_stands_in_the_head_of_answers(ictus: Ictus, tmp_path: Path) -> None:
    """Of `show` and `compare`, before the tables, and for scripts."""
    folder = campaign(tmp_path / "c", environment=FORCED)
    for words in (("show", folder), ("compare", folder)):
        said = " ".join(ictus(*words).out.split())
        assert f"{SENTENCE}." in said.partition("library")[0]
        assert json.loads(ictus(*words, "--json").out)["selecting"] == [f"{SENTENCE}."]
    assert json.loads(ictus("show", campaign(tmp_path / "plain"), "--json").out)["selecting"] == []


def test_what_selects_algorithms_is_told_of_a_check_too(tmp_path: Path) -> None:
    """And so of a tuning and of advice, which have these sentences from their checks: whatever remedy wins, the user
    knows what the shell forces.
    """
    assert SENTENCE in _marks(load(campaign(tmp_path / "c", environment=FORCED)))
    assert SENTENCE not in _marks(load(campaign(tmp_path / "plain")))


def test_a_factor_that_selects_algorithms_is_no_surprise(ictus: Ictus, tmp_path: Path) -> None:
    """Tables name it: the launch records it as its variant's."""
    folder = campaign(tmp_path / "c", environment=FORCED)
    for path in folder.glob("launches/*mpich*/launch.json"):
        launcher = launch_document(path.parent)["launcher"]
        edit_head(path, launcher={**launcher, "algorithm": {**launcher["algorithm"], "environment": FORCED}})
    assert json.loads(ictus("show", folder, "--json").out)["selecting"] == []


def test_of_two_campaigns_the_one_with_such_a_variable_is_named(ictus: Ictus, tmp_path: Path) -> None:
    """It may be all that the comparison finds."""
    now, base = campaign(tmp_path / "now", environment=FORCED), campaign(tmp_path / "base")
    assert f"now: {SENTENCE}." in " ".join(ictus("compare", now, base).out.split())


def test_the_report_says_what_ictus_set_and_why(ictus: Ictus, tmp_path: Path) -> None:
    """A launch records the names; versions that did not are shown without."""
    folder = campaign(tmp_path / "c")
    assert "Variables that Ictus set" not in page(ictus, folder)
    name = "MPIR_CVAR_DEFAULT_THREAD_LEVEL"
    for path in folder.glob("launches/*mpich*/launch.json"):
        launcher = launch_document(path.parent)["launcher"] or {}
        given = {name: "MPI_THREAD_MULTIPLE", "FI_PROVIDER": "tcp"}
        edit_head(path, launcher={**launcher, "environment": given, "set_by_ictus": [name]})
    shown = page(ictus, folder).partition("Variables that Ictus set")[2]
    assert f"{name}=MPI_THREAD_MULTIPLE: initialised for several threads, release 5 and later yield" in shown
    assert "FI_PROVIDER=" not in shown.partition("</table>")[0]


def page(ictus: Ictus, folder: Path) -> str:
    """The text of the report."""
    assert ictus("report", folder, "-o", folder / "page.html").code == 0
    return (folder / "page.html").read_text()


def test_the_list_of_libraries_says_what_ictus_sets_on_this_machine(
    ictus: Ictus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Open MPI's wheel is kept from its search for networks; what the shell sets is not Ictus's."""
    shown = " ".join(ictus("mpi", "list").out.split())
    assert "OMPI_MCA_btl=self,sm, OMPI_MCA_pml=ob1: shared memory alone, the wheel's own final choice" in shown
    assert "--env NAME=unset leaves it out" in shown
    monkeypatch.setenv("OMPI_MCA_btl", "self,tcp")
    rows = {row["label"]: row["sets"] for row in json.loads(ictus("mpi", "list", "--json").out)["rows"]}
    assert rows["mpich"] == ""
    assert "OMPI_MCA_pml=ob1" in rows["openmpi"]
    assert "OMPI_MCA_btl" not in rows["openmpi"]
