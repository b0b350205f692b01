"""The command line: ``python -m games score FILE`` plays transcripts and prints the answers as JSON, ``python -m games
odds FILE`` answers questions about odds, and ``python -m games verify BUNDLE`` checks a bundle, an event in one file.

It needs only the Python interpreter. The exit status for one transcript is 0 if it is legal, 1 if it is illegal and 2
if it is malformed; a question about odds has that of its transcript. With ``--jsonl`` it is 0 once every line has an
answer. For a bundle it is 0 if all is in order and 1 if something differs. A file that cannot be read gives 2.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO

from games.core.bundle.reading import UnreadableBundle
from games.core.bundle.report import BundleReport, check_bundle
from games.core.game import Game
from games.core.odds_question import answer_bytes
from games.core.problems import Malformed
from games.core.registry import find_games
from games.core.text import gettext_noop
from games.core.transcript import make_malformed_answer, score_bytes

Answer = Callable[[bytes, Mapping[str, Game[Any]]], dict[str, Any]]

ANSWERS: Mapping[str, Answer] = {"score": score_bytes, "odds": answer_bytes}
UNREADABLE = gettext_noop("The file cannot be read: %(why)s.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    given = _parser().parse_args(arguments)
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)  # a sum can have more digits than any number read from a transcript
    try:
        if given.command == "verify":
            return _verify(given.bundle, given.head, as_json=given.json)
        answer = ANSWERS[given.command]
        return _answer_lines(given.file, answer) if given.jsonl else _answer_one(given.file, answer)
    except BrokenPipeError:
        # The reader closed the pipe. Redirect stdout so that flushing the buffer at exit does not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        sys.set_int_max_str_digits(limit)  # it holds for the whole process, which may go on


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m games", description="Keep score of dice games.")
    commands = parser.add_subparsers(dest="command", required=True)
    score = commands.add_parser("score", help="replay a transcript and print the result as JSON")
    score.add_argument("file", metavar="FILE", help="a transcript, or - for standard input")
    score.add_argument("--jsonl", action="store_true", help="one transcript per line, one result per line")
    odds = commands.add_parser("odds", help="say what best play comes to after a transcript, and what choices cost")
    odds.add_argument("file", metavar="FILE", help="a question, or - for standard input")
    odds.add_argument("--jsonl", action="store_true", help="one question per line, one answer per line")
    verify = commands.add_parser("verify", help="check a bundle: an event in one file")
    verify.add_argument("bundle", metavar="BUNDLE", help="the file, or - for standard input")
    verify.add_argument("--head", metavar="HASH", help="a hash that was printed or published, to compare with")
    verify.add_argument("--json", action="store_true", help="print the result for programs, as JSON")
    return parser


def _answer_one(name: str, answer_line: Answer) -> int:
    try:
        with _open(name) as file:
            text = file.read()
    except OSError as error:
        answer = make_malformed_answer(Malformed(None, UNREADABLE, {"why": _get_reason(error)}))
    else:
        answer = answer_line(text, find_games())
    _print(answer)
    if answer["ok"]:
        return 0
    return 2 if answer["code"] == "malformed" else 1


def _answer_lines(name: str, answer_line: Answer) -> int:
    """Answer each line before reading the next, so that a program can talk to this one through a pipe."""
    games: Mapping[str, Game[Any]] = find_games()
    try:
        with _open(name) as file:
            for line in file:  # bytes are split only at \n
                _print(answer_line(line, games))
    except BrokenPipeError:
        raise
    except OSError as error:
        print(UNREADABLE.fill({"why": _get_reason(error)}), file=sys.stderr)
        return 2
    return 0


def _verify(name: str, head: str | None, *, as_json: bool) -> int:
    try:
        with _open(name) as file:
            report = check_bundle(file, find_games(), head)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _refuse(name, _get_reason(error), as_json=as_json)
    except UnreadableBundle as error:
        return _refuse(name, str(error), as_json=as_json)
    _print_report(report, as_json=as_json)
    return 0 if report.is_in_order else 1


def _refuse(name: str, why: str, *, as_json: bool) -> int:
    if as_json:
        _print({"ok": False, "unreadable": why})
    else:
        print(f"{name} cannot be checked: {why}.", file=sys.stderr)
    return 2


def _print_report(report: BundleReport, *, as_json: bool) -> None:
    if as_json:
        _print(report.to_data())
        return
    for line in report.list_sentences():
        # A terminal that cannot show a name shows question marks, and a name cannot move the cursor.
        printable = "".join(character if character.isprintable() else "?" for character in line)
        encoding = sys.stdout.encoding or "ascii"
        print(printable.encode(encoding, "replace").decode(encoding))


def _open(name: str) -> AbstractContextManager[BinaryIO]:
    if name != "-":
        return Path(name).open("rb")
    if sys.stdin is None:  # closed by the parent process
        raise OSError("standard input is closed")
    return nullcontext(sys.stdin.buffer)


def _get_reason(error: OSError) -> str:
    return error.strerror or str(error)


def _print(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    sys.exit(main())
