"""Whether a compiler takes further flags for the core, asked before the core is built with them.

A small program is compiled and linked with the flags: an error names the option and shows what the compiler said. Flags
under which numbers cannot be NaN are refused, for the core marks with it what is not known.
"""

import shlex
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from ictus.model.errors import OptionError
from ictus.model.launch_factor import CORE_FLAGS
from ictus.model.library import Installation
from ictus.mpi.toolchain import Compiler

_PROGRAM = """#if defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__
#error "the core marks with NaN what is not known, and these flags take NaN away: add -fno-finite-math-only"
#endif
int main() { return 0; }
"""
_SHOWN_LINES = 20


def check_core_flags(installation: Installation, compiler: Compiler, flags: str) -> None:
    """OptionError where the compiler refuses the flags; the message shows what it said."""
    with TemporaryDirectory(prefix="ictus-flags-") as name:
        source = Path(name) / "program.cpp"
        source.write_text(_PROGRAM)
        words = (str(compiler.wrapper), "-std=c++20", "-O2", *flags.split(), str(source))
        command = (*words, "-o", str(source.with_suffix("")))
        made = subprocess.run(
            command,
            env=compiler.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    if made.returncode != 0:
        error_lines = made.stdout.splitlines()[:_SHOWN_LINES]
        error_text = "\n".join(f"    {line}" for line in error_lines) or "    (it printed nothing)"
        refusal = f"the compiler of {installation.label} refuses: {shlex.join(command)}\n{error_text}"
        raise OptionError((CORE_FLAGS, flags, refusal))
