"""Luck and choices: on pages, in files and in the API, once a contest is closed."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.audience.luck import ASK_AGAIN_AFTER, is_luck_visible
from scorekeeper.audience.services import freeze_standings, lift_freeze
from scorekeeper.events.models import Contest, Event
from scorekeeper.scorecards.contest_rules import clear_contest_rules_cache, derive_card_id
from scorekeeper.standings.models import LuckReport
from scorekeeper.standings.selectors.luck_reports import get_contest_luck
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from scorekeeper.standings.services.luck_computation import compute_luck
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.api.program import make_program, read
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.results.test_exports import get, read_csv, read_sheets
from tests.scorekeeper.scorecards.conftest import make_final_turn, make_paper_turn
from tests.scorekeeper.table_fixtures import AddAction, AddTable, make_contest

pytestmark = pytest.mark.django_db

Actions = list[dict[str, Any]]
FULL_RACE = Path("tests/games/go_500/playthroughs/a_full_race_of_two.json")
FIGURES = ("value", "luck", "loss", "unsplit", "missed", "total", "adjusted")


def make_rolled_turn(box: str = "aces") -> Actions:
    """Five sixes at once, which belong into Yahtzee."""
    return [{"type": "roll", "dice": [6, 6, 6, 6, 6]}, {"type": "score", "box": box}]


def make_long_turn() -> Actions:
    return [
        {"type": "roll", "dice": [5, 1, 5, 4, 5]},
        {"type": "roll", "keep": [5, 5, 5], "dice": [2, 3]},
        {"type": "roll", "keep": [5, 5, 5, 2], "dice": [5]},
        {"type": "score", "box": "fives"},
    ]


@pytest.fixture
def closed(ride: Ride, add_turn, close, update_standings) -> Ride:
    """Bike 1 rolled twice and chose badly once, bike 2 has a turn with final dice, bike 3 one from paper."""
    add_turn(1, 1, make_rolled_turn())
    add_turn(1, 2, make_long_turn())
    add_turn(2, 1, make_final_turn([1, 2, 3, 4, 6], "small_straight"))
    add_turn(3, 2, make_paper_turn("chance", 20))
    close()
    update_standings()
    ride.contest.refresh_from_db()
    return ride


@pytest.fixture
def measured(closed: Ride) -> Ride:
    assert compute_luck(closed.contest.pk)
    return closed


def get_url(ride: Ride, page: str, *args: object) -> str:
    return reverse(f"results:{page}", args=[ride.event.slug, ride.contest.slug, *args])


def to_decimal(text: str) -> Decimal:
    """Return a figure of a page, which has a real minus sign."""
    return Decimal(text.replace("−", "-"))


def assert_is_gone(response: Any, leads_to: str) -> None:
    """Check that a page leads to another one, or that a file is not there."""
    assert response.status_code == (302 if leads_to else 404)
    assert response.headers.get("Location", "") == leads_to


def list_cells(page: str) -> list[list[str]]:
    rows = re.findall(r"<tr>(.*?)</tr>", page)
    return [
        [re.sub("<[^>]*>", "", cell).strip() for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row)] for row in rows
    ]


def test_the_luck_of_every_card_adds_up_to_its_total(measured: Ride) -> None:
    luck = get_contest_luck(measured.contest)

    assert luck is not None
    assert len(luck.cards) == 3
    totals = {card.entrant_id: round(card.luck.value, 9) for card in luck.cards}
    assert totals == {measured.bikes[1].pk: 20, measured.bikes[2].pk: 30, measured.bikes[3].pk: 20}
    for card in luck.cards:
        one = card.luck
        parts = one.add_up("throw") - one.add_up("choice") + one.add_up("unsplit") + one.add_up("missed")
        assert math.isclose(one.start + parts, one.value, abs_tol=1e-9)
        assert one.is_finished, "closing records the other turns as missed"
    assert [card.luck.is_recorded for card in luck.cards if card.entrant_id == measured.bikes[1].pk] == [True]


def test_the_table_lists_everyone_and_says_that_it_decides_nothing(measured: Ride, client: Client) -> None:
    response = client.get(get_url(measured, "luck"))
    text, rows = get_visible_text(response), list_cells(get_page_text(response))[1:]

    assert "For talk only: it decides nothing." in text
    assert len(rows) == 3
    by_entrant = {row[0]: row for row in rows}
    entrant, adjusted, total, luck, cost, place = by_entrant["Bike 1 (Ann)"]
    assert to_decimal(adjusted) == Decimal(total) - to_decimal(luck)
    assert Decimal(cost) > 40, "Yahtzee was given away"
    assert place == "2="
    assert by_entrant["Bike 2 (Ben, Zoe)"][1] == "Not enough recorded"
    assert by_entrant["Bike 3 (Cleo)"][1] == "Not enough recorded"
    assert rows[0][0] == entrant, "those of whom enough is recorded come first"


def test_a_card_shows_what_throws_brought_and_choices_cost(measured: Ride, client: Client) -> None:
    response = client.get(get_url(measured, "luck_card", measured.bikes[1].pk))
    text, page = get_visible_text(response), get_page_text(response)

    assert "Best: Score in a box Yahtzee" in text
    assert "Turn 1" in text
    assert page.count("<polyline ") == 1
    sums = {row[0]: row[1] for row in list_cells(page) if len(row) == 2}
    total, adjusted = to_decimal(sums.pop("Total")), to_decimal(sums.pop("Total without luck"))
    figures = {name: to_decimal(text) for name, text in sums.items()}
    assert sum(figures.values()) == total, "to the last digit"
    assert adjusted == total - figures["Luck of the throws"]
    assert figures["Cost of the choices"] < 0
    assert "prefers-reduced-motion" not in page


def test_a_kept_throw_names_the_best_dice_to_keep(
    ride: Ride, client: Client, add_turn, close, update_standings
) -> None:
    roll = {"type": "roll", "dice": [6, 6, 6, 6, 1]}
    again = {"type": "roll", "keep": [1], "dice": [2, 3, 4, 5]}
    add_turn(1, 1, [roll, again, {"type": "score", "box": "large_straight"}])
    close()
    update_standings()
    compute_luck(ride.contest.pk)

    text = get_visible_text(client.get(get_url(ride, "luck_card", ride.bikes[1].pk)))

    assert "Best: Dice set aside 6 6 6 6" in text


def test_unsplit_and_missed_turns_are_shown_as_such(measured: Ride, client: Client) -> None:
    text = get_visible_text(client.get(get_url(measured, "luck_card", measured.bikes[2].pk)))

    assert "Not recorded roll by roll, choices" in text
    assert "Missed turns and retiring" in text
    assert "Not enough recorded" in text


def test_bikes_without_a_turn_have_no_page(measured: Ride, client: Client) -> None:
    assert client.get(get_url(measured, "luck_card", measured.bikes[4].pk)).status_code == 404
    assert client.get(get_url(measured, "luck_card", uuid4())).status_code == 404


def test_nothing_is_computed_in_a_request(
    closed: Ride, client: Client, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    with django_capture_on_commit_callbacks() as asked:
        first = client.get(get_url(closed, "luck"))
        again = client.get(get_url(closed, "luck_card", closed.bikes[1].pk), headers={"HX-Request": "true"})

    assert "This is being worked out." in get_visible_text(first)
    assert 'hx-trigger="every 2s"' in get_page_text(again)
    assert len(asked) == 1, "the worker is asked once"
    assert get_contest_luck(closed.contest) is None
    assert client.get(get_url(closed, "export", "luck.csv")).status_code == 404
    compute_luck(closed.contest.pk)
    assert "Bike 1" in get_visible_text(client.get(get_url(closed, "luck"), headers={"HX-Request": "true"}))


def test_closing_asks_the_worker(ride: Ride, add_turn, close, django_capture_on_commit_callbacks) -> None:
    add_turn(1, 1, make_rolled_turn())
    with django_capture_on_commit_callbacks() as sent:
        close()

    assert any("standings.luck" in repr(getattr(callback, "args", "")) for callback in sent)


def test_computing_again_changes_nothing_until_the_log_does(measured: Ride, desk, add_turn) -> None:
    assert not compute_luck(measured.contest.pk)
    before = LuckReport.objects.values().get()

    add_turn(4, 1, make_paper_turn("chance", 20), by=desk, reason="a card was found")

    assert get_contest_luck(measured.contest) is None
    assert compute_luck(measured.contest.pk)
    assert len(LuckReport.objects.values().get()["cards"]) == len(before["cards"]) + 1


def test_official_luck_is_that_of_the_revision(measured: Ride, desk, add_turn, client: Client) -> None:
    publish_contest(desk, uuid4(), measured.contest.pk, "all is decided")
    compute_luck(measured.contest.pk)
    before = get_page_text(client.get(get_url(measured, "luck")))

    add_turn(4, 1, make_paper_turn("chance", 20), by=desk, reason="a card was found")

    assert not compute_luck(measured.contest.pk), "the result is still the same"
    assert list_cells(get_page_text(client.get(get_url(measured, "luck")))) == list_cells(before)


def test_a_contest_in_which_nothing_was_recorded_has_no_link_to_luck(ride: Ride, client: Client, close) -> None:
    close()
    refresh_standings(ride.contest.pk)
    assert "luck" not in get_page_text(client.get(get_url(ride, "leaderboard"))).lower()


@pytest.mark.parametrize("page", ["luck", "luck_card", "export"])
def test_there_is_nothing_before_closing_nor_during_a_freeze_nor_after_reopening(
    measured: Ride, client: Client, desk, page: str
) -> None:
    args = {"luck": (), "luck_card": (measured.bikes[1].pk,), "export": ("luck.csv",)}[page]
    url = get_url(measured, page, *args)
    assert client.get(url).status_code == 200

    leads_to = {
        "luck": get_url(measured, "leaderboard"),
        "luck_card": get_url(measured, "bike", measured.bikes[1].pk),
        "export": "",
    }[page]

    freeze_standings(measured.event)
    assert_is_gone(client.get(url), leads_to)
    assert "luck" not in get_page_text(client.get(get_url(measured, "leaderboard"))).lower()
    assert "luck" not in json.loads(get(client, "export", measured, "export.json"))
    lift_freeze(measured.event)
    assert client.get(url).status_code == 200
    reopen_contest(desk, uuid4(), measured.contest.pk, "a card was found")

    assert_is_gone(client.get(url), leads_to)
    assert "luck" not in get_page_text(client.get(get_url(measured, "leaderboard"))).lower()


def test_an_unknown_person_has_no_page_to_lead_to(ride: Ride, client: Client) -> None:
    assert client.get(get_url(ride, "luck_card", ride.bikes[1].pk)).status_code == 302
    assert client.get(get_url(ride, "luck_card", uuid4())).status_code == 404


def test_the_pages_of_results_link_to_it_once_enough_is_recorded(
    ride: Ride, client: Client, add_turn: Any, close: Any, update_standings: Any
) -> None:
    for number in (1, 2):
        add_turn(number, 1, make_rolled_turn())
    add_turn(3, 1, make_paper_turn("chance", 20))
    close()
    update_standings()

    def has_links() -> list[bool]:
        pages = ((get_url(ride, "leaderboard"), "luck"), (get_url(ride, "bike", ride.bikes[1].pk), "luck_card"))
        args = {"luck": (), "luck_card": (ride.bikes[1].pk,)}
        return [get_url(ride, link, *args[link]) in get_page_text(client.get(page)) for page, link in pages]

    assert has_links() == [True, True], "nobody knows yet, and the page says that it is being worked out"
    compute_luck(ride.contest.pk)
    assert has_links() == [True, True], "two of three"


def test_where_too_little_is_recorded_no_page_links_to_it_and_the_leaderboard_says_why(
    measured: Ride, client: Client
) -> None:
    board = client.get(get_url(measured, "leaderboard"))
    card_url = get_url(measured, "luck_card", measured.bikes[1].pk)
    reason = "every turn entered roll by roll, and 1 of 3 have that."

    assert reason in get_visible_text(board)
    assert get_url(measured, "luck") not in get_page_text(board)
    assert card_url not in get_page_text(client.get(get_url(measured, "bike", measured.bikes[1].pk)))
    assert reason in get_visible_text(client.get(get_url(measured, "luck"))), "for whoever has the address"


def test_a_game_without_odds_has_no_luck(pig_contest, pig_race) -> None:
    pig_contest.status = "closed"
    assert not is_luck_visible(pig_contest, is_for_organisers=True)


def test_page_files_and_api_have_the_same_figures(measured: Ride, client: Client, alice) -> None:
    page = list_cells(get_page_text(client.get(get_url(measured, "luck"))))[1:]
    lines = read_csv(get(client, "export", measured, "luck.csv"))
    sheet = read_sheets(get(client, "export", measured, "export.xlsx"))["Luck and choices"]
    data = json.loads(get(client, "export", measured, "export.json"))["luck"]
    args = [measured.event.slug, measured.contest.slug]
    answer = read(Client(), "luck", *args)["luck"]
    own = read(make_program(alice), "luck", *args)["luck"]

    assert data == answer
    assert [row["luck"] for row in own] == [row["luck"] for row in answer]
    assert [row["Luck"] for row in lines] == [str(row["luck"]) for row in data]
    assert [row[sheet[0].index("Luck")] for row in sheet[1:]] == [row["luck"] for row in data]
    assert [float(to_decimal(row[3])) for row in page] == [row["luck"] for row in data]
    assert [float(to_decimal(row[4])) for row in page] == [row["loss"] for row in data]
    for row in data:
        value, luck, loss, unsplit, missed, total, _adjusted = (
            Decimal(str(row[name])) for name in (*FIGURES[:6], "luck")
        )
        assert value + luck - loss + unsplit + missed == total
        assert (row["adjusted"] is None) != row["recorded"]


def test_the_api_tells_every_step_of_a_card_with_an_etag(measured: Ride) -> None:
    luck = get_contest_luck(measured.contest)
    assert luck is not None
    (card,) = luck.list_of(measured.bikes[1].pk)
    url = reverse("api:scorecard_luck", args=[measured.event.slug, measured.contest.slug, card.card_id])
    response = Client().get(url)
    (seat,) = response.json()["seats"]

    assert read(Client(), "scorecard_luck", measured.event.slug, measured.contest.slug, card.card_id)
    assert [step["kind"] for step in seat["steps"][:2]] == ["throw", "choice"]
    assert seat["steps"][1]["best"] == {"type": "score", "box": "yahtzee"}
    assert seat["steps"][1]["amount"] == round(card.luck.steps[1].amount, 10)
    again = Client().get(url, headers={"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304


def test_the_api_says_whether_it_is_being_worked_out_or_there_is_nothing(closed: Ride, desk: Any) -> None:
    args = [closed.event.slug, closed.contest.slug]
    card = derive_card_id(closed.contest.pk, closed.bikes[1].pk)
    results = Client().get(reverse("api:results", args=args))
    assert "luck" not in results.json()
    waiting = read(Client(), "luck", *args)
    assert (waiting["state"], waiting["luck"]) == ("pending", [])
    assert read(Client(), "scorecard_luck", *args, card) == {"state": "pending", "seats": []}
    compute_luck(closed.contest.pk)
    fresh = Client().get(reverse("api:results", args=args), headers={"If-None-Match": results.headers["ETag"]})
    assert "luck" in fresh.json(), "the ETag changes with it"
    assert read(Client(), "luck", *args)["state"] == "ready"
    assert read(Client(), "scorecard_luck", *args, uuid4(), status=404)["code"] == "scorecard_not_found"
    reopen_contest(desk, uuid4(), closed.contest.pk, "a card was found")
    gone = read(Client(), "luck", *args)
    assert (gone["state"], gone["luck"]) == ("none", [])
    assert read(Client(), "scorecard_luck", *args, card) == {"state": "none", "seats": []}


@pytest.mark.parametrize("route", ["luck", "results"])
def test_a_program_that_sends_an_etag_asks_the_worker_again_after_a_message_was_lost(
    closed: Ride, route: str, django_capture_on_commit_callbacks: Any
) -> None:
    url, etag = reverse(f"api:{route}", args=[closed.event.slug, closed.contest.slug]), ""
    for _before_and_after_the_first_question in range(2):
        etag = Client().get(url, headers={"If-None-Match": etag}).headers["ETag"]
    with (
        django_capture_on_commit_callbacks() as asked,
        time_machine.travel(timezone.now() + 2 * ASK_AGAIN_AFTER, tick=False),
    ):
        Client().get(url, headers={"If-None-Match": etag})

    assert len([message for message in asked if "standings.luck" in repr(message)]) == 1


@pytest.mark.slow
def test_a_game_at_tables_has_the_luck_of_every_seat(
    event: Event, people: Any, add_table: AddTable, add_action: AddAction, desk: Any, client: Client
) -> None:
    contest = make_contest(event, "go-500", "The oval", 2)
    actions = json.loads(FULL_RACE.read_text())["transcript"]["actions"]
    cards = [add_table(name, contest=contest) for name in ("Ann", "Ben")]
    for action in actions:
        add_action(cards[action["seat"]], {**action, "seat": 0})
    close_contest(desk, uuid4(), contest.pk, "the games are over")
    refresh_standings(contest.pk)
    contest.refresh_from_db()
    assert compute_luck(contest.pk)

    table = client.get(reverse("results:luck", args=[event.slug, contest.slug]))
    page = client.get(reverse("results:luck_card", args=[event.slug, contest.slug, people["Ann"].pk]))

    assert len(list_cells(get_page_text(table))) == 3
    assert "Lock dice" in get_visible_text(page)
    sums = {row[0]: row[1] for row in list_cells(get_page_text(page)) if len(row) == 2}
    total, _adjusted = to_decimal(sums.pop("Total")), sums.pop("Total without luck")
    assert sum(map(to_decimal, sums.values())) == total
    seats = read(Client(), "scorecard_luck", event.slug, contest.slug, cards[1])["seats"]
    assert len(seats) == 1
    link = client.get(reverse("results:seats", args=[event.slug, contest.slug, people["Ann"].pk]))
    assert "Luck and choices" in get_visible_text(link)


def test_a_contest_whose_odds_take_too_long_links_to_nothing(
    closed: Ride, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorekeeper.standings.services.luck_computation.SECONDS_PER_CARD", -1)
    closed.contest.refresh_from_db()
    Contest.objects.filter(pk=closed.contest.pk).update(options={"turns": 5, "yahtzee_points": [47]})
    clear_contest_rules_cache()
    compute_luck(closed.contest.pk)

    assert_is_gone(client.get(get_url(closed, "luck")), get_url(closed, "leaderboard"))
    assert "luck" not in get_page_text(client.get(get_url(closed, "leaderboard"))).lower()
    assert read(Client(), "luck", closed.event.slug, closed.contest.slug)["state"] == "none"
