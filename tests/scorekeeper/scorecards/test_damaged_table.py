"""A table with an unreadable entry opens up to that entry, says so, and isn't counted; other tables are unaffected."""

from __future__ import annotations

import io
from collections.abc import Mapping
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, Operation
from scorekeeper.players.models import Player
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.services.locked_cards import DamagedCard
from scorekeeper.standings.selectors.checklist import get_checklist
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.selectors.reports import fold_report
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.contest_chain import ChecklistIncomplete
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.damaged_entries import UNREADABLE_BODIES, Damage, choose_for_walks, rewrite
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.table_fixtures import AddAction, AddTable, ReadTable, make_throw
from tests.scorekeeper.table_forms import crew_url, desk_url, press, tap

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("without_guards"), pytest.mark.database]

People = Mapping[str, Player]
Cards = Mapping[str, UUID]

SAID = "The log of this scorecard is damaged from entry 3 on."
NOT_NOW = "so nothing can be recorded on it"


DAMAGES: dict[str, Damage] = {
    **UNREADABLE_BODIES,
    "an unknown action": lambda entry: rewrite(entry, actions=[{"seat": 0, "type": "fly"}]),
}
FIRST_DAMAGES: dict[str, Damage] = {
    "invalid JSON": lambda entry: entry.body[:-1],
    "nobody seated": lambda entry: rewrite(entry, data={"seats": []}),
    "an unknown player seated": lambda entry: rewrite(entry, data={"seats": [{"player": str(uuid4())}]}),
}


def damage(card: UUID, seq: int = 3, how: Damage = DAMAGES["invalid JSON"]) -> Entry:
    """Damage an entry of a card; return the original entry."""
    entry = Entry.objects.get(chain_id=card, seq=seq)
    Entry.objects.filter(pk=entry.pk).update(body=how(entry))
    return entry


@pytest.fixture
def cards(add_table: AddTable, add_action: AddAction) -> Cards:
    """Ann has thrown three times, Ben and Cleo once each."""
    made = {}
    for name, throws in {"Ann": 3, "Ben": 1, "Cleo": 1}.items():
        made[name] = add_table(name)
        for _ in range(throws):
            add_action(made[name], make_throw(2, 3))
    return made


def board(contest: Contest, people: People) -> list[tuple[str, int]]:
    names = {person.pk: name for name, person in people.items()}
    return [(names[row.entrant_id], row.total) for row in get_live_leaderboard(contest).rows if row.is_ranked]


def seats_of(contest: Contest, entrant: Player) -> str:
    return reverse("results:seats", args=[contest.event.slug, contest.slug, entrant.pk])


@pytest.mark.parametrize("how", DAMAGES)
def test_only_that_table_is_excluded_from_the_standings(
    pig_contest: Contest, people: People, cards: Cards, how: str
) -> None:
    damage(cards["Ann"], how=DAMAGES[how])

    refresh_standings(pig_contest.pk)

    assert board(pig_contest, people) == [("Ben", 1), ("Cleo", 1)]
    assert {row.entrant_id for row in fold_report(pig_contest).rows} == {people["Ben"].pk, people["Cleo"].pk}


@pytest.mark.parametrize("how", FIRST_DAMAGES)
def test_the_first_entry_may_be_damaged(
    pig_contest: Contest, people: People, cards: Cards, phone: Client, client: Client, how: str
) -> None:
    damage(cards["Ann"], 1, FIRST_DAMAGES[how])

    refresh_standings(pig_contest.pk)

    assert board(pig_contest, people) == [("Ben", 1), ("Cleo", 1)]
    for page in (phone.get(crew_url(cards["Ann"])), client.get(seats_of(pig_contest, people["Ann"]))):
        assert "damaged from entry 1 on" in get_page_text(page)
        assert "Ann" in get_page_text(page)


def test_the_other_tables_keep_their_numbers(pig_contest: Contest, cards: Cards) -> None:
    before = {card.card_id: card.table for card in fold_report(pig_contest).cards}
    damage(cards["Ann"])

    after = {card.card_id: card.table for card in fold_report(pig_contest).cards}

    assert after == {card: number for card, number in before.items() if card != cards["Ann"]}


def test_once_repaired_it_counts_again(
    pig_contest: Contest, people: People, cards: Cards, add_action: AddAction
) -> None:
    entry = damage(cards["Ann"])
    refresh_standings(pig_contest.pk)
    Entry.objects.filter(pk=entry.pk).update(body=entry.body)

    add_action(cards["Ann"], make_throw(1, 1))
    refresh_standings(pig_contest.pk)

    assert board(pig_contest, people) == [("Ben", 1), ("Cleo", 1), ("Ann", 4)]


@pytest.mark.parametrize("how", UNREADABLE_BODIES)
def test_its_pages_show_the_actions_before_the_damage_and_offer_nothing(
    ride: Ride, cards: Cards, phone: Client, organiser: Client, how: str
) -> None:
    damage(cards["Ann"], how=DAMAGES[how])

    for page in ("table", "history"):
        for shown_page in (phone.get(crew_url(cards["Ann"], page)), organiser.get(desk_url(ride, cards["Ann"], page))):
            assert shown_page.status_code == 200
            assert SAID in get_page_text(shown_page)
            assert not [
                word
                for word in ("Correct", "Void", "Retire Ann", 'name="operation"')
                if word in get_page_text(shown_page)
            ]
    history = get_page_text(organiser.get(desk_url(ride, cards["Ann"], "history")))
    assert history.count("Ann: Thrown 2 3") == 1
    assert "manage.py verify" in history


def test_nothing_is_recorded_on_it_and_the_input_is_preserved(cards: Cards, phone: Client) -> None:
    page = tap(phone, phone.get(crew_url(cards["Ann"])), "throw:dice", 4, 5)
    damage(cards["Ann"])
    before = Operation.objects.count()

    answer = press(phone, page, "note:throw:")

    assert answer.status_code == 422
    assert NOT_NOW in get_page_text(answer)
    assert Operation.objects.count() == before


def test_a_correction_of_it_is_rejected_with_the_reason(cards: Cards, fetch_table: ReadTable, phone: Client) -> None:
    first = next(iter(fetch_table(cards["Ann"]).turns))
    damage(cards["Ann"])

    for page in ("void", "correct"):
        answer = phone.get(f"{crew_url(cards['Ann'], page)}?action={first}")
        assert answer.status_code == 409
        assert NOT_NOW in get_page_text(answer)


def test_an_action_is_recorded_after_the_damage_from_the_snapshot(desk: Actor, cards: Cards) -> None:
    """Decision 9: the snapshot has the state from before the log was damaged."""
    entry = damage(cards["Ann"])

    assert record_action(desk, uuid4(), NewAction(cards["Ann"], 4, [make_throw(1, 1)])).outcome == "recorded"

    Entry.objects.filter(pk=entry.pk).update(body=entry.body)
    call_command("verify")


def test_without_a_snapshot_the_operation_is_accepted_once_the_log_is_repaired(desk: Actor, cards: Cards) -> None:
    entry, operation = damage(cards["Ann"]), uuid4()
    new_action = NewAction(cards["Ann"], 4, [make_throw(1, 1)])
    call_command("drop_snapshots")
    with pytest.raises(DamagedCard):
        record_action(desk, operation, new_action)

    Entry.objects.filter(pk=entry.pk).update(body=entry.body)

    assert record_action(desk, operation, new_action).outcome == "recorded"


@pytest.mark.parametrize("how", DAMAGES)
def test_the_results_say_so(pig_contest: Contest, people: People, cards: Cards, client: Client, how: str) -> None:
    damage(cards["Ann"], how=DAMAGES[how])
    refresh_standings(pig_contest.pk)

    page = get_page_text(client.get(seats_of(pig_contest, people["Ann"])))

    assert SAID in page
    assert "damaged" not in get_page_text(client.get(seats_of(pig_contest, people["Ben"])))


@pytest.mark.parametrize("how", choose_for_walks(DAMAGES))
def test_pages_that_list_all_tables_open(
    ride: Ride, pig_contest: Contest, cards: Cards, organiser: Client, phone: Client, client: Client, how: str
) -> None:
    damage(cards["Ann"], how=DAMAGES[how])
    refresh_standings(pig_contest.pk)
    contest = [ride.event.slug, pig_contest.slug]

    for page in ("event", "cards", "review"):
        assert organiser.get(reverse(f"desk:{page}", args=contest[:1])).status_code == 200, page
    assert "1 table isn’t counted" in get_page_text(organiser.get(reverse("desk:finish", args=contest)))
    assert client.get(reverse("results:leaderboard", args=contest)).status_code == 200
    for listed in (organiser.get(reverse("tables:desk_list", args=contest)), phone.get(reverse("tables:list"))):
        assert get_page_text(listed).count("The log is damaged") == 1


@pytest.mark.parametrize(
    ("seq", "how"),
    [*((1, how) for how in FIRST_DAMAGES.values()), (3, DAMAGES["invalid JSON"])],
    ids=[*FIRST_DAMAGES, "a later entry"],
)
def test_its_entries_under_review_are_still_shown_to_the_organiser(
    ride: Ride, cards: Cards, desk: Actor, organiser: Client, seq: int, how: Damage
) -> None:
    record_action(desk, uuid4(), NewAction(cards["Ann"], 1, [make_throw(6, 6)]))
    damage(cards["Ann"], seq, how)

    page = organiser.get(reverse("desk:review", args=[ride.event.slug]))

    assert page.status_code == 200
    assert "Ann: Thrown 6 6" in get_page_text(page)


def test_publishing_without_it_needs_a_reason(ride: Ride, pig_contest: Contest, desk: Actor, cards: Cards) -> None:
    damage(cards["Ann"])
    close_contest(desk, uuid4(), pig_contest.pk, "bedtime")

    assert [(table.number, table.card_id) for table in get_checklist(pig_contest).damaged] == [(1, cards["Ann"])]
    with pytest.raises(ChecklistIncomplete):
        publish_contest(desk, uuid4(), pig_contest.pk)
    assert publish_contest(desk, uuid4(), pig_contest.pk, "Ann's log is damaged").outcome == "recorded"
    assert not [found for found in list_damage(ride.event) if found.location.startswith("Revision")]


@pytest.mark.parametrize("how", DAMAGES)
def test_verify_reports_the_entry_and_the_card_and_no_other(cards: Cards, how: str) -> None:
    damage(cards["Ann"], how=DAMAGES[how])
    out = io.StringIO()

    with pytest.raises(CommandError):
        call_command("verify", stdout=out)

    assert f"Scorecard {cards['Ann']}, entry 3: " in out.getvalue()
    assert f"Card {cards['Ann']}: " in out.getvalue()
    assert str(cards["Ben"]) not in out.getvalue()


def test_verify_reports_a_revision_made_before_the_damage(
    ride: Ride, pig_contest: Contest, desk: Actor, cards: Cards
) -> None:
    close_contest(desk, uuid4(), pig_contest.pk, "bedtime")
    publish_contest(desk, uuid4(), pig_contest.pk, "they fell asleep")
    damage(cards["Ann"])

    found = [(one.location, one.description) for one in list_damage(ride.event)]

    assert ("Revision 1 of pig-race", "its figures do not match the log") in found
