"""Verification of an event's whole log, and of all data derived from it.

raw_value_checks.py    every value of every table as it is stored: types, ranges, choices
reference_checks.py    that what rows refer to is there, and belongs to the same event
checksum_checks.py         the checksums of what decides or shows something and does not follow from the log
freeze_checks.py       what the audience sees while the standings are frozen
event_log.py           each entry's hash, its link to the previous entry, its columns; the lengths and heads of chains
operation_checks.py    who sent what and when, its outcome, the receipts and the reasons
review_item_checks.py  entries under review, and decisions
bike_checks.py         which bikes there are, which were registered at the ride, merged or did not start, their numbers
check_in_checks.py     what is ticked for each bike on the check-in list
agreement_checks.py    which cards were agreed to
event_checks.py        whether it is a practice event
contest_checks.py      the status of contests, their prizes, how groups are compared, and their rules
card_checks.py         cards, their seats and flags, their turns, the snapshots stored with the log
standings_checks.py    the rows of the standings
revision_checks.py     official revisions: that none is missing, when and by whom they were published, figures, awards

A check that fails on the data it reads is itself a sign of damage: it is reported, and the other checks continue.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import Entry, ReviewItem, derive_review_chain_id
from scorekeeper.scorecards.log_damage import LogDamage
from scorekeeper.standings.selectors.verification.agreement_checks import check_agreements
from scorekeeper.standings.selectors.verification.bike_checks import check_bikes
from scorekeeper.standings.selectors.verification.card_checks import check_cards
from scorekeeper.standings.selectors.verification.check_in_checks import check_bike_checks
from scorekeeper.standings.selectors.verification.checksum_checks import list_wrong_checksums
from scorekeeper.standings.selectors.verification.contest_checks import (
    check_groups,
    check_odds,
    check_prizes,
    check_rules,
    check_status,
)
from scorekeeper.standings.selectors.verification.event_checks import check_identity
from scorekeeper.standings.selectors.verification.event_log import EventLog, check_chains
from scorekeeper.standings.selectors.verification.freeze_checks import check_freeze
from scorekeeper.standings.selectors.verification.operation_checks import check_operations
from scorekeeper.standings.selectors.verification.raw_value_checks import list_invalid_values
from scorekeeper.standings.selectors.verification.reference_checks import list_broken_references
from scorekeeper.standings.selectors.verification.review_item_checks import check_review_items
from scorekeeper.standings.selectors.verification.revision_checks import check_revisions
from scorekeeper.standings.selectors.verification.standings_checks import check_standings

__all__ = ["LogDamage", "count_unwitnessed", "list_damage", "list_database_damage"]

T = TypeVar("T", Event, Contest)


def list_database_damage() -> Iterator[LogDamage]:
    """Return all damage that can be found without knowing the event of a row, in all tables of ours."""
    for check in (list_invalid_values, list_broken_references, list_wrong_checksums):
        try:
            yield from check()
        except Exception as error:  # noqa: BLE001 - data that raises any error was not written by us
            yield LogDamage("The database", f"it cannot be checked any further ({type(error).__name__}: {error})")


def list_damage(event: Event) -> Iterator[LogDamage]:
    """Return all damage in the event's log and in the data derived from it."""
    log = yield from check_chains(event)
    for check_event in (
        *(check_identity, check_operations, check_review_items, check_bikes, check_bike_checks),
        *(check_agreements, check_freeze),
    ):
        yield from _run_check(check_event, event, log)
    for contest in event.contests.all():
        for check_contest in (
            *(check_status, check_prizes, check_groups, check_odds, check_rules),
            *(check_cards, check_standings, check_revisions),
        ):
            yield from _run_check(check_contest, contest, log)


class UnwitnessedCount(NamedTuple):
    """How much of an event was recorded by versions that did not yet store in the log what was sent."""

    entries: int
    reviews: int


def count_unwitnessed(event: Event) -> UnwitnessedCount:
    """Return how many entries lack the digest of what was sent, and how many review items appear in no chain."""
    entries = Entry.objects.filter(chain__event=event).exclude(body__contains='"sent":"')
    items = ReviewItem.objects.filter(operation__event=event).exclude(operation__entries__kind="review")
    # What was merged goes to review by another operation, whose entry names it.
    bodies = Entry.objects.filter(chain_id=derive_review_chain_id(event.pk)).values_list("body", flat=True)
    named = {json.loads(body)["data"].get("operation") for body in bodies} if items else set()
    unnamed = [pk for pk in items.values_list("operation_id", flat=True) if str(pk) not in named]
    return UnwitnessedCount(entries.count(), len(unnamed))


def _run_check(check: Callable[[T, EventLog], Iterator[LogDamage]], subject: T, log: EventLog) -> Iterator[LogDamage]:
    try:
        yield from check(subject, log)
    except Exception as error:  # noqa: BLE001 - data that raises any error was not written by us
        yield LogDamage(repr(subject), f"it cannot be checked any further ({type(error).__name__}: {error})")
