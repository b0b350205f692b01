"""What the desk shows of agreed cards, that publishing may ask for them, and that files have them."""

from __future__ import annotations

import csv
import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.agreements.models import Agreement
from scorekeeper.audience.services import freeze_standings, reveal_to_step, start_reveal
from scorekeeper.audience.visible_standings import get_audience_view
from scorekeeper.desk.services.event_copy import copy_event
from scorekeeper.events.group_setting import get_group_setting
from scorekeeper.events.models import Contest
from scorekeeper.events.services.contests import rename_contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import OperationReason
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.checklist import AgreedCards, get_checklist
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.contest_chain import ChecklistIncomplete
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.agreements.conftest import AddTurn, AgreeTo
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.page_forms import save
from tests.scorekeeper.scorecards.conftest import make_paper_turn


@pytest.fixture
def closed(ride: Ride, rolled: UUID, desk: Actor) -> Contest:
    """The contest, closed, with two cards; it asks for agreed cards."""
    Contest.objects.filter(pk=ride.contest.pk).update(asks_agreement=True)
    close_contest(desk, uuid4(), ride.contest.pk, "the ride is over")
    refresh_standings(ride.contest.pk)
    return Contest.objects.select_related("event").get(pk=ride.contest.pk)


@pytest.fixture
def organiser(sign_in: SignIn, alice: User) -> Client:
    return sign_in(alice)


def get_agreed(contest: Contest) -> AgreedCards:
    agreed = get_checklist(contest).agreed_cards
    assert agreed is not None
    return agreed


def read_cards(client: Client, url: str) -> dict[str, str]:
    """The column with what is agreed, by bike, from a CSV file."""
    content = client.get(url).getvalue().decode("utf-8-sig")
    return {row["Bike"]: row["Agreed"] for row in csv.DictReader(content.splitlines())}


def read_json(client: Client, url: str) -> dict[str, Any]:
    content = client.get(url).getvalue()
    return {card["number"]: card["agreed"] for card in json.loads(content)["cards"]}


def test_publishing_needs_a_reason_while_a_card_is_not_agreed(
    ride: Ride, closed: Contest, agree_to: AgreeTo, desk: Actor
) -> None:
    agree_to(1)
    with pytest.raises(ChecklistIncomplete):
        publish_contest(desk, uuid4(), closed.pk)
    agree_to(2)
    assert get_checklist(closed).is_complete
    assert publish_contest(desk, uuid4(), closed.pk).outcome == "recorded"
    assert list(list_damage(ride.event)) == []


def test_with_a_reason_it_goes_on_without(ride: Ride, closed: Contest, desk: Actor) -> None:
    publish_contest(desk, uuid4(), closed.pk, "they had left")
    assert OperationReason.objects.filter(text="they had left").exists()


def test_a_contest_that_does_not_ask_is_published_without(ride: Ride, closed: Contest, desk: Actor) -> None:
    Contest.objects.update(asks_agreement=False)
    assert not get_agreed(Contest.objects.get(pk=closed.pk)).are_missing
    publish_contest(desk, uuid4(), closed.pk)


def test_agreeing_changes_no_figure_and_asks_for_no_revision(
    ride: Ride, closed: Contest, agree_to: AgreeTo, desk: Actor, organiser: Client
) -> None:
    publish_contest(desk, uuid4(), closed.pk, "they had left")
    refresh_standings(closed.pk)
    agree_to(1)
    text = get_visible_text(organiser.get(reverse("desk:finish", args=[ride.event.slug, closed.slug])))
    assert "Reopen" in text
    assert "Publish results" not in text
    assert Revision.objects.count() == 1


def test_the_finish_page_says_which_cards_are_not_agreed(
    ride: Ride, closed: Contest, agree_to: AgreeTo, organiser: Client, add_turn: AddTurn
) -> None:
    page = reverse("desk:finish", args=[ride.event.slug, closed.slug])
    assert "2 cards are not agreed" in get_visible_text(organiser.get(page))
    agree_to(1)
    agree_to(2, digest="0" * 64)
    text = get_visible_text(organiser.get(page))
    assert "1 card is not agreed, 1 changed since" in text
    assert "Ben" in text
    publishing = get_visible_text(organiser.get(reverse("desk:publish", args=[ride.event.slug, closed.slug])))
    assert "1 card is not agreed. Ask its rider first" in publishing
    assert "Reason for publishing anyway" in publishing
    agree_to(2)
    assert "Every card is agreed" in get_visible_text(organiser.get(page))


def test_where_nobody_agrees_the_page_says_nothing_about_it(ride: Ride, rolled: UUID, organiser: Client) -> None:
    page = reverse("desk:finish", args=[ride.event.slug, ride.contest.slug])
    assert "agreed" not in get_visible_text(organiser.get(page))


def test_cards_at_tables_are_not_asked_for(ride: Ride) -> None:
    contest = Contest.objects.create(
        event=ride.event, name="Y", slug="y", game_key="rogue", rules_version=1, asks_agreement=True
    )
    assert get_checklist(contest).agreed_cards is None


def test_the_option_is_on_the_contests_page_and_stays_when_it_is_closed(
    ride: Ride, closed: Contest, organiser: Client
) -> None:
    page = reverse("events:edit_contest", args=[ride.event.slug, closed.slug])
    assert "Ask for agreed cards before publishing" in get_visible_text(organiser.get(page))
    assert save(organiser, page, {"name": closed.name}).status_code == 302
    assert not Contest.objects.get(pk=closed.pk).asks_agreement
    save(organiser, page, {"name": closed.name, "asks_agreement": "on"})
    assert Contest.objects.get(pk=closed.pk).asks_agreement
    rename_contest(closed, name="Another", groups=get_group_setting(closed))
    assert Contest.objects.get(pk=closed.pk).asks_agreement


def test_a_contest_at_tables_has_no_such_option(ride: Ride, organiser: Client) -> None:
    Contest.objects.create(event=ride.event, name="Y", slug="y", game_key="rogue", rules_version=1)
    page = organiser.get(reverse("events:edit_contest", args=[ride.event.slug, "y"]))
    assert "agreed cards" not in get_visible_text(page)


def test_a_copied_event_keeps_the_option_and_no_agreements(
    ride: Ride, closed: Contest, agree_to: AgreeTo, alice: User
) -> None:
    agree_to(1)
    copied = copy_event(ride.event, alice, name="Next", date=ride.event.date, with_roster=True)
    assert copied.contests.get().asks_agreement
    assert not Agreement.objects.filter(contest__event=copied).exists()


def test_files_say_whether_the_figures_in_them_are_agreed(
    ride: Ride, rolled: UUID, agree_to: AgreeTo, organiser: Client, client: Client, add_turn: AddTurn
) -> None:
    add_turn(3, 1, make_paper_turn("chance", 9))
    refresh_standings(ride.contest.pk)
    agree_to(1)
    agree_to(2, digest="0" * 64)
    for route, reader in (("results:desk_export", organiser), ("results:export", client)):
        address = [ride.event.slug, ride.contest.slug]
        assert read_cards(reader, reverse(route, args=[*address, "cards.csv"])) == {
            "1": "Yes",
            "2": "Changed since",
            "3": "No",
        }
        assert read_json(reader, reverse(route, args=[*address, "export.json"])) == {"1": True, "2": False, "3": False}


def test_while_the_standings_are_frozen_public_files_know_only_what_was_agreed_before(
    ride: Ride, rolled: UUID, agree_to: AgreeTo, organiser: Client, client: Client
) -> None:
    refresh_standings(ride.contest.pk)
    agree_to(1)
    freeze_standings(ride.event)
    assert Agreement.objects.get().at <= timezone.now()
    agree_to(2)
    address = [ride.event.slug, ride.contest.slug, "cards.csv"]
    assert read_cards(client, reverse("results:export", args=address)) == {"1": "Yes", "2": "No"}
    assert read_cards(organiser, reverse("results:desk_export", args=address)) == {"1": "Yes", "2": "Yes"}


def test_when_all_places_are_announced_public_files_still_know_only_what_was_agreed_before(
    ride: Ride, rolled: UUID, agree_to: AgreeTo, client: Client
) -> None:
    refresh_standings(ride.contest.pk)
    agree_to(1)
    start_reveal(ride.event, [ride.contest])
    reveal_to_step(ride.event, 99)
    agree_to(2)
    assert get_audience_view(ride.contest).get_leaderboard().frozen_at is None, "everything is announced"
    address = [ride.event.slug, ride.contest.slug, "cards.csv"]
    assert read_cards(client, reverse("results:export", args=address)) == {"1": "Yes", "2": "No"}
