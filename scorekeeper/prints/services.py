"""Making files to print, the jobs that take longer than a page may, and the settings of certificates.

A file is found by what it shows. So a job can be done again at any time, even by two workers at once. A message that
was lost, or a worker that died, costs time only: the sweeper asks for the task again as soon as its worker is gone,
and so does the page that waits.
"""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import UUID

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from scorekeeper.bundles.roster_names import Roster
from scorekeeper.common.dispatch import after_commit
from scorekeeper.common.task_runs import take_up_task
from scorekeeper.events.models import Event
from scorekeeper.prints.bundle_builder import FileBuilder
from scorekeeper.prints.models import CertificateSettings, PrintFile, PrintJob
from scorekeeper.prints.paper import Paper, get_usual_paper
from scorekeeper.prints.pdf_compiler import PrintBusy, PrintFailed
from scorekeeper.prints.print_kinds import BUNDLE_KINDS, PrintKind, find_job_kind
from scorekeeper.prints.print_source import NothingToPrint, PrintSource
from scorekeeper.prizes.models import PrizeLogo
from scorekeeper.prizes.services import add_logo

MAX_BYTES = 24 * 1024 * 1024  # of one file
MAX_FILES = 60  # of one event
LIFETIME = dt.timedelta(days=1)
MAX_ATTEMPTS = 3
MAX_QUEUED = dt.timedelta(seconds=10)
MAX_STEP = dt.timedelta(seconds=120)


class PrintTooLarge(Exception):
    """The file would be larger than is kept."""


def find_file(builder: FileBuilder) -> PrintFile | None:
    """Return the file that shows the same, if it was made before."""
    return PrintFile.objects.filter(event=builder.event, digest=builder.digest).first()


def make_file(builder: FileBuilder) -> PrintFile:
    """Make a file and keep it, or return the one that shows the same.

    Raises:
        PrintTooLarge: the file is too large.
        PrintFailed, PrintBusy: as in `compile_pdf`.
        NothingToPrint: as in `BundleBuilder.make`.
    """
    found = find_file(builder)
    if found is not None:
        return found
    event, now = builder.event, timezone.now()
    name, content = builder.make(now)
    if len(content) > MAX_BYTES:
        raise PrintTooLarge(len(content))
    delete_old_files()
    _limit_number(event)
    file = PrintFile(event=event, digest=builder.digest, name=name, content=content, made_at=now)
    # If the same document was made twice at once, the first is the file.
    PrintFile.objects.bulk_create([file], ignore_conflicts=True)
    return find_file(builder) or file


def delete_files(event: Event) -> None:
    """Delete all files of an event."""
    PrintFile.objects.filter(event=event).delete()


def delete_old_files() -> None:
    """Delete the files of all events that are older than `LIFETIME`."""
    PrintFile.objects.filter(made_at__lt=timezone.now() - LIFETIME).delete()


def _limit_number(event: Event) -> None:
    extra = PrintFile.objects.filter(event=event).order_by("-made_at").values_list("pk", flat=True)[MAX_FILES - 1 :]
    PrintFile.objects.filter(pk__in=list(extra)).delete()


@transaction.atomic
def start_job(kind: PrintKind, source: PrintSource) -> PrintJob:
    """Ask for a file; return the job that is making it, which may have been asked for before."""
    running = find_running_job(kind, source)
    if running is not None:
        return running
    now = timezone.now()
    job = PrintJob.objects.create(**_describe(kind, source), created_at=now, step_at=now)
    after_commit("prints.make", job_id=str(job.pk))
    return job


def find_running_job(kind: PrintKind, source: PrintSource) -> PrintJob | None:
    """Return the job that is making such a file now."""
    running = PrintJob.objects.filter(**_describe(kind, source), problem="").exclude(step=PrintJob.Step.DONE)
    return running.filter(created_at__gte=timezone.now() - LIFETIME).first()


def _describe(kind: PrintKind, source: PrintSource) -> dict[str, Any]:
    return {
        "event": source.event,
        "contest": source.contest,
        "kind": kind.key,
        "paper": source.paper,
        "language": source.language,
        "holder": source.entrant_id,
        "is_public": source.is_public,
    }


def start_bundle(event: Event, roster: Roster, is_public: bool) -> str:
    """Ask for the bundle of a large event; return the address of the file, or of the page that shows how far it is."""
    job = _start_bundle_job(event, roster, is_public)
    return get_job_file_url(job) if job.file_id else get_job_url(job)


@transaction.atomic
def _start_bundle_job(event: Event, roster: Roster, is_public: bool) -> PrintJob:
    """Ask for the bundle of a large event. If the same was made before, the job is done already."""
    kind = BUNDLE_KINDS[roster]
    source = PrintSource(event, None, get_usual_paper(event), is_public=is_public)
    file = find_file(kind.make(source))
    if file is None:
        return start_job(kind, source)
    done = PrintJob.objects.filter(**_describe(kind, source), file=file).first()
    if done is not None:
        return done
    now = timezone.now()
    return PrintJob.objects.create(
        **_describe(kind, source), step=PrintJob.Step.DONE, file=file, created_at=now, step_at=now
    )


@transaction.atomic
def revive_job(job: PrintJob) -> None:
    """Ask for the task again if its worker is gone, or nothing has happened for a while."""
    if job.is_done or take_up_task("prints.make", job_id=str(job.pk)):
        return
    limit = MAX_QUEUED if job.step == PrintJob.Step.QUEUED else MAX_STEP
    now = timezone.now()
    if now - job.step_at > limit:
        PrintJob.objects.filter(pk=job.pk).update(step_at=now)
        after_commit("prints.make", job_id=str(job.pk))


def delete_old_prints() -> None:
    """Delete the jobs and files that are older than a day. The sweeper runs it."""
    PrintJob.objects.filter(created_at__lt=timezone.now() - LIFETIME).delete()
    delete_old_files()


def carry_out_job(job_id: UUID) -> PrintJob | None:
    """Make the file of a job. Returns None if there is nothing to do any more."""
    job = PrintJob.objects.select_related("event", "contest__event").filter(pk=job_id).first()
    if job is None or job.is_done:
        return None
    job.attempts += 1
    if job.attempts > MAX_ATTEMPTS:
        _set_step(job, PrintJob.Step.DONE, problem=PrintJob.Problem.FAILED)
        return job
    _set_step(job, PrintJob.Step.READING)
    try:
        file = _make(job)
    except NothingToPrint:
        _set_step(job, PrintJob.Step.DONE, problem=PrintJob.Problem.GONE)
    except PrintTooLarge:
        _set_step(job, PrintJob.Step.DONE, problem=PrintJob.Problem.TOO_LARGE)
    except (PrintFailed, PrintBusy):
        _set_step(job, PrintJob.Step.DONE, problem=PrintJob.Problem.FAILED)
    else:
        _set_step(job, PrintJob.Step.DONE, file=file)
    return job


def _make(job: PrintJob) -> PrintFile:
    kind = find_job_kind(job.kind)
    if kind is None:  # the job is from another version of the program
        raise NothingToPrint
    source = PrintSource(job.event, job.contest, Paper(job.paper), job.holder, job.is_public, job.language)
    builder = kind.make(source)
    _set_step(job, PrintJob.Step.DRAWING)
    return make_file(builder)


def _set_step(job: PrintJob, step: PrintJob.Step, *, problem: str = "", file: PrintFile | None = None) -> None:
    # Not `save`: if the event was deleted meanwhile, this row must not come back.
    job.step, job.step_at, job.problem, job.file = step, timezone.now(), problem, file
    rows = PrintJob.objects.filter(pk=job.pk)
    rows.update(step=step, step_at=job.step_at, problem=problem, file=file, attempts=job.attempts)


def get_job_url(job: PrintJob) -> str:
    """Return the address of the page that shows how far a job is."""
    return _reverse(job, "")


def get_job_file_url(job: PrintJob) -> str:
    """Return the address of the file."""
    return _reverse(job, "_file")


def _reverse(job: PrintJob, suffix: str) -> str:
    route = "prints:public_job" if job.is_public else "prints:job"
    return reverse(f"{route}{suffix}", args=[job.event.slug, job.pk])


@transaction.atomic
def change_certificates(
    event: Event,
    heading: str,
    wording: str,
    signed_by: str,
    new_logo: tuple[str, bytes] | None,
    *,
    design: str = CertificateSettings.Design.CLASSIC,
    removes_logo: bool = False,
) -> CertificateSettings:
    """Change the settings; "" stands for what is usual.

    Args:
        design: a value of `CertificateSettings.Design`.
        new_logo: the kind and the content of a picture; None to leave the logo as it is.
        removes_logo: whether the certificates have no logo any more.
    """
    settings, _is_new = CertificateSettings.objects.get_or_create(event=event)
    settings.heading, settings.wording, settings.signed_by, settings.design = heading, wording, signed_by, design
    logo: PrizeLogo | None = None if removes_logo else settings.logo
    settings.logo = logo if new_logo is None else add_logo(event, *new_logo)
    settings.save()
    return settings
