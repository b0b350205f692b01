"""Checks of a bundle: its chains, its operations, its contests and scorecards, its standings and revisions.

Each check is a function from an `OpenBundle` to findings. What a check reads may be anything, so a check that fails on
its data is itself a finding, and the others go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from games.core.bundle.derived_rows import (
    check_bikes,
    check_chain_flags,
    check_order,
    check_review_items,
    check_seats,
    check_settings,
)
from games.core.bundle.layout import sha256, write_json
from games.core.bundle.log import READ_ERRORS, LogEntry
from games.core.bundle.opening import OpenBundle
from games.core.bundle.reading import Bundle, Finding, Row
from games.core.bundle.scoring import ScoredRow
from games.core.problems import Malformed

# The digest of an entry that is made of the kind and body of its operation. Logs of older versions have none.
SENT = "sent"
NOTE = "note"
KIND_WITH_NAMES = "register_bike"


def list_findings(opened: OpenBundle) -> Iterator[Finding]:
    """Return everything in a bundle that does not fit together."""
    checks: list[tuple[str, Callable[[OpenBundle], Iterator[Finding]]]] = [
        ("the chains", _check_chains),
        ("the operations", _check_operations),
        ("the reasons and witnesses", _check_texts),
        ("the flags of chains", check_chain_flags),
        ("the contests", _check_contests),
        ("the settings of contests", check_settings),
        ("the bikes", check_bikes),
        ("the seats", check_seats),
        ("the entries under review", check_review_items),
        ("the scorecards", _check_cards),
        ("the standings", _check_standings),
        ("the revisions", _check_revisions),
        ("the order of the lines", check_order),
        ("the manifest", _check_head),
    ]
    for name, check in checks:
        try:
            yield from check(opened)
        except (*READ_ERRORS, Malformed) as error:
            yield Finding(None, name, f"they cannot be checked any further ({_describe_error(error)})")


def _describe_error(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error)[:200]}"


def _check_chains(opened: OpenBundle) -> Iterator[Finding]:
    for line in opened.log.unreadable:
        yield Finding(line, "section entries", "the entry cannot be read")
    seen = set()
    for row in opened.bundle.rows["chains"]:
        seen.add(row.data["id"])
        yield from _check_chain(opened, row)
        yield from _check_event(opened, opened.log.chains.get(row.data["id"], []))


def _check_chain(opened: OpenBundle, row: Row) -> Iterator[Finding]:
    name, before, position = opened.names.get(row.data["id"]), "", 0
    entries = opened.log.chains.get(row.data["id"], [])
    for number, entry in enumerate(entries, 1):
        where = f"entry {entry.seq} of {name}"
        if entry.seq != number:
            yield Finding(entry.line, where, f"entry {number} is missing before it")
            return
        if sha256(entry.text) != entry.hash:
            yield Finding(entry.line, where, "its hash does not match its content")
        if entry.body["prev"] != before:
            yield Finding(entry.line, where, "it does not link to the entry before it")
        own = (entry.chain, entry.seq, entry.operation)
        if (entry.body["chain"], entry.body["seq"], entry.body["op"]) != own:
            yield Finding(entry.line, where, "its line names another chain, number or operation than its content")
        if write_json(entry.body) != entry.text:
            yield Finding(entry.line, where, "it is not canonical JSON")
        if entry.position < position:
            yield Finding(entry.line, where, "it comes before an earlier entry of its chain")
        before, position = entry.hash, entry.position
    if row.data["length"] != len(entries):
        yield Finding(row.line, name, f"it should have {row.data['length']} entries and has {len(entries)}")
    if row.data["head"] != before:
        yield Finding(row.line, name, "its head is not the hash of its last entry")


def _check_event(opened: OpenBundle, entries: Sequence[LogEntry]) -> Iterator[Finding]:
    """Compare what the entries of a chain say about the event; those of older logs say nothing."""
    expected = {"id": opened.bundle.event["id"], "practice": opened.bundle.event["is_practice"]}
    for entry in entries:
        if entry.body.get("event", expected) != expected:
            where = f"entry {entry.seq} of {opened.names.get(entry.chain)}"
            yield Finding(entry.line, where, "it says that the event is another one, or practice where this is not")


def _check_operations(opened: OpenBundle) -> Iterator[Finding]:
    """Compare operations with the entries they wrote. Where the roster is public, no digest covers a name or reason."""
    is_public, texts = opened.bundle.header["roster"] == "public", _list_texts(opened.bundle)
    for row in opened.bundle.rows["operations"]:
        operation = row.data
        if operation["kind"] == KIND_WITH_NAMES and not is_public:
            continue  # the names that were sent may have been corrected since
        entries = opened.entries_by_operation.get(operation["id"], [])
        sent = _digest_operation(operation, operation["body"])
        differing = []
        if any(entry.body.get(SENT, sent) != sent for entry in entries):
            differing.append("what was sent")
        if any(entry.body["actor"] != operation["actor"] for entry in entries):
            differing.append("who sent it")
        if any(entry.body["device"] != operation["device"] for entry in entries):
            differing.append("the device")
        if any(entry.body["at"] != operation["received_at"] for entry in entries):
            differing.append("the time")
        receipt = operation["receipt"]
        listed = [{"chain": entry.chain, "seq": entry.seq, "hash": entry.hash} for entry in entries]
        if (receipt.get("entries"), receipt.get("outcome")) != (listed, operation["outcome"]):
            differing.append("the receipt")
        if operation["digest"] not in _list_digests(operation, {} if is_public else texts):
            differing.append("the digest")
        if differing:
            what = f"operation {operation['id']} ({operation['kind']})"
            yield Finding(row.line, what, f"it does not match the log: {', '.join(differing)}")


def _digest_operation(operation: Mapping[str, Any], body: Mapping[str, Any]) -> str:
    return sha256(write_json({"kind": operation["kind"], "body": body, "actor": operation["actor"]}))


Texts = Mapping[str, Mapping[str, str]]


def _list_texts(bundle: Bundle) -> Texts:
    """Return by operation the texts that its digest was made with, under their names in its body."""
    texts: dict[str, dict[str, str]] = {}
    for section, name, column in (("witnesses", "witness", "name"), ("reasons", "reason", "text")):
        for data in bundle.get(section):
            texts.setdefault(data["id"], {})[name] = data[column]
    return texts


def _list_digests(operation: Mapping[str, Any], texts: Texts) -> list[str]:
    """Return the digests that an operation can have: with its texts, for kinds without a reason, or once erased."""
    own = texts.get(operation["id"], {})
    bodies = ({**operation["body"], "reason": "", **own}, {**operation["body"], **own}, operation["body"])
    return [_digest_operation(operation, body) for body in bodies]


def _check_texts(opened: OpenBundle) -> Iterator[Finding]:
    """Compare reasons and witnesses with their digests in the log. Public bundles and erasing leave them out."""
    for row in opened.bundle.rows["reasons"]:
        digest = sha256(row.data["salt"] + row.data["text"])
        if any(entry.body[NOTE] != digest for entry in opened.entries_by_operation.get(row.data["id"], [])):
            yield Finding(row.line, f"the reason of {row.data['id']}", "it is not the reason that was given")
    for row in opened.bundle.rows["witnesses"]:
        digest = sha256(row.data["salt"] + row.data["name"])
        if any(entry.data.get("witness") != digest for entry in opened.entries_by_operation.get(row.data["id"], [])):
            yield Finding(row.line, f"the witness of {row.data['id']}", "it is not the witness that was named")
    if opened.bundle.header["roster"] != "public":
        yield from _check_missing_texts(opened)


def _check_missing_texts(opened: OpenBundle) -> Iterator[Finding]:
    """Find texts that are left out although they were not erased: erasing makes the digest that of the rest."""
    reasons, witnesses = ({data["id"] for data in opened.bundle.get(name)} for name in ("reasons", "witnesses"))
    for line, operation in opened.bundle.rows["operations"]:
        id_ = operation["id"]
        entries = opened.entries_by_operation.get(id_, [])
        needs = [
            name
            for name, is_missing in (
                ("reason", id_ not in reasons and any(entry.body[NOTE] is not None for entry in entries)),
                ("witness", id_ not in witnesses and any(entry.data.get("witness") for entry in entries)),
            )
            if is_missing
        ]
        if needs and operation["digest"] != _digest_operation(operation, operation["body"]):
            yield Finding(line, f"operation {id_}", f"its {' and '.join(needs)} is missing, but was not erased")


def get_odds_shown(bundle: Bundle) -> dict[str, str]:
    """Return what contests tell of the odds during play, by their ids; only of those that tell anything."""
    return {data["id"]: data["shown"] for data in bundle.get("odds")}


def _check_contests(opened: OpenBundle) -> Iterator[Finding]:
    for row in opened.bundle.rows["contests"]:
        contest = row.data
        name = f"the contest “{contest['name']}”"
        status = opened.log.get_status(contest["id"])
        if contest["status"] != status:
            yield Finding(row.line, name, f"it is {contest['status']}, but its log says {status}")
        digest = _digest_rules(opened.bundle, contest)
        cards = [card["id"] for card in opened.bundle.get("cards") if card["contest"] == contest["id"]]
        for chain in (*cards, contest["id"]):
            first = opened.log.chains.get(chain, [])[:1]
            if any(entry.body.get("rules", digest) != digest for entry in first):
                yield Finding(
                    row.line, name, f"its rules differ from those that {opened.names.get(chain)} started with"
                )
                break
    yield from _check_odds(opened)


def _check_odds(opened: OpenBundle) -> Iterator[Finding]:
    """Compare what was told of the odds with each time that a contest was closed."""
    shown = get_odds_shown(opened.bundle)
    for row in opened.bundle.rows["contests"]:
        closings = [entry for entry in opened.log.chains.get(row.data["id"], []) if entry.kind == "close"]
        if any(entry.data.get("odds") != shown.get(row.data["id"]) for entry in closings):
            name = f"the contest “{row.data['name']}”"
            yield Finding(row.line, name, "its log tells of other odds during play")


def _digest_rules(bundle: Bundle, contest: Mapping[str, Any]) -> str:
    """Return the digest of a contest's rules, as the first entry of every card has it."""
    slots = [slot for slot in bundle.get("slots") if slot["contest"] == contest["id"]]
    rules = {
        "game": contest["game"],
        "version": contest["rules_version"],
        "options": contest["options"],
        "seats": contest["seats_are"],
        "slots": sorted([slot["ordinal"], slot["id"], slot["stop"]] for slot in slots),
    }
    shown = get_odds_shown(bundle).get(contest["id"])
    if shown is not None:
        rules["odds"] = shown
    return sha256(write_json(rules))


def _check_cards(opened: OpenBundle) -> Iterator[Finding]:
    lines = {row.data["id"]: row.line for row in opened.bundle.rows["cards"]}
    for contest in opened.current.values():
        for card in contest.cards:
            if card.failure:
                yield Finding(lines[card.id], opened.names.get(card.id), card.failure)


def _check_standings(opened: OpenBundle) -> Iterator[Finding]:
    for id_, contest in opened.current.items():
        rows = [row for row in opened.bundle.rows["standings"] if row.data["contest"] == id_]
        missing = dict(contest.rows)
        for line, data in rows:
            scored = missing.pop(data["row"]["holder"], None)
            yield from _compare_row(opened, id_, Row(line, data["row"]), scored, "the standings")
        for entrant in missing:
            yield Finding(
                None, "the standings", f"{opened.names.get(entrant)} is missing in {opened.names.contests[id_]}"
            )


def _compare_row(opened: OpenBundle, contest: str, row: Row, scored: ScoredRow | None, where: str) -> Iterator[Finding]:
    name = f"{where}, {opened.names.get(row.data['holder'])} in {opened.names.contests[contest]}"
    if scored is None:
        if row.data["rank"] is not None:
            yield Finding(row.line, name, f"it has place {row.data['rank']}, but no place by the log and the rules")
        return
    figures = {**scored._asdict(), "cards": list(scored.cards)}
    differing = [
        f"{figure} is {row.data[figure]}, and {value} by the log and the rules"
        for figure, value in figures.items()
        if row.data[figure] != value
    ]
    if differing:
        yield Finding(row.line, name, "; ".join(differing))


def _check_revisions(opened: OpenBundle) -> Iterator[Finding]:
    published = {
        entry.operation: entry
        for contest in opened.bundle.get("contests")
        for entry in opened.log.list_entries(contest["id"])
        if entry.kind == "publish"
    }
    rows, cards = _group_lines(opened.bundle, "revision_rows"), _group_lines(opened.bundle, "revision_cards")
    for line, revision in opened.bundle.rows["revisions"]:
        where = f"revision {revision['number']} of {opened.names.contests[revision['contest']]}"
        entry = published.pop(revision["operation"], None)
        own_rows, own_cards = rows.get(revision["id"], []), cards.get(revision["id"], [])
        standings = {
            **revision["standings"],
            "rows": [row["row"] for _line, row in own_rows],
            "cards": [card["card"] for _line, card in own_cards],
        }
        if entry is None:
            yield Finding(line, where, "the log does not say that it was published")
        else:
            yield from _check_publication(line, where, revision, standings, entry)
        yield from _check_revision_heads(opened, line, where, revision)
        yield from _check_log_length(opened, line, where, revision)
        yield from _check_revision_figures(opened, where, revision, own_rows, own_cards)
    for entry in published.values():
        yield Finding(entry.line, "the revisions", f"revision {entry.data.get('revision')} is missing")


def _group_lines(bundle: Bundle, section: str) -> dict[str, list[Row]]:
    grouped: dict[str, list[Row]] = {}
    for row in bundle.rows[section]:
        grouped.setdefault(row.data["revision"], []).append(row)
    return grouped


def _check_publication(
    line: int, where: str, revision: Mapping[str, Any], standings: Mapping[str, Any], entry: LogEntry
) -> Iterator[Finding]:
    digest = sha256(write_json(standings))
    # Entries of older versions have no digest.
    if entry.data.get("standings", digest) != digest:
        yield Finding(line, where, "its standings or scorecards are not those that were published")
    awards = revision["awards"]
    if (sha256(write_json(awards)) if awards else None) != entry.data.get("awards"):
        yield Finding(line, where, "the winners of its prizes are not those that were published")
    own = (revision["number"], revision["published_at"], revision["published_by"])
    if own != (entry.data["revision"], entry.body["at"], entry.body["actor"]):
        yield Finding(line, where, "the log says that it has another number, time or publisher")


def _check_revision_heads(opened: OpenBundle, line: int, where: str, revision: Mapping[str, Any]) -> Iterator[Finding]:
    if sha256(write_json(revision["chains"])) != revision["event_head"]:
        yield Finding(line, where, "its head is not that of the chains that it lists")
    for chain, length, head in revision["chains"]:
        entries = opened.log.chains.get(chain, [])
        if length and (length > len(entries) or entries[length - 1].hash != head):
            name = opened.names.get(chain)
            yield Finding(line, where, f"{name} no longer has entry {length} with the hash that the revision lists")


def _check_log_length(opened: OpenBundle, line: int, where: str, revision: Mapping[str, Any]) -> Iterator[Finding]:
    contest = revision["contest"]
    own = {contest, *(card["id"] for card in opened.bundle.get("cards") if card["contest"] == contest)}
    length = sum(length for chain, length, _head in revision["chains"] if chain in own)
    if revision["log_length"] != length:
        yield Finding(line, where, f"it says that it includes {revision['log_length']} entries, and lists {length}")


def _check_revision_figures(
    opened: OpenBundle, where: str, revision: Mapping[str, Any], rows: list[Row], cards: list[Row]
) -> Iterator[Finding]:
    scorer = opened.get_scorer(revision["contest"])
    if scorer is None:
        return
    game = scorer.ruleset.game
    lengths = {chain: length for chain, length, _head in revision["chains"]}
    scored = scorer.score(lengths)
    # The rule that ranked an older revision may no longer be in the program. Its places are covered by its digest.
    if revision["standings"].get("standings_version", 1) == game.standings_version:
        missing = dict(scored.rows)
        for line, data in rows:
            found = missing.pop(data["row"]["holder"], None)
            yield from _compare_row(opened, revision["contest"], Row(line, data["row"]), found, where)
        for entrant in missing:
            yield Finding(None, where, f"{opened.names.get(entrant)} is missing")
    by_id = {card.id: card for card in scored.cards}
    for line, data in cards:
        own, card = data["card"], by_id.get(data["card"]["card"])
        name = f"{where}, {opened.names.get(own['card'])}"
        if card is None or own["holder"] not in card.entrants:
            yield Finding(line, name, "the log has no such scorecard")
            continue
        sheet, seat = game.sheet(card.state), card.entrants.index(own["holder"])
        points = {part.key: part.cells[seat].points for part in sheet.lines}
        if own["total"] != sheet.totals[seat] or {part["key"]: part["points"] for part in own["lines"]} != points:
            yield Finding(line, name, "its points are not those of the log and the rules")


def _check_head(opened: OpenBundle) -> Iterator[Finding]:
    manifest = opened.bundle.rows["manifest"][0]
    if manifest.data["event_head"] != opened.event_head:
        yield Finding(manifest.line, "the manifest", "its head of the event is not that of the chains")
