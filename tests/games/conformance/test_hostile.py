"""Every input gets an answer, which is one of the three specified kinds: legal, illegal or malformed."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.actions import ActionType
from games.core.options import ChoiceOption, NumberOption, Option
from games.core.transcript import score, score_bytes, score_text
from tests.faults.scale import scaled
from tests.games.all_games import GAMES
from tests.games.playthroughs import Playthrough, list_playthroughs

PLAYTHROUGHS = list(list_playthroughs())
LEGAL = {"ok", "ruleset", "finished", "scores", "ranking", "winners", "to_act"}
ILLEGAL = {"ok", "index", "code", "rule", "message", "scores"}
MALFORMED = {"ok", "index", "code", "rule", "field", "message"}

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([10**4000, -(10**400)]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
STRANGE: list[Any] = [
    None, True, False, 0, -1, 7, 2.0, 1e308, float("inf"), 10**300,
    "", "7", "seat", "0", "QS", "\ud800", "é" * 500,
    [], [[]], [1] * 50, {}, {"0": "QS"}, {"": None}, [None], {"type": "retire"}, "retire", "%(x)s",
]  # fmt: skip


def check(answer: dict[str, Any]) -> None:
    """Check that an answer has the specified form."""
    json.dumps(answer)
    if answer["ok"]:
        assert set(answer) >= LEGAL
        assert len(answer["scores"]) == sum(len(group) for group in answer["ranking"])
        assert bool(answer["winners"]) == answer["finished"]
    elif answer["code"] == "malformed":
        assert set(answer) == MALFORMED
        assert answer["rule"] is None
        assert answer["message"]
    else:
        assert set(answer) == ILLEGAL
        assert isinstance(answer["index"], int)
        assert answer["rule"]
        assert answer["message"]


@settings(max_examples=scaled(200, 50), deadline=None)
@given(plain)
def test_arbitrary_json_values_never_raise(value: Any) -> None:
    check(score(value, GAMES))


@pytest.mark.parametrize("key", GAMES)
@settings(max_examples=scaled(60, 15), deadline=None)
@given(options=plain, seats=plain, actions=plain)
def test_arbitrary_values_in_a_transcript_never_raise(key: str, options: Any, seats: Any, actions: Any) -> None:
    check(score({"ruleset": key, "options": options, "seats": ["Ann"], "actions": []}, GAMES))
    check(score({"ruleset": key, "seats": seats}, GAMES))
    check(score({"ruleset": key, "seats": ["Ann"], "actions": actions}, GAMES))
    check(score({"ruleset": key, "seats": ["Ann"], "actions": [actions]}, GAMES))


@settings(max_examples=scaled(200, 50), deadline=None)
@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_arbitrary_bytes_never_raise(text: bytes) -> None:
    check(score_bytes(text, GAMES))


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda playthrough: playthrough.name)
def test_randomly_broken_playthroughs_never_raise(
    playthrough: Playthrough,
) -> None:
    random = Random(playthrough.name)
    for _ in range(scaled(400, 100)):
        broken = copy.deepcopy(playthrough.transcript)
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            mutate(broken, random)
        check(score(broken, GAMES))


def mutate(data: Any, random: Random) -> None:
    """Walk down to a random part of the value and break it."""
    while isinstance(data, (dict, list)) and data:
        key = random.choice(list(data) if isinstance(data, dict) else range(len(data)))
        inner = data[key]
        if isinstance(inner, (dict, list)) and inner and random.random() < 0.8:
            data = inner
            continue
        kind = random.randrange(4)
        if kind == 0:
            del data[key]
        elif kind == 1 and isinstance(data, list):
            data.insert(key, copy.deepcopy(random.choice(data)))
        elif kind == 2 and isinstance(data, dict):
            data[random.choice(("seat", "type", "dice", "keep", "points", "extra", "cards", "rolls"))] = random.choice(
                STRANGE
            )
        else:
            data[key] = random.choice(STRANGE)
        return


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda playthrough: playthrough.name)
def test_truncated_playthroughs_never_raise(playthrough: Playthrough) -> None:
    text = json.dumps(playthrough.transcript)
    for end in range(0, len(text), scaled(7, 29)):
        check(score_text(text[:end], GAMES))


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"ruleset": ' + "[" * 900 + "]" * 900 + "}",
        '{"ruleset": NaN}',
        '{"ruleset": -Infinity}',
        '{"ruleset": 1, "ruleset": 2}',
        "\ufeff{}",
        "",
        " ",
        "null",
        '"\\ud800"',
        "9" * 200_000,
    ],
    ids=lambda text: repr(text[:20]),
)
def test_text_that_is_not_a_transcript_is_malformed(text: str) -> None:
    answer = score_text(text, GAMES)
    check(answer)
    assert answer["code"] == "malformed"
    assert answer["index"] is None


@pytest.mark.parametrize("key", GAMES)
def test_options_and_actions_at_and_beyond_their_limits_never_raise(key: str) -> None:
    """Every option with values that it allows and that it does not, in any combination, and actions with any fields."""
    game, random = GAMES[key], Random(key)
    names = [option.name for option in game.declared_options]
    for _ in range(scaled(600, 150)):
        chosen = random.sample(game.declared_options, random.randint(0, min(len(names), 4)))
        options = {option.name: draw_option(option, random) for option in chosen}
        check(score({"ruleset": key, "options": options, "seats": ["Ann"] * random.randint(0, 3)}, GAMES))
        types = list(game.action_types(game.ruleset().setup).values())
        actions = [draw_action(random.choice(types), random) for _ in range(random.randint(1, 6))]
        check(score({"ruleset": key, "seats": ["Ann", "Ben"], "actions": actions}, GAMES))


def draw_option(option: Option, random: Random) -> Any:
    """Return a value for an option, at or beyond its limits or of any type."""
    values = [option.default, *STRANGE]
    if isinstance(option, NumberOption):
        high = option.high if option.high is not None else 10**6
        values = [option.low - 1, option.low, random.randint(option.low, high), high, high + 1, *option.values, *values]
    elif isinstance(option, ChoiceOption):
        values = [word for word, _ in option.choices] * 5 + values
    return random.choice(values)


def draw_action(kind: ActionType, random: Random) -> dict[str, Any]:
    """Return an action of a type, whose fields may have any value."""
    numbers = [random.randint(-1, 21) for _ in range(random.randint(0, 11))]
    fields = {name: random.choice([numbers, *numbers, *STRANGE]) for name in kind.fields if random.random() < 0.9}
    return {"seat": random.choice([0, 0, 1, 2, None]), "type": kind.record.type, **fields}
