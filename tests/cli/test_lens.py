"""`ictus lens` over the simulated launcher: whole texts, the rows for scripts, the page, and what is refused."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import check_golden
from tests.command_line import Answer, Ictus

from ictus import lenses, load
from ictus.model.registries import Registries
from ictus.studies.lens.material import LensData
from ictus.studies.lens.methods import every_procsync, methods
from ictus.studies.lens.suites.registry import ALL

WORLD = {
    "factors": {"mpich": 1.0, "openmpi": 1.12},
    "launch_spread": 0.04,
    "noise": 0.05,
    "bandwidth": 4e9,
    "pipelining": 0.4,
    "barrier_s": 1.5e-6,
}
"""Where a call in a loop takes 40 %, and a barrier 1.5 us; ranks are 80 % and 100 % of the latency in the call."""

PLAN = ("--op", "bcast,barrier", "--sizes", "8", "-n", "2", "--nrep", "100", "--seed", "7")


def measure(ictus: Ictus, *more: str, launches: int = 6) -> Answer:
    """A campaign of lenses in the folder `looked`."""
    Path("world.json").write_text(json.dumps(WORLD))
    simulated = ("--launcher", "simulated", "--scenario", "world.json", "-m", "mpich", "-m", "openmpi")
    answer = ictus("lens", *simulated, *PLAN, "--launches", str(launches), *more, "-o", "looked")
    assert answer.code == 0, answer.err
    return answer


def test_the_table_and_the_ratios(ictus: Ictus) -> None:
    """Every suite beside the makespan. In this world it is known what each must say: osu 0.9, loops 0.9 x 0.4, root
    only 0.8, with barriers 1.5 us more.
    """
    answer = measure(ictus)
    check_golden("lens.txt", answer.out)
    assert all(len(line) <= 100 and line == line.rstrip() for line in answer.out.splitlines())
    document = json.loads(ictus("lens", "looked", "--json").out)
    assert document["evidence"]["sentence"] == "Evidence: side by side, in the same launches."
    rows = document["rows"]
    found = {row["lens"]: row for row in rows if row["mpi"] == "mpich" and row["case"]["operation"] == "bcast"}
    assert tuple(found) == ALL
    known = {"osu": 0.9, "imb": 0.9, "imb-loop": 0.36, "mpbench": 0.32, "mpiblib(root)": 0.8, "skampi": 1.0}
    for lens, ratio in known.items():
        assert found[lens]["ratio"] == pytest.approx(ratio, rel=0.07), lens
    added = found["mpibench-llnl"]["headline_s"] - found["mpibench-llnl(pipelined)"]["headline_s"]
    assert added == pytest.approx(0.9 * 1.5e-6, rel=0.1)


def test_what_a_suite_would_print_is_known_without_a_valid_window(ictus: Ictus) -> None:
    """Where no launch has a makespan, the headlines are there, and no ratio."""
    measure(ictus, launches=2)
    summarised = LensData.summarised
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LensData, "summarised", lambda *found: tuple(None for _ in summarised(*found)))
        rows = json.loads(ictus("lens", "looked", "--json").out)["rows"]
        assert ictus("lens", "looked").code == 0
    assert {"osu", "imb"} <= {row["lens"] for row in rows}
    assert all(row["headline_s"] > 0 and row["ratio"] is None for row in rows)


def test_a_page_says_what_it_found_whatever_the_terminal_shows(ictus: Ictus) -> None:
    """Details stand alone on the terminal; the page that is written beside has its first sentence all the same."""
    measure(ictus)
    leads = []
    for words in ((), ("--details",)):
        assert ictus("lens", "looked", *words).code == 0
        leads.append(Path("looked/lenses.html").read_text("utf-8").partition('class="lead">')[2].partition("</p>")[0])
    assert leads[0] == leads[1] != ""


def test_a_folder_is_shown_where_it_is(ictus: Ictus) -> None:
    """Its page is in it: -o beside it would be passed over, and is refused."""
    measure(ictus)
    refused = ictus("lens", "looked", "-o", "elsewhere")
    assert (refused.code, "--output with 'looked'" in refused.err) == (2, True), refused.err
    assert not Path("elsewhere").exists()


def test_details_are_the_suites_own_lines(ictus: Ictus) -> None:
    """All columns, by the suite's own names."""
    measure(ictus)
    check_golden("lens_details.txt", ictus("lens", "looked", "--details", "--lens", "osu,imb-loop,skampi,mpiblib").out)


def test_a_folder_is_read_again_and_other_settings_need_no_other_measurement(ictus: Ictus) -> None:
    """The same text from the folder; and a stop rule that is twice as strict takes more of the same repetitions."""
    first = measure(ictus)
    again = ictus("lens", "looked")
    assert (again.out, again.code) == (first.out, 0)
    counts = {}
    for lens in ("skampi", "skampi(threshold=0.001)"):
        row = json.loads(ictus("lens", "looked", "--lens", lens, "--json").out)["rows"][0]
        counts[lens] = next(int(text.partition("=")[2]) for text in row["printed"] if text.startswith("n="))
    assert counts["skampi"] == 12 < counts["skampi(threshold=0.001)"]


def test_process_synchronisations_stand_beside_the_lenses(ictus: Ictus) -> None:
    """`--procsync` adds the makespan after each; the first method is the one that all are in relation to."""
    answer = measure(ictus, "--lens", "osu", "--procsync", "window,barrier(library),none", launches=3)
    check_golden("lens_procsyncs.txt", answer.out)
    rows = json.loads(ictus("lens", "looked", "--lens", "osu", "--procsync", "window", "--json").out)["rows"]
    window = next(row for row in rows if row["kind"] == "procsync")
    assert (window["lens"], window["ratio"], window["n_launches"]) == ("window", pytest.approx(1.0), 3)
    assert window["ratio_low"] is None
    assert window["ratio_min"] == pytest.approx(1.0)


@pytest.mark.figures
def test_the_page_needs_nothing_else_and_shows_every_lens(ictus: Ictus) -> None:
    """One HTML file beside the campaign, the same bytes each time, a figure for each operation and size."""
    measure(ictus)
    page = Path("looked/lenses.html").read_text("utf-8")
    ictus("lens", "looked")
    assert Path("looked/lenses.html").read_text("utf-8") == page
    assert page.count("reported / makespan") == 2
    assert all(f">{name}<" in page for name in ALL)
    assert "http://" not in page.replace("http://www.w3.org", "")


def test_a_barrier_that_is_the_default_is_named_too(ictus: Ictus) -> None:
    """`barrier` alone would not say which; the name can be typed."""
    measure(ictus, "--lens", "osu", "--procsync", "barrier,window-adaptive", launches=1)
    campaign = load("looked")
    rows = lenses(campaign, "osu", procsyncs=["barrier(dissemination)", "window-adaptive(skampi)"]).rows
    assert [row.lens for row in rows[:4:2]] == ["barrier(dissemination)", "barrier(dissemination)"]
    assert "window-adaptive(skampi)" in {row.lens for row in rows}


def test_from_python_the_same_rows_come_as_a_frame(ictus: Ictus) -> None:
    """One row per library, case and lens; factors and numbers are columns."""
    measure(ictus, "--lens", "osu", "--procsync", "none", launches=1)
    campaign = load("looked")
    frame = lenses(campaign, "osu", procsyncs=["none"]).to_frame()
    assert frame.select("kind", "lens", "mpi", "operation").rows() == [
        (kind, lens, mpi, operation)
        for kind, lens in (("procsync", "none"), ("lens", "osu"))
        for operation in ("bcast", "barrier")
        for mpi in ("mpich", "openmpi")
    ]
    assert (frame["headline_s"] > 0).all()


def test_every_process_synchronisation_of_the_registry_is_tried() -> None:
    """Each barrier once, each rule once; what only delays another start is none."""
    registries = Registries.load()
    found = [registries.short("procsync", name) for name in every_procsync(registries)]
    barriers = [member.name for member in registries.family("barrier").members]
    assert len(set(found)) == len(found)
    assert sum(name.startswith("barrier") for name in found) == len(barriers)
    assert {"none", "window", "barrier(library)"} <= set(found)
    assert not any(name.startswith("arrival") for name in found)


def test_lenses_share_what_they_measure_alike() -> None:
    """Sixteen looks at seven methods: what two suites measure alike is measured once."""
    assert len(methods(None, (), 1000)) == 7
    assert methods(None, (), 1000)[0]["procsync"].startswith("window")


REFUSED = (
    (("--lens", "osy"), "unknown lens 'osy', did you mean 'osu'"),
    (("--lens", "osu,,imb"), "--lens: 'osu,,imb': a list has an empty item"),
    (("--procsync", "windo"), "unknown procsync 'windo', did you mean 'window'"),
    (("--procsync", "none"), "procsync 'none' was not measured in 'looked'"),
    (("--op", "reduce"), "--op with 'looked'"),
)


def test_what_cannot_be_is_said(ictus: Ictus) -> None:
    """The option, the value, what is allowed; exit code 2. The folder alone is fine."""
    measure(ictus, "--lens", "osu", launches=1)
    assert ictus("lens", "looked").code == 0
    for words, said in REFUSED:
        answer = ictus("lens", "looked", *words)
        assert (answer.code, said in answer.err) == (2, True), answer.err


def test_a_lens_whose_method_was_not_measured_is_named(ictus: Ictus) -> None:
    """Without a name what is there is shown; a lens that is asked for by name and has no data is an error."""
    measure(ictus, "--lens", "osu", launches=1)
    shown = {row["lens"] for row in json.loads(ictus("lens", "looked", "--json").out)["rows"]}
    assert {"osu", "imb", "nbcbench", "mpibench"} <= shown
    assert "phloem" not in shown
    answer = ictus("lens", "looked", "--lens", "phloem")
    assert (answer.code, "lens 'phloem' needs a method that was not measured" in answer.err) == (2, True)


def test_lenses_are_listed_with_what_they_take(ictus: Ictus) -> None:
    """`ictus list lens` as for every family."""
    listed = ictus("list", "lens").out
    assert "osu  OSU Micro-Benchmarks" in listed
    assert "threshold=0.1" in listed
