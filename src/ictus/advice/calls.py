"""Which calls of a profiled program are worth a look, as cases that Ictus can measure; and which are left aside, with
the reason. Arithmetic on the rows of a profile.

Time inside a blocking collective that is waiting for late processes no remedy can mend: a call matters by the rest.
Where waiting is not known it is taken for none, so that the rest is the most that a remedy could gain, and never what
it will.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ictus.model.nested import traits
from ictus.model.registries import Registries
from ictus.programs.profile.analysis import AwaitedRank, ProgramProfile

LEAST_SHARE = 0.01
"""Of the program's time; a call below it is not worth a remedy."""

_SUMS = ("reduce_scatter", "alltoallv", "alltoallw")
"""Operations of blocks of which a profile has the sum of all blocks, and not one of them."""
_NAMED = {
    "MPI_DOUBLE_PRECISION": "double", "MPI_REAL8": "double", "MPI_REAL": "float", "MPI_REAL4": "float",
    "MPI_INTEGER": "int", "MPI_INTEGER4": "int", "MPI_INT32_T": "int", "MPI_INT64_T": "long", "MPI_INTEGER8": "long",
    "MPI_LONG_LONG": "long", "MPI_LONG_LONG_INT": "long",
}  # fmt: skip
"""Other names of types that reduce as one of ours does."""

MESSAGES = "messages"
"""Stands for all point-to-point calls where an operation is named."""
_SENDS = ("send", "ssend", "bsend", "rsend", "sendrecv", "sendrecv_replace")
MESSAGE_CALLS = (
    *_SENDS, *(f"i{name}" for name in _SENDS), "recv", "irecv", "send_init", "recv_init", "start", "startall",
    *(f"{verb}{which}" for verb in ("wait", "test") for which in ("", "all", "any", "some")),
    "probe", "mprobe", "mrecv",
)  # fmt: skip
"""Calls that send, receive and complete messages. A wait that is known to end a collective has another name."""


@dataclass(frozen=True)
class CallPlace:
    """What one check is about: an operation on communicators of one size, of one datatype and operator."""

    operation: str
    n: int
    datatype: str
    operator: str
    """Empty where nothing is reduced."""

    @property
    def name(self) -> str:
        """`allreduce-n4-double-sum`, as its folders are called."""
        return "-".join(filter(None, (self.operation, f"n{self.n}", self.datatype, self.operator)))

    @property
    def text(self) -> str:
        """`allreduce of double by sum, 4 processes`."""
        if self.operation == MESSAGES:
            return f"{MESSAGES}, {self.n} processes"
        by = f" by {self.operator}" if self.operator else ""
        return f"{self.operation} of {self.datatype}{by}, {self.n} processes"


@dataclass(frozen=True)
class ProgramCall:
    """A call that matters, of one size."""

    place: CallPlace
    size_bytes: int
    """The total volume, as everywhere in Ictus; of a class of sizes the largest that was seen."""
    calls: int
    """Of all processes."""
    share: float
    """Of the time of all processes, that inside these calls, waiting included."""
    sites: tuple[str, ...]
    """Where it is called, dearest first."""
    waiting: float = 0.0
    """Of `share`, what is known to be waiting for processes that come later: the lower limit."""

    @property
    def mendable(self) -> float:
        """The share of the time that a remedy could gain at most."""
        return self.share - self.waiting


@dataclass(frozen=True)
class CallAside:
    """Calls that cost enough, and that nothing can be advised for."""

    operation: str
    share: float
    """Of the time of all processes, waiting included."""
    reason: str
    waiting: float = 0.0
    """Of `share`, what is known to be waiting: the lower limit."""


@dataclass(frozen=True)
class CostlyCalls:
    """The calls of a program, sorted by what can be done about them."""

    calls: tuple[ProgramCall, ...]
    """Dearest first."""
    aside: tuple[CallAside, ...]
    mpi_share: float | None
    """Of the program's time, that in MPI calls; None where no time passed or no call was counted."""
    least: float
    waiting_share: float | None = None
    """Of the program's time, that in blocking collectives before the last process came; None where it is not known."""
    messages_share: float = 0.0
    """Of the program's time, that in point-to-point calls and the waits that end them; 0 where nothing is sent so."""
    most_awaited: AwaitedRank | None = None
    """The process for which the others waited longest."""

    @property
    def places(self) -> tuple[CallPlace, ...]:
        """Dearest first."""
        shares: dict[CallPlace, float] = {}
        for call in self.calls:
            shares[call.place] = shares.get(call.place, 0.0) + call.mendable
        return tuple(sorted(shares, key=lambda call_place: -shares[call_place]))

    def of(self, call_place: CallPlace) -> tuple[ProgramCall, ...]:
        """Those of a place, ascending by size."""
        return tuple(
            sorted((call for call in self.calls if call.place == call_place), key=lambda call: call.size_bytes)
        )


def costly_calls(
    profile: ProgramProfile, ruled: Collection[str], registries: Registries, least: float = LEAST_SHARE
) -> CostlyCalls:
    """The calls of `profile` that take `least` of its time or more, without what is waiting. `ruled` are the operations
    that a guideline says something of: of others nothing is known to compare with.
    """
    rows_by_call: dict[tuple[CallPlace, int], list[Mapping[str, Any]]] = {}
    aside: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in profile.calls.iter_rows(named=True):
        call_place = _place(row, ruled, registries)
        if isinstance(call_place, str):
            aside.setdefault((row["operation"], call_place), []).append(row)
        else:
            rows_by_call.setdefault((call_place, row["size_class"]), []).append(row)
    calls = [_call(at, rows, registries) for (at, _), rows in rows_by_call.items()]
    return CostlyCalls(
        calls=tuple(sorted((call for call in calls if call.mendable >= least), key=lambda call: -call.mendable)),
        aside=tuple(_aside(aside, least)),
        mpi_share=profile.mpi_share,
        least=least,
        waiting_share=profile.waiting_share,
        messages_share=_messages_share(profile),
        most_awaited=profile.most_awaited,
    )


def _messages_share(profile: ProgramProfile) -> float:
    rows = [row for row in profile.calls.iter_rows(named=True) if row["operation"].lower() in MESSAGE_CALLS]
    ended = ("wait", "test", "start")  # which may end, or start, anything: alone they are no messages
    sent = any(not row["operation"].lower().startswith(ended) for row in rows)
    return _sum(rows, "share") if sent else 0.0


def _aside(rows_by_call: Mapping[tuple[str, str], list[Mapping[str, Any]]], least: float) -> Iterator[CallAside]:
    calls = [CallAside(operation, _sum(rows, "share"), reason, _sum(rows, "waiting_low_share"))
             for (operation, reason), rows in rows_by_call.items()]  # fmt: skip
    yield from sorted((call for call in calls if call.share - call.waiting >= least), key=lambda call: -call.share)


def _sum(rows: Iterable[Mapping[str, Any]], name: str) -> float:
    """Of what is known."""
    return sum(row[name] or 0.0 for row in rows)


def _place(row: Mapping[str, Any], ruled: Collection[str], registries: Registries) -> CallPlace | str:
    """Where a row belongs; a text says why it belongs nowhere."""
    operation = row["operation"].lower()
    reason = _unruled(operation, ruled, registries) or _uncommon(row)
    if reason:
        return reason
    member = registries.family("operation").member(operation)
    if member.volume != "none" and row["largest_bytes"] == 0:
        return "it moves nothing"
    datatype = _datatype(row, registries, reduces=member.reduces)
    if datatype is None:
        return f"its datatype {row['datatype']} is none that Ictus reduces"
    operator = row["op"].removeprefix("MPI_").lower() if member.reduces else ""
    if member.reduces and operator not in registries.datatype(datatype).operators:
        return f"its operator {row['op'] or 'of its own'} is none that Ictus reduces {datatype} with"
    return CallPlace(operation, row["n_ranks"], datatype, operator)


def _unruled(operation: str, ruled: Collection[str], registries: Registries) -> str:
    """Why nothing can be said of an operation; empty where something can."""
    if operation.startswith(("wait", "test")):
        return "it ends other calls, and waits for them"
    if operation not in {member.name for member in registries.family("operation").members}:
        return "it is not a collective: neither algorithms nor mock-ups stand for it"
    if operation not in ruled or _blocking(operation) == "scatterv":  # whose sizes differ between root and others
        return "no guideline says what it may cost"
    return ""


def _uncommon(row: Mapping[str, Any]) -> str:
    """Why nothing can be said of a communicator; empty where something can."""
    if row["n_remote"]:
        return "it is between two groups of processes"
    return "one process alone calls it" if row["n_ranks"] < 2 else ""


def _blocking(operation: str) -> str:
    """The blocking form of a nonblocking or persistent operation."""
    return operation.removeprefix("i").removesuffix("_init")


def _datatype(row: Mapping[str, Any], registries: Registries, *, reduces: bool) -> str | None:
    """Ours of the same meaning; of what is moved and not reduced, bytes stand for a type that has none."""
    datatype_names = {datatype.mpi: datatype.name for datatype in registries.datatypes} | _NAMED
    return datatype_names.get(row["datatype"], None if reduces else "byte")


def _call(call_place: CallPlace, rows: list[Mapping[str, Any]], registries: Registries) -> ProgramCall:
    member = traits(registries, registries.check("operation", call_place.operation))
    contributed = max(row["largest_bytes"] for row in rows)
    is_block = member.volume == "blocks" and _blocking(call_place.operation) not in _SUMS
    dearest = sorted(rows, key=lambda row: -row["time_s"])
    return ProgramCall(
        place=call_place,
        size_bytes=contributed * call_place.n if is_block else contributed,
        calls=sum(row["calls"] for row in rows),
        share=_sum(rows, "share"),
        sites=tuple(dict.fromkeys(row["site"] for row in dearest if row["site"])),
        waiting=_sum(rows, "waiting_low_share"),
    )
