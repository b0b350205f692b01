"""`manage.py strings`: lists every text that people see, with its places, to be read before a release."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from scorekeeper.common.user_strings import list_user_strings


class Command(BaseCommand):
    help = "Lists every text that people see, one per line, sorted, with the files and lines it is in."

    def handle(self, *args: Any, **options: Any) -> None:
        for text, strings in groupby(list_user_strings(Path(settings.BASE_DIR)), key=attrgetter("text")):
            places = ", ".join(f"{string.path}:{string.line}" for string in strings)
            self.stdout.write(f"{' '.join(text.split())}\t{places}")
