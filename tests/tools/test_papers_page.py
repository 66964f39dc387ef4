"""docs/studies/papers.md: a row for each study with the claim, what was seen here and simulated, and why; a figure or
a table of each, where anything was seen.
"""

import json
import re
from pathlib import Path

import pytest
from tests.engines import ROOT
from tests.studies.claims.known import CLAIMS, find
from tools.papers import HEAD, MARKS, PAGE, figures, rows, section, shown_of

from ictus.render.page import Panel
from ictus.render.table import Block, Column, Table
from ictus.stats.claim_rules import Ruling, Seen
from ictus.studies.claim import Claim, ClaimResult
from ictus.studies.judging import ClaimVerdict
from ictus.studies.paper_figures import IN_THE_PAPER

TABLE = Table((Column[int]("n", "n", str),), [Block("numbers", "of one", [1])])


def studied(name: str, *, panels: int = 0, tables: tuple[Table[int], ...] = ()) -> ClaimVerdict:
    """A study of that name, seen."""
    drawn = tuple(Panel("title", f"panel {at}", "<svg/>") for at in range(panels))
    result = ClaimResult(Ruling(Seen.HOLDS, 0.01), "it is so", tables, (), drawn)
    return ClaimVerdict(find(name), result, None)


def test_a_study_shows_its_figure_else_its_table_else_the_simulated_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each with the command that makes it; of one that has nothing to show there is no section."""
    monkeypatch.setattr("tools.papers.IMAGES", tmp_path)
    found = [
        studied("rtt", panels=2),
        studied("dims-create", tables=(TABLE,)),
        studied("clock-drift"),
        studied("dvfs"),
    ]
    simulated = {"rtt": studied("rtt", panels=1), "clock-drift": studied("clock-drift", panels=1)}
    parts = figures(found, simulated)
    assert list(parts) == ["rtt", "dims-create", "clock-drift"]
    assert "*title, panel 0: `ictus study rtt --quick -m mpich -m openmpi --seed 18`.*" in parts["rtt"]
    assert (
        "| n |\n| ---: |\n| 1 |\n\n*numbers, of one: `ictus study dims-create --quick -m mpich -m openmpi`.*"
        in parts["dims-create"]
    )
    assert (
        "*title, panel 0: `ictus study clock-drift --quick --platform flat --seed 18 -n 64`.*" in parts["clock-drift"]
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clock-drift.svg", "rtt.svg"]
    assert shown_of(found[3], simulated) is None
    names = [line.split(" | ")[0].strip("| ") for line in rows(found, simulated).values()]
    assert names == ["[rtt](#rtt)", "[dims-create](#dims-create)", "[clock-drift](#clock-drift)", "dvfs"]


def test_a_study_that_is_named_replaces_its_row_and_its_figure_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page as it is, but for one study; without anything kept there is only that."""
    monkeypatch.setattr("tools.papers.IMAGES", tmp_path)
    kept = MARKS.of(PAGE)
    assert section(kept, [], {}) == kept
    found = [studied("clock-drift", tables=(TABLE,))]
    now = section(kept, found, {})
    assert rows(found, {})["clock-drift"] in now
    changed = [line for line in now.splitlines() if line not in kept.splitlines()]
    assert [line[:20] for line in changed if line.startswith("| [")] == ["| [clock-drift](#clo"]
    assert kept.count("\n### ") == now.count("\n### ")
    assert section("", found, {}).splitlines()[:3] == [*HEAD.splitlines(), rows(found, {})["clock-drift"]]


ROWS = {
    cells[0].partition("]")[0].strip("[ "): cells
    for cells in (
        line.strip("| ").split(" | ")
        for line in PAGE.read_text("utf-8").partition(MARKS.begin)[2].partition(MARKS.end)[0].splitlines()
    )
    if len(cells) == 7
}


def test_what_figures_and_tables_of_papers_show_is_told_of_each() -> None:
    """Where the source names one, and nowhere else."""
    named = {claim.name for claim in CLAIMS if re.search(r"(Fig|Tab)\. ", claim.source)}
    assert named == set(IN_THE_PAPER)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda one: one.name)
def test_every_study_has_a_whole_row(claim: Claim) -> None:
    """What could not be seen without a measurement has the reason that the study itself checks."""
    name, sentence, source, seen, p_value, because, simulated = ROWS[claim.name]
    assert (sentence, source) == (claim.sentence.rstrip("."), claim.source)
    assert seen.strip("*") in {one.value for one in Seen}
    assert because
    assert simulated.startswith("**") is bool(claim.simulated)
    section = f"\n### {claim.name}\n" in PAGE.read_text("utf-8")
    assert section is name.startswith("[")
    of_claim = PAGE.read_text("utf-8").partition(f"\n### {claim.name}\n")[2].partition("\n### ")[0]
    assert not section or not claim.in_the_paper or f"\nIn the paper: {claim.in_the_paper}\n" in of_claim
    hidden = claim.hidden({**claim.plan(True), "mpi": ["mpich", "openmpi"]})
    if not section:
        assert (seen, p_value) == ("**cannot be seen here**", "–")
    if hidden is not None and claim.name != "dvfs":  # which depends on the machine that wrote the page
        assert because == hidden


def test_the_data_beside_the_table_are_of_the_same_folders() -> None:
    """What the table says of the claims that were measured here, the data say too."""
    known = json.loads((ROOT / "docs/data/claims-measured.json").read_text("utf-8"))
    measured = {row["name"]: (f"**{row['seen']}**", row["because"]) for row in known["rows"]}
    assert measured == {name: (ROWS[name][3], ROWS[name][5]) for name in measured}
    assert len(measured) > len(CLAIMS) * 0.8
    assert measured.keys() == known["data"].keys()
