"""The pages of a bike's card in a game in which cards are drawn: the pad, the result, corrections, and bought cards."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Operation, ReviewItem
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.review import CannotDecide, decide_review
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn, change_game
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.scorecards.card_forms import card_url, crew_url, list_buttons, press, read_form
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor

KEY = re.compile(r'<button type="submit" class="card-pad__suit[^>]* value="(\w+)" data-most="\d"([^>]*)>')


@pytest.fixture
def options() -> dict[str, Any]:
    return {}


@pytest.fixture
def contest(contest: Contest, options: dict[str, Any]) -> Contest:
    return change_game(contest, "poker-run", **options)


def draw(*cards: str) -> list[dict[str, Any]]:
    return [{"type": "draw", "cards": list(cards)}]


def list_open_keys(page: Any) -> set[str]:
    """The cards that can be tapped."""
    keys = KEY.findall(get_page_text(page))
    return {value for value, more in keys if "disabled" not in more}


def test_a_rank_a_suit_and_a_tap_record_a_card(ride: Ride, phone: Client) -> None:
    page = phone.get(card_url(ride, 2, 1))
    assert len(list_open_keys(page)) == 52
    assert "First the rank, then the suit" in get_visible_text(page)

    page = press(phone, page, face="KS")
    assert list_buttons(page, "choose") == [":"]
    assert "High card, K" in get_visible_text(page)
    answer = press(phone, page, choose=":")

    assert answer.status_code == 302
    assert [turn.dice for turn in Turn.objects.all()] == [["KS"]]
    text = get_visible_text(phone.get(answer.url))
    assert "king of spades" in text
    assert "High card, K" in text
    assert "point" not in text


def test_a_card_of_this_hand_says_so_before_the_tap(ride: Ride, phone: Client, add_turn) -> None:
    """POKER-4; also a card of a later stop, which another phone may have recorded first."""
    add_turn(2, 1, draw("KS"))
    add_turn(2, 3, draw("9D"))

    page = phone.get(card_url(ride, 2, 2))

    assert len(list_open_keys(page)) == 50
    assert {"KS", "9D"}.isdisjoint(list_open_keys(page))
    assert "king of spades spades already in this hand" in get_visible_text(page)


@pytest.mark.parametrize("options", [{"deck": "each_stop", "cards": 2, "jokers": 1}])
def test_a_card_may_come_again_at_another_stop_but_not_in_the_same_turn(ride: Ride, phone: Client, add_turn) -> None:
    """POKER-5"""
    add_turn(2, 1, draw("KS", "JOKER"))
    page = phone.get(card_url(ride, 2, 2))
    assert len(list_open_keys(page)) == 53

    page = press(phone, page, face="KS")
    assert len(list_open_keys(page)) == 52
    page = press(phone, page, face="JOKER")
    assert "Pair" not in get_visible_text(page)  # three of a kind or better: K, K and two jokers
    press(phone, page, choose=":")

    assert list_bike_turns(ride, 2) == [(1, "cards", 2), (2, "cards", 2)]


def test_a_held_card_is_refused_with_its_clause(ride: Ride, phone: Client, add_turn) -> None:
    add_turn(2, 1, draw("KS"))

    page = press(phone, phone.get(card_url(ride, 2, 2)), face="KS")

    assert page.status_code == 422
    assert "This hand already holds KS" in get_visible_text(page)


def test_one_card_recorded_twice_in_a_hand_is_put_before_the_organiser(ride: Ride, add_turn) -> None:
    """POKER-4: two phones without signal each recorded the king of spades, at different stops."""
    add_turn(2, 1, draw("KS"))
    receipt = add_turn(2, 2, draw("KS"))

    assert receipt.outcome == Operation.Outcome.REFUSED
    item = ReviewItem.objects.get()
    assert item.reason == ReviewItem.Reason.RULE
    assert [problem["rule"] for problem in item.problems] == ["POKER-4"]
    assert list_bike_turns(ride, 2) == [(1, "cards", 1)]


@pytest.mark.parametrize(("options", "card"), [({}, "KS"), ({"jokers": 1}, "JOKER")])
def test_the_organiser_decides_which_of_the_two_it_was(
    ride: Ride, add_turn, desk: Actor, sign_in: SignIn, alice: User, card: str
) -> None:
    """The page says why, and the card under review counts once the other has been corrected."""
    first = add_turn(2, 1, draw(card))
    add_turn(2, 2, draw(card), by=make_actor(ride.tom))
    item = ReviewItem.objects.get()
    page = sign_in(alice).get(reverse("desk:review", args=[ride.event.slug]))
    assert "POKER-4" in get_visible_text(page)
    with pytest.raises(CannotDecide):
        decide_review(desk, uuid4(), item.pk, "apply", "Tom is right")

    target = CorrectionTarget(first.operation_id, 1, draw("9D"))
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[2].pk, [target], "misread")
    decide_review(desk, uuid4(), item.pk, "apply", "Tom is right")

    assert [turn.dice for turn in Turn.objects.order_by("slot__ordinal")] == [["9D"], [card]]
    assert list(list_damage(ride.event)) == []


@pytest.mark.parametrize("options", [{"deck": "each_stop", "jokers": 1}])
def test_two_phones_may_record_the_same_card_at_two_stops_of_new_decks(ride: Ride, add_turn) -> None:
    """POKER-5; at one stop it is one turn, and another card there is a conflict."""
    tom = make_actor(ride.tom)
    outcomes = [
        add_turn(2, slot, draw(card), by=by).outcome
        for slot, card, by in (
            (1, "KS", None),
            (2, "KS", tom),
            (3, "JOKER", None),
            (4, "JOKER", tom),
            (1, "KS", tom),
            (4, "KS", None),
        )
    ]

    assert outcomes == ["recorded"] * 4 + ["merged", "conflict"]


def test_undo_brings_the_card_back_to_the_pad(ride: Ride, phone: Client) -> None:
    page = press(phone, phone.get(card_url(ride, 2, 1)), face="10H")
    result = phone.get(press(phone, page, choose=":").url)

    undone: Any = phone.post(crew_url(ride, 2, "undo"), read_form(result))
    again = phone.get(undone.url)

    assert "10 of hearts" in get_visible_text(again)
    assert list_buttons(again, "choose") == [":"]
    assert not Turn.objects.exists()


def test_a_card_is_corrected_on_the_pad(ride: Ride, phone: Client, add_turn) -> None:
    add_turn(2, 1, draw("10H"))
    turn = Turn.objects.get()
    page = phone.get(crew_url(ride, 2, "correct") + f"?turn={turn.pk}")
    assert list_buttons(page, "change") == ["0"]

    page = press(phone, page, change="0")
    page = press(phone, page, face="10D")
    page = press(phone, page, choose=":")
    assert "10♦" in get_visible_text(page)
    assert press(phone, page, save="1", tapped="misread").status_code == 302

    assert [turn.dice for turn in Turn.objects.all()] == [["10D"]]


@pytest.mark.parametrize(
    ("typed", "stored"), [("10d", ["10D"]), ("10♦", ["10D"]), (" 10D ", ["10D"]), ("a\u2660\ufe0e", ["AS"])]
)
def test_a_card_is_typed_in_small_letters_or_with_the_sign_of_its_suit(
    ride: Ride, phone: Client, add_turn, typed: str, stored: list[str]
) -> None:
    add_turn(2, 1, draw("10H"))
    turn = Turn.objects.get()
    url = crew_url(ride, 2, "correct") + f"?turn={turn.pk}&typing=1"
    page = phone.get(url)
    assert "Rank (2 to 10, J, Q, K or A)" in get_visible_text(page)

    answer = press(phone, page, **{f"{turn.pk}-dice": typed, "tapped": "misread"})

    assert answer.status_code == 302
    assert [turn.dice for turn in Turn.objects.all()] == [stored]


@pytest.mark.parametrize("typed", ["DH", "RH", "BP", "HK", "К♠"])
def test_letters_of_another_language_are_answered_with_those_that_are_accepted(
    ride: Ride, phone: Client, add_turn, typed: str
) -> None:
    """D may be a dame or diamonds, so nothing is guessed."""
    add_turn(2, 1, draw("10H"))
    turn = Turn.objects.get()
    page = phone.get(crew_url(ride, 2, "correct") + f"?turn={turn.pk}&typing=1")

    answer = press(phone, page, **{f"{turn.pk}-dice": typed, "tapped": "misread"})

    assert answer.status_code == 422
    assert "Write the rank (2 to 10, J, Q, K or A), then the suit (S, H, D or C)" in get_visible_text(answer)
    assert [turn.dice for turn in Turn.objects.all()] == [["10H"]]


@pytest.fixture
def full_hand(ride: Ride, add_turn) -> None:
    """Bike 2 has a card of each stop."""
    for slot, card in enumerate(("KS", "KH", "9D", "4C", "2S"), 1):
        add_turn(2, slot, draw(card))


def get_last_turn() -> Turn:
    return Turn.objects.get(slot__ordinal=5)


@pytest.mark.parametrize("options", [{"extra": 2}])
def test_cards_are_bought_after_the_last_turn(ride: Ride, phone: Client, full_hand: None) -> None:
    """POKER-6"""
    result = phone.get(card_url(ride, 2, 5))
    assert "Buy a card" in get_visible_text(result)
    page = phone.get(crew_url(ride, 2, "buy") + f"?turn={get_last_turn().pk}")
    assert "Extra card 1 of 2" in get_visible_text(page)
    assert list_buttons(page, "way") == ["stand"]
    assert "KS" not in list_open_keys(page)

    page = press(phone, page, face="9S")
    assert "Two pairs, K-K-9-9-4" in get_visible_text(page)
    answer = press(phone, page, choose=":")

    assert answer.status_code == 302
    assert get_last_turn().dice == ["2S", "9S"]
    text = get_visible_text(phone.get(answer.url))
    assert "Card bought 9 9 of spades" in text
    assert "Two pairs, K-K-9-9-4" in text
    assert "Not right? Undo" in text
    assert "Next bike: 3" in text
    page = phone.get(crew_url(ride, 2, "buy") + f"?turn={get_last_turn().pk}")
    assert "Extra card 2 of 2" in get_visible_text(page)
    press(phone, page, way="stand")
    assert get_last_turn().dice == ["2S", "9S"]
    assert Operation.objects.filter(kind="amend").count() == 2


@pytest.mark.parametrize("options", [{"extra": 2}])
def test_undo_takes_a_bought_card_back_and_nothing_else(ride: Ride, phone: Client, full_hand: None) -> None:
    """Undo brings the card back to the pad, as after every turn, and a later card leaves the first one as it is."""
    url = crew_url(ride, 2, "buy") + f"?turn={get_last_turn().pk}"
    press(phone, press(phone, phone.get(url), face="9S"), choose=":")
    sold = press(phone, press(phone, phone.get(url), face="9H"), choose=":")
    assert get_last_turn().dice == ["2S", "9S", "9H"]

    undone: Any = phone.post(crew_url(ride, 2, "buy"), read_form(phone.get(sold.url)) | {"undo": "1"})
    page = phone.get(undone.url)

    assert get_last_turn().dice == ["2S", "9S"]
    assert "Undone. The card is not bought." in get_visible_text(page)
    assert "9 of hearts" in get_visible_text(page)
    assert list_buttons(page, "choose") == [":"]
    history = get_visible_text(phone.get(crew_url(ride, 2, "history")))
    assert "Bought card taken back: 9♥" in history
    assert re.search(r"9♠ was bought: recorded by Rita, \d", history)
    assert "9♥ was bought" not in history


@pytest.mark.parametrize("options", [{"extra": 2}])
def test_an_older_page_of_the_last_turn_offers_no_undo_once_a_card_is_bought(
    ride: Ride, phone: Client, add_turn
) -> None:
    """It would take the bought card along."""
    for slot, card in enumerate(("KS", "KH", "9D", "4C"), 1):
        add_turn(2, slot, draw(card))
    recorded = press(phone, press(phone, phone.get(card_url(ride, 2, 5)), face="2S"), choose=":").url
    assert "Not right? Undo" in get_visible_text(phone.get(recorded))
    url = crew_url(ride, 2, "buy") + f"?turn={get_last_turn().pk}"
    press(phone, press(phone, phone.get(url), face="9S"), choose=":")

    older = get_visible_text(phone.get(recorded))

    assert "Not right? Undo" not in older
    assert "Already recorded" not in older
    assert "9♠ was bought" in older


@pytest.mark.parametrize("options", [{"extra": 1}])
def test_undo_of_no_more_cards_and_of_a_card_bought_after_it(ride: Ride, phone: Client, full_hand: None) -> None:
    url = crew_url(ride, 2, "buy") + f"?turn={get_last_turn().pk}"
    stood = phone.get(press(phone, phone.get(url), way="stand").url)
    assert "No more cards" in get_visible_text(stood)
    sold = press(phone, press(phone, phone.get(url), face="9S"), choose=":")

    phone.post(crew_url(ride, 2, "buy"), read_form(phone.get(sold.url)) | {"undo": "1"})
    assert get_last_turn().dice == ["2S"]
    assert list_buttons(phone.get(url), "way") == [], "no more cards, as before"

    # What has changed since is not undone.
    stale: Any = phone.post(crew_url(ride, 2, "buy"), read_form(stood) | {"undo": "1"})
    assert "Nothing was undone" in get_visible_text(phone.get(stale.url))
    assert list_buttons(phone.get(url), "way") == []


@pytest.mark.parametrize("options", [{"extra": 1}])
def test_a_sale_that_is_sent_again_shows_its_result(ride: Ride, phone: Client, full_hand: None) -> None:
    """The answer was lost on the way to the phone."""
    page = press(phone, phone.get(crew_url(ride, 2, "buy") + f"?turn={get_last_turn().pk}"), face="9S")
    first, second = press(phone, page, choose=":"), press(phone, page, choose=":")

    assert second.url == first.url
    assert get_last_turn().dice == ["2S", "9S"]


@pytest.mark.parametrize("options", [{"extra": 1}])
def test_a_bought_card_is_no_correction(ride: Ride, phone: Client, alice, sign_in: SignIn, full_hand: None) -> None:
    """Every page says who recorded it, and what it is; a correction is still called one."""
    url = crew_url(ride, 2, "buy") + f"?turn={get_last_turn().pk}"
    press(phone, phone.get(url), way="stand")
    press(phone, press(phone, phone.get(url), face="9S"), choose=":")
    desk = reverse("scorecards:desk_card", args=[ride.event.slug, get_last_turn().card_id])

    for page in (
        phone.get(crew_url(ride, 2, "history")),
        phone.get(card_url(ride, 2, 5)),
        sign_in(alice).get(desk),
    ):
        text = get_visible_text(page)
        assert re.search(r"9♠ was bought: recorded by Rita, \d", text)
        assert "Corrected" not in text
    log = text[text.index("Everything recorded") :]
    assert log.index("Card bought: 9♠ Rita") < log.index("No more cards Rita")

    turn = get_last_turn()
    target = CorrectionTarget(turn.pk, turn.seq, [*draw("3S"), {"type": "extra", "card": "9S"}])
    amend_turns(make_actor(ride.sue), uuid4(), ride.contest.pk, ride.bikes[2].pk, [target], "misread")
    text = get_visible_text(phone.get(crew_url(ride, 2, "history")))
    assert "Corrected by Sue" in text
    assert "9♠ was bought: recorded by Rita" in text
    assert "was 2♠ 9♠, is now 3♠ 9♠" in text


def test_the_history_shows_each_card_of_a_turn_once(ride: Ride, phone: Client, add_turn) -> None:
    add_turn(2, 1, draw("KS"))

    page = get_page_text(phone.get(crew_url(ride, 2, "history")))
    turn = page[page.index('class="panel turn"') : page.index("</article>")]

    assert turn.count("king of spades") + turn.count("K♠") == 1


def test_the_button_that_records_cards_is_the_primary_one(ride: Ride, phone: Client) -> None:
    page = press(phone, phone.get(card_url(ride, 2, 1)), face="KS")

    assert re.search(r'class="box box--best"\s+name="choose"', get_page_text(page))


@pytest.mark.parametrize("options", [{"extra": 1}])
def test_after_no_more_cards_one_can_still_be_bought(ride: Ride, phone: Client, full_hand: None) -> None:
    url = crew_url(ride, 2, "buy") + f"?turn={get_last_turn().pk}"
    press(phone, phone.get(url), way="stand")
    page = phone.get(url)
    assert list_buttons(page, "way") == []

    press(phone, press(phone, page, face="9S"), choose=":")

    assert get_last_turn().dice == ["2S", "9S"]
    assert "Buy a card" not in get_visible_text(phone.get(card_url(ride, 2, 5)))
    assert phone.get(url).status_code == 409


@pytest.mark.parametrize("options", [{"extra": 2}])
def test_a_card_sold_on_two_phones_at_once_is_put_before_the_organiser(
    ride: Ride, phone: Client, crew_client: CrewClient, full_hand: None
) -> None:
    url = crew_url(ride, 2, "buy") + f"?turn={get_last_turn().pk}"
    other = crew_client(ride.rita)
    first, second = (press(each, each.get(url), face=card) for each, card in ((phone, "9S"), (other, "9H")))

    press(phone, first, choose=":")
    answer = press(other, second, choose=":")

    assert answer.status_code == 409
    assert "The scorecard has changed since you opened this page" in get_visible_text(answer)
    assert get_last_turn().dice == ["2S", "9S"]


@pytest.mark.parametrize("options", [{"extra": 2}])
def test_of_two_cards_sold_without_signal_the_second_goes_to_review(ride: Ride, full_hand: None) -> None:
    turn = get_last_turn()
    receipts = [
        amend_turns(
            make_actor(ride.rita),
            uuid4(),
            ride.contest.pk,
            ride.bikes[2].pk,
            [CorrectionTarget(turn.pk, turn.seq, [*draw("2S"), {"type": "extra", "card": card}])],
            "Card bought",
        )
        for card in ("9S", "9H")
    ]

    assert [receipt.outcome for receipt in receipts] == [Operation.Outcome.RECORDED, Operation.Outcome.CONFLICT]
    assert ReviewItem.objects.get().reason == ReviewItem.Reason.STALE
    assert get_last_turn().dice == ["2S", "9S"]


@pytest.mark.parametrize("options", [{"extra": 1}])
def test_no_card_is_bought_while_a_turn_is_missing(ride: Ride, phone: Client, add_turn) -> None:
    add_turn(2, 5, draw("KS"))

    assert "Buy a card" not in get_visible_text(phone.get(card_url(ride, 2, 5)))
    assert phone.get(crew_url(ride, 2, "buy") + f"?turn={get_last_turn().pk}").status_code == 409


@pytest.mark.parametrize("options", [{"extra": 2}])
def test_a_typed_correction_of_the_last_turn_has_the_bought_cards_too(
    ride: Ride, phone: Client, add_turn, full_hand: None
) -> None:
    turn = get_last_turn()
    page = phone.get(crew_url(ride, 2, "correct") + f"?turn={turn.pk}&typing=1")
    assert "cards that were bought follow those drawn" in get_visible_text(page)

    assert press(phone, page, **{f"{turn.pk}-dice": "3S 9H", "tapped": "misread"}).status_code == 302

    assert get_last_turn().dice == ["3S", "9H"]


@pytest.mark.parametrize("options", [{"extra": 1}])
def test_the_last_turn_may_bring_its_bought_card_in_one_operation(ride: Ride, add_turn) -> None:
    for slot, card in enumerate(("KS", "KH", "9D", "4C"), 1):
        add_turn(2, slot, draw(card))
    add_turn(2, 5, [*draw("2S"), {"type": "extra", "card": "9S"}])

    assert get_last_turn().dice == ["2S", "9S"]


def test_the_history_shows_cards_and_the_hand(ride: Ride, phone: Client, full_hand: None) -> None:
    text = get_visible_text(phone.get(crew_url(ride, 2, "history")))

    assert "Whole scorecard: Pair, K-K-9-4-2" in text
    assert "K♠" in text
    assert "Line Result Cards" in text
    assert " point" not in text.lower()


def test_no_page_of_the_crew_speaks_of_dice_without_dice(ride: Ride, phone: Client, full_hand: None) -> None:
    """The crew's list, the card with its menu, the history and the standings."""
    for page in (
        phone.get(reverse("scorecards:group")),
        phone.get(card_url(ride, 3, 1)),
        phone.get(crew_url(ride, 2, "history")),
        phone.get(reverse("scorecards:standing")),
    ):
        assert page.status_code == 200
        text = get_visible_text(page)
        assert not re.search(r"\b(dice|die|rolled|rolls|thrown?)\b", text, re.IGNORECASE), text
