"""What each part of a page on clocks means, in words."""

from ictus.render.page import paragraphs

ACCURACY = paragraphs("""
    After an algorithm has synchronised, every rank's global clock is compared with rank 0's at the same instant, again
    and again. An algorithm that learns offsets only loses what the clocks drift; one that learns drifts loses what the
    drifts change and what it learnt wrongly.

    Lines are the largest error over ranks, bands span the repeats, dotted lines are the bound that an algorithm proves
    for itself. An error beyond its bound would be a refuted proof.
""")

RANKS = paragraphs("""
    The signed error of every checked rank. Errors of one sign that grow with the rank tell of an algorithm that passes
    its errors on; one rank far off tells of a disturbed exchange.
""")

PROCESSES = paragraphs("""
    How time spent and accuracy change with the number of processes: algorithms that go round all ranks take linearly
    longer, trees logarithmically, and what a tree adds up on its way grows with its depth.
""")

COST = paragraphs("""
    What accuracy costs. The line joins the settings that no other one beats in both time and error; a setting above it
    is never the right choice. MPI_Barrier is the baseline: clocks that err by more than a barrier takes start processes
    no better than a barrier does.
""")

DRIFT = paragraphs("""
    Local clocks against rank 0's, before any synchronisation. A straight line is a constant drift, which a linear model
    removes. Over longer times the line bends: crystals change with temperature.

    The forecast is the line through the shaded stretch. What is left of it later is what a clock model that was learnt
    then would be wrong by, and why clocks are measured again.
""")

FREQUENCY = paragraphs("""
    A counter's ticks become seconds by its frequency. One part per million of error is a microsecond each second. Where
    every rank calibrates for itself, equal counters run apart by the difference of two calibrations; one frequency for
    all ranks of a host cannot do that.
""")

NETGAUGE = paragraphs("""
    The same synchronisation twice: once with one frequency for all, once with a frequency that every rank calibrated
    for itself. What the second loses more is the error of calibrating.
""")

SETTING = paragraphs("Under what it was measured: what differs here may differ above.")

WARNINGS = paragraphs("What should be known before a number below is believed.")
