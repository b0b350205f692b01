"""`manage.py delete_season SLUG`: deletes a season for whoever created it. The events and their results stay."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scorekeeper.common.names import fold_name
from scorekeeper.seasons.selectors import get_public_season
from scorekeeper.seasons.services import delete_season


class Command(BaseCommand):
    """Asks for the season's name."""

    help = "Deletes a season, which otherwise only the account can that created it. The events and their results stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("season", help="the season's address")
        parser.add_argument("--yes", action="store_true", help="do not ask for the season's name")

    def handle(self, *args: Any, season: str, yes: bool, **options: Any) -> None:
        found = get_public_season(season)
        if found is None:
            raise CommandError(_("There is no season with the address “%(season)s”.") % {"season": season})
        if not yes and fold_name(self._ask_name(found.name)) != fold_name(found.name):
            raise CommandError(_("That is not its name. Nothing was deleted."))
        delete_season(found)
        self.stdout.write(_("“%(season)s” was deleted.") % {"season": found.name})

    def _ask_name(self, name: str) -> str:
        try:
            return input(_("This deletes “%(season)s”. Type its name to continue: ") % {"season": name})
        except EOFError:
            return ""
