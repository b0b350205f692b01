"""`/desk/events/<slug>/review/`: both sides of each entry under review, and the decision."""

from __future__ import annotations

import re
from dataclasses import replace
from uuid import uuid4

import pytest
from django.test import Client

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, OperationReason, ReviewItem
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.review_items import ITEMS_PER_PAGE
from scorekeeper.scorecards.services.bike_operations import merge_bikes
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.review import decide_review
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.desk.conftest import get_line_text, make_operation_id
from tests.scorekeeper.page_checks import assert_clause_is_linked, get_visible_text
from tests.scorekeeper.scorecards.conftest import (
    get_bike_card,
    list_bike_turns,
    make_actor,
    make_final_turn,
    make_paper_turn,
)
from tests.scorekeeper.sheet_rides import add_poker_run
from tests.scorekeeper.statements import count_statements

pytestmark = pytest.mark.database


@pytest.fixture
def conflict(ride: Ride, add_turn) -> ReviewItem:
    """Rita and Tom recorded the first finale turn of bike 1 differently."""
    add_turn(1, 4, make_final_turn([4, 4, 4, 6, 6], "full_house"))
    add_turn(1, 4, make_final_turn([4, 4, 4, 6, 6], "chance"), by=make_actor(ride.tom))
    return ReviewItem.objects.get()


def decide(item: ReviewItem, decision: str, reason: str = "I asked both", **more: str) -> dict[str, str]:
    """The data of the submitted form."""
    sent = {"operation": make_operation_id(), "decision": decision, "reason": reason, **more}
    return {f"{item.pk}-{name}": value for name, value in sent.items()}


def test_both_sides_are_shown_with_who_and_why(organiser: Client, url, conflict: ReviewItem) -> None:
    page = get_line_text(organiser.get(url("review")))

    assert "Finale: Full house, 25 points" in page
    assert "Finale: Chance, 24 points" in page
    assert "Rita," in page
    assert "Tom," in page
    assert "Two entries for one turn differ" in page


@pytest.mark.parametrize(
    ("decision", "turns"),
    [("keep", [(4, "full_house", 25)]), ("apply", [(4, "chance", 24)])],
)
def test_a_decision_is_applied_and_listed(
    ride: Ride, organiser: Client, url, conflict: ReviewItem, decision: str, turns
) -> None:
    response = organiser.post(url("settle", conflict.pk), decide(conflict, decision), follow=True)

    assert "Bike 1: decided." in get_line_text(response)
    assert "I asked both" in get_line_text(response)
    assert re.search(r"Bike 1, [^·]+ · Two entries for one turn differ: ", get_line_text(response))
    assert list_bike_turns(ride, 1) == turns


def test_both_may_have_been_rolled(ride: Ride, organiser: Client, url, conflict: ReviewItem) -> None:
    assert "record the entry under review as turn 5" in get_line_text(organiser.get(url("review")))

    organiser.post(url("settle", conflict.pk), decide(conflict, f"slot:{ride.slots[4].pk}"))

    assert list_bike_turns(ride, 1) == [(4, "full_house", 25), (5, "chance", 24)]


def test_a_missing_decision_or_reason_is_explained_and_the_form_keeps_its_data(
    organiser: Client, url, conflict: ReviewItem
) -> None:
    response = organiser.post(url("settle", conflict.pk), decide(conflict, "", "half a thought"))

    assert response.status_code == 422
    assert get_line_text(response).count("Choose which entry should count.") == 2
    assert 'value="half a thought"' in get_line_text(response)

    response = organiser.post(url("settle", conflict.pk), decide(conflict, "keep", ""))
    assert response.status_code == 422
    assert get_line_text(response).count("Enter a reason.") == 2


def test_an_entry_against_the_rules_is_refused_with_the_clause(ride: Ride, organiser: Client, url, add_turn) -> None:
    """ROCK-16"""
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(1, 2, make_paper_turn("chance", 22))
    item = ReviewItem.objects.get()
    assert_clause_is_linked(organiser.get(url("review")), "ROCK-16")

    response = organiser.post(url("settle", item.pk), decide(item, "apply"))

    assert response.status_code == 422
    text = get_visible_text(response)
    assert text.count("Chance has already been used, for 20 points. Choose an open box. (ROCK-16)") == 1
    assert text.count("This is not possible now; the reasons are above.") == 2, "in the summary and at the field"
    assert_clause_is_linked(response, "ROCK-16")
    item.refresh_from_db()
    assert item.settled_at is None


def test_a_real_turn_replaces_a_forfeit_in_one_tap(ride: Ride, organiser: Client, url, add_turn, close) -> None:
    """ROCK-26"""
    add_turn(1, 1, make_paper_turn("chance", 20))
    close()
    add_turn(1, 2, make_final_turn([6, 6, 6, 6, 6], "yahtzee"))
    item = ReviewItem.objects.get()

    page = get_line_text(organiser.get(url("review")))
    assert "Parks: Missed, 0 points" in page
    assert '<button class="button button--primary button--main">Replace the missed turn</button>' in page

    organiser.post(url("settle", item.pk), decide(item, "apply", "The turn was played; its entry arrived late."))
    assert list_bike_turns(ride, 1)[1] == (2, "yahtzee", 50)


def test_the_page_says_that_someone_else_has_already_decided(
    organiser: Client, url, desk, conflict: ReviewItem
) -> None:
    decide_review(desk, uuid4(), conflict.pk, "keep", "done")

    response = organiser.post(url("settle", conflict.pk), decide(conflict, "apply"), follow=True)

    assert "This has already been decided." in get_line_text(response)


def test_a_form_sent_twice_counts_once(organiser: Client, url, conflict: ReviewItem) -> None:
    sent = decide(conflict, "apply")
    organiser.post(url("settle", conflict.pk), sent)
    organiser.post(url("settle", conflict.pk), sent)
    assert OperationReason.objects.filter(text="I asked both").count() == 1


def test_a_correction_under_review_is_described(ride: Ride, organiser: Client, url, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    turn = Turn.objects.get(card=get_bike_card(ride, ride.bikes[1]))
    for points in (21, 22):
        target = CorrectionTarget(turn.pk, turn.seq, make_paper_turn("chance", points))
        amend_turns(make_actor(ride.tom), uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "misread")

    page = get_line_text(organiser.get(url("review")))

    assert "Ozweld&#x27;s: Chance, 21 points" in page
    assert "Ozweld&#x27;s: Chance, 22 points" in page
    assert "Reason given: misread" in page


def test_the_page_says_that_there_is_nothing_to_review(ride: Ride, organiser: Client, url) -> None:
    assert "Nothing to review" in get_line_text(organiser.get(url("review")))


def add_move(ride: Ride, add_turn, number: int) -> None:
    """Record a turn of a bike, and send a move of it to review."""
    turn = add_turn(number, 2, make_paper_turn("sixes", 12)).operation_id
    one, other = ride.bikes[number].pk, ride.bikes[9 - number].pk
    tom = replace(make_actor(ride.tom), needs_review=True, can_take_over=True)
    move_turn(tom, uuid4(), ride.contest.pk, one, other, turn, 2, "wrong bike", takes_over=True)


def test_the_number_of_statements_does_not_depend_on_the_number_of_items(
    ride: Ride, organiser: Client, url, add_turn
) -> None:
    def count_page_statements() -> int:
        return count_statements(organiser, url("review"))

    tom = make_actor(ride.tom)
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(1, 1, make_paper_turn("chance", 22), by=tom)
    add_move(ride, add_turn, 1)
    few = count_page_statements()
    for number in (2, 3, 4):
        add_turn(number, 1, make_paper_turn("chance", 20))
        add_turn(number, 1, make_paper_turn("chance", 22), by=tom)
        add_move(ride, add_turn, number)

    assert count_page_statements() == few


def test_a_long_list_has_pages_and_a_decision_stays_on_its_page(ride: Ride, organiser: Client, url, add_turn) -> None:
    add_turn(1, 4, make_final_turn([4, 4, 4, 6, 6], "full_house"))
    for _entry in range(ITEMS_PER_PAGE + 2):
        add_turn(1, 4, make_final_turn([4, 4, 4, 6, 6], "chance"), by=make_actor(ride.tom))
    items = list(ReviewItem.objects.order_by("opened_at", "pk"))
    first, second = organiser.get(url("review")), organiser.get(url("review"), {"page": "2"})
    assert [first.content.count(b'id="item-'), second.content.count(b'id="item-')] == [ITEMS_PER_PAGE, 2]

    refused = organiser.post(url("settle", items[-1].pk), decide(items[-1], "keep", reason=""))
    assert refused.context["page"].number == 2, "with the form that is to be corrected"
    kept = organiser.post(f"{url('settle', items[-1].pk)}?page=2", decide(items[-1], "keep"), follow=True)

    assert kept.content.count(b'id="item-') == 1
    assert ReviewItem.objects.filter(settled_at=None).count() == ITEMS_PER_PAGE + 1


def test_a_decision_to_keep_is_undone_and_the_entry_then_accepted(
    ride: Ride, organiser: Client, url, conflict: ReviewItem
) -> None:
    organiser.post(url("settle", conflict.pk), decide(conflict, "keep"))
    undo_url = url("take_back", conflict.pk)
    assert f'href="{undo_url}"' in get_line_text(organiser.get(url("review")))
    assert "Undo the decision" in get_line_text(organiser.get(undo_url))
    assert organiser.post(undo_url, {"operation": make_operation_id(), "reason": " "}).status_code == 422

    sent = {"operation": make_operation_id(), "reason": "Tom was right"}
    assert "needs your decision again" in get_line_text(organiser.post(undo_url, sent, follow=True))
    again = organiser.post(undo_url, sent, follow=True)

    assert "This entry already needs your decision" in get_line_text(again)
    assert Entry.objects.filter(kind="unsettle").count() == 1
    assert list(list_damage(ride.event)) == []
    assert list_bike_turns(ride, 1) == [(4, "full_house", 25)]
    assert "Bike 1: decided." in get_line_text(
        organiser.post(url("settle", conflict.pk), decide(conflict, "apply"), follow=True)
    )
    assert list_bike_turns(ride, 1) == [(4, "chance", 24)]
    assert not verify(ride)


def test_an_accepted_entry_is_undone_and_the_earlier_one_counts_again(
    ride: Ride, organiser: Client, url, conflict: ReviewItem
) -> None:
    undo_url = url("take_back", conflict.pk)
    for decision, accepted in (
        ("apply", [(4, "chance", 24)]),
        (f"slot:{ride.slots[4].pk}", [(4, "full_house", 25), (5, "chance", 24)]),
    ):
        organiser.post(url("settle", conflict.pk), decide(conflict, decision))
        assert list_bike_turns(ride, 1) == accepted

        organiser.post(undo_url, {"operation": make_operation_id(), "reason": "Tom was wrong"})

        assert list_bike_turns(ride, 1) == [(4, "full_house", 25)]
        conflict.refresh_from_db()
        assert (conflict.settled_at, conflict.decision) == (None, "")
        assert not verify(ride)


def test_an_accepted_entry_with_a_newer_correction_cannot_be_undone(
    ride: Ride, organiser: Client, url, desk: Actor, conflict: ReviewItem
) -> None:
    organiser.post(url("settle", conflict.pk), decide(conflict, "apply"))
    turn = Turn.objects.get()
    target = CorrectionTarget(turn.pk, turn.seq, make_paper_turn("chance", 23))
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "misread")

    page = organiser.post(url("take_back", conflict.pk), {"operation": make_operation_id(), "reason": "no"})

    assert (page.status_code, "Correct or void the entry on its scorecard" in get_line_text(page)) == (409, True)
    assert f"/cards/{turn.card_id}/" in get_line_text(page)
    assert list_bike_turns(ride, 1) == [(4, "chance", 23)]


def test_a_move_under_review_is_described_accepted_and_undone(ride: Ride, organiser: Client, url, add_turn) -> None:
    turn = add_turn(1, 1, make_paper_turn("chance", 20)).operation_id
    one, two = ride.bikes[1].pk, ride.bikes[2].pk
    rita = replace(make_actor(ride.rita), needs_review=True)
    move_turn(rita, uuid4(), ride.contest.pk, one, two, turn, 1, "wrong bike")
    item = ReviewItem.objects.get()
    page = get_line_text(organiser.get(url("review")))
    assert "Move to bike 2: Ozweld&#x27;s: Chance, 20 points" in page
    assert "Use the entry under review" in page

    organiser.post(url("settle", item.pk), decide(item, "apply"))
    assert (list_bike_turns(ride, 1), list_bike_turns(ride, 2)) == ([], [(1, "chance", 20)])
    assert not verify(ride)

    sent = {"operation": make_operation_id(), "reason": "it was bike 1"}
    assert "The decision has been undone" in get_line_text(organiser.post(url("take_back", item.pk), sent, follow=True))
    assert (list_bike_turns(ride, 1), list_bike_turns(ride, 2)) == ([(1, "chance", 20)], [])
    assert not verify(ride)


def test_a_move_shows_the_turn_that_is_in_its_way(ride: Ride, organiser: Client, url, add_turn) -> None:
    turn = add_turn(1, 1, make_paper_turn("chance", 20)).operation_id
    add_turn(2, 1, make_paper_turn("fives", 10))
    one, two = ride.bikes[1].pk, ride.bikes[2].pk
    move_turn(make_actor(ride.rita), uuid4(), ride.contest.pk, one, two, turn, 1, "wrong bike")
    item = ReviewItem.objects.get()
    assert "Bike 2: Ozweld&#x27;s: Fives, 10 points" in get_line_text(organiser.get(url("review")))

    refused = organiser.post(url("settle", item.pk), decide(item, "apply"))

    assert refused.status_code == 422
    assert "Bike 2, Ozweld&#x27;s: Another turn is recorded there now." in get_line_text(refused)


def test_a_move_between_two_numbers_of_one_bike_says_so(
    ride: Ride, organiser: Client, url, desk: Actor, add_turn
) -> None:
    turn = add_turn(1, 1, make_paper_turn("chance", 20)).operation_id
    one, two = ride.bikes[1].pk, ride.bikes[2].pk
    merge_bikes(desk, uuid4(), one, two, "one machine")
    move_turn(make_actor(ride.rita), uuid4(), ride.contest.pk, one, two, turn, 1, "wrong bike")

    page = get_line_text(organiser.get(url("review")))

    assert "The turn was moved between two numbers of one bike" in page
    assert "A newer entry was already there" not in page


def test_a_retirement_under_review_is_accepted_on_the_page(ride: Ride, organiser: Client, url, add_turn) -> None:
    """TABLE-3"""
    add_turn(1, 1, make_paper_turn("chance", 20))
    rita = replace(make_actor(ride.rita), needs_review=True)
    retire_bike(rita, uuid4(), ride.contest.pk, ride.bikes[1].pk, "flat tyre")
    item = ReviewItem.objects.get()

    organiser.post(url("settle", item.pk), decide(item, "apply"))

    assert Entry.objects.filter(kind="retire", chain=item.card).exists()


def test_an_accepted_void_is_undone_unless_the_slot_has_another_turn(
    ride: Ride, organiser: Client, url, add_turn, desk: Actor
) -> None:
    turn = add_turn(1, 1, make_paper_turn("chance", 20)).operation_id
    void = [CorrectionTarget(turn, 99, None)]
    amend_turns(make_actor(ride.tom), uuid4(), ride.contest.pk, ride.bikes[1].pk, void, "rolled by bike 2")
    item = ReviewItem.objects.get()
    organiser.post(url("settle", item.pk), decide(item, "apply"))
    newer = add_turn(1, 1, make_paper_turn("fives", 10)).operation_id
    undo_url, sent = url("take_back", item.pk), {"operation": make_operation_id(), "reason": "it was bike 1"}

    refused = organiser.post(undo_url, sent)

    assert refused.status_code == 409
    assert "Bike 1, Ozweld&#x27;s: Another turn is recorded there now. Void or move that turn first." in get_line_text(
        refused
    )
    assert 'value="it was bike 1"' in get_line_text(refused)
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [CorrectionTarget(newer, 3, None)], "room")
    done = organiser.post(undo_url, sent, follow=True)
    assert "The decision has been undone" in get_line_text(done)
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]
    card_page = get_line_text(organiser.get(f"/desk/events/{ride.event.slug}/cards/{item.card_id}/"))
    assert "<b>Counts again</b>" in card_page
    assert not verify(ride)


def test_a_decision_about_a_bike_that_was_merged_since_cannot_be_undone(
    ride: Ride, organiser: Client, url, desk: Actor, conflict: ReviewItem
) -> None:
    organiser.post(url("settle", conflict.pk), decide(conflict, "keep"))
    merge_bikes(desk, uuid4(), ride.bikes[1].pk, ride.bikes[2].pk, "one machine")

    response = organiser.post(url("take_back", conflict.pk), {"operation": make_operation_id(), "reason": "no"})

    assert (response.status_code, "A bike of this entry was merged" in get_line_text(response)) == (409, True)


def test_a_decision_about_a_table_is_undone_too(
    ride: Ride, organiser: Client, url, pig_contest, add_table, add_action, desk
) -> None:
    assert add_action(add_table("Ann"), {"type": "nonsense"}).outcome == "refused"
    item = ReviewItem.objects.get()
    decide_review(desk, uuid4(), item.pk, "keep", "nonsense")

    organiser.post(url("take_back", item.pk), {"operation": make_operation_id(), "reason": "I look at it again"})

    item.refresh_from_db()
    assert (item.settled_at, item.decision, item.settled_by) == (None, "", None)
    decide_review(desk, uuid4(), item.pk, "keep", "nonsense all the same")


def verify(ride: Ride) -> list[object]:
    """The damage found in the ride's log."""
    return list(list_damage(ride.event))


def test_a_turn_that_the_rules_allow_nowhere_is_shown_as_entered_and_cannot_be_used(
    ride: Ride, organiser: Client, url, add_turn
) -> None:
    """Whether its slot is free or taken; one that could not be read was said to be so, and offered to be used."""
    add_turn(2, 4, make_paper_turn("fives", 10))
    for bike in (1, 2):
        add_turn(bike, 4, make_paper_turn("chance", 3), by=make_actor(ride.tom))

    page = get_line_text(organiser.get(url("review")))

    assert page.count("The rules do not allow it on this scorecard") == 2
    assert page.count("Finale: Entered from a paper card, Box chance, Points 3") == 2, page
    assert page.count("Chance cannot give these points.") == 2, page
    assert "cannot be read" not in page
    assert "Use the entry under review" not in page
    assert "record the entry under review as turn" not in page
    item = ReviewItem.objects.first()
    assert item is not None
    assert organiser.post(url("settle", item.pk), decide(item, "apply")).status_code == 422
    assert "Bike 1: decided." in get_line_text(
        organiser.post(url("settle", item.pk), decide(item, "keep"), follow=True)
    )


def test_an_unreadable_turn_is_shown_as_it_was_sent(ride: Ride, organiser: Client, url, add_turn) -> None:
    add_turn(1, 1, [{"type": "juggle", "dice": [{"a": 1}, None, [2]], "seat": "x"}])
    add_turn(2, 1, [])

    page = get_line_text(organiser.get(url("review")))

    assert "Ozweld&#x27;s: juggle" in page
    assert "Ozweld&#x27;s: a turn without any entry" in page
    assert "Use the entry under review" not in page


def test_an_entry_can_be_used_once_the_turn_in_its_way_is_voided_and_not_before(
    ride: Ride, organiser: Client, url, add_turn, desk: Actor
) -> None:
    """ROCK-16: the box was used at the stop before."""
    current = add_turn(1, 1, make_paper_turn("chance", 20)).operation_id
    add_turn(1, 4, make_paper_turn("chance", 22))
    item = ReviewItem.objects.get()
    page = get_line_text(organiser.get(url("review")))
    assert "Use the entry under review" not in page
    assert "Dismiss the entry under review" in page or "Keep the current entry" in page

    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [CorrectionTarget(current, 1, None)], "wrong bike")

    assert "Use the entry under review" in get_line_text(organiser.get(url("review")))
    organiser.post(url("settle", item.pk), decide(item, "apply"))
    assert list_bike_turns(ride, 1) == [(4, "chance", 22)]


def test_the_contest_is_named_where_there_are_several(ride: Ride, organiser: Client, url, conflict: ReviewItem) -> None:
    assert ride.contest.name not in get_visible_text(organiser.get(url("review")))

    add_poker_run(ride)

    assert ride.contest.name in get_visible_text(organiser.get(url("review")))


def test_a_conflict_says_why_it_cannot_be_used_any_more(
    ride: Ride, organiser: Client, url, conflict: ReviewItem, add_turn
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))

    page = get_line_text(organiser.get(url("review")))

    assert "Two entries for one turn differ" in page
    assert "A different entry for this turn arrived first" not in page  # which says the same
    assert "ROCK-16" in page
    assert "Use the entry under review" not in page
