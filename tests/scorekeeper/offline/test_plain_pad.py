"""The pad without the rules, for phones on which they do not run: made from each game's own `plain_turn`."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from django.test import Client

from games.core.game import Game
from games.core.replay import fold_turns
from scorekeeper.common.game_adapter import list_games
from scorekeeper.offline.plain_pad import list_plain_turns

BY_TURN = [game for game in list_games().values() if game.recorded_by == "turn" and game.plain_turn]


@pytest.mark.parametrize("game", BY_TURN, ids=lambda game: game.key)
def test_a_first_turn_from_the_plain_pad_is_one_that_the_rules_allow(game: Game[Any]) -> None:
    (form,) = [form for form in list_plain_turns() if form["key"] == game.key]
    ruleset, described = game.ruleset(), json.loads(form["actions"])
    fields = [field for action in described for field in action["fields"]]

    turns = [
        [
            {"type": action["type"], **{field["name"]: values[fields.index(field)] for field in action["fields"]}}
            for action in described
        ]
        for values in product(*map(_list_values, fields))
    ]
    folds = [fold_turns(ruleset, [[ruleset.read_action(action, 1) for action in turn]]) for turn in turns]

    possible = [folded for folded in folds if not folded.failures]
    assert possible
    assert all(len(game.turns(folded.state, 0)) == 1 for folded in possible)


def _list_values(field: dict[str, Any]) -> list[object]:
    """Return the first value of a field or, since rules with options do not allow every number, all numbers."""
    if field["kind"] == "number":
        return list(range(field["low"], field["high"] + 1))
    first = field["values"][0]
    return [[first] * field["low"] if field["kind"] in ("dice", "draw") and not field["single"] else first]


def test_the_page_has_a_form_for_each_game_that_is_recorded_by_the_turn(client: Client) -> None:
    page = client.get("/crew/plain/").content.decode()

    assert {form["key"] for form in list_plain_turns()} == {game.key for game in BY_TURN}
    for game in BY_TURN:
        assert f'data-plain-turn="{game.key}"' in page
    assert "Full house" in page


def test_a_number_has_large_keys_there_too(client: Client) -> None:
    page = client.get("/crew/plain/").content.decode()

    (form,) = [part for part in page.split("data-plain-turn=") if part.startswith('"dice-run"')]
    assert 'for="plain-dice-run-total"' in form
    assert 'id="plain-dice-run-total"' in form
    assert form.count("data-digit=") == 10
