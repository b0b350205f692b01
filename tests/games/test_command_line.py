"""`python -m games score` in a bare interpreter, with files and pipes.

What depends on the text alone is asked of `main` in this process, and of the program with FAULTS=full.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from games.__main__ import main
from games.core import odds_question
from games.core.registry import find_games
from tests.faults.scale import FULL

ROOT = Path(__file__).resolve().parents[2]
LEGAL = {
    "ruleset": "rock-yahtzee",
    "seats": ["12"],
    "actions": [{"type": "paper", "box": "chance", "points": 22}],
}
ILLEGAL = LEGAL | {"actions": [{"type": "score", "box": "chance"}]}
MALFORMED = LEGAL | {"actions": [{"type": "stop"}]}
# No environment, no site packages, no user settings: only the standard library and the repository.
BARE = [sys.executable, "-S", "-E", "-s", "-W", "error", "-m", "games"]


def ask(*arguments: str, given: bytes | str = b"") -> subprocess.CompletedProcess[bytes]:
    """Return what the command answers; in a short run without a process of its own."""
    if FULL:
        return run(*arguments, given=given)
    text = BytesIO(given.encode() if isinstance(given, str) else given)
    with (
        patch.object(sys, "stdin", TextIOWrapper(text)),
        redirect_stdout(StringIO()) as output,
        redirect_stderr(StringIO()) as errors,
    ):
        status = main(arguments)
    return subprocess.CompletedProcess(arguments, status, output.getvalue().encode(), errors.getvalue().encode())


def run(*arguments: str, given: bytes | str = b"") -> subprocess.CompletedProcess[bytes]:
    """Return what the program answers."""
    text = given.encode() if isinstance(given, str) else given
    done = subprocess.run([*BARE, *arguments], input=text, capture_output=True, cwd=ROOT, env={}, timeout=120)
    assert b"Traceback" not in done.stderr
    return done


def answer(given: bytes | str, status: int) -> dict[str, Any]:
    """Return the answer to one transcript on standard input; the exit status must be `status`."""
    done = ask("score", "-", given=given)
    assert (done.returncode, done.stderr) == (status, b"")
    found: dict[str, Any] = json.loads(done.stdout)
    assert done.stdout.count(b"\n") == 1
    return found


def answers(given: bytes | str) -> list[dict[str, Any]]:
    """Return the answers to lines on standard input; every line must be answered."""
    done = ask("score", "--jsonl", "-", given=given)
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_file_is_scored(tmp_path: Path) -> None:
    file = tmp_path / "ride.json"
    file.write_text(json.dumps(LEGAL))
    done = run("score", str(file))
    assert done.returncode == 0
    assert json.loads(done.stdout) == {
        "ok": True, "ruleset": "rock-yahtzee", "finished": False, "scores": [22], "ranking": [[0]],
        "winners": [], "to_act": None,
    }  # fmt: skip


@pytest.mark.parametrize(("transcript", "status"), [(LEGAL, 0), (ILLEGAL, 1), (MALFORMED, 2)])
def test_the_program_ends_with_the_status_of_the_transcript(transcript: Any, status: int) -> None:
    assert run("score", "-", given=json.dumps(transcript)).returncode == status


def test_the_program_answers_line_by_line_what_is_no_text_too() -> None:
    done = run("score", "--jsonl", "-", given=b"\xff\n" + json.dumps(LEGAL).encode() + b"\n" + b"9" * 100_000)

    assert (done.returncode, done.stderr) == (0, b"")
    assert [json.loads(line)["ok"] for line in done.stdout.splitlines()] == [False, True, False]


def test_the_exit_status_distinguishes_legal_illegal_and_malformed() -> None:
    assert answer(json.dumps(LEGAL), 0)["ok"] is True
    assert answer(json.dumps(ILLEGAL), 1)["rule"] == "ROCK-6"
    assert answer(json.dumps(MALFORMED), 2)["field"] == "actions[0].type"
    assert answer("{", 2)["index"] is None


def test_lines_are_answered_in_their_order_and_the_status_is_0() -> None:
    found = answers("\n".join(json.dumps(one) for one in (LEGAL, ILLEGAL, MALFORMED, LEGAL)))
    assert [one.get("code", "ok") for one in found] == ["ok", "no_dice", "malformed", "ok"]


def test_lines_may_end_as_on_any_system_and_a_blank_one_is_malformed() -> None:
    line = json.dumps(LEGAL)
    assert [one["ok"] for one in answers(f"{line}\r\n{line}\n\n  \r\n{line}")] == [
        True,
        True,
        False,
        False,
        True,
    ]
    assert answers("") == []
    assert [one["code"] for one in answers("\n")] == ["malformed"]


def test_only_a_line_feed_separates_lines() -> None:
    spaced = json.dumps(LEGAL | {"seats": ["a\u2028b\u0085c"]}, ensure_ascii=False)
    assert [one["ok"] for one in answers(spaced + "\n" + json.dumps(LEGAL))] == [True, True]
    assert len(answers(json.dumps(LEGAL) + "\r" + json.dumps(LEGAL))) == 1


def test_each_line_is_answered_before_the_next_is_asked_for() -> None:
    with subprocess.Popen(
        [*BARE, "score", "--jsonl", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env={}
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for one, ok in ((LEGAL, True), (ILLEGAL, False)):
            process.stdin.write(json.dumps(one).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["ok"] is ok
        process.stdin.close()
        assert process.wait(60) == 0


def test_bytes_that_are_not_text_are_malformed_but_a_byte_order_mark_is_allowed() -> None:
    assert answer(b"\xff\xfe{", 2)["message"] == "This is not UTF-8 text."
    assert answer(b"\xef\xbb\xbf" + json.dumps(LEGAL).encode(), 0)["ok"] is True
    assert [one["ok"] for one in answers(b'\xff\n"\xed\xa0\x80"\n' + json.dumps(LEGAL).encode())] == [
        False,
        False,
        True,
    ]


@pytest.mark.parametrize("extra", [[], ["--jsonl"]])
def test_a_file_that_cannot_be_read_is_reported_in_a_sentence(extra: list[str], tmp_path: Path) -> None:
    for name in (tmp_path / "missing.json", tmp_path, tmp_path / "na\udce9me"):
        done = ask("score", *extra, os.fsdecode(name))
        assert done.returncode == 2
        assert b"cannot be read" in done.stdout + done.stderr
        assert bool(done.stdout) is not bool(extra)


def test_a_closed_standard_input_cannot_be_read() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", '"$@" <&-', "sh", *BARE, "score", "-"], capture_output=True, cwd=ROOT, env={}
    )
    assert (done.returncode, done.stderr) == (2, b"")
    assert json.loads(done.stdout)["code"] == "malformed"


def test_a_wrong_command_is_explained() -> None:
    done = run("rank")
    assert done.returncode == 2
    assert b"usage: python -m games" in done.stderr


def test_a_number_longer_than_any_screen_is_scored_like_every_other() -> None:
    huge = "1" + "0" * 5000
    with_points = json.dumps(LEGAL).replace("22", huge)
    assert answer(with_points, 1)["rule"] == "ROCK-29"
    with_seat = json.dumps(LEGAL).replace('{"type"', f'{{"seat": {huge}, "type"')
    assert answer(with_seat, 2)["field"] == "actions[0].seat"
    with_turns = json.dumps(LEGAL | {"options": {"turns": 0}}).replace("0}", huge + "}")
    assert answer(with_turns, 2)["field"] == "options.turns"


def test_a_sum_longer_than_the_longest_readable_number_can_be_printed() -> None:
    nines = "9" * 100_000
    paper = {"type": "paper", "box": "yahtzee", "points": "N"}
    transcript = LEGAL | {"options": {"yahtzee_points": ["N", "N"]}, "actions": [paper, paper]}
    done = ask("score", "-", given=json.dumps(transcript).replace('"N"', nines))
    assert done.returncode == 0
    assert b"[1" + b"9" * 99_999 + b"8]" in done.stdout


def test_a_number_that_is_too_long_is_reported_with_its_path_after_earlier_illegal_actions() -> None:
    too_long = "9" * 1_000_000
    paper = {"type": "paper", "box": "chance", "points": "N"}
    legal_before = json.dumps(LEGAL | {"actions": [{"type": "forfeit"}, paper]}).replace('"N"', too_long)
    found = answer(legal_before, 2)
    assert (found["index"], found["field"]) == (1, "actions[1].points")
    illegal_before = json.dumps(LEGAL | {"actions": [{"type": "score", "box": "aces"}, paper]}).replace('"N"', too_long)
    assert answer(illegal_before, 1)["index"] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "This is not JSON: Expecting value: line 1 column 1."),
        ('{"ruleset":\n rogue}', "Expecting value: line 2 column 2."),
        ('{"ruleset": ["rogue"], "seats": ["Ann", "Bob"]}', "This must be text."),
        ('{"ruleset": "rogue", "seats": ["Ann"]}', "This game needs at least 2 seats."),
        ('{"ruleset": "go-500", "seats": []}', "This game needs at least 1 seat."),
        ('{"ruleset": "go-500", "seats": ["Ann"], "options": {"template": 1}}', "This must be text."),
        (
            '{"ruleset": "drag-rage", "seats": ["Ann", "Bob"], "options": {"heats": 3}}',
            "There is no field “heats” here. No fields are expected.",
        ),
        (
            '{"ruleset": "rogue", "seats": ["Ann", "Bob"], "actions": [{"seat": 0, "type": "roll", "dice": ["2"]}]}',
            "The face 2 is a number. Write it without quotation marks.",
        ),
        (
            '{"ruleset": "rogue", "seats": ["Ann", "Bob"], "actions": [{"seat": 0, "type": "roll", "dice": [true]}]}',
            "No die here has the face “true”. The faces are 2, 3, 4, 5, 6, C.",
        ),
    ],
)
def test_the_message_for_malformed_data_says_how_to_fix_it(text: str, message: str) -> None:
    assert answer(text, 2)["message"].endswith(message)


@pytest.mark.parametrize(
    "text", ["[" * 1_000_000, '{"a":' * 200_000, '{"seats": NaN}', '"\ud800"', '{"ruleset": "\\ud800"}', "\0"]
)
def test_a_hostile_text_is_malformed(text: str) -> None:
    assert answer(text.encode("utf-8", "surrogatepass"), 2)["code"] == "malformed"


def test_a_reader_that_closes_the_pipe_early_ends_the_program_quietly(tmp_path: Path) -> None:
    file = tmp_path / "rides.jsonl"
    file.write_text((json.dumps(LEGAL) + "\n") * 20_000)
    command = [*BARE, "score", "--jsonl", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env={}) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["ok"] is True
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 1


@pytest.mark.slow
def test_ten_thousand_lines_are_answered_one_by_one() -> None:
    found = answers((json.dumps(LEGAL) + "\n") * 10_000)
    assert len(found) == 10_000
    assert all(one["ok"] for one in found)


def test_the_games_need_nothing_but_the_standard_library() -> None:
    script = """
import sys
sys.path.insert(0, ".")
import games.__main__
games.__main__.find_games()
print(sorted({name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names) - {"__main__"}))
"""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, cwd=ROOT, env={}, text=True)
    assert done.stdout.strip() == "['games']", done.stderr


def test_questions_about_odds_are_answered_one_by_one() -> None:
    question = {"transcript": LEGAL | {"options": {"turns": 2}}}
    lines = "\n".join((json.dumps(question), "{", json.dumps({"transcript": ILLEGAL}), json.dumps(question)))
    done = run("odds", "--jsonl", "-", given=lines)
    first, broken, illegal, last = map(json.loads, done.stdout.splitlines())

    assert (done.returncode, done.stderr) == (0, b"")
    assert first == odds_question.answer(question, find_games())
    assert first["method"] == "exact"
    assert broken["code"] == "malformed"
    assert illegal["rule"] == "ROCK-6"
    assert last == first


@pytest.mark.parametrize(("transcript", "status"), [(LEGAL, 0), (ILLEGAL, 1), (MALFORMED, 2)])
def test_a_question_about_odds_has_the_exit_status_of_its_transcript(transcript: Any, status: int) -> None:
    question = json.dumps({"transcript": transcript | {"options": {"turns": 1}}})

    assert ask("odds", "-", given=question).returncode == status


def test_the_interpreters_limit_for_long_numbers_is_as_before() -> None:
    before = sys.get_int_max_str_digits()

    main(["score", os.devnull])

    assert sys.get_int_max_str_digits() == before
