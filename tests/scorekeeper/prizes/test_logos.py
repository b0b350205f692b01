"""The logos of sponsors: which files are accepted, and who sees them."""

from __future__ import annotations

import datetime as dt
import re
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from scorekeeper.common.pictures import MAX_STORED_BYTES, MAX_UPLOAD_BYTES, make_picture
from scorekeeper.desk.services.event_copy import copy_event
from scorekeeper.desk.services.event_deletion import delete_event
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.prizes.models import Prize, PrizeLogo
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.page_forms import save
from tests.scorekeeper.picture_files import HOSTILE, draw, make_bomb, make_file, make_photo, make_png
from tests.scorekeeper.scorecards.conftest import make_paper_turn

PNG = make_picture(make_png()).content  # as it is stored, which storing it again does not change
ANOTHER = make_png(draw((40, 40)))


def make_form(content: bytes | None, name: str = "logo.png", **values: str) -> dict[str, object]:
    logo = {} if content is None else {"logo": SimpleUploadedFile(name, content)}
    return {"prize_id": str(uuid4()), "name": "Mirror", "sponsor": "Ozweld", "rule": "best_roll", **logo, **values}


@pytest.fixture
def mirror(ride: Ride, alice_desk: Client) -> Prize:
    """A prize whose sponsor has a logo."""
    assert alice_desk.post(reverse("prizes:list", args=[ride.event.slug]), make_form(PNG)).status_code == 302
    return ride.event.prizes.get()


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (PNG, "image/png"),
        (make_file(draw(), "JPEG"), "image/jpeg"),
        (make_file(draw(), "WEBP"), "image/png"),
    ],
    ids=["PNG", "JPEG", "WebP"],
)
def test_pictures_are_known_by_their_content(
    ride: Ride, alice_desk: Client, client: Client, content: bytes, media_type: str
) -> None:
    sent = make_form(content, name="logo.svg")
    assert alice_desk.post(reverse("prizes:list", args=[ride.event.slug]), sent).status_code == 302

    logo = ride.event.prizes.get().logo
    assert logo is not None
    response = client.get(reverse("prizes:logo", args=[ride.event.slug, logo.pk]))
    assert (response.content, response["Content-Type"]) == (make_picture(content).content, media_type)
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in response["Cache-Control"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        *HOSTILE.values(),
        (PNG + bytes(MAX_UPLOAD_BYTES), "The picture is larger than 10 MB."),
        (b"", "This file is empty."),
    ],
    ids=[*HOSTILE, "large", "empty"],
)
def test_other_files_are_refused(ride: Ride, alice_desk: Client, content: bytes, message: str) -> None:
    response = alice_desk.post(reverse("prizes:list", args=[ride.event.slug]), make_form(content))
    text = re.search(rf"[^<>]*{re.escape(message)}[^<]*", get_page_text(response))
    assert text is not None
    assert_refused(response, "id_logo", text[0].strip())
    assert not PrizeLogo.objects.exists()


@pytest.mark.slow
def test_a_photo_of_a_phone_is_a_logo(ride: Ride, alice_desk: Client, client: Client) -> None:
    photo = make_photo()
    assert len(photo) > 6_000_000

    assert (
        alice_desk.post(reverse("prizes:list", args=[ride.event.slug]), make_form(photo, "me.jpg")).status_code == 302
    )

    logo = PrizeLogo.objects.get()
    assert len(bytes(logo.content)) <= MAX_STORED_BYTES
    assert client.get(reverse("prizes:logo", args=[ride.event.slug, logo.pk])).content == bytes(logo.content)


def test_a_hostile_logo_of_an_earlier_version_is_not_shown_and_breaks_no_page(
    ride: Ride, alice_desk: Client, client: Client, mirror: Prize
) -> None:
    PrizeLogo.objects.update(content=make_bomb())

    assert client.get(reverse("prizes:logo", args=[ride.event.slug, mirror.logo_id])).status_code == 404
    assert client.get(reverse("results:event", args=[ride.event.slug])).status_code == 200
    edit = reverse("prizes:edit", args=[ride.event.slug, mirror.pk])
    assert save(alice_desk, edit, make_form(ANOTHER)).status_code == 302, "it can be replaced"


def test_a_logo_stays_until_it_is_replaced_or_removed(ride: Ride, alice_desk: Client, mirror: Prize) -> None:
    edit = reverse("prizes:edit", args=[ride.event.slug, mirror.pk])
    first = mirror.logo_id

    assert save(alice_desk, edit, make_form(None, name="")).status_code == 302
    mirror.refresh_from_db()
    assert mirror.logo_id == first
    save(alice_desk, edit, make_form(ANOTHER))
    mirror.refresh_from_db()
    assert mirror.logo_id not in (None, first)
    save(alice_desk, edit, make_form(None, remove_logo="on"))
    mirror.refresh_from_db()
    assert mirror.logo_id is None


def test_a_revision_shows_the_logo_it_was_published_with(
    ride: Ride, desk: Actor, alice_desk: Client, client: Client, mirror: Prize, add_turn, close
) -> None:
    add_turn(2, 1, make_paper_turn("chance", 20))
    close()
    publish_contest(desk, uuid4(), ride.contest.pk, "r")
    first = mirror.logo_id
    save(alice_desk, reverse("prizes:edit", args=[ride.event.slug, mirror.pk]), make_form(ANOTHER))

    url = reverse("prizes:logo", args=[ride.event.slug, first])
    page = get_page_text(client.get(reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])))
    assert f'<img src="{url}"' in page
    assert client.get(url).content == PNG


def test_logos_of_a_draft_and_of_other_events_are_not_found(
    ride: Ride, other_event: Event, client: Client, mirror: Prize
) -> None:
    assert client.get(reverse("prizes:logo", args=[other_event.slug, mirror.logo_id])).status_code == 404
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)
    assert client.get(reverse("prizes:logo", args=[ride.event.slug, mirror.logo_id])).status_code == 404


def test_logos_are_copied_and_deleted_with_the_event(ride: Ride, alice: User, mirror: Prize) -> None:
    event = copy_event(ride.event, alice, name="Next year", date=dt.date(2027, 6, 19), with_roster=False)

    copied = event.prizes.get().logo
    assert copied is not None
    assert (copied.event, bytes(copied.content)) == (event, PNG)
    assert copied.pk != mirror.logo_id
    delete_event(ride.event)
    assert list(PrizeLogo.objects.all()) == [copied]
