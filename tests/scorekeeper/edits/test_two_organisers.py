"""Two organisers open the same page, and one after the other saves it: neither overwrites the other without a word."""

from __future__ import annotations

import datetime as dt
import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.common.concurrent_edits import BASE
from scorekeeper.crew.models import CrewMember
from scorekeeper.events.models import Event
from scorekeeper.players.models import Player
from scorekeeper.scorecards.services.erasure import erase_name
from scorekeeper.stops.models import Stop
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.page_forms import change, fill_in, read_edit_form, read_forms

NAMES, NUMBERS = Event.PeopleShown.NAMES, Event.PeopleShown.NUMBERS


def settings_of(event: Event) -> str:
    return reverse("events:edit", args=[event.slug])


def test_names_that_one_organiser_hid_stay_hidden_when_the_other_changes_the_date(
    event: Event, alice: User, bob: User, sign_in: SignIn
) -> None:
    alices, bobs = sign_in(alice), sign_in(bob)
    forms = [read_edit_form(client.get(settings_of(event))) for client in (alices, bobs)]

    assert alices.post(settings_of(event), fill_in(forms[0], {"people_shown": NUMBERS})).status_code == 302
    saved = bobs.post(settings_of(event), fill_in(forms[1], {"date": "2026-06-21"}), follow=True)

    event.refresh_from_db()
    assert (event.people_shown, event.date) == (NUMBERS, dt.date(2026, 6, 21))
    assert re.search(r"Someone else changed this .*: [^.;]+: Bike numbers only\.", get_visible_text(saved))


def test_a_bikes_make_and_its_rider_are_merged(ride: Ride, alice: User, bob: User, sign_in: SignIn) -> None:
    page = reverse("players:edit_bike", args=[ride.event.slug, ride.bikes[1].pk])
    alices, bobs = sign_in(alice), sign_in(bob)
    forms = [read_edit_form(client.get(page)) for client in (alices, bobs)]

    alices.post(page, fill_in(forms[0], {"make": "Norton"}))
    bobs.post(page, fill_in(forms[1], {"rider": "Annie"}))

    bike = Bike.objects.get(pk=ride.bikes[1].pk)
    assert (bike.make, [player.name for player in bike.players.all()]) == ("Norton", ["Annie"])


def test_two_notes_for_one_stop_are_both_shown_and_either_can_be_taken(
    ride: Ride, alice: User, bob: User, sign_in: SignIn
) -> None:
    page = reverse("stops:edit", args=[ride.event.slug, ride.stops[1].pk])
    alices, bobs = sign_in(alice), sign_in(bob)
    for choice, kept in (("mine", "Call Bob"), ("saved", "Call Alice")):
        Stop.objects.filter(pk=ride.stops[1].pk).update(crew_note="", address="")
        forms = [read_edit_form(client.get(page)) for client in (alices, bobs)]
        alices.post(page, fill_in(forms[0], {"crew_note": "Call Alice"}))

        refused = bobs.post(page, fill_in(forms[1], {"crew_note": "Call Bob", "address": "Main Street"}))

        assert refused.status_code == 409
        text = get_page_text(refused)
        assert "Yours: Call Bob" in text
        assert "Saved by someone else: Call Alice" in text
        assert '<a href="#id_crew_note">' in text
        stop = Stop.objects.get(pk=ride.stops[1].pk)
        assert (stop.crew_note, stop.address) == ("Call Alice", "")
        again = read_edit_form(refused)
        assert (again["crew_note"], again["address"]) == ("Call Bob", "Main Street")

        assert bobs.post(page, fill_in(again, {"keep.crew_note": choice})).status_code == 302
        stop.refresh_from_db()
        assert (stop.crew_note, stop.address) == (kept, "Main Street")


def test_a_page_that_is_not_saved_has_the_saved_name_above_it(ride: Ride, alice: User, sign_in: SignIn) -> None:
    client, slug = sign_in(alice), ride.event.slug
    member = CrewMember.objects.create(group=ride.group_one, name="Kim", role="supervisor")
    headings = {
        settings_of(ride.event): f'href="{reverse("desk:event", args=[slug])}">{ride.event.name}</a>',
        reverse("stops:edit", args=[slug, ride.stops[1].pk]): f"<h1>{ride.stops[1].name}</h1>",
        reverse("crew:member", args=[slug, member.pk]): "<h1>Kim</h1>",
        reverse("crew:group", args=[slug, ride.group_one.pk]): f"<title>{ride.group_one.name} ·",
        reverse("events:edit_contest", args=[slug, ride.contest.slug]): f"<h1>{ride.contest.name}</h1>",
    }
    for page, heading in headings.items():
        refused = client.post(page, {"name": "Another name"})  # from an old page, so that it is a conflict

        assert refused.status_code == 409
        assert heading in get_page_text(refused)


def test_hours_that_both_changed_are_named_once(ride: Ride, alice: User, bob: User, sign_in: SignIn) -> None:
    page = reverse("stops:edit", args=[ride.event.slug, ride.stops[1].pk])
    alices, bobs = sign_in(alice), sign_in(bob)
    form = read_edit_form(bobs.get(page))
    change(alices, page, {"opens_at": "09:00", "closes_at": "10:00"})

    refused = bobs.post(page, fill_in(form, {"opens_at": "08:30"}))

    said = "Someone else has saved “Opens at: 09:00; Closes at: 10:00” here while you had this page open."
    assert said in get_visible_text(refused)
    assert "Opens at, Closes at: " not in get_visible_text(refused)


def test_a_third_change_while_choosing_is_a_conflict_again(ride: Ride, alice: User, bob: User, sign_in: SignIn) -> None:
    page = reverse("stops:edit", args=[ride.event.slug, ride.stops[1].pk])
    alices, bobs = sign_in(alice), sign_in(bob)
    form = read_edit_form(bobs.get(page))
    change(alices, page, {"crew_note": "One"})
    shown = read_edit_form(bobs.post(page, fill_in(form, {"crew_note": "Bob"})))
    change(alices, page, {"crew_note": "Two"})

    refused = bobs.post(page, fill_in(shown, {"keep.crew_note": "mine"}))

    assert refused.status_code == 409
    assert "Saved by someone else: Two" in get_page_text(refused)


def test_the_same_change_by_both_is_no_conflict(ride: Ride, alice: User, bob: User, sign_in: SignIn) -> None:
    page = reverse("stops:edit", args=[ride.event.slug, ride.stops[1].pk])
    alices, bobs = sign_in(alice), sign_in(bob)
    form = read_edit_form(bobs.get(page))
    change(alices, page, {"opens_at": "09:30"})

    assert bobs.post(page, fill_in(form, {"opens_at": "9:30"})).status_code == 302


def test_what_was_refused_for_another_reason_says_what_was_merged(
    event: Event, alice: User, bob: User, sign_in: SignIn
) -> None:
    bobs = sign_in(bob)
    form = read_edit_form(bobs.get(settings_of(event)))
    change(sign_in(alice), settings_of(event), {"people_shown": NUMBERS})

    refused = bobs.post(settings_of(event), fill_in(form, {"date": "soon"}))

    assert refused.status_code == 422
    assert "Someone else has saved changes while you had this page open" in get_visible_text(refused)
    bobs.post(settings_of(event), fill_in(read_edit_form(refused), {"date": "2026-06-22"}))
    event.refresh_from_db()
    assert (event.people_shown, event.date) == (NUMBERS, dt.date(2026, 6, 22))


@pytest.mark.parametrize("base", [None, "", "{", "[]", '{"name": 1}', "[" * 5000])
def test_a_form_without_its_base_changes_nothing_unseen(
    event: Event, alice: User, sign_in: SignIn, base: str | None
) -> None:
    client = sign_in(alice)
    form = fill_in(read_edit_form(client.get(settings_of(event))), {BASE: base})

    assert client.post(settings_of(event), form).status_code == 302, "nothing would change"
    refused = client.post(settings_of(event), fill_in(form, {"people_shown": NUMBERS}))

    assert refused.status_code == 409
    event.refresh_from_db()
    assert event.people_shown == NAMES
    assert client.post(settings_of(event), read_edit_form(refused)).status_code == 302
    event.refresh_from_db()
    assert event.people_shown == NUMBERS


@pytest.mark.timeout(10)  # at a time that grows with the square, it would take longer
def test_a_base_of_very_many_names_is_answered_at_once(event: Event, alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)
    form = fill_in(
        read_edit_form(client.get(settings_of(event))),
        {BASE: json.dumps({f"name{number}": "" for number in range(80_000)}), **{f"other{n}": "x" for n in range(900)}},
    )
    assert client.post(settings_of(event), form).status_code == 302


def test_what_is_left_out_is_not_erased(ride: Ride, alice: User, sign_in: SignIn) -> None:
    Stop.objects.filter(pk=ride.stops[1].pk).update(crew_note="Park behind the barn")
    page = reverse("stops:edit", args=[ride.event.slug, ride.stops[1].pk])

    change(sign_in(alice), page, {"name": "Parks!", "crew_note": None})

    stop = Stop.objects.get(pk=ride.stops[1].pk)
    assert (stop.name, stop.crew_note) == ("Parks!", "Park behind the barn")


@pytest.mark.parametrize(
    ("route", "row", "field"),
    [
        ("stops:edit", "stop", "crew_note"),
        ("crew:member", "member", "name"),
        ("players:edit_player", "player", "name"),
        ("players:edit_bike", "bike", "make"),
        ("crew:group", "group", "name"),
    ],
)
def test_what_was_entered_is_shown_if_somebody_deleted_the_row(
    ride: Ride, alice: User, sign_in: SignIn, route: str, row: str, field: str
) -> None:
    rows: dict[str, Any] = {
        "stop": Stop.objects.create(event=ride.event, name="Extra", ordinal=9),
        "member": CrewMember.objects.create(group=ride.group_one, name="Kim", role="supervisor"),
        "player": Player.objects.create(event=ride.event, name="Kim"),
        "bike": Bike.objects.create(event=ride.event, number=77),
        "group": type(ride.group_one).objects.create(event=ride.event, name="Empty", ordinal=9),
    }
    client, page = sign_in(alice), reverse(route, args=[ride.event.slug, rows[row].pk])
    form = read_edit_form(client.get(page))
    rows[row].delete()

    response = client.post(page, fill_in(form, {field: "Typed with care"}))

    assert response.status_code == 404
    assert "Typed with care" in get_visible_text(response)
    assert "Someone else deleted it" in get_visible_text(response)
    assert client.get(page).status_code == 404


def test_a_name_that_was_erased_does_not_come_back_with_an_old_page(ride: Ride, alice: User, sign_in: SignIn) -> None:
    client, page = sign_in(alice), reverse("players:edit_bike", args=[ride.event.slug, ride.bikes[1].pk])
    form = read_edit_form(client.get(page))
    erase_name(ride.event, "Ann")

    client.post(page, fill_in(form, {"make": "Norton"}))

    assert Bike.objects.get(pk=ride.bikes[1].pk).make == "Norton"
    assert not Player.objects.filter(name="Ann").exists()


def test_the_base_has_nothing_readable(ride: Ride, alice: User, sign_in: SignIn) -> None:
    page = sign_in(alice).get(reverse("players:edit_bike", args=[ride.event.slug, ride.bikes[1].pk]))

    base = read_edit_form(page)[BASE]

    assert re.fullmatch(r'\{("[a-z_]+":"[0-9a-f]{16}",?)+\}', base)


def test_turns_at_the_stops_are_one_decision(ride: Ride, alice: User, bob: User, sign_in: SignIn) -> None:
    page = reverse("stops:slots", args=[ride.event.slug, ride.contest.slug])
    alices, bobs = sign_in(alice), sign_in(bob)
    fields = [f"stop_{stop.pk}" for stop in ride.stops]
    form = read_edit_form(bobs.get(page))
    assert change(alices, page, {fields[0]: "2", fields[3]: "1"}).status_code == 302

    refused = bobs.post(page, fill_in(form, {fields[1]: "2", fields[3]: "1"}))

    assert refused.status_code == 409
    assert change(bobs, page).status_code == 302
    saved = bobs.post(page, fill_in(read_edit_form(refused), {"keep.turns": "saved"}))
    assert saved.status_code == 302
    assert list(ride.contest.slots.values_list("stop__name", flat=True)) == [
        "Ozweld's",
        "Ozweld's",
        "Parks",
        "BBQ",
        "Finale",
    ]


def test_a_stop_that_was_deleted_takes_no_turns_silently(ride: Ride, alice: User, bob: User, sign_in: SignIn) -> None:
    extra = Stop.objects.create(event=ride.event, name="Extra", ordinal=9)
    page = reverse("stops:slots", args=[ride.event.slug, ride.contest.slug])
    client = sign_in(bob)
    form = read_edit_form(client.get(page))
    extra.delete()

    refused = client.post(page, fill_in(form, {f"stop_{extra.pk}": "1", f"stop_{ride.stops[0].pk}": "0"}))

    assert refused.status_code == 409


@pytest.mark.usefixtures("pig_race")
def test_two_lists_of_rows_are_both_described(event: Event, alice: User, bob: User, sign_in: SignIn) -> None:
    alices, bobs = sign_in(alice), sign_in(bob)
    new = f"/desk/events/{event.slug}/contests/new/pig-race/"
    contest_form = next(form for form in read_forms(alices.get(new).content.decode()) if "name" in form)
    assert alices.post(new, contest_form).status_code == 302
    page = reverse("events:edit_contest", args=[event.slug, event.contests.get().slug])
    form = read_edit_form(bobs.get(page))
    name = next(name for name in form if re.fullmatch(r"options\.yard\.pens\.\d\.name", name))
    change(alices, page, {name: "Sty"})

    refused = bobs.post(page, fill_in(form, {name: "Barn"}))

    assert refused.status_code == 409
    text = get_visible_text(refused)
    assert re.search(r"Yours: .*2 rows; .*Barn", text)
    assert re.search(r"Saved by someone else: .*2 rows; .*Sty", text)
    chosen = fill_in(read_edit_form(refused), {"keep.options.yard": "saved"})
    assert bobs.post(page, chosen).status_code == 302
    assert "Sty" in str(event.contests.get().options)


def test_options_of_a_contest_are_merged_one_by_one(ride: Ride, alice: User, bob: User, sign_in: SignIn) -> None:
    page = reverse("events:edit_contest", args=[ride.event.slug, ride.contest.slug])
    alices, bobs = sign_in(alice), sign_in(bob)
    form = read_edit_form(bobs.get(page))
    options = [name for name in form if name.startswith("options.")]
    assert options
    change(alices, page, {"name": "Dice"})
    added = bobs.post(page, fill_in(form, {"preset": "rule_book"}))
    assert added.status_code == 200

    assert bobs.post(page, fill_in(read_edit_form(added), {"group_best": "4"})).status_code == 302

    ride.contest.refresh_from_db()
    assert (ride.contest.name, ride.contest.group_best) == ("Dice", 4)
