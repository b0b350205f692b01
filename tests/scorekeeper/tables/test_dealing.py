"""Drawing up cards at the tables, and taking one back."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import uuid4, uuid5

import pytest

from scorekeeper.events.models import Contest, Event
from scorekeeper.players.models import Player
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import Entry, Scorecard, Seat
from scorekeeper.scorecards.services.recording import NotYet, ReasonNeeded
from scorekeeper.tables.services.dealing import CannotDeal, deal_tables, withdraw_table
from scorekeeper.tables.services.playing import ActionNote, record_action
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import actor
from tests.scorekeeper.tables.conftest import Act, Deal, Look, throw

pytestmark = pytest.mark.django_db


def codes(refused: pytest.ExceptionInfo[CannotDeal]) -> list[str]:
    return [problem["code"] for problem in refused.value.problems]


def test_cards_are_drawn_up_for_everybody_in_one_operation(
    desk: Actor, pig: Contest, people: Mapping[str, Player]
) -> None:
    operation = uuid4()

    receipt = deal_tables(desk, operation, pig.pk, [[person.pk] for person in people.values()])

    assert receipt.outcome == "recorded"
    assert Scorecard.objects.filter(contest=pig).count() == len(people) == 9
    assert {entry["chain"] for entry in receipt.entries} == {str(uuid5(operation, str(number))) for number in range(9)}
    pig.refresh_from_db()
    assert pig.frozen_at is not None


def test_the_chain_alone_says_who_has_the_seats(deal: Deal, look: Look, people: Mapping[str, Player]) -> None:
    card = deal("Ann")
    Seat.objects.filter(card_id=card).update(player=people["Ben"])

    assert look(card).holders == (people["Ann"],)
    assert "Ann" not in Entry.objects.get(chain_id=card).body


def test_the_same_operation_twice_draws_up_its_cards_once(
    desk: Actor, pig: Contest, people: Mapping[str, Player]
) -> None:
    operation = uuid4()

    receipts = [deal_tables(desk, operation, pig.pk, [[people["Ann"].pk]]) for _ in range(2)]

    assert receipts[0] == receipts[1]
    assert Scorecard.objects.filter(contest=pig).count() == 1


def test_nobody_gets_a_second_card_where_one_is_the_rule(
    desk: Actor, pig: Contest, deal: Deal, people: Mapping[str, Player]
) -> None:
    deal("Ann")

    with pytest.raises(CannotDeal) as refused:
        deal_tables(desk, uuid4(), pig.pk, [[people["Ben"].pk], [people["Ann"].pk]])

    assert codes(refused) == ["on_another_card"]
    assert refused.value.problems[0]["params"]["names"] == ["Ann"]
    assert Scorecard.objects.filter(contest=pig).count() == 1


@pytest.mark.parametrize(
    ("seats", "code"), [((), "too_few_seats"), (("Ann", "Ben"), "too_many_seats"), (("Ann", "Ann"), "twice_on_one")]
)
def test_a_card_has_the_seats_that_the_game_takes(
    desk: Actor, pig: Contest, people: Mapping[str, Player], seats: tuple[str, ...], code: str
) -> None:
    with pytest.raises(CannotDeal) as refused:
        deal_tables(desk, uuid4(), pig.pk, [[people[name].pk for name in seats]])

    assert code in codes(refused)


def test_somebody_unknown_cannot_be_seated(desk: Actor, pig: Contest) -> None:
    with pytest.raises(NotYet):
        deal_tables(desk, uuid4(), pig.pk, [[uuid4()]])


def test_a_closed_contest_takes_no_more_cards(desk: Actor, pig: Contest, people: Mapping[str, Player]) -> None:
    pig.status = Contest.Status.CLOSED
    pig.save()

    with pytest.raises(CannotDeal) as refused:
        deal_tables(desk, uuid4(), pig.pk, [[people["Ann"].pk]])

    assert codes(refused) == ["contest_closed"]


def test_a_contest_noted_at_the_stops_has_no_tables(desk: Actor, ride: Ride, people: Mapping[str, Player]) -> None:
    with pytest.raises(CannotDeal) as refused:
        deal_tables(desk, uuid4(), ride.contest.pk, [[people["Ann"].pk]])

    assert codes(refused) == ["at_the_stops"]


def test_a_card_nobody_has_played_on_can_be_withdrawn_and_its_player_seated_again(desk: Actor, deal: Deal) -> None:
    card = deal("Ann")

    withdraw_table(desk, uuid4(), card, "Ann sat down at the wrong table")

    again = deal("Ann")
    assert list(Seat.objects.values_list("card_id", flat=True)) == [again]
    assert [entry.kind for entry in Entry.objects.filter(chain_id=card).order_by("seq")] == ["deal", "withdraw"]


def test_a_withdrawn_card_takes_no_action(desk: Actor, deal: Deal) -> None:
    card = deal("Ann")
    withdraw_table(desk, uuid4(), card, "Ann went home")

    with pytest.raises(NotYet):
        record_action(desk, uuid4(), ActionNote(card, 2, [throw(3)]))


def test_a_card_in_play_stays(desk: Actor, deal: Deal, act: Act) -> None:
    card = deal("Ann")
    act(card, throw(3))

    with pytest.raises(CannotDeal) as refused:
        withdraw_table(desk, uuid4(), card, "oops")

    assert codes(refused) == ["in_play"]


def test_withdrawing_needs_a_reason(desk: Actor, deal: Deal) -> None:
    with pytest.raises(ReasonNeeded):
        withdraw_table(desk, uuid4(), deal("Ann"), " ")


def test_crew_of_another_event_draw_up_nothing_here(
    pig: Contest, people: Mapping[str, Player], other_event: Event
) -> None:
    with pytest.raises(NotYet):
        deal_tables(Actor(uuid4(), other_event.pk, uuid4()), uuid4(), pig.pk, [[people["Ann"].pk]])


def test_crew_draw_up_cards_too(ride: Ride, pig: Contest, people: Mapping[str, Player]) -> None:
    assert deal_tables(actor(ride.rita), uuid4(), pig.pk, [[people["Ann"].pk]]).outcome == "recorded"
