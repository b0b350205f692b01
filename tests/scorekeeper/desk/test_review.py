"""`/desk/events/<slug>/review/`: both sides of what waits, and the decision."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import Entry, Note, ReviewItem, Turn
from scorekeeper.scorecards.services.bikes import merge_bikes
from scorekeeper.scorecards.services.corrections import Target, amend_turns
from scorekeeper.scorecards.services.review import settle_review
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.tables.services.settling import settle_at_table
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.desk.conftest import operation, text
from tests.scorekeeper.pages import assert_clause_is_linked, words_of
from tests.scorekeeper.scorecards.conftest import actor, card_of, final, paper, turns_of
from tests.scorekeeper.statements import count_statements


@pytest.fixture
def conflict(ride: Ride, note) -> ReviewItem:
    """Rita and Tom noted the first finale turn of bike 1 differently."""
    note(1, 4, final([4, 4, 4, 6, 6], "full_house"))
    note(1, 4, final([4, 4, 4, 6, 6], "chance"), by=actor(ride.tom))
    return ReviewItem.objects.get()


def decide(item: ReviewItem, decision: str, reason: str = "I asked both", **more: str) -> dict[str, str]:
    """The form as it is sent."""
    sent = {"operation": operation(), "decision": decision, "reason": reason, **more}
    return {f"{item.pk}-{name}": value for name, value in sent.items()}


def test_both_sides_are_shown_with_who_and_why(organiser: Client, url, conflict: ReviewItem) -> None:
    page = text(organiser.get(url("review")))

    assert "Finale: Full house, 25 points" in page
    assert "Finale: Chance, 24 points" in page
    assert "Rita," in page
    assert "Tom," in page
    assert "Another note of this turn was there first" in page


@pytest.mark.parametrize(
    ("decision", "turns"),
    [("keep", [(4, "full_house", 25)]), ("apply", [(4, "chance", 24)])],
)
def test_a_decision_is_carried_out_and_listed(
    ride: Ride, organiser: Client, url, conflict: ReviewItem, decision: str, turns
) -> None:
    response = organiser.post(url("settle", conflict.pk), decide(conflict, decision), follow=True)

    assert "Bike 1: settled." in text(response)
    assert "I asked both" in text(response)
    assert turns_of(ride, 1) == turns


def test_both_may_have_been_rolled(ride: Ride, organiser: Client, url, conflict: ReviewItem) -> None:
    assert "the waiting note is turn 5" in text(organiser.get(url("review")))

    organiser.post(url("settle", conflict.pk), decide(conflict, f"slot:{ride.slots[4].pk}"))

    assert turns_of(ride, 1) == [(4, "full_house", 25), (5, "chance", 24)]


def test_without_decision_or_reason_it_is_explained_and_what_was_typed_is_kept(
    organiser: Client, url, conflict: ReviewItem
) -> None:
    response = organiser.post(url("settle", conflict.pk), decide(conflict, "", "half a thought"))

    assert response.status_code == 422
    assert text(response).count("Choose what shall stand.") == 2
    assert 'value="half a thought"' in text(response)

    response = organiser.post(url("settle", conflict.pk), decide(conflict, "keep", ""))
    assert response.status_code == 422
    assert text(response).count("Give a reason.") == 2


def test_what_the_rules_forbid_is_refused_with_the_clause(ride: Ride, organiser: Client, url, note) -> None:
    """ROCK-16"""
    note(1, 1, paper("chance", 20))
    note(1, 2, paper("chance", 22))
    item = ReviewItem.objects.get()
    assert_clause_is_linked(organiser.get(url("review")), "ROCK-16")

    response = organiser.post(url("settle", item.pk), decide(item, "apply"))

    assert response.status_code == 422
    said = words_of(response).count("Chance is used already, with 20 points. Choose an open box. (ROCK-16)")
    assert said == 3, "beside the note, in the summary and at the field"
    assert_clause_is_linked(response, "ROCK-16")
    item.refresh_from_db()
    assert item.settled_at is None


def test_a_real_turn_for_a_forfeit_is_one_tap(ride: Ride, organiser: Client, url, note, close) -> None:
    """ROCK-26"""
    note(1, 1, paper("chance", 20))
    close()
    note(1, 2, final([6, 6, 6, 6, 6], "yahtzee"))
    item = ReviewItem.objects.get()

    page = text(organiser.get(url("review")))
    assert "Parks: Missed, 0 points" in page
    assert '<button class="button button--primary button--main">Replace what was noted as missed</button>' in page

    organiser.post(url("settle", item.pk), decide(item, "apply", "The turn was rolled; its note came late."))
    assert turns_of(ride, 1)[1] == (2, "yahtzee", 50)


def test_an_item_that_somebody_else_settled_meanwhile_is_said(
    organiser: Client, url, desk, conflict: ReviewItem
) -> None:
    settle_review(desk, uuid4(), conflict.pk, "keep", "done")

    response = organiser.post(url("settle", conflict.pk), decide(conflict, "apply"), follow=True)

    assert "settled already" in text(response)


def test_a_form_sent_twice_counts_once(organiser: Client, url, conflict: ReviewItem) -> None:
    sent = decide(conflict, "apply")
    organiser.post(url("settle", conflict.pk), sent)
    organiser.post(url("settle", conflict.pk), sent)
    assert Note.objects.filter(text="I asked both").count() == 1


def test_a_waiting_correction_is_shown_in_words(ride: Ride, organiser: Client, url, note) -> None:
    note(1, 1, paper("chance", 20))
    turn = Turn.objects.get(card=card_of(ride, ride.bikes[1]))
    for points in (21, 22):
        target = Target(turn.pk, turn.seq, paper("chance", points))
        amend_turns(actor(ride.tom), uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "misread")

    page = text(organiser.get(url("review")))

    assert "Ozweld&#x27;s: Chance, 21 points" in page
    assert "Ozweld&#x27;s: Chance, 22 points" in page
    assert "Reason given: misread" in page


def test_nothing_waiting_is_said(ride: Ride, organiser: Client, url) -> None:
    assert "Nothing waits" in text(organiser.get(url("review")))


def test_the_number_of_statements_does_not_depend_on_how_much_waits(ride: Ride, organiser: Client, url, note) -> None:
    def statements() -> int:
        return count_statements(organiser, url("review"))

    tom = actor(ride.tom)
    note(1, 1, paper("chance", 20))
    note(1, 1, paper("chance", 22), by=tom)
    few = statements()
    for number in (2, 3, 4):
        note(number, 1, paper("chance", 20))
        note(number, 1, paper("chance", 22), by=tom)

    assert statements() == few


def test_a_decision_to_keep_what_is_there_is_taken_back_and_the_entry_taken(
    ride: Ride, organiser: Client, url, conflict: ReviewItem
) -> None:
    organiser.post(url("settle", conflict.pk), decide(conflict, "keep"))
    back = url("take_back", conflict.pk)
    assert f'href="{back}"' in text(organiser.get(url("review")))
    assert "Take back the decision" in text(organiser.get(back))
    assert organiser.post(back, {"operation": operation(), "reason": " "}).status_code == 422

    sent = {"operation": operation(), "reason": "Tom was right"}
    assert "needs your decision again" in text(organiser.post(back, sent, follow=True))
    again = organiser.post(back, sent, follow=True)

    assert "This entry already needs your decision" in text(again)
    assert Entry.objects.filter(kind="unsettle").count() == 1
    assert list(list_damage(ride.event)) == []
    assert turns_of(ride, 1) == [(4, "full_house", 25)]
    assert "Bike 1: settled." in text(
        organiser.post(url("settle", conflict.pk), decide(conflict, "apply"), follow=True)
    )
    assert turns_of(ride, 1) == [(4, "chance", 24)]
    assert not verify(ride)


def test_an_acceptance_is_taken_back_and_what_was_there_counts_again(
    ride: Ride, organiser: Client, url, conflict: ReviewItem
) -> None:
    back = url("take_back", conflict.pk)
    for decision, accepted in (
        ("apply", [(4, "chance", 24)]),
        (f"slot:{ride.slots[4].pk}", [(4, "full_house", 25), (5, "chance", 24)]),
    ):
        organiser.post(url("settle", conflict.pk), decide(conflict, decision))
        assert turns_of(ride, 1) == accepted

        organiser.post(back, {"operation": operation(), "reason": "Tom was wrong"})

        assert turns_of(ride, 1) == [(4, "full_house", 25)]
        conflict.refresh_from_db()
        assert (conflict.settled_at, conflict.decision) == (None, "")
        assert not verify(ride)


def test_an_acceptance_on_which_something_newer_rests_is_corrected_on_its_card(
    ride: Ride, organiser: Client, url, desk: Actor, conflict: ReviewItem
) -> None:
    organiser.post(url("settle", conflict.pk), decide(conflict, "apply"))
    turn = Turn.objects.get()
    target = Target(turn.pk, turn.seq, paper("chance", 23))
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "misread")

    page = organiser.post(url("take_back", conflict.pk), {"operation": operation(), "reason": "no"})

    assert (page.status_code, "Correct or void the entry on its card" in text(page)) == (409, True)
    assert f"/cards/{turn.card_id}/" in text(page)
    assert turns_of(ride, 1) == [(4, "chance", 23)]


def test_a_decision_about_a_bike_that_was_merged_since_stays(
    ride: Ride, organiser: Client, url, desk: Actor, conflict: ReviewItem
) -> None:
    organiser.post(url("settle", conflict.pk), decide(conflict, "keep"))
    merge_bikes(desk, uuid4(), ride.bikes[1].pk, ride.bikes[2].pk, "one machine")

    answer = organiser.post(url("take_back", conflict.pk), {"operation": operation(), "reason": "no"})

    assert (answer.status_code, "its bike was merged" in text(answer)) == (409, True)


def test_a_decision_about_a_table_is_taken_back_too(ride: Ride, organiser: Client, url, pig, deal, act, desk) -> None:
    assert act(deal("Ann"), {"type": "nonsense"}).outcome == "refused"
    item = ReviewItem.objects.get()
    settle_at_table(desk, uuid4(), item.pk, "keep", "nonsense")

    organiser.post(url("take_back", item.pk), {"operation": operation(), "reason": "I look at it again"})

    item.refresh_from_db()
    assert (item.settled_at, item.decision, item.settled_by) == (None, "", None)
    settle_at_table(desk, uuid4(), item.pk, "keep", "nonsense all the same")


def verify(ride: Ride) -> list[object]:
    """What is wrong with the ride's log."""
    return list(list_damage(ride.event))
