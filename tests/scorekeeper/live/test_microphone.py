"""`/desk/events/<slug>/microphone/`: the script of the prize giving, and how it moves the reveal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.audience.reveals import Announcement, get_reveal, get_reveal_steps, get_running_reveal
from scorekeeper.audience.services import (
    lift_freeze,
    move_reveal,
    replace_announced_award,
    reveal_to_step,
    start_reveal,
)
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event, Freeze
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import OperationReason
from scorekeeper.live.microphone_script import get_script
from scorekeeper.live.script_items import ScriptItem, ScriptPerson, get_current_item
from scorekeeper.live.selectors.screen import get_screen, list_screen_contests
from scorekeeper.players.selectors import get_public_names
from scorekeeper.prizes.selectors.announcements import arrange_announcements, list_prize_changes
from scorekeeper.prizes.services import (
    PrizeSettings,
    change_prize,
    decide_award,
    delete_prize,
    move_prize,
    move_prize_to,
)
from scorekeeper.standings.models import FrozenStandings, PrizeGiving
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.page_forms import read_forms
from tests.scorekeeper.prizes.conftest import AddPrize, add
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_final_turn
from tests.scorekeeper.scorecards.test_concurrent_merging import run_in_sequence
from tests.scorekeeper.standings.conftest import close, cut, tied_bikes, update_standings

__all__ = ["add", "add_turn", "close", "cut", "desk", "tied_bikes", "update_standings"]


def begin_reveal(event: Event) -> None:
    start_reveal(event, list_screen_contests(get_screen(event)), arrange_announcements)


def get_reveal_digest(event: Event) -> str:
    return get_reveal_steps(event, list_screen_contests(get_screen(event)), arrange_announcements).get_digest()


@pytest.fixture
def alice_desk(alice: User, sign_in: SignIn) -> Client:
    """The browser of an organiser."""
    return sign_in(alice)


@pytest.fixture
def three_places(add_turn: Callable[..., Any], update_standings: Callable[[], None]) -> None:
    """Bike 1 is first, 2 second and 3 third."""
    for number, dice in ((1, [6, 6, 6, 6, 1]), (2, [6, 6, 6, 1, 1]), (3, [6, 6, 1, 1, 1])):
        add_turn(number, 1, make_final_turn(dice, "sixes"))
    update_standings()


def list_items(ride: Ride) -> list[ScriptItem]:
    return list(get_script(ride.event).items)


def list_headings(ride: Ride) -> list[tuple[int, str]]:
    return [(item.step, item.heading) for item in list_items(ride)]


def list_announcements(ride: Ride) -> Sequence[Announcement]:
    reveal = get_running_reveal(ride.event)
    return () if reveal is None else reveal.announcements


def get_step() -> int:
    return PrizeGiving.objects.get().position


def make_move(ride: Ride, to: int, seen: int | tuple[int, int], **changes: object) -> Mapping[str, object]:
    """What a page of the microphone sends."""
    lowest, highest = (seen, seen) if isinstance(seen, int) else seen
    digest = get_reveal_digest(ride.event)
    return {"to": to, "lowest": lowest, "highest": highest, "reveal": digest, **changes}


@pytest.mark.usefixtures("three_places")
def test_every_step_of_the_reveal_is_an_item_with_names_machine_and_total(ride: Ride) -> None:
    Bike.objects.filter(pk=ride.bikes[3].pk).update(make="Triumph", model="Bonneville")
    assert list_headings(ride) == [(0, ride.contest.name), (1, "3rd place"), (2, "2nd place"), (3, "1st place")]

    opening, third, *_rest = list_items(ride)

    assert opening.remark == "The screens show the name of the contest."
    (person,) = third.people
    assert (person.number, person.machine, person.total) == ("3", "Triumph Bonneville", "Total: 12")
    assert person.people
    assert third.summary == f"3rd place, {ride.contest.name}: {person.name}"


@pytest.mark.usefixtures("three_places")
def test_every_prize_is_an_item_in_the_order_of_the_list_and_a_place_has_its_prize(ride: Ride, add: AddPrize) -> None:
    add("lowest_card", name="Spark plug")
    add("place", place=3, name="Mug", sponsor="Ozweld")
    six_pack = add("most_sixes", name="Six-pack", sponsor="Foothills")
    add("place", place=1, name="Cup")
    add("place", place=2)
    move_prize(six_pack, upwards=False)

    assert list_headings(ride) == [
        (0, "Spark plug"),
        (1, ride.contest.name),
        (2, "3rd place"),
        (3, "Six-pack"),
        (4, "2nd place"),
        (5, "1st place"),
    ]
    items = {item.heading: item for item in list_items(ride)}
    (mug,) = items["3rd place"].prizes
    assert (mug.title, mug.sponsor, mug.remark) == ("Mug", "Ozweld", "")
    assert [prize.title for prize in items["1st place"].prizes] == ["Cup"]
    assert items["2nd place"].prizes == (), "the heading says it"
    (person,) = items["Six-pack"].people
    assert (person.number, person.how, items["Six-pack"].sponsor) == ("1", "4 sixes over 1 turn", "Foothills")


@pytest.mark.usefixtures("three_places")
def test_a_prize_tells_no_total_that_a_later_place_will_have(ride: Ride, add: AddPrize, desk: Actor) -> None:
    by_hand = add("by_hand", name="Rider's rider")
    prizes = [by_hand, add("most_sixes", name="Six-pack"), add("best_roll", name="Mirror")]
    decide_award(desk, uuid4(), by_hand, (), [ride.bikes[3].pk], "helped")
    (rider,), (six,), (roll,) = (item.people for item in list_items(ride)[:3])
    assert (rider.number, rider.total) == ("3", ""), "the third place is announced later"
    assert (six.number, six.total, six.how) == ("1", "", "4 sixes over 1 turn")
    assert (roll.number, roll.total, roll.how) == ("1", "", ""), "it was the only turn, so its points are the total"

    add("place", place=3)
    for prize in prizes:
        move_prize_to(prize, 99)

    (rider,), (six,), (roll,) = (item.people for item in list_items(ride)[2:5])
    assert rider.total == "Total: 12", "the third place has been announced"
    assert (six.total, roll.total, roll.how) == ("", "", ""), "the first has not"

    add("place", place=1)
    move_prize_to(prizes[2], 99)
    (roll,) = list_items(ride)[-1].people
    assert (roll.total, bool(roll.how)) == ("Total: 24", True)


@pytest.mark.usefixtures("three_places")
def test_nothing_of_the_result_is_public_while_a_prize_is_announced_before_it(
    ride: Ride, add: AddPrize, client: Client
) -> None:
    add("most_sixes", name="Six-pack", sponsor="Foothills")
    begin_reveal(ride.event)
    assert (get_step(), Freeze.objects.get().step) == (0, None)
    assert not FrozenStandings.objects.exclude(revealed_from=None).exists()
    page = client.get(reverse("live:screen", args=[ride.event.slug])).content.decode()
    for text in ("Prize giving", "Six-pack", "Given by Foothills", "4 sixes over 1 turn"):
        assert text in page
    assert "board-table" not in page

    reveal_to_step(ride.event, 1)
    assert Freeze.objects.get().step == 0
    reveal_to_step(ride.event, 0)
    assert Freeze.objects.get().step is None
    lift_freeze(ride.event)
    assert not PrizeGiving.objects.exists()


@pytest.mark.usefixtures("three_places")
def test_the_screen_says_what_the_microphone_says_with_names_as_the_event_shows_people(
    ride: Ride, add: AddPrize, client: Client
) -> None:
    Event.objects.update(people_shown="numbers")
    Bike.objects.update(make="Triumph", model="Bonneville")
    add("most_sixes", name="Six-pack")
    add("place", place=1, name="Cup", sponsor="Ozweld")
    event = Event.objects.get(pk=ride.event.pk)
    begin_reveal(event)
    for step, item in enumerate(get_script(event).items):
        reveal_to_step(event, step)
        reveal = get_reveal(event)
        assert reveal is not None
        shown = get_current_item(event, reveal, get_public_names(event))
        assert shown is not None
        assert (shown.heading, shown.subject, shown.prizes, shown.remark) == (
            item.heading,
            item.subject,
            item.prizes,
            item.remark,
        )
        assert [(one.number, one.total, one.how) for one in shown.people] == [
            (one.number, one.total, one.how) for one in item.people
        ]
        page = client.get(reverse("live:screen", args=[event.slug])).content.decode()
        assert item.heading in page
        assert not any(one.people and one.people in page for one in item.people), "no full name"
        assert all(one.machine == "Triumph Bonneville" for one in item.people)
        assert "Bonneville" not in page, "make and model tell a rider as well as a name does"
    Event.objects.update(people_shown="names")
    assert "Triumph Bonneville" in client.get(reverse("live:screen", args=[event.slug])).content.decode()


@pytest.mark.usefixtures("three_places")
def test_a_prize_decided_during_the_reveal_is_announced_with_its_reason(
    ride: Ride, add: AddPrize, desk: Actor, client: Client
) -> None:
    prize = add("by_hand", name="Rider's rider")
    begin_reveal(ride.event)
    before = get_reveal_digest(ride.event)
    assert list_items(ride)[0].remark == "Nobody yet"

    decide_award(desk, uuid4(), prize, (), [ride.bikes[2].pk], "towed bike 3 back on the road")

    item = list_items(ride)[0]
    assert [person.number for person in item.people] == ["2"]
    assert item.remark == "Decided by the organisers: towed bike 3 back on the road"
    assert get_reveal_digest(ride.event) != before, "tablets load the script again"
    page = client.get(reverse("live:screen", args=[ride.event.slug])).content.decode()
    assert "towed bike 3 back on the road" in page
    OperationReason.objects.all().delete()
    assert list_items(ride)[0].remark == "Decided by the organisers", "an erased reason is gone here too"


@pytest.mark.usefixtures("three_places")
def test_the_pages_say_when_the_prizes_have_changed_since_the_show_started(
    ride: Ride, add: AddPrize, desk: Actor, alice_desk: Client
) -> None:
    cup, mug, tent = (add("by_hand", name=name) for name in ("Cup", "Mug", "Tent"))
    add("place", place=1)
    pages = [reverse(name, args=[ride.event.slug]) for name in ("live:settings", "prizes:list")]
    microphone = reverse("live:microphone", args=[ride.event.slug])
    begin_reveal(ride.event)
    decide_award(desk, uuid4(), tent, (), [ride.bikes[2].pk], "slept in the rain")
    for page in (*pages, microphone):
        assert "since the show started" not in get_visible_text(alice_desk.get(page)), page

    change_prize(desk, cup, PrizeSettings(ride.contest, "Big cup", "", "by_hand"))
    delete_prize(desk, mug)
    add("most_sixes")

    for page in pages:
        text = get_visible_text(alice_desk.get(page))
        assert "The show uses the prizes as they were when it started" in text
        assert "Changed: Big cup" in text
        assert "Deleted: Mug" in text
        assert "New: Most sixes" in text
        assert "Changed: Tent" not in text, "a decision is announced as it is made"
    assert "The prizes have changed since the show started" in get_visible_text(alice_desk.get(microphone))

    lift_freeze(ride.event)
    assert list_prize_changes(ride.event) == []


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("three_places")
def test_a_decision_and_a_move_of_the_reveal_at_the_same_time_do_not_wait_for_each_other(
    ride: Ride, add: AddPrize
) -> None:
    add("by_hand", name="Rider's rider")
    begin_reveal(ride.event)
    (announced,) = [award for one in list_announcements(ride) for award in one.awards]
    decided = replace(announced, decision_id=uuid4())

    run_in_sequence(
        Freeze.objects.filter(event=ride.event),
        [lambda: reveal_to_step(ride.event, 2), lambda: replace_announced_award(ride.event, decided)],
    )

    assert get_step() == 2
    assert [award for one in list_announcements(ride) for award in one.awards] == [decided]


@pytest.mark.usefixtures("three_places")
def test_a_screen_that_is_drawn_just_as_the_reveal_ends_shows_no_place(ride: Ride, add: AddPrize) -> None:
    """The announcements were read before the end, and the results after it."""
    add("place", place=1, name="Cup")
    add("place", place=1, name="Wreath")
    begin_reveal(ride.event)
    reveal_to_step(ride.event, 3)
    FrozenStandings.objects.all().delete()

    reveal = get_reveal(ride.event)

    assert reveal is not None
    assert get_current_item(ride.event, reveal, {}) == ScriptItem(3, "Prize giving", "")


@pytest.mark.usefixtures("three_places")
def test_a_reveal_that_an_older_version_started_goes_on_with_its_places(ride: Ride, add: AddPrize) -> None:
    add("most_sixes", name="Six-pack")
    start_reveal(ride.event, [ride.contest])
    reveal_to_step(ride.event, 1)
    PrizeGiving.objects.all().delete()
    assert list_headings(ride) == [(0, ride.contest.name), (1, "3rd place"), (2, "2nd place"), (3, "1st place")]
    move_reveal(ride.event, (1, 1), 2)
    assert (get_step(), Freeze.objects.get().step) == (2, 2)


@pytest.mark.usefixtures("three_places")
def test_a_reveal_that_a_bundle_brought_along_leaves_no_contest_behind(ride: Ride, add: AddPrize) -> None:
    """Bundles have no announcements. Before the first place, the event is only frozen."""
    add("most_sixes", name="Six-pack")
    other = Contest.objects.get(pk=ride.contest.pk)
    other.pk, other.slug, other.ordinal, other._state.adding = uuid4(), "late-run", 2, True
    other.save()
    start_reveal(ride.event, [other, ride.contest], arrange_announcements)
    PrizeGiving.objects.all().delete()

    start_reveal(ride.event, [ride.contest], arrange_announcements)

    reveal = get_running_reveal(ride.event)
    assert reveal is not None
    assert [contest for contest, _board in reveal.results] == [ride.contest]
    reveal_to_step(ride.event, 2)
    assert dict(FrozenStandings.objects.values_list("contest", "revealed_from")) == {ride.contest.pk: 3, other.pk: None}


@pytest.mark.parametrize(
    ("names", "is_long"),
    [(["Ann", "Bo"], False), (["Ann", "Bo", "Cy"], True), (["A" * 60], True)],
)
def test_items_with_long_names_or_many_people_are_set_smaller(names: list[str], is_long: bool) -> None:
    people = tuple(ScriptPerson("1", name, "", "", "") for name in names)
    assert ScriptItem(0, "1st place", "Late run", people).is_long is is_long


@pytest.mark.usefixtures("three_places")
def test_a_prize_for_a_place_that_nobody_has_is_said_at_the_start(ride: Ride, add: AddPrize) -> None:
    add("place", place=9, name="Flag")
    (flag,) = list_items(ride)[0].prizes
    assert (flag.title, flag.remark) == ("Flag", "Nobody yet")
    assert get_script(ride.event).undecided == 1


@pytest.mark.usefixtures("tied_bikes")
def test_tied_rows_are_one_item_and_a_cut_says_against_whom_and_with_which_cards(
    ride: Ride, add: AddPrize, close, cut, update_standings
) -> None:
    add("place", place=3, name="Mug")
    update_standings()
    close()
    tied = list_items(ride)[-1]
    assert (tied.heading, len(tied.people)) == ("1st place, tied", 3)
    assert [prize.remark for prize in tied.prizes] == ["Tied: cards to be cut"]

    cut({1: "QS", 2: "KH", 3: "AD"})
    update_standings()

    first = list_items(ride)[-1]
    assert first.heading == "1st place"
    (person,) = first.people
    names = {person.number: person.name for item in list_items(ride) for person in item.people}
    assert person.how == f"Tied with {names['2']} and {names['1']}. Cut cards: ace of diamonds"


@pytest.mark.usefixtures("three_places")
def test_the_script_of_a_reveal_stays_as_it_was_when_it_started(ride: Ride, add_turn, update_standings) -> None:
    begin_reveal(ride.event)
    before = list_headings(ride), get_reveal_digest(ride.event)
    add_turn(3, 2, make_final_turn([5, 5, 5, 5, 5], "yahtzee"))
    update_standings()
    assert (list_headings(ride), get_reveal_digest(ride.event)) == before
    assert list_items(ride)[-1].people[0].number == "1"

    lift_freeze(ride.event)
    begin_reveal(ride.event)

    assert list_items(ride)[-1].people[0].number == "3"
    assert get_reveal_digest(ride.event) != before[1]


@pytest.mark.usefixtures("three_places")
def test_a_prize_stays_with_whoever_had_it_when_the_reveal_started(
    ride: Ride, add: AddPrize, add_turn, update_standings
) -> None:
    add("place", place=1, name="Cup")
    add("most_sixes", name="Six-pack")
    begin_reveal(ride.event)
    before = list_items(ride)
    add_turn(3, 2, make_final_turn([6, 6, 6, 6, 6], "yahtzee"))
    update_standings()
    assert list_items(ride) == before


@pytest.mark.usefixtures("three_places")
@pytest.mark.parametrize(
    ("at", "seen", "to", "expected"),
    [
        (1, (1, 1), 2, 2),  # forward
        (1, (1, 1), 0, 0),  # back
        (2, (1, 1), 2, 2),  # a double tap, or the second tablet's
        (3, (1, 1), 2, 3),  # someone else is further on: never back
        (3, (1, 1), 0, 3),  # back, of a tablet that does not know
        (2, (0, 0), 3, 3),  # was offline, and goes on
        (2, (1, 2), 1, 1),  # back, after a move whose answer was lost
        (1, (1, 2), 3, 3),
        (1, (1, 1), 99, 3),
    ],
)
def test_a_move_counts_once_and_moves_of_another_tablet_are_not_undone(
    ride: Ride, at: int, seen: tuple[int, int], to: int, expected: int
) -> None:
    begin_reveal(ride.event)
    reveal_to_step(ride.event, at)
    move_reveal(ride.event, seen, to)
    assert get_step() == expected


@pytest.mark.usefixtures("three_places")
def test_a_repeated_move_does_not_publish_another_change(ride: Ride) -> None:
    begin_reveal(ride.event)
    move_reveal(ride.event, (0, 0), 1)
    version = Freeze.objects.get().version
    move_reveal(ride.event, (0, 0), 1)
    assert Freeze.objects.get().version == version


@pytest.mark.usefixtures("three_places")
def test_a_move_without_a_reveal_starts_none(ride: Ride) -> None:
    move_reveal(ride.event, (0, 0), 1)
    assert not Freeze.objects.filter(step__isnull=False).exists()


@pytest.mark.usefixtures("three_places")
def test_without_scripts_the_buttons_go_from_item_to_item(ride: Ride, add: AddPrize, alice_desk: Client) -> None:
    add("place", place=3)
    add("most_sixes", name="Six-pack")
    page = reverse("live:microphone", args=[ride.event.slug])
    start = reverse("live:start_announcing", args=[ride.event.slug])
    assert b"Start the reveal" in alice_desk.get(page).content
    assert alice_desk.post(start).headers["Location"] == page
    response = alice_desk.get(page)
    assert response.context["current"] == 0

    for position in (1, 2, 3, 2):
        move = make_move(ride, position, get_step())
        sent = alice_desk.post(reverse("live:microphone_step", args=[ride.event.slug]), move)
        assert sent.status_code == 302
        response = alice_desk.get(sent.headers["Location"])
        assert (response.context["current"], get_step()) == (position, position)


@pytest.mark.usefixtures("three_places")
def test_a_script_is_told_where_the_screens_are(ride: Ride, alice_desk: Client) -> None:
    step = reverse("live:microphone_step", args=[ride.event.slug])
    as_data = {"Accept": "application/json"}
    assert alice_desk.get(step).json()["step"] is None
    begin_reveal(ride.event)
    digest = get_reveal_digest(ride.event)

    assert alice_desk.post(step, make_move(ride, 2, 0), headers=as_data).json() == {"step": 2, "reveal": digest}
    assert alice_desk.get(step).json() == {"step": 2, "reveal": digest}
    stale = make_move(ride, 0, 2, reveal="of another reveal")
    assert alice_desk.post(step, stale, headers=as_data).json() == {"step": 2, "reveal": digest}
    for wrong in ({"to": "-1"}, {"lowest": "x"}, {"highest": "9" * 99}):
        assert alice_desk.post(step, {**make_move(ride, 0, 2), **wrong}, headers=as_data).status_code == 400
    assert get_step() == 2


@pytest.mark.usefixtures("three_places")
def test_a_page_of_an_old_reveal_says_so(ride: Ride, alice_desk: Client) -> None:
    step = reverse("live:microphone_step", args=[ride.event.slug])
    response = alice_desk.post(step, make_move(ride, 1, 0), follow=True)
    assert b"This is the current script" in response.content
    assert not Freeze.objects.filter(step__isnull=False).exists()


@pytest.mark.usefixtures("three_places")
def test_only_the_rides_organisers_see_it(
    ride: Ride, sign_in: SignIn, alice: User, charlie: User, client: Client
) -> None:
    for name in ("microphone", "microphone_step"):
        url = reverse(f"live:{name}", args=[ride.event.slug])
        assert client.get(url).status_code == 302
        assert sign_in(charlie).get(url).status_code == 404
        assert sign_in(alice).get(url).headers["Cache-Control"] == "private, no-store"
    assert sign_in(charlie).post(reverse("live:start_announcing", args=[ride.event.slug])).status_code == 404
    assert not Freeze.objects.exists()


def test_an_event_without_contests_has_nothing_to_announce(ride: Ride, alice_desk: Client, desk: Actor) -> None:
    Contest.objects.all().delete()
    response = alice_desk.get(reverse("live:microphone", args=[ride.event.slug]))
    assert b"There is nothing to announce yet" in response.content
    assert b"Start the reveal" not in response.content


def test_the_end_of_the_script_shows_everyone_the_official_results(
    ride: Ride, alice_desk: Client, three_places: None
) -> None:
    begin_reveal(ride.event)
    url = reverse("live:microphone", args=[ride.event.slug])
    assert "R.O.C.K. Yahtzee is not official: everyone will see its live standings." in get_visible_text(
        alice_desk.get(url)
    )

    Contest.objects.update(status=Contest.Status.OFFICIAL)
    page = alice_desk.get(url)
    assert "Show everyone the official results" in get_visible_text(page)
    [form] = [form for form in read_forms(page.content.decode()) if "next" in form]
    assert form["next"] == reverse("live:settings", args=[ride.event.slug])


def test_ending_the_prize_giving_says_what_everyone_sees(ride: Ride, alice_desk: Client, three_places: None) -> None:
    begin_reveal(ride.event)
    settings = reverse("live:settings", args=[ride.event.slug])

    page = alice_desk.post(reverse("live:steer", args=[ride.event.slug]), {"to": "live", "next": settings}, follow=True)

    assert page.wsgi_request.path == settings
    assert get_visible_text(page).count("Everyone now sees live standings") == 1
    assert "Everyone sees live standings" in get_visible_text(page)
    assert Freeze.objects.get().at is None


@pytest.mark.parametrize("address", ["https://example.com/", "//example.com/", ""])
def test_the_buttons_lead_nowhere_else(ride: Ride, alice_desk: Client, address: str) -> None:
    page = alice_desk.post(reverse("live:steer", args=[ride.event.slug]), {"to": "live", "next": address})

    assert page["Location"] == reverse("live:settings", args=[ride.event.slug])
