"""Addresses of what a job makes."""

from __future__ import annotations

from django.urls import reverse

from scorekeeper.prints.models import PrintJob


def get_job_url(job: PrintJob) -> str:
    """Return the address of the page that shows how far a job is."""
    return _reverse(job, "")


def get_job_file_url(job: PrintJob) -> str:
    """Return the address of the file."""
    return _reverse(job, "_file")


def _reverse(job: PrintJob, suffix: str) -> str:
    route = "prints:public_job" if job.is_public else "prints:job"
    return reverse(f"{route}{suffix}", args=[job.event.slug, job.pk])
