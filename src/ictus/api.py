"""Ictus from Python: measure, load, look at samples, compare. python.md has examples of each.

import ictus

campaign = ictus.run({"op": "bcast", "sizes": "8..64Ki", "n": "4"}, "camp")   # measure, or continue where it stopped
campaign = ictus.run({"op": "bcast", "over": "2h"}, "day")   # its launches at random times over two hours
olds = ictus.run_campaigns({"op": "bcast", "over": "2h"}, "old", 5)   # old-1 ... old-5: one side of ictus.compare
campaign = ictus.load("camp")                        # a campaign that is there
campaign.samples                                     # polars LazyFrame of all samples
ictus.cases(campaign).to_frame()                     # one row per library and case
ictus.compare(campaign, "mpich", "openmpi").rows     # one row per case, with verdicts

ictus.compare(campaign).plot("ratio")                # axes of matplotlib, as the report draws them
ictus.history(["night-1", "night-2"])                # cases over campaigns, and where a level changed
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

from ictus.advice.outcome import Advice as Advice
from ictus.advice.study import advise as advise
from ictus.comparison.cases import Cases as Cases, cases as cases
from ictus.comparison.comparison import Comparison as Comparison, compare as compare
from ictus.diagnosis.analysis import diagnose as diagnose
from ictus.engine.event import Event as Event, Observer as Observer, ignore as ignore, log as log
from ictus.engine.measurement import run as run
from ictus.engine.several_campaigns import run_campaigns as run_campaigns
from ictus.engine.study_options import StudyOptions as StudyOptions
from ictus.guidelines.check.study import check as check
from ictus.histories.study import CampaignHistory as CampaignHistory, history as history
from ictus.interchange.exporting import export_results as export_results
from ictus.interchange.folder import import_results as import_results
from ictus.model.errors import (
    GateHit as GateHit,
    IctusError as IctusError,
    MeasurementError as MeasurementError,
    SeveralStopped as SeveralStopped,
    StoppedByUser as StoppedByUser,
    UsageError as UsageError,
)
from ictus.model.plan import Plan as Plan
from ictus.model.reduction import Reduction as Reduction
from ictus.programs.exec import ProgramResult as ProgramResult, exec_program as exec_program
from ictus.programs.profile.analysis import ProgramProfile as ProgramProfile, load_profile as load_profile
from ictus.programs.profile.launch import ProfiledProgram as ProfiledProgram, profile_program as profile_program
from ictus.store.campaign import Campaign as Campaign, load as load
from ictus.studies.clocks.errors import clock_errors as clock_errors
from ictus.studies.clocks.record import load_clocks as load_clocks
from ictus.studies.lens.analysis import Lenses as Lenses, lenses as lenses
from ictus.studies.registry import STUDIES as STUDIES
from ictus.studies.runner import study as study
from ictus.tuning.study import tune as tune
