"""Importing a bundle: the same event, with the same ids and hashes, in this installation.

- The file is checked first, and everything happens in one transaction. If anything is wrong, nothing is imported.
- Rows are only ever inserted, so the guards of the log stay in force, and no row of another event can change. Every id
  that a line refers to is in the bundle.
- What follows from the log is folded again. Then the whole log is verified as `manage.py verify` does, and the bundle
  is written again: it has to be the same, byte for byte.
- Phones, sessions, accounts and links do not come along. Who imports says who organises the event here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import BinaryIO

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, transaction

from games.core.bundle.layout import BundleWriter
from games.core.bundle.naming import Names
from games.core.bundle.reading import Bundle, Finding, read_bundle
from games.core.bundle.report import BundleReport, check_read_bundle
from games.core.problems import Malformed
from games.core.verification.entries import READ_ERRORS
from scorekeeper.bundles.bundle_lines import write_lines
from scorekeeper.bundles.imported_rows import UnfitLine, insert_event
from scorekeeper.bundles.roster_names import Roster
from scorekeeper.common.game_adapter import list_games
from scorekeeper.events.models import DeletedEvent, Event
from scorekeeper.events.services.contests import rename_reserved_slugs
from scorekeeper.events.services.events import add_organiser, is_reserved_slug, make_event_slug
from scorekeeper.scorecards.log_damage import LogDamage
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.refresh import refresh_standings


class EventExists(Exception):
    """The event is in this installation already."""

    def __init__(self, event: Event) -> None:
        super().__init__(event)
        self.event = event


class EventWasDeleted(Exception):
    """The event was deleted in this installation."""

    def __init__(self, event: DeletedEvent) -> None:
        super().__init__(event)
        self.event = event


class AddressTaken(Exception):
    """Another event has the address; the exception's argument."""


class FaultyBundle(Exception):
    """The bundle cannot be imported. `sentences` say why."""

    def __init__(self, sentences: Iterable[str]) -> None:
        self.sentences = list(sentences)
        super().__init__(self.sentences)


def import_bundle(file: BinaryIO, user: User, address: str | None = None) -> tuple[Event, BundleReport]:
    """Import a bundle. Returns the event, and the report about the file.

    Args:
        file: it is read twice.
        user: who organises the event here.
        address: the event's address here; None for the one in the bundle.

    Raises:
        UnreadableBundle: it is no bundle, or one of a newer version.
        FaultyBundle: it was altered, does not fit together, or cannot be imported here.
        EventExists, EventWasDeleted, AddressTaken: there is such an event here, or there was.
    """
    bundle = read_bundle(file)
    report = check_read_bundle(bundle, list_games())
    if not report.is_in_order:
        raise FaultyBundle(str(finding) for finding in report.findings)
    if unscored := [text for text in report.not_checked if text.startswith("the scorecards")]:
        raise FaultyBundle(f"This version cannot score {text}" for text in unscored)
    _check_free(bundle, address)
    try:
        with transaction.atomic():
            event = _import(file, bundle, user, address)
    except UnfitLine as error:
        raise FaultyBundle([str(error.finding)]) from error
    except (DatabaseError, OverflowError) as error:  # the second is SQLite's, of a number that is too large
        raise FaultyBundle([f"The database refuses it: {error}"]) from error
    except (*READ_ERRORS, Malformed, ValidationError) as error:
        raise FaultyBundle([f"It cannot be imported ({type(error).__name__}: {error})"]) from error
    return event, report


def _check_free(bundle: Bundle, address: str | None) -> None:
    existing = Event.objects.filter(pk=bundle.event["id"]).first()
    if existing is not None:
        raise EventExists(existing)
    deleted = DeletedEvent.objects.filter(pk=bundle.event["id"]).first()
    if deleted is not None:
        raise EventWasDeleted(deleted)
    slug = address or bundle.event["slug"]
    if Event.objects.filter(slug=slug).exists() or DeletedEvent.objects.filter(slug=slug).exists():
        raise AddressTaken(slug)


def _import(file: BinaryIO, bundle: Bundle, user: User, address: str | None) -> Event:
    event = insert_event(bundle, address)
    connection.check_constraints()  # all foreign keys, before anything is folded
    add_organiser(event, user)  # whom the operator named, and who has not been asked
    for contest in event.contests.all():
        refresh_standings(contest.pk)
    if damage := list(list_damage(event)):
        raise FaultyBundle(_describe_damage(damage, bundle))
    if differing := _find_difference(file, bundle, event):
        raise FaultyBundle([str(differing)])
    _rename_reserved(event)
    return event


def _rename_reserved(event: Event) -> None:
    """Give the event and its contests other addresses where another page has theirs. No hash covers an address."""
    if is_reserved_slug(event.slug):
        event.slug = make_event_slug(event.name)
        event.save(update_fields=["slug"])
    rename_reserved_slugs(event)


def _describe_damage(damage: Iterable[LogDamage], bundle: Bundle) -> Iterator[str]:
    names = Names(bundle)
    for found in damage:
        *_words, last = found.location.split(",")[0].split()
        known = names.get(last)
        about = "" if known == last else f" ({known})"
        yield f"{found.location}{about}: {found.description}"


def _find_difference(file: BinaryIO, bundle: Bundle, event: Event) -> Finding | None:
    """Return the first line that would be written otherwise by this installation."""
    file.seek(0)
    roster: Roster = "full" if bundle.header["roster"] == "full" else "public"
    lines = write_lines(BundleWriter(), event, roster, bundle.event["slug"])
    for number, (given, own) in enumerate(zip_longest(file, lines), 1):
        if given != own:
            section = next((name for name, rows in bundle.rows.items() if any(row.line == number for row in rows)), "")
            return Finding(number, f"section {section}", "an event that is restored from it would be written otherwise")
    return None
