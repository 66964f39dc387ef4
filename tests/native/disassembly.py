"""What a timed window does, read in the machine code that a compiler made of native/src/workload/timed_window.hpp."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

READINGS = ("clock_gettime@plt", "MPI_Wtime@plt", "ictus::SkewedClock::look()")
"""Functions of clocks that read by a call; the others read the counter, `rdtscp`."""
_TRANSFERS = ("mov", "movq", "movl", "movabs")
_IGNORED = ("lfence", "nop", "xchg", "data16", "cs", "ds", "endbr64")
"""They move nothing; as `xchg %ax,%ax`, `data16` and `cs` a compiler aligns what follows."""
_COUNTING = ("test", "cmp", "sub", "dec", "cmov", "xor", "jne", "jmp")
"""What the round of a loop, and the code that it keeps, take."""


@dataclass(frozen=True)
class Instruction:
    """In AT&T notation: the destination is the last operand."""

    address: int
    mnemonic: str
    operands: str
    remark: str = ""
    """What a place in memory is the address of, if that has a name."""

    @property
    def called(self) -> str:
        """Who is called: the name of a function, a register or a place in memory; empty where nobody is."""
        named = re.search(r"<(.*?)(\+0x[0-9a-f]+)?>$", self.operands)
        return "" if self.mnemonic != "call" else named[1] if named else self.operands

    @property
    def is_reading(self) -> bool:
        """Whether it reads a clock."""
        return self.mnemonic == "rdtscp" or self.called in READINGS

    @property
    def target(self) -> int:
        """Of a jump."""
        return int(self.operands.split()[0], 16)

    @property
    def places(self) -> str:
        """The operands without the name of the function that they lie in."""
        return re.sub(r" ?<.*>$", "", self.operands)

    @property
    def destination(self) -> str:
        """The last operand."""
        return re.split(r",(?![^(]*\))", self.places)[-1]

    def __str__(self) -> str:
        return f"{self.address:x}: {self.mnemonic} {self.operands}"


def functions(file: Path, name: str) -> dict[str, list[Instruction]]:
    """The functions of a program or an object file in whose names the pattern `name` occurs; copies of one that source
    files have for themselves by name and address.
    """
    command = ("objdump", "--disassemble", "--demangle", "--no-show-raw-insn", file)
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = {}
    for title, body in re.findall(r"^[0-9a-f]+ <(.*)>:\n((?:.+\n)*)", listed, re.MULTILINE):
        if re.search(name, title):
            lines = re.findall(r"^ *([0-9a-f]+):\t(\S+) *([^#\n]*)(?:# (.*))?", body, re.MULTILINE)
            key = f"{title} at {lines[0][0]}" if title in found else title
            found[key] = [Instruction(int(at, 16), what, on.strip(), remark) for at, what, on, remark in lines]
    return found


def faults(code: list[Instruction], calls: int, *, loops: bool = False) -> list[str]:
    """What is between the two readings of a function besides `calls` calls through a register. A loop also counts and,
    before its first round, may keep the first reading on the stack, where registers do not suffice.
    """
    readings = [place for place, one in enumerate(code) if one.is_reading]
    if len(readings) != 2:
        return [f"{len(readings)} readings"]
    inside = code[readings[0] + 1 : readings[1]]
    back = [one.target for one in inside if one.mnemonic.startswith("j")]
    found = [] if len(back) == int(loops) else [f"{len(back)} jumps"]
    body = back[0] if back else code[0].address
    through = [one for one in inside if re.fullmatch(r"\*%r\w+", one.called)]
    found += [] if len(through) == calls else [f"{len(through)} calls through a register"]
    return found + [
        f"{fault} at {one}" for one in inside if one not in through for fault in _faults_of(one, body, loops=loops)
    ]


def _faults_of(one: Instruction, body: int, *, loops: bool) -> Iterator[str]:
    """Of an instruction that is no call through a register; `body` is where the rounds of a loop begin."""
    if one.mnemonic == "call":
        yield "a call"
    elif one.mnemonic.startswith(_IGNORED):
        return
    elif one.mnemonic.startswith(_TRANSFERS) or one.mnemonic == "lea":
        if "(" in one.destination and not (loops and one.address < body and one.destination.endswith("(%rsp)")):
            yield "a store"
        elif "(" in one.places and "(%rsp)" not in one.places:
            yield "a load from other memory than the stack"
    elif not (loops and one.mnemonic.startswith(_COUNTING) and "(" not in one.places):
        yield "a store" if "(" in one.destination or one.mnemonic == "push" else "arithmetic"


def detours(code: list[Instruction]) -> list[str]:
    """What the code of a bound call does besides loading the arguments from its block and jumping to the function."""
    leaves = [one for one in code if one.mnemonic in ("jmp", "call")]
    found = [] if len(leaves) == 1 and leaves[0].operands.startswith("*") else [f"{len(leaves)} ways on"]
    return found + [f"other memory at {one}" for one in code if "%rip" in one.operands or "%fs" in one.operands]
