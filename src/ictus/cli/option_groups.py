"""The groups of options in `--help`, manual pages and the reference: of each option of all commands, what it is about.

A group's options keep the order in which their command declares them. An option that means something else in one
command has its group in `_DIFFERS`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

FEW = 9
"""Options of a command that are listed without groups: one look finds them."""
PLAIN = "Options"
"""The heading of such a list."""

GROUPS: Mapping[str, str] = {
    "What is measured": """
        --mpi --op --plugin --sizes --size-is -n --nodes --ppn --datatype --operator --comm --root --in-place --layout
        --counts --algorithm --guidelines --user --up-to --lens --redirect --compute --intervals --threads --core
        --train --links --matchings --stream-size --quantum --of --entry --windows --grid --offset --calls --groups""",
    "How it is measured": """
        --clock --clock-domain --clocksync --clock-bound --clock-error --procsync --methods --scheme --cache --heap
        --no-validate --no-page-faults --raw --pause --compute-factor --truth --time --explain --no-confirm
        --left-alone""",
    "How often and how long": """
        --launches --until --time-budget --over --campaigns --nrep --repetition --warmup --quick --trials --limit
        --seed --timeout
        --retries --contention-retries --block-time --resync-time --repeats --per-rank-repeats --rounds --sample
        --exchanges --quanta --waits --wait --duration --durations --interval --budget --step --min --max --once""",
    "Where it runs": """
        --launcher --hosts --launcher-options --pin --no-pin --map-by --modules --env --core-flags --governor
        --platform --scenario --scheduler --account --partition --option""",
    "Which results are read": """
        --include-contended --leave-out-damaged --case --launch --store --machine --label --started
        --interleaved""",
    "How results are judged": """
        --by --reference --baseline --against --control --history --allow --metric --summary --outliers --statistic
        --reduce --test --alternative
        --adjust --level --equivalence --strata --tolerance --least --metrics --mean-window --median-window
        --entry-tolerance --norm --gate --allow-missing --false-alarms --fail-on-violation --fail-above""",
    "Output": """
        --output --rows --all --details --per-rank --over-processes --markdown --junit --format --columns --log
        --dry-run --goes-on --begin-in --json --csv""",
    "Other": "--help --version --install --install-completion --show-completion",
}
"""The longest names of the options of each group, in the order in which help shows the groups."""

_READ = "Which results are read"
_DIFFERS: Mapping[str, Mapping[str, str]] = {
    "check": {"--step": "How it is measured"},
    "diagnose": dict.fromkeys(("--mpi", "--op", "--sizes"), _READ),
    "plot": {"--op": _READ},
    "import": {"-n": _READ},
    "run": {"--control": "What is measured"},
    "show": {"--launches": "Output"},
    "submit": dict.fromkeys(("--nodes", "--ppn", "--time", "--once"), "Where it runs"),
    "redirect compare": {"--time": "How results are judged"},
    "procsync window": {"--limit": "How results are judged"},
}
"""By command: the groups of options that mean something else there."""
_GROUP_OF = {name: group for group, names in GROUPS.items() for name in names.split()}


def group_of(command: str, option: Any) -> str | None:
    """The group of a command's option; None where it has none. `command` is its words after `ictus`."""
    name = max(option.opts, key=len)
    return _DIFFERS.get(command, {}).get(name) or _GROUP_OF.get(name)


def grouped(command: str, options: Sequence[Any]) -> dict[str, list[Any]]:
    """The options by the heading under which they are shown; under one heading where they are few."""
    if len(options) <= FEW:
        return {PLAIN: list(options)} if options else {}
    by_group: dict[str, list[Any]] = {group: [] for group in (*GROUPS, PLAIN)}
    for option in options:
        by_group[group_of(command, option) or PLAIN].append(option)
    return {group: members for group, members in by_group.items() if members}
