"""The prizes of an event in the order in which they are announced, and what the rules have to know of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.players.class_members import list_class_members
from scorekeeper.players.models import EventClass
from scorekeeper.prizes.award import PrizeClass, PrizeTerms
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.rules.facts import AwardTerms
from scorekeeper.prizes.rules.rule_book import RULES
from scorekeeper.standings.selectors.group_rankings import list_entrants_by_group
from scorekeeper.stops.models import Slot


def list_prizes(event: Event) -> QuerySet[Prize]:
    """Return the prizes of an event in the order in which they are announced."""
    return event.prizes.select_related("contest", "stop", "event_class").order_by("position", "pk")


def list_in_announced_order(event: Event) -> list[Prize]:
    """Return the prizes of an event from the first announced to the last, whatever is won by whom.

    Places are announced from the last to the first, contest by contest: the contest whose places end first in the
    stored order comes first. A prize that is for no place comes after every prize for a place that precedes it in the
    stored order.
    """
    prizes = list(list_prizes(event))
    ends = {prize.contest_id: index for index, prize in enumerate(prizes) if prize.is_for_place}
    places: list[tuple[tuple[int, int], Prize]] = []
    others: list[tuple[tuple[int, int], Prize]] = []
    last = (-1, 0)  # before any place
    for prize in prizes:
        if prize.is_for_place:
            key = (ends[prize.contest_id], -(prize.place or 1))
            places.append((key, prize))
            last = max(last, key)
        else:
            others.append((last, prize))
    return [prize for _key, prize in sorted([*places, *others], key=lambda pair: pair[0])]


def list_contest_prizes(contest: Contest) -> QuerySet[Prize]:
    """Return the prizes of a contest in the order in which they are announced."""
    return contest.prize_list.select_related("stop", "event_class").order_by("position", "pk")


def count_prize_places(contest: Contest) -> int:
    """Return how many places matter in ties: up to the last one with a prize, and always the first."""
    places = contest.prize_list.filter(rule=Prize.Rule.PLACE, event_class=None).values_list("place", flat=True)
    return max((place or 1 for place in places), default=1)


def count_class_places(contest: Contest) -> Mapping[UUID, int]:
    """Return up to which place of each class ties matter: up to the last one with a prize; none without prizes."""
    found: dict[UUID, int] = {}
    prizes = contest.prize_list.filter(rule=Prize.Rule.PLACE, event_class__isnull=False)
    for class_id, place in prizes.values_list("event_class_id", "place"):
        assert class_id is not None, "left out by the filter"
        found[class_id] = max(found.get(class_id, 0), place or 1)
    return found


def explain_class_prizes(event_class: EventClass) -> str:
    """Return which prizes are for a class, and how to go on; "" if none are."""
    prizes = list(event_class.prizes.select_related("stop").order_by("position", "pk"))
    if not prizes:
        return ""
    text = ngettext(
        "“%(class)s” has a prize: %(prizes)s. Delete it under “Prizes”, or give it to everyone or another class. "
        "Then delete the class.",
        "“%(class)s” has prizes: %(prizes)s. Delete them under “Prizes”, or give them to everyone or another class. "
        "Then delete the class.",
        len(prizes),
    )
    names = get_text_list([_("“%(prize)s”") % {"prize": prize} for prize in prizes], _("and"))
    return text % {"class": event_class.name, "prizes": names}


def compute_list_digest(contest: Contest) -> str:
    """Return a digest of what can be won in a contest; "" if nothing can. The order of announcing is not part of it."""
    prizes = [
        [
            *(str(prize.pk), prize.name, prize.sponsor, _format_id(prize.logo_id)),
            *(prize.rule, prize.place, _format_id(prize.stop_id), prize.best_of),
            *_list_later_terms(prize),
            *([] if prize.event_class_id is None else [{"class": str(prize.event_class_id)}]),
        ]
        for prize in contest.prize_list.order_by("pk")
    ]
    return sha256(canonical_json(prizes)) if prizes else ""


def _list_later_terms(prize: Prize) -> list[dict[str, Any]]:
    """Return what later versions added to a prize, if it has any of it: the digest of other prizes stays as it was."""
    terms = {name: getattr(prize, name) for name in ("ties", "face", "number_from", "number_to", "number_drawn")}
    is_plain = terms.pop("ties") == Prize.Ties.DECIDE and set(terms.values()) == {None}
    return [] if is_plain else [{"ties": prize.ties, **terms}]


def _format_id(value: UUID | None) -> str | None:
    return None if value is None else str(value)


def list_prize_terms(contest: Contest, prizes: Iterable[Prize]) -> list[PrizeTerms]:
    """Return what the rules have to know of prizes of a contest, in a fixed number of statements."""
    prizes = list(prizes)
    ordinals: dict[UUID, list[int]] = {}
    if any(prize.stop_id for prize in prizes):
        for stop_id, ordinal in Slot.objects.filter(contest=contest).values_list("stop_id", "ordinal"):
            ordinals.setdefault(stop_id, []).append(ordinal)
    members = _list_group_members(contest) if any(RULES[prize.rule].is_for_groups for prize in prizes) else {}
    has_classes = any(prize.event_class_id is not None for prize in prizes)
    class_members = list_class_members(contest) if has_classes else {}
    return [
        PrizeTerms(
            prize.pk,
            prize.name,
            prize.sponsor,
            prize.rule,
            _make_terms(prize, ordinals),
            prize.logo_id,
            members if RULES[prize.rule].is_for_groups else {},
            None
            if prize.event_class is None
            else PrizeClass(prize.event_class.pk, prize.event_class.name, class_members.get(prize.event_class.pk, ())),
        )
        for prize in prizes
    ]


def _make_terms(prize: Prize, ordinals: Mapping[UUID, Sequence[int]]) -> AwardTerms:
    # A stop without turns of the contest has no best roll, which is not the same as the best of the whole ride.
    at_stop = () if prize.stop_id is None else tuple(sorted(ordinals.get(prize.stop_id, [0])))
    return AwardTerms(
        prize.place,
        "" if prize.stop is None else prize.stop.name,
        at_stop,
        prize.best_of,
        prize.ties,
        prize.face,
        prize.number_from,
        prize.number_to,
        prize.number_drawn,
    )


def _list_group_members(contest: Contest) -> Mapping[UUID, Sequence[UUID]]:
    """Return the bikes or players of each group, in the order of ids that a stored award has them in."""
    members = list_entrants_by_group(contest)
    return {group_id: members[group_id] for group_id in sorted(members)}
