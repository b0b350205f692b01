"""The pages of classes, their column in files, and what is wrong input."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.desk.services.event_copy import copy_event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.class_members import read_own_classes
from scorekeeper.players.class_settings import MAX_CLASSES, add_class, give_classes
from scorekeeper.players.models import EventClass, Player
from scorekeeper.players.roster_import import FIELDS, RosterImporter, split_classes
from scorekeeper.prizes.services import PrizeSettings, add_prize
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.conftest import add_turn, desk, make_paper_turn

__all__ = ["add_turn", "desk"]


@pytest.fixture
def alice_desk(alice: User, sign_in: SignIn) -> Client:
    """The browser of an organiser."""
    return sign_in(alice)


@pytest.fixture
def classes_url(ride: Ride) -> str:
    return reverse("players:classes", args=[ride.event.slug])


def list_names(ride: Ride) -> list[str]:
    return list(ride.event.classes.order_by("ordinal").values_list("name", flat=True))


def list_numbers(event_class: EventClass) -> list[str]:
    bikes = event_class.members.filter(bike__isnull=False).order_by("bike__number")
    return [member.bike.label for member in bikes if member.bike]


def execute(ride: Ride, text: str) -> Any:
    importer = RosterImporter(ride.event)
    plan = importer.make_plan(text)
    assert not plan.problems, plan.problems
    return importer.execute_plan(text, plan.digest)


def test_classes_are_named_ordered_renamed_and_deleted(ride: Ride, alice_desk: Client, classes_url: str) -> None:
    for name in ("Ladies", "Novices"):
        assert alice_desk.post(classes_url, {"name": name, "note": ""}).status_code == 302
    ladies, novices = ride.event.classes.order_by("ordinal")

    alice_desk.post(reverse("players:move_class", args=[ride.event.slug, novices.pk]), {"direction": "up"})
    assert list_names(ride) == ["Novices", "Ladies"]

    page = alice_desk.get(reverse("players:edit_class", args=[ride.event.slug, ladies.pk]))
    base = page.context["edit"].base
    data = {"name": "Women", "note": "all ages", "edit_base": base}
    alice_desk.post(reverse("players:edit_class", args=[ride.event.slug, ladies.pk]), data)
    assert list_names(ride) == ["Novices", "Women"]

    alice_desk.post(reverse("players:delete_class", args=[ride.event.slug, novices.pk]))
    assert list_names(ride) == ["Women"]


@pytest.mark.parametrize("name", ["LADIES", " ladies ", "Ladies\u200b", "La\u0301dies"])
def test_two_classes_with_a_name_that_is_the_same_to_people_are_refused(
    name: str, ride: Ride, alice_desk: Client, classes_url: str
) -> None:
    add_class(ride.event, "Ládies" if "\u0301" in name else "Ladies")

    response = alice_desk.post(classes_url, {"name": name, "note": "kept"})

    assert response.status_code == 422
    assert "There is already a class called" in get_visible_text(response)
    assert b"kept" in response.content
    assert len(list_names(ride)) == 1


@pytest.mark.parametrize("name", ["125 cc, open", "Ladies; novices"])
def test_a_name_that_a_spreadsheet_would_split_is_refused(
    name: str, ride: Ride, alice_desk: Client, classes_url: str
) -> None:
    response = alice_desk.post(classes_url, {"name": name})

    assert response.status_code == 422
    assert "Leave out commas and semicolons" in get_visible_text(response)
    assert name.encode() in response.content
    assert list_names(ride) == []


def test_a_name_is_needed_and_the_list_has_an_end(ride: Ride, alice_desk: Client, classes_url: str) -> None:
    assert alice_desk.post(classes_url, {"name": " \u200b "}).status_code == 422
    assert alice_desk.post(classes_url, {"name": "x" * 41}).status_code == 422
    for number in range(MAX_CLASSES):
        add_class(ride.event, f"Class {number}")

    response = alice_desk.post(classes_url, {"name": "One more"})

    assert response.status_code == 422
    assert "can have 20 classes" in get_visible_text(response)


def test_a_class_with_prizes_is_not_deleted_and_the_page_names_them(
    ride: Ride, alice_desk: Client, desk: Actor
) -> None:
    ladies = add_class(ride.event, "Ladies")
    for name in ("Cup", "Mirror"):
        settings = PrizeSettings(ride.contest, name, "", "place", place=1, event_class_id=ladies.pk)
        add_prize(desk, ride.event, uuid4(), settings)

    response = alice_desk.post(reverse("players:delete_class", args=[ride.event.slug, ladies.pk]), follow=True)

    text = get_visible_text(response)
    assert "“Ladies” has prizes: “Cup” and “Mirror”. Delete them under “Prizes”" in text
    assert list_names(ride) == ["Ladies"]


def test_a_class_with_members_is_not_deleted_once_anything_is_recorded(
    ride: Ride, alice_desk: Client, add_turn: Any
) -> None:
    ladies, empty = add_class(ride.event, "Ladies"), add_class(ride.event, "Empty")
    give_classes(ride.bikes[2], [ladies.pk])
    add_turn(1, 1, make_paper_turn("chance", 24))

    for one in (ladies, empty):
        alice_desk.post(reverse("players:delete_class", args=[ride.event.slug, one.pk]))

    assert list_names(ride) == ["Ladies"]
    assert list_numbers(ladies) == ["2"]


def test_many_bikes_and_people_are_ticked_at_once(ride: Ride, alice_desk: Client) -> None:
    ladies = add_class(ride.event, "Ladies")
    give_classes(ride.bikes[1], [ladies.pk])
    guest = Player.objects.create(event=ride.event, name="Gwen")
    url = reverse("desk:class_members", args=[ride.event.slug, ladies.pk])
    had = alice_desk.get(url).context["form"]["had"].value()
    assert had == f"bike.{ride.bikes[1].pk}"

    members = [f"bike.{ride.bikes[2].pk}", f"bike.{ride.bikes[3].pk}", f"player.{guest.pk}"]
    data = {"operation": str(uuid4()), "had": had, "members": members}
    assert alice_desk.post(url, data).status_code == 302

    assert list_numbers(ladies) == ["2", "3"]
    assert read_own_classes(ride.event.pk)[guest.pk] == {ladies.pk}


def test_ticks_of_two_organisers_are_merged(ride: Ride, alice_desk: Client) -> None:
    ladies = add_class(ride.event, "Ladies")
    url = reverse("desk:class_members", args=[ride.event.slug, ladies.pk])
    alice_desk.get(url)
    give_classes(ride.bikes[5], [ladies.pk])  # by somebody else, while the page was open

    data = {"operation": str(uuid4()), "had": "", "members": [f"bike.{ride.bikes[2].pk}"]}
    alice_desk.post(url, data)

    assert list_numbers(ladies) == ["2", "5"]


def test_once_anything_is_recorded_a_reason_is_asked_for_and_what_was_ticked_is_kept(
    ride: Ride, alice_desk: Client, add_turn: Any
) -> None:
    ladies = add_class(ride.event, "Ladies")
    add_turn(1, 1, make_paper_turn("chance", 24))
    url = reverse("desk:class_members", args=[ride.event.slug, ladies.pk])
    key = f"bike.{ride.bikes[2].pk}"
    data = {"operation": str(uuid4()), "had": "", "members": [key], "reason": ""}

    refused = alice_desk.post(url, data)
    assert refused.status_code == 422
    assert "Enter a reason" in get_visible_text(refused)
    assert f'value="{key}" checked' in refused.content.decode()
    assert list_numbers(ladies) == []

    assert alice_desk.post(url, {**data, "reason": "asked at the start"}).status_code == 302
    assert list_numbers(ladies) == ["2"]
    history = get_visible_text(alice_desk.get(reverse("desk:class_corrections", args=[ride.event.slug])))
    assert "asked at the start" in history
    assert "Ladies" in history


def test_the_form_of_a_bike_has_its_classes_until_something_is_recorded(
    ride: Ride, alice_desk: Client, add_turn: Any
) -> None:
    ladies, bike = add_class(ride.event, "Ladies"), ride.bikes[2]
    url = reverse("players:edit_bike", args=[ride.event.slug, bike.pk])
    page = alice_desk.get(url)
    data = {
        name: "" if value is None else value
        for name, field in page.context["form"].fields.items()
        if (value := page.context["form"][name].value()) is not None or field
    }
    data |= {"classes": [str(ladies.pk)], "edit_base": page.context["edit"].base}
    assert alice_desk.post(url, data).status_code == 302
    assert list_numbers(ladies) == ["2"]

    add_turn(1, 1, make_paper_turn("chance", 24))
    page = alice_desk.get(url)
    assert "classes" not in page.context["form"].fields
    own = reverse("desk:bike_classes", args=[ride.event.slug, bike.pk])
    assert own in page.content.decode()
    sent = {"operation": str(uuid4()), "had": str(ladies.pk), "classes": [], "reason": "wrong bike"}
    assert alice_desk.post(own, sent).status_code == 302
    assert list_numbers(ladies) == []


def test_a_person_without_a_bike_has_classes_too(ride: Ride, alice_desk: Client) -> None:
    ladies = add_class(ride.event, "Ladies")
    data = {"name": "Gwen", "bike": "", "role": "", "classes": [str(ladies.pk)]}
    assert alice_desk.post(reverse("players:add_player", args=[ride.event.slug]), data).status_code == 302
    gwen = Player.objects.get(name="Gwen")
    assert read_own_classes(ride.event.pk)[gwen.pk] == {ladies.pk}

    url = reverse("desk:person_classes", args=[ride.event.slug, gwen.pk])
    sent = {"operation": str(uuid4()), "had": str(ladies.pk), "classes": []}
    assert alice_desk.post(url, sent).status_code == 302
    assert gwen.pk not in read_own_classes(ride.event.pk)


def test_a_class_of_another_event_is_not_offered(ride: Ride, alice_desk: Client, other_event: Any) -> None:
    theirs = add_class(other_event, "Ladies")
    add_class(ride.event, "Novices")
    url = reverse("desk:bike_classes", args=[ride.event.slug, ride.bikes[2].pk])

    response = alice_desk.post(url, {"operation": str(uuid4()), "had": "", "classes": [str(theirs.pk)]})

    assert response.status_code == 422
    assert not theirs.members.exists()


@pytest.mark.parametrize(
    "heading", ["Class", "classes", "Klasse", "Wertungsklassen", "Catégorie", "classe", "Clases", "Categoría"]
)
def test_the_column_is_found_in_four_languages(heading: str, ride: Ride) -> None:
    plan = execute(ride, f"number,rider,{heading}\n2,Ann,Ladies\n")
    assert plan.new_classes == ("Ladies",)
    assert [line.details.classes for line in plan.lines] == [("Ladies",)]


def test_an_import_gives_classes_and_makes_those_that_are_missing(ride: Ride, alice_desk: Client) -> None:
    add_class(ride.event, "Novices")
    text = 'number,rider,classes\n2,Ann,"ladies; NOVICES"\n3,Bo,50/125 cc\n99,Cy,Ladies\n'

    preview = alice_desk.post(reverse("players:import", args=[ride.event.slug]), {"text": text})
    assert "These classes are new and will be created: ladies, 50/125 cc" in get_visible_text(preview)
    assert list_names(ride) == ["Novices"]

    execute(ride, text)
    assert list_names(ride) == ["Novices", "ladies", "50/125 cc"]
    assert list_numbers(EventClass.objects.get(name="ladies")) == ["2", "99"]
    assert execute(ride, text).counts["unchanged"] == 3


def test_an_empty_cell_clears_the_classes_and_a_file_without_the_column_keeps_them(ride: Ride) -> None:
    ladies = add_class(ride.event, "Ladies")
    for number in (2, 3):
        give_classes(ride.bikes[number], [ladies.pk])

    execute(ride, "number,rider\n2,Ann\n3,Bo\n")
    assert list_numbers(ladies) == ["2", "3"]
    execute(ride, "number,rider,class\n2,Ann,\n3,Bo,Ladies\n")
    assert list_numbers(ladies) == ["3"]


def test_once_anything_is_recorded_an_import_gives_classes_to_new_bikes_only(ride: Ride, add_turn: Any) -> None:
    ladies = add_class(ride.event, "Ladies")
    add_turn(1, 1, make_paper_turn("chance", 24))
    execute(ride, "number,rider,class\n99,Cy,Ladies\n")
    assert list_numbers(ladies) == ["99"]

    plan = RosterImporter(ride.event).make_plan("number,rider,class\n2,Ann,Ladies\n")
    assert "change the classes of a bike on its page" in str(plan.problems[0].text)


def test_too_many_classes_in_a_file_are_refused(ride: Ride) -> None:
    names = ";".join(f"C{number}" for number in range(MAX_CLASSES + 1))
    plan = RosterImporter(ride.event).make_plan(f"number,rider,class\n2,Ann,{names}\n")
    assert "an event can have 20 classes" in str(plan.problems[0].text)


def test_cells_are_split_at_commas_and_semicolons_only() -> None:
    assert split_classes("Ladies, Novices;50/125 cc\nladies") == ("ladies", "Novices", "50/125 cc")
    assert split_classes("-") == ()
    assert split_classes("Solo") == ("Solo",)
    assert FIELDS["classes"].is_list


def test_a_copy_of_the_event_has_the_classes_with_their_bikes_and_prizes(ride: Ride, alice: User, desk: Actor) -> None:
    ladies = add_class(ride.event, "Ladies")
    give_classes(ride.bikes[2], [ladies.pk])
    settings = PrizeSettings(ride.contest, "Cup", "", "place", place=1, event_class_id=ladies.pk)
    add_prize(desk, ride.event, uuid4(), settings)

    whole = copy_event(ride.event, alice, name="Next", date=ride.event.date, with_roster=True)
    bare = copy_event(ride.event, alice, name="Bare", date=ride.event.date, with_roster=False)

    for copy, numbers in ((whole, ["2"]), (bare, [])):
        own = copy.classes.get()
        assert (own.name, list_numbers(own)) == ("Ladies", numbers)
        assert copy.prizes.get(name="Cup").event_class == own


def test_a_file_of_results_is_read_back_with_its_classes(ride: Ride, alice_desk: Client, add_turn: Any) -> None:
    ladies = add_class(ride.event, "Ladies")
    for number in (2, 3):
        give_classes(ride.bikes[number], [ladies.pk])
    add_turn(2, 1, make_paper_turn("chance", 24))
    refresh_standings(ride.contest.pk)
    url = reverse("results:desk_export", args=[ride.event.slug, ride.contest.slug, "export.csv"])
    response: Any = alice_desk.get(url)
    text = b"".join(response.streaming_content).decode("utf-8-sig")

    assert "Place in Ladies" in text.splitlines()[0]
    plan = RosterImporter(ride.event).make_plan(text)
    classes = {line.number: line.details.classes for line in plan.lines}
    assert not plan.problems
    assert (classes[2], classes[3], classes[1]) == (("Ladies",), ("Ladies",), ())
