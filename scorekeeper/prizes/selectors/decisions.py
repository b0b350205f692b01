"""What the organiser decided about prizes, read from the chains of contests.

A reason is public only if the page on which it was written said so. That of the first version of the program told that
organisers can see it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.models import Entry, OperationReason
from scorekeeper.prizes.award import Decision
from scorekeeper.prizes.models import Prize
from scorekeeper.standings.models import Revision

ENTRY_KIND = "award"  # stored in the log
PUBLIC_REASON = "public_reason"  # stored in the log; entries of the first version do not have it


def list_decisions(contest_id: UUID, length: int | None = None) -> Mapping[UUID, Decision]:
    """Return the last decision about each prize, by the prize's id.

    Args:
        length: read the contest's chain only up to this entry.
    """
    entries = Entry.objects.filter(chain_id=contest_id, kind=ENTRY_KIND).order_by("seq")
    if length is not None:
        entries = entries.filter(seq__lte=length)
    decisions: dict[UUID, Decision] = {}
    for entry in entries:
        data = json.loads(entry.body)["data"]
        tied, winners = (tuple(UUID(entrant) for entrant in data[key]) for key in ("tied", "winners"))
        is_public = data.get(PUBLIC_REASON, False)
        decisions[UUID(data["prize"])] = Decision(frozenset(tied), winners, entry.operation_id, is_public)
    return decisions


def explain_given_prize(bike: Bike) -> str:
    """Return which prize a bike or a further sheet has been given, and the way to remove it; "" if it has none.

    A published prize is one too: a revision names its winner by id, and is worked out again to verify it.
    """
    sheet_of = {} if bike.sheet_contest_id is None else {"contest": bike.sheet_contest_id}
    prizes = {prize.pk: prize for prize in Prize.objects.filter(event=bike.event_id, **sheet_of).select_related("stop")}
    for contest_id in {prize.contest_id for prize in prizes.values()}:
        for prize_id, decision in list_decisions(contest_id).items():
            if bike.pk in decision.winners and prize_id in prizes:
                text = _(
                    "%(bike)s has been given the prize “%(prize)s”. Choose another winner on the page of the prizes, "
                    "or take the decision back there, and try again."
                )
                return text % {"bike": bike.label, "prize": prizes[prize_id]}
    published = Revision.objects.filter(contest__event=bike.event_id, **sheet_of).values_list("awards", flat=True)
    winners = {one["id"] for awards in published for award in awards or () for one in award["winners"]}
    if str(bike.pk) in winners:
        return _("A revision of the results names %(bike)s as the winner of a prize.") % {"bike": bike.label}
    return ""


def get_decision_reasons(event_id: UUID) -> Mapping[UUID, str]:
    """Return the reasons for the decisions about an event's prizes, by operation. An erased reason is left out."""
    reasons = OperationReason.objects.filter(operation__event_id=event_id, operation__kind=ENTRY_KIND)
    return dict(reasons.values_list("operation_id", "text"))


def get_public_reasons(event_id: UUID) -> Mapping[UUID, str]:
    """Return those of them that everyone may read."""
    entries = Entry.objects.filter(operation__event_id=event_id, kind=ENTRY_KIND)
    return {
        operation: reason or ""
        for operation, body, reason in entries.values_list("operation_id", "body", "operation__reason__text")
        if _has_public_reason(body)
    }


def get_published_reasons(lengths: Mapping[UUID, int]) -> Mapping[UUID, str]:
    """Return the public reasons for the decisions that revisions include, by the prize's id, in one statement.

    Args:
        lengths: for each contest, how many entries of its chain its revision includes.
    """
    entries = Entry.objects.filter(chain__in=lengths, kind=ENTRY_KIND).order_by("seq")
    reasons: dict[UUID, str] = {}
    for contest_id, seq, body, reason in entries.values_list("chain_id", "seq", "body", "operation__reason__text"):
        if seq <= lengths[contest_id]:
            prize_id = UUID(json.loads(body)["data"]["prize"])
            reasons[prize_id] = (reason or "") if _has_public_reason(body) else ""
    return reasons


def _has_public_reason(body: str) -> bool:
    return bool(json.loads(body)["data"].get(PUBLIC_REASON, False))
