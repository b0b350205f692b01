"""The feed of published results."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4
from xml.etree.ElementTree import fromstring

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from scorekeeper.audience.services import freeze_standings, lift_freeze
from scorekeeper.common.read_limits import clear_read_counts
from scorekeeper.events.models import Contest, Event, Organiser
from scorekeeper.ledger.actors import Actor
from scorekeeper.seasons.models import Season, SeasonRound
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.embeds.conftest import change_event

pytestmark = pytest.mark.django_db

ALL = "/feeds/results.atom"
ATOM = "{http://www.w3.org/2005/Atom}"
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


@pytest.fixture(autouse=True)
def _public_address(settings: Settings) -> None:
    settings.BASE_URL = "https://rides.example.org"


def read_feed(url: str = ALL) -> Any:
    response = Client().get(url)
    assert (response.status_code, response.headers["Content-Type"]) == (200, "application/atom+xml; charset=utf-8")
    return fromstring(response.content)


def list_titles(url: str = ALL) -> list[str]:
    return [entry.findtext(f"{ATOM}title") for entry in read_feed(url).iter(f"{ATOM}entry")]


def publish_again(contest: Contest, user: User) -> None:
    desk = Actor.from_organiser(Organiser.objects.get(event=contest.event, user=user))
    reopen_contest(desk, uuid4(), contest.pk, "a card was forgotten")
    close_contest(desk, uuid4(), contest.pk, "now it is over")
    publish_contest(desk, uuid4(), contest.pk, "corrected")


@pytest.fixture
def listed(first_ride: Contest, second_ride: Contest) -> list[Contest]:
    """Two rides that the front page lists, with published results."""
    for contest in (first_ride, second_ride):
        change_event(contest.event, is_listed=True)
    return [first_ride, second_ride]


def test_a_feed_has_what_atom_asks_for(listed: list[Contest]) -> None:
    """RFC 4287: 4.1.1 for a feed, 4.1.2 for an entry."""
    feed = read_feed()

    assert feed.tag == f"{ATOM}feed"
    assert feed.findtext(f"{ATOM}id") == "https://rides.example.org/feeds/results.atom"
    assert feed.findtext(f"{ATOM}title") == "Results of the events"
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "Tailgunner"
    links = {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}
    assert links == {"alternate": "https://rides.example.org/", "self": "https://rides.example.org/feeds/results.atom"}
    entries = feed.findall(f"{ATOM}entry")
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == len(entries) == 2
    for entry in entries:
        assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", entry.findtext(f"{ATOM}id"))
        for name in ("updated", "published"):
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00", entry.findtext(f"{ATOM}{name}"))
        assert entry.findtext(f"{ATOM}summary")
        (link,) = entry.findall(f"{ATOM}link")
        assert link.get("rel") == "alternate"
        path = link.get("href").removeprefix("https://rides.example.org")
        assert Client().get(path).status_code == 200
    assert feed.findtext(f"{ATOM}updated") == max(entry.findtext(f"{ATOM}updated") for entry in entries)


def test_each_revision_has_an_entry_that_keeps_its_id(listed: list[Contest], alice: User, settings: Settings) -> None:
    before = {entry.findtext(f"{ATOM}id") for entry in read_feed().iter(f"{ATOM}entry")}
    publish_again(listed[0], alice)

    assert list_titles() == [
        "May run, R.O.C.K.: corrected result, revision 2",
        "June run, R.O.C.K.: official result",
        "May run, R.O.C.K.: official result",
    ]
    settings.BASE_URL = "https://elsewhere.example"
    assert before < {entry.findtext(f"{ATOM}id") for entry in read_feed().iter(f"{ATOM}entry")}


def test_only_open_listed_rides_are_in_it(listed: list[Contest]) -> None:
    assert len(list_titles()) == 2
    for change in ({"is_listed": False}, {"state": Event.State.DRAFT, "is_listed": True}):
        change_event(listed[1].event, **change)
        assert list_titles() == ["May run, R.O.C.K.: official result"]
    change_event(listed[1].event, state=Event.State.OPEN, archived_at="2026-12-24T10:00:00Z")
    assert len(list_titles()) == 2, "it was listed until it was archived"
    change_event(listed[1].event, is_practice=True)
    assert list_titles() == ["May run, R.O.C.K.: official result"]


def test_nothing_of_a_frozen_ride_is_in_it_and_all_is_when_the_freeze_ends(listed: list[Contest], alice: User) -> None:
    event = listed[1].event
    freeze_standings(event)
    frozen = Client().get(ALL)
    assert list_titles() == ["May run, R.O.C.K.: official result"]

    publish_again(listed[1], alice)

    again = Client().get(ALL)
    assert (again.content, again.headers["ETag"]) == (frozen.content, frozen.headers["ETag"])
    assert again.headers["Last-Modified"] == frozen.headers["Last-Modified"]
    lift_freeze(event)
    assert len(list_titles()) == 3


def test_an_entry_is_in_the_language_of_its_event_and_names_nobody(listed: list[Contest]) -> None:
    change_event(listed[0].event, language="de", name="Frühlingsfahrt")

    feed = read_feed()

    languages = [entry.get(LANGUAGE) for entry in feed.iter(f"{ATOM}entry")]
    assert languages == ["en-gb", "de"]
    content = Client().get(ALL).content.decode()
    assert "Frühlingsfahrt" in content
    assert not re.search("Ann|Ben|Cleo|Dan|Zoe", content)


def test_a_name_with_markup_is_text_in_every_reader(listed: list[Contest]) -> None:
    change_event(listed[0].event, name="<b>Bold</b> & Co")

    entry = list(read_feed().iter(f"{ATOM}entry"))[-1]

    assert entry.findtext(f"{ATOM}title") == "<b>Bold</b> & Co, R.O.C.K.: official result"
    assert "&lt;b&gt;Bold&lt;/b&gt; &amp; Co" in entry.findtext(f"{ATOM}summary"), "a summary is HTML"


def test_an_unchanged_feed_is_not_sent_again_and_a_changed_one_is(listed: list[Contest], alice: User) -> None:
    first = Client().get(ALL)
    etag = first.headers["ETag"]
    assert first.headers["Cache-Control"] == "no-cache"
    again = Client().get(ALL, headers={"If-None-Match": etag, "If-Modified-Since": first.headers["Last-Modified"]})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", etag)

    publish_again(listed[0], alice)

    assert Client().get(ALL, headers={"If-None-Match": etag}).status_code == 200


def test_what_a_freeze_withheld_is_not_missed_by_its_older_date(listed: list[Contest], alice: User) -> None:
    """So the date alone does not say that a feed is unchanged."""
    freeze_standings(listed[0].event)
    newest = Client().get(ALL).headers["Last-Modified"]
    lift_freeze(listed[0].event)

    assert Client().get(ALL, headers={"If-Modified-Since": newest}).status_code == 200


def test_a_season_has_a_feed_of_its_own(listed: list[Contest], first_round: SeasonRound) -> None:
    url = f"/seasons/{first_round.season.slug}/results.atom"

    assert read_feed(url).findtext(f"{ATOM}title") == "Season 2026: results"
    assert list_titles(url) == ["May run, R.O.C.K.: official result"]
    change_event(listed[0].event, is_listed=False)
    assert list_titles(url) == []
    assert read_feed(url).findtext(f"{ATOM}updated") == "1970-01-01T00:00:00+00:00"
    assert Client().get("/seasons/none/results.atom").status_code == 404


def test_a_feed_takes_as_many_statements_for_many_results(
    listed: list[Contest], season: Season, alice: User, django_assert_num_queries
) -> None:
    with django_assert_num_queries(3):
        Client().get(ALL)
    publish_again(listed[0], alice)
    publish_again(listed[1], alice)
    with django_assert_num_queries(3):
        Client().get(ALL)


def test_an_address_cannot_read_it_without_end(listed: list[Contest], settings: Settings) -> None:
    settings.API_READS_PER_ADDRESS = 2
    clear_read_counts()
    statuses = [Client(REMOTE_ADDR="192.0.2.9").get(ALL).status_code for _time in range(3)]
    clear_read_counts()
    assert statuses == [200, 200, 429]
