"""The security log: who got in, who was refused or slowed down, and what gives access was made, used or ended.

Each event is a structured line of the logger `tailgunner.security` (docs/operations.md lists them).

Invariants:
- No line has a secret: no password, token, code or link. Nor has it what was typed as a name at sign-in, where people
  sometimes type their password. Accounts, links and phones are named by their ids.
- A line about a change is written once the change is committed, so that it never reports what did not happen.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import structlog
from django.db import transaction

log = structlog.get_logger("tailgunner.security")


def log_refusal(event: str, **details: Any) -> None:
    """Log that somebody was refused, at once: what a refused request had begun is rolled back.

    Args:
        event: what happened, as in `sign_in_refused`.
        details: ids of whom and what it concerns, and the network address where it matters.
    """
    log.warning(event, **_name(details))


def log_change(event: str, **details: Any) -> None:
    """Log a change of who has access, once it is committed; arguments as for `log_refusal`."""
    transaction.on_commit(partial(log.info, event, **_name(details)), robust=True)


def _name(details: dict[str, Any]) -> dict[str, Any]:
    """Return the details with text instead of ids, and without those that are None."""
    return {
        name: value if isinstance(value, int) else str(value) for name, value in details.items() if value is not None
    }
