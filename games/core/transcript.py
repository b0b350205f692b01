"""Transcripts: a whole game as one JSON object, which is played and answered with another JSON object.

The format is the same for the phone, the API, the command line and the tests. An error outside the actions is reported
first. Otherwise the first action that fails is reported; if it is both, malformed comes before illegal.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from games.core.game import Game, Ruleset
from games.core.problems import Malformed, Problem
from games.core.reading import (
    MISSING_FIELD,
    UNKNOWN_CHOICE,
    abbreviate,
    check_fields,
    read_list,
    read_object,
    read_text,
)
from games.core.replay import Replay, replay
from games.core.text import gettext_noop, ngettext_lazy

NOT_UTF8 = gettext_noop("This is not UTF-8 text.")
NOT_JSON = gettext_noop("This is not JSON: %(why)s.")
TOO_FEW_SEATS = ngettext_lazy(
    "This game needs at least %(low)s seat.", "This game needs at least %(low)s seats.", count="low"
)
TOO_MANY_SEATS = ngettext_lazy(
    "This game allows at most %(high)s seat.", "This game allows at most %(high)s seats.", count="high"
)

FIELDS = ("ruleset", "options", "seats", "actions")
MAX_DIGITS = 100_000  # of a number in a transcript; parsing takes quadratic time in the number of digits


def score_bytes(text: bytes, games: Mapping[str, Game[Any]]) -> dict[str, Any]:
    """Play the transcript in `text`, which is UTF-8 with or without a byte order mark. Never raises."""
    try:
        return score(parse_bytes(text), games)
    except Malformed as malformed:
        return make_malformed_answer(malformed)


def score_text(text: str, games: Mapping[str, Game[Any]]) -> dict[str, Any]:
    """Play the transcript in `text` and return the answer. Never raises, whatever the text contains."""
    try:
        return score(parse_text(text), games)
    except Malformed as malformed:
        return make_malformed_answer(malformed)


def parse_bytes(text: bytes) -> object:
    """Return the JSON value in `text`, which is UTF-8 with or without a byte order mark, or raise `Malformed`."""
    try:
        return parse_text(text.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Malformed(None, NOT_UTF8) from None


def parse_text(text: str) -> object:
    """Return the JSON value in `text`. Raises nothing but `Malformed`, whatever the text contains."""
    try:
        return json.loads(
            text, object_pairs_hook=_reject_duplicate_names, parse_constant=_reject_constant, parse_int=_read_int
        )
    except RecursionError:
        raise Malformed(None, NOT_JSON, {"why": "it is nested too deeply"}) from None
    except json.JSONDecodeError as error:
        why = f"{error.msg}: line {error.lineno} column {error.colno}"
        raise Malformed(None, NOT_JSON, {"why": why}) from None
    except ValueError as error:
        raise Malformed(None, NOT_JSON, {"why": abbreviate(_first_line(error))}) from None


def score(data: object, games: Mapping[str, Game[Any]]) -> dict[str, Any]:
    """Play a transcript, given as plain data, and return the answer."""
    try:
        head = read_head(data, games)
    except Malformed as malformed:
        return make_malformed_answer(malformed)
    played = replay(head.ruleset, head.seats, head.actions)
    return make_failure_answer(head.ruleset, played) or _make_legal_answer(head.ruleset, played.state)


def make_failure_answer(ruleset: Ruleset, played: Replay) -> dict[str, Any] | None:
    """Return the answer to a transcript that could not be played to its end; None if it could."""
    if isinstance(played.failure, Malformed):
        return make_malformed_answer(played.failure, played.applied)
    if played.failure is not None:
        return _make_illegal_answer(ruleset, played, played.failure[0])
    return None


def make_malformed_answer(malformed: Malformed, index: int | None = None) -> dict[str, Any]:
    """Return the answer to malformed data."""
    return {
        "ok": False,
        "index": index,
        "code": "malformed",
        "rule": None,
        "field": malformed.field,
        "message": malformed.message(),
    }


def _make_illegal_answer(ruleset: Ruleset, played: Replay, problem: Problem) -> dict[str, Any]:
    return {
        "ok": False,
        "index": played.applied,
        "code": problem.code,
        "rule": problem.rule,
        "message": problem.message(),
        "scores": _list_scores(ruleset, played.state),
    }


def _make_legal_answer(ruleset: Ruleset, state: Any) -> dict[str, Any]:
    game = ruleset.game
    return {
        "ok": True,
        "ruleset": game.key,
        "finished": game.is_finished(state),
        "scores": _list_scores(ruleset, state),
        "ranking": [list(group) for group in game.ranking(state).groups],
        "winners": list(game.winners(state)),
        "to_act": game.to_act(state),
        **game.extra_results(state),
    }


def _list_scores(ruleset: Ruleset, state: Any) -> list[int]:
    game = ruleset.game
    return [game.standing(state, seat).total for seat in range(game.seats(state))]


class Head(NamedTuple):
    """What a transcript says before its actions are read: the ruleset, the number of seats, and the raw actions."""

    ruleset: Ruleset
    seats: int
    actions: list[Any]


def read_head(data: object, games: Mapping[str, Game[Any]]) -> Head:
    """Read everything but the actions of a transcript, or raise `Malformed`."""
    given = read_object(data, "")
    check_fields(given, "", FIELDS, ("ruleset",))
    key = read_text(given["ruleset"], "ruleset")
    if key not in games:
        raise Malformed("ruleset", UNKNOWN_CHOICE, {"value": abbreviate(key), "known": ", ".join(games)})
    ruleset = games[key].ruleset(read_object(given.get("options", {}), "options"))
    if "seats" not in given:
        raise Malformed("seats", MISSING_FIELD, {"name": "seats"})
    seats = read_list(given["seats"], "seats")
    for index, name in enumerate(seats):
        read_text(name, f"seats[{index}]")
    low, high = ruleset.game.seat_limits
    if len(seats) < low:
        raise Malformed("seats", TOO_FEW_SEATS, {"low": low})
    if high is not None and len(seats) > high:
        raise Malformed("seats", TOO_MANY_SEATS, {"high": high})
    return Head(ruleset, len(seats), read_list(given.get("actions", []), "actions"))


def _reject_duplicate_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Reject an object that gives the same name twice, because it is ambiguous."""
    data = dict(pairs)
    if len(data) != len(pairs):
        raise ValueError("one object gives the same name twice")
    return data


def _read_int(digits: str) -> int | float:
    """Return the number. A number that is too long becomes infinity, so that its field is reported as malformed."""
    try:
        return int(digits) if len(digits) <= MAX_DIGITS else math.inf
    except ValueError:  # the interpreter's own limit, if it is lower
        return math.inf


def _reject_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON value")


def _first_line(error: ValueError) -> str:
    return str(error).splitlines()[0].rstrip(".")
