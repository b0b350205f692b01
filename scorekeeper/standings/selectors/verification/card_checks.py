"""Checks of cards: their flags, and what their kind compares with their logs: entrants, turns and snapshots."""

from __future__ import annotations

from collections.abc import Iterator

from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import Chain
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.log_damage import LogDamage, report_differences
from scorekeeper.standings.selectors.verification.contest_checks import get_logged_status
from scorekeeper.standings.selectors.verification.event_log import EventLog


def check_cards(contest: Contest, log: EventLog) -> Iterator[LogDamage]:
    """Check all cards of a contest."""
    yield from _check_flags(contest, log)
    yield from get_kind(contest.game).check_cards(contest, log.table_contests)


def _check_flags(contest: Contest, log: EventLog) -> Iterator[LogDamage]:
    """Check that cards are sealed while the contest is closed, and that cards of merged bikes are aliases."""
    merged = {derive_card_id(contest.pk, bike) for bike in log.list_merged()}
    is_closed = get_logged_status(contest, log) != Contest.Status.OPEN
    for chain in Chain.objects.filter(card__contest=contest).defer("snapshot").order_by("pk"):
        pairs: dict[str, tuple[object, object]] = {
            "sealed": (chain.is_sealed, is_closed),
            "alias": (chain.is_alias, chain.pk in merged),
        }
        yield from report_differences(f"Card {chain.pk}", pairs, Chain, chain.pk)
