"""Options of a campaign as commands have them whose launches are all alike in what the option says."""

from dataclasses import replace

from ictus.model.plan_options import BY_KEY

ONE_SETTING = replace(BY_KEY["env"], kind="assignments", help="A variable for the ranks; repeatable.")
"""`--env` of a command whose launches all have one environment."""
ONE_COUNTS = replace(BY_KEY["counts"], metavar="NAME", help="How blocks differ in size (ictus list counts).")
ONE_LAYOUT = replace(
    BY_KEY["layout"], metavar="NAME", help="How elements lie in memory, of guidelines without layouts of their own."
)
ONE_CLOCK = replace(BY_KEY["clock"], metavar="NAME", help="Where ranks read their time.")
ONE_CLOCKSYNC = replace(BY_KEY["clocksync"], metavar="NAME", help="How clocks are synchronised.")
"""Of commands that measure with one of each."""
NO_PIN = replace(
    BY_KEY["pin"], names=("--no-pin",), kind="off", metavar="", help="Leave the placing of ranks to the library."
)
"""Of a command whose launches are all placed alike."""
ONE_NODES = replace(BY_KEY["nodes"], kind="count", metavar="COUNT", help="Number of nodes.", least=1)
ONE_PPN = replace(
    BY_KEY["ppn"],
    kind="count",
    metavar="COUNT",
    help="Processes on each node; with --nodes, -n follows.",
    least=1,
)
ONE_ORDER = replace(
    BY_KEY["map-by"],
    metavar="NAME",
    help="Where the next rank goes: core (fill a node first), socket, node.",
)
PLACEMENT = (ONE_NODES, ONE_PPN, ONE_ORDER)
"""`--nodes`, `--ppn` and `--map-by` of a command whose launches are all placed alike."""
NREP = replace(BY_KEY["nrep"], kind="count", metavar="COUNT", help="Valid repetitions of a case in a launch.", least=1)
"""`--nrep` of a command that takes no prediction."""
