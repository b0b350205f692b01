"""Pig duel: a pig race of two seats; a player may play several. Only the tests of tables use it."""

from __future__ import annotations

from collections.abc import Sequence

from games.core.standing import Standing
from games.core.text import gettext_noop
from tests.games.toy.game import PigRace


class PigDuel(PigRace):
    """Fewest throws over all duels win."""

    key = "pig-duel"
    name = gettext_noop("Pig duel")
    independent = False
    seat_limits = (2, 2)
    many_cards = True

    def combine(self, standings: Sequence[Standing]) -> Standing:
        throws = sum(standing.total for standing in standings)
        return Standing(throws, (-throws,), standings[0].status)


GAME = PigDuel()
