"""The displays of the longest courses and circuits: every SVG in them is well-formed XML and has a label."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from django.template.loader import render_to_string

from scorekeeper.common.game_adapter import find_fragment, get_game
from tests.games.sampling import walk

NAME = "100% <b>&</b> " + "M" * 60
SEGMENTS = [{"name": f"{NAME} {number}", "limit": 20 * number} for number in range(50)]
FACES = [{"face": f"{NAME} {number}", "value": number, "circled": number % 2 == 0} for number in range(20)]
LONG_COURSE = {"course": {"name": NAME, "segments": SEGMENTS}, "kit": {"black": FACES}}
CIRCUIT = {"name": NAME, "time": 100, "damage": 100}
LONG_CIRCUITS = {"sheet": {"gears": 7, "circuits": [{**CIRCUIT, "sections": [200] * 100}] * 30}}
SHORT_CIRCUITS = {"sheet": {"gears": 2, "circuits": [{**CIRCUIT, "damage": 0, "sections": [1, 1]}]}}
MIXED_CIRCUITS = {"sheet": {"circuits": [{**CIRCUIT, "sections": [200, 1, 1, 50, 1]}]}}

extremes = pytest.mark.parametrize(
    ("key", "options"),
    [
        ("go-500", LONG_COURSE),
        ("grand-prix", LONG_CIRCUITS),
        ("grand-prix", SHORT_CIRCUITS),
        ("grand-prix", MIXED_CIRCUITS),
    ],
)


def check(html: str) -> None:
    """Parse every SVG, and look for the name as it was entered."""
    assert "100% &lt;b&gt;&amp;&lt;/b&gt;" in html
    assert "<b>&</b>" not in html
    drawings = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    assert drawings
    for drawing in drawings:
        svg = ElementTree.fromstring(drawing)
        assert svg.get("aria-hidden") == "true" or svg.get("aria-label")
        assert not [element for element in svg.iter() if element.get("style") is not None]


@extremes
def test_the_preview_of_extreme_options_is_well_formed(key: str, options: Mapping[str, Any]) -> None:
    game = get_game(key)
    fragment = find_fragment(game, "preview.html")
    assert fragment
    check(render_to_string(fragment, {"preview": game.preview(game.ruleset(options).setup)}))


@extremes
def test_the_display_of_a_table_with_extreme_options_is_well_formed(key: str, options: Mapping[str, Any]) -> None:
    game = get_game(key)
    fragment = find_fragment(game, "display.html")
    assert fragment
    for moment in islice(walk(game.ruleset(options), 2, Random(1)), 0, 300, 15):
        if not game.is_finished(moment.state):
            check(render_to_string(fragment, {"display": game.display(moment.state), "names": ("Ann", "Ben")}))
