"""What folding a card needs to know about its contest."""

from __future__ import annotations

from uuid import uuid4

import pytest

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.stops.models import Slot, Stop


def test_turns_are_in_the_order_of_play_however_they_were_stored(contest: Contest, stops: list[Stop]) -> None:
    finale = stops[-1]
    places = {1: stops[0], 2: stops[1], 3: stops[2], 4: finale, 5: finale}
    made = {
        ordinal: Slot.objects.create(contest=contest, stop=places[ordinal], ordinal=ordinal)
        for ordinal in (5, 2, 4, 1, 3)
    }

    rules = get_contest_rules(contest.pk)

    assert [rules.get_ordinal(slot) for slot in rules.slots] == [1, 2, 3, 4, 5]
    assert rules.list_slots_at_same_stop(made[5].pk) == [made[4].pk, made[5].pk]


@pytest.mark.django_db
def test_a_contest_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(Contest.DoesNotExist):
        get_contest_rules(uuid4())
