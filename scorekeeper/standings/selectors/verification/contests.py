"""A contest against the log: its status, and the rules that it was frozen with."""

from __future__ import annotations

from collections.abc import Iterator

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.played import get_rules_digest
from scorekeeper.standings.selectors.verification.damage import Damage
from scorekeeper.standings.selectors.verification.log import EventLog

STATUS_AFTER = {"close": Contest.Status.CLOSED, "reopen": Contest.Status.OPEN, "publish": Contest.Status.OFFICIAL}


def tell_status(contest: Contest, log: EventLog) -> Contest.Status:
    """Return the status that the contest's log says last."""
    changes = log.list_kind(contest.pk, *STATUS_AFTER)
    return STATUS_AFTER[changes[-1].kind] if changes else Contest.Status.OPEN


def check_status(contest: Contest, log: EventLog) -> Iterator[Damage]:
    """Compare the contest's status with its log."""
    told = tell_status(contest, log)
    if contest.status != told:
        yield Damage(f"Contest {contest.pk}", f"it is {contest.status}, and its log says {told}")


def check_rules(contest: Contest, log: EventLog) -> Iterator[Damage]:
    """Compare the options, slots and version of the rules with what its cards were begun by."""
    slots = {slot.pk: (slot.ordinal, slot.stop_id) for slot in contest.slots.all()}
    now, cards = get_rules_digest(contest, slots), sorted(contest.cards.values_list("pk", flat=True))
    unlike = [card for card in cards if log.rules.get(card, now) != now]
    if unlike:
        yield Damage(f"Contest {contest.pk}", f"its rules are not those by which card {unlike[0]} was begun")
    if contest.frozen_at is None and cards:
        yield Damage(f"Contest {contest.pk}", "it has cards, and its rules are not frozen")
