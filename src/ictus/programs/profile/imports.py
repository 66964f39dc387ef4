"""What the objects of a program import from MPI that is not counted: else a program that calls MPI by functions that
Ictus does not stand in front of would seem to make no calls.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePath

_NAMED, _OF_A_KIND = 16, 3
"""Functions, and those of a kind, that a sentence names where it has more; JSON has all."""

_LOCAL = re.compile(
    "MPI_(?:"
    "Abi_.*|Add_error_.*|Address|Aint_.*|Alloc_mem|Attr_.*|Buffer_attach|Cancel|Cart_(?:coords|get|map|rank|shift)"
    "|Cartdim_get|Comm_(?:attach_buffer|call_errhandler|compare|create_errhandler|create_keyval|delete_attr"
    "|free_keyval|get_.*|group|rank|remote_.*|set_.*|size|test_inter)|Dims_create|Dist_graph_neighbors.*"
    "|Errhandler_.*|Error_.*|File_(?:call_errhandler|create_errhandler|get_.*|set_errhandler)|Finalized|Free_mem"
    "|Get_.*|Graph_(?:get|map|neighbors.*)|Graphdims_get|Grequest_.*|Group_.*|Info_.*|Initialized|Is_thread_main"
    "|Keyval_.*|Op_.*|Pack.*|Pcontrol|Query_thread|Reduce_local|Register_datarep|Remove_error_.*"
    "|Session_(?:attach_buffer|call_errhandler|create_errhandler|get_.*|set_.*)|Status_.*|T_.*|Test_cancelled"
    "|Topo_test|Type_.*|Unpack.*|Win_(?:attach|call_errhandler|create_errhandler|create_keyval|delete_attr|detach"
    "|free_keyval|get_.*|set_.*|shared_query)|Wtick|Wtime|.*_(?:c2f|f2c|c2f08|f082c|f2f08|f082f|fromint|toint)"
    ")(?:_c)?"
)
"""Functions that neither move data between processes nor wait for another, by the standard. Those that it does not
know are taken for ones that do.
"""


@dataclass(frozen=True)
class ImportedFunctions:
    """What one object, the program or a library, imports from MPI and is not counted."""

    file: str
    """Its path."""
    functions: tuple[str, ...]
    """Those that may move data or wait for other processes: `MPI_File_open`."""
    local: tuple[str, ...]
    """The others: `MPI_Comm_rank`."""


def parse_imports(lines: str) -> tuple[ImportedFunctions, ...]:
    """Of each line the object, a tab, and its functions between blanks, as libictus-profile.so writes them."""
    rows = (line.partition("\t") for line in lines.splitlines())
    return tuple(_sorted_out(file, names.split()) for file, _, names in rows if names)


def all_imports(of_processes: Iterable[Sequence[ImportedFunctions]]) -> tuple[ImportedFunctions, ...]:
    """Those of all processes together: some may load what others do not."""
    names: dict[str, set[str]] = {}
    for functions in (each for process in of_processes for each in process):
        names.setdefault(functions.file, set()).update(functions.functions, functions.local)
    return tuple(_sorted_out(file, sorted(names_of_file)) for file, names_of_file in names.items())


def _sorted_out(file: str, names: Sequence[str]) -> ImportedFunctions:
    local = tuple(name for name in names if _LOCAL.fullmatch(name))
    return ImportedFunctions(file, tuple(function for function in names if function not in local), local)


def imports_sentence(imports: Sequence[ImportedFunctions]) -> str:
    """What may communicate and is not counted, by name, and where there are many of a kind by the kind; empty where
    nothing is.
    """
    objects = [functions for functions in imports if functions.functions]
    if not objects:
        return ""
    shortened = sum(len(imported.functions) for imported in objects) > _NAMED
    named = (
        f"{', '.join(_kinds(imported.functions) if shortened else imported.functions)} ({_name(imported)})"
        for imported in objects
    )
    return f"Not counted, though imported: {'; '.join(named)}{'; --json names all' if shortened else ''}."


def _kinds(functions: Sequence[str]) -> Iterator[str]:
    """`MPI_File_* (60)` for many functions of one kind; others by name."""
    for kind, of_kind in groupby(functions, lambda function: "_".join(function.split("_")[:2])):
        names = list(of_kind)
        yield from (f"{kind}_* ({len(names)})",) if len(names) > _OF_A_KIND else names


def _name(functions: ImportedFunctions) -> str:
    return PurePath(functions.file).name


def unseen_calls(imports: Sequence[ImportedFunctions]) -> str:
    """Why a program that called MPI_Init may have no counted call."""
    sentence = imports_sentence(imports)
    if sentence:
        return f"the program calls MPI by other functions than those that are counted, or not at all. {sentence}"
    return (
        "no object of the program imports another function that moves data or waits: it makes no such call, or finds "
        "functions by name when it runs (dlsym), where nothing can be loaded in front of them"
    )
