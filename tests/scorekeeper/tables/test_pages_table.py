"""/crew/tables/<id>/: the table at a glance, taps, and the tap that records."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scorekeeper.events.models import Contest, Event
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import Operation, ReviewItem
from scorekeeper.scorecards.services.corrections import Target
from scorekeeper.standings.services.closing import close_contest
from scorekeeper.tables.services.correcting import correct_actions
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.pages import assert_refused, text_of
from tests.scorekeeper.scorecards.conftest import actor
from tests.scorekeeper.scorecards.pages import HTMX, list_buttons
from tests.scorekeeper.statements import list_statements
from tests.scorekeeper.tables.conftest import BANK, Act, Deal, Look, throw
from tests.scorekeeper.tables.pages import (
    ROLL,
    crew_url,
    desk_url,
    entry_of,
    keeps,
    noted_at,
    press,
    rolls,
    settle,
    tap,
    thrown,
)

pytestmark = pytest.mark.django_db


def test_the_page_says_who_sits_there_and_whose_turn_it_is(campfire: UUID, act: Act, phone: Any) -> None:
    for action in (rolls(0), keeps(0, 2, 2, "C"), {"seat": 0, "type": "bank"}):
        act(campfire, action)

    page = text_of(phone.get(crew_url(campfire)))

    ben, cleo = page[page.index('class="seats__list"') : page.index("</ol>")].split("<li")[1:]
    assert ("Ben" in ben, "8" in ben, "to act" in ben) == (True, True, False)
    assert ("Cleo" in cleo, "seat--acts" in cleo, "to act" in cleo) == (True, True, True)


def test_the_menu_leads_to_the_rules_beside_the_page(campfire: UUID, phone: Any) -> None:
    page = text_of(phone.get(crew_url(campfire)))

    assert '<a href="/rules/rogue/" target="_blank" rel="noopener">Rules of the game' in page


def test_dice_are_tapped_one_after_the_other_and_the_button_notes_them(pigs: UUID, look: Look, phone: Any) -> None:
    page = tap(phone, phone.get(crew_url(pigs)), "throw:dice", 2, 5)
    assert entry_of(page)["throw:dice"] == ["2", "5"]

    told = settle(phone, press(phone, page, "note:throw:"))

    assert noted_at(look, pigs) == [thrown(2, 5)]
    assert "Ann: Throw 2 5" in text_of(told)
    assert "Undo" in text_of(told)
    assert list_buttons(told, "note:bank:") == ["1"], "the next thing to do is on the same page"


def test_a_tapped_die_is_taken_back_by_a_tap_on_it(pigs: UUID, phone: Any) -> None:
    page = tap(phone, phone.get(crew_url(pigs)), "throw:dice", 2, 5)

    page = press(phone, page, "back:throw:dice", "0")

    assert entry_of(page)["throw:dice"] == ["5"]


def test_the_button_opens_once_the_dice_are_in(pigs: UUID, phone: Any) -> None:
    page = phone.get(crew_url(pigs))
    assert "data-note disabled" in text_of(page)

    assert "data-note disabled" not in text_of(tap(phone, page, "throw:dice", 2))


def test_with_the_script_an_action_is_one_request_and_the_answer_is_the_table(
    pigs: UUID, look: Look, phone: Any
) -> None:
    page = phone.get(crew_url(pigs))

    answer = press(phone, page, "note:throw:", htmx=True, throw__dice=["2", "5"])

    assert answer.status_code == 200
    assert "<html" not in text_of(answer)
    assert "Ann: Throw 2 5" in text_of(answer)
    assert noted_at(look, pigs) == [thrown(2, 5)]


def test_an_option_is_noted_by_one_tap_best_first(campfire: UUID, act: Act, look: Look, phone: Any) -> None:
    act(campfire, rolls(0))
    page = phone.get(crew_url(campfire))

    assert list_buttons(page, "note:keep:dice") == ["0 1 5", "0 1", "5"], "8 points, 4 points, nothing"
    press(phone, page, "note:keep:dice", "0 1 5")

    assert noted_at(look, campfire)[-1] == keeps(0, 2, 2, "C")


def test_a_flag_is_set_before_the_button_is_pressed(pigs: UUID, act: Act, look: Look, phone: Any) -> None:
    act(pigs, throw(2, 4))

    told = settle(phone, press(phone, phone.get(crew_url(pigs)), "note:bank:", bank__double="1"))

    assert noted_at(look, pigs)[-1] == {**BANK, "seat": 0, "double": True}
    assert "Ann: Bank, Twice over" in text_of(told)


def test_dice_to_roll_again_and_what_they_became_are_one_action(
    deal_game: Deal, act: Act, look: Look, phone: Any
) -> None:
    card = deal_game("grand-prix", "Ann")
    for action in ({"type": "gear", "gear": 1}, {"type": "roll", "dice": [1, 2, 3, 4, 5, 6]}):
        act(card, action)
    page = press(phone, phone.get(crew_url(card)), "tap:select:dice", "1", select__reroll=["3", "5"])
    assert entry_of(page)["select:reroll"] == ["3", "5"]

    told = settle(phone, press(phone, tap(phone, page, "select:dice", 3), "note:select:"))

    assert noted_at(look, card)[-1] == {"seat": 0, "type": "select", "reroll": [4, 6], "dice": [1, 3]}
    assert "Dice to roll again 4 6, Dice rolled 1 3" in text_of(told)


def test_several_colours_of_dice_are_noted_together(deal_game: Deal, act: Act, look: Look, phone: Any) -> None:
    card = deal_game("go-500", "Ann")
    act(card, {"type": "start", "black": 2, "green": 1})
    page = phone.get(crew_url(card))
    black, green = page.context["offers"][0]["fields"][:2]
    faces = [black["faces"][place]["value"] for place in (0, 1)]
    page = tap(phone, page, "roll:black", *faces)

    press(phone, page, "note:roll:", roll__green=green["faces"][0]["value"], roll__flag="green")

    (action,) = noted_at(look, card)[1:]
    assert ([str(face) for face in action["black"]], action["flag"]) == (faces, "green")
    assert str(action["green"]) == green["faces"][0]["value"]


def test_a_draft_that_lacks_something_is_shown_with_every_problem_and_not_sent(
    deal_game: Deal, act: Act, phone: Any
) -> None:
    card = deal_game("go-500", "Ann")
    act(card, {"type": "start", "black": 2, "green": 1})
    page = phone.get(crew_url(card))
    face = page.context["offers"][0]["fields"][0]["faces"][0]["value"]

    refused = press(phone, tap(phone, page, "roll:black", face), "note:roll:")

    assert refused.status_code == 422
    text = text_of(refused)
    assert '<a href="#roll-black">1 of 2 dice are tapped.</a>' in text
    assert '<a href="#roll-green">Green die: choose one.</a>' in text
    assert '<a href="#roll-flag">Flag die: choose one.</a>' in text
    assert text.count("1 of 2 dice are tapped.") == 2, "in the summary and at the field"
    assert entry_of(refused)["roll:black"] == [face]
    assert Operation.objects.filter(kind="action").count() == 1


def test_too_many_dice_are_refused_and_kept(pigs: UUID, look: Look, phone: Any) -> None:
    refused = press(phone, phone.get(crew_url(pigs)), "note:throw:", throw__dice=["2", "2", "2"])

    assert refused.status_code == 422
    assert "At most 2 dice fit here." in text_of(refused)
    assert entry_of(refused)["throw:dice"] == ["2", "2", "2"]
    assert noted_at(look, pigs) == []


def test_what_the_rules_forbid_is_said_with_the_clause_and_not_sent(
    campfire: UUID, act: Act, look: Look, phone: Any
) -> None:
    """ROGUE-16."""
    act(campfire, rolls(0))

    refused = press(phone, phone.get(crew_url(campfire)), "note:keep:dice", "2")

    assert refused.status_code == 422
    assert "(ROGUE-" in text_of(refused)
    assert len(noted_at(look, campfire)) == 1


def test_the_same_form_sent_twice_is_one_action(pigs: UUID, look: Look, phone: Any) -> None:
    page = tap(phone, phone.get(crew_url(pigs)), "throw:dice", 2)

    settle(phone, press(phone, page, "note:throw:"))
    again = settle(phone, press(phone, page, "note:throw:"))

    assert noted_at(look, pigs) == [thrown(2)]
    assert "Ann: Throw 2" in text_of(again)
    assert not ReviewItem.objects.exists()


def test_two_phones_that_note_the_same_are_no_conflict(
    ride: Ride, pigs: UUID, crew_client: CrewClient, look: Look, phone: Any
) -> None:
    toms = crew_client(ride.tom)
    mine, his = phone.get(crew_url(pigs)), toms.get(crew_url(pigs))
    settle(toms, press(toms, his, "note:throw:", throw__dice=["2"]))

    told = settle(phone, press(phone, mine, "note:throw:", throw__dice=["2"]))

    assert noted_at(look, pigs) == [thrown(2)]
    assert "Undo" not in text_of(told), "it is Tom's to undo"
    assert not ReviewItem.objects.exists()


def test_who_is_behind_is_told_what_was_noted_and_keeps_what_still_fits(
    ride: Ride, pigs: UUID, crew_client: CrewClient, look: Look, phone: Any
) -> None:
    toms = crew_client(ride.tom)
    mine, his = phone.get(crew_url(pigs)), toms.get(crew_url(pigs))
    settle(toms, press(toms, his, "note:throw:", throw__dice=["2"]))

    behind = press(phone, mine, "note:throw:", throw__dice=["5"])

    assert behind.status_code == 409
    assert "Noted meanwhile: Ann: Throw 2." in text_of(behind)
    assert entry_of(behind)["throw:dice"] == ["5"]
    assert noted_at(look, pigs) == [thrown(2)]
    assert not ReviewItem.objects.exists()
    settle(phone, press(phone, behind, "note:throw:"))
    assert noted_at(look, pigs) == [thrown(2), thrown(5)]


def test_what_no_longer_fits_is_told_in_words(ride: Ride, campfire: UUID, crew_client: CrewClient, phone: Any) -> None:
    toms = crew_client(ride.tom)
    mine, his = phone.get(crew_url(campfire)), toms.get(crew_url(campfire))
    settle(toms, press(toms, his, "note:roll:", roll__dice=["2", "2", "3", "3", "4", "4"]))

    behind = press(phone, mine, "note:roll:", roll__dice=list(map(str, ROLL)))

    assert behind.status_code == 409
    assert "Noted meanwhile: Ben: Note the roll 2 2 3 3 4 4." in text_of(behind)
    assert "Not noted: Note the roll C 2 2 4 5 6." in text_of(behind)
    assert "roll:dice" not in entry_of(behind)


def test_a_form_whose_action_was_taken_back_gets_a_new_id(pigs: UUID, desk: Actor, look: Look, phone: Any) -> None:
    page = tap(phone, phone.get(crew_url(pigs)), "throw:dice", 2)
    settle(phone, press(phone, page, "note:throw:"))
    last = look(pigs).last
    assert last is not None
    correct_actions(desk, uuid4(), pigs, [Target(last.id, last.seq, None)], "not Ann's dice")

    behind = press(phone, page, "note:throw:")

    assert behind.status_code == 409
    assert entry_of(behind)["operation"] != entry_of(page)["operation"]
    settle(phone, press(phone, behind, "note:throw:"))
    assert noted_at(look, pigs) == [thrown(2)]


def test_a_tap_keeps_the_draft_and_tells_what_was_noted_meanwhile(pigs: UUID, act: Act, phone: Any) -> None:
    page = tap(phone, phone.get(crew_url(pigs)), "throw:dice", 2)
    act(pigs, throw(6))

    after = tap(phone, page, "throw:dice", 3)

    assert "Noted meanwhile: Ann: Throw 6." in text_of(after)
    assert entry_of(after)["throw:dice"] == ["2", "3"]


def test_while_the_ride_is_not_open_nothing_is_noted_and_nothing_lost(
    ride: Ride, pigs: UUID, look: Look, phone: Any
) -> None:
    page = tap(phone, phone.get(crew_url(pigs)), "throw:dice", 2)
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)

    refused = press(phone, page, "note:throw:")

    assert refused.status_code == 422
    assert text_of(refused).count("The ride is not open: nothing can be noted. What you tapped is kept here.") == 1
    assert entry_of(refused)["throw:dice"] == ["2"]
    assert noted_at(look, pigs) == []


def _close(desk: Actor, card_id: UUID) -> None:
    contest = Contest.objects.get(cards=card_id)
    close_contest(desk, uuid4(), contest.pk, "the fire is out")


def test_of_a_closed_contest_the_crew_are_told_and_nothing_is_sent(pigs: UUID, desk: Actor, phone: Any) -> None:
    page = tap(phone, phone.get(crew_url(pigs)), "throw:dice", 2)
    _close(desk, pigs)

    refused = press(phone, page, "note:throw:")

    assert refused.status_code == 422
    assert text_of(refused).count("The contest is closed: ask the organiser.") == 1, "no field can mend it"
    assert entry_of(refused)["throw:dice"] == ["2"]
    assert not ReviewItem.objects.exists()


def test_the_organiser_notes_at_a_closed_contest_with_a_reason(
    ride: Ride, pigs: UUID, desk: Actor, alice: User, sign_in: SignIn, look: Look
) -> None:
    _close(desk, pigs)
    browser = sign_in(alice)
    page = tap(browser, browser.get(desk_url(ride, pigs)), "throw:dice", 2)
    said = "The contest is closed: say why this is noted all the same."
    assert_refused(press(browser, page, "note:throw:"), "reason", said)

    settle(browser, press(browser, page, "note:throw:", reason="forgotten on paper"))

    assert noted_at(look, pigs) == [thrown(2)]


def test_a_finished_table_says_who_has_won_and_leads_to_the_leaderboard(
    ride: Ride, deal_game: Deal, act: Act, phone: Any
) -> None:
    card = deal_game("rogue", "Ben", "Cleo", target=20)
    run: list[int | str] = [2, 3, 4, 5, 6, "C"]
    miss = [2, 3, 4, 5, 6, 6]
    for action in (rolls(0, *run), keeps(0, *run), rolls(1, *miss), keeps(1, 6, 6), {"seat": 1, "type": "bank"}):
        act(card, action)

    page = text_of(phone.get(crew_url(card)))

    assert "Ben has won." in page
    assert f"/events/{ride.event.slug}/rogue/" in page
    assert 'name="note:' not in page


def test_the_score_sheet_has_a_column_for_every_seat(campfire: UUID, act: Act, phone: Any) -> None:
    for action in (rolls(0), keeps(0, 2, 2, "C"), {"seat": 0, "type": "bank"}):
        act(campfire, action)

    page = text_of(phone.get(crew_url(campfire)))

    sheet = page[page.index('class="table sheet"') :]
    assert sheet.index("Ben") < sheet.index("Cleo") < sheet.index(">8<")


def test_recording_an_action_takes_few_statements(
    pigs: UUID, act: Act, phone: Any, django_capture_on_commit_callbacks: Any
) -> None:
    """Five of the recording; seven to open the table, and two to read it once more."""
    act(pigs, throw(3))
    with django_capture_on_commit_callbacks(execute=True):
        page = tap(phone, phone.get(crew_url(pigs)), "throw:dice", 2)

    with CaptureQueriesContext(connection) as queries:
        answer = press(phone, page, "note:throw:", htmx=True)

    assert answer.status_code == 200
    statements = list_statements(queries)
    assert len(statements) == 5 + 7 + 2, statements


@pytest.mark.parametrize(
    "fields",
    [
        {"note:throw:": "1", "throw:dice": "7"},
        {"note:throw:": "1", "throw:dice": ["2"] * 500},
        {"note:nothing:": "1"},
        {"note:throw:dice": "[2]", "seen": "999999999999999"},
        {"note:throw:": "2", "seen": "-1"},
        {"tap:throw:dice": "x" * 9000},
        {"back:throw:dice": "99"},
        {"note::": ""},
        {"note:bank:double": "1"},
        {":": "1", "a:b": "\x00"},
    ],
)
def test_a_form_that_no_page_of_ours_sends_is_answered(pigs: UUID, look: Look, phone: Any, fields: Any) -> None:
    answer = phone.post(crew_url(pigs), fields)

    assert answer.status_code in (200, 409, 422)
    assert noted_at(look, pigs) == []


def test_a_page_that_asks_gets_nothing_while_nothing_changes(pigs: UUID, phone: Any) -> None:
    page = phone.get(crew_url(pigs))

    assert phone.get(crew_url(pigs), {"poll": page.context["poll"]}, headers=HTMX).status_code == 204


def test_a_page_that_asks_gets_the_table_once_it_has_changed(ride: Ride, pigs: UUID, act: Act, phone: Any) -> None:
    page = phone.get(crew_url(pigs))
    act(pigs, throw(6), by=actor(ride.tom))

    fresh = phone.get(crew_url(pigs), {"poll": page.context["poll"]}, headers=HTMX)

    assert "Ann: Throw 6" in text_of(fresh)
    assert 'id="table"' in text_of(fresh)


def test_a_draft_that_was_begun_only_gets_the_news(ride: Ride, pigs: UUID, act: Act, phone: Any) -> None:
    page = phone.get(crew_url(pigs))
    act(pigs, throw(6), by=actor(ride.tom))

    news = phone.get(crew_url(pigs), {"poll": page.context["poll"], "throw:dice": "2"}, headers=HTMX)

    assert news.headers["HX-Retarget"] == "#news"
    assert "Noted elsewhere: Ann: Throw 6." in text_of(news)
    assert 'id="table"' not in text_of(news)


def test_the_page_that_follows_says_what_the_action_brought_about(campfire: UUID, act: Act, phone: Any) -> None:
    for action in (rolls(0), keeps(0, 2, 2)):
        act(campfire, action)
    page = phone.get(crew_url(campfire))
    assert 'id="came"' not in text_of(page)

    page = settle(phone, press(phone, page, "note:roll:", roll__dice=["3", "4", "5", "6"]))

    assert "Nothing scores and there is no rogue: the turn ends with 4 points." in text_of(page)


def test_a_button_says_beforehand_what_it_brings_about(deal_game: Deal, act: Act, phone: Any) -> None:
    card = deal_game("grand-prix", "Ann")
    act(card, {"seat": 0, "type": "gear", "gear": 3})
    act(card, {"seat": 0, "type": "roll", "dice": [1, 2, 2, 4, 5, 6]})

    page = text_of(phone.get(crew_url(card)))

    assert "The car moves 3 spaces." in page
    assert 'aria-describedby="then-move"' in page
