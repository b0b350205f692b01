"""Verification of an event's whole log, and of all data derived from it.

event_source.py       rows as the lines of a bundle, for the checks that both share (`games.core.verification`)
fault_report.py       what these find, with the table, the row and the columns

What only the database has:

raw_value_checks.py   every value of every table as it is stored: types, ranges, choices
reference_checks.py   that what rows refer to is there, and belongs to the same event
checksum_checks.py    the checksums of what decides or shows something and does not follow from the log
row_checks.py         which event and scorecard chains and seats are kept for, what further sheets share with their
                      bike, and why entries went to review
check_in_checks.py    what is ticked for each bike on the check-in list
agreement_checks.py   which cards were agreed to
freeze_checks.py      what the audience sees while the standings are frozen
standings_checks.py   the rows of the standings
revision_checks.py    awards and groups of revisions, and all that older revisions show

The kinds of card compare the rows of turns, and the snapshots stored with the log (`scorecards.card_checks`).

A check that fails on the data it reads is itself a sign of damage: it is reported, and the other checks continue.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NamedTuple

from games.core.verification import Verification
from scorekeeper.common.game_adapter import list_games
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import Entry, ReviewItem, derive_review_chain_id
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.log_damage import LogDamage
from scorekeeper.standings.selectors.verification.agreement_checks import check_agreements
from scorekeeper.standings.selectors.verification.check_in_checks import check_bike_checks
from scorekeeper.standings.selectors.verification.checksum_checks import list_wrong_checksums
from scorekeeper.standings.selectors.verification.event_source import EventSource
from scorekeeper.standings.selectors.verification.fault_report import report_faults
from scorekeeper.standings.selectors.verification.freeze_checks import check_freeze
from scorekeeper.standings.selectors.verification.raw_value_checks import list_invalid_values
from scorekeeper.standings.selectors.verification.reference_checks import list_broken_references
from scorekeeper.standings.selectors.verification.revision_checks import check_revisions
from scorekeeper.standings.selectors.verification.row_checks import (
    check_card_rows,
    check_chain_rows,
    check_first_problems,
    check_sheet_rows,
)
from scorekeeper.standings.selectors.verification.standings_checks import check_standings

__all__ = ["LogDamage", "count_unwitnessed", "list_damage", "list_database_damage"]

EVENT_CHECKS = (
    *(check_chain_rows, check_card_rows, check_sheet_rows, check_first_problems),
    *(check_bike_checks, check_agreements, check_freeze),
)


def list_database_damage() -> Iterator[LogDamage]:
    """Return all damage that can be found without knowing the event of a row, in all tables of ours."""
    for check in (list_invalid_values, list_broken_references, list_wrong_checksums):
        yield from _guard("The database", check())


def list_damage(event: Event) -> Iterator[LogDamage]:
    """Return all damage in the event's log and in the data derived from it."""
    verification = Verification(EventSource(event), list_games(), any_version=True)
    yield from report_faults(event, verification.list_faults())
    for check in EVENT_CHECKS:
        yield from _guard(repr(event), check(event))
    for contest in event.contests.all():
        yield from _guard(repr(contest), _check_cards(contest))
        yield from _guard(repr(contest), check_standings(contest, verification))
        yield from _guard(repr(contest), check_revisions(contest, verification))


def _check_cards(contest: Contest) -> Iterator[LogDamage]:
    """Let the kind of the scorecards compare them. Only here, since a damaged contest has no kind."""
    yield from get_kind(contest.game).check_cards(contest)


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


def _guard(location: str, damage: Iterator[LogDamage]) -> Iterator[LogDamage]:
    try:
        yield from damage
    except Exception as error:  # noqa: BLE001 - data that raises any error was not written by us
        yield LogDamage(location, f"it cannot be checked any further ({type(error).__name__}: {error})")
