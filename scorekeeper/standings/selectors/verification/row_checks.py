"""Checks of rows that only the database has, or only there can differ: which event and scorecard they are kept for."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, Q

from scorekeeper.bikes.models import Bike, FurtherSheet
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Chain, ReviewItem
from scorekeeper.scorecards.log_damage import LogDamage, damage_in
from scorekeeper.scorecards.models import Scorecard, Seat
from scorekeeper.scorecards.services.moves import SAME_BIKE
from scorekeeper.scorecards.services.outcomes import CONTEST_CLOSED, NEWER_ENTRY, PHONE_ENDED, SLOT_TAKEN
from scorekeeper.standings.selectors.verification.event_source import list_own_kinds

# The possible codes of an item's first problem, by its reason; problems found by the rules are not among them.
# Older logs have moves within one bike as stale.
FIRST_PROBLEMS: dict[str, set[str]] = {
    ReviewItem.Reason.CONFLICT: {SLOT_TAKEN["code"]},
    ReviewItem.Reason.STALE: {NEWER_ENTRY["code"], SAME_BIKE["code"]},
    ReviewItem.Reason.SAME_BIKE: {SAME_BIKE["code"]},
    ReviewItem.Reason.LATE: {CONTEST_CLOSED["code"]},
    ReviewItem.Reason.REVOKED: {PHONE_ENDED["code"]},
}
NOT_BY_RULES = frozenset[str]().union(*FIRST_PROBLEMS.values())


def check_chain_rows(event: Event) -> Iterator[LogDamage]:
    """Check that chains are those of the event, and that only scorecards have snapshots."""
    own = list_own_kinds(event)
    chains = Chain.objects.filter(Q(pk__in=own) | Q(card__contest__event=event)).exclude(event=event)
    for pk in chains.order_by("pk").values_list("pk", flat=True):
        yield damage_in(Chain, pk, f"Chain {pk}", "it does not match the log: event", "event")
    for pk in Chain.objects.filter(event=event, card=None).exclude(snapshot="").values_list("pk", flat=True):
        yield damage_in(Chain, pk, f"Chain {pk}", "only a scorecard has a snapshot", "snapshot")


def check_card_rows(event: Event) -> Iterator[LogDamage]:
    """Check that every scorecard has the id of its chain, and every seat the contest of its scorecard."""
    cards = Scorecard.objects.filter(contest__event=event).exclude(chain_id=F("pk"))
    for pk in cards.order_by("pk").values_list("pk", flat=True):
        yield damage_in(Scorecard, pk, f"Card {pk}", "it does not match the log: chain", "chain")
    seats = Seat.objects.filter(Q(contest__event=event) | Q(card__contest__event=event))
    for pk, card in seats.exclude(contest=F("card__contest")).order_by("pk").values_list("pk", "card_id"):
        yield damage_in(Seat, pk, f"Card {card}", "it has a seat in a different contest", "contest_id")


def check_sheet_rows(event: Event) -> Iterator[LogDamage]:
    """Check that every further sheet has what it has in common with its bike, and nothing else; and bikes no sheet."""
    is_bike = Q(sheet_of=None, sheet_contest=None, sheet=1)
    is_sheet = Q(sheet_of__isnull=False, sheet_contest__isnull=False, sheet__gt=1, merged_into=None)
    odd = Bike.entrants.filter(event=event).exclude(is_bike | is_sheet).order_by("pk")
    for pk in odd.values_list("pk", flat=True):
        yield damage_in(Bike, pk, f"Bike {pk}", "it is neither a bike nor a further sheet of one", "sheet")
    for column in ("event", "number", "suffix", "group", "did_not_start"):
        differs = ~Q(**{column: F(f"sheet_of__{column}")})
        if column == "group":
            differs = (differs & Q(group__isnull=False)) | Q(group=None, sheet_of__group__isnull=False)
        for pk in FurtherSheet.objects.filter(differs, event=event).order_by("pk").values_list("pk", flat=True):
            yield damage_in(FurtherSheet, pk, f"Sheet {pk}", f"it does not match its bike: {column}", column)
    unused = Q(is_walk_up=False, make="", model="", merged_into=None)
    for pk in FurtherSheet.objects.filter(event=event).exclude(unused).order_by("pk").values_list("pk", flat=True):
        yield damage_in(FurtherSheet, pk, f"Sheet {pk}", "only a bike has a make, a model or another bike", "make")


def check_first_problems(event: Event) -> Iterator[LogDamage]:
    """Check that the first problem of every review item is one of its reason."""
    items = ReviewItem.objects.filter(Q(operation__event=event) | Q(contest__event=event)).order_by("opened_at", "pk")
    for pk, reason, problems in items.values_list("pk", "reason", "problems").iterator():
        code, expected = problems[0]["code"] if problems else None, FIRST_PROBLEMS.get(reason)
        if (code in NOT_BY_RULES) if expected is None else (code not in expected):
            text = "it does not match the log: first problem"
            yield damage_in(ReviewItem, pk, f"Review item {pk}", text, "first problem")
