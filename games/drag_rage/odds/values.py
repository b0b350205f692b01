"""The recursion: the chance to win a heat for a player who must advance, while both cars are on the track.

Everything between two moves hangs on such *moments*: whether the other challenges, whether nitro is rolled, and who
advances afterwards. So a moment has no move that can be challenged. Each move uses up a counter, so there is an end.

What makes it small:

- Of the counters played only the difference counts, and no more of it than can still be made up for. (Even then it
  would decide whether a crossing ends the heat at once or can be challenged, so it cannot be reduced any further.)
- A player with a blown engine cannot win, so it does not matter where that car is.
- A challenge is looked at only where it can still change the best move: it never helps the player who moved.

Values are chances to win, a dead heat counting half, so those of the two players add up to 1.
"""

from __future__ import annotations

from games.core.time_limit import TimeLimit
from games.drag_rage.odds.alone import DEAD_HEAT, LOSS, WIN, get_alone_value, is_won_by_crossing
from games.drag_rage.odds.chances import SPIN_OUT, SPIN_OUT_WITH_NITRO
from games.drag_rage.odds.unused import LOWEST, SETS, read_set
from games.drag_rage.state import COUNTERS, FINISH, LAST

BLOWN = 0  # the space of any car with a blown engine
CHECK_EVERY = 1 << 11  # new values between two looks at the clock
MAX_LEAD = len(COUNTERS) + 4  # what a key has room for

Values = dict[int, float]


def make_key(own: int, other: int, lead: int, has_nitro: bool, other_has_nitro: bool, unused: int) -> int:
    """Return a number for a moment, the same for all moments that are worth the same; -1 if both engines are blown.

    Args:
        own: the space of the car that must advance.
        other: the space of the other car.
        lead: how many counters more have been played for the first car, less if negative.
        has_nitro: whether its player has the nitro die.
        other_has_nitro: whether the other player has it.
        unused: the set of unused counters.
    """
    total, count = _TOTALS[unused], _COUNTS[unused]
    if own + total < FINISH:
        if other + total < FINISH:
            return -1
        own = BLOWN
    elif other + total < FINISH:
        other = BLOWN
    if lead > count:
        lead = count
    elif lead < -count:
        lead = -count
    return ((unused << 10 | own << 5 | other) << 5 | lead + MAX_LEAD) << 2 | has_nitro << 1 | other_has_nitro


class HeatValues:
    """The values of moments, by key. All that were calculated once are kept."""

    def __init__(self, known: Values | None = None):
        self.known: Values = {-1: DEAD_HEAT, **(known or {})}
        self.limit = TimeLimit()

    def get_advance_value(self, own: int, other: int, lead: int, nitro: bool, other_nitro: bool, unused: int) -> float:
        """Return the value for the player who must advance; the arguments are those of `make_key`.

        Raises:
            OutOfTime: the limit is over.
        """
        key = make_key(own, other, lead, nitro, other_nitro, unused)
        value = self.known.get(key)
        if value is None:
            value = self.known[key] = self._find_best_move(key)
            if not len(self.known) % CHECK_EVERY:
                self.limit.check()
        return value

    def _find_best_move(self, key: int) -> float:
        """Return the value of the best move. `theirs` is always a value for the player who did not move."""
        other_nitro, nitro = bool(key & 1), bool(key & 2)
        lead, other, own, unused = (key >> 2 & 31) - MAX_LEAD, key >> 7 & 31, key >> 12 & 31, key >> 17
        counters = _COUNTERS[unused]
        if own + counters[0] <= LAST:  # otherwise every counter breaks the 'chute (DRAG-13)
            counters = [counter for counter in counters if own + counter <= LAST]
        get, least = self.get_advance_value, 2.0
        for counter in counters:
            left, space = unused ^ 1 << counter - LOWEST, own + counter
            if own == BLOWN:
                space = BLOWN
            if space >= FINISH and is_won_by_crossing(space, lead + 1):
                return WIN
            if space < FINISH:
                theirs = get(other, space, -lead - 1, other_nitro, nitro, left)
            else:
                theirs = get_alone_value(other, space, lead + 1, left) if other != BLOWN else LOSS
            if theirs >= least:
                continue
            theirs = max(theirs, self._value_challenge(own, counter, other, lead + 1, nitro, other_nitro, left, theirs))
            least = min(least, theirs)
            if least <= LOSS:
                break
        return WIN - least

    def _value_challenge(
        self, own: int, counter: int, other: int, lead: int, nitro: bool, other_nitro: bool, unused: int, enough: float
    ) -> float:
        """Return what a challenge is worth to the challenger; any value up to `enough` stands for all of them.

        Args:
            own: the space that the challenged car came from.
            counter: the counter moved.
            other: the space of the challenger's car.
            lead: how many counters more have been played for the challenged car, this one included.
            nitro: whether the challenged player has the nitro die.
            other_nitro: whether the challenger has it.
            unused: the set of counters left after the move.
            enough: what the challenger gets without a challenge.
        """
        value = self._value_roll(SPIN_OUT[counter], own, counter, other, lead, nitro, other_nitro, unused, enough)
        if nitro and value > enough:
            chance = SPIN_OUT_WITH_NITRO[counter]
            value = min(value, self._value_roll(chance, own, counter, other, lead, False, other_nitro, unused, enough))
        return value

    def _value_roll(
        self,
        chance: float,
        own: int,
        counter: int,
        other: int,
        lead: int,
        nitro: bool,
        other_nitro: bool,
        unused: int,
        enough: float,
    ) -> float:
        """Return what a roll is worth to the challenger, for whom it is a spin-out with this chance."""
        get, space = self.get_advance_value, own + counter if own != BLOWN else BLOWN
        if space >= FINISH:  # whatever the challenger does now, the other has crossed
            held = get_alone_value(other, space, lead, unused) if other != BLOWN else LOSS
        else:
            held = WIN - get(space, other, lead, nitro, other_nitro, unused)  # pass
            if other_nitro:
                held = max(held, get(other, space, -lead, False, nitro, unused))  # turn in the nitro die
        if chance + (1 - chance) * held <= enough:
            return enough
        if not chance:
            return held
        spun = get(other, own, -lead, other_nitro, nitro, unused)
        spun = max(spun, WIN - get(own, other, lead, nitro, other_nitro, unused))
        return chance * spun + (1 - chance) * held


_COUNTERS = tuple(list(read_set(unused)) for unused in range(SETS))
_COUNTS = tuple(map(len, _COUNTERS))
_TOTALS = tuple(map(sum, _COUNTERS))
