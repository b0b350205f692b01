"""Two people change the same row at the same moment: what each was told is what happened.

Figure 37 of the reliability figures. The pages are those of `edit_pages`, which has all whose form changes something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.models import CheckItem
from scorekeeper.common.concurrent_edits import BASE
from scorekeeper.common.templatetags.form_id import FORM_ID
from scorekeeper.crew.models import CrewMember, Group
from scorekeeper.events.models import Contest
from scorekeeper.live.models import Screen
from scorekeeper.players.models import EventClass, Player
from scorekeeper.prizes.models import Prize
from scorekeeper.stops.models import Stop
from tests.faults.figures import Figures
from tests.faults.scale import scaled
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.edits.edit_pages import EditPage, list_edit_pages
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.page_forms import Fields, fill_in, read_edit_form
from tests.scorekeeper.rights.small_ride import make_small_ride
from tests.scorekeeper.scorecards.test_concurrent_recording import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

PAIRS, DELETIONS = scaled(200, 2), scaled(20, 1)
TOLD = "Someone else changed this while you had it open"
FILLED_IN = "Someone else has saved changes while you had this page open"

# Hidden fields of the page. Of the rows of a list in order, only the order of those that are ticked is stored.
NOT_STORED = {BASE, FORM_ID, "parts-order"}

Change = Mapping[str, Fields]  # what one person enters, by unit


def choose_change(page: EditPage, form: Fields, chance: Random) -> Change:
    """Return what somebody changes: up to three units, each to something else than the page shows."""
    units = chance.sample(sorted(page.units), chance.randint(1, min(3, len(page.units))))
    entered = {unit: page.units[unit](chance, form) for unit in units}
    return {unit: fields for unit, fields in entered.items() if fill_in(form, fields) != form}


def enter(form: Fields, change: Change) -> Fields:
    """Return the fields of the form with the change."""
    for fields in change.values():
        form = fill_in(form, fields)
    return form


def check_stored(client: Client, page: EditPage, form: Fields, *changes: Change) -> Fields:
    """Check that the page shows the form with these changes and nothing else, and return its fields."""
    now = read_edit_form(client.get(page.address))
    expected = form
    for change in changes:
        expected = enter(expected, change)
    differing = {
        name: (expected.get(name), now.get(name))
        for name in expected.keys() | now.keys()
        if expected.get(name) != now.get(name) and name not in NOT_STORED
    }
    # Someone new in a season has an id from then on.
    new = {name for name, (wanted, _shown) in differing.items() if page.route == "seasons:link" and wanted == "new"}
    assert differing.keys() == new, (page.route, changes, differing)
    return now


def change_at_once(
    page: EditPage, form: Fields, clients: tuple[Client, Client], chance: Random, counts: Counter[str]
) -> Fields:
    """Let two people change the page at once, and the one with a conflict decide; return what the page shows then."""
    changes = [choose_change(page, form, chance) for _person in clients]
    sent = [enter(form, change) for change in changes]
    responses = at_once([partial(client.post, page.address, data) for client, data in zip(clients, sent, strict=True)])
    statuses = [response.status_code for response in responses]
    both = changes[0].keys() & changes[1].keys()
    conflicts = {unit for unit in both if changes[0][unit] != changes[1][unit]}
    if not conflicts:
        assert statuses == [302, 302], (page.route, changes)
        told = [
            TOLD in get_visible_text(client.get(response.headers["Location"]))
            for client, response in zip(clients, responses, strict=True)
        ]
        alone = [bool(changes[1 - person].keys() - both) for person in (0, 1)]
        # Whoever was second is told of what only the first has changed.
        assert sum(told) == 1 if all(alone) else sum(told) <= any(alone), (page.route, changes, told)
        counts["merged" if all(alone) else "equal"] += 1
        return check_stored(clients[0], page, form, *changes)
    assert sorted(statuses) == [302, 409], (page.route, changes, statuses)
    first, second = statuses.index(302), statuses.index(409)
    clients[first].get(responses[first].headers["Location"])  # reads its message
    after = check_stored(clients[first], page, form, changes[first])
    shown = read_edit_form(responses[second])
    assert {name for name in shown if name.startswith("keep.")} == {f"keep.{unit}" for unit in conflicts}
    assert bool(changes[first].keys() - both) is (FILLED_IN in get_visible_text(responses[second]))
    assert fill_in(shown, {name: None for name in shown if name.startswith("keep.")}).items() >= {
        (name, value) for fields in changes[second].values() for name, value in fields.items() if isinstance(value, str)
    }, "what was typed is kept"
    decisions = {unit: chance.choice(("mine", "saved")) for unit in sorted(conflicts)}
    decided = clients[second].post(page.address, {**shown, **{f"keep.{unit}": to for unit, to in decisions.items()}})
    assert decided.status_code == 302, (page.route, changes)
    clients[second].get(decided.headers["Location"])
    kept = {unit: fields for unit, fields in changes[second].items() if decisions.get(unit) != "saved"}
    counts["conflicts"] += 1
    return check_stored(clients[second], page, after, kept)


@pytest.mark.slow
@pytest.mark.timeout(3400)
def test_two_people_who_change_one_row_at_once_lose_nothing_without_a_word(figures: Figures) -> None:
    chance, ride = Random(37), make_small_ride("Quokka")
    counts: Counter[str] = Counter()
    pages = list_edit_pages(ride)
    for page in pages:
        clients = page.open_twice(ride)
        form = read_edit_form(clients[0].get(page.address))
        for _number in range(PAIRS):
            form = change_at_once(page, form, clients, chance, counts)
    figures.add(
        f"37 · two people change one row at the same moment, on {connection.vendor}",
        f"{PAIRS} times with each of {len(pages)} forms: {counts['merged']:,} times merged, and the second person "
        f"told; {counts['equal']:,} times one changed nothing else than the other; {counts['conflicts']:,} conflicts, "
        "with both versions shown and one chosen: 0 changes lost without a word",
    )


def make_bike(ride: Ride) -> Bike:
    return Bike.objects.create(event=ride.event, number=77)


DELETED: Mapping[str, tuple[str, str, Callable[[Ride], Any]]] = {
    "stops:edit": ("stops:delete", "name", lambda ride: Stop.objects.create(event=ride.event, name="X", ordinal=9)),
    "crew:group": (
        "crew:delete_group",
        "name",
        lambda ride: Group.objects.create(event=ride.event, name="X", ordinal=9),
    ),
    "crew:member": (
        "crew:delete_member",
        "name",
        lambda ride: CrewMember.objects.create(group=ride.group_one, name="X", role="supervisor"),
    ),
    "players:edit_bike": ("players:delete_bike", "make", make_bike),
    "players:edit_player": (
        "players:delete_player",
        "name",
        lambda ride: Player.objects.create(event=ride.event, name="X"),
    ),
    "check_in:rename_item": (
        "check_in:delete_item",
        "name",
        lambda ride: CheckItem.objects.create(event=ride.event, name="X", ordinal=9),
    ),
    "players:edit_class": (
        "players:delete_class",
        "name",
        lambda ride: EventClass.objects.create(event=ride.event, name="X", ordinal=9),
    ),
    "prizes:edit": (
        "prizes:delete",
        "name",
        lambda ride: Prize.objects.create(event=ride.event, contest=ride.contest, position=1, place=1),
    ),
    "live:edit_screen": (
        "live:unpair",
        "sponsor",
        lambda ride: Screen.objects.create(event=ride.event, name="X", token_digest=uuid4().hex),
    ),
    "events:edit_contest": (
        "events:delete_contest",
        "name",
        lambda ride: Contest.objects.create(
            event=ride.event, name="X", slug="x", game_key="rogue", rules_version=1, ordinal=9
        ),
    ),
}


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("route", DELETED)
def test_a_row_that_is_changed_and_deleted_at_once_is_gone_and_nothing_fails(
    ride: Ride, alice, bob, sign_in: SignIn, route: str
) -> None:
    delete, field, make = DELETED[route]
    clients = sign_in(alice), sign_in(bob)
    for number in range(DELETIONS):
        row = make(ride)
        args = [ride.event.slug, row.slug if isinstance(row, Contest) else row.pk]
        address = reverse(route, args=args)
        form = fill_in(read_edit_form(clients[0].get(address)), {field: f"Typed {number}"})

        confirm = partial(clients[1].post, reverse(delete, args=args))
        changed, deleted = at_once([partial(clients[0].post, address, form), confirm])

        assert (changed.status_code, deleted.status_code) in ((302, 302), (404, 302))
        if changed.status_code == 404:
            assert f"Typed {number}" in get_visible_text(changed)
        assert not type(row).objects.filter(pk=row.pk).exists()
