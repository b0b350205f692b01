"""The effect of each action on the race. These functions are called only for actions that no problem blocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.core.actions import Action
from games.core.reading import Face
from games.go_500.actions import Lock, Penalty, Reroll, Roll, Stand, Start
from games.go_500.kit import FLAT
from games.go_500.scoring import ALL_CIRCLED, add_penalty, count_red_rolls, find_end, get_roll_total
from games.go_500.state import Dice, Hand, Moment, Penalties, Race, Rolled, Setup, Thrown


def _start(setup: Setup, race: Race, action: Start) -> Race:
    return _set_moment(race, Hand(action.black, None if action.green else "GO-4"))


def _roll(setup: Setup, race: Race, action: Roll) -> Race:
    assert isinstance(race.moment, Hand)
    return _set_moment(race, _make_rolled(setup, race, race.moment, action.black, action.green, action.flag))


def _reroll(setup: Setup, race: Race, action: Reroll) -> Race:
    """Roll the same hand, or the same penalty roll, again (GO-6, GO-12, GO-22)."""
    moment: Moment
    if isinstance(race.moment, Thrown):
        assert action.face is not None
        moment = Thrown(race.moment.penalties, action.face)
    else:
        assert isinstance(race.moment, Rolled)
        assert action.flag is not None
        moment = _make_rolled(setup, race, race.moment.hand, action.black, action.green, action.flag)
    return Race(race.scores, race.rerolls - 1, moment, race.earned)


def _lock(setup: Setup, race: Race, action: Lock) -> Race:
    rolled = race.moment
    assert isinstance(rolled, Rolled)
    hand = lock_dice(setup, rolled, action.black, action.green)
    return _complete(race, rolled.total) if hand is None else _set_moment(race, hand)


def lock_dice(setup: Setup, rolled: Rolled, black: Dice, with_green: bool) -> Hand | None:
    """Return the hand that is left when these dice of a roll are locked; None if all are (GO-14, GO-26)."""
    no_green = rolled.hand.no_green
    if with_green:
        no_green = "GO-14"
    elif rolled.green == FLAT:
        no_green = "GO-8"
    left = rolled.hand.black - len(black)
    if not left and no_green is not None:
        return None
    return Hand(left, no_green, get_roll_total(setup, rolled.hand, black, rolled.green if with_green else None))


def _stand(setup: Setup, race: Race, action: Stand) -> Race:
    moment = race.moment
    if isinstance(moment, Thrown):
        return _finish_penalties(race, add_penalty(setup, moment.penalties, moment.face))
    assert isinstance(moment, Rolled)
    match moment.end:
        case "GO-7":
            return Race(race.scores, race.rerolls, None, race.earned + ALL_CIRCLED)  # GO-20: the extra turn
        case "GO-9":
            return _complete(race, 0)
        case "GO-10" | "GO-11":
            return _set_moment(race, Penalties(moment.end, 1, moment.total))
        case "GO-13":
            limit = _get_limit(setup, race)
            assert limit is not None
            return _finish_penalties(race, Penalties("GO-13", count_red_rolls(moment.total - limit), moment.total))
        case _:
            return _complete(race, moment.total)  # GO-23


def _penalty(setup: Setup, race: Race, action: Penalty) -> Race:
    penalties = race.moment
    assert isinstance(penalties, Penalties)
    if action.faces is None:
        assert action.face is not None
        return _set_moment(race, Thrown(penalties, action.face))
    for face in action.faces:
        penalties = add_penalty(setup, penalties, face)
    return _finish_penalties(race, penalties, as_thrown=True)


def _make_rolled(setup: Setup, race: Race, hand: Hand, black: Dice, green: Face | None, flag: str) -> Rolled:
    total = get_roll_total(setup, hand, black, green)
    return Rolled(hand, black, green, total, find_end(setup, _get_limit(setup, race), total, black, green, flag))


def _get_limit(setup: Setup, race: Race) -> int | None:
    return setup.course.segments[len(race.scores)].limit


def _set_moment(race: Race, moment: Moment) -> Race:
    return Race(race.scores, race.rerolls, moment, race.earned)


def _finish_penalties(race: Race, penalties: Penalties, *, as_thrown: bool = False) -> Race:
    """Complete the segment if no more penalty rolls are due; otherwise wait for the next roll."""
    if penalties.due:
        return Race(race.scores, race.rerolls, penalties, race.earned, as_thrown=as_thrown)
    return _complete(race, penalties.score, is_over=penalties.ends_race, as_thrown=as_thrown)


def _complete(race: Race, score: int, *, is_over: bool = False, as_thrown: bool = False) -> Race:
    scores = (*race.scores, race.earned + score)
    return Race(scores, race.rerolls, is_over=is_over, as_thrown=as_thrown)


APPLY: Mapping[type[Action], Callable[[Setup, Race, Any], Race]] = {
    Start: _start,
    Roll: _roll,
    Reroll: _reroll,
    Lock: _lock,
    Stand: _stand,
    Penalty: _penalty,
}
