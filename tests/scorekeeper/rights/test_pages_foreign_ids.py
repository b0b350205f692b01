"""Every id in an address, a query, a form or an operation, exchanged for another event's: nothing of that one opens.

Figure 23 of the reliability figures. The addresses are the resolver's; the queries and forms are those that the pages
of the ride really hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import resolve, reverse

from scorekeeper.common.rights_check import list_routes
from scorekeeper.offline.forms.operation_parser import OPERATION_KINDS
from scorekeeper.offline.page_crawler import CrawledForm, CrawledPage
from scorekeeper.rights import ANYBODY, CREW, ORGANISER, ROUTES
from tests.faults.figures import Figures
from tests.scorekeeper.api.conftest import post, rollback_at_end
from tests.scorekeeper.api.signing_phone import SigningPhone
from tests.scorekeeper.rights.small_ride import RUN, SmallRide, make_small_ride

pytestmark = pytest.mark.django_db

# Not about an event: games, files, and secrets that open what they were made for.
NO_IDS = {"game_key", "key", "file", "code", "token"}
# Somebody's words, not rows: a session holds its browser's own; an operation is stored as it was sent.
AS_SENT = {"django_session", "scorecards_operation"}
COUNTS = {"recorded", "merged"}
# What is put before an organiser names what was sent, in the item and in the log.
ASKED_ABOUT = {"scorecards_reviewitem", "scorecards_entry"}
Rows = set[tuple[str, str]]


@pytest.fixture
def ours() -> SmallRide:
    return make_small_ride("Quokka")


@pytest.fixture
def theirs() -> SmallRide:
    return make_small_ride("Numbat")


@pytest.fixture
def insiders(ours: SmallRide) -> Mapping[str, Client]:
    """Who of our ride opens what."""
    return {ANYBODY: Client(), CREW: ours.get_phone(ours.captain), ORGANISER: ours.get_desk()}


@pytest.fixture
def exchanged(ours: SmallRide, theirs: SmallRide) -> Mapping[str, str]:
    """Their ids by ours."""
    return {
        **{str(ours.ids[name]): str(theirs.ids[name]) for name in ours.ids},
        **{ours.slugs[name]: theirs.slugs[name] for name in ours.slugs},
    }


def list_foreign_rows(theirs: SmallRide) -> Rows:
    """Every row of the database in which something of theirs is named."""
    ids = [form for one in theirs.ids.values() for form in (str(one), one.hex)]
    named = re.compile("|".join([*ids, theirs.word]), re.IGNORECASE)
    found = set()
    with connection.cursor() as cursor:
        for table in set(connection.introspection.table_names(cursor)) - AS_SENT:
            cursor.execute(f'SELECT * FROM "{table}"')
            found |= {(table, row) for row in map(str, cursor.fetchall()) if named.search(row)}
    return found


class Stranger:
    """Sends what holds something of theirs, and takes down whatever comes of it that should not."""

    def __init__(self, theirs: SmallRide) -> None:
        self.theirs = theirs
        self.before = list_foreign_rows(theirs)
        self.count = 0
        self.wrong: list[str] = []

    def send(self, client: Client, method: str, address: str, data: Any = None, refusals: tuple[int, ...] = ()) -> None:
        """Ask; the answer must tell nothing and change nothing, and be one of the refusals where there are any."""
        self.count += 1
        with rollback_at_end():
            response: Any = client.generic(method, address) if data is None else client.post(address, data)
            while response.status_code == 302 and not refusals:
                response = client.get(urljoin(address, response.headers["Location"]))
            is_told = self.theirs.is_in(response.content)
            is_changed = method == "POST" and list_foreign_rows(self.theirs) != self.before
        if is_told or is_changed or response.status_code >= 500 or (refusals and response.status_code not in refusals):
            what = " told" * is_told + " changed" * is_changed
            self.wrong.append(
                f"{method} {resolve(urlsplit(address).path).view_name} {data}: {response.status_code}{what}"
            )


def list_own_pages(ours: SmallRide, insiders: Mapping[str, Client]) -> Iterator[tuple[Client, str, CrawledPage]]:
    """Every page of the ride that somebody of it can open, with who."""
    for route, pattern in list_routes().items():
        role = ROUTES[route].get("GET")
        if role is not None and role in insiders and pattern.pattern.converters:
            yield from _open(insiders[role], reverse(route, kwargs=ours.fill(route, pattern.pattern.converters)), ours)
        elif role is CREW:
            yield from _open(insiders[CREW], reverse(route), ours)


def _open(client: Client, address: str, ours: SmallRide) -> Iterator[tuple[Client, str, CrawledPage]]:
    response: Any = client.get(address, ours.form_data)
    if response.headers["Content-Type"].startswith("text/html"):
        yield client, address, CrawledPage(response.content.decode())


def list_forms(pages: list[tuple[Client, str, CrawledPage]]) -> Iterator[tuple[Client, str, list[tuple[str, str]]]]:
    """Every form that is posted, each once with each of its kinds of button."""
    seen = set()
    for client, address, page in pages:
        for form in page.forms:
            action = urljoin(address, form.action)
            for fields in _press(form):
                key = (resolve(urlsplit(action).path).view_name, *sorted({name for name, _value in fields}))
                if form.method.lower() == "post" and key not in seen:
                    seen.add(key)
                    yield client, action, fields


def _press(form: CrawledForm) -> Iterator[list[tuple[str, str]]]:
    for button in dict(reversed(form.buttons)).items() or [("", "")]:
        yield [*form.fields, *([button] if button[0] else [])]


def list_queries(pages: list[tuple[Client, str, CrawledPage]]) -> Iterator[tuple[Client, str, list[tuple[str, str]]]]:
    """Every link with a query, each once by what it names."""
    seen = set()
    for client, address, page in pages:
        for link in page.links:
            parts = urlsplit(urljoin(address, link))
            query = parse_qsl(parts.query)
            if query and not parts.netloc:
                key = (resolve(parts.path).view_name, *sorted({name for name, _value in query}))
                if key not in seen:
                    seen.add(key)
                    yield client, parts.path, query


def exchange_one(fields: list[tuple[str, str]], exchanged: Mapping[str, str]) -> Iterator[list[tuple[str, str]]]:
    """The same fields with one of the ids in them, in a name or in a value, exchanged; once for each."""
    for own, foreign in exchanged.items():
        other = [(name.replace(own, foreign), value.replace(own, foreign)) for name, value in fields]
        if other != fields:
            yield other


def test_every_id_of_every_address_of_another_event_is_refused(
    ours: SmallRide, theirs: SmallRide, insiders: Mapping[str, Client], figures: Figures
) -> None:
    stranger, routes = Stranger(theirs), 0
    for route, pattern in list_routes().items():
        names = [name for name in pattern.pattern.converters if name not in NO_IDS]
        role = next(iter(ROUTES[route].values()))
        if role not in insiders or len(names) < (2 if role is ANYBODY else 1):
            continue  # the address of a public page is its key
        routes += 1
        own, foreign = (ride.fill(route, pattern.pattern.converters) for ride in (ours, theirs))
        for name in names:
            address = reverse(route, kwargs={**own, name: foreign[name]})
            for method in ROUTES[route].keys() & {"GET", "POST"}:
                data = ours.form_data if method == "POST" else None
                stranger.send(insiders[role], method, address, data, refusals=(403, 404))

    assert stranger.wrong == []
    assert routes > 70
    figures.add(
        "23 · every id of every address exchanged for another event's",
        f"{routes} routes, {stranger.count} requests: {len(stranger.wrong)} answered with anything but 403 or 404, or "
        "with a byte of the other event",
    )


def test_every_id_of_every_query_and_form_of_another_event_tells_and_changes_nothing(
    ours: SmallRide, theirs: SmallRide, insiders: Mapping[str, Client], exchanged: Mapping[str, str], figures: Figures
) -> None:
    pages = list(list_own_pages(ours, insiders))
    stranger = Stranger(theirs)
    for client, address, query in list_queries(pages):
        for other in exchange_one(query, exchanged):
            stranger.send(client, "GET", f"{address}?{urlencode(other)}")
    queries = stranger.count
    for client, address, fields in list_forms(pages):
        for other in exchange_one(fields, exchanged):
            data: dict[str, list[str]] = {}
            for name, value in other:
                data.setdefault(name, []).append(value)
            stranger.send(client, "POST", address, data)

    assert stranger.wrong == []
    assert queries > 20
    assert stranger.count - queries > 40
    figures.add(
        "23 · every id of every query and form exchanged for another event's",
        f"{queries} links, {stranger.count - queries} forms: {len(stranger.wrong)} told or changed anything of it",
    )


def list_operations(ours: SmallRide) -> Iterator[dict[str, Any]]:
    """One operation of each kind, as a phone of our ride sends it."""
    ids = {name: str(value) for name, value in ours.ids.items()}
    where = {"contest": ids["yahtzee"], "bike": ids["bike"]}
    target = {"turn": ids["turn"], "seq": 1}
    dice = [{"type": "paper", "box": "aces", "points": 3}]
    action = {"turn": ids["action"], "seq": 2}
    keep = [{"seat": 0, "type": "keep", "dice": RUN}]
    bodies: dict[str, dict[str, Any]] = {
        "turn": {**where, "slot": ids["free_slot"], "actions": dice, "dice_set": ids["dice_set"]},
        "retire": {**where, "reason": "a puncture"},
        "amend": {**where, "targets": [{**target, "actions": dice, "slot": ids["free_slot"]}], "reason": "misread"},
        "move": {**where, **target, "to_bike": ids["other_bike"], "reason": "the wrong bike"},
        "register_bike": {"bike": ids["twin"], "number": 9},
        "withdraw_bike": {"bike": ids["bike"]},
        "action": {"card": ids["table"], "seen": 2, "actions": keep},
        "correct": {"card": ids["table"], "targets": [action], "reason": "misread"},
    }
    for kind, body in bodies.items():
        yield {"id": str(uuid4()), "kind": kind, **body}


def test_every_id_of_every_kind_of_operation_of_another_event_is_refused(
    ours: SmallRide, theirs: SmallRide, insiders: Mapping[str, Client], exchanged: Mapping[str, str]
) -> None:
    before, wrong = list_foreign_rows(theirs), []
    operations = list(list_operations(ours))
    assert {one["kind"] for one in operations} == set(OPERATION_KINDS)
    review = reverse("desk:review", args=[ours.slugs["event"]])
    for operation in operations:
        for own, foreign in exchanged.items():
            if own not in json.dumps(operation):
                continue
            with rollback_at_end():
                response = post(insiders[CREW], f'{{"operations": [{json.dumps(operation).replace(own, foreign)}]}}')
                (receipt,) = response.json()["receipts"]
                page = insiders[ORGANISER].get(review)
                after = list_foreign_rows(theirs)
            # Which dice were rolled is a courtesy: those of another event are left out, and the turn counts. A turn
            # that is not on the card may have been corrected meanwhile, so the organiser is asked about it.
            counts = receipt["outcome"] in COUNTS and foreign != str(theirs.ids["dice_set"])
            is_told = theirs.is_in(response.content) or theirs.is_in(page.content)
            if counts or is_told or not before <= after or {table for table, _row in after - before} - ASKED_ABOUT:
                wrong.append(f"{operation['kind']} {receipt}")

    assert wrong == []


def test_what_a_phone_of_another_event_has_signed_is_not_carried_into_ours(ours: SmallRide, theirs: SmallRide) -> None:
    abroad, carrier = SigningPhone.make_for(theirs.captain), SigningPhone.make_for(ours.captain)
    abroad.register_key()
    before = list_foreign_rows(theirs)

    receipts = carrier.deliver(
        *(abroad.make_envelope(operation) for ride in (ours, theirs) for operation in list_operations(ride))
    )

    assert {receipt["outcome"] for receipt in receipts} == {"not_yours"}
    assert list_foreign_rows(theirs) == before
