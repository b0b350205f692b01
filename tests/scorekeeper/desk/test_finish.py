"""`/desk/events/<slug>/finish/<contest>/`: closing, cutting cards, publishing, reopening."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings
from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import OperationReason
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.reports import fold_report
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.desk.conftest import get_line_text, make_operation_id
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.page_forms import read_forms
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.standings.conftest import WITNESS, get_status

pytestmark = pytest.mark.usefixtures("tied_bikes")


def fill_cut_form(ride: Ride, page: Any, cards: dict[int, str | None], witness: str = "Wim") -> dict[str, str]:
    """The data of the page's first form with these cards: the last letter of a card is its suit."""
    _tie, form = page.context["forms"][0]
    sent = {form.add_prefix("operation"): make_operation_id(), form.add_prefix("group"): form.key}
    sent[form.add_prefix("witness")] = witness
    for number, card in cards.items():
        bike = ride.bikes[number].pk
        sent[form.add_prefix(f"rank_{bike}")] = "absent" if card is None else card[:-1]
        sent[form.add_prefix(f"suit_{bike}")] = "" if card is None else card[-1:]
    return sent


def test_an_open_contest_lists_what_is_missing(organiser: Client, url) -> None:
    page = get_line_text(organiser.get(url("finish")))

    assert "4 bikes have turns missing" in page
    assert '<span class="plate">1</span> Ann: Parks, BBQ, Finale (2 turns)' in page
    assert "cut cards after closing" in page
    assert "Close the contest" in page


def test_the_closing_page_names_the_contest_and_requires_a_reason(ride: Ride, organiser: Client, url) -> None:
    page = get_line_text(organiser.get(url("close")))
    assert "Close R.O.C.K. Yahtzee?" in page
    assert "4 bikes have turns missing. They will be recorded as missed" in page

    refused = organiser.post(url("close"), {"operation": make_operation_id(), "reason": " "})
    assert refused.status_code == 422
    assert get_line_text(refused).count("Enter a reason.") == 2
    assert get_status(ride.contest) == "open"

    done = organiser.post(url("close"), {"operation": make_operation_id(), "reason": "over"}, follow=True)
    assert "R.O.C.K. Yahtzee is closed." in get_line_text(done)
    assert "No turn is missing" in get_line_text(done)
    assert get_status(ride.contest) == "closed"


def test_closing_twice_is_not_an_error(ride: Ride, organiser: Client, url) -> None:
    sent = {"operation": make_operation_id(), "reason": "over"}
    organiser.post(url("close"), sent)
    assert "is closed" in get_line_text(organiser.post(url("close"), sent, follow=True))
    assert "Someone else has just changed this contest." in get_line_text(
        organiser.post(url("close"), {**sent, "operation": make_operation_id()}, follow=True)
    )
    assert OperationReason.objects.filter(text="over").count() == 1


def test_a_tie_is_cut_and_cut_again(ride: Ride, organiser: Client, url, close) -> None:
    """ROCK-27"""
    close()
    page = organiser.get(url("ties"))
    assert "Place 1: cards to be cut" in get_line_text(page)

    page = organiser.post(url("ties"), fill_cut_form(ride, page, {1: None, 2: "KH", 3: "KD"}), follow=True)
    assert "Place 1: tied again, cut again" in get_line_text(page)
    assert "Ann, was not there" in get_line_text(page)

    page = organiser.post(url("ties"), fill_cut_form(ride, page, {2: "10S", 3: "AH"}, "Zoe"), follow=True)
    assert "No ties left" in get_line_text(page)
    assert get_line_text(page).count("Witness: Wim") == get_line_text(page).count("Witness: Zoe") == 1
    assert "Cleo, king of diamonds, then ace of hearts" in get_line_text(page)
    ride.contest.refresh_from_db()
    assert [row.number for row in fold_report(ride.contest).rows] == ["3", "2", "1", "4"]


def test_the_cards_of_a_cut_are_corrected_with_a_reason_until_the_result_is_published(
    ride: Ride, organiser: Client, url, close, cut
) -> None:
    """ROCK-27"""
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    assert url("ties") in get_line_text(organiser.get(url("finish")))
    (cut_presenter,) = organiser.get(url("ties")).context["cuts"]
    form = cut_presenter.form
    cards = {1: "QS", 2: "KH", 3: "2D"}
    assert form["witness"].initial == WITNESS
    sent = {form.add_prefix("operation"): make_operation_id(), form.add_prefix("group"): form.key}
    sent[form.add_prefix("witness")] = "Zoe"
    for number, card in cards.items():
        bike = ride.bikes[number].pk
        assert form[f"rank_{bike}"].initial == {1: "Q", 2: "K", 3: "A"}[number]
        sent |= {form.add_prefix(f"rank_{bike}"): card[:-1], form.add_prefix(f"suit_{bike}"): card[-1:]}

    refused = organiser.post(url("ties"), sent)
    assert refused.status_code == 422
    assert get_line_text(refused).count("Enter a reason.") == 2
    assert "2D" not in str([cut.cut.cards for cut in refused.context["cuts"]])

    done = organiser.post(url("ties"), {**sent, form.add_prefix("reason"): "misread the ace"}, follow=True)
    assert "The cut cards have been corrected." in get_line_text(done)
    assert "Corrected: misread the ace" in get_line_text(done)
    assert "ace of diamonds" in get_line_text(done), "the earlier cards are still listed"
    assert f"Witness: {WITNESS}" in get_line_text(done), "and who watched them"
    assert "Witness: Zoe" in get_line_text(done)
    ride.contest.refresh_from_db()
    assert [row.number for row in fold_report(ride.contest).rows] == ["2", "1", "3", "4"]
    late = {**sent, form.add_prefix("reason"): "x", form.add_prefix("operation"): make_operation_id()}
    assert organiser.post(url("ties"), late).status_code == 409

    organiser.post(url("publish"), {"operation": make_operation_id(), "reason": "all are there"})
    page = organiser.get(url("ties"))
    assert "To correct the cut cards, reopen the contest" in get_line_text(page)
    assert page.context["cuts"][0].form is None


@pytest.mark.parametrize(
    ("cards", "message", "times"),
    [
        ({1: "QS", 2: "QS", 3: "AD"}, "The card QS cannot be shown twice in one cut. (ROCK-27)", 1),
        ({1: None, 2: None, 3: None}, "At least one of the tied seats must show a card. (ROCK-27)", 1),
        ({1: "QS", 2: "KH"}, "Bike 3: choose the card.", 2),
        ({1: "Q ", 2: "KH", 3: "AD"}, "Bike 1: choose the suit.", 2),
    ],
)
def test_an_invalid_cut_is_explained_and_the_form_keeps_its_data(
    ride: Ride, organiser: Client, url, close, cards, message: str, times: int
) -> None:
    close()
    sent = fill_cut_form(ride, organiser.get(url("ties")), cards)
    sent = {name: value.strip() for name, value in sent.items()}

    page = organiser.post(url("ties"), sent)

    assert page.status_code == 422
    assert get_visible_text(page).count(message) == times
    form = page.context["forms"][0][1]
    assert form.data == page.wsgi_request.POST


def test_a_cut_needs_a_witness(ride: Ride, organiser: Client, url, close) -> None:
    close()
    sent = fill_cut_form(ride, organiser.get(url("ties")), {1: "QS", 2: "KH", 3: "AD"}, witness=" ")

    page = organiser.post(url("ties"), sent)

    assert page.status_code == 422
    assert get_line_text(page).count("Enter the name of the witness.") == 2
    assert "Place 1: cards to be cut" in get_line_text(page)


def test_a_cut_of_bikes_that_are_no_longer_tied_is_a_conflict(ride: Ride, organiser: Client, url, close, cut) -> None:
    close()
    sent = fill_cut_form(ride, organiser.get(url("ties")), {1: "QS", 2: "KH", 3: "KD"})
    cut({1: "2S", 2: "3H", 3: "4D"})

    page = organiser.post(url("ties"), sent)

    assert page.status_code == 409
    assert "no longer tied" in get_line_text(page)


def test_an_open_contest_has_no_cards_to_enter(organiser: Client, url) -> None:
    assert "Cards are cut once the contest is closed." in get_line_text(organiser.get(url("ties")))


def test_publishing_shows_the_top_places_and_freezes_them(ride: Ride, organiser: Client, url, close, cut) -> None:
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    page = get_line_text(organiser.get(url("publish")))
    assert "Publish R.O.C.K. Yahtzee as revision 1?" in page
    assert '<td>1</td> <th scope="row">3</th> <td class="table__names">Cleo</td>' in page

    done = organiser.post(url("publish"), {"operation": make_operation_id()}, follow=True)

    assert "are official" in get_line_text(done)
    assert "Official, revision 1, " in get_line_text(done)
    assert Revision.objects.get().event_head in get_line_text(done)


def test_after_publishing_the_page_says_what_everyone_sees_and_offers_the_official_results(
    ride: Ride, organiser: Client, client: Client, url, close, cut
) -> None:
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    freeze_standings(ride.event)
    assert "so nobody sees these results when you publish them" in get_visible_text(organiser.get(url("publish")))

    page = organiser.post(url("publish"), {"operation": make_operation_id()}, follow=True)
    text, board = get_visible_text(page), reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])
    assert "For everyone else, the standings are still frozen" in text
    assert "Show everyone the official results" in text
    assert "Official, revision 1" not in get_visible_text(client.get(board))

    [form] = [form for form in read_forms(page.content.decode()) if "next" in form]
    page = organiser.post(reverse("live:steer", args=[ride.event.slug]), {**form, "to": "live"}, follow=True)
    text = get_visible_text(page)
    assert page.wsgi_request.path == url("finish")
    assert "Everyone now sees the official results" in text
    assert "Everyone sees these results: the public pages and the screens show revision 1." in text
    assert "Official, revision 1" in get_visible_text(client.get(board))


def test_a_contest_that_is_not_official_is_named_before_everyone_sees_it(
    ride: Ride, organiser: Client, url, close, cut
) -> None:
    Contest.objects.create(
        event=ride.event, name="Late run", slug="late-run", ordinal=2, game_key="rock-yahtzee", rules_version=1
    )
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    freeze_standings(ride.event)

    text = get_visible_text(organiser.post(url("publish"), {"operation": make_operation_id()}, follow=True))

    assert "Late run is not official: everyone will see its live standings." in text
    assert "Show everyone live standings again" in text


def test_publishing_with_a_tie_left_needs_a_reason(organiser: Client, url, close) -> None:
    close()
    refused = organiser.post(url("publish"), {"operation": make_operation_id()})
    assert refused.status_code == 422
    assert get_line_text(refused).count("Enter a reason for publishing anyway.") == 2

    organiser.post(url("publish"), {"operation": make_operation_id(), "reason": "all went home"})
    assert Revision.objects.get().operation.reason.text == "all went home"


def test_an_entry_that_arrived_in_the_meantime_requires_a_reason(
    ride: Ride, organiser: Client, url, close, cut, add_turn
) -> None:
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    add_turn(4, 2, make_paper_turn("sixes", 30))

    refused = organiser.post(url("publish"), {"operation": make_operation_id()})

    assert refused.status_code == 422
    assert "1 entry needs your decision" in get_line_text(refused)


def test_reopening_names_the_contest_and_keeps_the_revision(ride: Ride, organiser: Client, url, close, cut) -> None:
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    organiser.post(url("publish"), {"operation": make_operation_id()})
    assert "Reopen R.O.C.K. Yahtzee?" in get_line_text(organiser.get(url("reopen")))

    done = organiser.post(
        url("reopen"), {"operation": make_operation_id(), "reason": "one group was forgotten"}, follow=True
    )

    assert "is open again" in get_line_text(done)
    assert "Revision 1 was published before. Revision 2 has not been published yet." in get_line_text(done)
    assert get_status(ride.contest) == "open"
    assert Revision.objects.count() == 1
