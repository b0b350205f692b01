"""Everything that can become of an operation, for those who write an app: the schema and docs/api.md say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class OutcomeHelp(NamedTuple):
    """What an outcome means, and what an app does about it."""

    meaning: str
    next_step: str


DONE = "Nothing: the server has it."
SHOW = "Show the problems. The organiser decides; do not send it again."
ENTER_AGAIN = "Show the problem, and let a person enter it again with a new id."

OUTCOMES: Mapping[str, OutcomeHelp] = {
    "recorded": OutcomeHelp("It was written to the log and counts.", DONE),
    "merged": OutcomeHelp("An equal entry was there already, from another phone; it counts once.", DONE),
    "conflict": OutcomeHelp("A different entry is there. The one that arrived first counts meanwhile.", SHOW),
    "refused": OutcomeHelp("The rules do not allow it on this scorecard; the problems cite their clauses.", SHOW),
    "late": OutcomeHelp("The contest was closed before it arrived.", SHOW),
    "review": OutcomeHelp("The device was signed out by the organiser, or had expired, before it arrived.", SHOW),
    "not_yet": OutcomeHelp(
        "It is about something that the server does not have yet, such as a bike that another phone registered.",
        "Keep it, and send it again unchanged later.",
    ),
    "withdrawn": OutcomeHelp("The registration of its bike was undone.", "Let a person enter it on the right bike."),
    "no_sheet": OutcomeHelp(
        "The bike can have no such further sheet, or has to keep it: the contest is closed, sells no more, or the "
        "sheet has a prize.",
        "Show the problem. What was rolled for the sheet stays on the device.",
    ),
    "not_yours": OutcomeHelp(
        "The crew member may not record it: it is of another group’s bike, or only organisers do it.",
        "Tell the person to ask that group’s crew, or the organiser.",
    ),
    "other_body": OutcomeHelp(
        "The device has sent something else under this id before, and that was kept.",
        "An error of the app: send it again with a new id.",
    ),
    "unreadable": OutcomeHelp("It is not an operation of the schema, or a correction has no reason.", ENTER_AGAIN),
    "forged": OutcomeHelp(
        "The signature does not match; only for signed operations that another phone delivers.",
        "Drop the copy; its own phone sends it.",
    ),
}
