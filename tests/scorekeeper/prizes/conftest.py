"""Fixtures for the prizes of the ride."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import RECORDED, OperationResult, record
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.selectors.awards import AwardPresenter, preview_awards
from scorekeeper.prizes.services import PrizeSettings, add_prize
from scorekeeper.standings.services.contest_chain import lock_contest
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.scorecards.conftest import add_turn, desk
from tests.scorekeeper.standings.conftest import close, cut, tied_bikes, update_standings
from tests.scorekeeper.table_fixtures import rogue_contest

__all__ = [
    "add_turn",
    "close",
    "cut",
    "desk",
    "rogue_contest",
    "tied_bikes",
    "update_standings",
]

AddPrize = Callable[..., Prize]


@pytest.fixture
def add(ride: Ride, desk: Actor) -> AddPrize:
    """Add a prize of the ride's contest: `add("best_roll", stop_id=..., name="Mirror")`."""

    def make(rule: str, contest: Contest | None = None, **values: Any) -> Prize:
        prize_id = uuid4()
        names = {"name": values.pop("name", ""), "sponsor": values.pop("sponsor", "")}
        settings = PrizeSettings(contest or ride.contest, rule=rule, **names, **values)
        add_prize(desk, ride.event, prize_id, settings)
        return Prize.objects.get(pk=prize_id)

    return make


@pytest.fixture
def alice_desk(alice: User, sign_in: SignIn) -> Client:
    """The browser of an organiser."""
    return sign_in(alice)


def find_award(ride: Ride, prize: Prize) -> AwardPresenter:
    """The award of a prize according to the current log."""
    return next(award for award in preview_awards(ride.event) if award.prize_id == prize.pk)


def list_winners(ride: Ride, prize: Prize) -> list[int]:
    """The numbers of the bikes that win a prize, or are tied for it, according to the current log."""
    return sorted(int(winner.number) for winner in find_award(ride, prize).winners)


def list_ids(ride: Ride, *numbers: int) -> list[UUID]:
    """The ids of bikes."""
    return [ride.bikes[number].pk for number in numbers]


def decide_in_first_version(desk: Actor, prize: Prize, winner: UUID, reason: str) -> None:
    """Choose who wins by hand as version 1.0 did, whose form said that organisers read the reason."""
    data = {"prize": str(prize.pk), "tied": [], "winners": [str(winner)]}

    def handle(context: OperationContext) -> OperationResult:
        contest, chain = lock_contest(context, prize.contest_id, Contest.Status.OPEN)
        context.append(chain, "award", data=data)
        context.mark_stale(contest.pk)
        return RECORDED

    record(uuid4(), "award", desk, {"contest": str(prize.contest_id), **data, "reason": reason}, handle, reason)
