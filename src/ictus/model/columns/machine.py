"""What commands print of libraries, and of what a plan may contain."""

from ictus.model.columns.shared import row_table

_INSTALLATION = {
    "label": "the name by which -m finds it",
    "flavour": "kind of library",
    "version": "its version",
    "wrapper": "its compiler wrapper",
    "launcher": "its launcher",
    "library_version": "first line of MPI_Get_library_version; `unknown` before a core was built",
    "build_info": "compiler and flags of the library's own build; `unknown` where it does not report them",
    "origin": "where it was found: `wheel`, `debian`, `path`, `module`, `added`, ...",
    "checksum": "of the shared libraries of MPI; `unknown` where they were not found",
    "abi_wrapper": "wrapper that compiles for the standard ABI of MPI 5; null: programs have the library's own",
}

TABLES = (
    row_table(
        "ictus.mpi/1",
        "`ictus mpi list`: a row for each library",
        f"{' '.join(_INSTALLATION)} sets",
        **_INSTALLATION,
        sets="variables that Ictus sets for its ranks on this machine, `NAME=VALUE; NAME=VALUE`",
    ),
    row_table(
        "ictus.doctor/1",
        "`ictus doctor`: a row for each library",
        f"{' '.join(_INSTALLATION)} works compile_s launch_s n_ranks pinned plugin failure",
        **_INSTALLATION,
        works="whether it compiles and launches",
        compile_s="time to compile a program",
        launch_s="time of a launch",
        n_ranks="ranks of that launch",
        pinned="whether ranks were pinned; null: not tried",
        plugin="Slurm's plug-in that fits; `mpiexec`: none does, its own launcher starts it; null without Slurm",
        failure="what failed; empty otherwise",
    ),
    row_table(
        "ictus.families/1",
        "`ictus list`: a row for each family",
        "family summary members",
        family="name of the family",
        summary="what it is",
        members="names of its members",
    ),
    row_table(
        "ictus.list/1",
        "`ictus list FAMILY`: a row for each member",
        "family name summary source parameters",
        family="name of the family",
        summary="what the member does",
        parameters="`name=default` of each parameter",
    ),
    row_table(
        "ictus.operations/1",
        "`ictus list operations`: a row for each operation and library",
        "mpi operation call form mockup_of guideline volume blocks counts since available large_counts reason",
        operation="name of the operation",
        call="name of the call in MPI",
        form="`blocking`, `nonblocking` or `persistent`",
        mockup_of="the operation that it stands for; null: none",
        guideline="the guideline that it belongs to; null: none",
        volume="what its size is",
        blocks="how the volume falls into blocks; null: it does not",
        counts="whether blocks can differ in size (`--counts`)",
        since="version of MPI that has it",
        available="whether the library has it; null without a library",
        large_counts="whether it takes counts beyond an int; null without a library",
    ),
    row_table(
        "ictus.algorithms/1",
        "`ictus list algorithms`: a row for each algorithm of each library",
        "mpi operation name number",
        name="name of the algorithm",
        number="the number by which the library selects it; null: by name",
    ),
)
