"""What studies of campaigns and of the machine print."""

from ictus.model.columns.shared import nested_table, row_table, with_interval

_CLAIM = {"name": "name of the claim", "claim": "the sentence", "source": "the paper", "rule": "how it is judged"}
"""Columns of what papers claim."""

TABLES = (
    nested_table(
        "ictus.nrep/1",
        "`ictus nrep`: a row for each library and case",
        {
            "mpi": "",
            "case": "",
            "nrep": "predicted number of repetitions: the largest of the launches",
            "converged": "whether every launch met the rule",
            "samples_end": "whether a launch has too few samples for `nrep`, so that the number is unknown",
            "spread": "standard deviation over mean of launch medians of the first `nrep` samples; null for one launch",
            "spread_all": "the same of all samples; null where no launch has more",
            "launches": "list of objects, one for each launch; in CSV their numbers",
            "launches.slot": "number of the launch",
            "launches.nrep": "repetitions that it needs",
            "launches.converged": "whether it met the rule",
        },
    ),
    row_table(
        "ictus.lens/1",
        "`ictus lens`: a row for each case and way of measuring",
        "mpi case kind lens spec procsync scheme repetition n_launches headline headline_s reference reference_s "
        "ratio ratio_low ratio_high ratio_min ratio_max printed",
        kind="`lens`, or `procsync` for the makespan after another process synchronisation",
        lens="the suite",
        headline="what the suite calls its number",
        headline_s="median over launches of that number",
        reference="`makespan`, or `local_max` where clocks are not synchronised",
        reference_s="median over launches of that",
        ratio="headline/reference, paired within launches",
        ratio_min="smallest ratio of a launch",
        ratio_max="largest ratio of a launch",
        printed="the suite's line: `name=text`, of each number the median over launches",
    ),
    row_table(
        "ictus.reproduce/1",
        "`ictus reproduce`: a row for each library, case and way of measuring",
        "mpi case way launches n_trials min_s max_s diff deviation within_modes results_s normalised",
        way="`ictus`, or a lens: `osu`, ...",
        launches="launches behind one result",
        n_trials="trials with a result",
        min_s="smallest result",
        max_s="largest result",
        diff="(max - min) / max of the results",
        deviation="deviation of the results",
        within_modes="the diff without what the mode of the machine adds; null where there is one mode, and for a lens",
        results_s="the result of every trial",
        normalised="every result over the smallest",
    ),
    row_table(
        "ictus.overlap/2",
        "`ictus overlap`: a row for each run of a case",
        "mpi n operation size_bytes thread compute intervals_bytes tests launches attempted valid blocking_s "
        "blocking_low_s blocking_high_s init_s test_s compute_s wait_s overhead_s overhead_low_s "
        "overhead_high_s overlap "
        "overlap_low overlap_high osu_overlap imb_overlap least_computed "
        "plain_blocking_s plain_blocking_low_s plain_blocking_high_s plain_overlap plain_overlap_low "
        "plain_overlap_high",
        thread="additional progress: `none`, `library`, `own`",
        compute="what computes: for a fixed time or a fixed amount of work",
        intervals_bytes="bytes of the message from one MPI_Test to the next; empty: no tests",
        tests="calls of MPI_Test in one repetition",
        blocking_s="T_b, the time of the blocking call",
        init_s="time in the call that starts the operation",
        test_s="time in all tests",
        compute_s="time of the computation",
        wait_s="time in the wait",
        overhead_s="overhead: what the operation adds to the computation",
        overlap="share of T_b that the computation hides; not clipped to 0 … 1",
        osu_overlap="share that OSU would report",
        imb_overlap="share that IMB would report",
        least_computed="shortest computation of all launches over T_b; below 1 it could not hide everything",
        plain_blocking_s="of a run with a thread: T_b without it",
        plain_overlap="of a run with a thread: share of T_b without it that its overhead leaves hidden",
    ),
    nested_table(
        "ictus.network/1",
        "`ictus network`: a row for each link and range of sizes",
        {
            "from": "sending rank",
            "to": "receiving rank",
            "hosts": "their hosts",
            "kind": "`inside a host` or `between hosts`",
            "launches": "",
            **with_interval(round_trip_s="round trip of the smallest message"),
            "low_bytes": "smallest size of the range",
            "high_bytes": "largest size of the range",
            **with_interval(
                latency_s="L: time on the way",
                overhead_s="o: time of the processor for a message",
                gap_s="g: least time between two messages",
                gap_per_byte_s="G: time of a byte, the inverse of the bandwidth",
            ),
            "residual": "largest relative error of the line",
        },
    ),
    row_table(
        "ictus.communicators/1",
        "`ictus communicators`: a row for each library, number of processes, call and number of groups",
        "mpi n call mpi_name groups largest launches attempted valid cost_s cost_low_s cost_high_s p95_s clock_bound_s",
        call="the call, as option `--calls` has it",
        mpi_name="its name in MPI",
        groups="groups into which it divides the processes",
        largest="processes of the largest new communicator",
        launches="launches with a valid repetition",
        cost_s="last end minus first begin: median over launches of their medians",
        p95_s="median over launches of their 95th percentiles",
    ),
    nested_table(
        "ictus.barriers.skew/1",
        "`ictus barriers skew`: a row for each library, number of processes, time and start; `--per-rank`: for each "
        "rank",
        {
            "mpi": "",
            "n": "",
            "wait_s": "",
            "start": "the barrier or other start",
            "spec": "the start with all its parameters",
            "launches": "launches with a valid repetition",
            "attempted": "repetitions",
            "late_entry": "repetitions whose entries were too far apart",
            "missed": "repetitions that missed their start",
            "valid": "valid repetitions",
            "clock_bound_s": "",
            "duration_s": "first entry to last exit, median",
            **{
                f"{key}_{what}_s": f"{meaning} {of}"
                for key, of in (
                    ("entry", "entry skew: last entry minus first"),
                    ("skew", "exit skew: last exit minus first"),
                    ("true_skew", "true exit skew; null where the truth is not known"),
                )
                for what, meaning in (
                    ("mean", "mean"),
                    ("low", "lower limit of the 95 % interval of the mean"),
                    ("high", "upper limit of the 95 % interval of the mean"),
                    ("median", "median"),
                    ("p95", "95th percentile of the"),
                    ("max", "largest"),
                )
            },
            "rank": "",
            "exit_mean_s": "mean exit of the rank after the first",
            "exit_low_s": "lower limit of its 95 % interval",
            "exit_high_s": "upper limit of its 95 % interval",
            "true_exit_s": "the true mean exit; null where the truth is not known",
        },
    ),
    row_table(
        "ictus.barriers.impact/1",
        "`ictus barriers impact`: a row for each case and start",
        "mpi algorithm operation n size_bytes procsync launches median_s low_s high_s normalised start_skew_s "
        "valid_share ratio ratio_low ratio_high p_value p_adjusted verdict",
        normalised="the median over the smallest of its column, or over that of the norm (`--norm`)",
        ratio="this start over the reference, paired within launches; null for the reference itself",
        verdict="this start against the reference, as in a comparison",
    ),
    row_table(
        "ictus.procsync.times/1",
        "`ictus procsync times`: a row for each library and case",
        "mpi case launches local_s local_low_s local_high_s global_s global_low_s global_high_s start_skew_s ratio "
        "ratio_low ratio_high",
        local_s="longest local duration, median over launches",
        global_s="makespan, median over launches",
        ratio="global/local, paired within launches",
    ),
    row_table(
        "ictus.procsync.window/1",
        "`ictus procsync window`: a row for each library, case and size of the window",
        "mpi case window_s launches attempted invalid late long invalid_share least_share most_share latency_s "
        "latency_low_s latency_high_s recommended",
        window_s="size of the window",
        invalid="samples that were late or took longer than their window",
        invalid_share="their share",
        least_share="smallest share of a launch",
        most_share="largest share of a launch",
        latency_s="median over launches of the valid samples",
        recommended="whether this size is recommended",
    ),
    row_table(
        "ictus.persistent/1",
        "`ictus persistent`: a row for each library and case",
        "mpi case launches set_up_s set_up_low_s set_up_high_s blocking_s blocking_low_s blocking_high_s persistent_s "
        "persistent_low_s persistent_high_s ratio ratio_low ratio_high ahead_from",
        case="object with the factors of the case in its blocking form",
        launches="launches with a valid sample of both forms",
        set_up_s="making the request, on the slowest rank, median over launches",
        blocking_s="a call of the blocking form, median over launches",
        persistent_s="start and wait of the persistent form, median over launches",
        ratio="persistent/blocking, paired within launches",
        ahead_from="calls from which on the persistent form is ahead in sum, its making counted; null: its calls are "
        "not shown to be faster",
    ),
    row_table(
        "ictus.study/1",
        "`ictus study NAME`: a row for each claim",
        "name claim source rule seen p_value because launches folder",
        **_CLAIM,
        seen="`holds`, `does not hold` or `cannot be seen here`",
        p_value="p-value of the claim, of all cases together that it speaks of; null where the rule has none",
        because="what the data show",
        folder="folder of the measurement; null without one",
    ),
    row_table(
        "ictus.studies/1",
        "`ictus study list`: a row for each claim",
        "name claim source rule study least_percent planted",
        **_CLAIM,
        study="the study that it belongs to",
        least_percent="least effect that matters, percent; null where the rule compares counts or signs",
        planted="what the plan puts there for the study to find; null: nothing",
    ),
)
