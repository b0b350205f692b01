"""Every state of every game can be serialized to plain data, and is equal after reading it back."""

from __future__ import annotations

import json
from random import Random
from typing import Any, Generic, NamedTuple, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.codec import get_codec, get_shape, state_from_data, state_to_data
from games.core.game import Game, Ruleset
from tests.faults.scale import scaled
from tests.games.all_games import GAMES
from tests.games.conformance.test_play import every_ruleset, play, seeds

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.text(max_size=3), parts, max_size=3),
)


@every_ruleset
@settings(max_examples=10, deadline=None)
@given(seeds)
def test_every_state_of_a_random_play_is_read_back_as_it_was(ruleset: Ruleset, seed: int) -> None:
    for moment in play(ruleset, seed):
        data = json.loads(json.dumps(state_to_data(ruleset.game, moment.state)))
        read = state_from_data(ruleset, data)
        assert read == moment.state
        assert hash(read) == hash(moment.state)
        assert list_types(read) == list_types(moment.state)  # named tuples of different types can be equal


@every_ruleset
@settings(max_examples=scaled(60, 10), deadline=None)
@given(JSON, seeds)
def test_other_data_is_rejected_or_is_a_valid_state(ruleset: Ruleset, other: Any, seed: int) -> None:
    random = Random(seed)
    moment = random.choice(play(ruleset, seed))
    data = state_to_data(ruleset.game, moment.state)
    at = data
    while type(at[place := random.randrange(len(at))]) is list and at[place] and random.random() < 0.8:
        at = at[place]
    at[place] = other
    try:
        read = state_from_data(ruleset, data)
    except ValueError:
        return
    # The value put there has the right type, so this is a state like any other.
    assert state_from_data(ruleset, state_to_data(ruleset.game, read)) == read


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_the_shape_names_every_field(game: Game[Any]) -> None:
    state = game.start(game.ruleset(), max(2, game.seat_limits[0]))
    assert all(f"{name}: " in get_shape(game) for name in state._fields)


def test_a_state_that_cannot_be_serialized_is_rejected_by_name() -> None:
    class Odd(NamedTuple):
        at: complex

    class OddGame(Game[Odd]):
        pass

    Odd.__annotations__["at"] = complex
    with pytest.raises(TypeError, match="complex"):
        get_codec(OddGame)


def test_a_game_that_does_not_declare_its_state_type_is_rejected() -> None:
    class Nameless(Game):
        pass

    with pytest.raises(TypeError, match="Nameless"):
        get_codec(Nameless)


P = TypeVar("P")


class Pair(NamedTuple, Generic[P]):
    one: P
    other: P | None


class Middle(Game[Pair[P]], Generic[P]):
    pass


class Last(Middle[int]):
    pass


def test_types_are_found_through_classes_in_between() -> None:
    assert get_codec(Last).shape == "Pair(one: int, other: int | NoneType)"


def list_types(value: Any) -> Any:
    """Return the types of a value and of everything inside it."""
    inside = sorted(value) if isinstance(value, frozenset) else value if isinstance(value, tuple) else ()
    return [type(value), *map(list_types, inside)]
