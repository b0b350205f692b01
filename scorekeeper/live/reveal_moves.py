"""Moving the reveal from the page of the microphone, where moves can arrive late, twice or from two tablets."""

from __future__ import annotations

from django.db import transaction

from scorekeeper.events.models import Event, Freeze
from scorekeeper.live.selectors.screen import get_screen, list_screen_contests
from scorekeeper.standings.services.freeze import reveal_to_step, start_reveal


def begin_reveal(event: Event) -> None:
    """Start the reveal of the contests on the screens; do nothing if it has begun."""
    start_reveal(event, list_screen_contests(get_screen(event)))


@transaction.atomic
def move_reveal(event: Event, seen: tuple[int, int], to: int) -> None:
    """Move the reveal to a step; do nothing while nothing is revealed.

    - If the screens are where the sender believes, they go to the step.
    - If someone else has moved them since, a move forward never takes them back, and a move back does nothing. So a
      double tap and a second tablet change nothing twice, and a tablet that was offline catches up.

    Args:
        seen: the lowest and the highest step at which the sender may have left the screens. They differ while earlier
            moves of the sender are not confirmed.
        to: the step that the screens are to show.
    """
    freeze = Freeze.objects.select_for_update().filter(event=event, step__isnull=False).first()
    if freeze is None or freeze.step is None:
        return
    lowest, highest = seen
    is_as_seen = lowest <= freeze.step <= highest
    if to != freeze.step and (is_as_seen or to > max(highest, freeze.step)):
        reveal_to_step(event, to)
