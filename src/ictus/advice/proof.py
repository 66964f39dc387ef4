"""The proof of remedies in the program, from its launches; and the line that launches it with one. Values in, values
out.
"""

import shlex
from collections.abc import Mapping, Sequence

from ictus.advice.calls import CallPlace
from ictus.advice.trial import AdvisedProgram, ProgramTimes, is_counted
from ictus.model import redirect_variables
from ictus.model.algorithm import Setting
from ictus.model.environment import UNSET
from ictus.model.job_size import MAPPINGS
from ictus.render.output import command
from ictus.stats.compare import CaseComparison, compare_cases
from ictus.stats.verdict import CaseRules


def proven(
    launches: Mapping[CallPlace, Sequence[ProgramTimes]],
) -> dict[CallPlace, tuple[CaseComparison, CaseComparison | None]]:
    """The run time, and the time inside the mended calls, with to without each remedy. Run times of all remedies are
    one family, times inside calls another.
    """
    if not launches:
        return {}
    labels = ("with it", "as it is")

    def side(call_place: CallPlace, value: str, *, remedied: bool) -> list[float]:
        of_side = sorted(
            (program_times for program_times in launches[call_place] if program_times.remedied == remedied),
            key=lambda program_times: program_times.pair,
        )
        return [getattr(times, value) for times in of_side]

    def compared(places: Sequence[CallPlace], value: str) -> dict[CallPlace, CaseComparison]:
        with_it, without = (
            [side(call_place, value, remedied=remedied) for call_place in places] for remedied in (True, False)
        )
        return dict(zip(places, compare_cases(with_it, without, CaseRules(paired=True), labels=labels), strict=True))

    counted = [
        call_place
        for call_place, times in launches.items()
        if all(program_times.calls_s is not None for program_times in times)
    ]
    runs, calls = compared(list(launches), "run_s"), compared(counted, "calls_s") if counted else {}
    return {call_place: (runs[call_place], calls.get(call_place)) for call_place in launches}


def launch_line(setting: Setting, program: AdvisedProgram) -> str:
    """The line that starts the program with a remedy in force."""
    label, words = program.installation.label, (str(program.file), *program.request.words[1:])
    both = {**program.request.environment, **setting.environment}
    settings = {
        name: value for name, value in both.items() if value != UNSET or name not in program.request.environment
    }
    if not is_counted(setting):
        ours = ("LD_PRELOAD", redirect_variables.PROFILE, redirect_variables.PLUGINS)
        variables = [
            word for name, value in settings.items() if name not in ours for word in ("--env", f"{name}={value}")
        ]
        profile = setting.environment[redirect_variables.PROFILE]
        plugins = filter(None, setting.environment.get(redirect_variables.PLUGINS, "").split(":"))
        named = [word for file in plugins for word in ("--plugin", file)]
        ranks = ("-m", label, "-n", program.request.n, *_places(program))
        return command("exec", "--redirect", profile, *named, *ranks, *variables, "--", *words)
    removed = [word for name, value in settings.items() if value == UNSET for word in ("-u", name)]
    variables = [f"{name}={value}" for name, value in settings.items() if value != UNSET]
    return shlex.join(["env", *removed, *variables, "mpiexec", *setting.options, "-n", str(program.request.n), *words])


def _places(program: AdvisedProgram) -> list[str]:
    """The options for nodes and order, as far as they were given."""
    request = program.request
    placement = {"--nodes": request.nodes, "--ppn": request.ppn} if request.nodes else {}
    order = {} if request.map_by == MAPPINGS[0] else {"--map-by": request.map_by}
    return [str(word) for pair in {**placement, **order}.items() for word in pair]
