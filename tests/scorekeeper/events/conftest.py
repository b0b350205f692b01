"""A game whose options have every shape, and the page that sets up a contest of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from scorekeeper.events.models import Event
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.scorecards.card_forms import HTMX, read_form


class ContestFormPage:
    """An organiser with the form of a new contest, sent as a browser sends it.

    Attributes:
        typed: what stands in the form, by the names of its fields.
    """

    def __init__(self, client: Client, address: str) -> None:
        self.client = client
        self.address = address
        self.fields = read_form(client.get(address), -1)

    def send(self, **pressed: str) -> Any:
        """Send the form with a button pressed; without one, to be judged."""
        return self.client.post(self.address, {**self.fields, **pressed})

    def press(self, **pressed: str) -> Any:
        """Press a button that changes the form, and go on with what comes back."""
        answer = self.send(**pressed)
        self.fields = read_form(answer, -1)
        return answer

    def request_preview(self) -> Any:
        """Send the form as the page itself does when something in it has changed."""
        return self.client.post(self.address, self.fields, headers={**HTMX, "HX-Target": "drawing"})

    def read_pens(self) -> list[str]:
        """Return the names of the pens in their order."""
        return [self.fields[f"options.yard.pens.{key}.name"][0] for key in self.fields["options.yard.pens"]]


@pytest.fixture
def form_page(pig_race: None, event: Event, alice: User, sign_in: SignIn) -> ContestFormPage:
    """Alice with the form of a new pig race."""
    return ContestFormPage(sign_in(alice), f"/desk/events/{event.slug}/contests/new/pig-race/")
