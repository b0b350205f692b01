"""The prizes of an event as the audience may see them: all that can be won, and the winners once they are public.

Prizes of a contest whose result is public are as they were published; those of the others have no winners.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse

from scorekeeper.audience.visible_standings import list_public_results
from scorekeeper.events.models import Contest, Event
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.selectors.awards import list_published_awards_of
from scorekeeper.prizes.selectors.prize_lists import list_prize_terms, list_prizes


@dataclass(frozen=True, slots=True)
class AudiencePrize:
    """A prize.

    Attributes:
        title: its name, or what it is for.
        what_for: what it is for; "" if that is its title.
        logo_url: of the sponsor's picture; "" if there is none.
        winners: the names of those who get it; empty until they are public.
        outcome_text: how it was decided, once that is public; "" where the figures say it.
    """

    id: UUID
    contest: str
    title: str
    what_for: str
    sponsor: str
    logo_url: str
    winners: tuple[str, ...] = ()
    outcome_text: str = ""


@dataclass(frozen=True, slots=True)
class Sponsor:
    """Somebody who gives prizes.

    Attributes:
        name: "" for one with only a picture.
        logo_url: of the picture; "" if there is none.
    """

    name: str
    logo_url: str


def list_audience_prizes(event: Event, people: Mapping[UUID, str]) -> list[AudiencePrize]:
    """Return the prizes of an event in the order in which they are announced.

    Args:
        people: the names of each bike or player.
    """
    prizes = list(list_prizes(event))
    contests = {prize.contest_id: prize.contest for prize in prizes}
    for contest in contests.values():
        contest.event = event
    public = list_public_results(event, contests.values())
    found = dict(_list_published(event, public, people))
    for contest in contests.values():
        if contest not in public:
            found |= _list_open(contest, [prize for prize in prizes if prize.contest_id == contest.pk])
    return [found[prize.pk] for prize in prizes if prize.pk in found]


def list_sponsors(event: Event) -> list[Sponsor]:
    """Return who gives prizes of an event, each once, in the order of the prizes.

    Whoever is named with a picture and without one is one sponsor; pictures without a name are one each.
    """
    found: dict[str, Sponsor] = {}
    for name, logo_id in event.prizes.order_by("position", "pk").values_list("sponsor", "logo"):
        if not name and not logo_id:
            continue
        key = name.casefold() or str(logo_id)
        before = found.get(key, Sponsor(name, ""))
        found[key] = Sponsor(before.name, before.logo_url or _get_logo_url(event, logo_id))
    return list(found.values())


def _list_published(
    event: Event, contests: list[Contest], people: Mapping[UUID, str]
) -> Iterator[tuple[UUID, AudiencePrize]]:
    for contest, awards in list_published_awards_of(event, contests, people):
        for award in awards:
            yield (
                award.prize_id,
                AudiencePrize(
                    award.prize_id,
                    contest.name,
                    award.title,
                    award.subtitle,
                    award.sponsor,
                    award.logo_url,
                    tuple(winner.name for winner in award.winners),
                    award.outcome_text,
                ),
            )


def _list_open(contest: Contest, prizes: list[Prize]) -> dict[UUID, AudiencePrize]:
    found = {}
    for terms in list_prize_terms(contest, prizes):
        what_for = terms.what_for
        found[terms.prize_id] = AudiencePrize(
            terms.prize_id,
            contest.name,
            terms.name or what_for,
            what_for if terms.name else "",
            terms.sponsor,
            _get_logo_url(contest.event, terms.logo_id),
        )
    return found


def _get_logo_url(event: Event, logo_id: UUID | None) -> str:
    return reverse("prizes:logo", args=[event.slug, logo_id]) if logo_id and event.is_open else ""
