"""Options that the commands on a campaign folder share, and their parsed values."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from ictus.comparison.against import is_campaign_folder
from ictus.model.errors import UsageError
from ictus.model.option import Option
from ictus.model.plan_options import BY_KEY
from ictus.model.unknown import unknown
from ictus.render.plan_options import typer_option

ROWS = ("pairs", "ranking", "shares")
"""The tables that a comparison has for scripts; `ranking` is empty where no more than two were compared."""

FOLDER = typer.Argument(metavar="FOLDER", help="A campaign folder.", show_default=False)

INCLUDE_CONTENDED = Option(
    "include-contended",
    ("--include-contended",),
    "on",
    "",
    "Also analyse launches that were disturbed and repeated.",
    of_showing=True,
)
METRIC = Option(
    "metric",
    ("--metric",),
    "text",
    "NAME",
    "How a sample is reduced over its processes: makespan, or max, mean, min, root of their own durations.",
    default="auto, the makespan where clocks are synchronised, else max",
    of_showing=True,
)
SUMMARY = Option(
    "summary",
    ("--summary",),
    "text",
    "NAME",
    "How the samples of a launch become one number: median, mean, min, p90, p95, p99.",
    default="median",
    of_showing=True,
)
OUTLIERS = Option(
    "outliers",
    ("--outliers",),
    "text",
    "FACTOR",
    "Factor of Tukey's fences: samples outside them are left out. off: no sample is left out.",
    default="1.5 for median and mean, else off",
    of_showing=True,
)
ADJUST = replace(
    BY_KEY["adjust"], help="Adjustment for many cases: holm, bh, none.", default="the plan's", of_showing=True
)
LEVEL = replace(BY_KEY["level"], help="Chance of a false verdict.", default="the plan's, 0.05", of_showing=True)
EQUIVALENCE = Option(
    "equivalence",
    ("--equivalence",),
    "text",
    "PERCENT",
    "Largest difference that counts as the same, such as '5 %' or 0.05.",
    default_text="5 %",
    of_showing=True,
)

IncludeContended = Annotated[bool, typer_option(INCLUDE_CONTENDED)]
LeaveOutDamaged = Annotated[
    bool,
    typer.Option("--leave-out-damaged", help="Leave out launches whose files changed or are missing, with a warning."),
]
Metric = Annotated[str | None, typer_option(METRIC)]
Summary = Annotated[str | None, typer_option(SUMMARY)]
Outliers = Annotated[str | None, typer_option(OUTLIERS)]
By = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="FACTOR",
        help="The compared factor: mpi, algorithm, procsync, cache, n, heap, pin, env.NAME, ... [default: mpi, or the "
        "only factor that varies with one library]",
        show_default=False,
    ),
]
Test = Annotated[
    str | None,
    typer.Option(
        "--test",
        metavar="NAME",
        help="The test (ictus list test); rank-sum for independent launches, signed-rank for shared ones.",
        show_default=False,
    ),
]
Adjust = Annotated[str | None, typer_option(ADJUST)]
Level = Annotated[float | None, typer_option(LEVEL)]
Equivalence = Annotated[str, typer_option(EQUIVALENCE)]
Margin = Annotated[
    str | None,
    typer.Option(
        "--equivalence",
        metavar="PERCENT",
        help="Largest difference that counts as the same, such as '5 %' or 0.05. [default: that of --until decided, "
        "else 5 %]",
        show_default=False,
    ),
]
Strata = Annotated[
    str,
    typer.Option(
        "--strata",
        metavar="NAME",
        help="Compare launches within modes of the machine, as probes show them: modes, off.",
    ),
]
Allow = Annotated[
    str | None,
    typer.Option(
        "--allow",
        metavar="NAMES",
        help="Conditions in which campaigns may differ: heap, pin, launcher-options, core-flags, governor, validation, "
        "platform; of imports also calls, version, and facts of their tables such as send, threads, header; apart: a "
        "gate judges one campaign a side, which proves nothing. [default: none, they are refused]",
        show_default=False,
    ),
]
AllowMissing = Annotated[
    bool,
    typer.Option(
        "--allow-missing",
        help="The gate ignores cases that a side lacks or has no number for. [default: exit code 2]",
    ),
]
Alternative = Annotated[
    str,
    typer.Option(
        "--alternative",
        metavar="NAME",
        help="Which p-value is shown: two-sided, less, greater. Verdicts are two-sided.",
    ),
]


def parse_share(option: str, text: str, *, zero: bool = False) -> float:
    """`5 %` and `0.05` as 0.05; UsageError for any other text, for a bare number of 1 or more, and for 0 unless it may
    be `zero`.
    """
    number, percent, after_sign = text.strip().partition("%")
    try:
        value = float(number) / (100 if percent else 1)
    except ValueError:
        value = -1.0
    if after_sign.strip() or not 0 <= value < float("inf") or (value == 0 and not zero):
        raise UsageError(f"{option} '{text}': expected a share such as '5 %' or 0.05")
    if not percent and value >= 1:  # five hundred percent was hardly meant
        raise UsageError(f"{option} '{text}': write {value:g} % or {value / 100:g}")
    return value


def parse_alternative(text: str) -> Literal["two-sided", "less", "greater"]:
    """The alternative of that name; UsageError lists the known ones."""
    choices: tuple[Literal["two-sided", "less", "greater"], ...] = ("two-sided", "less", "greater")
    for name in choices:
        if name == text:
            return name
    raise unknown(f"--alternative '{text}'", text, choices)


def parse_places(places: Sequence[str]) -> tuple[list[Path], list[str]]:
    """`FOLDER [FOLDER...] [A [B]]`: the folders, then the names of the compared sides.

    A further word is a folder where a folder of that name exists, or where it has a slash in it.
    """
    words = list(places[1:])
    folders = [Path(places[0])]
    while words and is_campaign_folder(words[0]):
        folders.append(Path(words.pop(0)))
    if len(words) > 2:
        raise UsageError(f"'{words[2]}' is one name too many: FOLDER [FOLDER...] [A [B]]")
    return folders, words
