"""Options worth playing besides the defaults."""

from typing import Any

OPTIONS: tuple[dict[str, Any], ...] = ({"goal": 1},)
