"""The options of a contest, and presets of them."""

from __future__ import annotations

from games.core.options import NumberOption, NumbersOption, RecordOption, make_house_rules
from games.core.text import gettext_noop

MAX_TURNS = 15

OPTIONS = (
    NumberOption(
        "turns",
        gettext_noop("Turns"),
        gettext_noop("How many turns a scorecard has."),
        default=5,
        low=1,
        high=MAX_TURNS,
    ),
    RecordOption(
        "upper_bonus",
        gettext_noop("Upper bonus"),
        gettext_noop("A bonus for a high upper section."),
        fields=(
            NumberOption(
                "threshold",
                gettext_noop("Points needed"),
                gettext_noop("The upper section total that earns the bonus."),
                83,
                low=1,
            ),
            NumberOption("points", gettext_noop("Points"), gettext_noop("What the bonus is worth."), 35),
        ),
    ),
    NumbersOption(
        "yahtzee_points",
        gettext_noop("Points for each Yahtzee"),
        gettext_noop("One number for each time the Yahtzee box can be scored."),
        default=(50, 50, 100),
        low=1,
        lengths=(1, MAX_TURNS),
    ),
)

PRESETS = (
    make_house_rules(
        OPTIONS,
        "rock",
        gettext_noop("R.O.C.K."),
        gettext_noop("Five turns, as in the rule book. The upper section earns its bonus from 83 on."),
        {},
    ),
    make_house_rules(
        OPTIONS,
        "bonus_at_63",
        gettext_noop("Bonus at 63"),
        gettext_noop("As on boxed Yahtzee cards: the upper section earns its bonus from 63 on."),
        {"upper_bonus": {"threshold": 63, "points": 35}},
    ),
)
