"""Snapshots: what a card's chain folds to, kept beside it so that the next note need not read and fold it all.

Terms: a *snapshot* is text in the chain's own row: a digest, then canonical JSON. It names the *head* of the chain it
was folded from and the *rules* it was folded by: the game, its version, and the shape of its states. One that names
another head or other rules, or does not fit its digest, is *foreign* and read as none.

Invariant: a snapshot says nothing that the log does not say. It may be dropped at any time; the next note folds the
log and keeps a new one. Whatever looks for damage reads the log itself.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from games.core.codec import get_shape
from games.core.game import Game
from scorekeeper.scorecards.canonical import HASH_LENGTH, canonical_json, sha256
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.models import Chain

VERSION = 1  # of what cards write into their snapshots


def pack_snapshot(contest: ContestRules, chain: Chain, data: Any) -> str:
    """Return the snapshot of a chain as it stands now.

    Args:
        data: what the chain folds to, as plain data.
    """
    text = canonical_json({"head": chain.head, "rules": _identify_rules(contest.ruleset.game), "data": data})
    return sha256(text) + text


def unpack_snapshot(contest: ContestRules, chain: Chain) -> Any:
    """Return the data of a chain's snapshot; None where it has none or a foreign one."""
    match _load(chain):
        case {"head": chain.head, "rules": rules, "data": data} if rules == _identify_rules(contest.ruleset.game):
            return data
    return None


def snapshot_matches_chain(chain: Chain) -> bool:
    """Whether a snapshot is as it was made, and of the chain as it stands; by which rules is not asked."""
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
