"""What the overview counts: turns by group and stop, entries to decide, bikes that did not start, lost phones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.bikes.selectors import list_sheets
from scorekeeper.crew.models import MemoryLoss
from scorekeeper.crew.selectors import list_groups, list_losses
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.models import Entry, ReviewItem, UncheckedPeople
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.non_starters import is_non_starter, list_non_starters
from scorekeeper.stops.models import Slot

_MISSED = Q(how=Turn.How.MISSED)


@dataclass(frozen=True, slots=True)
class TurnProgress:
    """How far the turns of some bikes have come.

    Attributes:
        recorded_count: how many were rolled.
        missed_count: how many are recorded as missed.
        expected_count: how many there are to be, rolled or missed.
    """

    recorded_count: int
    missed_count: int
    expected_count: int

    @property
    def is_complete(self) -> bool:
        """Whether nothing is missing."""
        return self.recorded_count + self.missed_count >= self.expected_count

    def __str__(self) -> str:
        """Return the count in words: "1 of 5, 4 missed"."""
        text = _("%(recorded)s of %(expected)s") % {"recorded": self.recorded_count, "expected": self.expected_count}
        if not self.missed_count:
            return text
        with_missed = ngettext("%(progress)s, %(missed)s missed", "%(progress)s, %(missed)s missed", self.missed_count)
        return with_missed % {"progress": text, "missed": self.missed_count}


@dataclass(frozen=True, slots=True)
class ContestProgress:
    """The progress of a contest: a row for each group, with a figure for each stop."""

    contest: Contest
    stops: tuple[str, ...]
    groups: tuple[tuple[str, tuple[TurnProgress, ...]], ...]


def get_contest_progress(contest: Contest) -> ContestProgress:
    """Return how many bikes have rolled at each stop, in a fixed number of statements."""
    slots = list(Slot.objects.filter(contest=contest).select_related("stop").order_by("ordinal"))
    stops = {slot.stop_id: slot.stop.name for slot in slots}
    turns_at = Counter(slot.stop_id for slot in slots)
    starters = list_sheets(contest).filter(~is_non_starter())
    bikes: Counter[UUID | None] = Counter(starters.values_list("group_id", flat=True))
    counted = (
        Turn.objects.filter(card__contest=contest, card__seats__bike__merged_into=None)
        .values_list("card__seats__bike__group_id", "slot__stop_id")
        .order_by()
        .annotate(recorded=Count("pk", filter=~_MISSED), missed=Count("pk", filter=_MISSED))
    )
    counts: dict[tuple[UUID | None, UUID], tuple[int, int]] = {
        (group, stop): (recorded, missed) for group, stop, recorded, missed in counted
    }
    names: dict[UUID | None, str] = {group.pk: group.name for group in list_groups(contest.event)}
    if bikes[None]:
        names[None] = _("No group yet")
    groups = [
        (
            name,
            tuple(TurnProgress(*counts.get((group, stop), (0, 0)), bikes[group] * turns_at[stop]) for stop in stops),
        )
        for group, name in names.items()
        if bikes[group]
    ]
    return ContestProgress(contest, tuple(stops.values()), tuple(groups))


def count_in_review(event: Event) -> int:
    """Return how many entries of the event need a decision, with the walk-ups whose names nobody has checked."""
    unchecked = UncheckedPeople.objects.filter(operation__event=event, is_left_out=False).count()
    return ReviewItem.objects.filter(contest__event=event, settled_at=None).count() + unchecked


def count_conflicts(event: Event) -> int:
    """Return how many of them differ from another entry of the same turn."""
    conflict = ReviewItem.Reason.CONFLICT
    return ReviewItem.objects.filter(contest__event=event, settled_at=None, reason=conflict).count()


def count_non_starters(event: Event) -> int:
    """Return how many bikes did not start."""
    return len(list_non_starters(event))


@dataclass(frozen=True, slots=True)
class LostPhone:
    """A lost memory, with what the log knows of its phone.

    Attributes:
        loss: the loss, with its device, member and group.
        last_entry: the last entry that arrived from the phone before, with its stop; None if none did.
        confirmed_by: the name of the organiser who confirmed it; "" if nobody did, or if it was erased.
    """

    loss: MemoryLoss
    last_entry: Entry | None
    confirmed_by: str


def list_lost_phones(event: Event) -> tuple[list[LostPhone], list[LostPhone]]:
    """Return the lost phones that wait for an organiser, and those that one has confirmed, the newest first."""
    losses = list(list_losses(event))
    names: Mapping[UUID, str] = {}
    if losses:
        names = list_actor_names(event, [loss.confirmed_by for loss in losses if loss.confirmed_by is not None])
    phones = [
        LostPhone(loss, _find_last_entry(loss), names.get(loss.confirmed_by, "") if loss.confirmed_by else "")
        for loss in losses
    ]
    return (
        [phone for phone in phones if phone.loss.confirmed_at is None],
        [phone for phone in phones if phone.loss.confirmed_at is not None],
    )


def _find_last_entry(loss: MemoryLoss) -> Entry | None:
    entries = Entry.objects.filter(operation__device_id=loss.device_id, at__lte=loss.found_at)
    return entries.select_related("slot__stop").order_by("at", "pk").last()
