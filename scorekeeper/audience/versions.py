"""What the public sees of a contest, as a digest, for those who announce that it has changed.

Terms: a contest's *mark* differs whenever its public state may have changed. It costs one statement for all contests of
several events, and folds and ranks nothing. The *state* is compared only where the mark differs.

Invariant: the state comes from what the audience may see. While the standings are frozen it changes only with what the
reveal announces, and a result that is withheld is no result. The mark tells more, so it must not be shown to anyone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple
from uuid import UUID

from django.db.models import F, Max
from django.forms import model_to_dict

from scorekeeper.agreements.selectors import list_agreements
from scorekeeper.audience.cut_presenter import get_public_witnesses
from scorekeeper.audience.visible_standings import get_audience_view, get_public_revision
from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest, Event, Freeze
from scorekeeper.events.selectors import get_freeze
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.players.selectors import get_public_names
from scorekeeper.standings.board_data import dump_board
from scorekeeper.standings.models import FrozenStandings
from scorekeeper.standings.selectors.contest_version import get_contest_version
from scorekeeper.stops.models import Slot

RECORDED = {"status", "prizes", "frozen_at"}  # fields of a contest that change with what is recorded
# What everyone sees change: the rows, and whether they are official.
_SEEN = ("rows", "status", "revision", "groups", "cuts", "classes")
_COLUMNS = ("status", "prizes", "groups_by", "group_best", "ordinal", "slug")


def get_audience_version(contest: Contest) -> str:
    """Return a digest of everything that the audience's standings, scorecards and results are made from."""
    freeze = get_freeze(contest.event)
    return get_contest_version(contest) if freeze is None else _get_frozen_version(contest, freeze)


def _get_frozen_version(contest: Contest, freeze: Freeze) -> str:
    event = contest.event
    board = get_audience_view(contest).get_leaderboard()
    entrants = [row.entrant_id for row in board.rows]
    people = get_public_names(event)
    agreements = list_agreements([contest.pk], freeze.at).get(contest.pk, {})
    parts = (
        [event.name, event.slug, event.date, event.time_zone, event.people_shown, event.state, event.is_practice],
        sorted((name, value) for name, value in model_to_dict(contest).items() if name not in RECORDED),
        [freeze.at, freeze.step, freeze.version],
        list(FrozenStandings.objects.filter(pk=contest.pk).values_list("position", "revealed_from")),
        list(Slot.objects.filter(contest=contest).order_by("ordinal").values_list("pk", "ordinal", "stop__name")),
        list(Group.objects.filter(event=event).order_by("pk").values_list("pk", "ordinal", "name")),
        [(entrant, people.get(entrant, "")) for entrant in entrants],
        list(Bike.entrants.filter(pk__in=entrants).order_by("pk").values_list("pk", "make", "model")),
        sorted(get_public_witnesses(contest, board).items()),
        [(bike, [(one.digest, one.by) for one in found]) for bike, found in sorted(agreements.items())],
    )
    return sha256(repr(parts))


class PublicState(NamedTuple):
    """What the public sees of a contest.

    Attributes:
        digest: of its standings; "" if the event is a draft, which nobody sees.
        status: of the contest, for the public.
        revision: the number of the official result that the public sees; 0 if it sees none.
    """

    digest: str
    status: str
    revision: int


NOT_PUBLIC = PublicState("", "", 0)


def list_change_marks(event_ids: Collection[UUID]) -> Mapping[UUID, str]:
    """Return the marks of all contests of these events, by contest."""
    contests = (
        Contest.objects.filter(event__in=event_ids)
        .order_by("event", "ordinal", "pk")
        .annotate(
            version=F("standings_state__version"), frozen=F("event__freeze__version"), last=Max("revisions__number")
        )
    )
    columns = ("event__state", "event__slug", "version", "frozen", "last", *_COLUMNS)
    return {row[0]: sha256(repr(row[1:])) for row in contests.values_list("pk", *columns)}


def get_public_state(contest: Contest) -> PublicState:
    """Return what the public sees of a contest, whose event is loaded."""
    if contest.event.state != Event.State.OPEN:
        return NOT_PUBLIC
    board = get_audience_view(contest).get_leaderboard()
    data = dump_board(board)
    revision = get_public_revision(contest)
    digest = sha256(canonical_json({name: data[name] for name in _SEEN if name in data}))
    return PublicState(digest, str(board.status), 0 if revision is None else revision.number)
