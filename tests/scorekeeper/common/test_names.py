"""Names look as they are: composed, without what nobody sees or what turns the text around; and never of nothing."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import models
from django.utils import translation

from scorekeeper.bikes.models import Bike
from scorekeeper.common.name_fields import NameField
from scorekeeper.common.names import MAX_MARKS, clean_name, fold_name, make_sort_key
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.models import Player
from scorekeeper.players.roster_import import RosterImporter
from tests.scorekeeper.api.conftest import post
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn

SPOOFED = "\u202eevil Zu\u0308rich\u200b"
CLEAN = "evil Zürich"
ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
NOTHING = "\u200b\u2060\u3164\u202e"
# Not typed as they are: copied from a name, cleaned by their services, or the name of a file or an account.
NO_NAMES = {
    "events.OrganiserInvitation",
    "prints.PrintFile",
    "events.FormerOrganiser",
    "events.DeletedEvent",
    "embeds.CalendarEntry",
    "ledger.CutWitness",
    "ledger.UncheckedPeople",
}


@pytest.mark.parametrize(
    ("typed", "clean"),
    [
        ("Zu\u0308rich", "Zürich"),
        ("\u202eevil Example", "evil Example"),
        ("12\u200b", "12"),
        ("e\u200b\u0301", "é"),
        ("\ufeffAnn\u00a0 \tLee\n", "Ann Lee"),
        ("An\u00adn", "Ann"),
        (NOTHING, ""),
        ("\u200d \u200c", ""),
        ("\u0301", ""),
        ("\u200dAnn\u200c Bo\u200d", "Ann Bo"),
        # Joiners within words and emoji stay.
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"),
        ("❤\ufe0f\u200d🔥 Riders", "❤\ufe0f\u200d🔥 Riders"),
        (ENGLAND, ENGLAND),
        (f"{ENGLAND}{ENGLAND[1:]}", ENGLAND),
        (f"🏴{ENGLAND[1:-1]}", "🏴"),
        (f"🏴\u200b{ENGLAND[1:]} Riders", "🏴 Riders"),
        ("🏴\u200d☠\ufe0f", "🏴\u200d☠\ufe0f"),
        ("1\ufe0f\u20e3 Crew", "1\ufe0f\u20e3 Crew"),
        ("🙋🏽\u200d♀\ufe0f", "🙋🏽\u200d♀\ufe0f"),
        ("র\u200d্যাব", "র\u200d্যাব"),
        ("Auf\u200clage", "Auf\u200clage"),
        ("Zu\u0308\u200crich", "Zü\u200crich"),
        # They show nothing behind these letters.
        ("Anna\ufe0f", "Anna"),
        ("Ann\U000e0100a", "Anna"),
        ("❤\ufe0f\ufe0f\ufe0e", "❤\ufe0f"),
        # An emoji and a letter that Python 3.11 does not know yet.
        ("\U0001fae8 Crew", "\U0001fae8 Crew"),
        ("\U0001fae8\u200d\u2194\ufe0f", "\U0001fae8\u200d\u2194\ufe0f"),
        ("\U0001fae9", "\U0001fae9"),
        ("a\uffff\ufdd0\u2065b", "ab"),
        ("محمد", "محمد"),
        ("O’Brien-Łukasz, Jr.", "O’Brien-Łukasz, Jr."),
    ],
)
def test_a_name_is_cleaned(typed: str, clean: str) -> None:
    assert clean_name(typed) == clean
    assert clean_name(clean) == clean


@pytest.mark.timeout(10)  # at a time that grows with the square, it would take longer
def test_a_letter_with_very_many_accents_is_cleaned_at_once() -> None:
    for typed in ("a" + "\u0323\u0301" * 100_000, "a" + "\u0323\u200b\u0301" * 60_000, "a" + "\u0344\u0323" * 50_000):
        name = clean_name(typed)
        assert len(name) <= 1 + MAX_MARKS
        assert clean_name(name) == name


def test_names_that_look_the_same_are_the_same() -> None:
    assert fold_name("ZU\u0308RICH") == fold_name("Zürich\u200b")
    assert fold_name("Ro\u200cad\u200dies") == fold_name("Roadies")


def list_name_columns() -> list[models.Field[Any, Any]]:
    """Return the columns of all models that have names: those called so, and those that say who or what it is."""
    wanted = {"name", "rider", "passenger", "make", "model", "sponsor", "signed_by"}
    own = [model for model in apps.get_models() if model.__module__.startswith("scorekeeper.")]
    columns = [field for model in own for field in model._meta.concrete_fields if field.name in wanted]
    return [field for field in columns if isinstance(field, models.CharField)]


def test_every_name_of_a_model_is_a_name_field() -> None:
    others = {field.model._meta.label for field in list_name_columns() if not isinstance(field, NameField)}
    assert others <= NO_NAMES


@pytest.mark.django_db
def test_a_form_cleans_a_name_and_refuses_one_of_nothing(ride: Ride, alice: User, sign_in: SignIn) -> None:
    desk, client = f"/desk/events/{ride.event.slug}", sign_in(alice)
    forms: list[tuple[str, dict[str, str], Any]] = [
        ("/desk/events/new/", {"date": "2026-01-01", "time_zone": "Europe/Zurich", "people_shown": "names"}, Event),
        (f"{desk}/groups/", {}, Group),
        (f"{desk}/people/new/", {}, Player),
        (f"{desk}/contests/new/rogue/", {"groups_by": "none"}, Contest),
    ]
    for address, fields, model in forms:
        refused = client.post(address, {**fields, "name": NOTHING})
        assert refused.status_code == 422, address
        assert not model.objects.filter(name="").exists()
        client.post(address, {**fields, "name": SPOOFED})
        assert "\u202e" not in str(list(model.objects.values_list("name", flat=True))), address
    assert Event.objects.filter(name=CLEAN).exists()
    assert Group.objects.filter(name=CLEAN).exists()
    assert Player.objects.filter(name=CLEAN).exists()
    # The same name again, spelled with other characters.
    assert client.post(f"{desk}/groups/", {"name": "evil Zürich"}).status_code == 422


@pytest.mark.django_db
def test_an_import_holds_to_the_rule(ride: Ride) -> None:
    text = "number,rider,group\n21\u200b,\u202eevil Example,Zu\u0308rich\n22,Ben Example,Zürich\n\u200b,\u200b,\n"
    rows = RosterImporter(Event()).read_text(text).rows
    assert [(row.number, row.cells["rider"]) for row in rows] == [(21, "evil Example"), (22, "Ben Example")]
    assert RosterImporter(ride.event).make_plan(text).new_groups == ("Zürich",)


@pytest.mark.django_db
def test_an_operation_keeps_what_was_sent_and_shows_a_clean_name(ride: Ride, crew_client: CrewClient) -> None:
    bike = uuid.uuid4()
    body = {"id": str(uuid.uuid4()), "kind": "register_bike", "bike": str(bike), "number": 77}
    names = {"rider": SPOOFED, "passenger": NOTHING, "make": "Hon\u200bda"}

    phone = crew_client(ride.tom)
    for _again in range(2):  # what was sent is recognised by its digest
        response = post(phone, {"operations": [{**body, **names}]})
        assert response.json()["receipts"][0]["outcome"] == "recorded"
    assert list(Player.objects.filter(bike=bike).values_list("name", flat=True)) == [CLEAN]
    assert Bike.objects.get(pk=bike).make == "Honda"
    changed = post(phone, {"operations": [{**body, **names, "rider": CLEAN}]})
    assert changed.json()["receipts"][0]["outcome"] != "recorded", "other bytes are another operation"


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en-gb", ["Ann", "Änne", "Anton", "Zoe"]),
        ("de", ["Ärmel", "Arndt", "Otto", "Özil", "Zoe"]),
        ("fr", ["Eve", "Évelyne", "Zoé", "Zoë"]),
        ("es", ["Nunzio", "Nuño", "Nuria", "Ñico", "Oscar"]),
        ("de", ["Nuño", "Nunzio", "Nuria"]),
    ],
)
def test_names_are_sorted_as_readers_of_the_language_expect(language: str, names: list[str]) -> None:
    with translation.override(language):
        assert sorted(sorted(names), key=make_sort_key) == names
