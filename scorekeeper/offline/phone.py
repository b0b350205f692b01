"""What the phone's engine answers: JSON in, JSON out, the same in a browser as on the server.

Scores come from `games`. Pages come from the server's own rooms, run over a database in memory: `load` fills it with
the ride that the server told and with what this phone has noted since, `answer` answers a request. Django is set up by
`scorekeeper.offline.phone_settings`; only `score` and `score_lines` may be asked on the server as well.
"""

from __future__ import annotations

import io
import json
import re

from games.core.problems import Malformed
from games.core.transcript import NOT_JSON, make_malformed_answer, score_text
from scorekeeper.common.game_adapter import list_games

MAX_DEPTH = 200  # brackets in each other; a transcript has six


def score(transcript: str) -> str:
    """Return the answer to a transcript: the line that `python -m games score` prints. Never raises."""
    if _is_too_deep(transcript):
        answer = make_malformed_answer(Malformed(None, NOT_JSON, {"why": "it is nested too deeply"}))
    else:
        answer = score_text(transcript, list_games())
    return json.dumps(answer)


def score_lines(transcripts: str) -> str:
    """Return the answers to transcripts, one a line each, as `python -m games score --jsonl` prints them."""
    return "".join(f"{score(line)}\n" for line in io.StringIO(transcripts, newline="\n"))  # parted at \n, nowhere else


def warm_up() -> None:
    """Do what every engine does before its first answer, and what is the same whatever the ride: for a snapshot."""
    from scorekeeper.offline import request_handler

    list_games()
    request_handler.warm_up()


def load(text: str) -> str:
    """Begin with a ride, and do again on top of it what the server does not have yet.

    Args:
        text: an object with `ride`, which has the contents of all `parts` of a ride; `operations`, the bodies for
            `POST /api/v1/operations` that are not sent yet, the oldest first, where those that the ride contains are
            passed over; and perhaps `times`, an object that says by the ids of operations when each was noted.

    Returns:
        An object with `problems`: of the operations that do not stand, what the server would answer them.

    Raises:
        scorekeeper.offline.ride_import.UnknownRideFormat: the ride is of another version of the program.
    """
    from scorekeeper.offline import ride_import

    given = json.loads(text)
    return json.dumps(
        {"problems": ride_import.import_ride(given["ride"], given.get("operations", []), given.get("times", {}))}
    )


def answer(text: str) -> str:
    """Answer a request as the server would. Raises nothing: what fails is answered with a page that says so.

    Args:
        text: an object with `method`, `path` (with its query), `headers` (by lower-case names), `body` (as a form is
            sent, or ""), `now` (the time, in ISO 8601), and perhaps `may_be_open` (that a ride that was a draft may be
            open by now).

    Returns:
        An object with `status`, `headers`, `body`, and in `operations` the bodies for `POST /api/v1/operations` of what
        the request recorded, in their order.
    """
    from scorekeeper.offline import request_handler

    return json.dumps(request_handler.handle_request(json.loads(text)))


def _is_too_deep(text: str) -> bool:
    """Whether a text would be nested too deeply to be read: that is an error elsewhere, and in a browser the end."""
    depth = 0
    for bracket in re.findall(r"[][{}]", text):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            return True
    return False
