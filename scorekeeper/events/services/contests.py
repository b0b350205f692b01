"""Creating, changing and deleting contests.

Invariants:
- Once a contest is frozen (it has its first entry, or was closed), its game, options and seats never change.
- `Contest.prizes` is not set here: it follows from the prizes of the event (`scorekeeper.prizes`).
- The option that is derived from the slots is never written here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Max, ProtectedError
from django.utils.text import slugify

from games.core.game import Game
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.events import EventArchived, lock_event

# Other pages of an event have these words where a contest has its slug, such as /contests/new/ and /screen.
RESERVED_SLUGS = frozenset({"new", "prize-logos", "route", "screen", "screen-stream", "sign-up", "stream"})


class ContestFrozen(Exception):
    """The contest has entries, so what they were recorded for can no longer change."""


def make_contest_slug(event: Event, name: str) -> str:
    """Return a slug that neither another contest nor another page of the event uses."""
    readable = slugify(name)[:70].strip("-") or "contest"
    taken = RESERVED_SLUGS.union(event.contests.values_list("slug", flat=True))
    slug, number = readable, 2
    while slug in taken:
        slug, number = f"{readable}-{number}", number + 1
    return slug


@transaction.atomic
def create_contest(event: Event, game: Game[Any], *, name: str, seats_are: str, options: Mapping[str, Any]) -> Contest:
    """Return a new contest, the last in order.

    Args:
        event: the event at which it is played.
        game: the game that is played.
        name: its name on the leaderboards.
        seats_are: whether bikes or players play, as `Contest.SeatsAre`.
        options: the options that differ from the rule book, as JSON.

    Raises:
        Malformed: the rule book does not allow the options.
        EventArchived: the event is in the archive, where no contest is open.
    """
    game.ruleset(dict(options))
    if lock_event(event).archived_at is not None:  # also so that the slug and the ordinal are still free
        raise EventArchived(event.pk)
    last = event.contests.aggregate(last=Max("ordinal"))["last"] or 0
    return Contest.objects.create(
        event=event,
        name=name,
        slug=make_contest_slug(event, name),
        ordinal=last + 1,
        game_key=game.key,
        rules_version=game.version,
        options=dict(options),
        seats_are=seats_are,
    )


def rename_contest(contest: Contest, *, name: str) -> None:
    """Change the name. The slug stays, because people have shared its URL."""
    contest.name = name
    contest.save(update_fields=["name"])


@transaction.atomic
def update_contest(contest: Contest, *, name: str, seats_are: str, options: Mapping[str, Any]) -> None:
    """Change a contest that has no entries yet.

    Raises:
        ContestFrozen: it has an entry, perhaps a very recent one.
        Malformed: the rule book does not allow the options.
    """
    current = lock_unfrozen_contest(contest)
    current.name, current.seats_are = name, seats_are
    current.options = {**options, **current.options_from_slots}
    current.game.ruleset(current.options)
    current.save(update_fields=["name", "seats_are", "options"])


@transaction.atomic
def delete_contest(contest: Contest) -> None:
    """Delete a contest that was never played.

    Raises:
        ContestFrozen: it has been played or closed.
    """
    try:
        lock_unfrozen_contest(contest).delete()
    except ProtectedError as error:
        raise ContestFrozen from error


def lock_unfrozen_contest(contest: Contest) -> Contest:
    """Return the contest's current state, locked until the end of the transaction.

    Raises:
        ContestFrozen: it has entries, or was closed.
    """
    current = Contest.objects.select_for_update(no_key=True).get(pk=contest.pk)
    if current.frozen_at is not None:
        raise ContestFrozen
    return current
