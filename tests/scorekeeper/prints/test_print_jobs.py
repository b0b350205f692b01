"""Large documents: a task makes them while a page shows the progress, and nothing that goes wrong loses one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from scorekeeper.common.periodic_jobs import PERIODIC_JOBS
from scorekeeper.events.models import Event
from scorekeeper.prints import services, views
from scorekeeper.prints.models import PrintFile, PrintJob
from scorekeeper.prints.services import carry_out_job
from scorekeeper.prints.tasks import make as make_task
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.prints.conftest import get_pages
from tests.scorekeeper.scorecards.conftest import make_paper_turn

pytestmark = pytest.mark.django_db


@pytest.fixture
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two scorecards are already too many to be made while the browser waits."""
    monkeypatch.setattr(views, "MAX_AT_ONCE", 1)


@pytest.fixture
def played(ride: Ride, add_turn: Callable[..., Any]) -> Ride:
    for number in (1, 2):
        add_turn(number, 1, make_paper_turn("chance", 10 + number))
    return ride


def get_url(ride: Ride) -> str:
    return reverse("prints:contest_file", args=[ride.event.slug, ride.contest.slug, "scorecards"])


@pytest.mark.usefixtures("small_limit")
def test_a_large_document_is_made_by_a_task_while_a_page_shows_how_far_it_is(
    played: Ride, organiser: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        response = organiser.get(get_url(played))
    job = PrintJob.objects.get()
    (put,) = callbacks
    assert put.args[0].task == make_task.name  # type: ignore[attr-defined]
    assert response.headers["Location"] == reverse("prints:job", args=[played.event.slug, job.pk])

    page = get_page_text(organiser.get(response.headers["Location"]))
    assert "Waiting for its turn" in page
    assert "<progress" in page
    assert 'http-equiv="refresh"' in page, "it goes on without a script"

    make_task(str(job.pk))

    page = get_page_text(organiser.get(response.headers["Location"]))
    assert "Open the PDF" in page
    assert 'http-equiv="refresh"' not in page
    part = organiser.get(response.headers["Location"], headers={"HX-Request": "true"})
    url = part.headers["HX-Redirect"]
    assert url == reverse("prints:job_file", args=[played.event.slug, job.pk])
    assert len(get_pages(organiser.get(url))) == 2


@pytest.mark.usefixtures("small_limit")
def test_asking_again_does_not_start_a_second_job(played: Ride, organiser: Client) -> None:
    first, second = (organiser.get(get_url(played)).headers["Location"] for _time in range(2))
    assert first == second

    carry_out_job(PrintJob.objects.get().pk)
    assert organiser.get(get_url(played)).headers["Location"] != first
    assert carry_out_job(PrintJob.objects.latest("created_at").pk) is not None
    assert PrintFile.objects.count() == 1, "nothing has changed, so it is the same file"


@pytest.mark.usefixtures("small_limit")
def test_a_job_whose_message_was_lost_is_started_again_by_the_page_that_waits(
    played: Ride, organiser: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    url = organiser.get(get_url(played)).headers["Location"]
    with django_capture_on_commit_callbacks() as callbacks:
        organiser.get(url)
    assert callbacks == []
    PrintJob.objects.update(step_at=timezone.now() - dt.timedelta(minutes=5))

    with django_capture_on_commit_callbacks() as callbacks:
        organiser.get(url)

    assert len(callbacks) == 1


@pytest.mark.usefixtures("small_limit")
def test_a_job_that_keeps_ending_its_worker_is_given_up_and_says_so(played: Ride, organiser: Client) -> None:
    url = organiser.get(get_url(played)).headers["Location"]
    PrintJob.objects.update(attempts=3, step=PrintJob.Step.DRAWING)

    carry_out_job(PrintJob.objects.get().pk)

    assert "This document could not be made" in get_page_text(organiser.get(url))


@pytest.mark.usefixtures("small_limit")
def test_a_file_that_is_too_large_is_not_kept(played: Ride, organiser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_BYTES", 1000)
    url = organiser.get(get_url(played)).headers["Location"]
    carry_out_job(PrintJob.objects.get().pk)

    assert "too large" in get_page_text(organiser.get(url))
    assert not PrintFile.objects.exists()


@pytest.mark.usefixtures("small_limit")
def test_a_contest_that_is_closed_while_it_is_printed_is_printed_as_it_is_when_it_is_read(
    played: Ride, organiser: Client, close: Callable[[], Any]
) -> None:
    organiser.get(get_url(played))
    close()
    job = carry_out_job(PrintJob.objects.get().pk)

    assert job is not None
    pages = get_pages(organiser.get(reverse("prints:job_file", args=[played.event.slug, job.pk])))
    assert all("Unofficial" in page for page in pages)
    assert all("missed" in page.lower() for page in pages), "the turns that closing added"


@pytest.mark.usefixtures("small_limit")
def test_a_job_of_organisers_is_not_found_by_anyone_else(played: Ride, organiser: Client, client: Client) -> None:
    organiser.get(get_url(played))
    job = carry_out_job(PrintJob.objects.get().pk)
    assert job is not None

    for route in ("prints:public_job", "prints:public_job_file"):
        assert client.get(reverse(route, args=[played.event.slug, job.pk])).status_code == 404
    assert client.get(reverse("prints:job_file", args=[played.event.slug, job.pk])).status_code == 302


@pytest.mark.usefixtures("small_limit")
def test_a_file_that_was_deleted_is_explained(played: Ride, organiser: Client) -> None:
    url = organiser.get(get_url(played)).headers["Location"]
    job = carry_out_job(PrintJob.objects.get().pk)
    assert job is not None
    PrintFile.objects.all().delete()

    assert "This document was deleted" in get_page_text(organiser.get(url))
    response = organiser.get(reverse("prints:job_file", args=[played.event.slug, job.pk]))
    assert response.headers["Location"] == url


def test_a_document_of_thousands_of_pages_is_refused_with_a_way_out(
    played: Ride, organiser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MAX_SIZE", 1)
    response = organiser.get(get_url(played))

    assert response.status_code == 422
    assert "one bike at a time" in get_page_text(response)
    assert not PrintJob.objects.exists()


def test_the_sweeper_deletes_files_and_jobs_after_a_day(played: Ride) -> None:
    """Also where nothing is printed any more."""
    for hours, digest in ((23, "a" * 64), (25, "b" * 64)):
        at = timezone.now() - dt.timedelta(hours=hours)
        file = PrintFile.objects.create(event=played.event, digest=digest, name="x", content=b"x", made_at=at)
        PrintJob.objects.create(
            event=played.event, kind="scorecards", paper="a4", is_public=True, file=file, created_at=at, step_at=at
        )
    [job] = [job for job in PERIODIC_JOBS if job.name == "delete_prints"]

    job.run()

    assert [file.digest for file in PrintFile.objects.all()] == ["a" * 64]
    assert [job.file.digest for job in PrintJob.objects.all() if job.file] == ["a" * 64]
    assert PrintJob.objects.count() == 1


def test_old_files_are_deleted_and_only_the_newest_are_kept(
    played: Ride, organiser: Client, other_event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    values = {"name": "x", "content": b"x"}
    old = PrintFile.objects.create(event=other_event, digest="a" * 64, made_at=now - dt.timedelta(days=2), **values)
    kept = PrintFile.objects.create(event=other_event, digest="b" * 64, made_at=now, **values)
    monkeypatch.setattr(services, "MAX_FILES", 2)
    for hours in range(1, 5):
        made_at = now - dt.timedelta(hours=hours)
        PrintFile.objects.create(event=played.event, digest=str(hours) * 64, made_at=made_at, **values)

    organiser.get(get_url(played))

    left = PrintFile.objects.all()
    assert old not in left
    assert kept in left
    assert left.filter(event=played.event).count() == 2
