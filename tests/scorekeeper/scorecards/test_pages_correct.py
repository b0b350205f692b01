"""Correcting turns: by the crew, and by the organiser, even when the contest is closed."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from scorekeeper.ledger.models import Chain, Entry, Operation, ReviewItem
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import assert_clause_is_linked, assert_refused, get_visible_text
from tests.scorekeeper.scorecards.card_forms import HTMX, crew_url, read_form
from tests.scorekeeper.scorecards.conftest import (
    get_bike_card,
    list_bike_turns,
    make_actor,
    make_final_turn,
    make_paper_turn,
)


@pytest.fixture
def phone(ride: Ride, crew_client: CrewClient):
    """Tom's phone."""
    return crew_client(ride.tom)


def _turn(slot: int) -> Turn:
    return Turn.objects.get(slot__ordinal=slot)


def _send(phone, url: str, *turns: Turn, form: int = 0, reason: str = "misread", **typed: str):
    """Open the page of these turns and send it back; `choice_2="aces"` is the box of the turn in slot 2."""
    page = phone.get(url, {"turn": [str(turn.pk) for turn in turns], "typing": "1"})
    data = read_form(page, form)
    # The page's input method and box are radio buttons and selects, which `read_form` does not read.
    for turn in turns:
        data.setdefault(f"{turn.pk}-way", ["paper" if turn.how == "paper" else "same"])
        data.setdefault(f"{turn.pk}-choice", [turn.line or ""])
    by_slot = {turn.slot.ordinal: turn.pk for turn in turns}
    for name, value in typed.items():
        field, _, slot = name.rpartition("_")
        data[f"{by_slot[int(slot)]}-{field}"] = [value]
    return phone.post(url, {**data, "reason": reason})


def test_another_box_for_the_same_dice(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "small_straight"))

    answer = _send(phone, crew_url(ride, 1, "correct"), _turn(1), choice_1="chance")

    assert answer.status_code == 302
    assert list_bike_turns(ride, 1) == [(1, "chance", 19)]
    assert Operation.objects.get(kind="amend").reason.text == "misread"
    assert "Corrected: Bike 1, Ann." in phone.get(answer.url).content.decode()


def test_the_rolls_stay_when_only_the_box_changes(ride: Ride, add_turn, phone) -> None:
    rolls = [{"type": "roll", "dice": [3, 1, 1, 5, 5]}, {"type": "roll", "keep": [5, 5], "dice": [3, 4, 1]}]
    add_turn(1, 1, [*rolls, {"type": "score", "box": "fives"}])

    _send(phone, crew_url(ride, 1, "correct"), _turn(1), choice_1="chance")

    assert _turn(1).how == "rolls"
    assert list_bike_turns(ride, 1) == [(1, "chance", 18)]


@pytest.mark.parametrize("dice", ["44446", "4 4 4 4 6", "4,4,4,4,6"])
def test_other_dice(ride: Ride, add_turn, phone, dice: str) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))

    _send(phone, crew_url(ride, 1, "correct"), _turn(1), way_1="result", dice_1=dice)

    assert list_bike_turns(ride, 1) == [(1, "chance", 22)]


def test_other_dice_while_the_recorded_dice_are_chosen_are_refused(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))

    refused = _send(phone, crew_url(ride, 1, "correct"), _turn(1), dice_1="44446")

    assert refused.status_code == 422
    assert "You chose “The dice as recorded: 3 4 5 5 2”, which does not use this." in get_visible_text(refused)
    assert read_form(refused, 0)[f"{_turn(1).pk}-dice"] == ["44446"]
    assert list_bike_turns(ride, 1) == [(1, "chance", 19)]


def test_the_same_dice_in_another_order_are_no_change(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "small_straight"))

    answer = _send(phone, crew_url(ride, 1, "correct"), _turn(1), dice_1="5 5 4 3 2", choice_1="chance")

    assert answer.status_code == 302
    assert list_bike_turns(ride, 1) == [(1, "chance", 19)]


@pytest.mark.parametrize("typed", [{"dice_1": "44446"}, {"points_1": "24"}, {"choice_1": "fours"}])
def test_values_that_a_missed_turn_does_not_use_are_refused(ride: Ride, add_turn, phone, typed: dict[str, Any]) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))

    refused = _send(phone, crew_url(ride, 1, "correct"), _turn(1), way_1="forfeit", **typed)

    assert refused.status_code == 422
    assert "which does not use this. Choose another option above, or change this back." in get_visible_text(refused)
    assert list_bike_turns(ride, 1) == [(1, "chance", 20)]


def test_unchanged_points_are_no_error(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 1, make_paper_turn("aces", 0))

    answer = _send(phone, crew_url(ride, 1, "correct"), _turn(1), way_1="forfeit")

    assert answer.status_code == 302
    assert list_bike_turns(ride, 1) == [(1, None, 0)]


def test_a_paper_turn_gets_other_points(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))

    _send(phone, crew_url(ride, 1, "correct"), _turn(1), points_1="21")

    assert list_bike_turns(ride, 1) == [(1, "chance", 21)]


def test_a_turn_is_corrected_to_missed(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))

    _send(phone, crew_url(ride, 1, "correct"), _turn(1), way_1="forfeit")

    assert list_bike_turns(ride, 1) == [(1, None, 0)]


def test_two_boxes_are_swapped_at_once_where_one_alone_is_refused(ride: Ride, add_turn, phone) -> None:
    """ROCK-16."""
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))
    add_turn(1, 2, make_final_turn([2, 3, 4, 5, 5], "small_straight"))
    url = crew_url(ride, 1, "correct")

    alone = _send(phone, url, _turn(1), choice_1="small_straight")
    assert alone.status_code == 422
    together = _send(phone, url, _turn(1), _turn(2), choice_1="small_straight", choice_2="chance")

    assert together.status_code == 302
    assert list_bike_turns(ride, 1) == [(1, "small_straight", 30), (2, "chance", 19)]
    assert Entry.objects.filter(kind="amend").count() == 1


def test_a_correction_that_conflicts_with_a_turn_names_it_and_stores_nothing(ride: Ride, add_turn, phone) -> None:
    """ROCK-16."""
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))
    add_turn(1, 2, make_final_turn([2, 3, 4, 5, 5], "small_straight"))

    answer = _send(phone, crew_url(ride, 1, "correct"), _turn(1), choice_1="small_straight")

    text = answer.content.decode()
    assert answer.status_code == 422
    assert text.count("Parks: Small straight has already been used") == 2, "in the summary and inline"
    assert_clause_is_linked(answer, "ROCK-16")
    assert "Correct several turns at once" in text
    assert 'value="misread"' in text
    assert not Operation.objects.filter(kind="amend").exists()


def test_a_correction_without_changes_is_refused(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))

    answer = _send(phone, crew_url(ride, 1, "correct"), _turn(1))

    assert answer.status_code == 422
    assert "You have not changed anything." in answer.content.decode()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({"way_1": "result", "dice_1": ""}, "Enter the dice, such as 34552."),
        ({"way_1": "result", "dice_1": "3455"}, "Enter all five final dice. You entered 4 dice. (ROCK-31)"),
        ({"way_1": "result", "dice_1": "34557"}, "No die here has the face “7”."),
        ({"way_1": "paper", "points_1": ""}, "Enter the points on the paper card."),
        ({"way_1": "paper", "points_1": "many"}, "Enter the points in digits, such as 22."),
        ({"choice_1": ""}, "Choose a box."),
        ({"reason": ""}, "Enter a reason."),
    ],
)
def test_errors_are_shown_at_the_field_and_in_the_summary(ride: Ride, add_turn, phone, typed, words: str) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))

    answer = _send(phone, crew_url(ride, 1, "correct"), _turn(1), **typed)

    assert answer.status_code == 422
    assert get_visible_text(answer).count(words) >= 2
    assert not Operation.objects.filter(kind="amend").exists()


def test_a_stale_page_is_explained_and_keeps_the_input(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))
    turn, url = _turn(1), crew_url(ride, 1, "correct")
    page = read_form(phone.get(url, {"turn": turn.pk, "typing": "1"}))
    other = CorrectionTarget(turn.pk, turn.seq, make_final_turn([3, 4, 5, 5, 2], "fives"))
    amend_turns(make_actor(ride.sue), uuid4(), ride.contest.pk, ride.bikes[1].pk, [other], "faster")
    typed = {**page, f"{turn.pk}-way": "same", f"{turn.pk}-choice": "threes", "reason": "misread"}

    answer = phone.post(url, typed)

    assert answer.status_code == 409
    text = answer.content.decode()
    assert "The scorecard has changed since" in text
    assert "Fives, 10 points" in text
    assert '<option value="threes" selected>' in text
    assert list_bike_turns(ride, 1) == [(1, "fives", 10)]
    again = phone.post(url, {**read_form(answer), f"{turn.pk}-way": "same", f"{turn.pk}-choice": "threes"})
    assert again.status_code == 302
    assert list_bike_turns(ride, 1) == [(1, "threes", 3)]


def test_a_double_tap_corrects_once(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))
    turn, url = _turn(1), crew_url(ride, 1, "correct")
    page = read_form(phone.get(url, {"turn": turn.pk, "typing": "1"}))
    data = {**page, f"{turn.pk}-way": "same", f"{turn.pk}-choice": "threes", "reason": "misread"}

    phone.post(url, data)
    phone.post(url, data)

    assert Entry.objects.filter(kind="amend").count() == 1
    assert list_bike_turns(ride, 1) == [(1, "threes", 3)]


def test_the_crews_correction_of_a_closed_contest_goes_to_review(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))
    Chain.objects.filter(kind=Chain.Kind.CARD).update(is_sealed=True)

    answer = _send(phone, crew_url(ride, 1, "correct"), _turn(1), choice_1="fives")

    assert answer.status_code == 409
    assert "The organiser will review your entry." in answer.content.decode()
    assert ReviewItem.objects.get().reason == "late"
    assert list_bike_turns(ride, 1) == [(1, "chance", 19)]


def test_a_refusal_by_the_rules_names_the_missing_reason_too(ride: Ride, add_turn, phone) -> None:
    """ROCK-16."""
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))
    add_turn(1, 2, make_final_turn([2, 3, 4, 5, 5], "small_straight"))

    refused = _send(phone, crew_url(ride, 1, "correct"), _turn(1), choice_1="small_straight", reason="")

    assert_refused(refused, "id_reason", "Enter a reason.")
    assert "Parks: Small straight has already been used" in get_visible_text(refused)


def test_a_page_sent_again_with_something_else_is_kept_for_another_try(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))
    Chain.objects.filter(kind=Chain.Kind.CARD).update(is_sealed=True)  # so the turn does not change
    turn, url = _turn(1), crew_url(ride, 1, "correct")
    page = read_form(phone.get(url, {"turn": turn.pk, "typing": "1"}))
    sent = {**page, f"{turn.pk}-way": "same", f"{turn.pk}-choice": "threes", "reason": "misread"}
    phone.post(url, sent)

    again = phone.post(url, {**sent, f"{turn.pk}-choice": "fives"})

    assert again.status_code == 409
    assert "This page was already submitted with something different." in get_visible_text(again)
    assert '<option value="fives" selected>' in again.content.decode()
    assert read_form(again)["reason"] == ["misread"]
    assert read_form(again)["operation"] != page["operation"]
    assert ReviewItem.objects.count() == 1


def test_the_organiser_corrects_a_closed_contest(ride: Ride, add_turn, alice, sign_in: SignIn) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))
    Chain.objects.filter(kind=Chain.Kind.CARD).update(is_sealed=True)
    url = reverse("scorecards:desk_correct", args=[ride.event.slug, get_bike_card(ride, ride.bikes[1]).pk])

    answer = _send(sign_in(alice), url, _turn(1), form=1, choice_1="fives")

    assert answer.status_code == 302
    assert list_bike_turns(ride, 1) == [(1, "fives", 10)]


def test_the_fragment_is_part_of_the_page(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))
    url = crew_url(ride, 1, "correct")

    fragment = phone.post(url, {"turn": str(_turn(1).pk)}, headers=HTMX).content.decode()
    page = phone.post(url, {"turn": str(_turn(1).pk)}).content.decode()

    assert "<html" not in fragment
    assert "The scorecard has changed since" in fragment
    assert "The scorecard has changed since" in page
