"""The agent: runs a command on a host made of namespaces, in place of ssh.

    agent HOSTS [-OPTION...] ADDRESS WORD...     as ssh: the words are joined and given to a shell
    agent HOSTS --entry ADDRESS PROGRAM WORD...  the program itself, its words unchanged

HOSTS is a file with the process and the CPUs of each address. Options of ssh are ignored.
"""

import json
import os
import sys
from pathlib import Path

from ictus.launch.namespaces import kernel

ENTRY = "--entry"


def main() -> None:
    """Enter the host and become the command."""
    hosts = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    words = sys.argv[2:]
    options = []
    while words and words[0].startswith("-"):
        options.append(words.pop(0))
    address, *command = words
    if address not in hosts:
        sys.exit(f"no host has the address {address}; there are {', '.join(hosts)}")
    try:
        for name in kernel.OF_A_HOST:
            kernel.enter(hosts[address]["pid"], name)
        os.sched_setaffinity(0, hosts[address]["cpus"])
    except OSError as error:
        sys.exit(f"host {address} cannot be entered: {error.strerror}")
    program = command if ENTRY in options else ["/bin/sh", "-c", " ".join(command)]
    os.execvp(program[0], program)  # noqa: S606 (to become it is what an agent is for)
