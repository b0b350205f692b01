"""The organiser records a missing turn, such as one from a paper card handed in at the finale or later."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Chain, Entry, Operation, ReviewItem
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.standings.services.closure import close_contest
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.card_forms import HTMX, crew_url, read_form
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_final_turn, make_paper_turn

PAPER = {"way": "paper", "choice": "chance", "points": "22"}
DICE = {"way": "result", "choice": "chance", "dice": "34552"}


@pytest.fixture
def desktop(alice, sign_in: SignIn) -> Client:
    """Alice's browser."""
    return sign_in(alice)


def _url(ride: Ride, page: str, number: int = 1) -> str:
    card_id = derive_card_id(ride.contest.pk, ride.bikes[number].pk)
    return reverse(f"scorecards:{page}", args=[ride.event.slug, card_id])


def _fields(ride: Ride, page: Any, turn: int, /, **typed: str) -> dict[str, Any]:
    """The page's form, filled in. Slot, input method and box are radio buttons and selects, which are not read."""
    return {**read_form(page, 1), "slot": str(ride.slots[turn - 1].pk), "reason": "from the finale", **typed}


def _send(desktop: Client, ride: Ride, number: int, turn: int, /, **typed: str) -> Any:
    url = _url(ride, "desk_note", number)
    return desktop.post(url, _fields(ride, desktop.get(url), turn, **typed))


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (DICE, (2, "chance", 19)),
        ({**DICE, "dice": "3 4 5 5 2", "choice": "small_straight"}, (2, "small_straight", 30)),
        (PAPER, (2, "chance", 22)),
        ({"way": "forfeit"}, (2, None, 0)),
    ],
)
def test_a_missing_turn_is_recorded_with_every_input_method(ride: Ride, add_turn, desktop, typed, expected) -> None:
    """ROCK-26, ROCK-29, ROCK-31."""
    add_turn(1, 1, make_final_turn([6, 6, 6, 6, 5], "sixes"))

    answer = _send(desktop, ride, 1, 2, **typed)

    assert answer.status_code == 302
    assert list_bike_turns(ride, 1) == [(1, "sixes", 24), expected]


def test_the_log_has_the_organiser_and_the_reason(ride: Ride, add_turn, desk, desktop) -> None:
    add_turn(1, 1, make_final_turn([6, 6, 6, 6, 5], "sixes"))

    answer = _send(desktop, ride, 1, 2, **PAPER)

    operation = Operation.objects.get(actor_id=desk.id)
    assert operation.kind == "turn"
    assert operation.reason.text == "from the finale"
    page = desktop.get(answer.url).content.decode()
    assert "Recorded: Parks: Chance, 22 points." in page
    assert "Recorded by alice at" in page
    assert "from the finale" in page


def test_the_card_leads_to_each_free_slot_and_to_no_other(ride: Ride, add_turn, desktop) -> None:
    add_turn(1, 1, make_final_turn([6, 6, 6, 6, 5], "sixes"))

    page = desktop.get(_url(ride, "desk_card")).content.decode()

    links = [f"{_url(ride, 'desk_note')}?slot={slot.pk}" in page for slot in ride.slots]
    assert links == [False, True, True, True, True]
    assert "Finale, turn 5" in page


def test_the_requested_slot_is_selected(ride: Ride, desktop) -> None:
    page = desktop.get(_url(ride, "desk_note"), {"slot": ride.slots[2].pk})

    assert read_form(page, 1)["slot"] == [str(ride.slots[2].pk)]


def test_the_only_free_slot_is_selected(ride: Ride, add_turn, desktop) -> None:
    for slot, box in enumerate(("aces", "twos", "threes", "fours"), 1):
        add_turn(1, slot, make_final_turn([1, 2, 3, 4, 6], box))

    page = desktop.get(_url(ride, "desk_note"))

    assert read_form(page, 1)["slot"] == [str(ride.slots[4].pk)]


def test_a_slot_outside_the_contest_is_not_found(ride: Ride, desktop) -> None:
    assert desktop.get(_url(ride, "desk_note"), {"slot": uuid4()}).status_code == 404


def test_a_complete_card_says_so_and_has_no_form(ride: Ride, add_turn, desktop) -> None:
    for slot, box in enumerate(("aces", "twos", "threes", "fours", "sixes"), 1):
        add_turn(1, slot, make_final_turn([1, 2, 3, 4, 6], box))

    page = desktop.get(_url(ride, "desk_note")).content.decode()

    assert "Every turn is recorded" in page
    assert 'name="slot"' not in page
    assert "Not recorded yet" not in desktop.get(_url(ride, "desk_card")).content.decode()


def test_a_bike_that_never_rolled_has_a_card_at_the_desk_and_opening_it_writes_nothing(ride: Ride, desktop) -> None:
    card, form = desktop.get(_url(ride, "desk_card", 7)), desktop.get(_url(ride, "desk_note", 7))

    assert "Nothing is recorded for this bike yet." in card.content.decode()
    assert "Bike 7, Gail" in form.content.decode()
    assert not Chain.objects.filter(kind=Chain.Kind.CARD).exists()

    assert _send(desktop, ride, 7, 5, **PAPER).status_code == 302
    assert list_bike_turns(ride, 7) == [(5, "chance", 22)]


def test_an_alias_that_never_rolled_leads_to_the_bike_it_was_merged_into(ride: Ride, desktop) -> None:
    alias = Bike.objects.create(event=ride.event, number=1, suffix=2, group=ride.group_one, merged_into=ride.bikes[1])
    url = reverse("scorecards:desk_note", args=[ride.event.slug, derive_card_id(ride.contest.pk, alias.pk)])

    assert "Bike 1, Ann" in desktop.get(url).content.decode()


def test_an_unknown_card_is_not_found(ride: Ride, desktop) -> None:
    url = reverse("scorecards:desk_note", args=[ride.event.slug, uuid4()])

    assert desktop.get(url).status_code == 404


def test_a_card_of_another_ride_is_not_found(ride: Ride, other_event, desktop) -> None:
    foreign = Bike.objects.create(event=other_event, number=1)
    url = reverse("scorecards:desk_note", args=[ride.event.slug, derive_card_id(ride.contest.pk, foreign.pk)])

    assert desktop.get(url).status_code == 404


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ({**DICE, "dice": ""}, "Enter the dice, such as 34552."),
        ({**DICE, "dice": "3455"}, "Enter all five final dice. You entered 4 dice. (ROCK-31)"),
        ({**DICE, "dice": "34557"}, "No die here has the face “7”."),
        ({**DICE, "choice": ""}, "Choose a box."),
        ({**PAPER, "points": ""}, "Enter the points on the paper card."),
        ({**PAPER, "points": "many"}, "Enter the points in digits, such as 22."),
        ({**PAPER, "points": "4"}, "Chance cannot give these points."),
        ({**DICE, "choice": "sixes"}, "Sixes has already been used, for 24 points."),
        ({**DICE, "way": ""}, "Choose what you want to enter."),
        ({**DICE, "slot": ""}, "Choose a turn."),
        ({**DICE, "slot": "the second"}, "Choose a turn."),
        ({**DICE, "reason": ""}, "Enter a reason."),
        ({**DICE, "reason": "   "}, "Enter a reason."),
    ],
)
def test_errors_are_shown_in_the_summary_and_inline_and_store_nothing(
    ride: Ride, add_turn, desktop, typed, words: str
) -> None:
    add_turn(1, 1, make_final_turn([6, 6, 6, 6, 5], "sixes"))
    before = Operation.objects.count()

    answer = _send(desktop, ride, 1, 2, **typed)

    assert answer.status_code == 422
    assert get_visible_text(answer).count(words) == 2
    assert Operation.objects.count() == before


def test_no_field_is_marked_optional_before_and_after_a_refusal(ride: Ride, desktop) -> None:
    """Which of dice, box and points are needed depends on the input method."""
    pages = [desktop.get(_url(ride, "desk_note")), _send(desktop, ride, 1, 2, way="")]

    assert ["(optional)" in page.content.decode() for page in pages] == [False, False]


def test_a_refused_form_keeps_its_input(ride: Ride, add_turn, desktop) -> None:
    add_turn(1, 1, make_final_turn([6, 6, 6, 6, 5], "sixes"))
    page = desktop.get(_url(ride, "desk_note"))
    typed = _fields(ride, page, 2, **{**DICE, "choice": "sixes"})

    answer = desktop.post(_url(ride, "desk_note"), typed)

    fields = read_form(answer, 1)
    for name in ("operation", "slot", "way", "dice", "reason"):
        assert fields[name] == (typed[name] if isinstance(typed[name], list) else [typed[name]]), name
    assert '<option value="sixes" selected>' in answer.content.decode()


def test_a_turn_that_would_rule_out_a_later_one_names_that_turn(ride: Ride, add_turn, desktop) -> None:
    """ROCK-16."""
    add_turn(1, 3, make_final_turn([3, 4, 5, 5, 2], "chance"))

    answer = _send(desktop, ride, 1, 2, **PAPER)

    assert answer.status_code == 422
    assert answer.content.decode().count("BBQ: Chance has already been used") == 2
    assert list_bike_turns(ride, 1) == [(3, "chance", 19)]


def test_a_slot_that_was_filled_meanwhile_is_explained_and_nothing_goes_to_review(
    ride: Ride, add_turn, desktop
) -> None:
    url = _url(ride, "desk_note")
    page = desktop.get(url, {"slot": ride.slots[1].pk})
    add_turn(1, 2, make_final_turn([3, 4, 5, 5, 2], "chance"))

    answer = desktop.post(url, _fields(ride, page, 2, **PAPER))

    text = answer.content.decode()
    assert answer.status_code == 409
    assert text.count("Parks: Chance, 19 points.") == 2, "in the summary and inline"
    assert f"{_url(ride, 'desk_correct')}?turn={Turn.objects.get().pk}" in text
    assert read_form(answer, 1)["points"] == ["22"]
    assert list_bike_turns(ride, 1) == [(2, "chance", 19)]
    assert not ReviewItem.objects.exists()


def test_an_equal_turn_that_a_phone_recorded_meanwhile_counts_once(ride: Ride, add_turn, desktop) -> None:
    page = desktop.get(_url(ride, "desk_note"))
    add_turn(1, 2, make_paper_turn("chance", 22))

    answer = desktop.post(_url(ride, "desk_note"), _fields(ride, page, 2, **PAPER))

    assert answer.status_code == 302
    assert list_bike_turns(ride, 1) == [(2, "chance", 22)]
    assert Entry.objects.filter(kind="record").count() == 1


def test_sending_twice_records_once(ride: Ride, desktop) -> None:
    url = _url(ride, "desk_note")
    data = _fields(ride, desktop.get(url), 2, **PAPER)

    answers = [desktop.post(url, data), desktop.post(url, data)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Entry.objects.count() == Operation.objects.count() == 1
    assert list_bike_turns(ride, 1) == [(2, "chance", 22)]


def test_the_same_page_sent_with_another_slot_is_explained(ride: Ride, desktop) -> None:
    url = _url(ride, "desk_note")
    page = desktop.get(url)
    desktop.post(url, _fields(ride, page, 2, **PAPER))

    answer = desktop.post(url, _fields(ride, page, 3, **{**DICE, "choice": "fives"}))

    assert answer.status_code == 409
    assert answer.content.decode().count("This page was already submitted") == 2
    again = desktop.post(url, {**read_form(answer, 1), "choice": "fives"})
    assert again.status_code == 302
    assert list_bike_turns(ride, 1) == [(2, "chance", 22), (3, "fives", 10)]


def test_a_page_whose_turn_was_voided_since_is_explained(ride: Ride, desk, desktop) -> None:
    url = _url(ride, "desk_note")
    data = _fields(ride, desktop.get(url), 2, **PAPER)
    desktop.post(url, data)
    turn = Turn.objects.get()
    amend_turns(
        desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [CorrectionTarget(turn.pk, turn.seq, None)], "wrong bike"
    )

    answer = desktop.post(url, data)

    assert answer.status_code == 409
    assert "its turn has been voided since" in answer.content.decode()
    assert list_bike_turns(ride, 1) == []


def test_a_free_slot_is_filled_after_the_close_too(ride: Ride, add_turn, desk, desktop) -> None:
    """TABLE-2: only the organiser, with a reason."""
    add_turn(1, 1, make_final_turn([6, 6, 6, 6, 5], "sixes"))
    close_contest(desk, uuid4(), ride.contest.pk, "all in")

    answer = _send(desktop, ride, 7, 5, **PAPER)

    assert answer.status_code == 302
    assert list_bike_turns(ride, 7) == [(5, "chance", 22)]
    assert not ReviewItem.objects.exists()


def test_a_turn_missed_at_the_close_is_corrected(ride: Ride, add_turn, desk, desktop) -> None:
    """ROCK-26: a turn recorded as missed at the close is replaced by a paper card that comes in late."""
    add_turn(1, 1, make_final_turn([6, 6, 6, 6, 5], "sixes"))
    close_contest(desk, uuid4(), ride.contest.pk, "all in")
    missed = Turn.objects.get(slot=ride.slots[1])

    answer = desktop.get(_url(ride, "desk_note"), {"slot": ride.slots[1].pk})

    assert answer.status_code == 302
    assert answer.url == f"{_url(ride, 'desk_correct')}?turn={missed.pk}"
    assert "Parks: Missed" in desktop.get(answer.url).content.decode()


def test_a_page_that_was_open_while_the_contest_closed_leads_to_the_missed_turn(
    ride: Ride, add_turn, desk, desktop
) -> None:
    add_turn(1, 1, make_final_turn([6, 6, 6, 6, 5], "sixes"))
    page = desktop.get(_url(ride, "desk_note"))
    close_contest(desk, uuid4(), ride.contest.pk, "all in")

    answer = desktop.post(_url(ride, "desk_note"), _fields(ride, page, 2, **PAPER))

    assert answer.status_code == 409
    assert answer.content.decode().count("Parks: Missed.") == 2
    assert f"?turn={Turn.objects.get(slot=ride.slots[1]).pk}" in answer.content.decode()


def test_a_retired_bikes_paper_card_still_counts(ride: Ride, add_turn, desk, desktop) -> None:
    """TABLE-3: what it rolled before it left."""
    add_turn(1, 1, make_final_turn([6, 6, 6, 6, 5], "sixes"))
    retire_bike(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, "broke down")

    assert _send(desktop, ride, 1, 2, **PAPER).status_code == 302
    assert list_bike_turns(ride, 1) == [(1, "sixes", 24), (2, "chance", 22)]


def test_nothing_is_recorded_before_the_ride_is_open(ride: Ride, desktop) -> None:
    """A first card would freeze the contest's options and slots."""
    Event.objects.update(state=Event.State.DRAFT)

    answer = _send(desktop, ride, 1, 2, **PAPER)

    assert answer.status_code == 422
    assert answer.content.decode().count("The event is not open") == 2
    assert not Operation.objects.exists()
    assert "Not recorded yet" not in desktop.get(_url(ride, "desk_card")).content.decode()


def test_the_crew_has_no_such_link(ride: Ride, crew_client: CrewClient) -> None:
    page = crew_client(ride.rita).get(crew_url(ride, 1, "history")).content.decode()

    assert "/note/" not in page


def test_the_fragment_is_part_of_the_page(ride: Ride, desktop) -> None:
    url, slot = _url(ride, "desk_note"), ride.slots[1].pk
    operation = UUID(int=4)

    fragment = desktop.post(url, {"slot": slot, "operation": operation}, headers=HTMX).content.decode()
    page = desktop.post(url, {"slot": slot, "operation": operation}).content.decode()

    assert "<html" not in fragment
    for words in ("Choose what you want to enter.", "Enter a reason."):
        assert fragment.count(words) == page.count(words) == 2
