"""What is told of the odds during play is in the log: in the digest of the rules, and where the contest is closed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import Entry
from scorekeeper.ledger.services.operation_context import parse_entry_body
from scorekeeper.scorecards.contest_rules import clear_contest_rules_cache, compute_rules_digest
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn


@pytest.fixture
def record(ride: Ride, add_turn) -> Callable[[str], None]:
    """Set what is told, and record the first turn."""

    def make(shown: str) -> None:
        Contest.objects.update(odds_shown=shown)
        ride.contest.refresh_from_db()
        clear_contest_rules_cache()
        add_turn(1, 1, make_paper_turn("chance", 20))

    return make


def list_damage_texts(ride: Ride) -> list[str]:
    clear_contest_rules_cache()
    return [damage.description for damage in list_damage(ride.event)]


def get_digest(ride: Ride, shown: str) -> str:
    slots = {slot.pk: (slot.ordinal, slot.stop_id) for slot in ride.slots}
    ride.contest.odds_shown = shown
    return compute_rules_digest(ride.contest, slots)


def test_each_setting_has_a_digest_of_its_own(ride: Ride) -> None:
    assert len({get_digest(ride, shown) for shown in Contest.OddsShown.values}) == 3


@pytest.mark.parametrize("shown", ["off", "screen", "coach"])
def test_the_log_has_it_from_the_first_entry_on(ride: Ride, record, close, shown: str) -> None:
    record(shown)
    first = parse_entry_body(Entry.objects.get(seq=1, chain__kind="card"))
    assert first["rules"] == get_digest(ride, shown)
    close()
    closing = parse_entry_body(Entry.objects.get(kind="close", chain__kind="contest"))
    assert closing["data"].get("odds") == (None if shown == "off" else shown)
    assert list_damage_texts(ride) == []


@pytest.mark.parametrize(("before", "after"), [("off", "coach"), ("coach", "off"), ("screen", "coach")])
def test_verification_finds_a_setting_that_was_changed_behind_the_log(
    ride: Ride, record, close, before: str, after: str
) -> None:
    record(before)
    Contest.objects.update(odds_shown=after)
    assert any("its rules differ from those that card" in text for text in list_damage_texts(ride))
    Contest.objects.update(odds_shown=before)
    close()
    assert list_damage_texts(ride) == []
    Contest.objects.update(odds_shown=after)
    assert "its log tells of other odds during play" in list_damage_texts(ride)
