"""Instead of `django.core.serializers`: rows are spelled by `scorekeeper.offline.row_codec`."""

from __future__ import annotations

import json

__path__: list[str] = []  # so that modules below it can be named


class DjangoJSONEncoder(json.JSONEncoder):
    """Knows nothing beyond JSON."""
