"""The options that a contest can choose, and presets of them."""

from __future__ import annotations

from games.core.options import NumberOption, Option, Preset
from games.core.text import gettext_noop
from games.go_500.course import COURSE, SHORT_COURSE, TEMPLATE
from games.go_500.kit import KIT

MAX_REROLLS = 20

REROLLS = NumberOption(
    "rerolls",
    gettext_noop("Rerolls"),
    gettext_noop("How many rerolls each player has for the whole race."),
    2,
    low=0,
    high=MAX_REROLLS,
)
OPTIONS: tuple[Option, ...] = (REROLLS, COURSE, TEMPLATE, KIT)
PRESETS = (
    Preset(
        "poor_weather",
        gettext_noop("Poor weather"),
        gettext_noop("The lower speed limits apply."),
        {"template": "2"},
    ),
    Preset(
        "short_course",
        gettext_noop("Short course"),
        gettext_noop("Three segments, for a quick race."),
        {"course": SHORT_COURSE},
    ),
    Preset(
        "no_rerolls",
        gettext_noop("No rerolls"),
        gettext_noop("Every roll counts as rolled."),
        {"rerolls": 0},
    ),
)
