"""The history of a card, for the crew and for the organiser."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from scorekeeper.events.models import Organiser
from scorekeeper.events.services.events import remove_organiser
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.standings.services.closure import close_contest
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import assert_clause_is_linked, get_visible_text
from tests.scorekeeper.scorecards.card_forms import HTMX, crew_url
from tests.scorekeeper.scorecards.conftest import get_bike_card, make_actor, make_final_turn, make_paper_turn


@pytest.fixture
def desk_url(ride: Ride, add_turn) -> str:
    """The organiser's page of bike 1's card, which has one turn."""
    chosen = ride.group_one.dice_sets.get(name="Third")
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "small_straight"), by=make_actor(ride.tom), dice_set_id=chosen.pk)
    return reverse("scorecards:desk_card", args=[ride.event.slug, get_bike_card(ride, ride.bikes[1]).pk])


def test_it_shows_who_recorded_what_where_and_how(ride: Ride, desk_url: str, crew_client: CrewClient) -> None:
    page = crew_client(ride.rita).get(crew_url(ride, 1, "history")).content.decode()

    for words in ("Ozweld", "Small straight, 30 points", "Final dice", "Dice: Third.", "Recorded by Tom at"):
        assert words in page


def test_times_are_in_the_events_time_zone(ride: Ride, desk_url: str, crew_client: CrewClient) -> None:
    at = Turn.objects.get().recorded_at.astimezone(ride.event.zone)

    page = get_visible_text(crew_client(ride.rita).get(crew_url(ride, 1, "history")))

    assert f"Recorded by Tom at {at:%H:%M}." in page


def test_corrections_stay_in_the_log_with_their_reason(ride: Ride, desk_url: str, crew_client: CrewClient) -> None:
    turn = Turn.objects.get()
    target = CorrectionTarget(turn.pk, turn.seq, None)
    amend_turns(make_actor(ride.sue), uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "wrong box")

    page = crew_client(ride.rita).get(crew_url(ride, 1, "history")).content.decode()

    assert "Nothing is recorded for this bike yet." in page
    assert page.index("<b>Voided</b>") < page.index("Recorded</b>")
    assert "Corrected" not in page, "a void corrects nothing"
    assert "Sue" in page
    assert "wrong box" in page


def test_an_entry_shows_the_turn_before_and_after(ride: Ride, desk_url: str, crew_client: CrewClient) -> None:
    turn = Turn.objects.get()
    changed = CorrectionTarget(turn.pk, turn.seq, make_final_turn([4, 4, 4, 4, 6], "chance"))
    amend_turns(make_actor(ride.sue), uuid4(), ride.contest.pk, ride.bikes[1].pk, [changed], "read wrongly")
    voided = CorrectionTarget(turn.pk, Turn.objects.get().seq, None)
    amend_turns(make_actor(ride.sue), uuid4(), ride.contest.pk, ride.bikes[1].pk, [voided], "another bike")

    page = get_visible_text(crew_client(ride.rita).get(crew_url(ride, 1, "history")))

    log = page[page.index("Everything recorded") :]
    first, second = "Small straight, 30 points (3 4 5 5 2)", "Chance, 22 points (4 4 4 4 6)"
    gone, corrected = f"was {second}, no longer counts", f"was {first}, is now {second}"
    said = [f"Voided Ozweld's: {gone}", f"Corrected Ozweld's: {corrected}", f"Recorded Ozweld's: {first}"]
    places = [log.index(text) for text in said]
    assert places == sorted(places), "the newest first"


def test_a_corrected_turn_names_who_corrected_it_and_when(
    ride: Ride, desk_url: str, crew_client: CrewClient, sign_in: SignIn, alice
) -> None:
    recorded = make_final_turn([3, 4, 5, 5, 2], "small_straight")
    assert "Corrected by" not in get_visible_text(sign_in(alice).get(desk_url))

    def correct(actor: Actor, turn: Any) -> None:
        current = Turn.objects.get()
        target = CorrectionTarget(current.pk, current.seq, turn)
        amend_turns(actor, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "read wrongly")

    correct(make_actor(ride.sue), make_final_turn([4, 4, 4, 4, 6], "chance"))
    at = Chain.objects.get(card__isnull=False).entries.latest("seq").at.astimezone(ride.event.zone)
    for page in (sign_in(alice).get(desk_url), crew_client(ride.rita).get(crew_url(ride, 1, "history"))):
        text = get_visible_text(page)
        assert "Recorded by Tom at " in text
        assert re.search(rf"Corrected by Sue, {at.day} \w+, {at:%H:%M}\.", text)

    result = get_visible_text(
        crew_client(ride.rita).get(
            crew_url(ride, 1, "card"), {"contest": str(ride.contest.pk), "slot": str(ride.slots[0].pk)}
        )
    )
    assert "Recorded by Tom at " in result
    assert "Corrected by Sue, " in result

    correct(make_actor(ride.rita), recorded)
    text = get_visible_text(sign_in(alice).get(desk_url))
    assert "Recorded by Tom at " in text
    assert "Corrected by" not in text[: text.index("Everything recorded")], "it is again what Tom recorded"


def test_entries_under_review_are_shown(ride: Ride, desk_url: str, add_turn, crew_client: CrewClient) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20), by=make_actor(ride.sue))

    page = crew_client(ride.rita).get(crew_url(ride, 1, "history")).content.decode()

    assert "Under review, sent by Sue: " in page
    assert "Two entries for one turn differ" in page


def test_an_entry_under_review_shows_the_rule_it_breaks(
    ride: Ride, desk_url: str, add_turn, crew_client: CrewClient
) -> None:
    """ROCK-16"""
    add_turn(1, 2, make_final_turn([2, 3, 4, 5, 5], "small_straight"), by=make_actor(ride.sue))

    page = crew_client(ride.rita).get(crew_url(ride, 1, "history"))

    assert "Small straight has already been used" in page.content.decode()
    assert_clause_is_linked(page, "ROCK-16")


def test_the_whole_card_is_shown_with_its_total(ride: Ride, desk_url: str, crew_client: CrewClient) -> None:
    page = crew_client(ride.rita).get(crew_url(ride, 1, "history")).content.decode()

    assert "Whole scorecard: 30 points" in page
    assert "Grand total" in page


def test_a_card_without_entries_says_so(ride: Ride, crew_client: CrewClient) -> None:
    assert "Nothing is recorded" in crew_client(ride.rita).get(crew_url(ride, 1, "history")).content.decode()


def test_the_organiser_sees_the_same_and_may_retire_the_bike(
    ride: Ride, desk_url: str, alice, sign_in: SignIn, crew_client: CrewClient
) -> None:
    desk: Any = sign_in(alice).get(desk_url).content.decode()
    crew = crew_client(ride.tom).get(crew_url(ride, 1, "history")).content.decode()

    assert "Small straight, 30 points" in desk
    assert "Retire from the ride" in desk
    assert "Retire from the ride" not in crew


def test_a_retired_bike_is_marked(ride: Ride, desk_url: str, desk, alice, sign_in: SignIn) -> None:
    retire_bike(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, "broke down")

    page = sign_in(alice).get(desk_url).content.decode()

    assert "badge" in page
    assert "Retired" in page
    assert "Retire from the ride" not in page


def test_the_page_says_that_the_contest_is_closed(ride: Ride, desk_url: str, crew_client: CrewClient) -> None:
    Chain.objects.filter(kind=Chain.Kind.CARD).update(is_sealed=True)

    page = crew_client(ride.rita).get(crew_url(ride, 1, "history")).content.decode()

    assert "The organiser will decide on any correction." in page


def test_the_fragment_is_part_of_the_page(ride: Ride, desk_url: str, crew_client: CrewClient) -> None:
    phone: Any = crew_client(ride.rita)

    fragment = phone.get(crew_url(ride, 1, "history"), headers=HTMX).content.decode()

    assert fragment.strip() in phone.get(crew_url(ride, 1, "history")).content.decode()


def test_a_former_organiser_is_still_named(
    ride: Ride, desk_url: str, add_turn, crew_client: CrewClient, sign_in
) -> None:
    bob = Organiser.objects.get(event=ride.event, user__username="bob")
    add_turn(1, 2, make_paper_turn("chance", 20), by=Actor.from_organiser(bob))

    remove_organiser(bob)

    assert "Recorded by bob at" in crew_client(ride.rita).get(crew_url(ride, 1, "history")).content.decode()
    assert sign_in(bob.user).get(desk_url).status_code == 404


def test_turns_missed_at_the_close_are_labelled(ride: Ride, desk_url: str, desk: Actor, sign_in, alice) -> None:
    close_contest(desk, uuid4(), ride.contest.pk, "the ride is over")

    page = sign_in(alice).get(desk_url).content.decode()

    assert page.count("Recorded as missed when the contest closed</b>") == 4
    assert "<b>close</b>" not in page
