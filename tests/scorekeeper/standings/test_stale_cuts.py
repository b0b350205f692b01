"""Corrections after ties were broken with cards: a cut counts while exactly the bikes it names are tied (ROCK-27)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from uuid import uuid4

import pytest
from django.db import connection

from games.core.cards import CARDS
from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.standings.models import StandingsState
from scorekeeper.standings.selectors.checklist import get_checklist
from scorekeeper.standings.selectors.verification import list_damage
from tests.faults.figures import Figures
from tests.faults.scale import scaled
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import get_bike_card, make_paper_turn

pytestmark = [pytest.mark.security, pytest.mark.database]

CORRECTIONS = scaled(200, 12)
CUTS: tuple[Mapping[int, str], ...] = (
    {1: "QS", 2: "KH", 3: "KD"},
    {2: "2S", 3: "AH"},  # the two kings cut again
    {4: "5C", 5: "9C"},
)


def list_stale(totals: Mapping[int, int], cuts: Iterable[Mapping[int, str]]) -> list[int]:
    """Return which cuts no longer count, computed from the totals alone."""
    groups = {frozenset(bike for bike in totals if totals[bike] == points) for points in totals.values()}
    stale = []
    for number, cut in enumerate(cuts):
        if frozenset(cut) not in groups:
            stale.append(number)
            continue
        groups.remove(frozenset(cut))
        ranks = {bike: CARDS[card].rank for bike, card in cut.items()}
        groups |= {frozenset(bike for bike in cut if ranks[bike] == rank) for rank in ranks.values()}
    return stale


@pytest.mark.timeout(1200)
def test_after_any_correction_exactly_the_stale_cuts_are_flagged(
    ride: Ride, add_turn, close, cut, update_standings, desk: Actor, figures: Figures
) -> None:
    totals = {1: 24, 2: 24, 3: 24, 4: 20, 5: 20}
    for number, points in totals.items():
        add_turn(number, 1, make_paper_turn("chance", points), by=desk, reason="from paper")
    close()
    seqs = [cut(dict(cards)).entries[0]["seq"] for cards in CUTS]
    chance, flagged, clear = Random(12), 0, 0
    for _ in range(CORRECTIONS):
        # Mostly back to the original total, so that ties return as often as they are broken.
        number = chance.choice([*totals])
        totals[number] = chance.choice([24 if number <= 3 else 20, 24 if number <= 3 else 20, 20, 24, 25])
        turn = Turn.objects.get(card=get_bike_card(ride, ride.bikes[number]), line="chance")
        target = CorrectionTarget(turn.pk, turn.seq, make_paper_turn("chance", totals[number]))
        amended = amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[number].pk, [target], "misread")
        assert amended.outcome == "recorded"
        update_standings()
        stale = [seqs[position] for position in list_stale(totals, CUTS)]
        assert StandingsState.objects.get(pk=ride.contest.pk).stale_cuts == stale
        ride.contest.refresh_from_db()
        assert [stale_cut.seq for stale_cut in get_checklist(ride.contest).stale_cuts] == stale
        flagged, clear = flagged + len(stale), clear + len(CUTS) - len(stale)
    assert flagged
    assert clear
    assert list(list_damage(ride.event)) == []
    figures.add(
        f"12 · corrections after tie-breaks with cards, on {connection.vendor}",
        f"{CORRECTIONS} corrections, {len(CUTS)} cuts: stale {flagged} times, flagged each time; "
        f"counting {clear} times, never flagged",
    )
