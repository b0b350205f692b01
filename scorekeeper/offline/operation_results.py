"""What a phone is told of its operations: plain data, its sentences in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scorekeeper.scorecards.models import ReviewItem
from scorekeeper.scorecards.problem_messages import explain
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.batch import BatchResult
from scorekeeper.scorecards.services.cards import DamagedCard
from scorekeeper.scorecards.services.recording import (
    BikeWithdrawn,
    IdReused,
    MalformedOperation,
    NotAllowed,
    ReasonRequired,
    RecordingError,
    UnknownTarget,
)

ResultData = dict[str, Any]

# Why an operation has no receipt, the most specific first. Only "not yet" is worth sending again as it is.
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
    (NotAllowed, "not_yours", _("Your group cannot record this. Ask its own crew, or the organiser.")),
    (IdReused, "other_body", _("A different entry was sent under the same ID before, and that one was kept.")),
    (ReasonRequired, "unreadable", _("A correction needs a reason. Enter it again with a reason.")),
    (MalformedOperation, "unreadable", _("This cannot be read. Enter it again.")),
)


def serialize_results(names: Sequence[str | None], answers: Sequence[BatchResult]) -> list[ResultData]:
    """Return the answers in their order, each under the id that was sent; where it is kept under another, that too."""
    games = _find_games([one.review_id for one in answers if isinstance(one, Receipt) and one.review_id])
    return [
        _serialize_receipt(name, one, games) if isinstance(one, Receipt) else _serialize_error(name, one)
        for name, one in zip(names, answers, strict=True)
    ]


def count_unrecorded(answers: Sequence[BatchResult]) -> tuple[int, int]:
    """Return how many of the operations stay on the phone: to be sent again as they are, and to be looked at there."""
    errors = [one for one in answers if not isinstance(one, Receipt)]
    again = sum(isinstance(one, UnknownTarget) for one in errors)
    return again, len(errors) - again


def _serialize_receipt(name: str | None, receipt: Receipt, games: Mapping[UUID, str]) -> ResultData:
    game = games.get(receipt.review_id, "") if receipt.review_id else ""
    told = {
        "id": name,
        "outcome": receipt.outcome,
        "entries": list(receipt.entries),
        "review": None if receipt.review_id is None else str(receipt.review_id),
        "problems": [_serialize_problem(game, problem) for problem in receipt.problems],
    }
    if name is None or UUID(name) != receipt.operation_id:
        told["operation"] = str(receipt.operation_id)  # somebody else had taken the id
    return {**told, "data": dict(receipt.data)} if receipt.data else told


def _serialize_problem(game: str, problem: Mapping[str, Any]) -> ResultData:
    sentence = explain(game, problem)
    return {"code": problem["code"], "rule": sentence.rule, "message": sentence.text, "href": sentence.href}


def _serialize_error(name: str | None, error: RecordingError) -> ResultData:
    outcome, text = next((outcome, text) for kind, outcome, text in ERRORS if isinstance(error, kind))
    said = [part for part in error.args if isinstance(part, str)] if isinstance(error, MalformedOperation) else []
    problem = {"code": outcome, "rule": "", "message": " ".join(said) or str(text), "href": ""}
    return {"id": name, "outcome": outcome, "entries": [], "review": None, "problems": [problem]}


def _find_games(items: Sequence[UUID]) -> Mapping[UUID, str]:
    """Return whose rules speak in what waits for the organiser; problems are told of nothing else."""
    if not items:
        return {}
    return dict(ReviewItem.objects.filter(pk__in=items).values_list("pk", "contest__game_key"))
