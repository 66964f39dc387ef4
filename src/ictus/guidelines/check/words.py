"""The result of a check in sentences."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.text import Text

from ictus.comparison.verdict_texts import ratio_text
from ictus.guidelines.check.analysis import CheckResult
from ictus.guidelines.check.explaining import short_explanation
from ictus.guidelines.check.tables import count_table, guideline_table, legend, loss_table, size_tables
from ictus.guidelines.explain import Explanation
from ictus.guidelines.rule import Kind, short
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, State, states_of, worst_first
from ictus.model.quantity import format_duration, format_size, percent
from ictus.model.registries import Registries
from ictus.render.output import command, next_line, width, wrapped
from ictus.render.table import Table
from ictus.render.terminal import lines as table_lines
from ictus.store.manifest import starting_words

_ADJUSTED = {
    "holm": "adjusted (Holm), so that a library that keeps all of them is blamed in at most {level} of campaigns",
    "bh": "adjusted (Benjamini and Hochberg), so that at most {level} of the violations are expected to be false",
    "none": "not adjusted, as in the paper's tables: some are violated by chance",
}


def method_sentence(result: CheckResult) -> str:
    """How it was judged."""
    options = result.options
    launches = f"{result.launches} launch{'' if result.launches == 1 else 'es'}"
    adjusted = _ADJUSTED[options.adjust].format(level=percent(options.level))
    reason = next((verdict.reason for verdict in result.verdicts if verdict.state is State.CANNOT_DECIDE), "")
    split = any(rule.kind is Kind.SPLIT for rule in result.rules)
    what = f"{options.reduction.summary}s of {launches}"
    return (
        f"One-sided {options.test} test on the {what}, level {percent(options.level)}, {adjusted}."
        + (
            f" Splits are predicted where k calls are {percent(options.tolerance)} faster, then measured."
            if split
            else ""
        )
        + (f" {reason[0].upper()}{reason[1:]}." if reason else "")
        + f" {options.reduction.caption}".rstrip()
    )


def place_sentences(result: CheckResult) -> tuple[str, ...]:
    """One for each place: how many are violated, and the worst of them."""
    return tuple(_place(result, configuration) for configuration in result.places)


def lead(result: CheckResult) -> str:
    """All of them as one text."""
    return " ".join(place_sentences(result))


def _place(result: CheckResult, configuration: Configuration) -> str:
    verdicts = [verdict for verdict in result.verdicts if verdict.place == configuration]
    states = states_of(verdicts)
    broken, predicted, undecided = (
        states.count(state) for state in (State.VIOLATED, State.PREDICTED, State.CANNOT_DECIDE)
    )
    lost = states.count(State.NOT_COMPARABLE)
    total = len(states) - lost
    parts = [f"{broken} of {total} guidelines {'is' if broken == 1 else 'are'} violated"]
    parts += [f"{predicted} more predicted"] if predicted else []
    parts += [f"{undecided} cannot be decided by so few launches"] if undecided else []
    parts += [f"{lost} cannot be compared, as no launch has a valid sample of both sides"] if lost else []
    return f"{result.name(configuration)}, {configuration.n} processes: {', '.join(parts)}{_worst(verdicts)}."


def _worst(verdicts: Sequence[GuidelineVerdict]) -> str:
    worst = next(iter(worst_first(verdicts)), None)
    if worst is None or worst.loss_s is None or worst.state is not State.VIOLATED:
        return ""
    name = short(worst.rule, Registries.load())
    kind = "" if worst.rule.kind is Kind.PATTERN else f"{worst.rule.kind.value} of "
    where = f" at {format_size(worst.size_bytes)}" if worst.size_bytes else ""
    return f"; the most costly, {kind}{name}{where}, loses {format_duration(worst.loss_s)} a call"


def mode_sentences(verdicts: Iterable[GuidelineVerdict]) -> Iterator[str]:
    """Of each violation that depends on the mode of the machine: in which mode it is one."""
    for verdict in verdicts:
        if verdict.by_mode:
            modes = ", ".join(
                f"{mode_verdict.state.value} with {mode_verdict.name} ({ratio_text(mode_verdict.ratio)})"
                for mode_verdict in verdict.by_mode
            )
            where = f" at {format_size(verdict.size_bytes)}" if verdict.size_bytes else ""
            yield f"{verdict.rule.text}{where} in {verdict.place.library} depends on the mode of the machine: {modes}."


def onward(result: CheckResult) -> str:
    """The next command: what mends violations; more launches where some is open; else all figures."""
    folder, states = result.campaign.folder, {verdict.state for verdict in result.verdicts}
    starting = starting_words(result.campaign)
    if State.VIOLATED in states:
        return command("tune", folder, *starting)
    looks = result.campaign.looks
    if State.CANNOT_DECIDE in states and looks is not None:
        return command("check", folder, "--launches", looks.from_on(result.launches + 1), *starting)
    return command("show", folder)


_WORST = 10
"""As many violations are in the terminal's table of costs."""
_EXPLAINED = 5
"""At most this number of calls is explained on the terminal; the page has all."""


def lines(result: CheckResult, why: Sequence[Explanation] = ()) -> Iterator[Text]:
    """The result in sentences, how it was judged and what to do next; then the three tables of the paper, what
    violations cost, and which algorithms did.
    """
    columns = width()
    for mark in result.marks:
        yield from wrapped(f"{mark[0].upper()}{mark[1:]}.", "yellow", columns)
    for sentence in place_sentences(result):
        yield from wrapped(sentence, "bold", columns)
    yield from wrapped(result.evidence.sentence, "", columns)
    yield from wrapped(method_sentence(result), "dim", columns)
    yield next_line(onward(result))
    yield Text()
    every: list[Table[Any]] = [count_table(result), guideline_table(result), *size_tables(result)]
    for table in (*every, loss_table(result, _WORST)):
        if table.blocks:
            yield from table_lines(table, columns)
            yield Text()
    if why:
        selection = f"  of the most costly {_EXPLAINED} of {len(why)} calls" if len(why) > _EXPLAINED else ""
        yield Text.assemble(("Algorithms", "bold"), (selection, "dim"))
        for explanation in why[:_EXPLAINED]:
            yield from wrapped(f"  {short_explanation(explanation)}", "", columns, "    ")
        yield Text()
    for sentence in mode_sentences(worst_first(result.verdicts)[:_WORST]):
        yield from wrapped(sentence, "", columns)
        yield Text()
    marks = legend(result)
    yield from wrapped(f"{marks[:1].upper()}{marks[1:]}", "dim", columns) if marks else ()
    for text in result.left_out:
        yield from wrapped(f"Left out: {text}.", "dim", columns)
