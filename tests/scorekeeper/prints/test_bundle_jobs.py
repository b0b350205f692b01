"""The bundle of a large event: a task makes it while a page shows the progress, and the same one is made once."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from scorekeeper.audience.services import freeze_standings, lift_freeze
from scorekeeper.bundles import services
from scorekeeper.bundles.services import compute_key
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import Player
from scorekeeper.prints import services as prints_services
from scorekeeper.prints.models import PrintFile, PrintJob
from scorekeeper.prints.services import carry_out_job, change_certificates
from scorekeeper.prints.tasks import make as make_task
from scorekeeper.scorecards.services.erasure import erase_name
from tests.scorekeeper.bundles.conftest import PRIVATE, export, official_ride, played_ride
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_actor, make_paper_turn
from tests.scorekeeper.table_fixtures import rogue_contest

__all__ = ["add_turn", "desk", "official_ride", "played_ride", "rogue_contest"]

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every event with a log of its own is a large one."""
    monkeypatch.setattr(services, "MAX_AT_ONCE", 3)


@pytest.fixture
def alices(alice: User, sign_in: SignIn) -> Client:
    return sign_in(alice)


def get_url(event: Event, roster: str = "full") -> str:
    return reverse("bundles:file", args=[event.slug, roster])


def read(response: Any) -> bytes:
    assert response.status_code == 200
    content: bytes = response.getvalue()
    return content


def ask_and_make(client: Client, url: str) -> tuple[PrintJob, str]:
    """Ask for a bundle, and make it as the worker does; return the job, and the address of its page."""
    asked = client.get(url)
    job = PrintJob.objects.latest("created_at")
    carry_out_job(job.pk)
    job.refresh_from_db()
    return job, asked.headers["Location"]


def test_an_organiser_sees_how_far_it_is_and_downloads_the_same_file(
    played_ride: Ride, alices: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    event = played_ride.event
    with django_capture_on_commit_callbacks() as callbacks:
        asked = alices.get(get_url(event))
    job = PrintJob.objects.get()
    (put,) = callbacks
    assert put.args[0].task == make_task.name  # type: ignore[attr-defined]
    assert asked.headers["Location"] == reverse("prints:job", args=[event.slug, job.pk])
    page = get_page_text(alices.get(asked.headers["Location"]))
    assert "The whole event in one file" in page
    assert "Waiting for its turn" in page
    assert alices.get(get_url(event)).headers["Location"] == asked.headers["Location"], "it is made only once"

    carry_out_job(job.pk)

    done = get_page_text(alices.get(asked.headers["Location"]))
    assert "The file is ready" in done
    assert "PDF" not in done
    assert reverse("bundles:page", args=[event.slug]) in done
    file = alices.get(reverse("prints:job_file", args=[event.slug, job.pk]))
    assert file.headers["Content-Type"] == "application/jsonl; charset=utf-8"
    assert file.headers["Content-Disposition"].startswith(f'attachment; filename="{event.slug}-full-')
    assert read(file) == export(event)
    assert len(bytes(PrintFile.objects.get().content)) < len(export(event)) / 2


def test_a_bundle_that_was_made_is_sent_at_once_until_anything_in_it_changes(
    played_ride: Ride, alices: Client, desk: Actor, add_turn: Any
) -> None:
    event = played_ride.event
    job, _page = ask_and_make(alices, get_url(event))
    again = alices.get(get_url(event))
    assert again.headers["Location"] == reverse("prints:job_file", args=[event.slug, job.pk])
    assert read(alices.get(again.headers["Location"])) == export(event)
    assert PrintJob.objects.count() == 1

    add_turn(4, 3, make_paper_turn("aces", 2))
    job, page = ask_and_make(alices, get_url(event))
    assert page == reverse("prints:job", args=[event.slug, job.pk])
    assert read(alices.get(reverse("prints:job_file", args=[event.slug, job.pk]))) == export(event)
    assert PrintFile.objects.count() == 2


def test_the_key_changes_with_everything_that_a_bundle_says(played_ride: Ride, desk: Actor, add_turn: Any) -> None:
    event = played_ride.event
    seen = {compute_key(event, "full"), compute_key(event, "public")}

    def check() -> None:
        event.refresh_from_db()
        key = compute_key(Event.objects.get(pk=event.pk), "full")
        assert key == compute_key(Event.objects.get(pk=event.pk), "full")
        assert key not in seen
        seen.add(key)

    Player.objects.filter(event=event).update(name="Somebody")
    check()
    Group.objects.filter(event=event, ordinal=1).update(name="The first")
    check()
    Contest.objects.filter(event=event).update(name="Dice")
    check()
    change_certificates(event, "Well ridden", "", "", None)
    check()
    add_turn(4, 3, make_paper_turn("aces", 2))
    check()
    add_turn(4, 3, make_paper_turn("aces", 2), by=make_actor(played_ride.tom))  # a repeat
    check()
    freeze_standings(event)
    check()
    lift_freeze(event)
    event.name = "Another name"
    event.save()
    check()


def test_everyone_gets_the_public_bundle_and_no_other(official_ride: Ride, alices: Client) -> None:
    event = official_ride.event
    full, _page = ask_and_make(alices, get_url(event))
    job, page = ask_and_make(Client(), reverse("bundles:public", args=[event.slug]))

    assert page == reverse("prints:public_job", args=[event.slug, job.pk])
    shown = get_page_text(Client().get(page))
    assert "The file is ready" in shown
    assert reverse("results:event", args=[event.slug]) in shown
    content = read(Client().get(reverse("prints:public_job_file", args=[event.slug, job.pk])))
    assert content == export(event, "public")
    assert PRIVATE.encode() not in content
    for route in ("public_job", "public_job_file"):
        assert Client().get(reverse(f"prints:{route}", args=[event.slug, full.pk])).status_code == 404
    for kind in ("bundle-full", "bundle-public"):
        assert Client().get(f"/events/{event.slug}/{official_ride.contest.slug}/print/{kind}.pdf").status_code == 404
        assert alices.get(reverse("prints:event_file", args=[event.slug, kind])).status_code == 404


def test_a_freeze_while_it_is_made_leaves_nothing_for_everyone(official_ride: Ride) -> None:
    event = official_ride.event
    asked = Client().get(reverse("bundles:public", args=[event.slug]))
    freeze_standings(event)
    carry_out_job(PrintJob.objects.get().pk)

    assert not PrintFile.objects.exists()
    assert "no longer there" in get_page_text(Client().get(asked.headers["Location"]))
    again = Client().get(reverse("bundles:public", args=[event.slug]))
    assert again.headers["Location"] == reverse("results:event", args=[event.slug])


def test_erasing_a_name_deletes_the_file(played_ride: Ride, alices: Client) -> None:
    ask_and_make(alices, get_url(played_ride.event))
    assert PrintFile.objects.exists()
    erase_name(played_ride.event, f"Ann {PRIVATE}")
    assert not PrintFile.objects.exists()
    assert get_page_text(alices.get(reverse("prints:job", args=[played_ride.event.slug, PrintJob.objects.get().pk])))


def test_one_that_is_too_large_says_how_to_make_it(
    played_ride: Ride, alices: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prints_services, "MAX_BYTES", 100)
    _job, page = ask_and_make(alices, get_url(played_ride.event))
    assert "manage.py export_event" in get_page_text(alices.get(page))
