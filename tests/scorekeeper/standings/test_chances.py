"""The chances to win of an open contest: what they are computed from, and when."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
import time_machine

from games.core.chances import list_place_chances
from games.core.time_limit import TimeLimit
from games.go_500.course import SHORT_COURSE
from scorekeeper.audience.services import freeze_standings, lift_freeze
from scorekeeper.audience.visible_standings import get_audience_view, get_organiser_view
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import Entry
from scorekeeper.scorecards.contest_rules import clear_contest_rules_cache, get_contest_rules
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.standings.models import ChancesReport, StandingsState
from scorekeeper.standings.selectors.chances_reports import list_chances_sources
from scorekeeper.standings.services import chances_computation
from scorekeeper.standings.services.chances_computation import (
    ASK_INTERVAL,
    CLAIM_LIFETIME,
    ask_for_due_chances,
    claim_chances,
    compute_chances,
    find_endings,
    store_chances,
)
from scorekeeper.standings.services.closure import reopen_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.standings.tasks import compute_contest_chances
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import get_bike_card, make_paper_turn
from tests.scorekeeper.table_fixtures import (
    AddAction,
    AddTable,
    add_action,
    add_table,
    fetch_table,
    make_contest,
    people,
    pig_contest,
)

__all__ = ["add_action", "add_table", "fetch_table", "people", "pig_contest"]

pytestmark = [pytest.mark.django_db, pytest.mark.database]

NOON = dt.datetime(2026, 6, 20, 12, tzinfo=dt.UTC)
YAHTZEE = [{"type": "roll", "dice": [6, 6, 6, 6, 6]}, {"type": "score", "box": "yahtzee"}]


@pytest.fixture
def told(ride: Ride, add_turn, update_standings) -> Ride:
    """A ride that tells its chances, in which bike 1 is far ahead, and bikes 2 and 3 have equal cards."""
    tell(ride)
    add_turn(1, 1, YAHTZEE)
    add_turn(2, 1, make_paper_turn("chance", 20))
    add_turn(3, 1, make_paper_turn("chance", 20))
    update_standings()
    return ride


def tell(ride: Ride) -> None:
    ride.contest.odds_shown = Contest.OddsShown.SCREEN
    ride.contest.save()


def get_wins(ride: Ride) -> dict[int, float]:
    """Return the stored chances to win by the number of the bike."""
    chances = ChancesReport.objects.get(pk=ride.contest.pk).chances
    return {number: chances[str(bike.pk)][0] for number, bike in ride.bikes.items() if str(bike.pk) in chances}


def read(ride: Ride) -> Any:
    ride.contest.refresh_from_db()
    return get_audience_view(Contest.objects.select_related("event").get(pk=ride.contest.pk)).get_chances()


def test_the_chances_of_everyone_who_may_still_win_add_up_to_one(told: Ride) -> None:
    assert compute_chances(told.contest.pk)
    wins = get_wins(told)

    assert set(wins) == set(told.bikes), "bikes that have not started may still win"
    assert sum(wins.values()) == pytest.approx(1)
    assert wins[2] == wins[3]
    assert wins[1] > 2 * wins[4] > 2 * wins[2]
    assert read(told).yet_to_start == 5


def test_the_chances_are_those_of_what_each_card_may_still_end_with(told: Ride) -> None:
    compute_chances(told.contest.pk)
    ruleset = get_contest_rules(told.contest.pk).ruleset
    states: dict[int, Any] = {4: ruleset.game.start(ruleset, 1)}
    turns: tuple[tuple[int, Any], ...] = ((1, YAHTZEE), (2, make_paper_turn("chance", 20)))
    for number, turn in turns:
        state = ruleset.game.start(ruleset, 1)
        for action in turn:
            state = ruleset.game.apply(state, ruleset.read_action({**action, "seat": 0}, 1))
        states[number] = state
    of_state = {}
    for number, state in states.items():
        endings = ruleset.game.endings(state, 0, TimeLimit())
        assert endings is not None
        of_state[number] = endings
    same = {1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 4, 8: 4}

    expected = list_place_chances({number: of_state[state] for number, state in same.items()}, 3)

    stored = ChancesReport.objects.get(pk=told.contest.pk).chances
    for number, bike in told.bikes.items():
        assert stored[str(bike.pk)] == pytest.approx(list(expected[number]))


def test_who_cannot_win_has_no_chance(told: Ride, add_turn, update_standings, desk, without_guards: None) -> None:
    """A bike that did not start, one that was merged into another, one that retired, and a damaged card."""
    Bike.objects.filter(pk=told.bikes[8].pk).update(did_not_start=True)
    Bike.objects.filter(pk=told.bikes[7].pk).update(merged_into=told.bikes[6])
    retire_bike(desk, uuid4(), told.contest.pk, told.bikes[4].pk, "flat tyre")
    add_turn(5, 1, make_paper_turn("chance", 20), takes_over=True)
    update_standings()
    entry = Entry.objects.filter(chain=get_bike_card(told, told.bikes[5]).chain).latest("seq")
    Entry.objects.filter(pk=entry.pk).update(body="[]")

    compute_chances(told.contest.pk)

    wins = get_wins(told)
    assert set(wins) == {1, 2, 3, 6}
    assert sum(wins.values()) == pytest.approx(1)


def test_a_closed_contest_and_one_that_is_off_get_none(told: Ride, close, desk, update_standings) -> None:
    Contest.objects.update(odds_shown=Contest.OddsShown.OFF)
    assert not compute_chances(told.contest.pk)
    tell(told)
    close()
    update_standings()
    assert not compute_chances(told.contest.pk)
    assert not ChancesReport.objects.exists()
    assert not compute_chances(uuid4())
    reopen_contest(desk, uuid4(), told.contest.pk, "a card was found")

    assert compute_chances(told.contest.pk)
    close()

    assert read(told) is None, "and they are gone once it is closed"


def test_only_organisers_read_them_while_the_standings_are_frozen(told: Ride) -> None:
    compute_chances(told.contest.pk)
    freeze_standings(told.event)

    assert read(told) is None
    chances = get_organiser_view(told.contest).get_chances()
    assert chances is not None
    assert chances.by_entrant
    lift_freeze(told.event)
    assert read(told).by_entrant


def test_what_is_computed_during_a_freeze_is_told_after_it(told: Ride, add_turn, update_standings) -> None:
    freeze_standings(told.event)
    add_turn(4, 1, make_paper_turn("chance", 20))
    update_standings()
    compute_chances(told.contest.pk)

    assert read(told) is None
    lift_freeze(told.event)
    assert read(told).yet_to_start == 4


class TestTables:
    """Go 500 on a short course, recorded action by action."""

    @pytest.fixture
    def race(self, event: Event, people: Any) -> Contest:
        options = {"course": {"name": "One lap", "segments": SHORT_COURSE["segments"][:1]}, "rerolls": 0}
        return make_contest(event, "go-500", "The oval", 2, odds_shown="screen", options=options)

    def get_chances(self, contest: Contest) -> dict[str, list[float]]:
        refresh_standings(contest.pk)
        with time_machine.travel(NOON + dt.timedelta(minutes=StandingsState.objects.get(pk=contest.pk).version)):
            assert compute_chances(contest.pk)
        chances: dict[str, list[float]] = ChancesReport.objects.get(pk=contest.pk).chances
        return chances

    def test_a_running_turn_changes_nothing(
        self, race: Contest, people: Any, add_table: AddTable, add_action: AddAction
    ) -> None:
        ann, ben = (add_table(name, contest=race) for name in ("Ann", "Ben"))
        even = self.get_chances(race)
        assert even[str(people["Ann"].pk)][0] == pytest.approx(0.5)
        add_action(ann, {"type": "start", "black": 4, "green": 0})
        add_action(ann, {"type": "roll", "black": [30, 30, 30, 30], "flag": "green"})

        assert self.get_chances(race) == even
        add_action(ann, {"type": "lock", "black": [30, 30, 30, 30]})
        after = self.get_chances(race)

        assert after[str(people["Ann"].pk)][0] > 0.8
        assert sum(own[0] for own in after.values()) == pytest.approx(1)
        assert ben != ann


class TestTiming:
    """When the worker is asked, and when it computes."""

    @pytest.fixture
    def ask(self, django_capture_on_commit_callbacks) -> Callable[[], int]:
        """Let the sweeper ask, and return how many messages it sent."""

        def run() -> int:
            with django_capture_on_commit_callbacks() as sent:
                ask_for_due_chances()
            return sum("standings.chances" in repr(getattr(callback, "args", "")) for callback in sent)

        return run

    def test_a_worker_is_asked_once_for_each_change(self, told: Ride, ask) -> None:
        with time_machine.travel(NOON, tick=False) as clock:
            assert ask() == 1
            assert ask() == 0, "it has been asked"
            compute_contest_chances(str(told.contest.pk))
            clock.shift(3600)

            assert ask() == 0, "nothing has changed since, and the chances themselves are no change"

    def test_a_change_within_ten_seconds_is_computed_at_their_end(
        self, told: Ride, ask, add_turn, update_standings
    ) -> None:
        with time_machine.travel(NOON, tick=False) as clock:
            ask()
            assert compute_chances(told.contest.pk)
            before = get_wins(told)
            clock.shift(3)
            add_turn(4, 1, YAHTZEE)
            update_standings()

            assert ask() == 0
            assert not compute_chances(told.contest.pk), "a message that comes too early does nothing"
            clock.shift(6.9)
            assert ask() == 0
            clock.shift(0.2)
            assert ask() == 1
            assert compute_chances(told.contest.pk)
            assert get_wins(told)[4] > before[4]

    def test_a_lost_message_is_sent_again(self, told: Ride, ask) -> None:
        with time_machine.travel(NOON, tick=False) as clock:
            assert ask() == 1
            clock.shift(ASK_INTERVAL)
            assert ask() == 1

    def test_two_workers_never_compute_at_once_and_a_dead_one_is_given_up(self, told: Ride, ask) -> None:
        with time_machine.travel(NOON, tick=False) as clock:
            ask()
            ChancesReport.objects.update(started_at=NOON, is_running=True)
            clock.shift(60)
            assert ask() == 0
            assert not compute_chances(told.contest.pk)
            clock.shift(CLAIM_LIFETIME)
            assert ask() == 1
            assert compute_chances(told.contest.pk)

    def test_what_a_worker_that_was_given_up_computes_is_dropped(self, told: Ride) -> None:
        (source,) = list_chances_sources()
        found = find_endings(source.contest)
        assert claim_chances(source, NOON)
        with time_machine.travel(NOON + CLAIM_LIFETIME):
            assert compute_chances(told.contest.pk)
        (before,) = ChancesReport.objects.values()

        assert not store_chances(source, NOON, *found)
        assert list(ChancesReport.objects.values()) == [before]

    def test_a_change_while_computing_is_computed_afterwards(self, told: Ride, ask, add_turn, update_standings) -> None:
        with time_machine.travel(NOON, tick=False) as clock:
            (source,) = list_chances_sources()
            found = find_endings(source.contest)
            assert claim_chances(source, NOON)
            add_turn(4, 1, YAHTZEE)
            update_standings()
            assert store_chances(source, NOON, *found)
            clock.shift(10)

            assert ask() == 1

    def test_rules_that_take_too_long_are_not_tried_again(
        self, told: Ride, ask, add_turn, update_standings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(chances_computation, "SECONDS", -1)
        Contest.objects.update(options={"turns": 5, "upper_bonus": {"threshold": 70, "points": 20}})
        clear_contest_rules_cache()
        with time_machine.travel(NOON, tick=False) as clock:
            assert compute_chances(told.contest.pk)
            assert not read(told).is_known
            clock.shift(3600)
            add_turn(4, 1, make_paper_turn("chance", 20))
            update_standings()

            assert ask() == 0
            assert not compute_chances(told.contest.pk)

    @pytest.mark.parametrize("change", ["prizes", "roster", "rules"])
    def test_they_are_stale_after_whatever_else_changes_them(self, told: Ride, ask, change: str) -> None:
        with time_machine.travel(NOON, tick=False) as clock:
            compute_chances(told.contest.pk)
            clock.shift(10)
            if change == "prizes":
                Contest.objects.update(prizes=2)
            elif change == "roster":
                Bike.objects.create(event=told.event, number=99)
            else:
                Contest.objects.update(rules_version=2)

            assert ask() == 1

    def test_neither_recording_nor_refreshing_asks(
        self, told: Ride, add_turn, update_standings, django_capture_on_commit_callbacks
    ) -> None:
        with django_capture_on_commit_callbacks() as sent:
            add_turn(4, 1, make_paper_turn("chance", 20))
            update_standings()

        assert not any("standings.chances" in repr(getattr(callback, "args", "")) for callback in sent)

    def test_a_contest_of_a_draft_is_not_computed(self, told: Ride, ask) -> None:
        Event.objects.update(state=Event.State.DRAFT)
        assert ask() == 0

    def test_all_contests_are_checked_in_one_statement(self, told: Ride, django_assert_num_queries) -> None:
        compute_chances(told.contest.pk)
        with django_assert_num_queries(1):
            assert len(list_chances_sources()) == 1
