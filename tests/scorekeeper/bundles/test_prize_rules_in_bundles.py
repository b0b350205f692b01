"""What prizes have beside their kind, in a bundle: exported, checked against the log, imported and copied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest

from scorekeeper.bundles.roster_names import Roster
from scorekeeper.desk.services.event_copy import copy_event
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.selectors.prize_lists import compute_list_digest
from scorekeeper.prizes.services import PrizeSettings, add_prize
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.bundles.conftest import export, remove_event
from tests.scorekeeper.bundles.test_certificates_in_bundles import list_findings, read_sections, write_again
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_final_turn

pytestmark = pytest.mark.django_db

Change = Callable[[dict[str, list[Any]]], None]
PLAIN = {"face": None, "number_from": None, "number_to": None, "number_drawn": None, "ties": "decide"}


@pytest.fixture
def published(ride: Ride, add_turn: Any, desk: Actor) -> Event:
    """The ride, published, with a prize of each kind that has more than the first kinds had, and one that has not."""
    for rule, later in (
        ("best_roll", {"ties": "first"}),
        ("most_of_face", {"face": 2}),
        ("drawn_number", {"number_from": 5, "number_to": 30, "number_drawn": 19}),
        ("first_to_finish", {}),
    ):
        add_prize(desk, ride.event, uuid4(), PrizeSettings(ride.contest, "", "", rule, **later))
    add_turn(1, 1, make_final_turn([6, 6, 1, 2, 3], "sixes"))
    add_turn(2, 1, make_final_turn([6, 5, 4, 3, 1], "chance"))
    close_contest(desk, uuid4(), ride.contest.pk, "the ride is over")
    publish_contest(desk, uuid4(), ride.contest.pk, "r")
    refresh_standings(ride.contest.pk)
    assert not list(list_damage(ride.event))
    return ride.event


@pytest.mark.parametrize("roster", ["full", "public"])
def test_an_import_restores_them(published: Event, import_file: Any, roster: Roster) -> None:
    content = export(published, roster)
    sections = read_sections(content)
    ids = {prize.rule: str(prize.pk) for prize in Prize.objects.all()}
    lines = {line.pop("id"): line for line in sections["prize_rules"]}
    assert sections["bundle"][0]["version"] == 4
    assert lines == {
        ids["best_roll"]: {**PLAIN, "ties": "first"},
        ids["most_of_face"]: {**PLAIN, "face": 2},
        ids["drawn_number"]: {**PLAIN, "number_from": 5, "number_to": 30, "number_drawn": 19},
    }
    assert list_findings(content) == []
    remove_event(published)

    status, printed = import_file(content)

    assert status == 0, printed
    assert Prize.objects.get(rule="drawn_number").number_drawn == 19
    assert export(Event.objects.get(), roster) == content


@pytest.mark.parametrize(
    "change",
    [
        lambda sections: sections["prize_rules"].pop(),
        lambda sections: sections["prize_rules"][0].update(ties="share"),
        lambda sections: sections["prize_rules"][0].update(number_drawn=20),
    ],
    ids=["left out", "other ties", "another number"],
)
def test_what_differs_from_the_log_is_found(published: Event, change: Change) -> None:
    findings = list_findings(write_again(export(published), change))
    assert any("its prizes differ from those in its log" in finding for finding in findings)


def test_verification_finds_a_prize_that_was_changed_beside_the_log(published: Event) -> None:
    Prize.objects.filter(rule="drawn_number").update(number_drawn=20)
    assert any("its prizes differ from those in its log" in str(damage) for damage in list_damage(published))


def test_a_copy_has_everything_but_the_number_that_was_drawn(published: Event, alice: Any) -> None:
    copy = copy_event(published, alice, name="Next year", date=published.date, with_roster=False)
    rules = {prize.rule: prize for prize in copy.prizes.all()}
    assert (rules["best_roll"].ties, rules["most_of_face"].face) == ("first", 2)
    drawn = rules["drawn_number"]
    assert (drawn.number_from, drawn.number_to, drawn.number_drawn) == (5, 30, None)


def test_the_digest_of_prizes_without_any_of_it_stays_as_it_was(ride: Ride) -> None:
    """Logs of older versions have it."""
    prize = Prize.objects.create(pk=UUID(int=7), event=ride.event, contest=ride.contest, position=1, rule="most_sixes")
    plain = [str(prize.pk), "", "", None, "most_sixes", None, None, None]
    assert compute_list_digest(ride.contest) == sha256(canonical_json([plain]))
