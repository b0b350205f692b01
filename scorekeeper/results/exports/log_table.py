"""The log of a contest as a table. For organisers only: it has full names, reasons, and the witnesses of cuts."""

from __future__ import annotations

import json

from django.utils.translation import gettext as _

from scorekeeper.events.models import Contest
from scorekeeper.results.exports.export_tables import CellValue, ExportTable
from scorekeeper.scorecards.selectors.log_entries import LogEntry, format_log_time, list_log_entries


def make_log_table(contest: Contest) -> ExportTable:
    """Return the log: the chains of the contest, its cards and the event, in the order of writing."""
    headings = {
        "at": _("Time"),
        "chain": _("Chain"),
        "seq": _("Number"),
        "kind": _("Kind"),
        "by": _("By"),
        "stop": _("Stop"),
        "turn": _("Turn"),
        "actions": _("Actions"),
        "data": _("Details"),
        "reason": _("Reason"),
        "witness": _("Witness"),
        "operation": _("Operation"),
        "hash": _("Hash"),
    }
    return ExportTable(_("Log"), headings, map(_make_log_row, list_log_entries(contest)))


def _make_log_row(found: LogEntry) -> list[CellValue]:
    entry = found.entry
    return [
        format_log_time(entry),
        found.chain_name,
        entry.seq,
        entry.kind,
        found.actor_name,
        None if entry.slot is None else entry.slot.stop.name,
        None if entry.slot is None else entry.slot.ordinal,
        _compact_json(found.actions),
        found.damaged or _compact_json(found.data),
        found.reason,
        found.witness,
        str(entry.operation_id),
        entry.hash,
    ]


def _compact_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""
