"""Who of a round might be which rider of the season: proposals by name or number, which an organiser confirms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from scorekeeper.events.models import Event
from scorekeeper.players.selectors.holder_names import format_holder, get_full_names
from scorekeeper.seasons.models import SeasonRound
from scorekeeper.seasons.selectors.finishes import get_finishes
from scorekeeper.seasons.selectors.standings import PresentedRound, present_rounds


@dataclass(frozen=True)
class KnownRider:
    """A rider of the season, as in the latest other round."""

    id: UUID
    label: str
    number: str
    name: str


@dataclass(frozen=True)
class HolderProposal:
    """Someone in the result of a round, and who that might be.

    Attributes:
        linked: the rider that is linked now; None if there is none.
        likely: the only rider of the same name; None if there is none or several.
        possible: all with the same name or number, and the one that is linked.
    """

    holder_id: UUID
    place: str
    label: str
    linked: UUID | None
    likely: UUID | None
    possible: tuple[KnownRider, ...]


def propose_links(season_round: SeasonRound) -> list[HolderProposal]:
    """Return everyone in the published result of a round, the best first; nothing while there is none."""
    finishes = get_finishes(season_round.contest) or {}
    people = get_full_names(season_round.contest.event)
    rounds = present_rounds(season_round.season)
    linked = {
        holder: rider for one in rounds if one.round.pk == season_round.pk for rider, holder in one.holders.items()
    }
    known = _list_known(rounds, season_round)
    return [
        _propose(holder_id, finish.label, finish.number, people.get(holder_id, ""), linked.get(holder_id), known)
        for holder_id, finish in finishes.items()
    ]


def _list_known(rounds: tuple[PresentedRound, ...], but: SeasonRound) -> list[KnownRider]:
    """Return the riders of the other rounds, each as in the latest of them."""
    known: dict[UUID, KnownRider] = {}
    names: dict[Event, Mapping[UUID, str]] = {}
    for one in rounds:
        if one.round.pk == but.pk:
            continue
        event = one.round.contest.event
        people = names.setdefault(event, get_full_names(event))
        for rider, holder in one.holders.items():
            finish = one.get_finish(rider)
            if finish is not None:
                name = people.get(holder, "")
                label = f"{format_holder(finish.number, name)}, {event.name}"
                known[rider] = KnownRider(rider, label, finish.number, _get_rider_name(name))
    return list(known.values())


def _propose(
    holder_id: UUID, place: str, number: str, people: str, linked: UUID | None, known: list[KnownRider]
) -> HolderProposal:
    name = _get_rider_name(people)
    same_name = [one for one in known if name and one.name == name]
    possible = tuple(one for one in known if one in same_name or (number and one.number == number) or one.id == linked)
    likely = same_name[0].id if len(same_name) == 1 else None
    return HolderProposal(holder_id, place, format_holder(number, people), linked, likely, possible)


def _get_rider_name(people: str) -> str:
    """Return the rider's name for comparing: the passenger may be another one the next time."""
    return people.partition(", ")[0].casefold()
