"""What apps add to `/readyz`, for whoever watches. It decides nothing: a process is ready by its database alone."""

from __future__ import annotations

from collections.abc import Callable

Report = Callable[[], dict[str, object]]

_reports: list[Report] = []


def add_report(report: Report) -> None:
    """Let an app be asked, whenever the database answers, for what its tables tell."""
    _reports.append(report)


def read_reports() -> dict[str, object]:
    """Return everything that apps have to tell."""
    return {name: value for report in _reports for name, value in report().items()}
