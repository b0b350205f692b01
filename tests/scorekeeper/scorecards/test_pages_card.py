"""/crew/bikes/<id>/: dice are tapped, and a tap on a box records the turn."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.crew.models import Device
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import Chain, Entry, Operation, ReviewItem
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.retirement import retire_bike
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.page_checks import assert_clause_is_linked, get_visible_text
from tests.scorekeeper.scorecards.card_forms import HTMX, card_url, list_buttons, press, read_form, tap_dice
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor, make_final_turn, make_paper_turn


@pytest.fixture
def phone(ride: Ride, crew_client: CrewClient):
    """Rita's phone."""
    return crew_client(ride.rita)


def test_five_dice_and_a_box_in_six_taps_record_a_turn(ride: Ride, phone) -> None:
    page = phone.get(card_url(ride, 2, 2))
    for face in "34552":
        page = press(phone, page, face=face)

    answer = press(phone, page, choose="score:small_straight")

    assert answer.status_code == 302
    assert list_bike_turns(ride, 2) == [(2, "small_straight", 30)]
    assert Turn.objects.get().how == "final"
    page_after = phone.get(answer.url).content.decode()
    assert "Bike 2, Ben and Zoe: Small straight, 30 points" in page_after  # as it is read aloud
    assert "Sent" in page_after
    assert "Undo" in page_after


def test_the_script_may_send_four_dice_with_the_fifth_tap(ride: Ride, phone) -> None:
    page = phone.get(card_url(ride, 2, 1))

    page = press(phone, page, dice=["3", "4", "5", "5"], face="2")

    assert list_buttons(page, "choose")[:2] == ["score:small_straight", "score:chance"]


def test_open_boxes_come_best_first_with_their_points(ride: Ride, phone) -> None:
    """ROCK-28: 4, 4, 4, 4, 6 is four of a kind 22, chance 22 or fours 16."""
    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "44446")

    assert list_buttons(page, "choose")[:4] == [
        "score:four_of_a_kind",
        "score:three_of_a_kind",
        "score:chance",
        "score:fours",
    ]
    assert "22" in page.content.decode()
    assert page.content.decode().count("box--best") == 3, "boxes with the same points look the same"


@pytest.mark.parametrize(
    "rolls",
    [
        [{"type": "result", "dice": [6, 6, 6, 4, 4]}],
        [{"type": "roll", "dice": [6, 6, 6, 1, 1]}, {"type": "roll", "keep": [6, 6, 6], "dice": [4, 4]}],
    ],
    ids=["final dice", "second roll"],
)
def test_a_turn_that_was_not_recorded_is_opened_again_with_its_dice_and_boxes(
    ride: Ride, add_turn, phone, rolls: list[dict[str, Any]]
) -> None:
    add_turn(1, 3, make_paper_turn("full_house", 25))
    actions = quote(json.dumps(rolls))

    page = phone.get(card_url(ride, 1, 2, actions=actions, again=1))

    assert "score:full_house" not in list_buttons(page, "choose")
    assert press(phone, page, choose="score:chance").status_code == 302
    assert list_bike_turns(ride, 1) == [(2, "chance", 26), (3, "full_house", 25)]


@pytest.mark.parametrize("actions", ["%5B", '[{"type":"result","dice":5}]', '[{"type":"result"}]', "[]", ""])
def test_a_url_with_an_unreadable_turn_opens_an_empty_form(ride: Ride, phone, actions: str) -> None:
    page = phone.get(card_url(ride, 1, 2, actions=quote(actions), again=1))

    assert page.status_code == 200
    assert list_buttons(page, "face") == ["1", "2", "3", "4", "5", "6"]


def test_closed_boxes_say_why_with_the_clause(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 1, make_paper_turn("chance", 22))

    page = tap_dice(phone, phone.get(card_url(ride, 1, 2)), "34552")

    assert "score:chance" not in list_buttons(page, "choose")
    assert "Chance has already been used, for 22 points. Choose an open box. (ROCK-16)" in get_visible_text(page)
    assert_clause_is_linked(page, "ROCK-16")


def test_a_box_that_a_later_stop_has_used_is_closed_too(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 3, make_paper_turn("chance", 22))

    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "34552")

    assert "score:chance" not in list_buttons(page, "choose")
    assert "BBQ: Chance has already been used, for 22 points. Choose an open box." in get_visible_text(page)
    assert_clause_is_linked(page, "ROCK-16")


def test_a_refused_turn_names_the_turn_that_used_the_box_as_the_pages_do(ride: Ride, add_turn, phone) -> None:
    """ROCK-16. The bike missed its first stop, so turn 4 is the second that it played."""
    add_turn(1, 2, make_paper_turn("aces", 3))
    add_turn(1, 5, make_paper_turn("chance", 22))
    form = phone.get(card_url(ride, 1, 4))
    assert "Finale, turn 4" in get_visible_text(form)

    page = press(phone, tap_dice(phone, form, "34552"), choose="score:chance")

    assert page.status_code == 422
    text = get_visible_text(page)
    assert text.count("Finale, turn 5: Chance has already been used, for 22 points.") == 3, "twice above, and as closed"
    assert "for 19 points" not in text
    assert list_bike_turns(ride, 1) == [(2, "aces", 3), (5, "chance", 22)]


def test_a_last_turn_that_its_retirement_rules_out_names_the_retirement(ride: Ride, add_turn, phone) -> None:
    """TABLE-2."""
    for slot, box in ((1, "aces"), (2, "twos"), (3, "threes"), (4, "fours")):
        add_turn(1, slot, make_paper_turn(box, 0))
    retire_bike(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[1].pk, "flat tyre")

    page = press(phone, tap_dice(phone, phone.get(card_url(ride, 1, 5)), "34552"), choose="score:chance")

    assert "Retirement: This seat has finished" in get_visible_text(page)


def test_the_yahtzee_box_shows_what_it_would_give_next(ride: Ride, add_turn, phone) -> None:
    """ROCK-14."""
    add_turn(1, 1, make_final_turn([6, 6, 6, 6, 6], "yahtzee"))
    add_turn(1, 2, make_final_turn([6, 6, 6, 6, 6], "yahtzee"))

    page = tap_dice(phone, phone.get(card_url(ride, 1, 3)), "66666")

    assert list_buttons(page, "choose")[0] == "score:yahtzee"
    assert "100" in page.content.decode()


def test_roll_by_roll_keeps_the_dice_set_aside_and_records_every_roll(ride: Ride, phone) -> None:
    """ROCK-3, ROCK-4."""
    page = press(phone, phone.get(card_url(ride, 1, 1)), switch="roll")
    page = tap_dice(phone, page, "31155")
    page = press(phone, page, again="1", keep=["3", "4"])
    assert read_form(page)["held"] == ["5", "5"]
    assert "Roll 2 of 3: tap the 3 dice rolled" in get_visible_text(page)

    page = tap_dice(phone, page, "341")
    assert read_form(page)["keep"] == ["0", "1"], "dice that were set aside stay so until someone unticks them"
    page = press(phone, page, choose="score:nonsense", keep=["1", "2"])
    assert read_form(page)["keep"] == ["1", "2"]
    press(phone, page, choose="score:fives")

    assert list_bike_turns(ride, 1) == [(1, "fives", 10)]
    turn = Turn.objects.get()
    assert (turn.how, turn.dice) == ("rolls", [5, 5, 3, 4, 1])
    assert '"keep":[5,5]' in Entry.objects.get().body


def test_after_the_third_roll_there_is_no_rolling_again(ride: Ride, phone) -> None:
    """ROCK-3."""
    page = tap_dice(phone, press(phone, phone.get(card_url(ride, 1, 1)), switch="roll"), "31155")
    assert list_buttons(page, "again")
    page = tap_dice(phone, press(phone, page, again="1", keep=["3", "4"]), "341")
    assert list_buttons(page, "again")
    page = tap_dice(phone, press(phone, page, again="1", keep=["0", "1"]), "666")

    assert not list_buttons(page, "again")
    assert list_buttons(page, "choose")[0] == "score:three_of_a_kind"


def test_setting_all_five_aside_is_refused_with_the_clause(ride: Ride, phone) -> None:
    """ROCK-4."""
    page = tap_dice(phone, press(phone, phone.get(card_url(ride, 1, 1)), switch="roll"), "31155")

    answer = press(phone, page, again="1", keep=["0", "1", "2", "3", "4"])

    assert answer.status_code == 422
    assert "choose a box instead. (ROCK-4)" in get_visible_text(answer)
    assert read_form(answer)["keep"] == ["0", "1", "2", "3", "4"]


def test_delete_last_removes_the_last_die_and_then_the_roll(ride: Ride, phone) -> None:
    page = tap_dice(phone, press(phone, phone.get(card_url(ride, 1, 1)), switch="roll"), "31155")
    page = press(phone, page, again="1", keep=["3", "4"])
    page = press(phone, tap_dice(phone, page, "3"), back="1")
    assert "dice" not in read_form(page)

    page = press(phone, page, back="1")

    assert read_form(page)["dice"] == ["3", "1", "1", "5", "5"]
    assert read_form(page)["actions"] == ["[]"]


def test_a_die_is_changed_by_tapping_it(ride: Ride, phone) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "34556")

    page = press(phone, page, change="4")
    assert read_form(page)["dice"] == ["3", "4", "5", "5"]
    page = press(phone, page, face="2")

    assert list_buttons(page, "choose")[0] == "score:small_straight"


def test_clear_empties_the_places(ride: Ride, phone) -> None:
    page = press(phone, tap_dice(phone, phone.get(card_url(ride, 1, 1)), "345"), clear="1")

    assert "dice" not in read_form(page)


def test_switching_the_mode_keeps_the_dice(ride: Ride, phone) -> None:
    page = press(phone, tap_dice(phone, phone.get(card_url(ride, 1, 1)), "345"), switch="roll")

    assert read_form(page)["dice"] == ["3", "4", "5"]
    assert read_form(page)["mode"] == ["roll"]


def test_too_few_dice_are_refused_and_stay_in_the_form(ride: Ride, phone) -> None:
    """ROCK-31."""
    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "345")

    answer = press(phone, page, choose="score:chance")

    assert answer.status_code == 422
    said = get_visible_text(answer).count("Enter all five final dice. You entered 3 dice. (ROCK-31)")
    assert said == 2, "in the summary and inline"
    assert_clause_is_linked(answer, "ROCK-31")
    assert read_form(answer)["dice"] == ["3", "4", "5"]
    assert not Operation.objects.exists()


@pytest.mark.parametrize("face", ["7", "0", "x", "", "²", "-1", "9" * 5000])
def test_an_unknown_face_is_refused_and_the_other_dice_stay(ride: Ride, phone, face: str) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "34")

    answer = press(phone, page, face=face)

    assert answer.status_code == 422
    assert "No die here has the face" in answer.content.decode()
    assert read_form(answer)["dice"] == ["3", "4"]


@pytest.mark.parametrize(
    "actions",
    ["{", "5", "[5]", '[{"type":"x"}]', "[" * 5000, '[{"type":"roll","dice":"many"}]', "[{}]", '[{"type":["roll"]}]'],
)
def test_unreadable_hidden_fields_are_explained(ride: Ride, phone, actions: str) -> None:
    page = phone.get(card_url(ride, 1, 1))

    answer = press(phone, page, actions=actions, dice=["3", "4", "5", "5", "2"], choose="score:chance")

    assert answer.status_code == 422
    assert "error-summary" in answer.content.decode()
    assert not Operation.objects.exists()


@pytest.mark.parametrize("choice", ["score:nonsense", "nonsense", "", "roll:3", "score:", ":"])
def test_a_box_the_card_does_not_have_is_refused(ride: Ride, phone, choice: str) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "34552")

    answer = press(phone, page, choose=choice)

    assert answer.status_code == 422
    assert read_form(answer)["dice"] == ["3", "4", "5", "5", "2"]


def test_a_closed_box_is_refused_with_the_clause(ride: Ride, add_turn, phone) -> None:
    """ROCK-16."""
    page = tap_dice(phone, phone.get(card_url(ride, 1, 2)), "34552")
    add_turn(1, 1, make_paper_turn("chance", 22))

    answer = press(phone, page, choose="score:chance")

    assert answer.status_code == 422
    assert_clause_is_linked(answer, "ROCK-16")
    assert list_bike_turns(ride, 1) == [(1, "chance", 22)]


def test_a_missed_turn_is_recorded(ride: Ride, phone) -> None:
    """ROCK-26."""
    page = phone.get(card_url(ride, 1, 2, way="forfeit"))
    assert "Turn missed: 0 points, no box used</h2>" in page.content.decode()

    answer = press(phone, page)

    assert list_bike_turns(ride, 1) == [(2, None, 0)]
    assert "Bike 1, Ann: Missed" in phone.get(answer.url).content.decode()


def test_a_paper_card_gives_box_and_points(ride: Ride, phone) -> None:
    """ROCK-29."""
    page = phone.get(card_url(ride, 1, 2, way="paper"))

    press(phone, page, box="chance", points="22")

    assert list_bike_turns(ride, 1) == [(2, "chance", 22)]


@pytest.mark.parametrize(("box", "points"), [("full_house", "24"), ("", "24"), ("chance", ""), ("chance", "many")])
def test_impossible_points_from_a_paper_card_are_refused_and_stay_in_the_form(
    ride: Ride, phone, box: str, points: str
) -> None:
    """ROCK-29."""
    page = phone.get(card_url(ride, 1, 2, way="paper"))

    answer = press(phone, page, box=box, points=points)

    assert answer.status_code == 422
    assert read_form(answer)["points"] == [points]
    assert not Operation.objects.exists()


def test_a_double_tap_records_once_and_shows_the_same(ride: Ride, phone) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "34552")

    first = press(phone, page, choose="score:chance")
    again = press(phone, page, choose="score:chance")

    assert first.url == again.url
    assert Entry.objects.count() == 1


def test_the_same_page_sent_with_another_box_is_explained_and_gets_a_new_id(ride: Ride, phone) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "34552")
    press(phone, page, choose="score:chance")

    answer = press(phone, page, choose="score:fives")

    assert answer.status_code == 409
    assert "already submitted" in answer.content.decode()
    assert read_form(answer)["dice"] == ["3", "4", "5", "5", "2"]
    assert read_form(answer)["operation"] != read_form(page)["operation"]
    assert Entry.objects.count() == 1


def test_an_equal_turn_from_another_phone_is_already_recorded(ride: Ride, add_turn, phone) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "34552")
    add_turn(1, 1, make_final_turn([5, 5, 4, 3, 2], "chance"), by=make_actor(ride.tom))

    answer = press(phone, page, choose="score:chance")

    page_after = phone.get(answer.url).content.decode()
    assert "Already recorded." in page_after
    assert "Recorded by Tom" in page_after
    assert "Undo" not in page_after
    assert [entry.kind for entry in Entry.objects.order_by("seq")] == ["record", "repeat"]


def test_a_different_turn_from_another_phone_stays_and_ours_goes_to_review(ride: Ride, add_turn, phone) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "34552")
    add_turn(1, 1, make_paper_turn("sixes", 18), by=make_actor(ride.tom))

    answer = press(phone, page, choose="score:chance")

    assert answer.status_code == 409
    text = answer.content.decode()
    assert "Tom’s phone recorded Bike 1, Ann first: Sixes, 18 points at Ozweld" in text.replace("&#x27;", "'")
    assert "Your entry went to the organiser, who will decide." in text
    assert ReviewItem.objects.get().reason == "conflict"


def test_a_turn_in_a_closed_contest_goes_to_review(ride: Ride, add_turn, phone) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "34552")
    add_turn(1, 2, make_paper_turn("sixes", 18))
    Chain.objects.filter(kind=Chain.Kind.CARD).update(is_sealed=True)

    answer = press(phone, page, choose="score:chance")

    assert answer.status_code == 409
    assert "closed before this arrived" in answer.content.decode()
    assert ReviewItem.objects.get().reason == "late"


def test_nothing_is_recorded_while_the_ride_is_not_open_and_the_dice_stay(ride: Ride, phone) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "34552")
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)

    answer = press(phone, page, choose="score:chance")

    assert answer.status_code == 422
    assert read_form(answer)["dice"] == ["3", "4", "5", "5", "2"]
    assert not Operation.objects.exists()


def test_a_recorded_turn_is_shown_instead_of_the_form(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))

    response = phone.get(card_url(ride, 1, 1))
    page = response.content.decode()

    assert "Chance 19 points" in get_visible_text(response)
    assert "Recorded by Rita" in page
    assert "dice-pad" not in page


def test_the_next_bike_is_one_tap_away(ride: Ride, add_turn, phone) -> None:
    add_turn(3, 1, make_paper_turn("chance", 20))
    page = tap_dice(phone, phone.get(card_url(ride, 2, 1)), "34552")

    page_after = phone.get(press(phone, page, choose="score:chance").url).content.decode()

    assert "Next bike: 4 Dan" in page_after
    assert reverse("scorecards:card", args=[ride.bikes[4].pk]) in page_after
    assert "2 of 4 played" in page_after


def test_after_the_first_turn_at_the_finale_the_second_is_one_tap_away(ride: Ride, phone) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 2, 4)), "34552")

    page_after = phone.get(press(phone, page, choose="score:chance").url).content.decode()

    assert "Next turn at Finale" in page_after
    assert str(ride.slots[4].pk) in page_after


def test_without_a_slot_the_next_free_slot_of_the_stop_is_used(ride: Ride, add_turn, phone) -> None:
    add_turn(1, 4, make_paper_turn("chance", 20))

    page = phone.get(card_url(ride, 1, stop=ride.stops[3].pk))

    assert read_form(page)["slot"] == [str(ride.slots[4].pk)]


def test_the_phones_dice_set_is_recorded_with_the_turn(ride: Ride, phone) -> None:
    chosen = ride.group_one.dice_sets.get(name="Third")
    phone.post(reverse("scorecards:dice_set"), {"set": chosen.pk})

    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "34552")
    press(phone, page, choose="score:chance")

    assert Turn.objects.get().dice_set == chosen


def test_a_dice_set_of_another_group_is_ignored(ride: Ride, phone) -> None:
    foreign = ride.group_two.dice_sets.get(name="Third")
    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "34552")

    press(phone, page, choose="score:chance", dice_set=str(foreign.pk))

    assert Turn.objects.get().dice_set is None


def test_the_reason_of_a_late_turn_is_stored(ride: Ride, phone) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 1, 1, reason="the+bike+was+late")), "34552")
    press(phone, page, choose="score:chance")

    assert Operation.objects.get().reason.text == "the bike was late"


def test_a_bike_of_another_group_is_explained(ride: Ride, crew_client: CrewClient) -> None:
    answer = crew_client(ride.tom).get(card_url(ride, 7, 1))

    assert answer.status_code == 403
    assert "Bike 7, Gail rides with Group two" in answer.content.decode()
    assert "Take this bike over" not in answer.content.decode()


def test_a_road_captain_is_offered_to_take_over_and_the_log_says_so(ride: Ride, phone) -> None:
    refused = phone.get(card_url(ride, 7, 1))
    assert refused.status_code == 403
    assert "Take this bike over" in refused.content.decode()

    page = tap_dice(phone, phone.get(card_url(ride, 7, 1, takes_over=1)), "34552")
    press(phone, page, choose="score:chance")

    assert list_bike_turns(ride, 7) == [(1, "chance", 19)]
    assert '"takes_over":true' in Entry.objects.get().body


def test_a_tail_gunner_cannot_take_over_by_asking_for_it(ride: Ride, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.tom)

    assert phone.get(card_url(ride, 7, 1, takes_over=1)).status_code == 403
    sent = {"takes_over": "1", "dice": list("34552"), "choose": "score:chance", "slot": ride.slots[0].pk}
    assert phone.post(card_url(ride, 7), sent).status_code == 403
    assert not Operation.objects.exists()


def test_a_revoked_phone_shows_what_was_entered(ride: Ride, phone) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 1, 1)), "3455")
    Device.objects.update(revoked_at=timezone.now())

    answer = press(phone, page, face="2")

    assert answer.status_code == 401
    assert "3 4 5 5" in answer.content.decode()
    assert not Operation.objects.exists()


def test_an_unknown_phone_is_shown_only_what_it_sent(ride: Ride, client: Client, django_assert_num_queries) -> None:
    sent = {"contest": ride.contest.pk, "choose": "score:full_house", "dice": list("55533"), "reason": "late"}

    with django_assert_num_queries(0):
        answer = client.post(card_url(ride, 1), sent)

    assert answer.status_code == 401
    page = answer.content.decode()
    assert all(words in page for words in ("5 5 5 3 3", "Full house", "late"))


@pytest.mark.parametrize("query", [{"slot": uuid4()}, {"slot": "x"}, {"contest": uuid4()}, {"contest": "x"}])
def test_an_unknown_slot_or_contest_is_not_found(ride: Ride, phone, query) -> None:
    assert phone.get(card_url(ride, 1), query).status_code == 404


def test_a_contest_without_turns_is_not_found(ride: Ride, phone) -> None:
    empty = Contest.objects.create(
        event=ride.event, name="Empty", slug="empty", game_key="rock-yahtzee", rules_version=1, ordinal=9
    )

    assert phone.get(card_url(ride, 1, contest=empty.pk)).status_code == 404


def test_the_fragment_is_part_of_the_page(ride: Ride, add_turn, phone) -> None:
    add_turn(2, 1, make_paper_turn("chance", 20))
    for number in (1, 2):
        page = phone.get(card_url(ride, number, 1)).content.decode()
        fragment = phone.get(card_url(ride, number, 1), headers=HTMX).content.decode()

        assert "<html" not in fragment
        assert _without_ids(fragment).strip() in _without_ids(page)


def test_with_htmx_a_tap_on_a_box_returns_the_result_at_once(ride: Ride, phone) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 2, 1)), "34552")
    data = {**read_form(page), "choose": "score:chance"}

    answer = phone.post(card_url(ride, 2), data, headers=HTMX)

    assert answer.status_code == 200
    assert "Bike 2, Ben and Zoe: Chance, 19 points" in answer.content.decode()
    assert "<html" not in answer.content.decode()
    shown = phone.get(answer.headers["HX-Push-Url"]).content.decode()
    assert _without_ids(answer.content.decode()).strip() in _without_ids(shown)


def test_names_are_shown_as_text(ride: Ride, phone) -> None:
    ride.bikes[1].players.update(name="<script>alert(1)</script>")

    page = phone.get(card_url(ride, 1, 1)).content.decode()

    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


def _without_ids(html: str) -> str:
    """Remove what differs on every page: the operation's id and the form's token."""
    for name in ("operation", "csrfmiddlewaretoken"):
        head, *rest = html.split(f'name="{name}" value="')
        html = head + "".join(part.partition('"')[2] for part in rest)
    return html
