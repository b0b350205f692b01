"""Questions about odds that are made from cards, and the answers in the table."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import subprocess
import sys
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from scorekeeper.audience.services import freeze_standings
from scorekeeper.coach.answer_source import ASK_AGAIN_AFTER, get_answers
from scorekeeper.coach.models import OddsAnswer
from scorekeeper.coach.odds_presenter import find_target
from scorekeeper.coach.question import OddsQuestion, make_card_question, make_table_question
from scorekeeper.coach.services import KEPT_FOR, compute_answers, delete_old_answers
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.selectors.cards import get_card
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_final_turn, make_paper_turn
from tests.scorekeeper.table_fixtures import AddAction, AddTable, ReadTable

pytestmark = pytest.mark.django_db

DRAFT = ({"type": "roll", "dice": [5, 5, 3, 4, 1]},)
FOUR_TURNS = (("aces", 2), ("twos", 6), ("threes", 6), ("chance", 20))


def make_question(ride: Ride, number: int, slot: int | None = None, draft: Any = ()) -> OddsQuestion:
    card = get_card(ride.contest, ride.slots, ride.bikes[number])
    question = make_card_question(ride.contest, card, None if slot is None else ride.slots[slot - 1].pk, draft)
    assert question is not None
    return question


def get_stored() -> Any:
    """Return the only answer in the table."""
    return OddsAnswer.objects.get().answer


class TestQuestion:
    def test_it_is_what_the_command_line_takes_and_its_answer_what_that_prints(self, coached: Ride, add_turn) -> None:
        for slot, (box, points) in enumerate(FOUR_TURNS, 1):
            add_turn(1, slot, make_paper_turn(box, points))
        question = make_question(coached, 1, 5, DRAFT).with_target(60)
        compute_answers([_ask(question)])

        command = [sys.executable, "-m", "games", "odds", "-"]
        printed = subprocess.run(command, input=json.dumps(question.to_data()), capture_output=True, text=True)

        assert json.loads(printed.stdout) == get_stored()
        assert get_stored()["ok"] is True

    def test_it_has_the_rules_and_what_was_rolled_and_no_names(self, coached: Ride, add_turn) -> None:
        add_turn(1, 1, make_paper_turn("chance", 24))

        assert make_question(coached, 1, 2, DRAFT).to_data() == {
            "transcript": {
                "ruleset": "rock-yahtzee",
                "options": {},
                "seats": ["1"],
                "actions": [{"type": "paper", "box": "chance", "points": 24}, *DRAFT],
            },
            "seat": 0,
            "seconds": 10,
        }

    def test_equal_cards_ask_the_same_question(self, coached: Ride, add_turn) -> None:
        for number in (1, 2):
            add_turn(number, 1, make_final_turn([6, 6, 6, 6, 1], "sixes"))
        one, same, fresh = (make_question(coached, number) for number in (1, 2, 3))
        text = json.dumps(one.to_data(), sort_keys=True, separators=(",", ":"))

        assert one.digest == same.digest == hashlib.sha256(text.encode()).hexdigest()
        assert len({one.digest, fresh.digest, one.with_target(100).digest}) == 3

    def test_a_later_turn_that_is_recorded_already_has_taken_its_box(self, coached: Ride, add_turn) -> None:
        add_turn(1, 2, make_final_turn([6, 6, 6, 6, 1], "sixes"))
        question = make_question(coached, 1, 1, [{"type": "result", "dice": [6, 6, 6, 2, 2]}])
        compute_answers([_ask(question)])

        boxes = {option["action"]["box"] for option in get_stored()["options"]}
        assert "sixes" not in boxes
        assert "full_house" in boxes

    def test_the_turn_that_is_entered_is_not_asked_about_twice(self, coached: Ride, add_turn) -> None:
        add_turn(1, 1, make_paper_turn("chance", 24))
        assert make_question(coached, 1, 1).actions == ()

    def test_at_a_table_of_one_the_seat_needs_no_name(
        self, ride: Ride, add_game_table: AddTable, add_action: AddAction, fetch_table: ReadTable
    ) -> None:
        table = add_game_table("go-500", "Ann")
        add_action(table, {"seat": 0, "type": "start", "black": 5, "green": 1})
        question = make_table_question(Contest.objects.get(game_key="go-500"), fetch_table(table))

        assert question is not None
        assert (question.seats, question.seat) == (1, 0)
        assert [dict(action) for action in question.actions] == [{"type": "start", "black": 5, "green": 1}]

    def test_where_several_play_the_seat_to_act_is_asked_about(
        self, ride: Ride, add_game_table: AddTable, add_action: AddAction, fetch_table: ReadTable
    ) -> None:
        table = add_game_table("rogue", "Ben", "Cleo")
        add_action(table, {"seat": 0, "type": "roll", "dice": ["C", 2, 3, 4, 5, 6]})
        question = make_table_question(Contest.objects.get(game_key="rogue"), fetch_table(table))

        assert question is not None
        assert (question.seats, question.seat) == (2, 0)
        assert question.to_data()["transcript"]["seats"] == ["1", "2"]

    def test_nobody_is_to_act_between_two_heats(self, ride: Ride, add_game_table: AddTable, fetch_table) -> None:
        table = add_game_table("drag-rage", "Ben", "Cleo")
        contest = Contest.objects.get(game_key="drag-rage")
        assert make_table_question(contest, fetch_table(table)) is None


class TestAnswers:
    def test_the_worker_is_asked_once_and_again_only_after_a_while(
        self, coached: Ride, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
    ) -> None:
        question = make_question(coached, 1)
        sent = []
        for _ in range(3):
            with django_capture_on_commit_callbacks() as callbacks:
                assert get_answers([question, question]) == [None, None]
            sent.append([repr(getattr(callback, "args", "")) for callback in callbacks])
        assert [len(messages) for messages in sent] == [1, 0, 0]
        assert "coach.answer" in sent[0][0]
        assert question.digest in sent[0][0]

        OddsAnswer.objects.update(asked_at=timezone.now() - 2 * ASK_AGAIN_AFTER)
        with django_capture_on_commit_callbacks() as callbacks:
            get_answers([question])
        with django_capture_on_commit_callbacks() as no_more:
            get_answers([question])
        assert (len(callbacks), len(no_more)) == (1, 0)

    def test_an_answer_is_stored_and_a_second_worker_does_no_harm(
        self, coached: Ride, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
    ) -> None:
        question = make_question(coached, 1)
        digest = _ask(question)
        assert compute_answers([digest]) == 1
        made = OddsAnswer.objects.get()
        assert compute_answers([digest, "0" * 64]) == 0

        with django_capture_on_commit_callbacks() as sent:
            (answer,) = get_answers([question])
        assert answer is not None
        assert round(answer["value"], 6) == 123.329118
        assert (len(sent), OddsAnswer.objects.get().made_at) == (0, made.made_at)

    def test_why_there_is_no_answer_is_stored_too(self, ride: Ride, add_game_table: AddTable, fetch_table) -> None:
        table = add_game_table("grand-prix", "Ann")
        question = make_table_question(Contest.objects.get(game_key="grand-prix"), fetch_table(table))
        assert question is not None
        compute_answers([_ask(question)])

        answer = get_stored()
        assert (answer["method"], answer["why"]) == ("none", "seconds")

    def test_a_row_that_was_deleted_meanwhile_does_not_come_back(self, coached: Ride) -> None:
        digest = _ask(make_question(coached, 1))
        OddsAnswer.objects.all().delete()
        assert compute_answers([digest]) == 0
        assert not OddsAnswer.objects.exists()

    def test_old_rows_are_deleted(self, coached: Ride) -> None:
        _ask(make_question(coached, 1))
        delete_old_answers()
        assert OddsAnswer.objects.count() == 1
        OddsAnswer.objects.update(asked_at=timezone.now() - KEPT_FOR - dt.timedelta(minutes=1))
        delete_old_answers()
        assert OddsAnswer.objects.count() == 0


class TestTarget:
    def test_it_is_one_more_than_the_next_total_ahead(self, coached: Ride, add_turn) -> None:
        for number, points in ((1, 30), (2, 20), (3, 20), (4, 25)):
            add_turn(number, 1, make_paper_turn("chance", points))
        refresh_standings(coached.contest.pk)

        assert [find_target(coached.contest, total) for total in (0, 20, 25, 30)] == [21, 26, 31, None]

    def test_there_is_none_in_a_freeze_and_in_games_without_chances_of_totals(
        self, coached: Ride, add_turn, add_game_table: AddTable
    ) -> None:
        add_turn(1, 1, make_paper_turn("chance", 30))
        refresh_standings(coached.contest.pk)
        add_game_table("rogue", "Ben", "Cleo")
        assert find_target(Contest.objects.get(game_key="rogue"), 0) is None

        freeze_standings(coached.event)
        assert find_target(Contest.objects.select_related("event").get(pk=coached.contest.pk), 0) is None


def _ask(question: OddsQuestion) -> str:
    assert get_answers([question]) == [None]
    return question.digest
