"""Rules and medians in, verdicts out: the only way from a campaign to the verdicts on its guidelines."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, isnan, nan

import numpy as np

from ictus.guidelines.judgement import TESTS, GuidelineJudgement, Options, judge, launches_needed
from ictus.guidelines.measured import GuidelineMedians
from ictus.guidelines.question import (
    Question,
    SplitPrediction,
    confirming_question,
    monotony_questions,
    pattern_questions,
    predictions,
)
from ictus.guidelines.rule import Kind, Rule
from ictus.guidelines.verdict import Configuration, GuidelineVerdict, ModeVerdict, State
from ictus.stats.adjust import find_adjustment
from ictus.stats.arrays import FloatArray
from ictus.stats.by_stratum import differing_strata, strata_of
from ictus.stats.evidence import Evidence, SamplePair, gather, number_at, ratio_at
from ictus.stats.interval import difference
from ictus.stats.looks import InterimLook


@dataclass(frozen=True)
class GuidelineLook:
    """What is judged: all launches, or those until a look of a check that can grow."""

    look: InterimLook | None
    measured: GuidelineMedians
    confirmations: Sequence[GuidelineMedians]


def verify(
    rules: Iterable[Rule],
    measured: GuidelineMedians,
    options: Options | None = None,
    confirmations: Sequence[GuidelineMedians] = (),
    looks: Sequence[GuidelineLook] = (),
) -> tuple[GuidelineVerdict, ...]:
    """All verdicts, in the order of rules, places and sizes. `confirmations` are campaigns of their own that measured
    predicted violations of split-robustness; of several the first counts. A check that grows has its `looks` so far
    instead of both; p-values are then valid over all looks, and what one of them found is not taken back.

    A rule says nothing of a place where one of its operations was not planned.
    """
    options, rules = options or Options(), tuple(rules)
    at_looks = tuple(looks) or (GuidelineLook(None, measured, confirmations),)
    p_by_question: dict[_Key, dict[int | None, float]] = {}
    for at_look in at_looks:
        questions, entries = _entries(rules, at_look, options)
        measured_questions = [entry for entry in entries if isinstance(entry, Question)]
        family = _judged(measured_questions, options, at_look.look, p_by_question)
        p_by_question |= {
            _key(question): family.valid_p_values(index) for index, question in enumerate(measured_questions)
        }
    verdicts, number = [], 0
    for prediction, entry in zip(questions, entries, strict=True):
        if isinstance(entry, Question):
            verdict = _verdict(number, family)
            number += 1
            if isinstance(prediction, SplitPrediction) and verdict.state is State.NOT_COMPARABLE:
                verdict = _predicted(prediction, verdict.reason)  # k calls that gave no data leave it as it was
            verdicts.append(verdict)
        else:
            verdicts.append(_predicted(entry))
    return tuple(verdicts)


def unconfirmed(verdicts: Iterable[GuidelineVerdict]) -> tuple[GuidelineVerdict, ...]:
    """The predictions that are still to be measured."""
    return tuple(verdict for verdict in verdicts if verdict.state is State.PREDICTED)


_Key = tuple[Rule, Configuration, int, int, int]


def _key(question: Question) -> _Key:
    return question.rule, question.configuration, question.size_bytes, question.right_size_bytes, question.times


def _entries(
    rules: Sequence[Rule], at_look: GuidelineLook, options: Options
) -> tuple[list[Question | SplitPrediction], list[Question | SplitPrediction]]:
    """What is asked, and what is judged: the measured question in the place of a prediction that was confirmed."""
    questions = [
        question
        for rule in rules
        for configuration in at_look.measured.places
        for question in _questions_of(rule, configuration, at_look, options)
    ]
    return questions, [
        _confirmed(question, at_look.confirmations) if isinstance(question, SplitPrediction) else question
        for question in questions
    ]


@dataclass(frozen=True)
class _GuidelineFamily:
    """All questions of a campaign, judged together."""

    questions: Sequence[Question]
    pairs: Sequence[SamplePair]
    evidence: Evidence
    p_values: FloatArray
    """One-sided, of all questions and then of their modes; valid over all looks where there are some."""
    judgement: GuidelineJudgement
    options: Options
    look: InterimLook | None
    parts: Mapping[int, Mapping[int, SamplePair]]
    """By question whose ratio depends on the mode: its modes, whose evidence follows that of all questions."""

    def valid_p_values(self, index: int) -> dict[int | None, float]:
        """The valid p-values of a question and of its modes, for later looks; None is the question."""
        p_by_mode: dict[int | None, float] = {None: float(self.p_values[index])}
        for mode, row in self.rows_of(index).items():
            p_by_mode[mode] = float(self.p_values[row])
        return p_by_mode

    def rows_of(self, index: int) -> dict[int, int]:
        """Where the evidence of a question's modes is, by mode."""
        before = sum(len(by_mode) for question, by_mode in self.parts.items() if question < index)
        return {mode: len(self.questions) + before + i for i, mode in enumerate(self.parts.get(index, ()))}


def _questions_of(
    rule: Rule, configuration: Configuration, at_look: GuidelineLook, options: Options
) -> tuple[Question, ...] | tuple[SplitPrediction, ...]:
    measured = at_look.measured
    if rule.kind is Kind.SPLIT:
        return predictions(rule, configuration, measured, options.tolerance)
    if rule.kind is Kind.MONOTONY:
        return monotony_questions(rule, configuration, measured)
    return pattern_questions(rule, configuration, measured, options.tolerance)


def _confirmed(prediction: SplitPrediction, confirmations: Sequence[GuidelineMedians]) -> Question | SplitPrediction:
    """The measured question where a violation was predicted and measured, else the prediction."""
    return (confirming_question(prediction, confirmations) if prediction.violated else None) or prediction


def _judged(
    questions: Sequence[Question],
    options: Options,
    look: InterimLook | None,
    p_by_question: Mapping[_Key, Mapping[int | None, float]],
) -> _GuidelineFamily:
    """At a `look`, with the valid p-values `p_by_question` from earlier ones, of each question and of its modes: a
    question that was judged by its modes stays so, and of a mode that is told apart no more the p-value is the
    question's.
    """
    test, level = TESTS[options.test], options.level if look is None else look.nominal_level(options.level)
    pairs = [question.samples(paired=test.paired, within_modes=options.within_modes) for question in questions]
    parts = differing_strata(pairs, find_adjustment(options.adjust), level, options.tolerance)
    earlier = [p_by_question.get(_key(question), {}) for question in questions]
    again = {index: strata_of(pair) for index, pair in enumerate(pairs) if len(earlier[index]) > 1}
    parts |= {index: by_mode for index, by_mode in again.items() if len(by_mode) > 1}
    parts = dict(sorted(parts.items()))
    tested = [*pairs, *(part for by_mode in parts.values() for part in by_mode.values())]
    evidence = gather(tested, test, level)
    allowances = [question.allowance for question in questions]
    allowances += [questions[index].allowance for index, by_mode in parts.items() for _ in by_mode]
    allowed = [index for index, allowance in enumerate(allowances) if allowance > 0]
    if allowed:  # ratio and interval stay those of the times; slower by more than the allowance is what is tested
        shifted = [replace(tested[index], b=tested[index].b * (1 + allowances[index])) for index in allowed]
        evidence.p_greater[allowed] = gather(shifted, test, level).p_greater
    # Evidence has the smallest p for two sides.
    p_values, smallest = evidence.p_greater, evidence.smallest_p / 2
    if look is not None:
        p_values, smallest = look.valid_one_sided(p_values), look.valid_one_sided(smallest)
        before = [
            _smallest(p for mode, p in p_by_mode.items() if mode not in parts.get(index, ()))
            for index, p_by_mode in enumerate(earlier)
        ]
        before += [earlier[index].get(mode, nan) for index, by_mode in parts.items() for mode in by_mode]
        p_values = np.where(np.isnan(p_values), np.nan, np.fmin(p_values, before))
    judgement = judge(p_values, smallest, options)
    return _GuidelineFamily(questions, pairs, evidence, p_values, judgement, options, look, parts)


def _smallest(p_values: Iterable[float]) -> float:
    """Of those that are defined; NaN without any."""
    return min((p for p in p_values if not isnan(p)), default=nan)


def _verdict(index: int, family: _GuidelineFamily) -> GuidelineVerdict:
    question, evidence = family.questions[index], family.evidence
    by_mode = tuple(_mode_verdict(row, mode, question, family) for mode, row in family.rows_of(index).items())
    violated = any(verdict.state is State.VIOLATED for verdict in by_mode)
    state = State.VIOLATED if violated else family.judgement.state(index)
    if question.confirms and state is State.HOLDS:
        state = State.REFUTED
    return GuidelineVerdict(
        rule=question.rule,
        place=question.configuration,
        size_bytes=question.size_bytes,
        right_size_bytes=question.right_size_bytes,
        times=question.times,
        left_s=number_at(evidence.median_a, index),
        right_s=number_at(evidence.median_b, index),
        ratio=ratio_at(evidence.shift, index),
        ratio_low=ratio_at(evidence.shift_low, index),
        ratio_high=ratio_at(evidence.shift_high, index),
        n_launches=int(min(evidence.n_a[index], evidence.n_b[index])),
        p_value=number_at(evidence.p_greater, index),
        p_adjusted=number_at(family.judgement.p_adjusted, index),
        state=state,
        confirmed=question.confirms and state in (State.VIOLATED, State.REFUTED),
        reason=_reason(index, family, state),
        by_mode=by_mode,
        **_difference(family.pairs[index], family.options),
    )


def _mode_verdict(row: int, mode: int, question: Question, family: _GuidelineFamily) -> ModeVerdict:
    evidence = family.evidence
    return ModeVerdict(
        mode=mode + 1,
        name=question.modes.names[mode],
        n_launches=int(min(evidence.n_a[row], evidence.n_b[row])),
        ratio=ratio_at(evidence.shift, row),
        ratio_low=ratio_at(evidence.shift_low, row),
        ratio_high=ratio_at(evidence.shift_high, row),
        p_adjusted=number_at(family.judgement.p_adjusted, row),
        state=family.judgement.state(row),
    )


def _difference(pair: SamplePair, options: Options) -> dict[str, float | None]:
    """The fields of what the left side takes longer."""
    if pair.reason is not None:
        return {}
    interval = difference(pair.a, pair.b, paired=TESTS[options.test].paired, level=options.level)
    low, high = (limit if isfinite(limit) else None for limit in (interval.low, interval.high))
    return {"difference_s": interval.difference, "difference_low_s": low, "difference_high_s": high}


def _reason(index: int, family: _GuidelineFamily, state: State) -> str:
    if state is State.NOT_COMPARABLE:
        return family.pairs[index].reason or f"{family.options.test} is undefined for these values"
    if state is State.CANNOT_DECIDE:
        n_tests = int((~np.isnan(family.evidence.p_greater)).sum())
        return (
            f"at least {launches_needed(n_tests, family.options, family.look)} launches decide one of {n_tests} tests"
        )
    allowance = family.questions[index].allowance
    return f"the call is rerouted to it, and may be up to {100 * allowance:g} % slower" if allowance > 0 else ""


def _predicted(prediction: SplitPrediction, reason: str = "") -> GuidelineVerdict:
    """The row of medians alone: no test, no p-value, no interval."""
    left, right = prediction.large.median_s, prediction.times * prediction.small.median_s
    has_medians = not (np.isnan(left) or np.isnan(right))
    state = State.PREDICTED if prediction.violated else State.HOLDS if has_medians else State.NOT_COMPARABLE
    return GuidelineVerdict(
        rule=prediction.rule,
        place=prediction.configuration,
        size_bytes=prediction.large.size_bytes,
        right_size_bytes=prediction.small.size_bytes,
        times=prediction.times,
        left_s=left if has_medians else None,
        right_s=right if has_medians else None,
        ratio=left / right if has_medians else None,
        ratio_low=None,
        ratio_high=None,
        n_launches=min(prediction.large.n_launches, prediction.small.n_launches),
        p_value=None,
        p_adjusted=None,
        state=state,
        reason=reason or ("" if has_medians else "a side has no launch with a valid sample"),
    )
