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
from pypdf import PdfReader

from scorekeeper.common.game_adapter import translate
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.services import BikeInUse, delete_bike
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.services import decide_award
from scorekeeper.scorecards.services.bike_operations import WalkUp, register_bike, withdraw_bike
from scorekeeper.scorecards.services.erasure import erase_name
from scorekeeper.scorecards.services.sheet_sales import NoMoreSheets, withdraw_sheet
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import reopen_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.stops.models import Slot
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text, get_visible_text
from tests.scorekeeper.page_forms import save
from tests.scorekeeper.prizes.conftest import AddPrize, decide_in_first_version, find_award, list_ids, list_winners
from tests.scorekeeper.scorecards.conftest import make_actor, make_final_turn
from tests.scorekeeper.sheet_rides import get_card_id, make_dice_run, roll, sell


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
        ({"rule": "most_of_face", "face": "0"}, "face", "Enter a face of the dice, such as 6."),
        (
            {"rule": "most_of_face", "face": "7"},
            "face",
            "The dice of “R.O.C.K. Yahtzee” show 1, 2, 3, 4, 5, 6. Enter one of these.",
        ),
        (
            {"rule": "drawn_number", "number_to": "30"},
            "number_from",
            "Enter between which numbers you draw, such as 25 and 150.",
        ),
        (
            {"rule": "drawn_number", "number_from": "30", "number_to": "5"},
            "number_to",
            "This must not be lower than the lowest number, 30.",
        ),
        (
            {"rule": "drawn_number", "number_from": "5", "number_to": "30", "number_drawn": "31"},
            "number_drawn",
            "The number is drawn from 5 to 30.",
        ),
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
    message = "No turn of “R.O.C.K. Yahtzee” is played there."
    assert_refused(alice_desk.post(get_list_url(ride), sent), "id_stop", message)


def test_a_contest_at_tables_has_no_rules_about_turns(ride: Ride, rogue_contest: Contest, alice_desk: Client) -> None:
    sent = make_form(contest=str(rogue_contest.pk), rule="most_of_face", face="6")
    message = "“Campfire” is played at tables, so it has no turns at stops. Choose something else,"
    message += " or “R.O.C.K. Yahtzee” as the contest."
    assert_choice_refused(alice_desk.post(get_list_url(ride), sent), "rule", message)
    assert alice_desk.post(get_list_url(ride), {**sent, "rule": "lowest_total"}).status_code == 302
    ride.contest.delete()
    page = get_page_text(alice_desk.get(get_list_url(ride)))
    assert "Most dice of one face" not in page
    assert 'name="stop"' not in page
    assert "The first sheet wins" not in page


def list_offered_rules(client: Client, ride: Ride) -> set[str]:
    return set(re.findall(r'name="rule" value="(\w+)"', get_page_text(client.get(get_list_url(ride)))))


def test_only_kinds_that_mean_something_in_the_game_are_offered(ride: Ride, alice_desk: Client, add: AddPrize) -> None:
    numbers = {"highest_total", "lowest_total", "drawn_number", "best_group"}
    turns = {"best_roll", "worst_roll", "most_of_face", "most_improved"}
    always = {"place", "first_to_finish", "by_hand"}
    assert list_offered_rules(alice_desk, ride) == numbers | turns | always
    legacy = add("most_sixes")
    assert 'value="most_sixes"' in get_page_text(alice_desk.get(get_url(ride, "edit", legacy)))
    legacy.delete()

    Contest.objects.update(game_key="poker-run", options={})

    assert list_offered_rules(alice_desk, ride) == {"best_hand", "worst_hand"} | always
    message = "There is nothing of this kind to compare in “R.O.C.K. Yahtzee”. Choose something else."
    assert_choice_refused(alice_desk.post(get_list_url(ride), make_form(rule="highest_total")), "rule", message)


def test_groups_win_nothing_where_the_game_says_why_they_are_not_compared(ride: Ride, alice_desk: Client) -> None:
    contest = make_dice_run(ride, goal="target", target=100)
    assert {"highest_total", "drawn_number"} <= list_offered_rules(alice_desk, ride)
    assert "best_group" not in list_offered_rules(alice_desk, ride)
    why = get_why_no_groups(contest)
    response = alice_desk.post(get_list_url(ride), make_form(rule="best_group"))
    assert_choice_refused(response, "rule", f"{why} Choose something else.")


def get_why_no_groups(contest: Contest) -> str:
    why = contest.ruleset.why_no_groups
    assert why
    return translate(why)


@pytest.fixture
def two_runs(ride: Ride) -> tuple[Contest, Contest]:
    """A ride with a dice run and a poker run, in this order."""
    dice = make_dice_run(ride)
    poker = Contest.objects.create(
        event=ride.event,
        name="Poker run",
        slug="poker",
        ordinal=2,
        game_key="poker-run",
        rules_version=1,
        options={"turns": 1},
    )
    Slot.objects.create(contest=poker, stop=ride.stops[0], ordinal=1)
    return dice, poker


def test_the_chosen_contest_decides_which_kinds_are_offered(
    ride: Ride, alice_desk: Client, two_runs: tuple[Contest, Contest]
) -> None:
    dice, poker = two_runs
    url = get_list_url(ride)
    assert "best_roll" in list_offered_rules(alice_desk, ride)
    assert "best_hand" not in list_offered_rules(alice_desk, ride), "the first contest is chosen"

    sent = make_form(name="Cup", contest=str(poker.pk), rule="best_roll", update_kinds="1")
    whole = alice_desk.post(url, sent)
    part = alice_desk.post(url, sent, headers={"HX-Request": "true", "HX-Target": "prize-kinds"})

    for response in (whole, part):
        page = get_page_text(response)
        assert response.status_code == 200
        assert set(re.findall(r'name="rule" value="(\w+)"', page)) == {
            *("best_hand", "worst_hand", "first_to_finish", "place", "by_hand")
        }
        assert re.search(r'value="place"[^>]* checked', page), "what is not offered is not chosen"
        assert "error-summary" not in page
    assert 'value="Cup"' in get_page_text(whole)
    assert sent["prize_id"] in get_page_text(whole)
    assert re.search(rf'value="{poker.pk}" selected', get_page_text(whole))
    assert "<html" not in get_page_text(part)
    kept = alice_desk.post(url, {**sent, "contest": str(dice.pk), "stop": str(ride.stops[1].pk)})
    assert re.search(r'value="best_roll"[^>]* checked', get_page_text(kept))
    assert re.search(rf'value="{ride.stops[1].pk}" selected', get_page_text(kept))
    assert not ride.event.prizes.exists()


def test_a_kind_of_another_contest_is_refused_at_the_field_with_the_contests_that_can_have_it(
    ride: Ride, alice_desk: Client, two_runs: tuple[Contest, Contest], rogue_contest: Contest
) -> None:
    dice, poker = two_runs
    for contest, rule, message in (
        (dice, "best_hand", "There is nothing of this kind to compare in “Dice run”. {} “Poker run” as the contest."),
        (
            rogue_contest,
            "first_to_finish",
            "“Campfire” is played at tables, so it has no turns at stops. {} “Dice run” or “Poker run” as the contest.",
        ),
        (
            poker,
            "best_group",
            f"{get_why_no_groups(poker)} {{}} “Dice run” or “Campfire” as the contest.",
        ),
    ):
        sent = make_form(name="Cup", contest=str(contest.pk), rule=rule)
        response = alice_desk.post(get_list_url(ride), sent)
        assert_choice_refused(response, "rule", message.format("Choose something else, or"))
        assert re.search(rf'value="{rule}"[^>]* checked', get_page_text(response)), "what was chosen is kept"
    assert alice_desk.post(get_list_url(ride), {**sent, "contest": str(dice.pk)}).status_code == 302


def test_a_group_has_no_sheet_that_could_be_first(ride: Ride, alice_desk: Client) -> None:
    message = "Nothing here has a sheet of its own that could be first. Choose something else."
    sent = make_form(rule="best_group", ties="first")
    assert_choice_refused(alice_desk.post(get_list_url(ride), sent), "ties", message)
    assert alice_desk.post(get_list_url(ride), {**sent, "rule": "place", "place": "1"}).status_code == 302
    assert ride.event.prizes.get().ties == "decide", "ties for a place follow the contest"


def test_a_tie_that_must_be_cut_names_who_cuts(
    ride: Ride, alice_desk: Client, add: AddPrize, tied_bikes: None, close: Any
) -> None:
    prize = add("best_roll", name="Mirror", ties="cut")
    close()
    cut = "To be decided: cut cards between 1, 2 and 3"
    assert cut in get_visible_text(alice_desk.get(get_list_url(ride)))
    decide = get_url(ride, "decide", prize)
    page = get_visible_text(alice_desk.get(decide))
    assert f"{cut}. The highest card wins, suits do not count." in page
    tied = ",".join(sorted(map(str, list_ids(ride, 1, 2, 3))))
    sent = {
        "operation": str(uuid4()),
        "tied_ids": tied,
        "winners": [str(ride.bikes[2].pk)],
        "reason": "Cut cards: K, 7, 3",
    }
    assert alice_desk.post(decide, sent).status_code == 302
    assert list_winners(ride, prize) == [2]
    assert cut not in get_visible_text(alice_desk.get(get_list_url(ride)))


def test_a_number_is_drawn_and_entered(
    ride: Ride, desk: Actor, alice_desk: Client, add: AddPrize, add_turn: Any, close: Any
) -> None:
    prize = add("drawn_number", name="Bottle", number_from=5, number_to=30)
    add_turn(1, 1, make_final_turn([6, 6, 1, 2, 3], "sixes"))
    add_turn(2, 1, make_final_turn([6, 5, 4, 3, 1], "chance"))
    close()
    response = alice_desk.get(get_list_url(ride))
    assert "A total that is drawn, from 5 to 30" in get_visible_text(response)
    edit = get_url(ride, "edit", prize)
    assert f'href="{edit}#id_number_drawn"' in get_page_text(response)
    finish = reverse("desk:finish", args=[ride.event.slug, ride.contest.slug])
    assert "1 prize has no winner yet" in get_visible_text(alice_desk.get(finish))

    sent = make_form(
        name="Bottle", rule="drawn_number", number_from="5", number_to="30", number_drawn="19", ties="decide"
    )
    assert save(alice_desk, edit, sent).status_code == 302

    assert list_winners(ride, prize) == [2]
    page = get_visible_text(alice_desk.get(get_list_url(ride)))
    assert "Total of 19, the number drawn" in page
    assert "Enter the number drawn" not in page


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
    assert "2 ties for prizes" in page
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
    assert "If they cut cards, as for a place" in page
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
    assert "1 tie for prizes" in get_visible_text(alice_desk.get(get_list_url(ride)))


def test_a_tie_for_several_prizes_is_one_tie_on_every_page(
    ride: Ride, alice_desk: Client, add: AddPrize, tied_bikes: None, update_standings: Any, close: Any
) -> None:
    for place in (3, 2, 1):
        add("place", place=place)
    add("best_roll", name="Mirror")
    update_standings()
    close()

    overview = get_visible_text(
        alice_desk.get(reverse("desk:event", args=[ride.event.slug]), {"phase": "prize-giving"})
    )
    finish, ties = (
        get_visible_text(alice_desk.get(reverse(f"desk:{page}", args=[ride.event.slug, ride.contest.slug])))
        for page in ("finish", "ties")
    )
    prizes = get_visible_text(alice_desk.get(get_list_url(ride)))
    assert "1 tie for prize places: cards to be cut" in overview
    assert "1 tie for prize places: cards to be cut" in finish
    assert ties.count("cards to be cut") == 1
    assert "2 ties for prizes" in prizes
    assert "3rd place, 2nd place, 1st place: Bike 1 (Ann), Bike 2 (Ben, Zoe), Bike 3 (Cleo). Enter" in prizes
    assert "1 special prize is tied: decide who wins" in overview, "the second of the ties"


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


def test_a_prize_that_nobody_was_given_is_named_before_publishing_and_blocks_nothing(
    ride: Ride, desk: Actor, alice_desk: Client, add: AddPrize, add_turn: Any, close: Any
) -> None:
    prize = add("by_hand", name="Oldest bike")
    add_turn(1, 1, make_final_turn([6, 6, 1, 2, 3], "sixes"))
    finish, to_publish = (
        reverse(f"desk:{page}", args=[ride.event.slug, ride.contest.slug]) for page in ("finish", "publish")
    )
    assert "no winner yet" not in get_visible_text(alice_desk.get(finish))

    close()
    page = get_visible_text(alice_desk.get(finish))
    assert "1 prize has no winner yet: choose who wins" in page
    assert "Everything is decided" not in page
    assert "would be published as given to nobody" in get_visible_text(alice_desk.get(to_publish))

    decide_award(desk, uuid4(), prize, (), list_ids(ride, 1), "built in 1936")
    page = get_visible_text(alice_desk.get(finish))
    assert "no winner yet" not in page
    assert "Everything is decided" in page
    assert "given to nobody" not in get_visible_text(alice_desk.get(to_publish))


def test_whoever_was_deleted_has_no_prize_and_that_is_named_before_publishing(
    ride: Ride, desk: Actor, alice_desk: Client, add: AddPrize, add_turn: Any, close: Any
) -> None:
    prize = add("by_hand", name="Oldest bike")
    add_turn(1, 1, make_final_turn([6, 6, 1, 2, 3], "sixes"))
    decide_award(desk, uuid4(), prize, (), list_ids(ride, 7), "built in 1936")
    ride.bikes[7].players.all().delete()
    ride.bikes[7].delete()
    close()

    assert find_award(ride, prize).outcome == "nobody"
    finish = reverse("desk:finish", args=[ride.event.slug, ride.contest.slug])
    assert "1 prize has no winner yet: choose who wins" in get_visible_text(alice_desk.get(finish))


def test_a_sheet_that_has_a_prize_is_not_unsold_until_the_decision_is_taken_back(
    ride: Ride, desk: Actor, alice_desk: Client, add: AddPrize
) -> None:
    """The phone that sold it may send the withdrawal hours after the organisers gave the prize."""
    make_dice_run(ride)
    rita = make_actor(ride.rita)
    sheet, prize = sell(ride, rita, 2), add("by_hand", name="Oldest bike")
    decide_award(desk, uuid4(), prize, (), [sheet.pk], "built in 1936")

    with pytest.raises(NoMoreSheets, match="decided something about this sheet, so it stays") as refused:
        withdraw_sheet(rita, uuid4(), sheet.pk)
    assert "Oldest bike" not in str(refused.value), "crews are told with the results"
    card = reverse("scorecards:desk_withdraw_sheet", args=[ride.event.slug, get_card_id(ride, sheet)])
    page = get_visible_text(alice_desk.post(card, {"operation": str(uuid4())}, follow=True))
    assert "2/2 has been given the prize “Oldest bike”. Choose another winner on the page of the prizes" in page
    assert find_award(ride, prize).winners[0].number == "2/2"

    decide_award(desk, uuid4(), prize, (), [], "a replica")
    assert withdraw_sheet(rita, uuid4(), sheet.pk).outcome == "recorded"


def test_a_sheet_whose_prize_was_published_stays(ride: Ride, desk: Actor, add: AddPrize, close: Any) -> None:
    make_dice_run(ride)
    sheet, prize = sell(ride, desk, 2), add("by_hand", name="Oldest bike")
    roll(ride, desk, ride.bikes[1], 1, 20)
    decide_award(desk, uuid4(), prize, (), [sheet.pk], "built in 1936")
    close()
    publish(ride, desk)
    decide_award(desk, uuid4(), prize, (), [], "a replica")
    reopen_contest(desk, uuid4(), ride.contest.pk, "a card is missing")

    with pytest.raises(NoMoreSheets, match="names 2/2 as the winner of a prize"):
        withdraw_sheet(desk, uuid4(), sheet.pk)
    assert not list(list_damage(ride.event))


def test_a_walk_up_that_has_a_prize_stays(ride: Ride, desk: Actor, add: AddPrize) -> None:
    rita, walk_up = make_actor(ride.rita), WalkUp(uuid4(), 70, ride.group_one.pk, "Ida")
    register_bike(rita, uuid4(), walk_up)
    prize = add("by_hand", name="Oldest bike")
    decide_award(desk, uuid4(), prize, (), [walk_up.id], "built in 1936")
    assert withdraw_bike(rita, uuid4(), walk_up.id).outcome == "merged"
    assert find_award(ride, prize).winners[0].number == "70"
    decide_award(desk, uuid4(), prize, (), list_ids(ride, 7), "it is older")
    with pytest.raises(BikeInUse):
        delete_bike(ride.bikes[7])


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
    given = "Oldest bike Chosen by the organisers Bike 7 (Gail)Certificate, PDF, Bike 7 (Gail)"
    given += " Decided by the organisers: Gail's is from 1952"
    assert given in on_event_page
    page = get_visible_text(client.get(board))
    assert (
        "=MirrorGiven by Ozweld & Sons Best roll at any stop Bike 2 (Ben, Zoe)12 points at Ozweld's with 6 6 1 2 3"
        in page
    )
    assert given in page
    pdf = client.get(reverse("prints:public_file", args=[ride.event.slug, ride.contest.slug, "standings"]))
    (printed,) = (page.extract_text() for page in PdfReader(io.BytesIO(pdf.content)).pages)
    assert "Gail's is from 1952" in printed.replace("\n", " ")
    rows = list(csv.DictReader(io.StringIO(get_file(client, ride, "prizes.csv").decode("utf-8-sig"))))
    assert [(row["Prize"], row["Sponsor"], row["Bike"], row["Winner"], row["How"]) for row in rows] == [
        ("'=Mirror", "Ozweld & Sons", "2", "Ben, Zoe", "12 points at Ozweld's with 6 6 1 2 3"),
        ("Oldest bike", "", "7", "Gail", ""),
    ]
    assert [row["Reason"] for row in rows] == ["", "Gail's is from 1952"]
    sheet = load_workbook(io.BytesIO(get_file(client, ride, "export.xlsx")))["Prizes"]
    reasons = next(column for column in sheet.iter_cols(values_only=True) if column[0] == "Reason")
    assert [text or "" for text in reasons[1:]] == ["", "Gail's is from 1952"]
    assert [row[3] for row in sheet.iter_rows(min_row=2, values_only=True)] == [2, 7]
    data = json.loads(get_file(client, ride, "export.json"))["prizes"]
    assert [(prize["name"], prize["outcome"], prize["winners"][0]["name"]) for prize in data] == [
        ("=Mirror", "figures", "Bike 2 (Ben, Zoe)"),
        ("Oldest bike", "choice", "Bike 7 (Gail)"),
    ]


def test_the_form_says_that_everyone_reads_the_reason(ride: Ride, alice_desk: Client, add: AddPrize) -> None:
    prize = add("by_hand", name="Oldest bike")
    assert "Everyone will read the reason" in get_visible_text(alice_desk.get(get_url(ride, "decide", prize)))


def test_a_reason_that_only_organisers_were_to_read_stays_theirs(
    ride: Ride, desk: Actor, alice_desk: Client, client: Client, add: AddPrize, add_turn: Any, close: Any
) -> None:
    """The first version of the program said that organisers can see the reason."""
    prize = add("by_hand", name="Oldest bike")
    decide_in_first_version(desk, prize, ride.bikes[7].pk, "he paid for the tents")
    add_turn(2, 1, make_final_turn([6, 6, 1, 2, 3], "sixes"))
    close()
    publish(ride, desk)

    board = reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])
    page = get_visible_text(client.get(board))
    assert "Bike 7 (Gail) Decided by the organisers" in page
    assert "tents" not in page
    assert b"tents" not in get_file(client, ride, "prizes.csv")
    assert "tents" not in get_visible_text(alice_desk.get(reverse("live:microphone", args=[ride.event.slug])))
    form = get_visible_text(alice_desk.get(get_url(ride, "decide", prize)))
    assert "Reason: he paid for the tents" in form
    assert "Only organisers read this reason." in form

    decide_award(desk, uuid4(), prize, (), list_ids(ride, 7), "a 1952 Panhead")
    assert "1952" not in get_page_text(client.get(board)), "it belongs to the next revision"
    publish(ride, desk)
    assert "a 1952 Panhead" in get_page_text(client.get(board))


def test_an_erased_reason_leaves_the_published_results(
    ride: Ride, desk: Actor, client: Client, add: AddPrize, add_turn: Any, close: Any
) -> None:
    prize = add("by_hand", name="Oldest bike")
    decide_award(desk, uuid4(), prize, (), list_ids(ride, 7), "Gail's is from 1952")
    add_turn(2, 1, make_final_turn([6, 6, 1, 2, 3], "sixes"))
    close()
    publish(ride, desk)
    url = reverse("results:export", args=[ride.event.slug, ride.contest.slug, "prizes.csv"])
    before = client.get(url)
    assert b"1952" in before.getvalue()

    erase_name(ride.event, "Gail")

    after = client.get(url, headers={"If-None-Match": before["ETag"]})
    assert (after.status_code, b"1952" in after.getvalue()) == (200, False)


def test_a_prize_without_a_name_says_once_what_it_is_for(
    ride: Ride, desk: Actor, alice_desk: Client, add: AddPrize, add_turn: Any, close: Any
) -> None:
    add("place", place=1, sponsor="Ozweld")
    add_turn(2, 1, make_final_turn([6, 6, 1, 2, 3], "sixes"))
    close()
    publish(ride, desk)

    board = reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])
    assert "1st placeGiven by Ozweld Bike 2 (Ben, Zoe)" in get_visible_text(alice_desk.get(board))
    pdf = alice_desk.get(reverse("prints:contest_file", args=[ride.event.slug, ride.contest.slug, "standings"]))
    (page,) = (page.extract_text() for page in PdfReader(io.BytesIO(pdf.content)).pages)
    assert page.count("1st place") == 1
    script = get_visible_text(alice_desk.get(reverse("live:microphone", args=[ride.event.slug])))
    assert script.count("1st place") == 1
    assert "Given by Ozweld" in script


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


def test_the_kinds_of_dice_runs_are_published_everywhere_with_how_their_ties_went(
    ride: Ride, desk: Actor, client: Client, add: AddPrize, add_turn: Any, close: Any
) -> None:
    add("worst_roll", name="Money, low", stop_id=ride.stops[0].pk, ties="first")
    add("highest_total", name="Money, high", ties="share")
    add("most_of_face", name="Ones", face=1)
    for number, dice, box in (
        (1, [1, 1, 1, 2, 2], "chance"),
        (2, [1, 2, 2, 1, 1], "chance"),
        (3, [2, 2, 3, 4, 6], "chance"),
    ):
        add_turn(number, 1, make_final_turn(dice, box))
    add_turn(1, 2, make_final_turn([2, 2, 3, 4, 6], "fours"))
    add_turn(2, 2, make_final_turn([6, 6, 1, 1, 1], "aces"))
    add_turn(3, 2, make_final_turn([1, 2, 3, 4, 6], "twos"))
    close()
    publish(ride, desk)

    page = get_visible_text(client.get(reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])))
    assert "Money, low Worst roll at Ozweld's Bike 1 (Ann)7 points at Ozweld's with 1 1 1 2 2Certificate, PDF" in page
    assert "Bike 1 (Ann) Tied, and recorded first" in page
    assert "Money, high Highest total Bike 3 (Cleo)Total 19, the highest of 3" in page
    assert "Ones Most dice showing 1 Bike 2 (Ben, Zoe)6 dice showing 1 over 2 turns" in page
    rows = list(csv.DictReader(io.StringIO(get_file(client, ride, "prizes.csv").decode("utf-8-sig"))))
    assert [(row["Prize"], row["Bike"]) for row in rows] == [("Money, low", "1"), ("Money, high", "3"), ("Ones", "2")]
    data = {prize["name"]: prize for prize in json.loads(get_file(client, ride, "export.json"))["prizes"]}
    assert (data["Money, low"]["outcome"], data["Money, low"]["terms"]["ties"]) == ("first", "first")
    assert data["Ones"]["terms"]["face"] == 1
    assert not list(list_damage(ride.event))
