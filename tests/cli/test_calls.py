"""Ways to call an operation as factors of a campaign, over the simulated launcher: each is compared by its option."""

import json
from pathlib import Path

from tests.command_line import Ictus

WORDS = ("--launcher", "simulated", "-m", "mpich", "--sizes", "480", "-n", "2", "--nrep", "20", "--launches", "3")
WAYS = ("--comm", "world,reversed", "--root", "0,rotating", "--in-place", "no,yes", "--layout", "basic,vector(2,4)")
COMPARED = {
    "comm": ("world", "reversed", 13),
    "root": ("0", "rotating", 8),
    "in-place": ("no", "yes", 12),
    "in_place": ("no", "yes", 12),
    "layout": ("basic", "vector(blocklength=2,stride=4)", 12),
}
"""By option or factor: both sides, and half of the cases that it has a meaning for: 16 of gather, 8 of iallreduce, 2 of
barrier.
"""


def measured(ictus: Ictus) -> Path:
    """A campaign with all ways crossed."""
    operations = ("--op", "gather,iallreduce,barrier", "--operator", "user(sum)", "--seed", "3")
    answer = ictus("run", *WORDS, *operations, *WAYS, "-o", "camp")
    assert answer.code == 0, answer.err
    assert "Next: ictus compare --by root camp" in answer.out
    return Path("camp")


def test_every_way_is_compared_by_its_option(ictus: Ictus) -> None:
    """Each factor pairs exactly the cases that are equal in all others."""
    camp = measured(ictus)
    cases = json.loads((camp / "campaign.json").read_text("utf-8"))["cases"]
    assert len(cases) == 26
    for factor, (a, b, pairs) in COMPARED.items():
        rows = json.loads(ictus("compare", camp, "--by", factor, "--json").out)["rows"]
        assert [(row["a"], row["b"]) for row in rows] == [(a, b)] * pairs, factor
    one = ictus("compare", camp, "world", "reversed", "--by", "comm").out
    assert "root rotating, layout vector(blocklength=2,stride=4), in place yes" in one


def test_a_campaign_of_an_earlier_version_is_the_usual_call(ictus: Ictus) -> None:
    """A root was a number, and of the other ways nothing was said: it is shown, and compared with one of today."""
    plain = ("--op", "bcast,scan", "--seed", "3")
    for name in ("before", "now"):
        assert ictus("run", *WORDS, *plain, "-o", name).code == 0
    path = Path("before", "campaign.json")
    document = json.loads(path.read_text("utf-8"))
    for case in document["cases"]:
        case["root"] = 0
        for key in ("counts", "layout", "comm", "in_place"):
            del case[key]
    document["plan"]["root"] = 0
    for key in ("comm", "in-place", "layout"):
        del document["plan"][key]
    path.write_text(json.dumps(document), "utf-8")
    shown = json.loads(ictus("show", "before", "--json").out)["rows"]
    assert {(row["case"]["root"], row["case"]["in_place"], row["case"]["comm"]) for row in shown} == {
        ("0", "no", "world")
    }
    compared = json.loads(ictus("compare", "before", "now", "--json").out)
    assert (len(compared["rows"]), [row for row in compared["rows"] if row["verdict"] == "missing"]) == (2, [])
    again = ictus("run", *WORDS, *plain, "-o", "before")
    assert again.code == 0, again.err


def test_the_page_says_how_all_was_called(ictus: Ictus) -> None:
    """Among the factors of the report, in the words of the options."""
    camp = measured(ictus)
    assert ictus("report", camp, "-o", "page.html").code == 0
    page = Path("page.html").read_text("utf-8")
    for name, value in {
        "comm": "world, reversed",
        "root": "0, rotating",
        "in place": "no, yes",
        "operator": "user(sum)",
        "counts": "none",
    }.items():
        values = page.partition(f"<dt>{name}</dt>")[2].partition("</dd>")[0]
        assert all(word in values for word in value.split(", ")), name
