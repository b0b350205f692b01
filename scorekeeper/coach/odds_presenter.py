"""What pages say of the values: one sentence, each choice with what it costs, and the chance of overtaking.

Two games also have the chance to win the game or the race, for every choice. The choice with the most points is not
always the one that wins most often; then the page says so.

The worker computes the values first and the chances afterwards, so a page may have the ones and still wait for the
others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from games.core.game import Ruleset
from games.core.luck import DECIMALS, round_figure
from games.core.odds import GAME_CHANCES
from scorekeeper.coach.answer_source import get_answers
from scorekeeper.coach.question import OddsQuestion
from scorekeeper.common.game_adapter import show_total, translate
from scorekeeper.common.hooks import Hook
from scorekeeper.common.number_wording import format_percentage
from scorekeeper.common.rate_limits import RateLimit
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.action_wording import describe_choice

FindNextTotal = Callable[[Contest, int], int | None]
# Finds the next better total of a contest, as the audience may see it. A phone has no standings, so it has no entry.
NEXT_TOTALS = Hook[FindNextTotal]()
ListTotalsAhead = Callable[[Contest, Sequence[int]], Sequence[tuple[int, int]]]
# Lists the first places of a contest that are ahead of an order of a standing, each with its total. The same holds.
TOTALS_AHEAD = Hook[ListTotalsAhead]()
MINUS = "−"
NO_BREAK = "\u00a0"  # a space at which no line breaks
# Below these, and as close to certain, a rounded figure would say too much.
LEAST_CHANCE, LEAST_SHARE = 0.01, 0.001
SMALLEST = 0.0005
MOST_CHOICES = 5  # shown at once; the others open with a tap


def find_target(contest: Contest, total: int) -> int | None:
    """Return the final total that overtakes the next place ahead of a total, as things stand.

    Returns:
        None for the leader, where a card is not the whole total, and where the game does not answer it.
    """
    find_next = NEXT_TOTALS.only
    ruleset = contest.ruleset
    if find_next is None or not contest.game.odds_distribution or contest.game.many_cards:
        return None
    if (ruleset.odds_aim == "low") != ruleset.lowest_wins:  # the odds are not about the total of the standings
        return None
    ahead = find_next(contest, total)
    return None if ahead is None else ahead + (-1 if ruleset.lowest_wins else 1)


def format_figure(figure: float | Decimal) -> str:
    """Return a value: "123.3"."""
    return number_format(round_figure(float(figure)), DECIMALS).replace("-", MINUS)


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
        return f"<{NO_BREAK}{format_percentage(100 * LEAST_SHARE, DECIMALS)}"
    if 1 - LEAST_SHARE < chance < 1:
        return f">{NO_BREAK}{format_percentage(100 - 100 * LEAST_SHARE, DECIMALS)}"
    return format_percentage(float(round_figure(100 * chance)), DECIMALS)


def format_chance(chance: float) -> str:
    """Return a chance in whole per cent: "41%". Only what is certain is "0%" or "100%"."""
    if 0 < chance < LEAST_CHANCE:
        return f"<{NO_BREAK}{format_percentage(100 * LEAST_CHANCE)}"
    if 1 - LEAST_CHANCE < chance < 1:
        return f">{NO_BREAK}{format_percentage(100 - 100 * LEAST_CHANCE)}"
    return format_percentage(100 * chance)


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
        chance: to win the game or the race after it; "" where the game has none.
    """

    text: str
    value: str
    cost: str
    chance: str = ""


class SeatWording(NamedTuple):
    """What is said of a seat.

    Attributes:
        name: "" where the page is about one seat.
        sentence: what best play comes to; "" while it is not known.
        choices, more_choices: best first; few, and all others.
        chance_label: what the chances of the choices are about; "" where they have none.
        game_chance: the chance to win the game or the race.
        wins_most: which choice wins most often, where the one with the most points does not.
        chance: of overtaking the next place ahead, or of beating each hand in the first places; "" where there is none.
        why_not: why there are no values.
        is_too_slow: whether that is only because they take too long to work out.
        is_pending: whether the values are still being worked out.
        is_chance_pending: whether the chance is.
        is_about_hand: whether it has the chances of a hand instead of values.
    """

    name: str
    sentence: str = ""
    value_label: str = ""
    choices: Sequence[ChoiceWording] = ()
    more_choices: Sequence[ChoiceWording] = ()
    chance_label: str = ""
    game_chance: str = ""
    wins_most: str = ""
    chance: str = ""
    why_not: str = ""
    is_too_slow: bool = False
    is_pending: bool = False
    is_chance_pending: bool = False
    is_about_hand: bool = False


def present_positions(
    contest: Contest, positions: Sequence[Position], asker: tuple[RateLimit, str]
) -> list[SeatWording]:
    """Return what to say of each seat that still has something to throw or to decide.

    Chances are not counted for the asker: each follows a question that was.

    Raises:
        RateLimited: the asker has asked too many new questions.
    """
    playing = [position for position in positions if position.question.replay.failure is None]
    ahead = [_list_totals_ahead(contest, position.question) for position in playing]
    asked_first = [
        position.question.with_hands_to_beat([total for _place, total in totals])
        for position, totals in zip(playing, ahead, strict=True)
    ]
    answers = get_answers(asked_first, asker)
    targets = [_find_target(contest, *pair) for pair in zip(playing, answers, strict=True)]
    asked = [
        position.question.with_target(target)
        for position, target in zip(playing, targets, strict=True)
        if target is not None
    ]
    chances = iter(get_answers(asked))
    seats = []
    for position, answer, target, totals in zip(playing, answers, targets, ahead, strict=True):
        chance = None if target is None else next(chances)
        if answer is None:
            seats.append(SeatWording(position.name, is_pending=True))
        elif answer["ok"] and answer["node"] in ("choice", "chance"):
            seat = _present_answer(position, answer)._replace(chance=_say_whom_it_beats(contest, answer, totals))
            seats.append(seat if target is None else _add_chance(seat, position, target, chance))
    return seats


def _list_totals_ahead(contest: Contest, question: OddsQuestion) -> Sequence[tuple[int, int]]:
    """Return the first places that are ahead, with their hands; none in a game without hands."""
    list_totals = TOTALS_AHEAD.only
    if list_totals is None or not contest.game.has_hands:
        return ()
    return list_totals(contest, contest.game.standing(question.replay.state, question.seat).order)


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
    if answer["measure"] == "hand":
        return SeatWording(position.name, _say_hand(position, answer), is_about_hand=True)
    options = sorted(answer["options"], key=lambda option: option["loss"])
    if position.made is not None:
        value = next((option["value"] for option in options if _is_same(option["action"], position.made)), None)
        value = answer["value"] if value is None else value
        return SeatWording(position.name, _say_value(position.question.ruleset, answer["measure"], value))
    choices = [] if answer["node"] == "chance" else [_present_choice(position, answer, option) for option in options]
    sentence, label = (
        _say_value(position.question.ruleset, answer["measure"], answer["value"]),
        _label_value(answer["measure"]),
    )
    seat = SeatWording(position.name, sentence, label, choices[:MOST_CHOICES], choices[MOST_CHOICES:])
    name = next((name for name in GAME_CHANCES if name in answer), None)
    if name is None:
        return seat
    return seat._replace(
        chance_label=_label_chance(name),
        game_chance=_say_chance(name, answer[name]),
        wins_most=_say_what_wins_most(answer, name, position),
    )


def _present_choice(position: Position, answer: Mapping[str, Any], option: Mapping[str, Any]) -> ChoiceWording:
    text = _describe(position, option)
    chance = next((format_share(option[name]) for name in GAME_CHANCES if name in option), "")
    if answer["measure"] == "heat":
        return ChoiceWording(text, format_share(option["value"]), format_cost(100 * option["loss"]), chance)
    return ChoiceWording(text, format_figure(option["value"]), format_cost(option["loss"]), chance)


def _describe(position: Position, option: Mapping[str, Any]) -> str:
    question = position.question
    return describe_choice(question.ruleset.game, question.replay.state, option["action"])


def _say_what_wins_most(answer: Mapping[str, Any], name: str, position: Position) -> str:
    """Return which choice wins most often, if the best one does not; "" if both figures look the same."""
    options = [option for option in answer["options"] if name in option]
    if len(options) < len(answer["options"]) or not options:
        return ""
    most = max(options, key=lambda option: float(option[name]))
    best = max((answer["options"][index] for index in answer["best"]), key=lambda option: float(option[name]))
    params = {"least": format_share(best[name]), "choice": _describe(position, most), "most": format_share(most[name])}
    if params["least"] == params["most"]:
        return ""
    if name == "race":
        text = _("What wins this heat most often wins the race less often (%(least)s) than “%(choice)s” (%(most)s).")
    else:
        text = _("The choice with the most points wins the game less often (%(least)s) than “%(choice)s” (%(most)s).")
    return text % params


def _add_chance(seat: SeatWording, position: Position, target: int, answer: Mapping[str, Any] | None) -> SeatWording:
    if answer is None:
        return seat._replace(is_chance_pending=True)
    if answer["method"] == "none" or position.made is not None or not answer.get("targets"):
        return seat
    params = {"target": target, "chance": format_chance(answer["targets"][0]["reach"])}
    if position.question.ruleset.lowest_wins:
        text = _("Chance of %(target)s or less, one less than the next place ahead has now: %(chance)s.")
    else:
        text = _("Chance of %(target)s or more, one more than the next place ahead has now: %(chance)s.")
    return seat._replace(chance=text % params)


def _is_same(action: Mapping[str, Any], made: Mapping[str, Any]) -> bool:
    """Whether an action of the answer is the choice that was made, whatever the order of its dice."""
    return action.keys() == made.keys() and all(_sort(action[name]) == _sort(made[name]) for name in action)


def _sort(value: Any) -> Any:
    return sorted(map(str, value)) if isinstance(value, list | tuple) else value


def _say_value(ruleset: Ruleset, measure: str, value: float) -> str:
    if measure == "heat":
        return _("With best play from here, the chance to win this heat is %(value)s.") % {"value": format_share(value)}
    if measure == "turn":
        return _("With best play, the expected points of this turn are %(value)s.") % {"value": format_figure(value)}
    label = ruleset.game.odds_label(ruleset.setup)
    if label is not None:
        params = {"what": translate(label), "value": format_figure(value)}
        return _("%(what)s, expected with best play: %(value)s.") % params
    return _("With best play, the expected final total is %(value)s.") % {"value": format_figure(value)}


def _say_hand(position: Position, answer: Mapping[str, Any]) -> str:
    """Return what the hand becomes in the end, the best first, without what is impossible."""
    labels = position.question.ruleset.game.hand_labels
    chances = [*zip(labels, answer["categories"], strict=True)][::-1]
    hands = [f"{translate(label)} {_format_hand_chance(answer, chance)}" for label, chance in chances if chance]
    return _("The final hand, if all its cards are drawn: %(hands)s.") % {"hands": ", ".join(hands)}


def _say_whom_it_beats(contest: Contest, answer: Mapping[str, Any], ahead: Sequence[tuple[int, int]]) -> str:
    """Return the chance to beat each of the hands ahead, as they are now."""
    if not ahead or "beat" not in answer:
        return ""
    hands = [
        _("place %(place)s (%(hand)s) %(chance)s")
        % {
            "place": place,
            "hand": show_total(contest.game, total),
            "chance": _format_hand_chance(answer, chance),
        }
        for (place, total), chance in zip(ahead, answer["beat"], strict=True)
    ]
    return _("Chance to beat the hands that are ahead now: %(hands)s.") % {"hands": ", ".join(hands)}


def _format_hand_chance(answer: Mapping[str, Any], chance: float) -> str:
    """Return a chance. One that was sampled is never certain."""
    return format_share(min(max(chance, SMALLEST), 1 - SMALLEST) if answer["method"] == "sampled" else chance)


def _label_value(measure: str) -> str:
    if measure == "heat":
        return _("Win heat")
    return _("Points") if measure == "turn" else _("Total")


def _label_chance(name: str) -> str:
    return _("Win race") if name == "race" else _("Win game")


def _say_chance(name: str, chance: float) -> str:
    if name == "race":
        return _("The chance to win the race is %(chance)s, if later heats are even.") % {
            "chance": format_share(chance)
        }
    text = _("If this turn is played to win, the chance to win the game is %(chance)s.")
    return text % {"chance": format_share(chance)}


def _explain_missing(why: str) -> str:
    if why == "seconds":
        return _("There are too many possibilities at this point to work out the values.")
    if why == "unbounded":
        return _("By these rules a turn can go on without end, so it has no average.")
    return _("The values of these rules are not known.")
