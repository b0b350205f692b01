"""Checks of contests against the log: status, rules, prizes, how groups are compared, which odds are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from games.core.canonical import canonical_json, sha256
from games.core.game import Game
from games.core.verification.event_log import STATUS_AFTER, EventLog
from games.core.verification.scoring import Lengths, Scorer, make_scorer
from games.core.verification.source import Data, Fault, Row, Source, read_lengths

PRIZE_FIELDS = ("id", "name", "sponsor", "logo", "rule", "place", "stop", "best_of")


class ContestFacts(NamedTuple):
    """A contest with what its log has a digest of.

    Attributes:
        game: None if this version does not know it.
        scorer: plays its scorecards; or why this version cannot.
        rules: the digest of its rules.
        odds: which odds are shown during play; None for none.
        prize_list: the digest of what can be won; "" if nothing can.
    """

    row: Row
    game: Game[Any] | None
    scorer: Scorer | str
    rules: str
    odds: str | None
    prize_list: str


def read_contests(source: Source, games: Mapping[str, Game[Any]], *, any_version: bool) -> dict[str, ContestFacts]:
    """Return the contests of an event by their ids."""
    slots, prizes = (_group_by_contest(source, section) for section in ("slots", "prizes"))
    odds = {row.data["id"]: row.data["shown"] for row in source.rows("odds")}
    prize_rules = {row.data["id"]: row.data for row in source.rows("prize_rules")}
    prize_classes = {row.data["id"]: row.data["class"] for row in source.rows("prize_classes")}
    sheets = {row.data["id"]: row.data for row in source.rows("sheet_rules")}
    revisions: dict[str, dict[str, Lengths]] = {}
    for contest, revision, chains in source.list_revision_chains():
        if (lengths := read_lengths(chains)) is not None:  # others are found where revisions are checked
            revisions.setdefault(contest, {})[revision] = lengths
    facts = {}
    for row in source.rows("contests"):
        id_ = row.data["id"]
        listed = sorted(
            (_list_prize_fields(prize, prize_rules, prize_classes) for prize in prizes.get(id_, ())),
            key=lambda fields: fields[0],
        )
        facts[id_] = ContestFacts(
            row,
            games.get(row.data["game"]),
            make_scorer(row.data, slots.get(id_, []), games, revisions.get(id_, {}), any_version=any_version),
            _digest_rules(row.data, slots.get(id_, []), odds.get(id_), sheets.get(id_)),
            odds.get(id_),
            sha256(canonical_json(listed)) if listed else "",
        )
    return facts


def _group_by_contest(source: Source, section: str) -> Mapping[str, list[Data]]:
    groups: dict[str, list[Data]] = {}
    for row in source.rows(section):
        groups.setdefault(row.data["contest"], []).append(row.data)
    return groups


def _list_prize_fields(prize: Data, prize_rules: Mapping[str, Data], prize_classes: Mapping[str, str]) -> list[Any]:
    """Return what the log has a digest of; what later versions added only where the prize has any of it."""
    later = prize_rules.get(prize["id"])
    own = [prize[name] for name in PRIZE_FIELDS]
    if later is not None:
        own.append({name: later[name] for name in later if name != "id"})
    return [*own, {"class": prize_classes[prize["id"]]}] if prize["id"] in prize_classes else own


def _digest_rules(contest: Data, slots: list[Data], odds: str | None, sheets: Data | None) -> str:
    rules = {
        "game": contest["game"],
        "version": contest["rules_version"],
        "options": contest["options"],
        "seats": contest["seats_are"],
        "slots": sorted([slot["ordinal"], slot["id"], slot["stop"]] for slot in slots),
        **({} if odds is None else {"odds": odds}),
        **({} if sheets is None else {"sheets": {"each": sheets["each"], "most": sheets["most"]}}),
    }
    return sha256(canonical_json(rules))


def check_contest(contest: ContestFacts, log: EventLog, *, has_cards: bool, other_rules: str | None) -> Iterator[Fault]:
    """Compare a contest with its log, and with the logs of its scorecards.

    Entries of older versions say less. While a contest is open, organisers may change its prizes and how groups are
    compared.

    Args:
        other_rules: a scorecard that was started with other rules.
    """
    line, data = contest.row
    fault = partial(Fault, "contests", data, line=line)
    entries, status = log.contests.get(data["id"], []), log.get_status(data["id"])
    if data["status"] != status:
        yield fault(f"it is {data['status']}, but its log says {status}", ("status",))
    if status != "open":
        yield from _check_settings(contest, log)
    if any(entry.data.get("odds") != contest.odds for entry in entries if entry.kind == "close"):
        yield fault("its log tells of other odds during play", ("odds_shown",))
    rules = ("options", "rules_version", "slots")
    if other_rules is not None:
        yield fault("its rules differ from those that {about} was started with", rules, about=other_rules)
    logged = entries[0].body.get("rules") if entries else None
    if logged not in (None, contest.rules):
        yield fault("its rules differ from those that it was closed with", rules)
    if data["frozen_at"] is None and (has_cards or logged is not None):
        yield fault("it has entries, but its rules are not frozen", ("frozen_at",))


def _check_settings(contest: ContestFacts, log: EventLog) -> Iterator[Fault]:
    line, data = contest.row
    fault = partial(Fault, "contests", data, line=line)
    last = log.list_entries(data["id"], *STATUS_AFTER, "prizes")[-1].data
    if last.get("prizes", data["prizes"]) != data["prizes"]:
        yield fault(f"{data['prizes']} places win a prize, but its log says {last['prizes']}", ("prizes",))
    if last.get("prize_list", contest.prize_list) != contest.prize_list:
        yield fault("its prizes differ from those in its log", ("prizes",))
    groups = {"by": data["groups_by"], **({"best": data["group_best"]} if data["groups_by"] == "best" else {})}
    if (groups if data["groups_by"] else None) != log.list_entries(data["id"], *STATUS_AFTER)[-1].data.get("groups"):
        yield fault("its log has another way to compare groups", ("groups_by", "group_best"))
