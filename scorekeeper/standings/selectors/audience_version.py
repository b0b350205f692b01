"""The version of what the audience sees of a contest: it changes whenever a page or file for everyone would.

While the standings are frozen, it is made from the freeze, and from the names of those who are in it. It must not tell
that something was recorded since, so it has no length of a log, no roster and no status.
"""

from __future__ import annotations

from django.forms import model_to_dict

from scorekeeper.agreements.selectors import list_agreements
from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest, Freeze
from scorekeeper.events.selectors import get_freeze
from scorekeeper.ledger.canonical import sha256
from scorekeeper.players.selectors import get_public_names
from scorekeeper.standings.models import FrozenStandings
from scorekeeper.standings.selectors.audience import get_audience_view
from scorekeeper.standings.selectors.contest_version import get_contest_version
from scorekeeper.standings.selectors.cut_presenter import get_public_witnesses
from scorekeeper.stops.models import Slot

RECORDED = {"status", "prizes", "frozen_at"}  # fields of a contest that change with what is recorded


def get_audience_version(contest: Contest) -> str:
    """Return a digest of everything that the audience's standings, scorecards and results are made from."""
    freeze = get_freeze(contest.event)
    return get_contest_version(contest) if freeze is None else _get_frozen_version(contest, freeze)


def _get_frozen_version(contest: Contest, freeze: Freeze) -> str:
    event = contest.event
    board = get_audience_view(contest).get_leaderboard()
    holders = [row.holder_id for row in board.rows]
    people = get_public_names(event)
    agreements = list_agreements([contest.pk], freeze.at).get(contest.pk, {})
    parts = (
        [event.name, event.slug, event.date, event.time_zone, event.people_shown, event.state, event.is_practice],
        sorted((name, value) for name, value in model_to_dict(contest).items() if name not in RECORDED),
        [freeze.at, freeze.step, freeze.version],
        list(FrozenStandings.objects.filter(pk=contest.pk).values_list("position", "revealed_from")),
        list(Slot.objects.filter(contest=contest).order_by("ordinal").values_list("pk", "ordinal", "stop__name")),
        list(Group.objects.filter(event=event).order_by("pk").values_list("pk", "ordinal", "name")),
        [(holder, people.get(holder, "")) for holder in holders],
        list(Bike.objects.filter(pk__in=holders).order_by("pk").values_list("pk", "make", "model")),
        sorted(get_public_witnesses(contest, board).items()),
        [(bike, [(one.digest, one.by) for one in found]) for bike, found in sorted(agreements.items())],
    )
    return sha256(repr(parts))
