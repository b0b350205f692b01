"""What the pages about a card say about whether it is agreed to: `{% agreement_of page_context as agreement %}`."""

from __future__ import annotations

from django import template

from scorekeeper.agreements.selectors import CardAgreement, get_card_agreement
from scorekeeper.agreements.sheet_digest import compute_state_digest
from scorekeeper.agreements.views import get_agreement_url
from scorekeeper.scorecards.views.card_context import CardContext

register = template.Library()


@register.simple_tag
def agreement_of(card_context: CardContext) -> CardAgreement:
    """Return whether the card is agreed to."""
    digest = compute_state_digest(card_context.card)
    return get_card_agreement(card_context.contest.pk, card_context.bike.pk, digest)


@register.simple_tag
def agreement_url(card_context: CardContext) -> str:
    """Return the URL of the page on which the rider agrees."""
    return get_agreement_url(card_context)
