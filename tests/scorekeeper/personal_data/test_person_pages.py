"""The organisers' pages about what is stored about a person, and `manage.py export_person`."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from scorekeeper.common.game_adapter import get_game
from scorekeeper.events.models import Event
from scorekeeper.events.services.contests import create_contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.personal_data.person_record import PersonSection
from scorekeeper.personal_data.redaction import OtherNames, redact_others
from scorekeeper.personal_data.selectors import find_records, get_subject, make_person_export
from scorekeeper.players.models import Player
from scorekeeper.scorecards.services.retirement import retire_bike
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.personal_data.conftest import NAME
from tests.scorekeeper.scorecards.conftest import make_paper_turn


def get_page(event: Event) -> str:
    return reverse("personal_data:person", args=[event.slug])


def run(event: Event, name: str, *arguments: str) -> str:
    out = io.StringIO()
    call_command("export_person", event.slug, name, *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def desk_client(alice: User, ride: Ride, sign_in: SignIn) -> Client:
    return sign_in(alice)


def test_an_organiser_finds_a_person_and_downloads_the_file(full_ride: Ride, alice: User, sign_in: SignIn) -> None:
    client, page = sign_in(alice), get_page(full_ride.event)
    Player.objects.filter(event=full_ride.event, name=NAME).exclude(bike__merged_into=None, bike__number=1).delete()
    searched = client.post(page, {"name": NAME.upper()})

    assert searched.status_code == 302
    assert "Annabel" not in searched.headers["Location"]
    keys = [key for found in parse_qs(urlsplit(searched.headers["Location"]).query).values() for key in found]
    shown = client.get(page, {"record": keys})
    assert shown.status_code == 200
    assert f"What is stored about {NAME}" in shown.content.decode()
    file = client.get(reverse("personal_data:file", args=[full_ride.event.slug]), {"record": keys})
    assert file.headers["Content-Disposition"] == (
        f'attachment; filename="{full_ride.event.slug}-personal-data-annabel-longfellow.json"'
    )
    data = json.loads(file.content)
    assert (data["format"], data["version"], data["names"]) == ("tailgunner-personal-data", 1, [NAME])
    for section in data["sections"].values():
        assert section["about"]
        for row in section["rows"]:
            assert row.keys() == section["columns"].keys()


def test_people_of_the_same_name_are_told_apart(
    ride: Ride, desk_client: Client, desk: Actor, add_turn: Callable[..., Any]
) -> None:
    Player.objects.filter(bike__in=[ride.bikes[3], ride.bikes[4]]).update(name="Pat Moss")
    for number, points in ((3, 11), (4, 22)):
        add_turn(number, 1, make_paper_turn("chance", points))
    retire_bike(desk, uuid4(), ride.contest.pk, ride.bikes[4].pk, "Pat Moss fell ill")
    page = get_page(ride.event)
    asked = desk_client.post(page, {"name": "pat moss"}, follow=True)

    assert "Who is it?" in asked.content.decode()
    assert "Download the file" not in asked.content.decode()
    one = Player.objects.get(bike=ride.bikes[3])
    response = desk_client.get(page, {"record": f"player:{one.pk}"})
    text = response.content.decode()
    assert "Bike 4, Rider" in text  # to choose, in case it is the same person
    export = response.context["export"]
    sections = {section.key: section for section in export.sections}
    assert [row["points"] for row in sections["turns"].rows] == [11]
    assert sections["mentions"].rows == []
    assert "others at this event have the same name" in sections["mentions"].about
    assert "fell ill" not in export.to_json()


def test_turns_of_cards_have_neither_dice_nor_points(ride: Ride, add_turn: Callable[..., Any]) -> None:
    ride.contest.game_key, ride.contest.options = "poker-run", {}
    ride.contest.save()
    add_turn(1, 1, [{"type": "draw", "cards": ["KS"]}])

    def get_turns() -> PersonSection:
        subject = get_subject(ride.event, [record.key for record in find_records(ride.event, "Ann")])
        assert subject is not None
        return next(section for section in make_person_export(subject).sections if section.key == "turns")

    turns = get_turns()
    assert "points" not in turns.headings
    assert turns.headings["dice"] == "Cards"
    assert [(row["dice"], row["how"]) for row in turns.rows] == [(["KS"], "")]

    create_contest(ride.event, get_game("dice-run"), name="Dice", seats_are="bikes", options={})
    turns = get_turns()
    assert turns.headings["dice"] == "Dice or cards"
    assert [row["points"] for row in turns.rows] == [None]


def test_at_a_table_only_the_persons_own_actions_are_exported(
    ride: Ride, add_game_table: Callable[..., UUID], add_action: Callable[..., Any]
) -> None:
    table = add_game_table("rogue", "Ann", "Ben")
    add_action(table, {"seat": 0, "type": "roll", "dice": ["C", 2, 3, 4, 5, 6]})
    exported = {}
    for name in ("Ann", "Ben"):
        subject = get_subject(ride.event, [record.key for record in find_records(ride.event, name)])
        assert subject is not None
        sections = {section.key: section for section in make_person_export(subject).sections}
        exported[name] = [(row["kind"], row["actions"]) for row in sections["log"].rows if row["card"] == str(table)]

    assert [kind for kind, _actions in exported["Ann"]] == ["deal", "record"]
    assert exported["Ann"][1][1][0]["dice"] == ["C", 2, 3, 4, 5, 6]
    assert [kind for kind, _actions in exported["Ben"]] == ["deal"]


def test_the_file_of_nobody_leads_to_the_search(ride: Ride, desk_client: Client) -> None:
    response = desk_client.get(reverse("personal_data:file", args=[ride.event.slug]))
    assert response.headers["Location"] == get_page(ride.event)


def test_nobody_of_that_name_is_explained(ride: Ride, desk_client: Client) -> None:
    response = desk_client.post(get_page(ride.event), {"name": "Nemo"})
    assert response.status_code == 422
    assert "Nobody at this event has the name “Nemo”" in response.content.decode()
    assert desk_client.post(get_page(ride.event), {"name": " "}).status_code == 422


@pytest.mark.parametrize(
    "query", ["record=player:x", "record=nobody:103cc068-f158-4119-a044-bc1d29264ea4", "record=", "record=player"]
)
def test_an_address_that_names_no_record_is_not_found(ride: Ride, desk_client: Client, query: str) -> None:
    for route in ("person", "file"):
        url = f"{reverse(f'personal_data:{route}', args=[ride.event.slug])}?{query}"
        assert desk_client.get(url).status_code == 404


def test_a_person_of_another_event_is_not_found(ride: Ride, other_event: Event, desk_client: Client) -> None:
    stranger = Player.objects.create(event=other_event, name="Ann")
    for route in ("person", "file"):
        url = reverse(f"personal_data:{route}", args=[ride.event.slug])
        assert desk_client.get(url, {"record": f"player:{stranger.pk}"}).status_code == 404
        assert desk_client.get(url, {"record": f"player:{uuid4()}"}).status_code == 404
    assert desk_client.get(get_page(other_event)).status_code == 404


def test_only_organisers_may_have_it(ride: Ride, charlie: User, sign_in: SignIn) -> None:
    ann = Player.objects.get(event=ride.event, name="Ann")
    url = f"{reverse('personal_data:file', args=[ride.event.slug])}?record=player:{ann.pk}"
    assert sign_in(charlie).get(url).status_code == 404
    assert Client().get(url).status_code == 302


def test_the_command_lists_the_records_and_writes_the_file(ride: Ride, tmp_path: Path) -> None:
    file = tmp_path / "ann.json"
    ann = Player.objects.get(event=ride.event, name="Ann")

    assert run(ride.event, "ann") == (
        f"player:{ann.pk} On the roster: Ann (Bike 1, Rider)\n"
        "Nothing was written yet: add --file and the name of a file.\n"
    )
    run(ride.event, "ann", "--file", str(file))
    assert json.loads(file.read_text("utf-8"))["names"] == ["Ann"]
    with pytest.raises(CommandError, match="cannot be written"):
        run(ride.event, "ann", "--file", str(file))


def test_the_command_asks_which_of_several_people_it_is(ride: Ride, tmp_path: Path) -> None:
    other = Player.objects.create(event=ride.event, name="Ann")
    with pytest.raises(CommandError, match="--only"):
        run(ride.event, "Ann", "--file", str(tmp_path / "x.json"))
    run(ride.event, "Ann", "--file", str(tmp_path / "x.json"), "--only", f"player:{other.pk}")
    data = json.loads((tmp_path / "x.json").read_text("utf-8"))
    assert [record["id"] for record in data["records"]] == [str(other.pk)]
    with pytest.raises(CommandError, match="not one of these records"):
        run(ride.event, "Ann", "--only", "player:x")


@pytest.mark.parametrize(
    ("slug", "name", "message"),
    [("nowhere", "Ann", "no event with the address"), ("", "Nemo", "was not found"), ("", " ", "Enter the name")],
)
def test_the_command_explains_what_it_cannot_find(ride: Ride, slug: str, name: str, message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("export_person", slug or ride.event.slug, name, stdout=io.StringIO())


def test_data_about_several_loses_what_is_about_others() -> None:
    own, other = str(uuid4()), str(uuid4())
    data = {
        "cards": {own: "QS", other: "KH"},
        "bikes": [[own, 7], [other, 8]],
        "winners": [other, own],
        "from": other,
        "moves": [{"bike": other, "number": 8}, {"bike": own, "number": 7}],
    }
    assert redact_others(data, {other}) == {
        "cards": {own: "QS"},
        "bikes": [[own, 7]],
        "winners": [own],
        "moves": [{"bike": own, "number": 7}],
    }


def test_names_of_others_are_taken_out_of_texts() -> None:
    names = OtherNames(["Bo Lee", "Ann Lee", "—", "7"], ["Ann Lee"])
    assert names.remove_from("bo lee and Bo saw Ann Lee, Boris 7 — Lee") == (
        "[somebody else] and [somebody else] saw Ann Lee, Boris [somebody else] — Lee"
    )
