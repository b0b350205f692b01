"""Instead of `django.core.serializers`: rows are encoded by `scorekeeper.offline.row_codec`."""

from __future__ import annotations

import json

__path__: list[str] = []  # so that submodules can be imported


class DjangoJSONEncoder(json.JSONEncoder):
    """Encodes plain JSON only."""
