"""What apps add to `/readyz`, for whoever watches. It decides nothing: a process is ready by its database alone."""

from __future__ import annotations

from collections.abc import Callable

MakeReadinessReport = Callable[[], dict[str, object]]

_reports: list[MakeReadinessReport] = []


def add_readiness_report(report: MakeReadinessReport) -> None:
    """Let an app be asked, whenever the database answers, for what its tables tell."""
    _reports.append(report)


def collect_reports() -> dict[str, object]:
    """Return everything that apps have to tell."""
    return {name: value for report in _reports for name, value in report().items()}
