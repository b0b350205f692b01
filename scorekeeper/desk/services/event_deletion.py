"""Deletes an event with everything that belongs to it: its log, and every row of every table that leads to it.

What is left is a `DeletedEvent` with the last hashes of its chains, and a `FormerDevice` for each of its phones and
links.

Derived: the tables are found by their foreign keys, so an app that adds a table has nothing to do here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, models, transaction

from scorekeeper.common.bulk_insert import BulkInsert, insert_rows
from scorekeeper.common.pubsub import publish_change
from scorekeeper.crew.models import CrewMember, Device, FormerDevice, Invitation
from scorekeeper.events.models import DeletedEvent, Event
from scorekeeper.ledger.append_only import ENTRY_GUARD, OPERATION_GUARD
from scorekeeper.standings.append_only import REVISION_GUARD
from scorekeeper.standings.event_log_removal import remove_event_log

_LOG_TABLES = {guard.table for guard in (ENTRY_GUARD, OPERATION_GUARD, REVISION_GUARD)}


@transaction.atomic
def delete_event(event: Event) -> DeletedEvent:
    """Delete an event of which no contest was ever official, and its practice events. Return what is left.

    Raises:
        EventHasResults: a contest has an official revision.
    """
    return _delete(event, even_with_results=False)


@transaction.atomic
def purge_event(event: Event) -> DeletedEvent:
    """Delete an event even if it has official results. Return what is left.

    Raises:
        ProgrammingError: on PostgreSQL, another role owns the tables.
    """
    return _delete(event, even_with_results=True)


def _delete(event: Event, *, even_with_results: bool) -> DeletedEvent:
    # Nobody records anything from here on, so the phones are all there are.
    left = remove_event_log(event, even_with_results=even_with_results)
    for practice in Event.objects.filter(practice_of=event):
        _delete(practice, even_with_results=even_with_results)
    CrewMember.objects.filter(mirrors__group__event=event).update(mirrors=None)
    phones, links = (
        model.objects.filter(member__group__event=event).values_list("token_digest", flat=True)
        for model in (Device, Invitation)
    )
    digests = [*phones, *links]
    insert_rows(BulkInsert([FormerDevice(token_digest=digest, event=left) for digest in digests]))
    for subject in (event.pk, *event.contests.values_list("pk", flat=True)):
        publish_change(subject)
    for model, path in _list_tables():
        # Without reading them and what refers to them: every such table is in the list, before this one. Django's
        # `delete` refuses an event with merged bikes, since they refer to each other.
        model._base_manager.filter(**{path: event.pk})._raw_delete(DEFAULT_DB_ALIAS)  # noqa: SLF001
    return left


@cache
def _list_tables() -> list[tuple[type[models.Model], str]]:
    """Return every table that leads to an event, with the lookup of its event, such that no row loses its parent."""
    lookups = _find_lookups()
    parents = {
        model: {target for _name, target in _list_keys(model) if target in lookups and target is not model}
        for model in lookups
    }
    order = reversed(list(TopologicalSorter(parents).static_order()))
    tables = [model for model in order if not model._meta.proxy]  # noqa: SLF001
    return [(model, lookups[model]) for model in tables if model._meta.db_table not in _LOG_TABLES]  # noqa: SLF001


def _find_lookups() -> Mapping[type[models.Model], str]:
    """Return the lookup that leads from each model to the event, by the fewest steps."""
    lookups: dict[type[models.Model], str] = {Event: "pk"}
    level: list[type[models.Model]] = [Event]
    while level:
        found = {
            model: f"{name}__{lookups[target]}".removesuffix("__pk")
            for model in apps.get_models(include_auto_created=True)
            for name, target in reversed(_list_keys(model))
            if model not in lookups and target in level
        }
        lookups |= found
        level = list(found)
    return lookups


def _list_keys(model: type[models.Model]) -> list[tuple[str, type[models.Model]]]:
    """Return the foreign keys that a row cannot lose, those that it cannot be without first."""
    return [(name, target) for _null, name, target in sorted(_iterate_keys(model), key=lambda key: key[:2])]


def _iterate_keys(model: type[models.Model]) -> Iterator[tuple[bool, str, type[models.Model]]]:
    for field in model._meta.concrete_fields:  # noqa: SLF001 - Django's documented way to a model's fields
        if isinstance(field, models.ForeignKey) and field.remote_field.on_delete is not models.SET_NULL:
            yield field.null, field.name, field.related_model
