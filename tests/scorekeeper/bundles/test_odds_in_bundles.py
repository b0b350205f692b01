"""What is told of the odds during play, in a bundle: exported, checked against the log, and imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scorekeeper.bundles.roster_names import Roster
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.contest_rules import clear_contest_rules_cache
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.bundles.conftest import export, remove_event
from tests.scorekeeper.bundles.test_certificates_in_bundles import list_findings, read_sections, write_again
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn

pytestmark = pytest.mark.django_db

Change = Callable[[dict[str, list[Any]]], None]


@pytest.fixture
def coached(ride: Ride, add_turn, desk: Actor) -> Event:
    """The ride, closed, whose contest told what each choice is worth."""
    Contest.objects.update(odds_shown=Contest.OddsShown.COACH)
    clear_contest_rules_cache()
    add_turn(1, 1, make_paper_turn("chance", 20))
    close_contest(desk, ride.event.pk, ride.contest.pk, "the ride is over")
    refresh_standings(ride.contest.pk)
    return ride.event


@pytest.mark.parametrize("roster", ["full", "public"])
def test_an_import_restores_it(coached: Event, import_file, roster: Roster) -> None:
    content = export(coached, roster)
    sections = read_sections(content)
    contest = sections["contests"][0]["id"]
    assert (sections["bundle"][0]["version"], sections["odds"]) == (3, [{"id": contest, "shown": "coach"}])
    assert list_findings(content) == []
    remove_event(coached)

    status, printed = import_file(content)

    assert status == 0, printed
    assert Contest.objects.get().odds_shown == "coach"
    assert export(Event.objects.get(), roster) == content


def test_a_bundle_without_odds_is_of_version_1_for_older_programs(ride: Ride) -> None:
    sections = read_sections(export(ride.event))
    assert sections["bundle"][0]["version"] == 1
    assert "odds" not in sections


def leave_out(sections: dict[str, list[Any]]) -> None:
    del sections["odds"]
    sections["bundle"][0]["version"] = 1


@pytest.mark.parametrize(
    "change",
    [leave_out, lambda sections: sections["odds"][0].update(shown="screen")],
    ids=["left out", "another"],
)
def test_what_differs_from_the_log_is_found(coached: Event, change: Change) -> None:
    findings = list_findings(write_again(export(coached), change))
    assert any("its rules differ from those that" in finding for finding in findings)
    assert any("its log tells of other odds during play" in finding for finding in findings)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda sections: sections["odds"].append(sections["odds"][0]), "has the same id"),
        (lambda sections: sections["odds"][0].update(id=sections["stops"][0]["id"]), "is not in section contests"),
        (lambda sections: sections["bundle"][0].update(version=2), "which need version 3"),
    ],
)
def test_lines_that_make_no_sense_are_found(coached: Event, change: Change, expected: str) -> None:
    assert any(expected in finding for finding in list_findings(write_again(export(coached), change)))


def test_a_word_that_nobody_knows_is_not_imported(coached: Event, import_file) -> None:
    content = write_again(export(coached), lambda sections: sections["odds"][0].update(shown="everything"))
    remove_event(coached)
    status, printed = import_file(content)
    assert status != 0
    assert "its rules differ" in printed
    assert not Event.objects.exists()
