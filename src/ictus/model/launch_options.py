"""The options of a campaign that say how ranks are started, where, and what is tried again."""

from ictus.model.option import Option

LAUNCH_OPTIONS = (
    Option(
        "platform",
        ("--platform",),
        "text",
        "NAME",
        "Platform that simgrid simulates (ictus list platform).",
        "two-level(ranks_per_host=8)",
        "flat",
    ),
    Option("timeout", ("--timeout",), "text", "TIME", "A launch that takes longer is ended.", "120s", "600s"),
    Option("retries", ("--retries",), "count", "COUNT", "How often a failed launch is repeated.", "0"),
    Option(
        "contention-retries",
        ("--contention-retries",),
        "count",
        "COUNT",
        "How often a disturbed launch is repeated.",
        "0",
    ),
    Option(
        "pin",
        ("--pin",),
        "text",
        "NAME,...",
        "Where ranks are placed: cores (one on each), none (as the library does); several are tried in turn.",
        "cores,none",
    ),
    Option(
        "map-by",
        ("--map-by",),
        "text",
        "NAME,...",
        "Where the next rank goes: core (fill a node first), socket, node; several are tried in turn.",
        "core,node",
    ),
    Option(
        "modules",
        ("--modules",),
        "names",
        "NAME,...",
        "Modules to load before libraries are searched, as `module load` names them.",
        "gcc/12,openmpi/5",
        "none",
    ),
    Option(
        "launcher-options",
        ("--launcher-options",),
        "each",
        "WORDS",
        "Options for the launcher, after those that Ictus gives; repeatable, several are tried in turn.",
        "--bind-to socket",
    ),
    Option(
        "core-flags",
        ("--core-flags",),
        "each",
        "FLAGS",
        "Flags that the core is built with, after those of Ictus; repeatable, several are tried in turn.",
        "-O3 -march=native",
    ),
    Option(
        "governor",
        ("--governor",),
        "text",
        "NAME,...",
        "Governor of the processors' frequency in launches; several are tried in turn.",
        "performance,powersave",
    ),
    Option(
        "env",
        ("--env",),
        "variables",
        "NAME=VALUE",
        "A variable for the ranks; repeatable. Repeat a name to try several values in turn; `unset` leaves the "
        "variable out. A comma is part of a value.",
        "UCX_TLS=sm",
    ),
    Option(
        "heap",
        ("--heap",),
        "text",
        "NAME,...",
        "What the C library does with freed memory: kept, returned (large blocks go back to the system at each "
        "free), ordinary (its own default); several are tried in turn.",
        "kept,returned",
    ),
)
