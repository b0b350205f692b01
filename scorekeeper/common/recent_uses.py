"""Counting within a sliding window: how often something was done in any stretch of time, exactly.

Terms: a *use* is one time that something was done. Uses of the same *slice*, a sixtieth of the window, are counted
together, as if all of them had happened at the last one.

Invariants:
- No window contains more accepted uses than its limit, wherever it begins. Counting slices together only makes uses
  count for longer, by a sixtieth of the window at most.
- Whatever is refused is accepted after the wait that was named, which is at most one window.
- The limit can be used up at once. A bucket that refills would allow only half of it at once, or nearly twice as many
  in a window.
- Uses need little room: a time and a number for each slice.
- A clock that was put back blocks nobody for long: uses further than a window in the future do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

SLICES = 60  # of a window

Uses = Sequence[Sequence[float]]  # [seconds, how many], oldest first; JSON has no tuples


def merge_uses(parts: Iterable[Uses], window: float) -> Uses:
    """Return all uses, one entry for each slice."""
    slices: dict[int, list[float]] = {}
    for at, count in sorted(tuple(use) for uses in parts for use in uses):
        found = slices.setdefault(int(at * SLICES // window), [at, 0])
        found[0], found[1] = at, found[1] + count
    return list(slices.values())


def drop_old_uses(uses: Uses, window: float, now: float) -> Uses:
    """Return the uses that count."""
    return [use for use in uses if now - window < use[0] < now + window]


def count_uses(uses: Uses) -> int:
    """Return how many uses there are."""
    return int(sum(count for _at, count in uses))


def find_wait(uses: Uses, most: int, window: float, now: float) -> float:
    """Return in how many seconds there may be another use; 0 for now.

    Args:
        uses: those that count.
        most: the limit within a window, at least 1.
    """
    left = count_uses(uses)
    wait = 0.0
    for at, count in uses:
        if left < most:
            break
        left -= int(count)
        wait = at + window - now
    return wait


def remove_last_use(uses: Uses) -> Uses:
    """Return the uses without the newest one."""
    if not uses:
        return uses
    *before, (at, count) = uses
    return [*before, [at, count - 1]] if count > 1 else before
