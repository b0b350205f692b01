"""What is counted from the log: by set of dice and kind, new throws only, as the log is now."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from games.core.fairness import get_share, judge_sample
from scorekeeper.crew.models import DiceSet
from scorekeeper.dice.models import DiceAudit
from scorekeeper.dice.selectors import count_unsplit_turns, judge_event_dice
from scorekeeper.dice.services import ASK_AGAIN_AFTER, count_dice, request_audit
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.large_ride import make_large_ride
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.scorecards.conftest import make_final_turn, make_paper_turn

AddTurn = Callable[..., Any]
ROLLS = [
    {"type": "roll", "dice": [6, 6, 1, 2, 3]},
    {"type": "roll", "keep": [6, 6], "dice": [6, 1, 1]},
    {"type": "score", "box": "sixes"},
]


@pytest.fixture
def dice_set(ride: Ride) -> DiceSet:
    found = ride.rita.group.dice_sets.order_by("ordinal").first()
    return found or DiceSet.objects.create(group=ride.rita.group, name="Rita’s dice", ordinal=1)


def get_counts(ride: Ride) -> dict[tuple[str, str], list[int]]:
    return {(each["source"], each["id"]): each["counts"] for each in judge_event_dice(ride.event)}


def test_new_throws_are_counted_for_the_dice_set_that_the_turn_names(
    ride: Ride, add_turn: AddTurn, dice_set: DiceSet
) -> None:
    add_turn(1, 1, ROLLS, dice_set_id=dice_set.pk)
    add_turn(2, 1, ROLLS, dice_set_id=dice_set.pk)

    (found,) = judge_event_dice(ride.event)

    assert (found["source"], found["id"]) == ("set", str(dice_set.pk))
    assert found["counts"] == [6, 2, 2, 0, 0, 6], "the sixes that stayed are counted once"
    judgement = judge_sample(found["counts"], [1] * 6, get_share(found["number"]))
    assert (found["level"], found["one_in"]) == (judgement.level, judgement.one_in)


def test_without_a_dice_set_the_throws_belong_to_the_stop(ride: Ride, add_turn: AddTurn) -> None:
    add_turn(1, 1, ROLLS)
    add_turn(1, 2, [{"type": "roll", "dice": [4, 4, 4, 4, 4]}, {"type": "score", "box": "fours"}])

    assert get_counts(ride) == {
        ("stop", str(ride.slots[0].stop_id)): [3, 1, 1, 0, 0, 3],
        ("stop", str(ride.slots[1].stop_id)): [0, 0, 0, 5, 0, 0],
    }


def test_final_dice_and_paper_are_not_counted_as_throws(ride: Ride, add_turn: AddTurn) -> None:
    add_turn(1, 1, make_final_turn([6, 6, 6, 6, 6], "sixes"))
    add_turn(2, 1, make_paper_turn("sixes", 24))
    add_turn(3, 1, [{"type": "forfeit"}])

    assert judge_event_dice(ride.event) == []
    assert count_unsplit_turns(ride.event) == 2


def test_every_table_has_dice_of_its_own(
    ride: Ride, add_game_table: Callable[..., UUID], add_action: Callable[..., Any]
) -> None:
    tables = [add_game_table("rogue", "Ann", "Ben") for _ in range(1)]
    add_action(tables[0], {"seat": 0, "type": "roll", "dice": ["C", 2, 2, 3, 4, 6]})
    add_action(tables[0], {"seat": 0, "type": "keep", "dice": ["C"]})
    add_action(tables[0], {"seat": 0, "type": "roll", "dice": [2, 2, 3, 4, 6]})

    assert get_counts(ride) == {("table", str(tables[0])): [4, 2, 2, 0, 2, 1]}


def test_the_number_of_a_sample_does_not_depend_on_what_was_thrown(
    ride: Ride, add_turn: AddTurn, dice_set: DiceSet
) -> None:
    add_turn(2, 2, ROLLS)
    before = {each["id"]: each["number"] for each in judge_event_dice(ride.event)}
    add_turn(1, 1, ROLLS, dice_set_id=dice_set.pk)

    after = {each["id"]: each["number"] for each in judge_event_dice(ride.event)}

    assert before.items() <= after.items()
    assert after[str(dice_set.pk)] == 0


def test_the_page_has_the_dice_counted_once_and_again_when_entries_arrive(
    ride: Ride,
    organiser: Client,
    add_turn: AddTurn,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    url = reverse("dice:audit", args=[ride.event.slug])
    add_turn(1, 1, ROLLS)

    with django_capture_on_commit_callbacks() as sent:
        page = get_page_text(organiser.get(url))
    with django_capture_on_commit_callbacks() as sent_again:
        organiser.get(url)
    assert (len(sent), len(sent_again)) == (1, 0), "the page asks every two seconds, the worker is asked once"
    assert "The dice are being counted" in page
    assert "hx-get" in page

    count_dice(ride.event.pk)
    count_dice(ride.event.pk)  # a message that arrives twice

    page = get_page_text(organiser.get(url))
    assert "being counted" not in page
    assert f"{ride.stops[0].name}, dice set not named: Dice, 8 throws" in page
    assert "So far there are too few throws" in page

    add_turn(2, 1, ROLLS)
    DiceAudit.objects.update(requested_at=DiceAudit.objects.get().requested_at - ASK_AGAIN_AFTER * 2)
    with django_capture_on_commit_callbacks() as sent:
        part = get_page_text(organiser.get(url, headers={"HX-Request": "true"}))
    assert len(sent) == 1
    assert "8 throws" in part
    assert "being counted" in part
    assert "<html" not in part


def test_loaded_dice_raise_an_alarm_that_says_nothing_about_riders(
    ride: Ride, organiser: Client, add_turn: AddTurn, dice_set: DiceSet
) -> None:
    request_audit(ride.event)
    for number in (1, 2, 3, 4):
        for slot, box in ((1, "sixes"), (2, "chance"), (3, "fives")):
            sixes = [{"type": "roll", "dice": [6, 6, 6, 5, 6]}, {"type": "score", "box": box}]
            add_turn(number, slot, sixes, dice_set_id=dice_set.pk)
    count_dice(ride.event.pk)

    response = organiser.get(reverse("dice:audit", args=[ride.event.slug]))
    page = get_page_text(response)

    assert "These throws fit fair dice badly" in page
    assert "Throw this set on the page “Test these dice” until it has 500 faces" in page
    names = ride.event.players.values_list("name", flat=True)
    words = get_visible_text(response)
    assert not [name for name in names if re.search(rf"\b{re.escape(name)}\b", words)]


def test_counting_the_dice_of_a_deleted_event_does_nothing(db: None) -> None:
    count_dice(uuid4())

    assert not DiceAudit.objects.exists()


def test_the_page_lists_a_hundred_sets_that_fit_fair_dice_and_counts_the_others(
    ride: Ride, organiser: Client, add_turn: AddTurn
) -> None:
    add_turn(1, 1, ROLLS)
    request_audit(ride.event)
    count_dice(ride.event.pk)
    audit = DiceAudit.objects.get()
    (sample,) = audit.samples
    DiceAudit.objects.update(samples=[{**sample, "number": number} for number in range(103)])

    page = get_page_text(organiser.get(reverse("dice:audit", args=[ride.event.slug])))

    assert page.count("<details") == 100 + 1, "and the menu"
    assert "3 more sets with fewer throws fit fair dice, too." in page


def test_counting_takes_as_many_statements_for_60_seats_as_for_12(alice: User) -> None:
    lengths = []
    for seats in (12, 60):
        event = make_large_ride(alice, seats).event
        with CaptureQueriesContext(connection) as statements:
            assert judge_event_dice(event)
        lengths.append(len(statements))

    assert lengths[0] == lengths[1]
