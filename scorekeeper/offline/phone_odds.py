"""Questions about odds from the phone's pages, answered by the phone itself within what it can do while someone waits.

The engine does one thing at a time, so while it calculates no tap is answered. So it gives up after `MOST_SECONDS`, and
leaves out the chance to win a game of Rogue, which takes a phone half a minute. What was solved by then is kept: the
same question gets further the next time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.core.odds_question import answer
from scorekeeper.common.game_adapter import list_games

MOST_SECONDS = 1


def answer_question(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a question, both as `python -m games odds` has them.

    The figures are those of the command line. Where they take too long, `method` is "none" and `why` is "seconds".
    """
    return answer(question, list_games(), most_seconds=MOST_SECONDS, game_chances=False)
