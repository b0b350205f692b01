"""Organisers at their desks; the rest comes from the standings' tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.results.conftest import campfire, campfires, pigs, races, strip
from tests.scorekeeper.scorecards.conftest import desk, note
from tests.scorekeeper.standings.conftest import close, cut, follow, level
from tests.scorekeeper.tables.conftest import act, deal, look, people, pig

__all__ = [
    "act",
    "campfire",
    "campfires",
    "close",
    "cut",
    "deal",
    "desk",
    "follow",
    "level",
    "look",
    "note",
    "people",
    "pig",
    "pigs",
    "races",
    "strip",
]


@pytest.fixture
def organiser(alice: User, sign_in: Callable[[User], Client]) -> Client:
    """Alice's browser."""
    return sign_in(alice)


@pytest.fixture
def url(ride: Ride) -> Callable[..., str]:
    """The address of one of the ride's pages: `url("close")`."""

    def make(page: str, *args: object) -> str:
        of_contest = page in ("finish", "close", "reopen", "ties", "publish")
        return reverse(f"desk:{page}", args=[ride.event.slug, *([ride.contest.slug] if of_contest else []), *args])

    return make


def text(response: Any) -> str:
    """What the page says, on one line."""
    return " ".join(response.content.decode().split())


def operation() -> str:
    """A fresh id, as a page that was just opened carries it."""
    return str(uuid4())
