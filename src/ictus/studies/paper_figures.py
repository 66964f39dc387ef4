"""What the figures and tables of the papers show, in our words, so that a reader can hold ours beside them without the
paper. By claim; claims whose source names no figure have none.
"""

IN_THE_PAPER = {
    "sync-accuracy": (
        "The largest offset of any process directly after synchronising, against the number of processes, a line "
        "for each algorithm: on up to eight nodes 0.2 µs at most with SKaMPI's and Netgauge's, slightly more with "
        "Jones and Koenig's; with 256 processes and more Netgauge's are worst."
    ),
    "sync-drift": (
        "The largest offset of any process 0 to 20 s after synchronising, for each algorithm, with 16, 120 and 512 "
        "processes on three clusters: those that learn drifts stay nearer."
    ),
    "sync-pareto": (
        "The median offset 5 s after synchronising against the time that synchronising took, of 512 processes, "
        "with the frontier of the settings tried, and the time of an MPI_Barrier as a line."
    ),
    "sync-cost": (
        "The same figure along its other axis: Jones and Koenig's algorithm is slow, as it learns one clock after "
        "the other."
    ),
    "sync-scaling": (
        "The same figure; it has one number of processes. That the time of a line of ranks grows with their "
        "number, and that of a tree with its logarithm, is the text's."
    ),
    "clock-drift": (
        "The offset of a host's clock against a reference host's over time, a line for each of six hosts: straight at "
        "the scale of the figure, up to hundreds of microseconds apart."
    ),
    "frequency": (
        "A histogram of differences of clock speeds found by 100 calibrations on 16 nodes, and the drift that remains "
        "after Netgauge's synchronisation, with intervals over ten launches."
    ),
    "rtt": (
        "Histograms of a thousand round trips between a reference host and 15 others, the mean of such round trips "
        "after outliers are removed, and how many exchanges an offset needs against its quality."
    ),
    "barrier-skew": (
        "When each of 16 processes leaves a barrier, after the first one, for several barriers, as means of a thousand "
        "calls; and the time between the first and the last exit on up to 128 nodes."
    ),
    "barrier-impact": (
        "Traces of MPI_Reduce after two barriers of one library, a table of average latencies of reductions against "
        "barriers, and medians of MPI_Bcast of two libraries after their own barrier and after an external one."
    ),
    "local-global": (
        "MPI_Allreduce of 32 KiB on 16 processes over 4,000 calls, started by windows and by MPI_Barrier, each by the "
        "longest local time and by the global clock: four lines."
    ),
    "window-size": (
        "The share of incorrect measurements of MPI_Alltoall and MPI_Bcast of 8 KiB against the window, a line for "
        "each synchronisation of clocks, and the run time of MPI_Scan against it: shares fall alike, and run times "
        "grow with the window where only offsets of clocks are known."
    ),
    "nrep": (
        "The relative standard error and the variation of the mean of MPI_Allgather of 16 B on 16 processes against "
        "the number of repetitions, with their thresholds, and where the measurement stops."
    ),
    "suites": "What nine suites measure, by which scheme, and how they reduce it: tables of words, without times.",
    "reproducibility": (
        "Thirty times each MPI_Bcast by the Intel MPI Benchmarks, by SKaMPI and by the authors' method, normalised by "
        "the smallest result of a size: theirs lie closest together."
    ),
    "overlap": (
        "The overhead of a blocking and of nonblocking MPI_Allreduce against size on 32 nodes, with tests and with "
        "a progress thread, measured by time and by workload."
    ),
    "progress": "A drawing of how a library's own progress is told from that of tests: no measurement.",
    "stolen-core": (
        "The same figure: with a progress thread on a core of its own, measuring by time hides what changes of "
        "context cost."
    ),
    "run-to-run": (
        "The smallest and the largest of 30 averages of the Intel MPI Benchmarks' MPI_Bcast on 16 processes, for each "
        "size, and their difference in per cent."
    ),
    "compare-two": (
        "MPI_Allreduce of two libraries against size: by two single launches, which contradict each other; by 30 "
        "launches of 10 and of 100 samples with stars of significance; and with a one-sided test."
    ),
    "distribution": (
        "Histograms with densities of 10,000 calls of MPI_Scan of 10,000 B and of MPI_Allreduce of 1,000 B on 16 "
        "processes: two humps each."
    ),
    "clt": (
        "Histograms and quantiles of 500 means of 30 and of 500 samples, drawn from 10,000 of MPI_Allreduce: those of "
        "30 are not normal, those of 500 are."
    ),
    "autocorrelation": (
        "A histogram of calls of MPI_Bcast of 1,000 B on 16 processes, and their correlation against the lag."
    ),
    "mpirun-factor": (
        "Means with intervals of 30 launches of MPI_Bcast on three machines, in their order; a histogram of the means "
        "of 500 launches with its density and its quantiles; and histograms and correlations of single launches."
    ),
    "runtime-drift": (
        "Run times of MPI_Allreduce, MPI_Bcast and MPI_Scan in bins over 4,000 calls, a line for each synchronisation "
        "of clocks and one for MPI_Barrier: those of SKaMPI's and Netgauge's clocks rise."
    ),
    "window-barrier": (
        "Medians of MPI_Bcast over sizes on 512 processes in ten launches, in windows on HCA's clocks and after "
        "MPI_Barrier, normalised."
    ),
    "pinning": "Histograms of MPI_Allreduce on 256 processes, with processes pinned to processors and not.",
    "compiler": (
        "Medians of MPI_Allreduce on 16 processes in 30 launches, of a library compiled with -O1, -O2 and -O3: -O3 "
        "is fastest."
    ),
    "dvfs": (
        "Medians of MPI_Allreduce of two libraries against size in 30 launches, with processors at 2.3 and at 0.8 "
        "GHz: which library is faster changes."
    ),
    "cache": "Medians of MPI_Allreduce in ten launches against size, with cold and with warm caches.",
    "pipelining": (
        "A drawing of a linear broadcast, once and in a loop, in which calls overlap so that each seems shorter: no "
        "measurement."
    ),
    "skew-bcast": (
        "A drawing of a broadcast whose root comes late, and of one whose other processes do: no measurement."
    ),
    "linear-barrier": (
        "A drawing of a linear broadcast behind a linear barrier, which hides part of it: no measurement."
    ),
    "harmonize-reduce": (
        "Latencies of MPI_Reduce against size on 128 and 16,384 processes, and against processes, after barriers "
        "(dotted) and after Harmonize (dashed), with their ratio: 0.6 to 1.8 on 128 processes."
    ),
    "harmonize-bcast": (
        "The same of MPI_Bcast: with one library nine times as long after Harmonize as after a barrier, and lines over "
        "processes that are steady after Harmonize alone."
    ),
    "harmonize-allreduce": "The same of MPI_Allreduce, where starts matter less on 128 processes.",
    "harmonize-scatter-gather": (
        "None of MPI_Scatter and MPI_Gather, of which the text says that they do not differ as much; Fig. 6 has "
        "ratios of MPI_Reduce from 0.6 to 1.8."
    ),
    "linear-reduce": "MPI_Reduce of 4 B against processes, by the average latency and by the longest.",
    "guidelines": (
        "Tables of how many calls of three libraries violate monotony, split-robustness and patterns, which patterns "
        "each of them violates, and two guidelines against size before and after a remedy."
    ),
    "remedies": "MPI_Gather against MPI_Allgather, and MPI_Reduce against MPI_Allreduce, before and after a remedy.",
}
