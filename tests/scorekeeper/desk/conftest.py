"""Fixtures for the organiser's pages; the rest comes from the standings' tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.results.conftest import drag_contest, drag_tables, pig_tables, rogue_contest, rogue_tables
from tests.scorekeeper.scorecards.conftest import add_turn, desk
from tests.scorekeeper.standings.conftest import close, cut, tied_bikes, update_standings
from tests.scorekeeper.table_fixtures import add_action, add_table, fetch_table, people, pig_contest

__all__ = [
    "add_action",
    "add_table",
    "add_turn",
    "close",
    "cut",
    "desk",
    "drag_contest",
    "drag_tables",
    "fetch_table",
    "people",
    "pig_contest",
    "pig_tables",
    "rogue_contest",
    "rogue_tables",
    "tied_bikes",
    "update_standings",
]


@pytest.fixture
def organiser(alice: User, sign_in: Callable[[User], Client]) -> Client:
    """Alice's browser."""
    return sign_in(alice)


@pytest.fixture
def url(ride: Ride) -> Callable[..., str]:
    """The address of one of the ride's pages: `url("close")`."""

    def make(page: str, *args: object) -> str:
        of_contest = page in ("finish", "close", "reopen", "clear_missed", "ties", "publish")
        return reverse(f"desk:{page}", args=[ride.event.slug, *([ride.contest.slug] if of_contest else []), *args])

    return make


def get_line_text(response: Any) -> str:
    """The text of the page, on one line."""
    return " ".join(response.content.decode().split())


def make_operation_id() -> str:
    """A new operation id, as in the form of a page that was just opened."""
    return str(uuid4())
