"""The actions that can be recorded now, as action specs. They follow the same rules as `rules`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from games.core.reading import Face
from games.core.specs import (
    ActionSpec,
    Colour,
    Count,
    DiceField,
    FaceSpec,
    Field,
    FlagField,
    NumberField,
    Pick,
    PickField,
)
from games.core.text import Text, gettext_noop, pgettext_noop
from games.go_500.actions import Lock, Penalty, Reroll, Roll, Stand, Start
from games.go_500.faces import FLAG_ART, get_art
from games.go_500.kit import BLACK_DICE, CIRCLED_X, CRASH, FLAGS, FLAT, LIGHTS, Die
from games.go_500.names import make_text
from games.go_500.scoring import get_penalty_die
from games.go_500.state import Hand, Penalties, Race, Rolled, Setup

START = gettext_noop("Choose the dice")
ROLL = gettext_noop("Record roll")
REROLL = gettext_noop("Spend a reroll")
LOCK = gettext_noop("Lock dice")
LOCK_GREEN = gettext_noop("Lock only the green die")
YELLOW_DIE = gettext_noop("Record yellow die")
RED_DIE = gettext_noop("Record red die")
ACCEPT_PENALTY = gettext_noop("Accept the penalty roll")
ACCEPT: Mapping[str, Text] = {
    "GO-7": gettext_noop("Accept 175 and race the segment once more"),
    "GO-9": gettext_noop("Accept the black flag"),
    "GO-10": gettext_noop("Accept the yellow flag"),
    "GO-11": gettext_noop("Accept the red flag"),
    "GO-13": gettext_noop("Accept a roll above the limit"),
    "GO-23": gettext_noop("Accept and end the segment"),
}

DICE_CHOSEN = pgettext_noop("an action that was recorded", "Dice chosen")
ROLLED = pgettext_noop("an action that was recorded", "Rolled")
REROLL_SPENT = pgettext_noop("an action that was recorded", "Reroll spent")
LOCKED = pgettext_noop("an action that was recorded", "Locked")
LOCKED_GREEN = pgettext_noop("an action that was recorded", "Locked only the green die")
YELLOW_ROLLED = pgettext_noop("an action that was recorded", "Yellow die")
RED_ROLLED = pgettext_noop("an action that was recorded", "Red die")
PENALTY_ACCEPTED = pgettext_noop("an action that was recorded", "Penalty roll accepted")
ACCEPTED: Mapping[str, Text] = {
    "GO-7": pgettext_noop("an action that was recorded", "175 accepted, the segment is raced once more"),
    "GO-9": pgettext_noop("an action that was recorded", "Black flag accepted"),
    "GO-10": pgettext_noop("an action that was recorded", "Yellow flag accepted"),
    "GO-11": pgettext_noop("an action that was recorded", "Red flag accepted"),
    "GO-13": pgettext_noop("an action that was recorded", "Roll above the limit accepted"),
    "GO-23": pgettext_noop("an action that was recorded", "Roll accepted, the segment has ended"),
}

ROLL_DICE = gettext_noop("Roll the dice")
ROLL_PENALTY_DIE = gettext_noop("Roll the penalty die")
START_PROMPT = gettext_noop("choose the dice")
REROLL_PROMPT = gettext_noop("spend a reroll")
LOCK_PROMPT = gettext_noop("lock dice")
ACCEPT_PROMPT = gettext_noop("accept the roll")
PENALTY_PROMPT = gettext_noop("throw the penalty dice")

BLACK = gettext_noop("Black dice")
GREEN = gettext_noop("Green die")
FLAG = gettext_noop("Flag die")
ONE_PENALTY = gettext_noop("Penalty die")
MORE_PENALTIES = gettext_noop("Penalty dice thrown together")

FLAG_WORDS = (
    gettext_noop("green flag"),
    gettext_noop("yellow flag"),
    gettext_noop("red flag"),
    gettext_noop("black flag"),
)
FLAG_DIE = DiceField(
    "flag",
    FLAG,
    tuple(FaceSpec(flag, word, FLAG_ART[flag]) for flag, word in zip(FLAGS, FLAG_WORDS, strict=True)),
    Count(1, 1),
    single=True,
)
GREEN_WORDS = {FLAT: gettext_noop("flat tyre")}
YELLOW_WORDS = {LIGHTS: gettext_noop("traffic lights")}
RED_WORDS = {CRASH: gettext_noop("crash"), CIRCLED_X: gettext_noop("circled X")}


def list_offers(setup: Setup, race: Race, seat: int) -> tuple[ActionSpec, ...]:
    """Return the actions that can be recorded now in a race that is not done."""
    return tuple(_offers(setup, race, seat))


def _offers(setup: Setup, race: Race, seat: int) -> Iterator[ActionSpec]:
    moment = race.moment
    if moment is None:
        dice = (NumberField("black", BLACK, 0, BLACK_DICE), NumberField("green", GREEN, 0, 1))
        yield ActionSpec(Start.type, seat, START, dice, prompt=START_PROMPT, done=DICE_CHOSEN)
    elif isinstance(moment, Hand):
        yield ActionSpec(Roll.type, seat, ROLL, _dice(setup, moment), done=ROLLED)
    elif isinstance(moment, Rolled):
        if moment.end is None:
            yield from _locks(setup, moment, seat)
        else:
            yield ActionSpec(Stand.type, seat, ACCEPT[moment.end], prompt=ACCEPT_PROMPT, done=ACCEPTED[moment.end])
        if race.rerolls:
            again = _dice(setup, moment.hand)
            yield ActionSpec(Reroll.type, seat, REROLL, again, prompt=REROLL_PROMPT, done=REROLL_SPENT)
    elif isinstance(moment, Penalties):
        yield _penalty(setup, moment, seat)
    else:
        yield ActionSpec(Stand.type, seat, ACCEPT_PENALTY, prompt=ACCEPT_PROMPT, done=PENALTY_ACCEPTED)
        if race.rerolls:
            face = _face(setup, moment.penalties)
            yield ActionSpec(Reroll.type, seat, REROLL, (face,), prompt=REROLL_PROMPT, done=REROLL_SPENT)


def _dice(setup: Setup, hand: Hand) -> tuple[Field, ...]:
    fields: list[Field] = []
    if hand.black:
        fields.append(
            DiceField("black", BLACK, _faces(setup.black, "black"), Count(hand.black, hand.black), colour="black")
        )
    if hand.no_green is None:
        faces = _faces(setup.green, "green", GREEN_WORDS)
        fields.append(DiceField("green", GREEN, faces, Count(1, 1), single=True, colour="green"))
    return (*fields, FLAG_DIE)


def _locks(setup: Setup, rolled: Rolled, seat: int) -> Iterator[ActionSpec]:
    """Offer to lock some black dice, with or without the green one, or the green one alone (GO-14)."""
    has_green = rolled.can_lock_green
    if rolled.black:
        values = setup.black.values
        showing = tuple(sorted(rolled.black, key=lambda face: (-values[face], str(face))))
        picks = tuple(
            Pick(dice, sum(values[face] for face in dice))
            for size in range(1, len(showing) + 1)
            for dice in dict.fromkeys(combinations(showing, size))
        )
        green = (
            (FlagField("green", GREEN, points=setup.green.values[rolled.green]),) if rolled.green and has_green else ()
        )
        dice = PickField("black", BLACK, showing, picks, faces=_faces(setup.black, "black"), colour="black")
        yield ActionSpec(Lock.type, seat, LOCK, (dice, *green), prompt=LOCK_PROMPT, done=LOCKED)
    if has_green:
        alone = FlagField("green", GREEN, required=True)
        yield ActionSpec(Lock.type, seat, LOCK_GREEN, (alone,), prompt=LOCK_PROMPT, done=LOCKED_GREEN)


def _penalty(setup: Setup, penalties: Penalties, seat: int) -> ActionSpec:
    """Offer one penalty roll, or several at once.

    Second rolls are left to the next action, because their number depends on the faces.
    """
    single = _face(setup, penalties)
    several = DiceField("faces", MORE_PENALTIES, single.faces, Count(1, penalties.due), colour=single.colour)
    label, done = (YELLOW_DIE, YELLOW_ROLLED) if penalties.rule == "GO-10" else (RED_DIE, RED_ROLLED)
    return ActionSpec(
        Penalty.type, seat, label, (single, several), one_of=("face", "faces"), prompt=PENALTY_PROMPT, done=done
    )


def _face(setup: Setup, penalties: Penalties) -> DiceField:
    colour: Colour = "yellow" if penalties.rule == "GO-10" else "red"
    words = YELLOW_WORDS if colour == "yellow" else RED_WORDS
    faces = _faces(get_penalty_die(setup, penalties), colour, words)
    return DiceField("face", ONE_PENALTY, faces, Count(1, 1), single=True, colour=colour)


def _faces(die: Die, colour: Colour, words: Mapping[str, Text] | None = None) -> tuple[FaceSpec, ...]:
    return tuple(FaceSpec(face, _word(die, face, words or {}), get_art(die, colour, face)) for face in die.values)


def _word(die: Die, face: Face, words: Mapping[str, Text]) -> Text:
    """Return the word for a face; a ring after the label means that it is circled."""
    if isinstance(face, str) and face in words:
        return words[face]
    return make_text(f"{face} ○" if face in die.circled else str(face))
