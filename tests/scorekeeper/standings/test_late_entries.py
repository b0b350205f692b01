"""Entries that arrive after the results were published: all go to review, and the results do not change."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Operation, ReviewItem
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.turns import TurnInput, record_turn
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.publication import publish_contest
from tests.faults.figures import Figures
from tests.faults.scale import scaled
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn

pytestmark = [pytest.mark.security, pytest.mark.database]

ENTRIES = scaled(200, 12)
KINDS = ("turn", "turn", "amend", "void", "move", "retire")


class LatePhone:
    """A crew phone that has signal again only after the results were published."""

    def __init__(self, ride: Ride, chance: Random) -> None:
        self.ride, self.chance, self.actor = ride, chance, make_actor(ride.rita)

    def send(self, kind: str) -> tuple[Receipt, dict[str, Any] | None]:
        """Send an entry of this kind; return its receipt, and its dice if it has any."""
        operation, contest = uuid4(), self.ride.contest.pk
        bike, other = (self.ride.bikes[number].pk for number in self.chance.sample((1, 2, 3, 4), 2))
        turns = Turn.objects.filter(card__contest=contest, card__seats__bike=bike).order_by("slot__ordinal")
        turn, actions = self.chance.choice(turns), make_paper_turn("chance", self.chance.randint(6, 29))
        if kind == "turn":
            entry = TurnInput(contest, bike, self.chance.choice(self.ride.slots).pk, actions)
            return record_turn(self.actor, operation, entry), actions[0]
        if kind == "move":
            return move_turn(self.actor, operation, contest, bike, other, turn.pk, turn.seq, "wrong bike"), None
        if kind == "retire":
            return retire_bike(self.actor, operation, contest, bike, "flat tyre"), None
        target = CorrectionTarget(turn.pk, turn.seq, actions if kind == "amend" else None)
        return amend_turns(self.actor, operation, contest, bike, [target], "misread"), None


def read_results(ride: Ride) -> list[object]:
    """Return the public results, in pages and files, and the revision behind them."""
    names = [ride.event.slug, ride.contest.slug]
    files = [
        Client().get(reverse("results:export", args=[*names, file]))
        for file in ("export.csv", "cards.csv", "stops.csv")
    ]
    board = Client().get(reverse("results:leaderboard", args=names))
    rows = [(row.rank_label, row.number, row.total) for row in board.context["board"].rows]
    return [rows, *(file.getvalue() for file in files), *Revision.objects.values()]


@pytest.mark.timeout(1200)
@pytest.mark.usefixtures("tied_bikes")
def test_late_entries_are_kept_and_flagged_and_the_official_results_stay(
    ride: Ride, close, cut, update_standings, desk: Actor, figures: Figures
) -> None:
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    publish_contest(desk, uuid4(), ride.contest.pk)
    update_standings()
    before, phone, kinds = read_results(ride), LatePhone(ride, Random(11)), Counter[str]()
    in_review: dict[UUID, object] = {}
    for number in range(ENTRIES):
        kind = KINDS[number % len(KINDS)]
        receipt, dice = phone.send(kind)
        assert receipt.outcome == "late", receipt
        in_review[receipt.operation_id] = dice
        kinds[kind] += 1
    update_standings()
    items = ReviewItem.objects.filter(reason=ReviewItem.Reason.LATE, settled_at=None)
    assert set(items.values_list("operation_id", flat=True)) == in_review.keys()
    for operation in Operation.objects.filter(kind="turn", pk__in=in_review):
        assert operation.body["actions"] == [in_review[operation.pk]]
    assert read_results(ride) == before
    assert list(list_damage(ride.event)) == []
    counts = ", ".join(f"{count} × {kind}" for kind, count in kinds.items())
    figures.add(
        f"11 · late entries after publishing, on {connection.vendor}",
        f"{ENTRIES} ({counts}): each kept and under review, 0 lost; leaderboard, files and revision unchanged",
    )
