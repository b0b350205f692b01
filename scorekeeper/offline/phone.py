"""The functions of the phone's engine: JSON in, JSON out, the same in a browser as on the server.

Scores and odds come from `games`. Pages come from the server's own apps, with a database in memory: `load` fills it
with the server's ride and this phone's pending operations; `answer` handles a request. Django is set up by
`tools.phone_engine.phone_settings`; only `score`, `score_lines` and `odds` may also be called on the server.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings

from games.core.game import Game
from games.core.odds_question import answer_text
from games.core.problems import Malformed
from games.core.registry import find_games
from games.core.transcript import NOT_JSON, make_malformed_answer, score_text
from scorekeeper.common.game_adapter import list_games

MAX_DEPTH = 200  # nested brackets; a transcript has six


def score(transcript: str) -> str:
    """Return the result of a transcript: the line that `python -m games score` prints. Never raises."""
    return _answer_text(transcript, score_text)


def score_lines(transcripts: str) -> str:
    """Return the results of transcripts, one per line, as `python -m games score --jsonl` prints them."""
    return "".join(f"{score(line)}\n" for line in io.StringIO(transcripts, newline="\n"))  # split only at \n


def odds(question: str) -> str:
    """Return the answer to a question about odds: the line that `python -m games odds` prints. Never raises."""
    return _answer_text(question, answer_text)


def warm_up() -> None:
    """Do everything needed before the first response that does not depend on a ride, for a snapshot."""
    from scorekeeper.offline import request_handler

    list_games()
    request_handler.warm_up()


def set_language(text: str) -> str:
    """Answer in a language from now on; return its code as JSON.

    Args:
        text: what `scorekeeper.offline.language_pack` makes.
    """
    from scorekeeper.offline import phone_language

    pack = json.loads(text)
    phone_language.install_pack(pack)
    return json.dumps(pack["language"])


def load(text: str) -> str:
    """Load a ride, and replay on it the operations that the server does not have yet.

    Args:
        text: an object with `ride`, which contains all `parts` of a ride; `operations`, the pending bodies for
            `POST /api/v1/operations`, oldest first (those that the ride contains are skipped); and optionally `times`,
            the times when the operations were recorded, by their ids.

    Returns:
        An object with `problems`: the results, as the server would return them, of operations that were not applied.

    Raises:
        scorekeeper.offline.ride_import.UnknownRideFormat: the ride is in a format of another version.
    """
    from scorekeeper.offline import ride_import

    data = json.loads(text)
    problems = ride_import.import_ride(data["ride"], data.get("operations", []), data.get("times", {}))
    return json.dumps({"problems": problems})


def answer(text: str) -> str:
    """Handle a request as the server would. Never raises: on a failure it returns an error page.

    Args:
        text: an object with `method`, `path` (with its query), `headers` (with lower-case names), `body` (form-encoded,
            or ""), `now` (the time, in ISO 8601), and optionally `may_be_open` (a ride that was a draft may be open by
            now).

    Returns:
        An object with `status`, `headers`, `body`, and `operations`: the bodies for `POST /api/v1/operations` of what
        the request recorded, in order.
    """
    from scorekeeper.offline import request_handler

    return json.dumps(request_handler.handle_request(json.loads(text)))


def _answer_text(text: str, find_answer: Callable[[str, Mapping[str, Game[Any]]], dict[str, Any]]) -> str:
    if _is_too_deep(text):
        found = make_malformed_answer(Malformed(None, NOT_JSON, {"why": "it is nested too deeply"}))
    else:
        found = find_answer(text, find_games(tuple(settings.EXTRA_GAMES)))
    return json.dumps(found)


def _is_too_deep(text: str) -> bool:
    """Return whether a text is nested too deeply to parse: elsewhere that is an error, but a browser would crash."""
    depth = 0
    for bracket in re.findall(r"[][{}]", text):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            return True
    return False
