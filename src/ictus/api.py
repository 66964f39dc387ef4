"""Ictus from Python: measure, load, look at samples, compare. python.md has examples of each.

import ictus

campaign = ictus.run({"op": "bcast", "sizes": "8..64Ki", "n": "4"}, "camp")   # measure, or continue where it stopped
campaign = ictus.run({"op": "bcast", "over": "2h"}, "day")   # its launches at random times over two hours
olds = ictus.run_campaigns({"op": "bcast", "over": "2h"}, "old", 5)   # old-1 ... old-5: one side of ictus.compare
campaign = ictus.load("camp")                        # a campaign that is there
campaign.samples                                     # polars LazyFrame of all samples
ictus.cases(campaign).to_frame()                     # one row per library and case
ictus.compare(campaign, "mpich", "openmpi").rows     # one row per case, with verdicts

ictus.check({"mpi": ["mpich"], "n": "4"}, "chk").verdicts   # performance guidelines
ictus.tune("chk", budget_s=600).cells                # remedies for those that are violated
ictus.study("nrep", {"op": "bcast"})                 # one of ictus.STUDIES
ictus.exec_program(["./application"], n=4).report    # another program, its barriers replaced
ictus.profile_program(["./application"], "prof", n=4).profile   # its calls counted; ictus.load_profile("prof") again
ictus.advise(["./application"], "advice", n=4).useful   # what makes it faster, proven in the program

ictus.lenses(ictus.load("lens"), "osu").to_frame()   # what a suite would have reported (`ictus lens -o lens`)
ictus.load("demo", reduction=ictus.Reduction("max", "p99"))   # of each launch: p99 of the slowest rank
ictus.clock_errors(ictus.load_clocks("study"))       # what `ictus clocks accuracy -o study` kept, by algorithm
ictus.import_results("osu", ["1.txt", "2.txt"], "old", n=4)   # output of another suite as a campaign
ictus.export_results(campaign, "imb", "as-imb")      # and the other way
"""

from ictus.advice.outcome import Advice
from ictus.advice.study import advise
from ictus.comparison.cases import Cases, cases
from ictus.comparison.comparison import Comparison, compare
from ictus.engine.event import Event, Observer, ignore, log
from ictus.engine.measurement import run
from ictus.engine.several_campaigns import run_campaigns
from ictus.engine.study_options import StudyOptions
from ictus.guidelines.check.study import check
from ictus.interchange.exporting import export_results
from ictus.interchange.folder import import_results
from ictus.model.errors import GateHit, IctusError, MeasurementError, SeveralStopped, StoppedByUser, UsageError
from ictus.model.plan import Plan
from ictus.model.reduction import Reduction
from ictus.programs.exec import ProgramResult, exec_program
from ictus.programs.profile.analysis import ProgramProfile, load_profile
from ictus.programs.profile.launch import ProfiledProgram, profile_program
from ictus.store.campaign import Campaign, load
from ictus.studies.clocks.errors import clock_errors
from ictus.studies.clocks.record import load_clocks
from ictus.studies.diagnosis.analysis import diagnose
from ictus.studies.lens.analysis import Lenses, lenses
from ictus.studies.registry import STUDIES
from ictus.studies.runner import study
from ictus.tuning.study import tune

__all__ = [
    "STUDIES",
    "Advice",
    "Campaign",
    "Cases",
    "Comparison",
    "Event",
    "GateHit",
    "IctusError",
    "Lenses",
    "MeasurementError",
    "Observer",
    "Plan",
    "ProfiledProgram",
    "ProgramProfile",
    "ProgramResult",
    "Reduction",
    "SeveralStopped",
    "StoppedByUser",
    "StudyOptions",
    "UsageError",
    "advise",
    "cases",
    "check",
    "clock_errors",
    "compare",
    "diagnose",
    "exec_program",
    "export_results",
    "ignore",
    "import_results",
    "lenses",
    "load",
    "load_clocks",
    "load_profile",
    "log",
    "profile_program",
    "run",
    "run_campaigns",
    "study",
    "tune",
]
