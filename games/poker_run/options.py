"""The options of a contest, and presets of them."""

from __future__ import annotations

from games.core.options import TIES, ChoiceOption, NumberOption, make_house_rules
from games.core.text import gettext_noop
from games.poker_run.state import MAX_CARDS, MAX_JOKERS

MAX_TURNS = 15
MAX_EXTRA = 5

OPTIONS = (
    NumberOption("turns", gettext_noop("Turns"), gettext_noop("How many turns a hand has."), 5, low=1, high=MAX_TURNS),
    NumberOption(
        "cards",
        gettext_noop("Cards in a turn"),
        gettext_noop("How many cards are drawn at each stop."),
        1,
        low=1,
        high=MAX_CARDS,
    ),
    ChoiceOption(
        "deck",
        gettext_noop("Deck"),
        gettext_noop("Whether a hand can hold the same card twice."),
        "one",
        (
            ("one", gettext_noop("One for all stops: a card that the hand holds is drawn again")),
            ("each_stop", gettext_noop("One at each stop: a card may come again at another stop")),
        ),
    ),
    NumberOption(
        "jokers",
        gettext_noop("Jokers"),
        gettext_noop("How many wild jokers the deck has."),
        0,
        high=MAX_JOKERS,
    ),
    NumberOption(
        "extra",
        gettext_noop("Extra cards"),
        gettext_noop("How many cards a player may buy after the last turn."),
        0,
        high=MAX_EXTRA,
    ),
    ChoiceOption(
        "goal",
        gettext_noop("Who wins"),
        gettext_noop("Whether the best or the worst hand wins."),
        "high",
        (("high", gettext_noop("The best hand")), ("low", gettext_noop("The worst hand"))),
    ),
    TIES,
)

# Whether ties are cut is another question, so presets leave it as it is.
_HOUSE_RULES = tuple(option for option in OPTIONS if option is not TIES)
PRESETS = (
    make_house_rules(
        _HOUSE_RULES,
        "five_cards",
        gettext_noop("Five-card run"),
        gettext_noop("A card at each of five stops; the best hand wins."),
        {},
    ),
    make_house_rules(
        _HOUSE_RULES,
        "seven_cards",
        gettext_noop("Seven cards, two jokers"),
        gettext_noop("A card at each of seven stops; the best five count, and jokers are wild."),
        {"turns": 7, "jokers": 2},
    ),
    make_house_rules(
        _HOUSE_RULES,
        "two_extra",
        gettext_noop("Two extra cards at the finale"),
        gettext_noop("A card at each of five stops, and up to two more for sale at the end."),
        {"extra": 2},
    ),
)
