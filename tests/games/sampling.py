"""Random actions that specs offer, and random games made from them.

A spec promises that every combination of its field values is legal. These functions draw such combinations, as the
JSON values of a transcript.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from games.core.cards import CARDS, JOKER
from games.core.game import Ruleset
from games.core.specs import (
    ActionSpec,
    CardsField,
    ChoiceField,
    Count,
    DiceField,
    DrawField,
    Field,
    FlagField,
    NumberField,
    PickField,
)

MAX_STEPS = 20_000


class Moment(NamedTuple):
    """A state of a random game, the offers in that state, and how many actions of the game led to it."""

    state: Any
    offers: tuple[ActionSpec, ...]
    number: int
    log: list[dict[str, Any]]  # of the whole game, shared by its moments

    @property
    def actions(self) -> list[dict[str, Any]]:
        """The actions that led to this state."""
        return self.log[: self.number]


def sample(spec: ActionSpec, random: Random) -> dict[str, Any]:
    """Return a random action that the spec offers."""
    action: dict[str, Any] = {} if spec.seat is None else {"seat": spec.seat}
    action["type"] = spec.type
    chosen = random.choice(spec.one_of) if spec.one_of else None
    # Picks come first, because the number of dice may depend on a pick.
    for field in sorted(spec.fields, key=lambda field: field.kind != "pick"):
        is_out = field.name != chosen if field.name in spec.one_of else not field.required and random.random() < 0.4
        if not is_out:
            action[field.name] = _value(field, action, random)
    return action


def _value(field: Field, action: dict[str, Any], random: Random) -> Any:
    match field:
        case DiceField(single=True):
            return random.choice(field.faces).face
        case DiceField():
            return [random.choice(field.faces).face for _ in range(_length(field.count, action, random))]
        case PickField():
            return list(random.choice(field.picks).dice)
        case ChoiceField():
            return random.choice([choice.value for choice in field.choices if choice.open])
        case NumberField():
            return random.choice(field.values) if field.values else random.randint(field.low, field.high)
        case FlagField():
            return field.required or random.random() < 0.5
        case CardsField():
            return _show_cards(field.seats, random)
        case DrawField():
            return _draw(field, random)


def _show_cards(seats: Sequence[int], random: Random) -> dict[str, str | None]:
    cards: list[str | None] = [*random.sample(list(CARDS), len(seats))]
    for position in range(1, len(cards)):  # at least one seat must be present
        if random.random() < 0.3:
            cards[position] = None
    return {str(seat): card for seat, card in zip(seats, cards, strict=True)}


def _draw(field: DrawField, random: Random) -> str | list[str]:
    drawn = random.sample([*field.cards, *[JOKER] * field.jokers], field.count)
    return drawn[0] if field.single else drawn


def _length(count: Count, action: dict[str, Any], random: Random) -> int:
    if count.like_pick:
        return len(action.get(count.like_pick, ()))
    length = random.randint(count.low, count.high)
    return length - len(action.get(count.less_pick, ())) if count.less_pick else length


def list_specs(ruleset: Ruleset, state: Any) -> tuple[ActionSpec, ...]:
    """Return all offers of the state, of the seats and of the table."""
    game = ruleset.game
    return tuple(spec for seat in (None, *range(game.seats(state))) for spec in game.legal_actions(state, seat))


def walk(ruleset: Ruleset, seats: int, random: Random) -> Iterator[Moment]:
    """Play at random until nothing is offered, and yield every moment. Retiring is rare."""
    game = ruleset.game
    state = game.start(ruleset, seats)
    log: list[dict[str, Any]] = []
    for _ in range(MAX_STEPS):
        offered = list_specs(ruleset, state)
        yield Moment(state, offered, len(log), log)
        usual = [spec for spec in offered if spec.type != "retire"]
        if not offered:
            return
        spec = random.choice(usual if usual and random.random() < 0.98 else offered)
        action = sample(spec, random)
        state = game.play(state, ruleset.read_action(action, seats))
        log.append(action)
    raise AssertionError(f"no end after {MAX_STEPS} random steps")
