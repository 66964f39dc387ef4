"""Ictus from Python: load a campaign folder, look at its samples, compare what was measured.

import ictus

campaign = ictus.load("demo")
campaign.samples                                     # polars LazyFrame of all samples
ictus.cases(campaign).to_frame()                     # one row per library and case
ictus.compare(campaign, "mpich", "openmpi").rows     # one row per case, with verdicts
ictus.lenses(ictus.load("lens"), "osu").to_frame()   # what a suite would have reported (`ictus lens -o lens`)

ictus.load("demo", reduction=ictus.Reduction("mean", outliers=None))   # means of all valid samples

study = ictus.load_clocks("study")                   # what `ictus clocks accuracy -o study` kept
ictus.clock_errors(study)                            # one summary per algorithm
"""

from ictus.comparison.comparison import Cases, Comparison, cases, compare
from ictus.model.errors import GateHit, IctusError, MeasurementError, UsageError
from ictus.model.reduction import Reduction
from ictus.store.campaign import Campaign, load
from ictus.studies.clocks.errors import clock_errors
from ictus.studies.clocks.reading import load_clocks
from ictus.studies.diagnosis.analysis import diagnose
from ictus.studies.lens.reports import Lenses, lenses

__all__ = [
    "Campaign",
    "Cases",
    "Comparison",
    "GateHit",
    "IctusError",
    "Lenses",
    "MeasurementError",
    "Reduction",
    "UsageError",
    "cases",
    "clock_errors",
    "compare",
    "diagnose",
    "lenses",
    "load",
    "load_clocks",
]
