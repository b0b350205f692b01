"""What apps add to `/readyz`, as information for monitors. Readiness depends on the database alone."""

from __future__ import annotations

from collections.abc import Callable

MakeReadinessReport = Callable[[], dict[str, object]]

_reports: list[MakeReadinessReport] = []


def add_readiness_report(report: MakeReadinessReport) -> None:
    """Register an app's function that reports from its tables; it runs whenever the database responds."""
    _reports.append(report)


def collect_reports() -> dict[str, object]:
    """Return the reports of all apps, merged."""
    return {name: value for report in _reports for name, value in report().items()}
