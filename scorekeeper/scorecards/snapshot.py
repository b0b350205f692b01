"""Snapshots: what a card's chain folds to, stored so that the next entry does not have to read and fold it all.

- A *snapshot* is text in the chain's own row: a digest, then canonical JSON.
- It names the *head* of the chain it was folded from and the *rules* it was folded by: the game, its version, and the
  shape of its states. A *foreign* snapshot, with another head, other rules or the wrong digest, is ignored.
- Invariant: a snapshot has nothing that is not in the log. It may be dropped at any time; the next entry folds the log
  and stores a new one. Checks for damage read the log itself.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from games.core.codec import get_shape
from games.core.game import Game
from scorekeeper.ledger.canonical import HASH_LENGTH, canonical_json, sha256
from scorekeeper.ledger.models import Chain
from scorekeeper.scorecards.contest_rules import ContestRules

VERSION = 1  # of the data that cards write into their snapshots


def pack_snapshot(contest: ContestRules, head: str, data: Any) -> str:
    """Return the snapshot of a chain in its current state.

    Args:
        head: the hash of its last entry.
        data: what the chain folds to, as plain data.
    """
    text = canonical_json({"head": head, "rules": _identify_rules(contest.ruleset.game), "data": data})
    return sha256(text) + text


def unpack_snapshot(contest: ContestRules, chain: Chain) -> Any:
    """Return the data of a chain's snapshot; None if it has none, or a foreign one."""
    match _load(chain):
        case {"head": chain.head, "rules": rules, "data": data} if rules == _identify_rules(contest.ruleset.game):
            return data
    return None


def snapshot_matches_chain(chain: Chain) -> bool:
    """Whether a snapshot is intact and belongs to the chain's current head. Its rules are not checked."""
    match _load(chain):
        case {"head": chain.head}:
            return True
    return False


def _load(chain: Chain) -> Any:
    digest, text = chain.snapshot[:HASH_LENGTH], chain.snapshot[HASH_LENGTH:]
    if not text or digest != sha256(text):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


@lru_cache
def _identify_rules(game: Game[Any]) -> str:
    return f"{VERSION}/{game.key}/{game.version}/{sha256(get_shape(game))[:16]}"
