"""Each page names the command that makes it again: run as it stands, it gives the same bytes."""

import html
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from tests.cli.conftest import WORLD, simulate
from tests.cli.test_impact import SWAPPED, impact
from tests.cli.test_lens import measure
from tests.cli.test_tune import SIMULATED, WORLD as TUNED, checked
from tests.command_line import Ictus, run_ictus

FOLDER = "a campaign"
FEW = ("--procsync", "window,barrier", "--op", "bcast", "--sizes", "8,32Ki")
"""Two starts and few cases: a figure takes longer than a launch."""
PAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "report.html": (
        "report {}",
        ("--by", "procsync", "--test", "signed-rank", "--level", "0.01", "--equivalence", "3 %"),
    ),
    "impact.html": ("barriers impact {}", ("--norm", "window", "--adjust", "none", "--include-contended")),
    "nrep.html": ("nrep {}", ("--metrics", "rse=0.5")),
    "times.html": ("procsync times {}", ()),
}
DRAWN = pytest.mark.figures
"""Of one page, the shortest: that the figures of all are the same again is a matter of the figures alone."""


def command_of(page: Path) -> list[str]:
    """The words that the foot of a page names."""
    (text,) = re.findall(r"byte for byte: <code>(.*?)</code>", page.read_text("utf-8"))
    return shlex.split(html.unescape(text))


@pytest.mark.few(2)
@pytest.mark.parametrize("name", [pytest.param(name, marks=DRAWN if name == "times.html" else ()) for name in PAGES])
def test_the_command_on_a_page_makes_it_again(name: str, ictus: Ictus, tmp_path: Path) -> None:
    """All options that change what it says are there, quoted, and none that does not; without them it says less."""
    command, options = PAGES[name]
    words = command.split()
    folder = simulate(ictus, tmp_path, FOLDER, WORLD, *FEW, "--raw")
    plain = ictus(*(FOLDER if word == "{}" else word for word in words), "--json")
    assert plain.code == 0, plain.err
    without = (folder / name).read_bytes()
    answer = ictus(*(FOLDER if word == "{}" else word for word in words), *options, "--csv")
    assert answer.code == 0, answer.err
    page = (folder / name).read_bytes()
    assert (page != without) is bool(options)
    again = command_of(folder / name)
    assert again == ["ictus", *(FOLDER if word == "{}" else word for word in words), *options]
    (folder / name).unlink()
    assert ictus(*again[1:]).code == 0
    assert (folder / name).read_bytes() == page


@pytest.mark.parametrize(("name", "options"), [("tune.html", ()), ("explain.html", ("--explain",))])
def test_a_page_of_a_tuning_is_made_again_beside_it(name: str, options: tuple[str, ...], ictus: Ictus) -> None:
    """Its command names both folders, which lie side by side, and says when it only explains."""
    checked(ictus, TUNED)
    assert ictus("tune", "chk", *SIMULATED, *options, "-o", "tun").code == 0
    page = Path("tun", name).read_bytes()
    again = command_of(Path("tun", name))
    assert again == ["ictus", "tune", "chk", "-o", "tun", *options]
    Path("tun", name).unlink()
    assert ictus(*again[1:], *SIMULATED).code == 0
    assert Path("tun", name).read_bytes() == page


def test_a_page_of_lenses_names_those_that_it_has(ictus: Ictus) -> None:
    """Measured with a choice of them, and read with another."""
    assert measure(ictus, "--lens", "osu,skampi").code == 0
    assert command_of(Path("looked/lenses.html")) == ["ictus", "lens", "looked", "--lens", "osu,skampi"]
    assert ictus("lens", "looked", "--lens", "osu").code == 0
    page = Path("looked/lenses.html").read_bytes()
    again = command_of(Path("looked/lenses.html"))
    assert again == ["ictus", "lens", "looked", "--lens", "osu"]
    assert ictus(*again[1:]).code == 0
    assert Path("looked/lenses.html").read_bytes() == page


def test_a_study_that_was_measured_with_options_of_its_analysis_names_them(ictus: Ictus, tmp_path: Path) -> None:
    """Of all that `barriers impact` was given while it measured, what a reader of its folder gives is left."""
    answer = impact(ictus, tmp_path, SWAPPED, "--norm", "window", "--level", "0.01")
    assert answer.code == 0, answer.err
    page = (tmp_path / "study" / "impact.html").read_bytes()
    again = command_of(tmp_path / "study" / "impact.html")
    assert again == ["ictus", "barriers", "impact", "study", "--norm", "window", "--level", "0.01"]
    assert ictus(*again[1:]).code == 0
    assert (tmp_path / "study" / "impact.html").read_bytes() == page


@pytest.mark.figures
@pytest.mark.long
def test_the_page_of_two_million_samples_is_small(tmp_path: Path) -> None:
    """Under 5 MB: figures are drawn from summaries, and not from every sample."""
    (tmp_path / "world.json").write_text('{"noise": 0.03}')
    simulated = ("--launcher", "simulated", "--scenario", tmp_path / "world.json", "-m", "mpich", "-m", "openmpi")
    folder = tmp_path / "campaign"
    done = run_ictus("run", *simulated, "--op", "bcast", "--nrep", 14300, "--launches", 5, "-o", folder)
    assert done.code == 0, done.err
    assert sum(np.load(one, mmap_mode="r").size for one in folder.glob("launches/*/samples.npy")) >= 2_000_000
    assert run_ictus("report", folder).code == 0
    assert (folder / "report.html").stat().st_size < 5_000_000
