"""`ictus history` on campaigns with a planted change: its day, what changed with it; stores, gates, pages."""

import json
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.command_line import run_ictus as invoke
from tests.synthetic import MACHINE, Scenario, latency, write_folder

from ictus.store.table_file import write_table

FIRST = datetime(2026, 3, 1, tzinfo=timezone.utc)
CHANGED = 12
"""The day of the planted change: broadcasts take 6 % longer from then on, under another kernel."""
DAYS = 24


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A campaign a day; the days scatter by half a per cent."""
    root = tmp_path_factory.mktemp("days")
    return [a_day(root, day) for day in range(DAYS)]


def a_day(root: Path, day: int, slower: float = 1.0, launches: int = 3, **changes: Any) -> Path:
    """The campaign of one day, all of its latencies times `slower`; `changes` are those of the scenario."""
    scatter = float(np.exp(np.random.default_rng(day).normal(0, 0.005)))
    changed = day >= CHANGED

    def truth(label: str, operation: str, size: int) -> float:
        factor = 1.06 if changed and operation == "bcast" else 1.0
        return latency(label, operation, size) * factor * scatter * slower

    scenario = Scenario(
        libraries=("mpich",),
        sizes=(64,),
        launches=launches,
        launch_spread=0.005,
        nrep=20,
        seed=day + 1,
        latency=truth,
        created=(FIRST + timedelta(days=day)).isoformat(),
        machine={**MACHINE, "kernel": "6.1.7" if changed else "6.1.0", "governor": f"governor {day // 4}"},
        **changes,
    )
    return write_folder(root / f"day{day:02d}", scenario)


def keep_history(_: object) -> None:
    """A store `kept` of all days in the current folder."""
    assert invoke("history", *(a_day(Path("days"), day) for day in range(DAYS)), "--store", "kept").code == 0


def answer_of(*words: object) -> dict[str, Any]:
    """`ictus history ... --json`."""
    result = invoke("history", *words, "--json")
    assert result.code == 0, result.err
    return dict(json.loads(result.out))


def test_a_change_has_its_day_its_size_and_what_changed_with_it(campaigns: list[Path]) -> None:
    """Broadcasts changed, allreduces did not; the order in which folders are named is nothing."""
    found = answer_of(*reversed(campaigns))
    assert [(row["operation"], row["n_changes"]) for row in found["rows"]] == [("bcast", 1), ("allreduce", 0)]
    (change,) = found["changes"]
    assert change["operation"] == "bcast"
    assert change["campaign"] == f"day{CHANGED:02d}"
    assert change["created"] == (FIRST + timedelta(days=CHANGED)).isoformat()
    assert change["ratio_low"] < 1.06 < change["ratio_high"]
    assert change["facts"] == {"kernel": ["6.1.0", "6.1.7"]}
    shown = " ".join(invoke("history", *campaigns).out.split())
    assert "24 campaigns from 2026-03-01 to 2026-03-24, 2 cases on node01: A processor of arithmetic: 1 change" in shown
    assert "kernel: 6.1.0 → 6.1.7" in shown


def test_a_store_keeps_what_was_added(campaigns: list[Path], tmp_path: Path) -> None:
    """Campaign after campaign, twice the same: the history is that of the folders, and Parquet reads it."""
    store = tmp_path / "store"
    for part in (campaigns[:10], campaigns[8:]):
        assert invoke("history", *part, "--store", store).code == 0
    assert answer_of("--store", store) == answer_of(*campaigns)
    table = pl.read_parquet(store / "*.parquet")
    assert table["campaign"].n_unique() == len(list(store.iterdir())) == DAYS
    assert len(table) == DAYS * 2 * 3
    extended = a_day(tmp_path, 0, launches=4)
    assert invoke("history", extended, "--store", store).code == 0
    assert len(pl.read_parquet(store / "*.parquet")) == DAYS * 2 * 3 + 2  # in the place of what it was
    damaged = min(store.iterdir())
    damaged.write_bytes(damaged.read_bytes()[:-40] + b"\0" * 40)
    result = invoke("history", "--store", store)
    assert result.code == 3
    assert str(damaged) in result.err
    assert "is damaged" in result.err


def test_a_store_keeps_reductions_apart(campaigns: list[Path], tmp_path: Path) -> None:
    """Two reductions of one campaign are two histories; one that the store lacks is refused with those that it has."""
    store = tmp_path / "store"
    assert invoke("history", *campaigns, "--store", store).code == 0
    assert invoke("history", *campaigns, "--store", store, "--summary", "mean").code == 0
    assert len(list(store.iterdir())) == 2 * DAYS
    assert answer_of("--store", store, "--summary", "mean") == answer_of(*campaigns, "--summary", "mean")
    assert answer_of("--store", store) == answer_of(*campaigns)
    result = invoke("history", "--store", store, "--summary", "min")
    assert result.code == 2
    assert "auto-min-off, only of auto-mean-1.5, auto-median-1.5" in result.err


def test_a_gate_judges_the_last_campaign(campaigns: list[Path], tmp_path: Path) -> None:
    """It hits where the last campaign left its level, in its own direction only, and not where it is one of it."""
    assert invoke("history", *campaigns, "--gate", "different").code == 0
    slow = a_day(tmp_path, DAYS, slower=1.12)
    hit = invoke("history", *campaigns, slow, "--gate", "slower > 3 %")
    assert hit.code == 1
    assert "gate 'slower > 3 %' is hit by the last campaign in 2 of 2 cases" in hit.err
    assert invoke("history", *campaigns, slow, "--gate", "faster").code == 0
    few = invoke("history", *campaigns[:3], "--gate", "slower")
    assert few.code == 0
    assert "2 of 2 cases have too few campaigns" in few.err


def test_too_few_campaigns_say_how_many_more_and_both_last_values(campaigns: list[Path], tmp_path: Path) -> None:
    """Three days and one that is slower by 40 %: the day before stands beside it, and two more days judge the next."""
    slow = a_day(tmp_path, 3, slower=1.4)
    answer = invoke("history", *campaigns[:3], slow, "--json")
    for row in json.loads(answer.out)["rows"]:
        assert row["value_s"] / row["before_s"] == pytest.approx(1.4, rel=0.1)
        assert (row["outcome"], row["more_campaigns"], row["last_ratio"]) == ("too few", 2, None)
    assert "2 more campaigns decide" in invoke("history", *campaigns[:3], slow).out
    judged = json.loads(invoke("history", *campaigns, slow, "--json").out)["rows"]
    assert [row["more_campaigns"] for row in judged] == [0, 0]


def test_a_case_that_the_last_campaign_lacks_is_no_pass(campaigns: list[Path], tmp_path: Path) -> None:
    """Allreduce is gone, or has no valid sample, on the last day: a row, and exit code 2, but for --allow-missing."""
    level = campaigns[CHANGED:]
    gone = a_day(tmp_path, DAYS, operations=("bcast",))
    lost = a_day(tmp_path, DAYS + 1, lost=("allreduce",))
    for last, why in ((gone, "not measured"), (lost, "no valid sample")):
        refused = invoke("history", *level, last, "--gate", "slower > 3 %")
        assert (refused.code, why in refused.out) == (2, True)
        said = " ".join(refused.err.split())
        assert "cannot be answered: the last campaign has no number of 1 of 2 cases: mpich MPI_Allreduce 64 B" in said
    passed = invoke("history", *level, gone, "--gate", "slower > 3 %", "--allow-missing", "--json")
    assert passed.code == 0
    rows = {row["operation"]: row for row in json.loads(passed.out)["rows"]}
    assert {name: row["outcome"] for name, row in rows.items()} == {"bcast": "same level", "allreduce": "missing"}
    assert rows["allreduce"]["before_s"] == rows["allreduce"]["value_s"] > 0  # its last number, which it still has
    never = [a_day(tmp_path / "never", day, launches=1, lost=("allreduce",)) for day in range(2)]
    assert "no history: mpich MPI_Allreduce 64 B n=2" in " ".join(invoke("history", *never).err.split())


def test_the_page_is_whole_and_the_same_each_time(campaigns: list[Path], tmp_path: Path) -> None:
    """A figure a case, the table of changes, the command that makes it again; equal bytes from equal campaigns."""
    texts = []
    for name in ("a", "b"):
        page = tmp_path / name / "h.html"
        page.parent.mkdir()
        made = invoke("history", *campaigns, "-o", page)
        assert made.code == 0
        assert re.search(r"h\.html, [1-9]\d* kB; open it in a browser", " ".join(made.err.split()))
        texts.append(page.read_text("utf-8"))
    assert texts[0] == texts[1]
    assert texts[0].count("<figure") == 2
    assert "kernel: 6.1.0 → 6.1.7" in texts[0]
    assert f"ictus history {campaigns[0]}" in texts[0]


def test_times_are_instants_whatever_their_offset(tmp_path: Path) -> None:
    """Three campaigns of the night in which summer time ends, one of another host's zone: as text the second is the
    last; as instants the third is, and all is said in UTC.
    """
    times = ("2026-10-25T02:40:00+02:00", "2026-10-25T02:10:00+01:00", "2026-10-24T20:55:00-05:00")
    nights = []
    for number, created in enumerate(times):
        scenario = Scenario(libraries=("mpich",), sizes=(64,), launches=1, nrep=5, seed=number + 1, created=created)
        nights.append(write_folder(tmp_path / f"night{number}", scenario))
    found = answer_of(*reversed(nights))
    assert {(row["first"], row["last"]) for row in found["rows"]} == {
        ("2026-10-25T00:40:00+00:00", "2026-10-25T01:55:00+00:00")
    }
    in_store = answer_of(*nights, "--store", tmp_path / "store")
    assert in_store == found
    table = pl.read_parquet(tmp_path / "store" / "*.parquet").sort("created")
    assert table["campaign"].unique(maintain_order=True).to_list() == ["night0", "night1", "night2"]


def test_a_campaign_without_a_time_is_refused(tmp_path: Path) -> None:
    """With its folder and what is expected."""
    folder = write_folder(tmp_path / "one", Scenario(libraries=("mpich",), sizes=(64,), launches=1, nrep=5))
    document = json.loads((folder / "campaign.json").read_text("utf-8"))
    (folder / "campaign.json").write_text(json.dumps({**document, "created": "last Friday"}), "utf-8")
    result = invoke("history", folder)
    assert result.code == 3
    assert "campaign.json': created 'last Friday' is not a time; expected ISO 8601" in " ".join(result.err.split())


@pytest.fixture(scope="module")
def two_machines(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Ten campaigns each of two servers, in turn; beta is twice as slow, and one server of its kind more."""
    root = tmp_path_factory.mktemp("machines")
    folders = []
    for day in range(20):
        name, factor = ("alpha", 1.0) if day % 2 == 0 else ("beta", 2.0)
        folders.append(
            write_folder(
                root / f"{name}{day:02d}",
                Scenario(
                    libraries=("mpich",),
                    operations=("bcast",),
                    sizes=(64,),
                    launches=1,
                    nrep=5,
                    seed=day + 1,
                    latency=lambda label, operation, size, factor=factor: factor * latency(label, operation, size),
                    created=(FIRST + timedelta(days=day)).isoformat(),
                    machine={**MACHINE, "host": name},
                ),
            )
        )
    return folders


def test_machines_have_series_of_their_own(two_machines: list[Path], tmp_path: Path) -> None:
    """Two servers in one store: a row each, with its own campaigns and last campaign; each can be selected."""
    store, page = tmp_path / "store", tmp_path / "h.html"
    found = answer_of(*two_machines, "--store", store)
    alpha, beta = (f"{host}: A processor of arithmetic" for host in ("alpha", "beta"))
    assert {row["machine"]: (row["campaigns"], row["n_changes"], row["outcome"]) for row in found["rows"]} == {
        alpha: (10, 0, "same level"),
        beta: (10, 0, "same level"),
    }
    assert found["false_alarms"]["campaigns_a_year"] == {alpha: 182.62, beta: 182.62}
    shown = " ".join(invoke("history", "--store", store, "-o", page).out.split())
    assert "20 campaigns from 2026-03-01 to 2026-03-20, 2 cases on 2 machines" in shown
    assert alpha in shown
    assert beta in shown
    assert f"{alpha}; {beta}" in page.read_text("utf-8")
    one = answer_of("--store", store, "--machine", "BETA")
    assert [(row["machine"], row["campaigns"]) for row in one["rows"]] == [(beta, 10)]
    assert one["rows"] == [
        {**row, "last_p_adjusted": one["rows"][0]["last_p_adjusted"]} for row in found["rows"] if row["machine"] == beta
    ]
    none = invoke("history", "--store", store, "--machine", "gamma")
    assert none.code == 2
    assert "--machine 'gamma'" in none.err
    assert f"there are {alpha}; {beta}" in " ".join(none.err.split())


def test_a_change_names_its_machine(two_machines: list[Path], tmp_path: Path) -> None:
    """Also where only one machine of several changed: its table of changes has the title with the machine."""
    moved = []
    for day in range(20, 44):
        name, factor = ("alpha", 1.0) if day % 2 == 0 else ("beta", 3.0)
        scenario = Scenario(
            libraries=("mpich",), operations=("bcast",), sizes=(64,), launches=1, nrep=5, seed=day + 1,
            latency=lambda label, operation, size, factor=factor: factor * latency(label, operation, size),
            created=(FIRST + timedelta(days=day)).isoformat(), machine={**MACHINE, "host": name},
        )  # fmt: skip
        moved.append(write_folder(tmp_path / f"{name}{day}", scenario))
    shown = " ".join(invoke("history", *two_machines, *moved).out.split())
    changes = shown[: shown.index("after / before: the new level")]
    assert "2 cases on 2 machines: 1 change of level" in changes
    assert "2 processes, machine beta: A processor of arithmetic size library since" in changes


def test_a_store_of_an_earlier_version_is_read(two_machines: list[Path], tmp_path: Path) -> None:
    """Without machines, and with the offset of the place: the same answer; a campaign that is added continues it."""
    store = tmp_path / "store"
    expected = answer_of(*two_machines, "--store", store)
    for path in store.iterdir():
        local = pl.col("created").str.replace(r"T00:00:00\+00:00", "T02:00:00+02:00")
        write_table(pl.read_parquet(path).drop("machine").with_columns(local), path, None)
    assert pl.read_parquet(store / "*.parquet")["created"].str.ends_with("+02:00").all()
    assert answer_of("--store", store) == expected
    assert answer_of(two_machines[-1], "--store", store) == expected
    path = min(store.iterdir())
    write_table(pl.read_parquet(path).with_columns(created=pl.lit("last Friday")), path, None)
    result = invoke("history", "--store", store)
    assert (result.code, f"'{path}': created 'last Friday' is not a time" in " ".join(result.err.split())) == (3, True)


def test_the_rate_of_false_alarms_is_stated_and_set(campaigns: list[Path]) -> None:
    """For how many cases and campaigns it holds; a stricter one needs more campaigns, and says how many: 1e-6 a year
    for 730.5 tests and two kinds allow a p-value of 3.6e-11 of a split, between 2 / C(39, 19) and 2 / C(38, 19).
    """
    shown = " ".join(invoke("history", *campaigns).out.split())
    assert "False alarms: at most 5 % a year in all, for 2 cases and 365 campaigns a year." in shown
    found = answer_of(*campaigns)
    assert found["false_alarms"]["a_year"] == 0.05
    assert found["false_alarms"]["tests_a_year"] == 730.5
    (change,) = found["changes"]
    assert change["p_value"] < change["p_adjusted"] <= 0.05
    strict = invoke("history", *campaigns, "--false-alarms", "0.0001 %")
    assert "no change of level. Fewer than 39 campaigns cannot show a change" in " ".join(strict.out.split())


def test_campaigns_seconds_apart_show_no_pace(tmp_path: Path) -> None:
    """Ten seconds between two campaigns are not 3,155,760 campaigns a year: they count as those of one day."""
    folders = []
    for number in range(2):
        scenario = Scenario(
            libraries=("mpich",), sizes=(64,), launches=1, nrep=5, seed=number + 1, machine={},
            created=(FIRST + timedelta(seconds=10 * number)).isoformat(),
        )  # fmt: skip
        folders.append(write_folder(tmp_path / f"run{number}", scenario))
    shown = " ".join(invoke("history", *folders).out.split())
    assert "2 cases and 365 campaigns a year (assumed: campaigns of less than a day show no pace)." in shown
    assert " on an unknown machine: no change of level" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("camp", "--false-alarms", "0"), "--false-alarms '0': expected a share such as '5 %'"),
        (("camp", "--false-alarms", "200 %"), "--false-alarms '200 %': expected at most 100 % a year"),
        ((), "needs campaign folders, or --store FOLDER"),
        (("--store", "nothing-here"), "holds no campaign yet"),
        (("camp", "--gate", "undecided"), "a history knows slower, faster and different"),
        (("camp", "-o", "."), "is a folder; name a file"),
    ],
)
def test_bad_input_names_the_option(words: tuple[str, ...], said: str) -> None:
    """Usage errors, before anything is read."""
    result = invoke("history", *words)
    assert result.code == 2
    assert said in result.err
