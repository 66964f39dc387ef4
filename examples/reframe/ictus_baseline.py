"""A ReFrame check that measures a campaign with Ictus and holds it against a baseline.

    reframe -c examples/reframe/ictus_baseline.py -r -S IctusBaseline.baselines=$HOME/ictus-baselines

The first run on a partition makes the baseline. Later ones fail where a case is slower than in the baseline by more
than the gate allows. Two campaigns are two states of the machine, so nothing is proven about the library: a case fails
where the interval of these two campaigns lies beyond. With a second library that stays the same as the control
(`-S IctusBaseline.library=mpich -S IctusBaseline.control=openmpi`) the first four runs are baselines, whose spread is
the error: a later case fails where its adjusted p-value is at or below 5 % and its whole 95 % interval lies beyond.
Every case's ratio, now / baseline, is a performance variable. To agree to a change, remove the baselines' folder.

Ictus starts the launches itself, with the launcher of the MPI library or of the site (`--launcher srun`): ReFrame
starts `ictus` once. Subclass it for other operations, or set its variables by `-S IctusBaseline.NAME=VALUE`.
"""

import json
import shlex
from pathlib import Path

import reframe as rfm
import reframe.utility.sanity as sn
import reframe.utility.typecheck as typ
from reframe.core.backends import getlauncher
from reframe.core.builtins import run_before, sanity_function, variable


@rfm.simple_test
class IctusBaseline(rfm.RunOnlyRegressionTest):
    """One campaign of one library against those that were agreed to."""

    descr = "MPI latencies against a baseline"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    executable = "ictus"

    operations = variable(str, value="bcast,allreduce,alltoall")
    sizes = variable(str, value="8..32Ki*16")
    processes = variable(int, value=2)
    launches = variable(int, value=20)
    library = variable(str, value="")
    """A label of `ictus mpi list` or the path of a wrapper; empty: the first that is found."""
    control = variable(str, value="")
    """A second library that stays the same, beside `library`; empty: two campaigns are compared as they are."""
    controlled_baselines = variable(int, value=4)
    """Runs that are baselines where there is a control; 2 or more."""
    gate = variable(str, value="slower > 3 %")
    baselines = variable(str, value="ictus-baselines")
    """The folder that keeps the baselines of each partition and programming environment."""
    run_options = variable(typ.List[str], value=[])
    """Further words of `ictus run`, one by one."""

    @run_before("run")
    def compose_commands(self):
        """The campaign, and behind it the comparison, or the copy that becomes the baseline."""
        self.job.launcher = getlauncher("local")()
        words = ["run", "--op", self.operations, "--sizes", self.sizes, "-n", str(self.processes)]
        words += ["--launches", str(self.launches), "-o", "campaign", *self.run_options]
        words += ["-m", self.library] if self.library else []
        controlled = bool(self.library and self.control)
        words += ["-m", self.control, "--control", self.control] if controlled else []
        needed, apart = (self.controlled_baselines, "") if controlled else (1, " --allow apart")
        self.executable_opts = [shlex.quote(word) for word in words]
        place = (self.current_system.name, self.current_partition.name, self.current_environ.name, self.unique_name)
        folder = shlex.quote(str(Path(self.baselines).absolute() / "-".join(place)))
        self.postrun_cmds = [
            "code=$?",
            'echo "ictus run: exit code $code"',
            f"n=$(ls {folder} 2> /dev/null | wc -l)",
            f"if [ $code -ne 0 ]; then echo 'ictus compare: left out'; elif [ $n -ge {needed} ]; then",
            f"ictus compare campaign --against {folder}/* --gate {shlex.quote(self.gate)}{apart} --json > compare.json",
            'echo "ictus compare: exit code $?"',
            "else",
            f"mkdir -p {folder} && cp -r campaign {folder}.partial && mv {folder}.partial {folder}/$((n + 1)) &&",
            f'echo "ictus compare: no baseline yet, this campaign is number $((n + 1)) of {needed}"',
            "fi",
        ]

    @sanity_function
    def holds_the_gate(self):
        """The campaign was measured, and no case hits the gate."""
        return sn.all(
            [
                sn.assert_found(r"^ictus run: exit code 0$", self.stdout, msg="`ictus run` failed"),
                sn.assert_not_found(
                    r"^ictus compare: exit code 1$",
                    self.stdout,
                    msg=f"the gate '{self.gate}' is hit: the job's standard error says by how many cases",
                ),
                sn.assert_found(
                    r"^ictus compare: (exit code 0|no baseline yet.*)$", self.stdout, msg="`ictus compare` failed"
                ),
            ]
        )

    @run_before("performance")
    def report_ratios(self):
        """How long each case takes, relative to the baseline."""
        path = Path(self.stagedir, "compare.json")
        if not path.is_file():
            return
        rows = json.loads(path.read_text("utf-8"))["rows"]
        self.perf_variables = {
            f"{row['case']['operation']}_{row['case']['size_bytes']}": sn.make_performance_function(
                sn.defer(row["ratio"]), "now/baseline"
            )
            for row in rows
            if row["ratio"] is not None
        }
