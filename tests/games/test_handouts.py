"""Handouts: what games have printed for their tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from games.core.handouts import Block, Boxes, Chart, Drawing, Handout, Points, Tiles, Track
from games.core.registry import find_games
from games.core.text import Text
from tests.programs import ROOT

OURS = {"dice-run", "drag-rage", "go-500", "grand-prix", "rock-yahtzee", "rogue"}
# A game may have none.
GAMES = {key: game for key, game in find_games(()).items() if game.handouts(game.ruleset({}).setup)}
HOUSE = ["Australia", "Bahrain", "China", "Spain"]


def find_book(key: str) -> Path:
    return ROOT / "games" / key.replace("-", "_") / "rulebook.md"


def list_handouts(key: str, **options: Any) -> dict[str, Handout]:
    ruleset = GAMES[key].ruleset(options)
    return {handout.key: handout for handout in ruleset.game.handouts(ruleset.setup)}


def list_blocks(handout: Handout) -> Iterator[Block]:
    for panel in handout.panels:
        yield from panel.blocks


def list_words(handout: Handout) -> str:
    """Return all texts of charts and points, in order."""
    words: list[str] = []
    for block in list_blocks(handout):
        if isinstance(block, Points):
            words += [point.text.fill(point.params) for point in block.points]
        if isinstance(block, Chart):
            for row in (block.headings, *block.rows):
                words += [word.fill() if isinstance(word, Text) else word for word in row]
    return "\n".join(words)


def test_each_of_our_games_has_handouts() -> None:
    assert set(GAMES) >= OURS


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_game_has_its_rules_on_one_page_and_cites_clauses_that_exist(key: str) -> None:
    rules = list_handouts(key)["rules"]
    book = find_book(key).read_text("utf-8")

    points = [point for block in list_blocks(rules) if isinstance(block, Points) for point in block.points]
    assert 5 <= len(points) <= 16
    for point in points:
        assert f'id="{point.rule}"' in book
        assert "%(" not in point.text.fill(point.params)


@pytest.mark.parametrize("key", sorted(GAMES))
def test_pictures_are_drawings_without_texts_of_people(key: str) -> None:
    """What people typed must not become markup, so it is never inside a picture."""
    for handout in list_handouts(key).values():
        for block in list_blocks(handout):
            pictures = [block.svg] if isinstance(block, Drawing) else []
            pictures += [tile.svg for tile in block.tiles] if isinstance(block, Tiles) else []
            for svg in pictures:
                root = ElementTree.fromstring(svg)
                assert root.tag == "{http://www.w3.org/2000/svg}svg"
                assert "".join(root.itertext()).strip() == ""
                assert "class=" not in svg, "there is no style sheet on paper"


def test_summaries_have_the_numbers_of_the_contest() -> None:
    words = list_words(list_handouts("rock-yahtzee", turns=7, yahtzee_points=[60])["rules"])
    assert "7 turns" in words
    assert "60" in words.split("\n")
    words = list_words(list_handouts("rogue", target=777, war_at=555)["rules"])
    assert "At 777 points" in words
    assert "From 555 points" in words


def test_rogues_chart_is_that_of_the_rule_book() -> None:
    (chart,) = (block for block in list_blocks(list_handouts("rogue")["chart"]) if isinstance(block, Chart))
    book = find_book("rogue").read_text("utf-8")
    printed = re.findall(r"^\| (two|three|four|five|six) \| (.*) \|$", book, re.MULTILINE)
    expected = [cells.split(" | ") for _alike, cells in printed]

    assert [list(row[1:]) for row in chart.rows] == expected


def test_the_grand_prix_sheet_has_every_circuit_with_a_mark_for_each_space() -> None:
    sheet = list_handouts("grand-prix")["sheet"]
    circuits = sheet.panels[:-1]

    assert [panel.heading.fill() for panel in circuits if isinstance(panel.heading, Text)] == HOUSE
    for panel in circuits:
        drawing = next(block for block in panel.blocks if isinstance(block, Drawing))
        turns, damage, place = (block for block in panel.blocks if isinstance(block, Boxes))
        assert turns.number in (18, 21)
        assert damage.number in (10, 11)
        assert place.number == 1
        ruleset = GAMES["grand-prix"].ruleset({})
        circuit = ruleset.setup.circuits[circuits.index(panel)]
        assert drawing.svg.count("<circle") == circuit.flag - 1
        for x, y in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', drawing.svg):
            assert 0 < float(x) < 345
            assert 0 < float(y) < 215


def test_a_circuit_that_an_organiser_named_is_a_text() -> None:
    circuit = {"name": "100%(x)s <b>#panic()</b>", "time": 5, "damage": 2, "sections": [3, 1, 3]}
    sheet = list_handouts("grand-prix", sheet={"circuits": [circuit]})["sheet"]

    heading = sheet.panels[0].heading
    assert isinstance(heading, Text)
    assert heading.fill() == circuit["name"]


def test_go_500_has_a_sticker_for_every_face_of_every_die() -> None:
    handouts = list_handouts("go-500")
    dice = [block for block in list_blocks(handouts["stickers"]) if isinstance(block, Tiles)]

    assert [len(block.tiles) for block in dice] == [5 * 6, 6, 6, 6, 6]
    assert [tile.label for tile in dice[0].tiles[:6]] == ["5", "10", "15", "20", "25", "30"]
    assert all(block.are_cut for block in dice)
    key = [block for block in list_blocks(handouts["dice"]) if isinstance(block, Tiles)]
    assert [len(block.tiles) for block in key] == [6, 6, 6, 6, 6]
    assert key[1].tiles[0].caption != ""


def test_the_course_has_the_limits_of_its_weather() -> None:
    good, poor = (list_words(list_handouts("go-500", template=template)["course"]) for template in "12")
    assert "Turn 1\n90" in good
    assert "Turn 1\n70" in poor
    assert "Grid straight\nno limit" in poor


def test_the_strip_has_every_space_and_all_counters() -> None:
    track, counters = list_blocks(list_handouts("drag-rage")["strip"])
    assert isinstance(track, Track)
    assert (track.spaces, track.line_after, len(track.lanes)) == (26, 22, 2)
    assert isinstance(counters, Tiles)
    assert [tile.label for tile in counters.tiles] == [*map(str, range(2, 13)), "N", "N"]
