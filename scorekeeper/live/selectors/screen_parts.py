"""The parts of a screen beside the contests: for each kind, the frames that show it.

A new kind is a member of `PartKind`, a function here that returns its frames, and its line in `FRAMES`. A kind without
frames, such as prizes of a ride that has none, takes no time on the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from django.conf import settings
from django.urls import reverse

from scorekeeper.audience.draw_presenter import present_draws
from scorekeeper.audience.visible_standings import get_audience_view
from scorekeeper.common.qr import make_qr_code
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.live.models import PartKind
from scorekeeper.live.selectors.screen_frames import ScreenFrame, ScreenPanel
from scorekeeper.players.selectors import get_public_names
from scorekeeper.prizes.selectors.audience_prizes import list_audience_prizes, list_sponsors

SPONSORS_PER_PAGE = 6


def list_frames(kind: PartKind, event: Event) -> Sequence[ScreenFrame]:
    """Return the frames of a kind of part, as the audience may see them now."""
    return FRAMES[kind](event)


def _list_prize_frames(event: Event) -> Sequence[ScreenFrame]:
    prizes = list_audience_prizes(event, get_public_names(event))
    if not prizes:
        return ()
    has_winners = any(prize.winners or prize.outcome_text for prize in prizes)
    contests = {prize.contest for prize in prizes}
    context = {"prizes": prizes, "has_winners": has_winners, "names_contests": len(contests) > 1}
    return (ScreenPanel("screen-prizes", "live/_prizes.html", context, len(prizes)),)


def _list_sponsor_frames(event: Event) -> Sequence[ScreenFrame]:
    sponsors = list_sponsors(event)
    pages = [sponsors[start : start + SPONSORS_PER_PAGE] for start in range(0, len(sponsors), SPONSORS_PER_PAGE)]
    return [
        ScreenPanel(f"screen-sponsors-{number}", "live/_sponsors.html", {"sponsors": page, "number": number})
        for number, page in enumerate(pages, 1)
    ]


def _list_result_frames(event: Event) -> Sequence[ScreenFrame]:
    url = settings.BASE_URL + reverse("results:event", args=[event.slug])
    context = {"url": url.partition("//")[2], "qr": make_qr_code(url)}
    return (ScreenPanel("screen-results", "live/_results_code.html", context),)


def _list_draw_frames(event: Event) -> Sequence[ScreenFrame]:
    contests = list_contests(event).select_related("event")
    return present_draws(event, [(one, get_audience_view(one).get_leaderboard()) for one in contests])


FRAMES: Mapping[PartKind, Callable[[Event], Sequence[ScreenFrame]]] = {
    PartKind.PRIZES: _list_prize_frames,
    PartKind.SPONSORS: _list_sponsor_frames,
    PartKind.RESULTS: _list_result_frames,
    PartKind.DRAWS: _list_draw_frames,
}
