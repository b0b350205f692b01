"""An independent check of the log: it reads the bodies of the entries and folds them with only the rules of the games.

It uses nothing of the scorekeeper's own reading, folding or ranking of cards, so that it finds their bugs and does not
share them. `tests.faults.log_checks` does the same from outside, for a database that a program is using.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import UUID

from games.core.cards import CARDS
from games.core.game import Ruleset
from games.core.ranking import rank
from games.core.replay import replay
from games.core.standing import Standing
from scorekeeper.ledger.models import Chain, Entry

Body = dict[str, Any]
Chains = dict[UUID, list[Body]]
Turns = dict[str, tuple[str | None, list[dict[str, Any]]]]


def read_chains() -> Chains:
    """Return the bodies of every chain in order, after checking that each is linked to its predecessor."""
    chains: Chains = {chain: [] for chain in Chain.objects.values_list("pk", flat=True)}
    heads = dict.fromkeys(chains, "")
    for chain, text, digest in Entry.objects.order_by("chain", "seq").values_list("chain", "body", "hash"):
        body = json.loads(text)
        assert (body["prev"], body["seq"]) == (heads[chain], len(chains[chain]) + 1)
        heads[chain] = sha256(text.encode()).hexdigest()
        assert heads[chain] == digest
        chains[chain].append(body)
    for pk, length, head in Chain.objects.values_list("pk", "length", "head"):
        assert (length, head) == (len(chains[pk]), heads[pk])
    return chains


def fold_bodies(bodies: Iterable[Body]) -> Turns:
    """Return the current turns or actions of a card by id, in order, each with its slot and actions."""
    turns: Turns = {}
    for body in bodies:
        for change in body["data"].get("changes", []):
            if "restores" in change:
                turns = insert_after(turns, change["after"], change["turn"], (change["slot"], change["actions"]))
                continue
            slot, _ = turns[change["turn"]]
            if change["actions"]:
                turns[change["turn"]] = (change["slot"] or slot, change["actions"])
            else:
                del turns[change["turn"]]
        if body["actions"]:
            name = body["data"].get("turn", body["op"])
            assert name not in turns, "one turn was written twice"
            turns[name] = (body["slot"], body["actions"])
    return turns


def insert_after(turns: Turns, after: str | None, name: str, turn: tuple[str | None, list[dict[str, Any]]]) -> Turns:
    """Return the turns with one more, which follows another; it is the first if it follows none."""
    assert name not in turns, "only a voided turn is restored"
    items = list(turns.items())
    position = 0 if after is None else list(turns).index(after) + 1
    return dict([*items[:position], (name, turn), *items[position:]])


@dataclass(frozen=True)
class RawResult:
    """The result of a contest according to the log.

    Attributes:
        places: rank and total of everyone who takes part.
        stale_cuts: the numbers, in the contest's chain, of the cuts that do not count: all of them while it is open.
    """

    places: Mapping[str, tuple[int, int]]
    stale_cuts: list[int]


def fold_contest(chain: Iterable[Body], standings: Mapping[str, Standing]) -> RawResult:
    """Rank the standings by the contest's own chain, whose cuts count while the contest is closed.

    Args:
        chain: the contest's chain.
    """
    bodies = list(chain)
    status = [body["kind"] for body in bodies if body["kind"] in ("close", "reopen")]
    is_closed = status[-1:] == ["close"]
    cuts = [body for body in bodies if body["kind"] == "cut"]
    cards = [{entrant: card and CARDS[card] for entrant, card in body["data"]["cards"].items()} for body in cuts]
    ranking = rank(standings, cards if is_closed else [])
    places = {entrant: (place.rank, standings[entrant].total) for place in ranking.places for entrant in place.seats}
    stale = ranking.stale_cuts if is_closed else range(len(cuts))
    return RawResult(places, [cuts[position]["seq"] for position in stale])


def fold_card(ruleset: Ruleset, bodies: Iterable[Body], ordinals: Mapping[str, int]) -> Standing | None:
    """Return the standing of a card of turns, played in the order of the slots; None if it has no current turns.

    Args:
        ordinals: the ordinals of the slots; a retirement has no slot and comes last.
    """
    turns = sorted(fold_bodies(bodies).values(), key=lambda turn: ordinals[turn[0]] if turn[0] else len(ordinals) + 1)
    assert len({slot for slot, _ in turns}) == len(turns), "a slot has two turns"
    result = replay(ruleset, 1, [action for _, actions in turns for action in actions])
    assert result.failure is None, f"a turn on the card is not allowed: {result.failure}"
    return ruleset.game.standing(result.state, 0) if turns else None


def fold_tables(ruleset: Ruleset, tables: Iterable[list[Body]]) -> dict[str, Standing]:
    """Return the combined standing of each entrant who sits at a table with current actions."""
    by_entrant: dict[str, list[Standing]] = {}
    playing: set[str] = set()
    for bodies in tables:
        seats = [entrant for seat in bodies[0]["data"]["seats"] for entrant in seat.values()]
        actions = [action for _, actions in fold_bodies(bodies).values() for action in actions]
        result = replay(ruleset, len(seats), actions)
        assert result.failure is None, f"an action at the table is not allowed: {result.failure}"
        playing |= set(seats) if actions else set()
        for seat, entrant in enumerate(seats):
            by_entrant.setdefault(entrant, []).append(ruleset.game.standing(result.state, seat))
    return {entrant: ruleset.game.combine(standings) for entrant, standings in by_entrant.items() if entrant in playing}
