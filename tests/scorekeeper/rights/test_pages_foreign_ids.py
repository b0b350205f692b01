"""Every id in a URL, a query, a form or an operation is replaced by one of another event, which must reveal nothing.

Figure 23 of the reliability figures. The URLs come from the resolver; the queries and forms are those of the ride's
real pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import resolve, reverse

from scorekeeper.api.forms.operation_parser import OPERATION_KINDS
from scorekeeper.bikes.models import Bike
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.common.rights_check import list_routes
from scorekeeper.events.models import Contest
from scorekeeper.rights import ANYBODY, CREW, ORGANISER, READER, ROUTES
from tests.faults.figures import Figures
from tests.scorekeeper.api.conftest import post, rollback_at_end
from tests.scorekeeper.api.program import make_program
from tests.scorekeeper.api.signing_phone import SigningPhone
from tests.scorekeeper.rights.small_ride import RUN, SmallRide, make_small_ride
from tools.phone_engine.page_crawler import CrawledForm, CrawledPage

pytestmark = [pytest.mark.django_db, pytest.mark.database]

# Not about an event: games, files and their versions, and secrets that give access by themselves.
NO_IDS = {"game_key", "key", "file", "roster", "revision", "number", "kind", "digest", "code", "token"}
# Tables that store input unchanged: a session has its browser's data, an operation is stored as it was sent.
AS_SENT = {"django_session", "scorecards_operation"}
COUNTS = {"recorded", "merged"}
# A review item has the operation as it was sent, in the item and in the log.
REVIEW_TABLES = {"scorecards_reviewitem", "scorecards_entry"}
# How statements start that change no row.
READING = ("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK")
TABLE = re.compile(r'"(\w+)"')
Rows = set[tuple[str, str]]


@pytest.fixture
def ours() -> SmallRide:
    return make_small_ride("Quokka")


@pytest.fixture
def theirs() -> SmallRide:
    ride = make_small_ride("Numbat")
    Contest.objects.update(odds_shown=Contest.OddsShown.COACH)
    return ride


@pytest.fixture
def insiders(ours: SmallRide) -> Mapping[str, Client]:
    """The clients of our ride, by role."""
    return {
        ANYBODY: Client(),
        CREW: ours.get_phone(ours.captain),
        ORGANISER: ours.get_desk(),
        READER: make_program(ours.user),
    }


@pytest.fixture
def exchanged(ours: SmallRide, theirs: SmallRide) -> Mapping[str, str]:
    """The other ride's ids and slugs, by ours."""
    return {
        **{str(ours.ids[name]): str(theirs.ids[name]) for name in ours.ids},
        **{ours.slugs[name]: theirs.slugs[name] for name in ours.slugs},
    }


class ForeignRows:
    """The rows of the database that have anything of the other ride, and what is written to their tables."""

    def __init__(self, theirs: SmallRide) -> None:
        ids = [text for each in theirs.ids.values() for text in (str(each), each.hex)]
        self._pattern = re.compile("|".join([*ids, theirs.word]), re.IGNORECASE)
        self._tables = set(connection.introspection.table_names()) - AS_SENT
        self._written: set[str] = set()
        self._before = self._list_rows(self._tables)

    def _list_rows(self, tables: Set[str]) -> Rows:
        rows = set()
        with connection.cursor() as cursor:
            for table in tables:
                cursor.execute(f'SELECT * FROM "{table}"')
                rows |= {(table, row) for row in map(str, cursor.fetchall()) if self._pattern.search(row)}
        return rows

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Record which tables are written to: `compare` reads only those. Most requests write nothing."""
        self._written = set()
        with connection.execute_wrapper(self._record):
            yield

    def _record(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not sql.startswith(READING):
            self._written |= self._tables & set(TABLE.findall(sql))
        return execute(sql, params, many, context)

    def compare(self) -> tuple[Rows, Rows]:
        """Return which of the rows are new, and which are gone or changed."""
        after = self._list_rows(self._written)
        before = {(table, row) for table, row in self._before if table in self._written}
        return after - before, before - after


class Stranger:
    """Sends requests with ids of the other ride, and lists those that revealed or changed anything."""

    def __init__(self, theirs: SmallRide) -> None:
        self.theirs = theirs
        self.rows = ForeignRows(theirs)
        self.count = 0
        self.wrong: list[str] = []

    def send(self, client: Client, method: str, address: str, data: Any = None, refusals: tuple[int, ...] = ()) -> None:
        """Send a request. It must reveal and change nothing, and have one of the statuses in `refusals`, if any."""
        self.count += 1
        with rollback_at_end(), self.rows.watch():
            response: Any = client.generic(method, address) if data is None else client.post(address, data)
            while response.status_code == 302 and not refusals:
                response = client.get(urljoin(address, response.headers["Location"]))
            is_revealed = self.theirs.is_in(response.content)
            is_changed = method == "POST" and self.rows.compare() != (set(), set())
        is_not_refused = bool(refusals) and response.status_code not in refusals
        if is_revealed or is_changed or response.status_code >= 500 or is_not_refused:
            effect = " revealed" * is_revealed + " changed" * is_changed
            self.wrong.append(
                f"{method} {resolve(urlsplit(address).path).view_name} {data}: {response.status_code}{effect}"
            )


def test_changes_of_the_other_ride_are_found(theirs: SmallRide) -> None:
    rows, bikes = ForeignRows(theirs), Bike.objects.filter(event=theirs.ids["event"])
    with rows.watch():
        bikes.filter(pk=theirs.ids["twin"]).update(make="Norton")
    new, gone = rows.compare()
    assert ({table for table, _row in new}, {table for table, _row in gone}) == ({"bikes_bike"}, {"bikes_bike"})

    with rows.watch():
        assert len(bikes) == 3
    assert rows.compare() == (set(), set()), "nothing was written since"


def list_own_pages(ours: SmallRide, insiders: Mapping[str, Client]) -> Iterator[tuple[Client, str, CrawledPage]]:
    """Yield every page of the ride that one of its people can open, with their client."""
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
    """Yield every form that is posted, once with each kind of button it has."""
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
    """Yield every link with a query, once for each set of parameter names."""
    seen = set()
    for client, address, page in pages:
        for link in page.links:
            parts = urlsplit(urljoin(address, link))
            # `next` is only linked back to: it says what the visitor has sent.
            query = [(name, value) for name, value in parse_qsl(parts.query) if name != "next"]
            if query and not parts.netloc:
                key = (resolve(parts.path).view_name, *sorted({name for name, _value in query}))
                if key not in seen:
                    seen.add(key)
                    yield client, parts.path, query


def exchange_one(fields: list[tuple[str, str]], exchanged: Mapping[str, str]) -> Iterator[list[tuple[str, str]]]:
    """Yield the fields with one of the ids in them, in a name or in a value, replaced; once for each id."""
    for own, foreign in exchanged.items():
        other = [(name.replace(own, foreign), value.replace(own, foreign)) for name, value in fields]
        if other != fields:
            yield other


@pytest.mark.slow
def test_every_foreign_id_in_a_url_is_refused(
    ours: SmallRide, theirs: SmallRide, insiders: Mapping[str, Client], figures: Figures
) -> None:
    stranger, routes = Stranger(theirs), 0
    for route, pattern in list_routes().items():
        names = [name for name in pattern.pattern.converters if name not in NO_IDS]
        role = next(iter(ROUTES[route].values()))
        if role not in insiders or len(names) < (2 if role is ANYBODY else 1):
            continue  # anyone who knows the URL of a public page can open it
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
        "23 · every id in every URL replaced by another event's",
        f"{routes} routes, {stranger.count} requests: {len(stranger.wrong)} had a status other than 403 or 404, or "
        "revealed anything of the other event",
    )


@pytest.mark.slow
def test_every_foreign_id_in_a_query_or_form_reveals_and_changes_nothing(
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
        "23 · every id in every query and form replaced by another event's",
        f"{queries} links, {stranger.count - queries} forms: {len(stranger.wrong)} revealed or changed anything of it",
    )


def exchange_fresh(
    fields: list[tuple[str, str]], ours: SmallRide, theirs: SmallRide
) -> Iterator[list[tuple[str, str]]]:
    """Yield the fields with an id that the page has made for something new replaced by one that the other ride has."""
    own = {str(value) for value in ours.ids.values()}
    for field in fields:
        if parse_uuid(field[1]) is not None and field[1] not in own:
            for name in ("bike", "player", "turn", "card"):
                yield [(field[0], str(theirs.ids[name])) if one == field else one for one in fields]


@pytest.mark.slow
def test_an_id_for_something_new_that_the_other_ride_has_reveals_and_changes_nothing(
    ours: SmallRide, theirs: SmallRide, insiders: Mapping[str, Client]
) -> None:
    stranger, count, wrong = Stranger(theirs), 0, []
    for client, address, fields in list_forms(list(list_own_pages(ours, insiders))):
        filled = [(name, value or ours.form_data.get(name, "")) for name, value in fields]
        for other in exchange_fresh(filled, ours, theirs):
            data: dict[str, list[str]] = {}
            for name, value in other:
                data.setdefault(name, []).append(value)
            with rollback_at_end(), stranger.rows.watch():
                response: Any = client.post(address, data)
                _new, gone = stranger.rows.compare()
            count += 1
            if response.status_code >= 500 or theirs.is_in(response.content) or gone:
                wrong.append(f"{resolve(urlsplit(address).path).view_name} {data}: {response.status_code}")

    assert wrong == []
    assert count > 40


def list_operations(ours: SmallRide) -> Iterator[dict[str, Any]]:
    """Yield an operation of each kind, as a phone of our ride sends it."""
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
        "sell_sheet": {**where, "number": 2},
        "withdraw_sheet": {"sheet": ids["bike"]},
        "check": {"bike": ids["bike"], "item": ids["check_item"], "checked": True},
        "agree": {**where, "digest": "a" * 64, "agreed": True},
        "did_not_start": {"bike": ids["other_bike"], "value": True, "reason": "a puncture"},
        "action": {"card": ids["table"], "seen": 2, "actions": keep},
        "correct": {"card": ids["table"], "targets": [action], "reason": "misread"},
    }
    for kind, body in bodies.items():
        yield {"id": str(uuid4()), "kind": kind, **body}


@pytest.mark.slow
def test_every_foreign_id_in_an_operation_is_refused(
    ours: SmallRide, theirs: SmallRide, insiders: Mapping[str, Client], exchanged: Mapping[str, str]
) -> None:
    rows, wrong = ForeignRows(theirs), []
    operations = list(list_operations(ours))
    assert {operation["kind"] for operation in operations} == set(OPERATION_KINDS)
    review = reverse("desk:review", args=[ours.slugs["event"]])
    for operation in operations:
        for own, foreign in exchanged.items():
            if own not in json.dumps(operation):
                continue
            with rollback_at_end(), rows.watch():
                response = post(insiders[CREW], f'{{"operations": [{json.dumps(operation).replace(own, foreign)}]}}')
                (receipt,) = response.json()["receipts"]
                page = insiders[ORGANISER].get(review)
                new, gone = rows.compare()
            # The dice set is optional: one of another event is ignored, and the turn counts. A turn that is not on the
            # card may have been corrected in the meantime, so the operation goes to review.
            counts = receipt["outcome"] in COUNTS and foreign != str(theirs.ids["dice_set"])
            is_revealed = theirs.is_in(response.content) or theirs.is_in(page.content)
            if counts or is_revealed or gone or {table for table, _row in new} - REVIEW_TABLES:
                wrong.append(f"{operation['kind']} {receipt}")

    assert wrong == []


def test_entries_signed_by_a_foreign_phone_cannot_be_relayed(ours: SmallRide, theirs: SmallRide) -> None:
    foreign, relay = SigningPhone.make_for(theirs.captain), SigningPhone.make_for(ours.captain)
    foreign.register_key()
    rows = ForeignRows(theirs)

    with rows.watch():
        receipts = relay.deliver(
            *(foreign.make_envelope(operation) for ride in (ours, theirs) for operation in list_operations(ride))
        )

    assert {receipt["outcome"] for receipt in receipts} == {"not_yours"}
    assert rows.compare() == (set(), set())
