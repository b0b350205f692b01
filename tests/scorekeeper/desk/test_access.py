"""Who may open the organiser's pages across rooms."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

PAGES = ("event", "cards", "phones", "review", "duplicates", "finish", "close", "reopen", "ties", "publish")


@pytest.mark.parametrize("page", PAGES)
def test_organisers_of_the_event_may(bob: User, sign_in, url, page: str) -> None:
    assert sign_in(bob).get(url(page)).status_code == 200


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("method", ["get", "post"])
def test_to_an_outsider_they_are_not_there(charlie: User, sign_in, url, page: str, method: str) -> None:
    assert getattr(sign_in(charlie), method)(url(page)).status_code == 404


@pytest.mark.parametrize("page", PAGES)
def test_whoever_is_not_signed_in_is_asked_to(client: Client, crew_client, ride, url, page: str) -> None:
    for stranger in (client, crew_client(ride.rita)):
        assert stranger.get(url(page)).headers["Location"].startswith("/sign-in/")


@pytest.mark.parametrize("page", ["settle", "merge", "renumber"])
def test_things_of_another_event_are_not_found(organiser: Client, url, page: str) -> None:
    assert organiser.post(url(page, uuid4())).status_code == 404
