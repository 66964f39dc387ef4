"""Many files at a time: NumPy and Polars release the lock of the interpreter while they work."""

import os
from collections import deque
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


def in_threads(function: Callable[[A], B], items: Iterable[A]) -> list[B]:
    """`function` of each item, in their order, by one thread a core. The first exception is raised.

    An interrupt ends it at once. Python waits for the threads of a `ThreadPoolExecutor`, even at its own end, and one
    of them may be reading a file of a terabyte; these are not waited for, so that `function` must only read.
    """
    work = deque(enumerate(items))
    results: dict[int, B] = {}
    answers: SimpleQueue[tuple[int, B] | BaseException] = SimpleQueue()

    def run() -> None:
        while True:
            try:
                number, item = work.popleft()
            except IndexError:
                return
            try:
                answers.put((number, function(item)))
            except BaseException as error:  # noqa: BLE001 (raised below)
                answers.put(error)

    total = len(work)
    for _ in range(min(os.cpu_count() or 1, total)):
        Thread(target=run, daemon=True).start()
    try:
        while len(results) < total:
            answer = answers.get()
            if isinstance(answer, BaseException):
                raise answer
            results[answer[0]] = answer[1]
    finally:
        work.clear()
    return [results[number] for number in range(total)]
