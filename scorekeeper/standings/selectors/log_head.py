"""The head of an event's log: one hash over the state of all its chains."""

from __future__ import annotations

import datetime as dt
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.events.selectors import get_freeze
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.ledger.models import Chain, Entry
from scorekeeper.standings.leaderboard import Leaderboard
from scorekeeper.standings.models import Revision

ChainHeads = list[tuple[str, int, str]]


def list_chain_heads(event_id: UUID, locked: dict[UUID, Chain]) -> ChainHeads:
    """Return id, length and head of every chain of the event, by id; the locked ones as they will be saved."""
    others = Chain.objects.filter(event_id=event_id).exclude(pk__in=locked)
    return sorted((str(chain.pk), chain.length, chain.head) for chain in [*others, *locked.values()])


def compute_event_head(chains: ChainHeads) -> str:
    """Return the event's head: one hash over the state of all its chains."""
    return sha256(canonical_json(chains))


def get_current_head(event_id: UUID) -> str:
    """Return the head of an event's log as it is now."""
    return compute_event_head(list_chain_heads(event_id, {}))


def get_head_of(contest: Contest, board: Leaderboard) -> str:
    """Return the head of the log that a leaderboard comes from: that of its revision, or else the current one."""
    if board.revision is not None:
        heads = Revision.objects.filter(contest=contest, number=board.revision).values_list("event_head", flat=True)
        return heads[0]
    return get_current_head(contest.event_id)


def get_audience_head(contest: Contest, board: Leaderboard) -> str:
    """Return the same for the audience. A head shows every change, so during a freeze it is that of the freeze."""
    freeze = get_freeze(contest.event)
    if freeze is None or freeze.at is None:
        return get_head_of(contest, board)
    return compute_event_head(_list_chain_heads_at(contest.event_id, freeze.at))


def _list_chain_heads_at(event_id: UUID, moment: dt.datetime) -> ChainHeads:
    """Return the chains as they were at a time; those without an entry by then are left out."""
    later = Entry.objects.filter(chain__event_id=event_id, at__gt=moment).values("chain_id")
    unchanged = Chain.objects.filter(event_id=event_id, length__gt=0).exclude(pk__in=later)
    heads = {chain.pk: (str(chain.pk), chain.length, chain.head) for chain in unchanged}
    earlier = Entry.objects.filter(chain_id__in=later, at__lte=moment).order_by("chain", "seq")
    for chain_id, seq, head in earlier.values_list("chain_id", "seq", "hash"):
        heads[chain_id] = (str(chain_id), seq, head)
    return sorted(heads.values())
