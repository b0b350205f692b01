"""The phone's engine plays and draws what the server does, byte for byte. It is built once, and started once."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import pytest
from django.test import override_settings

from scorekeeper.offline import phone
from scorekeeper.offline.building import build, get_status
from tests.games.playthroughs import Playthrough, list_playthroughs
from tests.games.registered import GAMES, TOY
from tests.offline.asking import Engine, EngineError, start_engine
from tests.programs import ROOT
from tests.services import find_node

pytestmark = pytest.mark.node

PLAYTHROUGHS = list(list_playthroughs())
TRANSCRIPTS = [json.dumps(playthrough.transcript) for playthrough in PLAYTHROUGHS]
OF_OURS = [json.dumps(playthrough.transcript) for playthrough in PLAYTHROUGHS if playthrough.package != TOY]
# The seats and options can be read, so there is a game to draw; one seat a card where it is noted by turns.
PLAYED = [one for one in PLAYTHROUGHS if one.answer.get("code") != "malformed" or one.answer["index"] is not None]
BY_TURN = [one for one in PLAYED if GAMES[one.transcript["ruleset"]].recorded_by == "turn"]
UNREADABLE = ["", "{", '{"ruleset": "snap"}', "[" * 100_000, '"\\ud800"', "NaN"]


@pytest.fixture(scope="module", autouse=True)
def _toy() -> Iterator[None]:
    with override_settings(EXTRA_GAMES=[TOY]):
        yield


@pytest.fixture(scope="module")
def engine(_toy: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine of the sources as they are, the toy among the games."""
    home, node = tmp_path_factory.mktemp("built") / "offline", find_node()
    assert node is not None
    build(home, node, is_packed=False)
    assert get_status(home) == "current"
    with start_engine(home, node) as started:
        yield started


def score_by_command(*arguments: str, given: str) -> str:
    command = [sys.executable, "-m", "games", "score", *arguments, "-"]
    done = subprocess.run(command, input=given, capture_output=True, text=True, cwd=ROOT)
    assert done.stderr == ""
    return done.stdout


def list_moments(playthrough: Playthrough) -> Iterator[list[Any]]:
    """The actions of a playthrough up to each of its moments, the first and the last among them."""
    actions = playthrough.transcript.get("actions", [])
    yield from accumulate(([action] for action in actions), initial=[])


def test_every_playthrough_has_its_answer_on_a_phone(engine: Engine) -> None:
    for playthrough, transcript in zip(PLAYTHROUGHS, TRANSCRIPTS, strict=True):
        assert json.loads(engine.ask("score", transcript)) == playthrough.answer, playthrough.name


def test_a_line_is_answered_as_the_command_line_answers_it(engine: Engine) -> None:
    lines = "".join(f"{line}\n" for line in [*OF_OURS, *UNREADABLE])

    with override_settings(EXTRA_GAMES=[]):
        assert phone.score_lines(lines) == score_by_command("--jsonl", given=lines)
    ours = "".join(f"{line}\n" for line in OF_OURS)
    assert engine.ask("score_lines", ours) == score_by_command("--jsonl", given=ours)


def test_one_transcript_is_answered_as_the_command_line_answers_it(engine: Engine) -> None:
    transcript = OF_OURS[0]

    assert engine.ask("score", transcript) + "\n" == score_by_command(given=transcript)


@pytest.mark.parametrize("text", UNREADABLE, ids=lambda text: repr(text[:20]))
def test_what_cannot_be_read_is_answered_as_on_the_server(engine: Engine, text: str) -> None:
    assert engine.ask("score", text) == phone.score(text)


@pytest.mark.parametrize("playthrough", PLAYED, ids=lambda playthrough: playthrough.name)
def test_every_moment_of_a_playthrough_is_drawn_as_on_the_server(engine: Engine, playthrough: Playthrough) -> None:
    transcript = playthrough.transcript
    shared = {"game": transcript["ruleset"], "options": transcript.get("options", {})}
    for actions in list_moments(playthrough):
        table = json.dumps({**shared, "seats": transcript["seats"], "actions": actions, "words": {}})
        assert engine.ask("draw_table", table) == phone.draw_table(table)


@pytest.mark.parametrize("playthrough", BY_TURN, ids=lambda playthrough: playthrough.name)
def test_every_draft_of_a_turn_is_drawn_as_on_the_server(engine: Engine, playthrough: Playthrough) -> None:
    transcript = playthrough.transcript
    shared = {"game": transcript["ruleset"], "options": transcript.get("options", {}), "actions": []}
    for actions in list_moments(playthrough):
        for draft in ({"actions": actions}, {"dice": [1, 2, 2]}, {"dice": [6, 6, 6, 6, 6]}, {"dice": ["?"]}):
            turn = json.dumps({**shared, "actions": actions, "draft": draft})
            assert engine.ask("draw_turn", turn) == phone.draw_turn(turn)


def test_an_error_is_told_and_the_engine_goes_on(engine: Engine) -> None:
    with pytest.raises(EngineError, match="KeyError"):
        engine.ask("draw_table", json.dumps({"game": "snap", "options": {}, "seats": [], "actions": [], "words": {}}))

    assert json.loads(engine.ask("score", "{"))["code"] == "malformed"
