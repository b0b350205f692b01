"""What special actions can be paid with: the free uses, and the unused damage, of which only two sums matter.

Payments are taken from earlier circuits first (GP-17), so of those only the sum counts.
"""

from __future__ import annotations

from typing import NamedTuple

from games.grand_prix.payments import can_pay, pay
from games.grand_prix.state import REROLL, SELECT, Drive, Setup


class Budget(NamedTuple):
    """What is left to pay with.

    Attributes:
        earlier: the unused damage of all earlier circuits.
        damage: the unused damage of this circuit.
        free: how often each special action is still free.
    """

    earlier: int
    damage: int
    free: tuple[int, ...]


def get_budget(drive: Drive) -> Budget:
    """Return the budget of a drive."""
    return Budget(sum(drive.unused[:-1]), drive.unused[-1], drive.free)


def spend(setup: Setup, budget: Budget, specials: tuple[int, ...]) -> Budget | None:
    """Return the budget after these special actions together; None if it is not enough."""
    drive = Drive((), (budget.earlier, budget.damage), budget.free)
    if not can_pay(setup, drive, specials):
        return None
    (earlier, damage), free = pay(setup, drive, specials)
    return Budget(earlier, damage, free)


def is_unbounded(setup: Setup) -> bool:
    """Return whether dice can be thrown again without end, at no cost."""
    return not (setup.costs[REROLL] and setup.costs[SELECT])
