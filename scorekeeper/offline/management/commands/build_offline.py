"""`manage.py build_offline`: builds what a phone needs without signal, unless it is there and up to date."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scorekeeper.offline.engine_build import EngineBuildFailed, build_engine, get_build_dir, get_build_status
from scorekeeper.offline.node import MIN_NODE_VERSION, find_node


class Command(BaseCommand):
    help = "Builds the engine that phones use without signal. Does nothing if it is up to date."

    def handle(self, *args: Any, **options: Any) -> None:
        home = get_build_dir()
        if get_build_status(home) == "current":
            return
        node = find_node()
        if node is None:
            raise CommandError(
                _("Node %(oldest)s or newer is needed. Install it with: pip install -r requirements/node.txt")
                % {"oldest": MIN_NODE_VERSION}
            )
        self.stdout.write(_("Building the part of the app that works without signal. This takes a minute or two ..."))
        self.stdout.flush()
        try:
            build_engine(home, node)
        except EngineBuildFailed as error:
            raise CommandError(str(error)) from error
