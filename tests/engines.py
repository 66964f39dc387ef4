"""What some tests need and `make test` does without: one row an engine.

A test with the mark `engine("slurm")` runs in `make test-engines ENGINES=slurm` alone, which fails where the engine is
missing; one that names several needs all of them, and runs with the first. What an engine brings, its programs and MPI
libraries, is seen by its own tests only (tests/surroundings.py).
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDERS = tuple(map(Path, ("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin")))
"""Where programs of the machine are looked for, whatever PATH says."""
INTEL_MPI = ROOT / "build/environments/intel-mpi"


@dataclass(frozen=True)
class Engine:
    """One thing that a machine may have."""

    name: str
    needs: tuple[str, ...]
    """Programs without which it is missing: names in FOLDERS, or paths."""
    install: str
    """The command that brings it here."""
    brings: str = ""
    """Regular expression of the programs that are its own."""
    places: tuple[str, ...] = ()
    """Places of ICTUS_SEARCH in which its MPI libraries lie."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """What its tests have in their environment."""
    packaged: bool = True
    """Whether a package brings it; else it is asked for by name only."""

    @property
    def lacking(self) -> list[str]:
        """What it needs and this machine has not."""
        return [name for name in self.needs if program(name) is None]

    @property
    def complaint(self) -> str:
        """What is missing and how to get it; empty where nothing is."""
        return f"{self.name}: no {', '.join(self.lacking)} here: {self.install}" if self.lacking else ""


_PIP = f"python3 -m venv {INTEL_MPI.relative_to(ROOT)} && {INTEL_MPI.relative_to(ROOT)}/bin/pip install"
_MPI = r"mpi(cc|CC|cxx|c\+\+|exec|run|f77|f90|fort|ifort|icc|icpc|gcc|gxx|name|chversion|vars)"

ENGINES = {
    one.name: one
    for one in (
        Engine(
            "slurm",
            ("munged", "slurmctld", "slurmd", "sbatch", "salloc", "srun", "scontrol", "squeue", "scancel"),
            "apt-get install slurm-wlm munge",
            r"s(alloc|attach|bcast|batch|cancel|control|diag|info|prio|queue|report|run|share|stat|trigger|view|acct|acctmgr|"
            r"crontab|gather|lurm\w*)|(re|un)?munged?|generate-scontrol.*",
        ),
        Engine(
            "simgrid", ("smpicxx", "smpirun"), "apt-get install libsimgrid-dev", r"smpi.*|simgrid.*|tesh", ("path",)
        ),
        Engine(
            "debian-mpi",
            ("mpicxx.mpich", "mpicxx.openmpi"),
            "apt-get install mpich libmpich-dev openmpi-bin libopenmpi-dev",
            rf"{_MPI}(\..*)?|hydra_.*|o(mpi|pal|rte|sh|shmem)[-_]?.*|orted|orterun|aggregate_profile.pl|profile2mat.pl|"
            r"pterm|prte.*|prun|parkill|shmemcc|shmemrun|vtcc|mpivars",
            ("system",),
        ),
        Engine(
            "intel-mpi",
            (str(INTEL_MPI / "bin/mpicxx"),),
            f"{_PIP} impi-rt==2021.18.1 impi-devel==2021.18.1",
            places=("modules",),
            variables={"I_MPI_ROOT": str(INTEL_MPI)},
        ),
        Engine("fortran", ("gfortran",), "apt-get install gfortran", r"(.*-)?gfortran(-\d+)?|f77|f95|flang.*"),
        Engine("valgrind", ("valgrind",), "apt-get install valgrind", r"valgrind.*|(call|cache)grind_.*|vgdb"),
        Engine(
            "compilers",
            ("clang++",),
            "apt-get install clang clang-16 clang-19",
            r"(.*-)?clang.*|ld\.lld.*|l?lld.*|llvm-.*",
        ),
        Engine("chromium", ("chromium",), "apt-get install chromium", r"chromium.*|google-chrome.*"),
        Engine("ssh", ("sshd",), "apt-get install openssh-server", "sshd"),
        Engine(
            "container",
            ("buildah", "debootstrap", "ch-run"),
            "apt-get install buildah debootstrap charliecloud",
            r"buildah|debootstrap|ch-.*|podman|docker|apptainer|singularity",
        ),
        Engine("man", ("man",), "apt-get install man-db", r"man|mandb|whatis|apropos|mandoc"),
        Engine("shells", ("zsh", "fish"), "apt-get install zsh fish", r"zsh.*|fish.*"),
        Engine("tcl", ("tclsh",), "apt-get install tcl environment-modules", r"tclsh.*|wish.*|modulecmd.*"),
        Engine("tutorials", (), "nothing: they take what `make setup` installs, and half an hour"),
        Engine("r", ("Rscript",), "apt-get install r-base-core", r"R|Rscript"),
        Engine("julia", ("julia",), "julialang.org has it", r"julia.*", packaged=False),
        Engine("spack", ("spack",), "spack.io has it", r"spack.*", packaged=False),
    )
}


def program(name: str) -> Path | None:
    """A program of this machine, in FOLDERS, or at a path of its own."""
    return next((path for path in (folder / name for folder in FOLDERS) if path.exists()), None)


def chosen(words: Iterable[str]) -> list[Engine]:
    """The engines that are named, with commas or blanks between; `all`: those that a package brings.

    Raises:
        ValueError: there is none of this name.
    """
    names = [name for word in words for name in re.split(r"[,\s]+", word) if name]
    for name in names:
        if name not in ENGINES and name != "all":
            raise ValueError(f"unknown engine '{name}'; known: all, {', '.join(ENGINES)}")
    packaged = [one.name for one in ENGINES.values() if one.packaged]
    listed = [own for name in names for own in (packaged if name == "all" else [name])]
    return [ENGINES[name] for name in dict.fromkeys(listed)]


def hidden(names: Sequence[str] = ()) -> "re.Pattern[str]":
    """The programs that no test but those of other engines than these sees."""
    return re.compile("|".join(one.brings for one in ENGINES.values() if one.brings and one.name not in names))


def programs(names: Sequence[str] = ()) -> Iterator[Path]:
    """Every program of this machine that tests of these engines see; the first of a name."""
    foreign, seen = hidden(names), set[str]()
    for folder in FOLDERS:
        for path in sorted(folder.iterdir()) if folder.is_dir() else ():
            if path.name not in seen and not foreign.fullmatch(path.name):
                seen.add(path.name)
                yield path


if __name__ == "__main__":
    try:
        print("\n".join(one.name for one in chosen(sys.argv[1:] or ["all"])))
    except ValueError as error:
        sys.exit(str(error))
