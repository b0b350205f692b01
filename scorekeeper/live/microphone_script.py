"""The script of the prize giving for the page at the microphone, with full names: the page is for organisers."""

from __future__ import annotations

from dataclasses import dataclass

from scorekeeper.audience.reveals import RevealSteps, get_reveal_steps
from scorekeeper.events.models import Contest, Event
from scorekeeper.live.script_items import ScriptItem, ScriptWriter
from scorekeeper.live.selectors.screen import iterate_revealed_contests
from scorekeeper.players.selectors import get_full_names
from scorekeeper.prizes.award import Award
from scorekeeper.prizes.selectors.announcements import arrange_announcements


@dataclass(frozen=True, slots=True)
class Script:
    """The script of a prize giving.

    Attributes:
        reveal: the reveal whose steps the items name.
        undecided: how many prizes still have no winner.
        open_contests: contests of the script whose standings can still change.
    """

    event: Event
    reveal: RevealSteps
    items: tuple[ScriptItem, ...]
    undecided: int
    open_contests: tuple[Contest, ...]

    @property
    def current(self) -> int:
        """The position of the item that is on the screens now, 0 for an empty script."""
        return min(self.reveal.step or 0, max(0, len(self.items) - 1))


def get_script(event: Event) -> Script:
    """Return the script of the reveal that is under way, or of one that would start now."""
    reveal = get_reveal_steps(event, iterate_revealed_contests(event), arrange_announcements)
    writer = ScriptWriter(event, reveal, get_full_names(event))
    awards = [award for one in reveal.announcements for award in one.awards]
    contests = [contest for contest, _board in reveal.results]
    return Script(
        event,
        reveal,
        tuple(writer.write(position) for position in range(len(reveal.announcements))),
        undecided=sum(not Award.from_data(award.award).is_decided for award in awards),
        open_contests=tuple(contest for contest in contests if contest.status == Contest.Status.OPEN),
    )
