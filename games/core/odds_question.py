"""Questions about odds, as plain data, and their answers, for the command line and for tests.

An error in the question itself is reported first, and then the first one in its transcript, as `score` reports it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.core.actions import NO_SUCH_SEAT
from games.core.game import Game, Ruleset
from games.core.odds import DECIMALS, Node, Odds, Wanted
from games.core.problems import Malformed
from games.core.reading import (
    MISSING_FIELD,
    Flag,
    abbreviate,
    check_fields,
    read_list,
    read_object,
    read_whole_number,
)
from games.core.replay import replay
from games.core.text import gettext_noop
from games.core.time_limit import DEFAULT_SECONDS, TimeLimit
from games.core.transcript import Head, make_failure_answer, make_malformed_answer, parse_bytes, parse_text, read_head

FIELDS = ("transcript", "seat", "targets", "beat", "distribution", "seconds")
MAX_TARGETS = 20
MAX_SECONDS = 600

TOO_MANY_TARGETS = gettext_noop("Ask for at most %(most)s targets at once.")
NO_TARGETS = gettext_noop("This game does not measure final totals, so it has no targets.")
NO_HANDS = gettext_noop("This game has no hands to beat.")


@dataclass(frozen=True)
class _Question:
    """The question, without its transcript.

    Attributes:
        seat: whose odds; None if the game says who acts.
    """

    seat: int | None
    targets: tuple[int, ...] | None
    beat: tuple[int, ...] | None
    distribution: bool
    seconds: int


def answer_bytes(text: bytes, games: Mapping[str, Game[Any]]) -> dict[str, Any]:
    """Answer the question in `text`, which is UTF-8 with or without a byte order mark. Never raises."""
    try:
        data = parse_bytes(text)
    except Malformed as malformed:
        return make_malformed_answer(malformed)
    return answer(data, games)


def answer_text(text: str, games: Mapping[str, Game[Any]]) -> dict[str, Any]:
    """Answer the question in `text`. Never raises, whatever the text contains."""
    try:
        data = parse_text(text)
    except Malformed as malformed:
        return make_malformed_answer(malformed)
    return answer(data, games)


def answer(
    data: object, games: Mapping[str, Game[Any]], *, most_seconds: float = MAX_SECONDS, game_chances: bool = True
) -> dict[str, Any]:
    """Answer a question, given as plain data.

    Args:
        data: the question.
        games: by key.
        most_seconds: give up after so long, even if the question allows more.
        game_chances: whether to add the chances that only the game tells (`Odds.chances`).
    """
    try:
        given = read_object(data, "")
        question = _read_question(given)
    except Malformed as malformed:
        return make_malformed_answer(malformed)
    try:
        head = read_head(given["transcript"], games)
    except Malformed as malformed:
        return make_malformed_answer(_name_field_in_transcript(malformed))
    try:
        _check_question(question, head)
    except Malformed as malformed:
        return make_malformed_answer(malformed)
    played = replay(head.ruleset, head.seats, head.actions)
    if isinstance(played.failure, Malformed):
        return make_malformed_answer(_name_field_in_transcript(played.failure), played.applied)
    failure = make_failure_answer(head.ruleset, played)
    if failure is not None:
        return failure
    game = head.ruleset.game
    try:
        seat = _find_seat(question, head, game.to_act(played.state))
    except Malformed as malformed:
        return make_malformed_answer(malformed)
    limit = TimeLimit(min(question.seconds, most_seconds))
    wanted = Wanted(question.targets or (), question.distribution, limit, game_chances, question.beat or ())
    odds = game.odds(played.state, seat, wanted) or _make_unknown_odds(head.ruleset, played.state, seat)
    return {"ok": True, "ruleset": game.key, "seat": seat, **write_odds(odds)}


def write_odds(odds: Odds) -> dict[str, Any]:
    """Return odds as a JSON object, with figures of `DECIMALS` decimals."""
    data: dict[str, Any] = {"node": odds.node, "measure": odds.measure, "aim": odds.aim, "method": odds.method}
    if odds.why is not None:
        data["why"] = odds.why
    data["options"] = [{"action": dict(choice.action)} for choice in odds.choices]
    data["value"] = _round(odds.value)
    data["best"] = list(odds.best)
    if odds.method == "none":
        return data
    losses = odds.losses or (None,) * len(odds.choices)
    for shown, choice, loss in zip(data["options"], odds.choices, losses, strict=True):
        shown.update(value=_round(choice.value), loss=_round(loss))
        if odds.targets:
            shown.update(reach=_round(choice.reach), reach_by_value=_round(choice.reach_by_value))
        shown.update({name: _round(chance) for name, chance in choice.chances.items()})
        shown.update({f"{name}_margin": _round(margin) for name, margin in choice.margins.items()})
    if odds.targets:
        data["targets"] = [
            {"target": target, "reach": _round(reach), "reach_by_value": _round(by_value)}
            for target, reach, by_value in odds.targets
        ]
    if odds.distribution is not None:
        data["distribution"] = {"from": odds.distribution.lowest, "chances": _round(odds.distribution.chances)}
    data.update({name: _round(chance) for name, chance in odds.chances.items()})
    data.update({f"{name}_margin": _round(margin) for name, margin in odds.margins.items()})
    return data


def _round(figures: Any) -> Any:
    if figures is None:
        return None
    if isinstance(figures, (tuple, list)):
        return [_round(figure) for figure in figures]
    return round(figures, DECIMALS) + 0.0  # never -0.0


def _read_question(given: Mapping[str, Any]) -> _Question:
    check_fields(given, "", FIELDS, ("transcript",))
    seat = read_whole_number(given["seat"], "seat") if "seat" in given else None
    targets = _read_numbers(given["targets"], "targets") if "targets" in given else None
    beat = _read_numbers(given["beat"], "beat") if "beat" in given else None
    distribution = Flag().read(given.get("distribution", False), "distribution")
    seconds = read_whole_number(given.get("seconds", DEFAULT_SECONDS), "seconds", 1, MAX_SECONDS)
    return _Question(seat, targets, beat, distribution, seconds)


def _read_numbers(value: object, field: str) -> tuple[int, ...]:
    given = read_list(value, field)
    numbers = tuple(read_whole_number(number, f"{field}[{index}]") for index, number in enumerate(given))
    if len(numbers) > MAX_TARGETS:
        raise Malformed(field, TOO_MANY_TARGETS, {"most": MAX_TARGETS})
    return numbers


def _check_question(question: _Question, head: Head) -> None:
    """Raise `Malformed` if the question does not suit its game: a seat that is not there, or targets without totals."""
    if question.seat is not None and not 0 <= question.seat < head.seats:
        raise Malformed("seat", NO_SUCH_SEAT, {"seat": abbreviate(question.seat), "last": head.seats - 1})
    if question.targets is not None and head.ruleset.game.odds_measure in ("turn", "heat", "hand"):
        raise Malformed("targets", NO_TARGETS)
    if question.beat is not None and head.ruleset.game.odds_measure != "hand":
        raise Malformed("beat", NO_HANDS)


def _find_seat(question: _Question, head: Head, to_act: int | None) -> int:
    if question.seat is not None:
        return question.seat
    if head.seats == 1:
        return 0
    if to_act is None:
        raise Malformed("seat", MISSING_FIELD, {"name": "seat"})
    return to_act


def _name_field_in_transcript(malformed: Malformed) -> Malformed:
    path = "transcript" if malformed.field is None else f"transcript.{malformed.field}"
    return Malformed(path, malformed.text, malformed.params)


def _make_unknown_odds(ruleset: Ruleset, state: Any, seat: int) -> Odds:
    """Return the answer for a game, or a ruleset, that does not tell odds."""
    game = ruleset.game
    node: Node = "choice"
    if game.is_finished(state) or game.standing(state, seat).status != "playing":
        node = "done"
    elif game.to_act(state) not in (None, seat):
        node = "waiting"
    return Odds(node, game.odds_measure or "total", ruleset.odds_aim, "none", why="not_known")
