"""The actions that can be recorded now, as action specs. They follow the same rules as `rules`."""

from __future__ import annotations

from games.core.dice import PIP_FACES
from games.core.specs import ActionSpec, Choice, ChoiceField, Count, DiceField
from games.core.text import Text, gettext_noop, pgettext_noop
from games.drag_rage.actions import Advance, Challenge, Defend, Pass, StartHeat
from games.drag_rage.rules import find_advance_problem, find_challenge_problem, find_counter_problem, find_pass_problem
from games.drag_rage.state import ALL_DICE, COUNTERS, FREE_DICE, Heat

START_HEAT = gettext_noop("Start the heat with")
FIRST = gettext_noop("Who begins")
FIRST_SEAT = gettext_noop("First seat")
SECOND_SEAT = gettext_noop("Second seat")
ADVANCE = gettext_noop("Advance")
TURN_IN_NITRO = gettext_noop("Turn in the nitro die and advance")
COUNTER = gettext_noop("Counter")
CHALLENGE = gettext_noop("Let’s roll")
DEFEND = gettext_noop("Record roll")
TWO_DICE = gettext_noop("Two free dice")
TWO_DICE_OR_THREE = gettext_noop("Two free dice, and the nitro die last if it is rolled")
PASS = gettext_noop("Pass")
ROLL_FREE_DICE = gettext_noop("Roll the two free dice")
ROLL_NITRO = gettext_noop("Roll the two free dice and the nitro die")

HEAT_STARTED = pgettext_noop("an action that was recorded", "Heat started with")
ADVANCED = pgettext_noop("an action that was recorded", "Advanced with")
NITRO_TURNED_IN = pgettext_noop("an action that was recorded", "Nitro die turned in, advanced with")
CHALLENGED = pgettext_noop("an action that was recorded", "Called “Let’s roll”")
ROLLED = pgettext_noop("an action that was recorded", "Rolled")
PASSED = pgettext_noop("an action that was recorded", "Passed")

START_PROMPT = gettext_noop("choose who begins")
ADVANCE_PROMPT = gettext_noop("advance")
NITRO_PROMPT = gettext_noop("turn in the nitro die and advance")
CHALLENGE_PROMPT = gettext_noop("call “Let’s roll”")
PASS_PROMPT = gettext_noop("pass")

FIRST_SEATS = tuple(
    Choice(seat, label, rule="DRAG-17", seat=seat) for seat, label in enumerate((FIRST_SEAT, SECOND_SEAT))
)
FIRST_FIELD = ChoiceField("first", FIRST, FIRST_SEATS)
START_OFFERS = (ActionSpec(StartHeat.type, None, START_HEAT, (FIRST_FIELD,), prompt=START_PROMPT, done=HEAT_STARTED),)


def list_offers(heat: Heat) -> tuple[ActionSpec, ...]:
    """Return the actions that the seat to act can take now."""
    if heat.due == "roll":
        return (_defend(heat),)
    offers = []
    if find_advance_problem(heat) is None:
        offers.append(_advance(heat))
    if find_challenge_problem(heat) is None:
        challenge = ActionSpec(Challenge.type, heat.to_act, CHALLENGE, prompt=CHALLENGE_PROMPT, done=CHALLENGED)
        offers.append(challenge)
    if find_pass_problem(heat) is None:
        offers.append(ActionSpec(Pass.type, heat.to_act, PASS, prompt=PASS_PROMPT, done=PASSED))
    return tuple(offers)


def _advance(heat: Heat) -> ActionSpec:
    """Offer all eleven counters: first those that can be played, then the others with the reason."""
    choices = sorted((_choice(heat, counter) for counter in COUNTERS), key=lambda choice: not choice.open)
    gives_up_nitro = heat.due == "after_hold"
    label, prompt = (TURN_IN_NITRO, NITRO_PROMPT) if gives_up_nitro else (ADVANCE, ADVANCE_PROMPT)
    done = NITRO_TURNED_IN if gives_up_nitro else ADVANCED
    counters = ChoiceField("counter", COUNTER, tuple(choices))
    return ActionSpec(Advance.type, heat.to_act, label, (counters,), prompt=prompt, done=done)


def _choice(heat: Heat, counter: int) -> Choice:
    label = Text(str(counter))
    closed = find_counter_problem(heat, counter)
    if closed:
        return Choice(counter, label, None, False, closed.text, closed.params, closed.rule)
    return Choice(counter, label, rule="DRAG-4")


def _defend(heat: Heat) -> ActionSpec:
    """Offer the roll, with three dice only while the player has the nitro die (DRAG-5)."""
    has_nitro = heat.cars[heat.to_act].has_nitro
    label, most = (TWO_DICE_OR_THREE, ALL_DICE) if has_nitro else (TWO_DICE, FREE_DICE)
    dice = DiceField("dice", label, PIP_FACES, Count(FREE_DICE, most))
    return ActionSpec(Defend.type, heat.to_act, DEFEND, (dice,), done=ROLLED)
