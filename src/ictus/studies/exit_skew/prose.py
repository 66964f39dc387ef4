"""What each part of a page on starts means, in words."""

from ictus.render.page import paragraphs

SKEW = paragraphs("""
    All ranks enter at one instant of the global clock, so that what they leave with is the start's own and not the
    pattern in which they came. The skew of a repetition is the last exit minus the first; bars are means with their
    95 % interval, over launches where there are several, else over repetitions. A ring is the true mean, told by the
    counter that all ranks read. Barriers go by the names of their algorithms; library is MPI_Barrier.

    A barrier promises that nobody leaves before all have entered. It promises nothing of leaving together. Starts that
    wait for an instant are as good as the clocks that they wait by.
""")

EXITS = paragraphs("""
    When each rank leaves, after the first one to leave: means with 95 % intervals. This is the pattern with which the
    next operation would begin, if the ranks called it now.
""")

SCALING = paragraphs("""
    What becomes of the skew with more processes: a barrier's grows with its rounds or its ranks, that of starts on a
    common clock with the clock's error.
""")

WINDOW = paragraphs("""
    A window that is too short is missed by ranks that are still in the call before: the sample is invalid, marked late
    or long. A window that is too long wastes time in which clocks drift and others disturb. Lines are medians over
    launches, bands their 95 % interval.
""")

TIMES = paragraphs("""
    The same samples reduced in two ways. Local: the longest duration on any rank's own clock, which does not know when
    the others began. Global: from the first start to the last end, the makespan. Where the start leaves ranks apart,
    the one counts that skew and the other does not.
""")
