"""Checks of operations against the log: who sent each and when, what was sent, its outcome, its receipt, its review.

- The stored body of an operation is checked against its digest in each of its entries; entries of older versions have
  none.
- The operation's own digest was made with names and reasons, which are stored apart. A reason, and the name of a
  witness, are added back for the check. A walk-up's names may have been corrected since, so its digest cannot be
  checked. Once a text was erased, the digest is that of the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.core.canonical import canonical_json, sha256
from games.core.verification.entries import LogEntry
from games.core.verification.event_log import EventLog, derive_card
from games.core.verification.source import MISSING, Data, Fault, Row, SentOperation, Source, compare

KIND_WITH_NAMES = "register_bike"  # the kind of operation whose body contains names
# Those whose receipt has a number: that of the bike, or of the sheet.
KINDS_WITH_NUMBER = (KIND_WITH_NAMES, "renumber_bike", "withdraw_bike", "sell_sheet", "withdraw_sheet")
RECORDED, MERGED = "recorded", "merged"
# The outcome of an operation that went to review, by the reason.
REVIEW_OUTCOMES = {
    "conflict": "conflict",
    "stale": "conflict",
    "same_bike": "conflict",
    "rule": "refused",
    "late": "late",
    "revoked": "review",
}
UNDONE = "undone"  # the reason of an item whose operation was merged, and went to review only later


def check_operations(source: Source, reviewed: set[str]) -> Iterator[Fault]:
    """Compare every operation with its entries in the log.

    Args:
        reviewed: those that must have a review item are added.
    """
    for sent in source.operations():
        if sent.row is None:
            operation = {"id": sent.entries[0].operation}
            yield Fault("operations", operation, "it is missing, but the log has an entry for it")
            continue
        if sent.row.data["outcome"] in REVIEW_OUTCOMES.values():
            reviewed.add(sent.row.data["id"])
        yield from compare("operations", sent.row, _list_pairs(sent, sent.row.data, is_public=source.is_public))
        yield from _check_texts(sent, sent.row, is_public=source.is_public)


def _list_pairs(sent: SentOperation, operation: Data, *, is_public: bool) -> dict[str, tuple[object, object]]:
    bodies = [entry.body for entry in sent.entries]
    digest = digest_operation(operation, operation["body"])
    is_any_digest = operation["kind"] == KIND_WITH_NAMES and not is_public
    return {
        "actor": ({operation["actor"]}, {body["actor"] for body in bodies} or {operation["actor"]}),
        "device": ({operation["device"]}, {body["device"] for body in bodies} or {operation["device"]}),
        "time": ({operation["received_at"]}, {body["at"] for body in bodies} or {operation["received_at"]}),
        "outcome": (operation["outcome"] in _list_outcomes(sent), True),
        "digest": (is_any_digest or operation["digest"] in _list_digests(sent, operation), True),
        "kind or body": ({digest}, {body["sent"] for body in bodies if body.get("sent") is not None} or {digest}),
        "receipt": (operation["receipt"], _build_receipt(sent, operation)),
    }


def digest_operation(operation: Data, body: Data) -> str:
    """Return the digest of an operation with this body."""
    return sha256(canonical_json({"kind": operation["kind"], "body": body, "actor": operation["actor"]}))


def _list_digests(sent: SentOperation, operation: Data) -> Iterator[str]:
    """Yield the digests that it can have: with its texts, of a kind that has no reason, and once they were erased."""
    texts = {} if sent.witness is None else {"witness": sent.witness.data["name"]}
    reason = "" if sent.reason is None else sent.reason.data["text"]
    for body in ({**texts, "reason": reason}, texts, {}):
        yield digest_operation(operation, {**operation["body"], **body})


def _list_outcomes(sent: SentOperation) -> Sequence[str]:
    """Return the outcomes that an operation with these entries can have; an entry may name it."""
    if outcomes := [entry.data["outcome"] for entry in sent.entries if "outcome" in entry.data]:
        return outcomes
    if _find_repeat(sent.entries) is not None:
        return [MERGED]
    # A review entry that names another operation says that the other one was sent to review.
    own_reviews = [entry for entry in sent.entries if entry.kind == "review" and "operation" not in entry.data]
    if own_reviews:
        return [REVIEW_OUTCOMES[entry.data["reason"]] for entry in own_reviews]
    if sent.review is not None:
        return list(REVIEW_OUTCOMES.values())
    return [RECORDED if sent.entries else MERGED]


def _find_repeat(entries: Sequence[LogEntry]) -> LogEntry | None:
    """Return the entry by which an operation repeated another. Moved repeats are ignored: they belong to their move."""
    repeats = (entry for entry in entries if entry.kind == "repeat")
    return next((entry for entry in repeats if entry.data["by"] == entry.operation), None)


def _build_receipt(sent: SentOperation, operation: Data) -> dict[str, Any]:
    is_merged = operation["outcome"] == MERGED
    # A merged operation may have been sent to review later; its receipt was issued before.
    review = None if is_merged else sent.review
    receipt: dict[str, Any] = {
        "operation": operation["id"],
        "outcome": operation["outcome"],
        "entries": [{"chain": entry.chain, "seq": entry.seq, "hash": entry.hash} for entry in sent.entries],
        "review": review,
        "problems": [] if review is None else operation["receipt"]["problems"],  # compared with the item's
        "data": {},
    }
    if operation["kind"] == "publish":
        receipt["data"] = {} if sent.revision is None else sent.revision
    elif (repeat := _find_repeat(sent.entries)) is not None:
        receipt["data"] = {"turn": repeat.data["turn"]}
    elif is_merged:  # it is about the earlier entry; the log has no entry of this operation
        receipt["data"] = operation["receipt"]["data"]
    elif operation["kind"] in KINDS_WITH_NUMBER:
        receipt["data"] = {name: value for name, value in sent.entries[0].data.items() if name != "changes"}
    return receipt


def _check_texts(sent: SentOperation, operation: Row, *, is_public: bool) -> Iterator[Fault]:
    """Compare a reason and a witness with their digests in the log; older versions logged no witness."""
    reasons = [entry.body["note"] for entry in sent.entries]
    witnesses = [entry.data.get("witness") for entry in sent.entries]
    for section, row, name, logged, what in (
        ("reasons", sent.reason, "text", reasons, "it is not the reason that was given"),
        ("witnesses", sent.witness, "name", witnesses, "it is not the witness that was named"),
    ):
        digest = None if row is None else sha256(row.data["salt"] + row.data[name])
        if all(value == digest for value in logged):
            continue
        line, data = operation
        if row is not None:
            yield Fault(section, row.data, what, line=row.line)
        elif not is_public and data["digest"] != digest_operation(data, data["body"]):
            yield Fault(section, {"id": data["id"]}, "it is missing, but was not erased", line=line)


def check_reviews(source: Source, log: EventLog, reviewed: set[str]) -> Iterator[Fault]:
    """Compare every review item with its operation, with the log, and with the decisions in it.

    Args:
        reviewed: the operations that have an item.
    """
    decisions, merged = log.get_decisions(), log.list_merged()
    missing = reviewed | log.reviews.keys() | decisions.keys()
    for item, operation in source.reviews():
        missing.discard(operation["id"])
        decision = decisions.get(operation["id"])
        pairs = {
            **_list_review_pairs(item.data, operation, log.reviews.get(operation["id"]), decision),
            "log": (log.lacks_review(operation["id"], item.data["opened_at"]), False),
            "contest": (item.data["contest"], _find_contest(operation["body"], log)),
            "card": (item.data["card"], _find_card(operation["body"], log, decision, merged)),
        }
        yield from compare("review_items", item, pairs)
    for operation_id in sorted(missing):
        yield Fault("review_items", {"operation": operation_id}, MISSING)


def _list_review_pairs(
    item: Data, operation: Data, entry: LogEntry | None, decision: LogEntry | None
) -> dict[str, tuple[object, object]]:
    # The card is compared apart: it changes when its bike is merged.
    described = {name: item[name] for name in ("reason", "contest", "against")}
    described["problems"] = sha256(canonical_json(item["problems"]))
    logged = described if entry is None else {name: entry.data[name] for name in described}
    is_undone = item["reason"] == UNDONE
    return {
        "reason, contest, problems or against": (described, logged),
        "slot": (item["slot"], operation["body"].get("slot") if operation["kind"] == "turn" else None),
        "reason": (operation["outcome"], MERGED if is_undone else REVIEW_OUTCOMES.get(item["reason"])),
        "problems": (item["problems"], operation["receipt"]["problems"]),
        "opened_at": (item["opened_at"], entry.body["at"] if entry and is_undone else operation["received_at"]),
        "settled_at": (item["settled_at"], None if decision is None else decision.body["at"]),
        "decision": (item["decision"], "" if decision is None else decision.data["decision"]),
        "settled_by": (item["settled_by"], None if decision is None else decision.operation),
    }


def _find_contest(body: Data, log: EventLog) -> str | None:
    """Return the contest of an operation: its body names the contest, or a table that was created for it."""
    return body["contest"] if "contest" in body else log.tables.get(body["card"])


def _find_card(body: Data, log: EventLog, decision: LogEntry | None, merged: Mapping[str, str]) -> str | None:
    """Return the card of an item: that which its operation is about, or the one on whose chain it was decided."""
    if decision is not None:
        return decision.chain if log.is_card(decision.chain) else None
    if "card" in body:
        return str(body["card"])
    return derive_card(body["contest"], merged.get(body["bike"], body["bike"]))
