"""The displays and previews of games render at every moment: well-formed, labelled, and without inline styles."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import islice
from random import Random
from typing import Any

import pytest
from django.template.loader import render_to_string

from games.core.game import Game, Ruleset
from games.core.specs import DiceField
from scorekeeper.common.game_adapter import find_fragment, get_display
from tests.faults.scale import scaled
from tests.games.all_games import GAMES, list_rulesets
from tests.games.sampling import Moment, walk

pytestmark = pytest.mark.usefixtures("pig_race")

VOID = {"link", "br", "img", "input", "hr", "meta"}
MOMENTS = 400
SHOWN = scaled(40, 15)
NAMES = ("Ann", "Bike 7 (Bo, Cleo)", "Dan")


class Reader(HTMLParser):
    """Checks a fragment for unclosed elements, forbidden attributes, and pictures without a label."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.words: list[str] = []
        self.pictures = 0
        self.needs_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._look(tag, dict(attrs))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._look(tag, dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes another element")

        if tag == "svg" and self.needs_title:
            self.wrong.append("an <svg> without a label or a title")
            self.needs_title = False

    def handle_data(self, data: str) -> None:
        self.words += data.split()
        if self.open[-1:] == ["title"] and data.strip():
            self.needs_title = False

    def _look(self, tag: str, given: dict[str, str | None]) -> None:
        # The content policy refuses these. An id would occur twice on a page with two tables.
        self.wrong += [name for name in given if name in ("style", "id") or name.startswith("on")]
        if tag in ("script", "style"):
            self.wrong.append(f"<{tag}>")
        if tag == "svg":
            self.pictures += 1
            is_told = given.get("role") == "img" and given.get("aria-label")
            self.needs_title = given.get("role") == "img" and not is_told
            if given.get("aria-hidden") != "true" and not is_told and not self.needs_title:
                self.wrong.append("an <svg> that is neither hidden nor labelled")


def read(html: str) -> Reader:
    """Check a fragment that must have no problems."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert (reader.open, reader.wrong) == ([], []), html
    return reader


def list_moments(ruleset: Ruleset) -> list[Moment]:
    """Return moments of a random play, spread evenly over its beginning or all of it."""
    least, most = ruleset.game.seat_limits
    seats = min(max(least, 3), most or 3)
    moments = list(islice(walk(ruleset, seats, Random(7)), MOMENTS))
    return [*moments[:: max(1, len(moments) // SHOWN)], moments[-1]]


def list_presets() -> list[Ruleset]:
    """Return every game's presets: they must render even if no other test plays them."""
    return [game.ruleset(preset.options) for game in GAMES.values() for preset in game.presets]


def name_ruleset(ruleset: Ruleset) -> str:
    return f"{ruleset.game.key} {dict(ruleset.options)}"


@pytest.mark.parametrize("ruleset", [*list_rulesets()], ids=name_ruleset)
@pytest.mark.slow
def test_a_games_display_renders_at_every_moment_of_a_play(ruleset: Ruleset) -> None:
    fragment = find_fragment(ruleset.game, "display.html")
    for moment in list_moments(ruleset):
        display = ruleset.game.display(moment.state)
        assert (display is None) == (fragment is None)
        if fragment:
            assert read(render_to_string(fragment, {"display": display, "names": NAMES})).words


@pytest.mark.parametrize("ruleset", [*list_rulesets()], ids=name_ruleset)
def test_the_display_names_every_player(ruleset: Ruleset) -> None:
    for moment in list_moments(ruleset):
        picture = get_display(ruleset.game, moment.state)
        if picture:
            html = render_to_string(picture.template, {"display": picture.data, "names": NAMES})
            assert not re.findall(r"\bseats? \d", html, re.IGNORECASE)
            assert all(name in html for name in NAMES[: ruleset.game.seats(moment.state)])


@pytest.mark.parametrize("ruleset", [*list_rulesets(), *list_presets()], ids=name_ruleset)
def test_a_games_preview_renders_for_every_preset(ruleset: Ruleset) -> None:
    fragment = find_fragment(ruleset.game, "preview.html")
    preview = ruleset.game.preview(ruleset.setup)
    assert (preview is None) == (fragment is None)
    if fragment:
        assert read(render_to_string(fragment, {"preview": preview})).words


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_every_face_that_names_a_picture_has_one(game: Game[Any]) -> None:
    fields = [
        field
        for moment in list_moments(game.ruleset())
        for spec in moment.offers
        for field in spec.fields
        if isinstance(field, DiceField)
    ]
    for art in {face.art for field in fields for face in field.faces if face.art}:
        fragment = find_fragment(game, f"faces/{art}.svg")
        assert fragment, art
        assert read(render_to_string(fragment)).pictures == 1


@pytest.mark.parametrize(
    "html",
    [
        "<p><b>two</p>",
        '<p style="color: red">red</p>',
        "<svg><path/></svg>",
        '<svg role="img"><path/></svg>',
        '<svg role="img"><title> </title><path/></svg>',
        '<p id="twice">here</p>',
        '<button onclick="go()">go</button>',
    ],
)
def test_the_fragment_checker_finds_problems(html: str) -> None:
    with pytest.raises(AssertionError, match=re.escape("assert ([")):
        read(html)


def test_the_fragment_checker_accepts_pictures_with_a_label_or_title_and_hidden_ones() -> None:
    label, title = '<svg role="img" aria-label="A die"></svg>', '<svg role="img"><title>A die</title></svg>'

    assert read(f'{label}{title}<svg aria-hidden="true"></svg>').pictures == 3


def test_a_face_with_a_picture_is_named_once_where_its_name_is_long() -> None:
    crash = render_to_string("components/die.html", {"face": "crash", "word": "crash", "art": "go_500/faces/crash.svg"})
    assert crash.count("crash") == 1, "a second name is wider than the place of a die"
