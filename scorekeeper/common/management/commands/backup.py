"""`manage.py backup FOLDER`: a copy of the SQLite database, made while the program runs.

The folder gets one file per backup, named after the time in UTC. A backup is complete and checked before it gets its
name, so a folder never contains half a backup under such a name.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scorekeeper.common.data_folder_check import DATA_CHECKS
from scorekeeper.common.sqlite_backup import BackupFailed, back_up, delete_old_backups


class Command(BaseCommand):
    requires_system_checks = DATA_CHECKS
    help = "Copies the SQLite database into a folder while everything runs, and deletes the oldest copies there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="where the backups are; created if it does not exist")
        parser.add_argument(
            "--keep",
            type=_parse_number,
            metavar="N",
            help="afterwards delete all backups there but the newest N",
        )

    def handle(self, *args: Any, folder: Path, keep: int | None, **options: Any) -> None:
        try:
            file = back_up(folder)
        except BackupFailed as error:
            raise CommandError(str(error)) from error
        self.stdout.write(_("The backup is %(file)s.") % {"file": file})
        if keep is not None:
            for old in delete_old_backups(folder, keep):
                self.stdout.write(_("Deleted the old backup %(file)s.") % {"file": old})


def _parse_number(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(_("write a number of backups, at least 1"))
    return int(text)
