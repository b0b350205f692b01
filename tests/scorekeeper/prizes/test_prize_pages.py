"""The pages of the prizes: for organisers, and in the published results."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.services import decide_award
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text, get_visible_text
from tests.scorekeeper.page_forms import save
from tests.scorekeeper.prizes.conftest import AddPrize, find_award, list_ids, list_winners
from tests.scorekeeper.scorecards.conftest import make_final_turn


def get_list_url(ride: Ride) -> str:
    return reverse("prizes:list", args=[ride.event.slug])


def get_url(ride: Ride, page: str, prize: Prize) -> str:
    return reverse(f"prizes:{page}", args=[ride.event.slug, prize.pk])


def make_form(**values: str) -> dict[str, str]:
    return {"prize_id": str(uuid4()), "name": "", "sponsor": "", "place": "", "stop": "", "best_of": "", **values}


def assert_choice_refused(response: Any, name: str, message: str) -> None:
    """Like `assert_refused`, for a group of choices: the summary links to the first of them."""
    page = get_page_text(response)
    assert response.status_code == 422
    assert re.search(rf'<a href="#id_{name}_0">{message}</a>', page)
    assert re.search(rf'<ul[^>]* id="id_{name}_error"[^>]*>.*?{message}', page)


def test_a_prize_is_added_with_a_plain_form(ride: Ride, alice_desk: Client) -> None:
    sent = make_form(
        name=" H-D  tyre mirror ", sponsor="Ozweld", rule="best_roll", stop=str(ride.stops[1].pk), place="x"
    )
    assert alice_desk.post(get_list_url(ride), sent).status_code == 302
    assert alice_desk.post(get_list_url(ride), sent).status_code == 302, "sent twice"

    prize = ride.event.prizes.get()
    assert (prize.name, prize.sponsor, prize.rule, prize.stop) == (
        "H-D tyre mirror",
        "Ozweld",
        "best_roll",
        ride.stops[1],
    )
    page = get_visible_text(alice_desk.get(get_list_url(ride)))
    assert "H-D tyre mirror Nobody yet Best roll at Parks, R.O.C.K. YahtzeeGiven by Ozweld" in page


@pytest.mark.parametrize(
    ("values", "field", "message"),
    [
        ({"rule": "place"}, "place", "Enter which place wins the prize."),
        ({"rule": "place", "place": "0"}, "place", "Enter a place from 1 to 50."),
        ({"rule": "place", "place": "51"}, "place", "Enter a place from 1 to 50."),
        ({"rule": "most_improved"}, "stop", "Choose the stop since which places count."),
        ({"rule": "best_group", "best_of": "0"}, "best_of", "Enter a number from 1 to 99, or nothing."),
    ],
)
def test_what_does_not_fit_the_rule_is_refused(
    ride: Ride, alice_desk: Client, values: dict[str, str], field: str, message: str
) -> None:
    response = alice_desk.post(get_list_url(ride), make_form(name="Mirror", **values))
    assert_refused(response, f"id_{field}", message)
    assert_choice_refused(alice_desk.post(get_list_url(ride), make_form()), "rule", "Choose what the prize is for.")
    assert 'value="Mirror"' in get_page_text(response)
    assert not ride.event.prizes.exists()


def test_a_stop_without_turns_of_the_contest_is_refused(ride: Ride, alice_desk: Client) -> None:
    ride.slots[1].delete()
    sent = make_form(rule="best_roll", stop=str(ride.stops[1].pk))
    message = "No turn of “R.O.C.K. Yahtzee” is rolled there."
    assert_refused(alice_desk.post(get_list_url(ride), sent), "id_stop", message)


def test_a_contest_at_tables_has_no_rules_about_turns(ride: Ride, rogue_contest: Contest, alice_desk: Client) -> None:
    sent = make_form(contest=str(rogue_contest.pk), rule="most_sixes")
    message = "“Campfire” is played at tables, so nothing is rolled at stops. Choose something else."
    assert_choice_refused(alice_desk.post(get_list_url(ride), sent), "rule", message)
    assert alice_desk.post(get_list_url(ride), {**sent, "rule": "lowest_card"}).status_code == 302
    ride.contest.delete()
    page = get_page_text(alice_desk.get(get_list_url(ride)))
    assert "Most sixes" not in page
    assert 'name="stop"' not in page


def test_an_event_without_contests_has_nothing_to_win(ride: Ride, alice_desk: Client) -> None:
    ride.contest.delete()
    assert "A prize is won in a contest. Add a contest first." in get_visible_text(alice_desk.get(get_list_url(ride)))


def test_a_prize_is_changed_moved_and_deleted(ride: Ride, alice_desk: Client, add: AddPrize) -> None:
    cup, mirror = add("place", place=1, name="Cup"), add("by_hand", name="Mirror")
    page = get_page_text(alice_desk.get(get_url(ride, "edit", cup)))
    assert 'value="Cup"' in page
    sent = make_form(name="Big cup", rule="place", place="2")
    assert save(alice_desk, get_url(ride, "edit", cup), sent).status_code == 302
    assert alice_desk.post(get_url(ride, "move", cup), {"direction": "down"}).status_code == 302
    assert [str(prize) for prize in ride.event.prizes.order_by("position")] == ["Mirror", "Big cup"]
    ride.contest.refresh_from_db()
    assert ride.contest.prizes == 2

    assert "Delete “Mirror”?" in get_visible_text(alice_desk.get(get_url(ride, "delete", mirror)))
    assert alice_desk.post(get_url(ride, "delete", mirror)).status_code == 302
    assert [str(prize) for prize in ride.event.prizes.all()] == ["Big cup"]


def test_ties_come_first_with_the_way_to_decide_them(
    ride: Ride, alice_desk: Client, add: AddPrize, tied_bikes: None, close: Any
) -> None:
    add("by_hand", name="Oldest bike")
    cup, roll = add("place", place=1, name="Cup"), add("best_roll", name="Mirror")
    page = get_visible_text(alice_desk.get(get_list_url(ride)))
    assert "It may still change: the contest is open." in page
    assert "Decide who wins" not in page
    close()

    response = alice_desk.get(get_list_url(ride))
    page = get_visible_text(response)
    assert "2 prizes are tied" in page
    assert page.index("Cup: Bike 1 (Ann), Bike 2 (Ben, Zoe), Bike 3 (Cleo). Enter the cut cards") < page.index(
        "Oldest bike"
    )
    assert page.index("Mirror: Bike 1 (Ann), Bike 2 (Ben, Zoe), Bike 3 (Cleo). Decide who wins") < page.index(
        "Oldest bike"
    )
    assert reverse("desk:ties", args=[ride.event.slug, ride.contest.slug]) in get_page_text(response)
    assert "This tie is decided by cutting cards" in get_visible_text(alice_desk.get(get_url(ride, "decide", cup)))

    decide = get_url(ride, "decide", roll)
    page = get_visible_text(alice_desk.get(decide))
    assert "Bike 2 (Ben, Zoe): 24 points at Ozweld's" in page
    assert "Have them cut cards, as for a place" in page
    tied = ",".join(sorted(map(str, list_ids(ride, 1, 2, 3))))
    sent = {"operation": str(uuid4()), "tied_ids": tied, "winners": [str(ride.bikes[2].pk)]}
    assert_refused(alice_desk.post(decide, sent), "id_reason", "Enter a reason.")
    assert_choice_refused(
        alice_desk.post(decide, {**sent, "winners": [], "reason": "r"}), "winners", "Choose who gets the prize."
    )
    stale = alice_desk.post(decide, {**sent, "tied_ids": str(ride.bikes[2].pk), "reason": "r"})
    assert stale.status_code == 409
    assert "Something has changed while this page was open." in get_visible_text(stale)
    assert alice_desk.post(decide, {**sent, "reason": "Cut cards: king against 7"}).status_code == 302

    assert list_winners(ride, roll) == [2]
    assert "Reason: Cut cards: king against 7" in get_visible_text(alice_desk.get(decide))
    assert "1 prize is tied" in get_visible_text(alice_desk.get(get_list_url(ride)))


def test_a_prize_is_given_by_hand_and_taken_back(ride: Ride, alice_desk: Client, add: AddPrize) -> None:
    prize = add("by_hand", name="Oldest bike")
    decide = get_url(ride, "decide", prize)
    assert "Nobody: take the decision back" not in get_page_text(alice_desk.get(decide))
    sent = {"operation": str(uuid4()), "winner": str(ride.bikes[7].pk), "reason": "a 1952 Panhead"}
    assert alice_desk.post(decide, sent).status_code == 302
    assert list_winners(ride, prize) == [7]

    page = get_page_text(alice_desk.get(decide))
    assert "Reason: a 1952 Panhead" in page
    assert "Nobody: take the decision back" in page
    back = {"operation": str(uuid4()), "winner": "nobody", "reason": "it was a replica"}
    assert alice_desk.post(decide, back).status_code == 302
    assert find_award(ride, prize).winners == ()


def test_the_checklist_names_ties_for_special_prizes(
    ride: Ride, alice_desk: Client, add: AddPrize, add_turn: Any, close: Any
) -> None:
    add("most_sixes")
    add_turn(1, 1, make_final_turn([6, 6, 1, 2, 3], "sixes"))
    add_turn(2, 1, make_final_turn([6, 6, 1, 1, 3], "aces"))
    finish = reverse("desk:finish", args=[ride.event.slug, ride.contest.slug])
    assert "1 special prize is tied; decide it after closing" in get_visible_text(alice_desk.get(finish))
    close()
    assert "1 special prize is tied: decide who wins" in get_visible_text(alice_desk.get(finish))


def test_another_events_prizes_are_not_found(ride: Ride, charlie: User, sign_in: SignIn, add: AddPrize) -> None:
    prize = add("by_hand")
    other = sign_in(charlie)
    for page in ("edit", "delete", "decide"):
        assert other.get(get_url(ride, page, prize)).status_code in (403, 404)


def publish(ride: Ride, desk: Actor) -> None:
    publish_contest(desk, uuid4(), ride.contest.pk, "r")
    ride.contest.refresh_from_db()


def get_file(client: Client, ride: Ride, file: str, page: str = "export") -> bytes:
    return client.get(reverse(f"results:{page}", args=[ride.event.slug, ride.contest.slug, file])).getvalue()


def test_the_public_page_shows_prizes_only_once_they_are_published(
    ride: Ride, desk: Actor, client: Client, add: AddPrize, add_turn: Any, close: Any
) -> None:
    add("best_roll", name="=Mirror", sponsor="Ozweld & Sons")
    by_hand = add("by_hand", name="Oldest bike")
    add_turn(2, 1, make_final_turn([6, 6, 1, 2, 3], "sixes"))
    decide_award(desk, uuid4(), by_hand, (), list_ids(ride, 7), "Gail's is from 1952")
    board = reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])
    event = reverse("results:event", args=[ride.event.slug])
    for _ in ("open", "closed"):
        assert "Ozweld" not in get_page_text(client.get(board))
        assert "Oldest bike" not in get_page_text(client.get(event))
        assert json.loads(get_file(client, ride, "export.json"))["prizes"] == []
        assert len(get_file(client, ride, "prizes.csv").splitlines()) == 1
        if ride.contest.status == Contest.Status.OPEN:
            close()
            ride.contest.refresh_from_db()
    publish(ride, desk)

    on_event_page = get_visible_text(client.get(event))
    assert f"Prizes, {ride.contest.name}" in on_event_page
    assert "Oldest bike Chosen by the organisers Bike 7 (Gail)" in on_event_page
    page = get_visible_text(client.get(board))
    assert (
        "=MirrorGiven by Ozweld & Sons Best roll of the ride Bike 2 (Ben, Zoe)12 points at Ozweld's with 6 6 1 2 3"
        in page
    )
    assert "Oldest bike Chosen by the organisers Bike 7 (Gail) Decided by the organisers" in page
    assert "1952" not in page, "reasons are for organisers"
    rows = list(csv.DictReader(io.StringIO(get_file(client, ride, "prizes.csv").decode("utf-8-sig"))))
    assert [(row["Prize"], row["Sponsor"], row["Bike"], row["Winner"], row["How"]) for row in rows] == [
        ("'=Mirror", "Ozweld & Sons", "2", "Ben, Zoe", "12 points at Ozweld's with 6 6 1 2 3"),
        ("Oldest bike", "", "7", "Gail", ""),
    ]
    sheet = load_workbook(io.BytesIO(get_file(client, ride, "export.xlsx")))["Prizes"]
    assert [row[3] for row in sheet.iter_rows(min_row=2, values_only=True)] == [2, 7]
    data = json.loads(get_file(client, ride, "export.json"))["prizes"]
    assert [(prize["name"], prize["outcome"], prize["winners"][0]["name"]) for prize in data] == [
        ("=Mirror", "figures", "Bike 2 (Ben, Zoe)"),
        ("Oldest bike", "choice", "Bike 7 (Gail)"),
    ]


def test_public_pages_and_files_name_winners_as_the_event_shows_people(
    ride: Ride, desk: Actor, client: Client, alice_desk: Client, add: AddPrize, add_turn: Any, close: Any
) -> None:
    add("best_roll", name="Mirror")
    add_turn(2, 1, make_final_turn([6, 6, 1, 2, 3], "sixes"))
    close()
    publish(ride, desk)
    ride.event.people_shown = "numbers"
    ride.event.save()

    board = reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])
    for content in (
        client.get(board).content,
        get_file(client, ride, "prizes.csv"),
        get_file(client, ride, "export.json"),
    ):
        assert b"Ben" not in content
    assert b"Ben, Zoe" in get_file(alice_desk, ride, "prizes.csv", "desk_export")
