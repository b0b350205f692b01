"""Special actions and what they cost: free uses first, then unused damage (GP-10, GP-11, GP-17)."""

from __future__ import annotations

from games.grand_prix.state import Drive, Setup


def get_price(setup: Setup, drive: Drive, specials: tuple[int, ...]) -> int:
    """Return what these different special actions together cost now, in damage."""
    return sum([setup.costs[special] for special in specials if not drive.free[special]])


def can_pay(setup: Setup, drive: Drive, specials: tuple[int, ...]) -> bool:
    """Return whether there is enough unused damage for these special actions together."""
    return get_price(setup, drive, specials) <= sum(drive.unused)


def pay(setup: Setup, drive: Drive, specials: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return unused damage and free uses after these special actions. A free use pays for an action if it has one."""
    unused, free = drive.unused, list(drive.free)
    if price := get_price(setup, drive, specials):
        unused = _mark(unused, price)
    for special in specials:
        free[special] = max(0, free[special] - 1)
    return unused, tuple(free)


def _mark(unused: tuple[int, ...], price: int) -> tuple[int, ...]:
    """Mark the price on the damage tracks, the earliest circuit first (GP-17)."""
    left = []
    for spaces in unused:
        marked = min(spaces, price)
        left.append(spaces - marked)
        price -= marked
    return tuple(left)
