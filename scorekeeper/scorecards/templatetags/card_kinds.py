"""Filters that ask a contest's kind of card, for the pages of any app: `{{ contest|setup_url }}`."""

from django import template

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.card_kinds import KindWording, get_kind

register = template.Library()


@register.filter
def kind_wording(contest: Contest) -> KindWording:
    """Return what pages say about contests of this kind."""
    return get_kind(contest.game).wording


@register.filter
def setup_url(contest: Contest) -> str:
    """Return the URL of the page where the organiser decides where or by whom the contest is played; "" if none."""
    return get_kind(contest.game).get_setup_url(contest)


@register.filter
def card_count(contest: Contest) -> str:
    """Return how many cards were created, "3 tables, 1 finished"; "" where cards are created automatically."""
    return get_kind(contest.game).format_card_count(contest)
