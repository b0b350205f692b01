"""The downloads: for organisers at any time, for everyone once the whole result is official and nothing is frozen."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import AsyncRequestFactory, Client, RequestFactory
from django.urls import reverse

from games.core.bundle.report import check_bundle
from games.core.registry import find_games
from scorekeeper.audience.services import freeze_standings, lift_freeze
from scorekeeper.bundles.services import make_bundle
from scorekeeper.common.downloads import stream_file
from scorekeeper.events.models import Contest, Event
from scorekeeper.standings.selectors.log_head import compute_event_head, list_chain_heads
from tests.scorekeeper.bundles.conftest import PRIVATE, export
from tests.scorekeeper.conftest import Ride, SignIn

pytestmark = pytest.mark.django_db


def read(response: Any) -> bytes:
    content: bytes = response.getvalue()
    return content


def get_public(event: Event) -> Any:
    return Client().get(reverse("bundles:public", args=[event.slug]))


def is_sent_to_event(event: Event) -> bool:
    """Whether the address of the public file leads to the page of the event instead."""
    response = get_public(event)
    return (response.status_code, response.headers.get("Location")) == (
        302,
        reverse("results:event", args=[event.slug]),
    )


def get_file(client: Client, event: Event, roster: str) -> Any:
    return client.get(reverse("bundles:file", args=[event.slug, roster]))


def list_result_pages(ride: Ride) -> list[str]:
    """The pages that link to the file."""
    event = reverse("results:event", args=[ride.event.slug])
    return [event, reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])]


def test_an_organiser_downloads_both_files_at_any_time(played_ride: Ride, alice: User, sign_in: SignIn) -> None:
    event = played_ride.event
    for roster in ("full", "public"):
        response = get_file(sign_in(alice), event, roster)
        content = read(response)
        report = check_bundle(io.BytesIO(content), find_games())
        assert report.is_in_order
        assert content == export(event, "full" if roster == "full" else "public")
        name = f"{event.slug}-{roster}-{report.digest[:12]}.bundle.jsonl"
        assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
        assert (PRIVATE.encode() in content) is (roster == "full")


def test_the_page_shows_the_hash_of_the_log_and_the_digests_of_the_files(
    official_ride: Ride, alice: User, sign_in: SignIn
) -> None:
    event = official_ride.event
    address = reverse("bundles:page", args=[event.slug])
    page = sign_in(alice).get(address).content.decode()
    assert compute_event_head(list_chain_heads(event.pk, {})) in page
    assert "Visitors can download it too" in page

    with_digests = sign_in(alice).get(address, {"digests": "1"}).content.decode()
    for roster in ("full", "public"):
        digest = check_bundle(io.BytesIO(export(event, roster)), find_games()).digest
        assert digest in with_digests
        assert digest not in page


def test_everyone_gets_the_public_file_of_an_official_event(official_ride: Ride) -> None:
    event = official_ride.event
    content = read(get_public(event))
    assert content == export(event, "public")
    assert PRIVATE.encode() not in content
    link = reverse("bundles:public", args=[event.slug])
    for page in list_result_pages(official_ride):
        assert link in Client().get(page).content.decode()


def test_nobody_gets_it_while_a_contest_is_not_official(official_ride: Ride, rogue_contest: Contest) -> None:
    event = official_ride.event
    assert is_sent_to_event(event)
    link = reverse("bundles:public", args=[event.slug])
    for page in list_result_pages(official_ride):
        assert link not in Client().get(page).content.decode()


def test_nobody_gets_it_while_the_standings_are_frozen(official_ride: Ride, alice: User, sign_in: SignIn) -> None:
    event = official_ride.event
    freeze_standings(event)
    assert is_sent_to_event(event)
    link = reverse("bundles:public", args=[event.slug])
    assert link not in Client().get(reverse("results:event", args=[event.slug])).content.decode()
    response = get_file(sign_in(alice), event, "public")
    page = sign_in(alice).get(response.headers["Location"])
    assert response.status_code == 302
    assert "The standings are frozen" in page.content.decode()
    assert get_file(sign_in(alice), event, "full").status_code == 200

    lift_freeze(event)
    assert get_public(event).status_code == 200


def test_a_draft_has_no_public_file(official_ride: Ride) -> None:
    Event.objects.filter(pk=official_ride.event.pk).update(state=Event.State.DRAFT)
    assert get_public(official_ride.event).status_code == 404


def test_an_event_without_contests_has_no_public_file(event: Event) -> None:
    assert is_sent_to_event(event)


def test_the_temporary_file_is_closed_with_its_bundle(played_ride: Ride) -> None:
    with make_bundle(played_ride.event, "full") as bundle:
        assert next(bundle.read_chunks())
    with pytest.raises(ValueError, match="closed"):
        next(bundle.read_chunks())


def test_what_a_download_is_made_from_is_closed_even_if_nobody_reads_it(event: Event) -> None:
    for request in (RequestFactory().get("/"), AsyncRequestFactory().get("/")):
        file = io.BytesIO(b"line")
        response = stream_file(request, iter(file.readline, b""), "text/plain", "file", on_close=file.close)
        assert not file.closed
        response.close()
        assert file.closed
