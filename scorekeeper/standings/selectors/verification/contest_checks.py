"""Checks of a contest against the log: its status, its prizes, how groups are compared, and its frozen rules."""

from __future__ import annotations

from collections.abc import Iterator

from scorekeeper.events.group_setting import get_group_setting
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.contest_rules import compute_rules_digest
from scorekeeper.scorecards.log_damage import LogDamage, damage_in
from scorekeeper.standings.award_source import AWARD_SOURCES
from scorekeeper.standings.selectors.verification.event_log import EventLog

STATUS_AFTER = {"close": Contest.Status.CLOSED, "reopen": Contest.Status.OPEN, "publish": Contest.Status.OFFICIAL}


def get_logged_status(contest: Contest, log: EventLog) -> Contest.Status:
    """Return the last status in the contest's log."""
    changes = log.list_entries(contest.pk, *STATUS_AFTER)
    return STATUS_AFTER[changes[-1].kind] if changes else Contest.Status.OPEN


def check_status(contest: Contest, log: EventLog) -> Iterator[LogDamage]:
    """Compare the contest's status with its log."""
    logged = get_logged_status(contest, log)
    if contest.status != logged:
        yield _report(contest, f"it is {contest.status}, but its log says {logged}", "status")


def check_prizes(contest: Contest, log: EventLog) -> Iterator[LogDamage]:
    """Compare the prize list, and the number of prize places, with the log, which has both while the contest is closed.

    Entries of older versions do not have them, and while the contest is open, organisers may change them.
    """
    changes = log.list_entries(contest.pk, *STATUS_AFTER, "prizes")
    data = changes[-1].data if changes else {}
    logged = data.get("prizes")
    if logged is not None and contest.prizes != logged:
        yield _report(contest, f"{contest.prizes} places win a prize, but its log says {logged}", "prizes")
    source, digest = AWARD_SOURCES.only, data.get("prize_list")
    if source is not None and digest is not None and source.compute_list_digest(contest) != digest:
        yield _report(contest, "its prizes differ from those in its log", "prizes")


def check_groups(contest: Contest, log: EventLog) -> Iterator[LogDamage]:
    """Compare how groups are compared with the log, which has it while the contest is closed.

    Where the entry does not have it, as in older logs, groups are not compared.
    """
    changes = log.list_entries(contest.pk, *STATUS_AFTER)
    if not changes or STATUS_AFTER[changes[-1].kind] == Contest.Status.OPEN:
        return
    logged = changes[-1].data.get("groups")
    if get_group_setting(contest).to_data().get("groups") != logged:
        yield _report(contest, "its log has another way to compare groups", "groups_by, group_best")


def check_odds(contest: Contest, log: EventLog) -> Iterator[LogDamage]:
    """Compare what is shown of the odds with each time that the contest was closed.

    The first entry of every card has it, too, in the digest of the rules.
    """
    for entry in log.list_entries(contest.pk, "close"):
        if entry.data.get("odds", Contest.OddsShown.OFF) != contest.odds_shown:
            yield _report(contest, "its log tells of other odds during play", "odds_shown")
            return


def check_rules(contest: Contest, log: EventLog) -> Iterator[LogDamage]:
    """Compare the options, slots and version of the rules with those in its log, and in the logs of its cards."""
    slots = {slot.pk: (slot.ordinal, slot.stop_id) for slot in contest.slots.all()}
    digest, cards = compute_rules_digest(contest, slots), sorted(contest.cards.values_list("pk", flat=True))
    differing = [card for card in cards if log.rules_digests.get(card, digest) != digest]
    if differing:
        text = f"its rules differ from those that card {differing[0]} was started with"
        yield _report(contest, text, "options, rules_version, slots")
    if log.rules_digests.get(contest.pk, digest) != digest:
        yield _report(contest, "its rules differ from those that it was closed with", "options, rules_version, slots")
    if contest.frozen_at is None and (cards or contest.pk in log.rules_digests):
        yield _report(contest, "it has entries, but its rules are not frozen", "frozen_at")


def _report(contest: Contest, description: str, columns: str) -> LogDamage:
    return damage_in(Contest, contest.pk, f"Contest {contest.pk}", description, columns)
