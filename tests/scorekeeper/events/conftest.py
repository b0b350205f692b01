"""The page that creates a contest of the toy game, which has options of every type."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from scorekeeper.events.models import Event
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.scorecards.card_forms import HTMX, read_form


class ContestFormPage:
    """The form of a contest, submitted as an organiser's browser submits it.

    Attributes:
        fields: the content of the form, by field name.
    """

    def __init__(self, client: Client, address: str) -> None:
        self.client = client
        self.address = address
        self.fields = read_form(client.get(address), -1)

    def send(self, **pressed: str) -> Any:
        """Submit the form with a button; without a button, to be saved."""
        return self.client.post(self.address, {**self.fields, **pressed})

    def press(self, **pressed: str) -> Any:
        """Press a button that changes the form, and read the new form."""
        response = self.send(**pressed)
        self.fields = read_form(response, -1)
        return response

    def request_preview(self) -> Any:
        """Submit the form as the page itself does when an input changes."""
        return self.client.post(self.address, self.fields, headers={**HTMX, "HX-Target": "drawing"})

    def read_pens(self) -> list[str]:
        """Return the names of the pens, in order."""
        return [self.fields[f"options.yard.pens.{key}.name"][0] for key in self.fields["options.yard.pens"]]


@pytest.fixture
def form_page(pig_race: None, event: Event, alice: User, sign_in: SignIn) -> ContestFormPage:
    """The form of a new pig race in Alice's browser."""
    return ContestFormPage(sign_in(alice), f"/desk/events/{event.slug}/contests/new/pig-race/")
