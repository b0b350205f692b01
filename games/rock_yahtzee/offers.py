"""The actions that can be recorded now, as action specs. They follow the same rules as `rules`."""

from __future__ import annotations

from itertools import combinations

from games.core.dice import PIP_FACES
from games.core.specs import (
    ActionSpec,
    Choice,
    ChoiceField,
    Count,
    DiceField,
    NumberField,
    OrdinalOf,
    Pick,
    PickField,
)
from games.core.text import gettext_noop, pgettext_noop
from games.rock_yahtzee.actions import Forfeit, Paper, Result, Roll, Score
from games.rock_yahtzee.boxes import BOXES, Box, get_rarity
from games.rock_yahtzee.rules import ROLLS, find_box_problem, get_box_points, list_paper_points
from games.rock_yahtzee.scoring import DICE
from games.rock_yahtzee.state import Card, Setup, find_closing_rule

ROLL = gettext_noop("Record roll")
RESULT = gettext_noop("Record final dice")
SCORE = gettext_noop("Score in a box")
PAPER = gettext_noop("Enter from a paper card")
FORFEIT = gettext_noop("Turn missed: 0 points, no box used")
ROLLED = pgettext_noop("an action that was recorded", "Rolled")
FINAL = pgettext_noop("an action that was recorded", "Final dice")
SCORED = pgettext_noop("an action that was recorded", "Scored in")
FROM_PAPER = pgettext_noop("an action that was recorded", "Entered from a paper card")
DICE_ROLLED = gettext_noop("Dice rolled")
DICE_SET_ASIDE = gettext_noop("Dice set aside")
FINAL_DICE = gettext_noop("Final dice")
ROLLS_TAKEN = gettext_noop("Rolls taken")
BOX = gettext_noop("Box")
ROLL_DICE = gettext_noop("Roll the dice")
ROLL_ALL_AGAIN = gettext_noop("Roll all dice again")
POINTS = gettext_noop("Points")

DICE_FIELD = DiceField("dice", FINAL_DICE, PIP_FACES, Count(DICE, DICE))
ANY_BOX = ChoiceField("box", BOX, tuple(Choice(box.word, box.label, rule=box.rule) for box in BOXES))
# A turn without the rules: the final dice, and any box (ROCK-31).
PLAIN_TURN = (ActionSpec(Result.type, None, RESULT, (DICE_FIELD,)), ActionSpec(Score.type, None, SCORE, (ANY_BOX,)))


def list_offers(setup: Setup, card: Card, seat: int) -> tuple[ActionSpec, ...]:
    """Return the actions that can be recorded now on a card that is not done."""
    offers = []
    if not card.dice:
        dice = DiceField("dice", DICE_ROLLED, PIP_FACES, Count(DICE, DICE))
        offers.append(ActionSpec(Roll.type, seat, ROLL, (dice,), nth=OrdinalOf(1, ROLLS), done=ROLLED))
    elif not card.is_final and card.rolls < ROLLS:
        offers.append(_further_roll(card, seat))
    if not card.is_final:
        offers.append(_result(seat))
    if card.dice:
        offers.append(_score(setup, card, seat))
        return tuple(offers)
    offers.extend(_paper(setup, card, seat, box) for box in BOXES if find_closing_rule(setup, card, box.word) is None)
    offers.append(ActionSpec(Forfeit.type, seat, FORFEIT, done=FORFEIT))
    return tuple(offers)


def _further_roll(card: Card, seat: int) -> ActionSpec:
    """Offer a further roll: any of the dice showing, but not all five, may be kept; the others are rolled (ROCK-4)."""
    showing = tuple(sorted(card.dice))
    picks = [Pick(dice) for size in range(DICE) for dice in sorted(set(combinations(showing, size)))]
    keep = PickField("keep", DICE_SET_ASIDE, showing, tuple(picks), required=False)
    dice = DiceField("dice", DICE_ROLLED, PIP_FACES, Count(DICE, DICE, less_pick="keep"))
    return ActionSpec(Roll.type, seat, ROLL, (keep, dice), nth=OrdinalOf(card.rolls + 1, ROLLS), done=ROLLED)


def _result(seat: int) -> ActionSpec:
    rolls = NumberField("rolls", ROLLS_TAKEN, 1, ROLLS, required=False)
    return ActionSpec(Result.type, seat, RESULT, (DICE_FIELD, rolls), done=FINAL)


def _score(setup: Setup, card: Card, seat: int) -> ActionSpec:
    """Offer all thirteen boxes: the open boxes with the most points first, then the closed ones with the reason.

    Of boxes with equal points the rarer pattern comes first; those without points keep the order of the card.
    """
    choices = sorted((_choice(setup, card, box) for box in BOXES), key=_get_rank)
    return ActionSpec(Score.type, seat, SCORE, (ChoiceField("box", BOX, tuple(choices)),), done=SCORED)


def _get_rank(choice: Choice) -> tuple[bool, int, int]:
    points = choice.points or 0
    return not choice.open, -points, get_rarity(str(choice.value)) if points else 0


def _choice(setup: Setup, card: Card, box: Box) -> Choice:
    closed = find_box_problem(setup, card, box.word)
    if closed:
        return Choice(box.word, box.label, None, False, closed.text, closed.params, closed.rule)
    return Choice(box.word, box.label, get_box_points(setup, card, box.word, card.dice), rule=box.rule)


def _paper(setup: Setup, card: Card, seat: int, box: Box) -> ActionSpec:
    values = list_paper_points(setup, card, box.word)
    choice = ChoiceField("box", BOX, (Choice(box.word, box.label, rule=box.rule),))
    points = NumberField("points", POINTS, values[0], values[-1], values)
    return ActionSpec(Paper.type, seat, PAPER, (choice, points), done=FROM_PAPER)
