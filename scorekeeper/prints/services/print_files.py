"""Files that were made, kept for a while so that the same document is not laid out again."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from scorekeeper.events.models import Event
from scorekeeper.prints.file_draft import FileDraft
from scorekeeper.prints.models import PrintFile

MAX_BYTES = 24 * 1024 * 1024  # of one file
MAX_FILES = 60  # of one event
LIFETIME = dt.timedelta(days=1)


class PrintTooLarge(Exception):
    """The file would be larger than is kept."""


def find_file(draft: FileDraft) -> PrintFile | None:
    """Return the file that shows the same, if it was made before."""
    return PrintFile.objects.filter(event=draft.event, digest=draft.digest).first()


def make_file(draft: FileDraft) -> PrintFile:
    """Make a file and keep it, or return the one that shows the same.

    Raises:
        PrintTooLarge: the file is too large.
        PrintFailed, PrintBusy: as in `compile_pdf`.
        NothingToPrint: as in `BundleDraft.make`.
    """
    found = find_file(draft)
    if found is not None:
        return found
    event, now = draft.event, timezone.now()
    name, content = draft.make(now)
    if len(content) > MAX_BYTES:
        raise PrintTooLarge(len(content))
    delete_old_files()
    _limit_number(event)
    file = PrintFile(event=event, digest=draft.digest, name=name, content=content, made_at=now)
    # If the same document was made twice at once, the first is the file.
    PrintFile.objects.bulk_create([file], ignore_conflicts=True)
    return find_file(draft) or file


def delete_files(event: Event) -> None:
    """Delete all files of an event."""
    PrintFile.objects.filter(event=event).delete()


def delete_old_files() -> None:
    """Delete the files of all events that are older than `LIFETIME`."""
    PrintFile.objects.filter(made_at__lt=timezone.now() - LIFETIME).delete()


def _limit_number(event: Event) -> None:
    extra = PrintFile.objects.filter(event=event).order_by("-made_at").values_list("pk", flat=True)[MAX_FILES - 1 :]
    PrintFile.objects.filter(pk__in=list(extra)).delete()
