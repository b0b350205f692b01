"""Instead of `django.utils.autoreload` and `django.template.autoreload`: no files change on a phone while it runs."""

from __future__ import annotations

from django.dispatch import Signal

autoreload_started, file_changed = Signal(), Signal()
