"""Examples for the schema, one for each game: made by the games themselves, so that they are always legal."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from drf_spectacular.utils import OpenApiExample

from games.core.game import Game, Ruleset
from games.core.luck import get_luck
from games.core.specs import ActionSpec, ChoiceField, DiceField, DrawField, Field, FlagField, NumberField, PickField
from scorekeeper.api.card_reading import CardDetail, make_play
from scorekeeper.api.contest_results import EntrantName, ResultLuck
from scorekeeper.api.forms.envelopes import FORGED
from scorekeeper.api.luck_reading import ScorecardLuck, add_up
from scorekeeper.api.operation_results import ERRORS, make_receipt_problem
from scorekeeper.api.outcomes import OUTCOMES
from scorekeeper.api.serializers.luck import LuckRowSerializer, ScorecardLuckSerializer
from scorekeeper.api.serializers.play import ScorecardDetailSerializer
from scorekeeper.common.game_adapter import list_games, translate
from scorekeeper.ledger.canonical import sha256
from scorekeeper.ledger.models import Operation
from scorekeeper.ledger.problem_messages import explain, problem_to_data
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.fold import MISPLACED
from scorekeeper.scorecards.services.outcomes import CONTEST_CLOSED, PHONE_ENDED, SLOT_TAKEN
from scorekeeper.standings.card_luck import CardLuck
from scorekeeper.standings.leaderboard import LeaderboardRow

MAX_ACTIONS = 4  # of an example


def list_operation_examples() -> list[OpenApiExample]:
    """Return an operation for each game: a turn at a stop, or an action at a table."""
    return [
        OpenApiExample(translate(game.name), {"operations": [_make_operation(game)]}, request_only=True)
        for game in list_games().values()
    ]


def list_receipt_examples() -> list[OpenApiExample]:
    """Return for each outcome what comes back."""
    return [
        OpenApiExample(
            outcome,
            {"server_time": "2026-06-20T15:40:00+00:00", "receipts": [_make_receipt(outcome)]},
            response_only=True,
            status_codes=["200"],
        )
        for outcome in OUTCOMES
    ]


def _make_receipt(outcome: str) -> dict[str, Any]:
    is_written = outcome in (Operation.Outcome.RECORDED, Operation.Outcome.MERGED)
    is_reviewed = outcome in Operation.Outcome.values and not is_written
    entry = {"chain": make_example_id("card"), "seq": 1, "hash": sha256("an entry")}
    receipt = {
        "id": make_example_id("operation"),
        "outcome": outcome,
        "entries": [entry] if is_written or is_reviewed else [],
        "review": make_example_id("review") if is_reviewed else None,
        "problems": [] if is_written else [_make_problem(outcome)],
    }
    return {**receipt, "data": {"turn": make_example_id("turn")}} if outcome == Operation.Outcome.MERGED else receipt


def _make_problem(outcome: str) -> dict[str, Any]:
    """Return the problem of a receipt: with a sentence of the rules, or the one that the server says of the outcome."""
    if outcome in _PROBLEMS:
        game = next(game for game in list_games().values() if get_kind(game).enters_roster)
        sentence = explain(game.key, _PROBLEMS[outcome])
        return make_receipt_problem(
            _PROBLEMS[outcome]["code"], sentence.rule, _PROBLEMS[outcome]["field"], sentence.text, sentence.href
        )
    texts = {"forged": FORGED, **{name: text for _error, name, text in ERRORS}}  # of several, the general one
    return make_receipt_problem(outcome, "", None, str(texts[outcome]), "")


_PROBLEMS: Mapping[str, Mapping[str, Any]] = {
    Operation.Outcome.CONFLICT: SLOT_TAKEN,
    Operation.Outcome.REFUSED: problem_to_data(MISPLACED),
    Operation.Outcome.LATE: CONTEST_CLOSED,
    Operation.Outcome.REVIEW: PHONE_ENDED,
}


def list_play_examples() -> list[OpenApiExample]:
    """Return for each game what can be done on a card on which nothing is recorded."""
    return [
        OpenApiExample(translate(game.name), _make_blank_card(game), response_only=True)
        for game in list_games().values()
    ]


def list_standings_examples() -> list[OpenApiExample]:
    """Return the standings of each game at the stops that can tell its chances to win."""
    changed = "2026-06-20T15:40:00+00:00"
    return [
        OpenApiExample(
            translate(game.name),
            {
                "event": {"name": "Rock the Roll", "date": "2026-06-20"},
                "contest": {
                    "name": translate(game.name),
                    "ruleset": game.key,
                    "rules_version": game.version,
                    "lowest_wins": game.ruleset().lowest_wins,
                },
                "official": False,
                "revision": None,
                "revision_pending": False,
                "as_of": changed,
                "standings": [
                    {
                        "holder": make_example_id("bike"),
                        "number": "57",
                        "rank": 1,
                        "place": "1",
                        "level": False,
                        "total": 84,
                        "turns": 3,
                        "status": "playing",
                        "last_change": changed,
                        "by": "points",
                        "cards": [],
                        "riders": "Ann",
                        "chances": {"win": 0.121873, "among_first": 0.313402},
                    }
                ],
                "chances": {"as_of": changed, "places": 3},
            },
            response_only=True,
        )
        for game in list_games().values()
        if game.tells_endings and game.slot_option is not None
    ]


def list_luck_examples() -> list[OpenApiExample]:
    """Return a luck-adjusted table for each game with odds, with a card of one turn."""
    return [
        OpenApiExample(
            name,
            {
                "event": {"name": "Rock the Roll", "date": "2026-06-20"},
                "contest": {"name": name, "ruleset": key, "rules_version": 1, "lowest_wins": False},
                "state": "ready",
                "luck": [_make_row(card)],
            },
            response_only=True,
        )
        for key, name, card in _list_luck()
    ]


def list_card_luck_examples() -> list[OpenApiExample]:
    """Return for each game with odds what the throws of one turn brought, and what its choices cost."""
    return [
        OpenApiExample(name, ScorecardLuckSerializer(ScorecardLuck("ready", [add_up(card)])).data, response_only=True)
        for _key, name, card in _list_luck()
    ]


def _make_row(card: CardLuck) -> dict[str, Any]:
    row = LeaderboardRow(card.entrant_id, "57", 1, False, 0, 0, "done", None)
    sums = add_up(card)
    luck = ResultLuck(row, card, sums.balance, sums.is_recorded, sums.adjusted, EntrantName("Ann", None))
    return LuckRowSerializer(luck).data


@cache
def _list_luck() -> list[tuple[str, str, CardLuck]]:
    """Return a card of one turn for each game that is played by turns and tells the odds of totals."""
    found = []
    for game in list_games().values():
        if game.odds_measure != "total" or game.slot_option is None:
            continue
        ruleset = game.ruleset({game.slot_option: 1})  # few turns have few values
        actions = tuple(_play_turn(game))
        luck = get_luck(ruleset, 1, 0, [[ruleset.read_action(action, 1) for action in actions]])
        if luck is not None:
            card, entrant = UUID(make_example_id("card")), UUID(make_example_id("bike"))
            found.append((game.key, translate(game.name), CardLuck(card, entrant, (1,), (actions,), luck)))
    return found


def make_example_id(name: str) -> str:
    """Return an id that is the same in every example."""
    return str(uuid5(NAMESPACE_URL, name))


def _make_operation(game: Game[Any]) -> dict[str, Any]:
    operation = {"id": make_example_id(f"operation {game.key}")}
    if get_kind(game).enters_roster:
        where = {name: make_example_id(name) for name in ("contest", "bike", "slot")}
        return {**operation, "kind": "turn", **where, "actions": _play_turn(game)}
    ruleset = game.ruleset()
    action = _make_action(_list_fillable(ruleset, game.start(ruleset, _count_seats(game)))[0])
    return {**operation, "kind": "action", "card": make_example_id("card"), "seen": 1, "actions": [action]}


def _play_turn(game: Game[Any]) -> list[dict[str, Any]]:
    """Return the actions of a whole turn without a seat: at each point the one that ends it, if there is one."""
    ruleset = game.ruleset()
    state = game.start(ruleset, 1)
    actions: list[dict[str, Any]] = []
    while not game.turns(state, 0) and len(actions) < MAX_ACTIONS:
        specs = _list_fillable(ruleset, state)
        ending = [spec for spec in specs if actions and any(isinstance(field, ChoiceField) for field in spec.fields)]
        action = _make_action((ending or specs)[0])
        state = game.apply(state, ruleset.read_action(action, 1))
        actions.append({name: value for name, value in action.items() if name != "seat"})
    return actions


def _make_blank_card(game: Game[Any]) -> dict[str, Any]:
    ruleset = game.ruleset()
    state = game.start(ruleset, _count_seats(game))
    free = [UUID(make_example_id("slot"))] if get_kind(game).enters_roster else []
    play = make_play(game, state, length=0 if free else 1, free_slots=free)
    return ScorecardDetailSerializer(CardDetail(UUID(make_example_id("card")), 0, (), play)).data


def _count_seats(game: Game[Any]) -> int:
    return max(game.seat_limits[0], 1)


def _list_fillable(ruleset: Ruleset, state: Any) -> list[ActionSpec]:
    """Return what the first seat or the table can do, that which needs dice or a choice first."""
    specs = [spec for seat in (0, None) for spec in ruleset.game.legal_actions(state, seat)]
    return sorted(specs, key=lambda spec: not spec.fields)


def _make_action(spec: ActionSpec) -> dict[str, Any]:
    wanted = [field for field in spec.fields if field.required or field.name == next(iter(spec.one_of), None)]
    values = {field.name: _choose(field) for field in wanted if field.name not in spec.one_of[1:]}
    return {"type": spec.type, **({} if spec.seat is None else {"seat": spec.seat}), **values}


def _choose(field: Field) -> Any:
    match field:
        case DiceField():
            faces = [face.face for face in field.faces]
            return faces[0] if field.single else [faces[turn % len(faces)] for turn in range(field.count.high)]
        case PickField():
            return list(field.picks[0].dice)
        case ChoiceField():
            return next(choice.value for choice in field.choices if choice.open)
        case NumberField():
            return field.values[0] if field.values else field.low
        case DrawField():
            return field.cards[0] if field.single else list(field.cards[: field.count])
        case FlagField():
            return True
        case _:
            return ["AS" for _seat in field.seats]
