"""Options that the commands of `ictus clocks` share, and how what was typed is understood."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ictus.cli import plan_options
from ictus.model.errors import UsageError
from ictus.model.quantity import parse_duration
from ictus.model.registries import Registries
from ictus.model.spec import parse_spec, split_list

From = Annotated[
    Path | None,
    typer.Argument(
        metavar="FOLDER", help="A study that was kept (-o): show it again, measure nothing.", show_default=False
    ),
]
On = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="PLACE",
        help="Where ranks run: here, namespaces (two hosts with clocks of their own), or a platform that SimGrid "
        "simulates: flat, fat-tree, 'two-level(ranks_per_host=8)'.",
    ),
]
Library = Annotated[
    str | None,
    typer.Option(
        "--mpi",
        "-m",
        metavar="[LABEL=]WHICH",
        help="The library by label, flavour or wrapper. [default: the first found]",
        show_default=False,
    ),
]
Processes = Annotated[
    str, typer.Option("-n", metavar="COUNT,...", help="Numbers of processes; each is a launch of its own.")
]
Clock = Annotated[
    str | None,
    typer.Option(
        "--clock",
        metavar="NAME",
        help="Where ranks read their time; 'skewed(drift=20ppm)' has a known truth. [default: tsc; on namespaces "
        "monotonic, simulated 'skewed(scope=host)']",
        show_default=False,
    ),
]
ClockDomain = Annotated[
    str,
    typer.Option(
        "--clock-domain",
        metavar="auto|host|rank",
        help="Which ranks are said to read one counter; verified.",
    ),
]
Algorithms = Annotated[
    str | None,
    typer.Option(
        "--algorithms",
        "-a",
        metavar="NAME,...",
        help="What is judged (ictus list clocksync). [default: all that synchronise]",
        show_default=False,
    ),
]
Repeats = Annotated[int, typer.Option("--repeats", metavar="COUNT", min=1, help="Of every measurement.")]
Rounds = Annotated[
    int, typer.Option("--rounds", metavar="COUNT", min=1, help="Of a ping-pong check; its smallest error counts.")
]
Sample = Annotated[
    float,
    typer.Option("--sample", metavar="SHARE", min=0, max=1, help="Share of the ranks that a ping-pong check looks at."),
]
Truth = Annotated[
    str,
    typer.Option(
        "--truth",
        metavar="NAME",
        help="How errors are found: known (computed), ping-pong (measured), auto (known where it can be).",
    ),
]
Seed = Annotated[int, typer.Option("--seed", metavar="NUMBER", min=0, help="Decides the order of everything.")]
Launcher = Annotated[
    str, typer.Option("--launcher", metavar="NAME", help="How ranks are started (ictus list launcher).")
]
Timeout = Annotated[str, typer.Option("--timeout", metavar="TIME", help="A launch that takes longer is ended.")]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FOLDER",
        help="Keep the study: clocks.json, figures, report.html.",
        show_default=False,
    ),
]

REPEATS, ROUNDS, SEED, TIMEOUT, LAUNCHER = 1, 10, 1, "3600s", "mpiexec"
"""Defaults that several commands share."""

CLOCK_DOMAINS = ("auto", "host", "rank")
"""Of a host where the clock is one for it; of a host in any case; none. The first is the default."""


@dataclass(frozen=True)
class Asked:
    """Where and how to measure, understood. `clock` is None where none was given."""

    on: str
    mpi: str | None
    launcher: str
    processes: tuple[int, ...]
    clock: str | None
    clock_domain: str
    seed: int
    timeout_s: float
    environment: Mapping[str, str]
    pin: bool
    output: Path | None


def understand(
    *,
    on: str,
    mpi: str | None,
    launcher: str,
    n: str,
    clock: str | None,
    seed: int,
    timeout: str,
    env: list[str] | None,
    no_pin: bool | None,
    out: Path | None,
    clock_domain: str = CLOCK_DOMAINS[0],
) -> Asked:
    """What was typed, checked as far as nothing has to be looked for. Raises UsageError."""
    if clock_domain not in CLOCK_DOMAINS:
        raise UsageError(f"--clock-domain '{clock_domain}': expected one of {', '.join(CLOCK_DOMAINS)}")
    if clock is not None:
        Registries.load().check("clock", clock)
    return Asked(
        on=on,
        mpi=mpi,
        launcher=launcher,
        processes=counts("-n", n),
        clock=None if clock is None else str(parse_spec(clock)),
        clock_domain=clock_domain,
        seed=seed,
        timeout_s=positive("--timeout", timeout),
        environment=plan_options.environment(env) or {},
        pin=not no_pin,
        output=out,
    )


def counts(option: str, text: str) -> tuple[int, ...]:
    """`2,4,8` as whole numbers of 1 or more, ascending, each once; UsageError names the option."""
    try:
        values = {int(item) for item in split_list(text)}
    except ValueError:
        values = {0}
    if min(values) < 1:
        raise UsageError(f"{option} '{text}': expected whole numbers of 1 or more, such as 2 or 2,4,8")
    return tuple(sorted(values))


def duration(option: str, text: str) -> float:
    """`5s` in seconds, 0 or more; UsageError names the option."""
    try:
        value = parse_duration(text)
    except UsageError as error:
        raise UsageError(f"{option}: {error}") from error
    if not 0 <= value < float("inf"):
        raise UsageError(f"{option} '{text}': a time of 0 s or more is expected")
    return value


def positive(option: str, text: str) -> float:
    """Like `duration`, but not 0."""
    value = duration(option, text)
    if value == 0:
        raise UsageError(f"{option} '{text}': a time above 0 s is expected")
    return value


def waits(option: str, text: str) -> tuple[float, ...]:
    """`0,1,5s,0..20`: seconds, ascending, each once; a range is every whole second. UsageError names the option."""
    found: set[float] = set()
    for item in split_list(text):
        begin, dots, end = item.partition("..")
        if not dots:
            found.add(duration(option, item))
            continue
        first, last = duration(option, begin), duration(option, end)
        if first > last:
            raise UsageError(f"{option} '{item}': the range ends before it begins")
        found.update(first + step for step in range(int(last - first) + 1))
    return tuple(sorted(found))


def algorithms(text: str | None) -> tuple[str, ...]:
    """The algorithms asked for, as typed; without any, all members that synchronise by themselves.

    Raises UsageError for a name or parameter that is not known.
    """
    registries = Registries.load()
    if text is None:
        names = (member.name for member in registries.family("clocksync").members if member.name not in _UNASKED)
        return tuple(_STANDING_FOR.get(name, name) for name in names)
    asked = dict.fromkeys(str(parse_spec(name)) for name in split_list(text))
    for name in asked:
        registries.check("clocksync", name)
    return tuple(asked)


_UNASKED = ("none", "propagate")
"""Members that measure nothing: asked for by name they are judged too."""

_STANDING_FOR = {"hierarchical": "hierarchical(hca3,hca3)"}
"""Composites whose default trusts that ranks of a host read one clock, which skewed ones do not: one that measures."""


def truth(text: str) -> str:
    """One of auto, known, ping-pong; UsageError lists them."""
    known = ("auto", "known", "ping-pong")
    if text not in known:
        raise UsageError(f"--truth '{text}': expected one of {', '.join(known)}")
    return text


def check(truth: str, repeats: int, rounds: int, sample: float) -> dict[str, str]:
    """How errors are found, as the core's options."""
    return {"truth": truth, "repeats": str(repeats), "rounds": str(rounds), "sample": f"{sample:g}"}
