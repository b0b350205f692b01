"""The URL of the page on which a rider agrees to a card."""

from __future__ import annotations

from django.urls import reverse

from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.page_context import add_query


def get_agreement_url(card_context: CardContext) -> str:
    """Return the URL: for the crew by the card's bike, for organisers by the card."""
    if card_context.actor.is_organiser:
        return reverse("agreements:desk_card", args=[card_context.event.slug, card_context.card.id])
    url = reverse("agreements:card", args=[card_context.bike.pk])
    return add_query(url, {"contest": card_context.contest.pk})
