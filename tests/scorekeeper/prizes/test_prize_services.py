"""Adding, changing, moving and deleting prizes, and what the log and the number of prize places say about it."""

from __future__ import annotations

import datetime as dt
import json
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from scorekeeper.desk.services.event_copy import copy_event
from scorekeeper.desk.services.event_deletion import delete_event
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.events import EventArchived
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.prizes import services
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.selectors.announcements import order_contests
from scorekeeper.prizes.selectors.prize_lists import list_in_announced_order, list_prizes
from scorekeeper.prizes.services import decide_award
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import reopen_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.prizes.conftest import AddPrize, list_ids

pytestmark = pytest.mark.database


def count_places(ride: Ride) -> int:
    return Contest.objects.values_list("prizes", flat=True).get(pk=ride.contest.pk)


def list_entries(ride: Ride) -> list[tuple[str, dict[str, object]]]:
    entries = Entry.objects.filter(chain_id=ride.contest.pk).order_by("seq")
    return [(entry.kind, json.loads(entry.body)["data"]) for entry in entries]


def test_the_last_place_with_a_prize_is_the_last_that_matters_in_ties(ride: Ride, desk: Actor, add: AddPrize) -> None:
    assert count_places(ride) == 1
    third, second = add("place", place=3), add("place", place=2)
    add("most_sixes")
    assert count_places(ride) == 3

    services.delete_prize(desk, third)
    assert count_places(ride) == 2
    services.delete_prize(desk, second)
    assert count_places(ride) == 1


def test_adding_a_prize_twice_with_one_id_adds_one(ride: Ride, desk: Actor) -> None:
    prize_id, settings = uuid4(), services.PrizeSettings(ride.contest, "Mirror", "", "most_sixes")
    for _ in range(2):
        services.add_prize(desk, ride.event, prize_id, settings)
    assert list(ride.event.prizes.values_list("pk", "position")) == [(prize_id, 1)]


def test_prizes_move_in_the_order_of_announcing(ride: Ride, add: AddPrize) -> None:
    first, _second, third = (add("by_hand", name=name) for name in ("A", "B", "C"))
    services.move_prize(third, upwards=True)
    services.move_prize(first, upwards=True)

    assert [prize.name for prize in list_prizes(ride.event)] == ["A", "C", "B"]


def test_an_event_has_a_limited_number_of_prizes(ride: Ride, add: AddPrize) -> None:
    Prize.objects.bulk_create(
        Prize(event=ride.event, contest=ride.contest, position=number, rule="by_hand")
        for number in range(services.MAX_PRIZES)
    )
    with pytest.raises(services.TooManyPrizes):
        add("by_hand")


def test_while_the_contest_is_open_changes_leave_no_entry(ride: Ride, add: AddPrize) -> None:
    add("place", place=2)
    assert list_entries(ride) == []


@pytest.mark.usefixtures("tied_bikes")
def test_closing_logs_the_prize_list_and_later_changes_are_entries(
    ride: Ride, desk: Actor, add: AddPrize, close
) -> None:
    prize = add("place", place=2, name="Mirror")
    close()
    add("place", place=3)
    services.change_prize(desk, prize, services.PrizeSettings(ride.contest, "Cup", "", "place", 2))

    assert count_places(ride) == 3
    (_, closed), (kind, added), (_, changed) = list_entries(ride)
    assert (kind, closed["prizes"], added["prizes"], changed["prizes"]) == ("prizes", 2, 3, 3)
    assert len({data["prize_list"] for data in (closed, added, changed)}) == 3
    assert not list(list_damage(ride.event))

    services.move_prize(prize, upwards=False)
    assert not list(list_damage(ride.event)), "the order of announcing may change"
    Prize.objects.filter(pk=prize.pk).update(sponsor="Somebody else")
    assert [damage.description for damage in list_damage(ride.event)] == ["its prizes differ from those in its log"]


@pytest.mark.usefixtures("tied_bikes")
def test_after_reopening_prizes_are_settings_again(ride: Ride, desk: Actor, add: AddPrize, close) -> None:
    close()
    reopen_contest(desk, uuid4(), ride.contest.pk, "one is missing")
    add("place", place=4)

    assert [kind for kind, _ in list_entries(ride)] == ["close", "reopen"]
    assert not list(list_damage(ride.event))


def test_the_log_of_a_contest_without_prizes_is_as_it_always_was(ride: Ride, close) -> None:
    close()
    assert list_entries(ride) == [("close", {"prizes": 1})]


def test_prizes_of_an_archived_event_do_not_change(ride: Ride, desk: Actor, add: AddPrize) -> None:
    prize = add("by_hand")
    Event.objects.filter(pk=ride.event.pk).update(archived_at=timezone.now())
    ride.event.refresh_from_db()

    archived = Prize.objects.get(pk=prize.pk)
    for change in (
        lambda: services.delete_prize(desk, archived),
        lambda: add("by_hand"),
        lambda: decide_award(desk, uuid4(), archived, (), list_ids(ride, 1), "the oldest bike"),
    ):
        with pytest.raises(EventArchived):
            change()
    assert ride.event.prizes.count() == 1


def list_order(ride: Ride) -> list[str]:
    return [str(prize) for prize in list_in_announced_order(ride.event)]


def test_special_prizes_come_before_the_podium_and_places_from_the_last_to_the_first(ride: Ride, add: AddPrize) -> None:
    for place, name in ((1, "Gold"), (2, "Silver"), (3, "Bronze")):
        add("place", place=place, name=name)
    add("best_roll", name="Mirror")
    add("by_hand", name="Rider's rider")
    assert list_order(ride) == ["Mirror", "Rider's rider", "Bronze", "Silver", "Gold"]
    assert [str(prize) for prize in list_prizes(ride.event)] == list_order(ride), "as it is stored"


@pytest.mark.parametrize(("goal", "last"), [("high", "highest_total"), ("low", "lowest_total")])
def test_a_prize_that_the_winner_of_the_contest_has_comes_last(ride: Ride, add: AddPrize, goal: str, last: str) -> None:
    ride.contest.game_key, ride.contest.options = "dice-run", {"goal": goal}
    ride.contest.save()
    add("place", place=1, name="place")
    for rule in ("highest_total", "lowest_total"):
        add(rule, name=rule)
    (first,) = {"highest_total", "lowest_total"} - {last}
    assert list_order(ride) == [first, "place", last]


def test_a_special_prize_moves_past_places_and_places_keep_their_order(ride: Ride, add: AddPrize) -> None:
    mirror, gold = add("best_roll", name="Mirror"), add("place", place=1, name="Gold")
    silver = add("place", place=2, name="Silver")
    services.move_prize(mirror, upwards=False)
    assert list_order(ride) == ["Silver", "Mirror", "Gold"]
    services.move_prize_to(mirror, 99)
    assert list_order(ride) == ["Silver", "Gold", "Mirror"]
    services.move_prize(gold, upwards=True)
    services.move_prize_to(gold, 0)
    assert list_order(ride) == ["Silver", "Gold", "Mirror"]
    services.move_prize_to(mirror, 0)
    services.move_prize(silver, upwards=True)
    assert list_order(ride) == ["Silver", "Mirror", "Gold"]


@pytest.fixture
def two_contests(ride: Ride, add: AddPrize, rogue_contest: Contest) -> dict[str, Prize]:
    """A ride with prizes for the places of two contests; one prize names the winner of the first."""
    prizes = [("A1", 1, ride.contest), ("A2", 2, ride.contest), ("B1", 1, rogue_contest), ("B2", 2, rogue_contest)]
    found = {name: add("place", contest, place=place, name=name) for name, place, contest in prizes}
    return {**found, "Total": add("highest_total", name="Total"), "Mirror": add("best_roll", name="Mirror")}


def test_a_place_that_passes_one_of_another_contest_takes_its_contest_along(
    ride: Ride, two_contests: dict[str, Prize]
) -> None:
    assert list_order(ride) == ["Mirror", "A2", "A1", "B2", "B1", "Total"]
    services.move_prize(two_contests["A1"], upwards=False)
    assert list_order(ride) == ["Mirror", "B2", "B1", "A2", "A1", "Total"]
    assert [str(prize) for prize in list_prizes(ride.event)] == list_order(ride), "as it is stored"
    services.move_prize(two_contests["A2"], upwards=True)
    assert list_order(ride) == ["Mirror", "A2", "A1", "B2", "B1", "Total"]
    services.move_prize(two_contests["A1"], upwards=True)
    assert list_order(ride) == ["Mirror", "A2", "A1", "B2", "B1", "Total"], "not past a place of its contest"


def test_a_place_is_dragged_past_another_contest(ride: Ride, two_contests: dict[str, Prize]) -> None:
    services.move_prize_to(two_contests["Mirror"], 2)
    assert list_order(ride) == ["A2", "A1", "Mirror", "B2", "B1", "Total"]
    services.move_prize_to(two_contests["A2"], 5)
    assert list_order(ride) == ["Mirror", "B2", "B1", "A2", "A1", "Total"]
    services.move_prize_to(two_contests["A1"], 0)
    assert list_order(ride) == ["Mirror", "A2", "A1", "B2", "B1", "Total"]


def test_a_prize_that_names_the_winner_stays_after_the_places_of_its_contest_unless_it_is_moved(
    ride: Ride, two_contests: dict[str, Prize]
) -> None:
    services.move_prize_to(two_contests["Total"], 3)
    assert list_order(ride) == ["Mirror", "A2", "A1", "Total", "B2", "B1"]
    services.move_prize(two_contests["B2"], upwards=True)
    assert list_order(ride) == ["Mirror", "A2", "A1", "B2", "Total", "B1"]
    services.move_prize(two_contests["B2"], upwards=True)
    assert list_order(ride) == ["Mirror", "B2", "B1", "A2", "A1", "Total"]
    services.move_prize_to(two_contests["Total"], 0)
    assert list_order(ride) == ["Total", "Mirror", "B2", "B1", "A2", "A1"]


def test_a_new_place_joins_the_places_of_its_contest(
    ride: Ride, add: AddPrize, two_contests: dict[str, Prize], rogue_contest: Contest
) -> None:
    add("place", place=3, name="A3")
    services.move_prize(two_contests["A1"], upwards=False)
    add("place", rogue_contest, place=3, name="B3")
    assert list_order(ride) == ["Mirror", "B3", "B2", "B1", "A3", "A2", "A1", "Total"]


def test_the_reveal_goes_through_the_contests_in_the_order_of_the_prizes(
    ride: Ride, two_contests: dict[str, Prize], rogue_contest: Contest
) -> None:
    other = Contest.objects.create(
        event=ride.event, name="Go", slug="go", ordinal=1, game_key="go-500", rules_version=1
    )
    shown = [ride.contest, other, rogue_contest]
    assert order_contests(ride.event, shown) == shown
    services.move_prize(two_contests["A1"], upwards=False)
    assert order_contests(ride.event, shown) == [rogue_contest, other, ride.contest]
    assert order_contests(ride.event, shown[:2]) == shown[:2]


def test_an_older_list_with_the_first_place_first_is_announced_from_the_last(ride: Ride, add: AddPrize) -> None:
    names = {}
    for place, name in ((1, "Gold"), (2, "Silver")):
        names[name] = add("place", place=place, name=name)
    names["Mirror"] = add("best_roll", name="Mirror")
    for position, name in enumerate(("Gold", "Mirror", "Silver"), 1):
        Prize.objects.filter(pk=names[name].pk).update(position=position)
    assert list_order(ride) == ["Silver", "Gold", "Mirror"], "the mirror followed the first place"


def test_a_copied_event_has_the_same_prizes_and_no_winners(ride: Ride, desk: Actor, alice: User, add: AddPrize) -> None:
    add("place", place=3, name="Cup", sponsor="Ozweld")
    add("best_roll", stop_id=ride.stops[1].pk)
    by_hand = add("by_hand")
    decide_award(desk, uuid4(), by_hand, (), list_ids(ride, 4), "the oldest bike")

    event = copy_event(ride.event, alice, name="Next year", date=dt.date(2027, 6, 19), with_roster=True)

    contest = event.contests.get()
    prizes = list(list_prizes(event))
    assert [(prize.name, prize.sponsor, prize.rule, prize.place) for prize in prizes] == [
        ("", "", "best_roll", None),
        ("", "", "by_hand", None),
        ("Cup", "Ozweld", "place", 3),
    ]
    assert {prize.contest_id for prize in prizes} == {contest.pk}
    assert (prizes[0].stop, contest.prizes) == (event.stops.get(name="Parks"), 3)
    assert not Entry.objects.filter(chain__event=event).exists()


def test_a_deleted_event_takes_its_prizes_along(ride: Ride, desk: Actor, add: AddPrize) -> None:
    add("best_roll", stop_id=ride.stops[1].pk)
    decide_award(desk, uuid4(), add("by_hand"), (), list_ids(ride, 4), "the oldest bike")

    delete_event(ride.event)

    assert not Prize.objects.exists()
