"""Serializes the results of a phone's operations: plain data, with messages in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scorekeeper.ledger.models import ReviewItem
from scorekeeper.ledger.problem_messages import explain
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.batch import BatchResult
from scorekeeper.ledger.services.recording import (
    BikeWithdrawn,
    IdReused,
    MalformedOperation,
    NotAllowed,
    ReasonRequired,
    RecordingError,
    UnknownTarget,
)
from scorekeeper.scorecards.services.locked_cards import DamagedCard
from scorekeeper.scorecards.services.sheet_sales import NoMoreSheets

ResultData = dict[str, Any]

# Why an operation has no receipt; the most specific error first. Only "not_yet" is worth sending again unchanged.
ERRORS: Sequence[tuple[type[RecordingError], str, str | Promise]] = (
    (
        DamagedCard,
        "not_yet",
        _("The log of this scorecard is damaged. Keep the entry: it can be sent once the scorecard is repaired."),
    ),
    (
        UnknownTarget,
        "not_yet",
        _(
            "This entry is about something the server does not have yet, or no longer has. Keep it and send it "
            "again later."
        ),
    ),
    (BikeWithdrawn, "withdrawn", _("This bike’s registration was undone. Enter it on the right bike instead.")),
    (NoMoreSheets, "no_sheet", _("No further sheet can be sold for this bike. Ask the organiser.")),
    (NotAllowed, "not_yours", _("Your group cannot record this. Ask its own crew, or the organiser.")),
    (IdReused, "other_body", _("A different entry was sent under the same ID before, and that one was kept.")),
    (ReasonRequired, "unreadable", _("A correction needs a reason. Enter it again with a reason.")),
    (MalformedOperation, "unreadable", _("This cannot be read. Enter it again.")),
)


def serialize_results(sent_ids: Sequence[str | None], results: Sequence[BatchResult]) -> list[ResultData]:
    """Return the results in order, each with the id that was sent, and the id it is stored under if that differs."""
    games = _find_games([result.review_id for result in results if isinstance(result, Receipt) and result.review_id])
    return [
        _serialize_receipt(sent_id, result, games) if isinstance(result, Receipt) else _serialize_error(sent_id, result)
        for sent_id, result in zip(sent_ids, results, strict=True)
    ]


def count_unrecorded(results: Sequence[BatchResult]) -> tuple[int, int]:
    """Return how many operations stay on the phone: those to be sent again unchanged, and those that need attention."""
    errors = [result for result in results if not isinstance(result, Receipt)]
    unsent = sum(isinstance(error, UnknownTarget) for error in errors)
    return unsent, len(errors) - unsent


def _serialize_receipt(sent_id: str | None, receipt: Receipt, games: Mapping[UUID, str]) -> ResultData:
    game = games.get(receipt.review_id, "") if receipt.review_id else ""
    data = {
        "id": sent_id,
        "outcome": receipt.outcome,
        "entries": list(receipt.entries),
        "review": None if receipt.review_id is None else str(receipt.review_id),
        "problems": [_serialize_problem(game, problem) for problem in receipt.problems],
    }
    if sent_id is None or UUID(sent_id) != receipt.operation_id:
        data["operation"] = str(receipt.operation_id)  # someone else had already used the id
    return {**data, "data": dict(receipt.data)} if receipt.data else data


def _serialize_problem(game: str, problem: Mapping[str, Any]) -> ResultData:
    sentence = explain(game, problem)
    return make_receipt_problem(problem["code"], sentence.rule, problem.get("field"), sentence.text, sentence.href)


def make_receipt_problem(code: str, rule: str, field: str | None, message: str, href: str) -> ResultData:
    """Return a problem with the names that phones read, and with those of problem details."""
    return {"code": code, "rule": rule, "message": message, "href": href, "clause": rule or None, "field": field}


def _serialize_error(sent_id: str | None, error: RecordingError) -> ResultData:
    outcome, text = next((outcome, text) for kind, outcome, text in ERRORS if isinstance(error, kind))
    says_why = isinstance(error, MalformedOperation | NoMoreSheets)
    details = [part for part in error.args if isinstance(part, str)] if says_why else []
    problem = make_receipt_problem(outcome, "", None, " ".join(details) or str(text), "")
    return {"id": sent_id, "outcome": outcome, "entries": [], "review": None, "problems": [problem]}


def _find_games(items: Sequence[UUID]) -> Mapping[UUID, str]:
    """Return the games of review items, whose rules explain the problems. Only items under review have problems."""
    if not items:
        return {}
    return dict(ReviewItem.objects.filter(pk__in=items).values_list("pk", "contest__game_key"))
