"""What the phone's engine answers: JSON in, JSON out, the same in a browser as on the server.

Scores come from `games`, fragments from the template files of the server's own pages, made of plain data as those are.
Nothing here knows a request, a database, a clock or a network. On a phone Django is set up by
`scorekeeper.offline.django_alone`; on the server it is set up already.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string

from games.core.game import Ruleset
from games.core.problems import Malformed
from games.core.replay import play_on, replay
from games.core.transcript import NOT_JSON, malformed_answer, score_text
from scorekeeper.common.rules import get_game, list_games, say
from scorekeeper.scorecards import draft as turn_draft
from scorekeeper.scorecards import entry as turn_entry
from scorekeeper.tables.draft import Draft
from scorekeeper.tables.entry import Asking, show_offers
from scorekeeper.tables.offers import list_offers
from scorekeeper.tables.seats import show_seats, show_sheet

# What a fragment is made of; the templates that these include are found by reading them.
TEMPLATES = (
    "scorecards/_card.html",
    "scorecards/_sheet.html",
    "tables/_seats.html",
    "tables/_offers.html",
    "tables/_sheet.html",
)

DEEPEST = 200  # brackets in each other; a transcript has six


def score(transcript: str) -> str:
    """Return the answer to a transcript: the line that `python -m games score` prints. Never raises."""
    if _is_too_deep(transcript):
        answer = malformed_answer(Malformed(None, NOT_JSON, {"why": "it is nested too deeply"}))
    else:
        answer = score_text(transcript, list_games())
    return json.dumps(answer)


def score_lines(transcripts: str) -> str:
    """Return the answers to transcripts, one a line each, as `python -m games score --jsonl` prints them."""
    return "".join(f"{score(line)}\n" for line in io.StringIO(transcripts, newline="\n"))  # parted at \n, nowhere else


def draw_turn(asked: str) -> str:
    """Return the fragments of a card that is noted turn by turn.

    Args:
        asked: an object with `game`, `options`, `actions` (those of the turns noted so far) and `draft`, which has
            `mode`, `actions`, `held` and `dice` as far as they are there.

    Returns:
        An object with the fragments `card` (dice, pad, boxes) and `sheet`.

    Raises:
        KeyError: there is no such game, or something is left out.
        Malformed: the options cannot be read.
    """
    given = json.loads(asked)
    ruleset, key = _get_ruleset(given), given["game"]
    state = play_on(ruleset, turn_draft.start_state(ruleset), given["actions"]).state
    held = {name: tuple(value) for name, value in given["draft"].items() if name != "mode"}
    draft = turn_draft.Draft(given["draft"].get("mode", ""), **held)
    opened = turn_draft.open_draft(ruleset, state, draft)
    card = {
        "entry": turn_entry.show_draft(key, opened, lambda _spec, _choice: None),
        "errors": [sentence.to_data() for sentence in turn_entry.show_problems(key, opened.problems)],
    }
    sheet = {"sheet": turn_entry.show_sheet(key, ruleset.game.sheet(state))}
    return _draw({"card": ("scorecards/_card.html", card), "sheet": ("scorecards/_sheet.html", sheet)})


def draw_table(asked: str) -> str:
    """Return the fragments of a table, which is noted action by action.

    Args:
        asked: an object with `game`, `options`, `seats` (their names), `actions` (those noted so far) and `words`:
            what stands in the form, by the names of its fields.

    Returns:
        An object with the fragments `seats`, `offers` and `sheet`.

    Raises:
        KeyError: there is no such game, or something is left out.
        Malformed: the options cannot be read.
    """
    given = json.loads(asked)
    ruleset, names = _get_ruleset(given), given["seats"]
    game, state = ruleset.game, replay(ruleset, len(names), given["actions"]).state
    draft = Draft({name: tuple(words) for name, words in given["words"].items()})
    offers = list_offers(game, state)
    seats = {"seats": show_seats(game, state, names)}
    asking = {"offers": show_offers(Asking(game, names, draft), offers) if offers else []}
    return _draw(
        {
            "seats": ("tables/_seats.html", {**seats, "total_label": say(game.total_label)}),
            "offers": ("tables/_offers.html", asking),
            "sheet": ("tables/_sheet.html", {**seats, "sheet": show_sheet(game, state), "is_open": False}),
        }
    )


def _is_too_deep(text: str) -> bool:
    """Whether a text would be nested too deeply to be read: that is an error elsewhere, and in a browser the end."""
    depth = 0
    for bracket in re.findall(r"[][{}]", text):
        depth += 1 if bracket in "[{" else -1
        if depth > DEEPEST:
            return True
    return False


def _get_ruleset(given: Mapping[str, Any]) -> Ruleset:
    return get_game(given["game"]).ruleset(given["options"])


def _draw(fragments: Mapping[str, tuple[str, dict[str, Any]]]) -> str:
    return json.dumps({name: render_to_string(template, data) for name, (template, data) in fragments.items()})
