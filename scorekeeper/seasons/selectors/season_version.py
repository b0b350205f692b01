"""The version of a season: it changes whenever its public standings would. No result is read for it."""

from __future__ import annotations

from django.forms import model_to_dict

from scorekeeper.ledger.canonical import sha256
from scorekeeper.seasons.models import Season, SeasonLink, SeasonRound
from scorekeeper.seasons.selectors.seasons import list_rounds
from scorekeeper.standings.selectors.audience import is_result_public
from scorekeeper.standings.selectors.contest_version import get_contest_version


def get_season_version(season: Season) -> str:
    """Return a digest of everything that the public standings of a season are made from."""
    links = SeasonLink.objects.filter(round__season=season).order_by("pk")
    parts = (
        sorted(model_to_dict(season).items()),
        [_describe_round(one) for one in list_rounds(season)],
        list(links.values_list("rider_id", "round_id", "holder_id")),
    )
    return sha256(repr(parts))


def _describe_round(one: SeasonRound) -> tuple[object, ...]:
    contest, event = one.contest, one.contest.event
    # A result that is withheld must not tell that something is recorded.
    version = get_contest_version(contest) if is_result_public(contest) else ""
    return one.pk, contest.name, contest.slug, event.name, event.slug, event.date, event.state, version
