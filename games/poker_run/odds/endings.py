"""What a hand may end as, for the chances to win: with which chance it ends with each key of its standing.

Suits never rank (POKER-8), so hands that differ only by which suit is which may end as the same. They are renamed to
one of them, which is looked at once and remembered: of the 1,326 hands of two cards there are then 169.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.core.cards import JOKER
from games.core.odds import Endings
from games.core.time_limit import OutOfTime, TimeLimit
from games.poker_run.cards import SUITS, Cards
from games.poker_run.hands import make_number_key
from games.poker_run.odds.answer import MAX_COMPLETIONS
from games.poker_run.odds.counting import count_hands
from games.poker_run.odds.future import Future, Slot, get_future
from games.poker_run.odds.sampling import sample_completions
from games.poker_run.state import Hand, Setup, get_hand_key

# Of each hand. Those of all hands of a contest have to be found within a minute, so there are fewer than of `odds`.
SAMPLES = 10_000
MOST_KNOWN = 1_000  # futures that are remembered; with some thousand keys at most, each takes up to 0.2 MB

_known: dict[Future, Endings] = {}


def list_endings(setup: Setup, hand: Hand, limit: TimeLimit) -> Endings | None:
    """Return what a hand may end as if it gets all its cards, those on sale too; None if that takes too long."""
    future = get_future(setup, hand)
    if not future.slots:
        return Endings((get_hand_key(setup, hand),), (1.0,))
    alike = rename_suits(future)
    found = _known.get(alike)
    if found is None:
        try:
            found = _find_endings(alike, limit)
        except OutOfTime:
            return None
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[alike] = found
    return found


def _find_endings(future: Future, limit: TimeLimit) -> Endings:
    if future.completions > MAX_COMPLETIONS:
        hands = sample_completions(future, limit, SAMPLES)
    else:
        hands = count_hands(future, limit)
    total = sum(hands.values())
    ways = {make_number_key(number, future.is_low): count for number, count in hands.items() if count}
    keys = tuple(sorted(ways, reverse=True))
    return Endings(keys, tuple(ways[key] / total for key in keys))


def rename_suits(future: Future) -> Future:
    """Return a future that is the same for all that differ only by which suit is which."""
    piles = (future.held, *(slot.pack for slot in future.slots))
    in_order = sorted(SUITS, key=lambda suit: [[card[:-1] for card in pile if card[-1] == suit] for pile in piles])
    names = dict(zip(in_order, SUITS, strict=True))
    held, *packs = (_rename(pile, names) for pile in piles)
    slots = tuple(Slot(pack, slot.size) for pack, slot in zip(packs, future.slots, strict=True))
    return Future(held, slots, future.is_low)


def _rename(pile: Cards, names: Mapping[str, str]) -> Cards:
    return tuple(sorted(card if card == JOKER else card[:-1] + names[card[-1]] for card in pile))
