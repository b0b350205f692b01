"""Options to play besides the defaults: the game has none."""

from typing import Any

OPTIONS: tuple[dict[str, Any], ...] = ()
