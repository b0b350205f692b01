"""Which draw of cards is on the screens: `{% draw_on_screen contest as on_screen %}`."""

from __future__ import annotations

from django import template
from django.utils import timezone

from scorekeeper.audience.draws import PublicDraw, list_draw_boards, list_public_draws
from scorekeeper.events.models import Contest
from scorekeeper.standings.selectors.leaderboard import get_leaderboard

register = template.Library()


@register.simple_tag
def draw_on_screen(contest: Contest) -> PublicDraw | None:
    """Return the draw of the contest, or of one of its classes, that the screens show instead of the standings."""
    draws = list_public_draws(contest.event, list_draw_boards(contest, get_leaderboard(contest)), timezone.now())
    return next((public for public in draws if public.is_now and public.contest == contest), None)
