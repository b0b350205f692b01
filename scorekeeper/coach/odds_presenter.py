"""What pages say of the values: one sentence, each choice with what it costs, and the chance of overtaking.

The worker computes the values first and the chances afterwards, so a page may have the ones and still wait for the
others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from games.core.luck import round_figure
from scorekeeper.coach.answer_source import get_answers
from scorekeeper.coach.question import OddsQuestion
from scorekeeper.common.hooks import Hook
from scorekeeper.common.rate_limits import RateLimit
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.action_wording import describe_choice

FindNextTotal = Callable[[Contest, int], int | None]
# Finds the next better total of a contest, as the audience may see it. A phone has no standings, so it has no entry.
NEXT_TOTALS = Hook[FindNextTotal]()
MINUS = "−"
# Below these, and as close to certain, a rounded figure would say too much.
LEAST_CHANCE, LEAST_SHARE = 0.01, 0.001
MOST_CHOICES = 5  # shown at once; the others open with a tap


def find_target(contest: Contest, total: int) -> int | None:
    """Return the final total that overtakes the next place ahead of a total, as things stand.

    Returns:
        None for the leader, where a card is not the whole total, and where the game does not answer it.
    """
    find_next = NEXT_TOTALS.only
    if find_next is None or not contest.game.odds_distribution or contest.game.many_cards:
        return None
    ahead = find_next(contest, total)
    return None if ahead is None else ahead + (-1 if contest.game.lowest_wins else 1)


def format_figure(figure: float | Decimal) -> str:
    """Return a value: "123.3"."""
    return str(round_figure(float(figure))).replace("-", MINUS)


def format_amount(amount: float | Decimal) -> str:
    """Return what something brought: "+3.2", "−1.4" or "0.0"."""
    text = format_figure(amount)
    return f"+{text}" if round_figure(float(amount)) > 0 else text


def format_cost(cost: float | Decimal) -> str:
    """Return what a choice cost: "−1.4", or "0.0" for the best one."""
    return format_amount(-cost)


def format_share(chance: float) -> str:
    """Return a chance with one decimal: "23.8%". Only what is certain is "0.0%" or "100.0%"."""
    if 0 < chance < LEAST_SHARE:
        return _("<\u00a00.1%")
    if 1 - LEAST_SHARE < chance < 1:
        return _(">\u00a099.9%")
    return _("%(share)s%%") % {"share": format_figure(100 * chance)}


def format_chance(chance: float) -> str:
    """Return a chance in whole per cent: "41%". Only what is certain is "0%" or "100%"."""
    if chance in (0.0, 1.0):
        return _("%(share)s%%") % {"share": round(100 * chance)}
    if chance < LEAST_CHANCE:
        return _("<\u00a01%")
    if chance > 1 - LEAST_CHANCE:
        return _(">\u00a099%")
    return _("%(share)s%%") % {"share": round(100 * chance)}


class Position(NamedTuple):
    """A seat at one moment, as a page shows it.

    Attributes:
        name: of the seat; "" where the page is about one seat.
        made: the choice that was already made in the form, where dice are thrown next because of it.
    """

    question: OddsQuestion
    name: str = ""
    made: Mapping[str, Any] | None = None


class ChoiceWording(NamedTuple):
    """A choice.

    Attributes:
        value: what best play comes to after it.
        cost: compared with the best one: "−3.3", or "0.0".
    """

    text: str
    value: str
    cost: str


class SeatWording(NamedTuple):
    """What is said of a seat.

    Attributes:
        name: "" where the page is about one seat.
        sentence: what best play comes to; "" while it is not known.
        choices, more_choices: best first; few, and all others.
        chance: of overtaking the next place ahead; "" where there is none.
        why_not: why there are no values.
        is_too_slow: whether that is only because they take too long to work out.
        is_pending: whether the values are still being worked out.
        is_chance_pending: whether the chance is.
    """

    name: str
    sentence: str = ""
    value_label: str = ""
    choices: Sequence[ChoiceWording] = ()
    more_choices: Sequence[ChoiceWording] = ()
    chance: str = ""
    why_not: str = ""
    is_too_slow: bool = False
    is_pending: bool = False
    is_chance_pending: bool = False


def present_positions(
    contest: Contest, positions: Sequence[Position], asker: tuple[RateLimit, str]
) -> list[SeatWording]:
    """Return what to say of each seat that still has something to throw or to decide.

    Chances are not counted for the asker: each follows a question that was.

    Raises:
        RateLimited: the asker has asked too many new questions.
    """
    playing = [position for position in positions if position.question.replay.failure is None]
    answers = get_answers([position.question for position in playing], asker)
    targets = [_find_target(contest, *pair) for pair in zip(playing, answers, strict=True)]
    asked = [
        position.question.with_target(target)
        for position, target in zip(playing, targets, strict=True)
        if target is not None
    ]
    chances = iter(get_answers(asked))
    seats = []
    for position, answer, target in zip(playing, answers, targets, strict=True):
        chance = None if target is None else next(chances)
        if answer is None:
            seats.append(SeatWording(position.name, is_pending=True))
        elif answer["ok"] and answer["node"] in ("choice", "chance"):
            seat = _present_answer(position, answer)
            seats.append(seat if target is None else _add_chance(seat, position, target, chance))
    return seats


def _find_target(contest: Contest, position: Position, answer: Mapping[str, Any] | None) -> int | None:
    """Return the total to overtake the next place ahead; None without values, which are computed first."""
    if answer is None or answer.get("method") == "none" or answer.get("node") not in ("choice", "chance"):
        return None
    question = position.question
    return find_target(contest, contest.game.standing(question.replay.state, question.seat).total)


def _present_answer(position: Position, answer: Mapping[str, Any]) -> SeatWording:
    if answer["method"] == "none":
        why = answer.get("why", "")
        return SeatWording(position.name, why_not=_explain_missing(why), is_too_slow=why == "seconds")
    options = sorted(answer["options"], key=lambda option: option["loss"])
    if position.made is not None:
        value = next((option["value"] for option in options if _is_same(option["action"], position.made)), None)
        value = answer["value"] if value is None else value
        return SeatWording(position.name, _say_value(answer["measure"], value))
    choices = [] if answer["node"] == "chance" else [_present_choice(position, answer, option) for option in options]
    sentence, label = _say_value(answer["measure"], answer["value"]), _label_value(answer["measure"])
    return SeatWording(position.name, sentence, label, choices[:MOST_CHOICES], choices[MOST_CHOICES:])


def _present_choice(position: Position, answer: Mapping[str, Any], option: Mapping[str, Any]) -> ChoiceWording:
    question = position.question
    text = describe_choice(question.ruleset.game, question.replay.state, option["action"])
    if answer["measure"] == "heat":
        return ChoiceWording(text, format_share(option["value"]), format_cost(100 * option["loss"]))
    return ChoiceWording(text, format_figure(option["value"]), format_cost(option["loss"]))


def _add_chance(seat: SeatWording, position: Position, target: int, answer: Mapping[str, Any] | None) -> SeatWording:
    if answer is None:
        return seat._replace(is_chance_pending=True)
    if answer["method"] == "none" or position.made is not None or not answer.get("targets"):
        return seat
    params = {"target": target, "chance": format_chance(answer["targets"][0]["reach"])}
    text = _("Chance of %(target)s or more, one more than the next place ahead has now: %(chance)s.")
    return seat._replace(chance=text % params)


def _is_same(action: Mapping[str, Any], made: Mapping[str, Any]) -> bool:
    """Whether an action of the answer is the choice that was made, whatever the order of its dice."""
    return action.keys() == made.keys() and all(_sort(action[name]) == _sort(made[name]) for name in action)


def _sort(value: Any) -> Any:
    return sorted(map(str, value)) if isinstance(value, list | tuple) else value


def _say_value(measure: str, value: float) -> str:
    if measure == "heat":
        return _("With best play from here, the chance to win this heat is %(value)s.") % {"value": format_share(value)}
    if measure == "turn":
        return _("With best play, the expected points of this turn are %(value)s.") % {"value": format_figure(value)}
    return _("With best play, the expected final total is %(value)s.") % {"value": format_figure(value)}


def _label_value(measure: str) -> str:
    if measure == "heat":
        return _("Chance")
    return _("Points") if measure == "turn" else _("Total")


def _explain_missing(why: str) -> str:
    if why == "seconds":
        return _("There are too many possibilities at this point to work out the values.")
    if why == "unbounded":
        return _("By these rules a turn can go on without end, so it has no average.")
    return _("The values of these rules are not known.")
