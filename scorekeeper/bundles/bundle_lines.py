"""The lines of a bundle, read from the database.

- Lines are in an order that any installation can repeat: by ids, or in the order of the log. Nothing says when or where
  a bundle was made. So the same event gives the same bytes.
- The sections and their fields are those of `games.core.bundle.layout`.
"""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from games.core.bundle.layout import NEW_SECTIONS, PRIVATE_SECTIONS, SECTIONS, BundleWriter
from scorekeeper.bikes.models import Bike
from scorekeeper.bundles.roster_names import Roster, RosterNames, drop_large_parts
from scorekeeper.bundles.section_registry import UPPER_SECTIONS
from scorekeeper.check_in.models import CheckItem
from scorekeeper.crew.models import CrewMember, DiceSet, Group
from scorekeeper.events.models import Contest, Event, Freeze
from scorekeeper.events.selectors import get_freeze
from scorekeeper.ledger.models import Chain, CutWitness, Entry, Operation, OperationReason, ReviewItem, UncheckedPeople
from scorekeeper.players.models import Player
from scorekeeper.prizes.models import Prize, PrizeLogo
from scorekeeper.scorecards.models import Scorecard, Seat
from scorekeeper.standings.models import FrozenStandings, Revision
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.selectors.log_head import compute_event_head, list_chain_heads
from scorekeeper.stops.models import Slot, Stop

BATCH_SIZE = 500  # rows read at a time
Data = dict[str, Any]
# Sections that say the same as long as the log has the same head and no operation is added; the longest ones.
FROM_LOG = {
    *("chains", "cards", "operations", "entries", "revisions", "revision_rows", "revision_cards"),
    *("frozen_standings", "standings"),
}


class StandingsWithheld(Exception):
    """The event's standings are frozen, so there is no bundle for the public: its log says who leads."""


def write_lines(writer: BundleWriter, event: Event, roster: Roster, slug: str | None = None) -> Iterator[bytes]:
    """Write the whole bundle of an event, line by line. The standings have to be refreshed.

    Args:
        slug: another address to write; None for the event's.

    Raises:
        StandingsWithheld: the standings are frozen, and the roster is public.
    """
    is_frozen = get_freeze(event) is not None
    if is_frozen and roster == "public":
        raise StandingsWithheld
    names = _get_names(event, roster)
    new = _list_new_sections(event)
    version = max((NEW_SECTIONS.get(name, 1) for name, lines in new.items() if lines), default=1)
    yield writer.write_header(str(event.pk), roster, version)
    for section, lines in _list_sections(event, names, slug or event.slug, new).items():
        if names.is_full or section not in PRIVATE_SECTIONS:
            for data in lines:
                yield writer.write(section, data)
    yield writer.write_manifest(compute_event_head(list_chain_heads(event.pk, {})))


def list_setup_lines(event: Event, roster: Roster) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Return the lines of a bundle that do not follow from the log, each with its section."""
    new = _list_new_sections(event)
    for section, lines in _list_sections(event, _get_names(event, roster), event.slug, new).items():
        if section not in FROM_LOG:
            yield from ((section, data) for data in lines)


def _list_new_sections(event: Event) -> dict[str, list[Mapping[str, Any]]]:
    """Return the lines of the sections that decide which version the bundle needs. They are few."""
    upper = {section.name: list(section.list_lines(event)) for section in UPPER_SECTIONS}
    return {**upper, "odds": _list_odds_lines(event)}


def _get_names(event: Event, roster: Roster) -> RosterNames:
    shows_groups = (
        event.contests.exclude(groups_by=Contest.GroupsBy.NOT_COMPARED).exists()
        or event.prizes.filter(rule=Prize.Rule.BEST_GROUP).exists()
    )
    return RosterNames(event, roster, shows_groups)


def _list_sections(
    event: Event, names: RosterNames, slug: str, new: Mapping[str, Iterable[Mapping[str, Any]]]
) -> Mapping[str, Iterable[Mapping[str, Any]]]:
    """Return the lines of each section, in the order of the file; each is read when it is written."""
    contests = list(event.contests.order_by("pk"))
    rows: dict[str, Iterable[Mapping[str, Any]]] = {
        **new,
        "event": [_write_event(event, slug)],
        "stops": _read(Stop.objects.filter(event=event), partial(_write_stop, names)),
        "groups": _read(Group.objects.filter(event=event), partial(_write_group, names)),
        "dice_sets": _read(DiceSet.objects.filter(group__event=event), partial(_write_dice_set, names)),
        "crew": _read(
            CrewMember.objects.filter(group__event=event).prefetch_related("any_bike_at"), _write_crew_member
        ),
        "contests": map(_write_contest, contests),
        "slots": _read(Slot.objects.filter(contest__event=event), _write_slot),
        "bikes": _read(Bike.objects.filter(event=event), partial(_write_bike, names)),
        "players": _read(_list_players(event, names), partial(_write_player, names)),
        "check_items": _read(CheckItem.objects.filter(event=event), partial(_write_check_item, names)),
        "logos": _read(PrizeLogo.objects.filter(event=event), _write_logo),
        "prizes": _read(Prize.objects.filter(event=event), _write_prize),
        "chains": _read(Chain.objects.filter(event=event).defer("snapshot"), _write_chain),
        "cards": _list_cards(event),
        "operations": _read(
            Operation.objects.filter(event=event).order_by("received_at", "pk"), partial(_write_operation, names)
        ),
        "entries": _read(Entry.objects.filter(chain__event=event).order_by("pk"), _write_entry),
        "reasons": _read(OperationReason.objects.filter(operation__event=event), _write_reason),
        "witnesses": _read(CutWitness.objects.filter(operation__event=event), _write_witness)
        if names.shows_full_names
        else (),
        "unchecked_people": _read(UncheckedPeople.objects.filter(operation__event=event), _write_unchecked_people),
        "review_items": _read(ReviewItem.objects.filter(operation__event=event), _write_review_item),
        "revisions": _read(_list_revisions(event), _write_revision),
        "revision_rows": _list_revision_parts(event, "rows", "row"),
        "revision_cards": _list_revision_parts(event, "cards", "card"),
        "freeze": _read(Freeze.objects.filter(event=event, at__isnull=False), _write_freeze),
        "frozen_standings": _read(FrozenStandings.objects.filter(contest__event=event), _write_frozen_standings),
        "standings": _list_standings(contests),
    }
    return {section: rows[section] for section in SECTIONS if section in rows}


def _read(rows: QuerySet[Any], write: Any) -> Iterator[Data]:
    ordered = rows if rows.query.order_by else rows.order_by("pk")
    return map(write, ordered.iterator(chunk_size=BATCH_SIZE))


def _id(value: UUID | None) -> str | None:
    return None if value is None else str(value)


def _time(value: dt.datetime | None) -> str | None:
    """Return a time as the log writes it."""
    return None if value is None else value.astimezone(dt.UTC).isoformat(timespec="microseconds")


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _write_event(event: Event, slug: str) -> Data:
    return {
        "archived_at": _time(event.archived_at),
        "date": event.date.isoformat(),
        "id": str(event.pk),
        "is_listed": event.is_listed,
        "is_practice": event.is_practice,
        "name": event.name,
        "people_shown": event.people_shown,
        "slug": slug,
        "state": event.state,
        "time_zone": event.time_zone,
    }


def _write_stop(names: RosterNames, stop: Stop) -> Data:
    return {
        "address": stop.address,
        "closes_at": _text(stop.closes_at),
        "crew_note": names.get_private(stop.crew_note),
        "id": str(stop.pk),
        "latitude": _text(stop.latitude),
        "longitude": _text(stop.longitude),
        "name": stop.name,
        "opens_at": _text(stop.opens_at),
        "ordinal": stop.ordinal,
    }


def _write_group(names: RosterNames, group: Group) -> Data:
    return {"id": str(group.pk), "name": names.get_group(group), "ordinal": group.ordinal}


def _write_dice_set(names: RosterNames, dice_set: DiceSet) -> Data:
    return {
        "group": str(dice_set.group_id),
        "id": str(dice_set.pk),
        "name": names.get_thing(dice_set),
        "ordinal": dice_set.ordinal,
    }


def _write_crew_member(member: CrewMember) -> Data:
    return {
        "any_bike_at": sorted(str(stop.pk) for stop in member.any_bike_at.all()),
        "group": str(member.group_id),
        "id": str(member.pk),
        "name": member.name,
        "role": member.role,
    }


def _list_odds_lines(event: Event) -> list[Mapping[str, Any]]:
    """Return a line for each contest that shows odds during play. The others have none, as in older bundles."""
    shown = event.contests.exclude(odds_shown=Contest.OddsShown.OFF).order_by("pk")
    return [{"id": str(contest.pk), "shown": contest.odds_shown} for contest in shown]


def _write_contest(contest: Contest) -> Data:
    return {
        "asks_agreement": contest.asks_agreement,
        "frozen_at": _time(contest.frozen_at),
        "game": contest.game_key,
        "group_best": contest.group_best,
        "groups_by": contest.groups_by,
        "id": str(contest.pk),
        "name": contest.name,
        "options": contest.options,
        "ordinal": contest.ordinal,
        "prizes": contest.prizes,
        "rules_version": contest.rules_version,
        "seats_are": contest.seats_are,
        "slug": contest.slug,
        "status": contest.status,
    }


def _write_slot(slot: Slot) -> Data:
    return {
        "contest": str(slot.contest_id),
        "id": str(slot.pk),
        "ordinal": slot.ordinal,
        "stop": str(slot.stop_id),
    }


def _write_bike(names: RosterNames, bike: Bike) -> Data:
    return {
        "did_not_start": bike.did_not_start,
        "group": _id(bike.group_id),
        "id": str(bike.pk),
        "is_walk_up": bike.is_walk_up,
        "make": names.get_private(bike.make),
        "merged_into": _id(bike.merged_into_id),
        "model": names.get_private(bike.model),
        "number": bike.number,
        "suffix": bike.suffix,
    }


def _list_players(event: Event, names: RosterNames) -> QuerySet[Player]:
    """Return the people. The public sees those who have a bike or a seat."""
    people = Player.objects.filter(event=event)
    if names.is_full:
        return people
    return people.exclude(bike=None, seats=None).distinct()


def _write_player(names: RosterNames, player: Player) -> Data:
    return {
        "bike": _id(player.bike_id),
        "id": str(player.pk),
        "name": names.get_person(player.name),
        "role": player.role,
    }


def _write_check_item(names: RosterNames, item: CheckItem) -> Data:
    return {"id": str(item.pk), "name": names.get_thing(item), "ordinal": item.ordinal}


def _write_logo(logo: PrizeLogo) -> Data:
    content = base64.b64encode(bytes(logo.content)).decode()
    return {"content": content, "id": str(logo.pk), "media_type": logo.media_type}


def _write_prize(prize: Prize) -> Data:
    return {
        "best_of": prize.best_of,
        "contest": str(prize.contest_id),
        "id": str(prize.pk),
        "logo": _id(prize.logo_id),
        "name": prize.name,
        "place": prize.place,
        "position": prize.position,
        "rule": prize.rule,
        "sponsor": prize.sponsor,
        "stop": _id(prize.stop_id),
    }


def _write_chain(chain: Chain) -> Data:
    return {
        "head": chain.head,
        "id": str(chain.pk),
        "is_alias": chain.is_alias,
        "is_sealed": chain.is_sealed,
        "kind": chain.kind,
        "length": chain.length,
    }


def _list_cards(event: Event) -> Iterator[Data]:
    seats: dict[UUID, list[Data]] = {}
    for seat in Seat.objects.filter(card__contest__event=event).order_by("card_id", "index").iterator():
        seats.setdefault(seat.card_id, []).append(
            {
                "bike": _id(seat.bike_id),
                "id": str(seat.pk),
                "index": seat.index,
                "is_only": seat.is_only,
                "player": _id(seat.player_id),
            }
        )
    for card in Scorecard.objects.filter(contest__event=event).order_by("pk").iterator():
        yield {"contest": str(card.contest_id), "id": str(card.pk), "seats": seats.get(card.pk, [])}


def _write_operation(names: RosterNames, operation: Operation) -> Data:
    return {
        "actor": str(operation.actor_id),
        "body": operation.body,
        "device": _id(operation.device_id),
        "digest": names.get_digest(operation),
        "id": str(operation.pk),
        "kind": operation.kind,
        "outcome": operation.outcome,
        "receipt": operation.receipt,
        "received_at": _time(operation.received_at),
    }


def _write_entry(entry: Entry) -> Data:
    return {
        "body": entry.body,
        "chain": str(entry.chain_id),
        "hash": entry.hash,
        "operation": str(entry.operation_id),
        "seq": entry.seq,
    }


def _write_reason(reason: OperationReason) -> Data:
    return {"id": str(reason.pk), "salt": reason.salt, "text": reason.text}


def _write_witness(witness: CutWitness) -> Data:
    return {"id": str(witness.pk), "name": witness.name, "salt": witness.salt}


def _write_unchecked_people(people: UncheckedPeople) -> Data:
    return {
        "bike": str(people.bike_id),
        "id": str(people.pk),
        "is_left_out": people.is_left_out,
        "passenger": people.passenger,
        "rider": people.rider,
    }


def _write_review_item(item: ReviewItem) -> Data:
    return {
        "against": item.against,
        "card": _id(item.card_id),
        "contest": str(item.contest_id),
        "decision": item.decision,
        "id": str(item.pk),
        "opened_at": _time(item.opened_at),
        "operation": str(item.operation_id),
        "problems": item.problems,
        "reason": item.reason,
        "settled_at": _time(item.settled_at),
        "settled_by": _id(item.settled_by_id),
        "slot": _id(item.slot_id),
    }


def _list_revisions(event: Event) -> QuerySet[Revision]:
    return Revision.objects.filter(contest__event=event).order_by("contest_id", "number")


def _write_revision(revision: Revision) -> Data:
    return {
        "awards": revision.awards,
        "chains": revision.chains,
        "contest": str(revision.contest_id),
        "event_head": revision.event_head,
        "id": str(revision.pk),
        "log_length": revision.log_length,
        "number": revision.number,
        "operation": str(revision.operation_id),
        "published_at": _time(revision.published_at),
        "published_by": str(revision.published_by),
        "standings": drop_large_parts(revision.standings),
    }


def _list_revision_parts(event: Event, part: str, name: str) -> Iterator[Data]:
    for revision in _list_revisions(event).iterator(chunk_size=1):
        for index, value in enumerate(revision.standings[part]):
            yield {"index": index, "revision": str(revision.pk), name: value}


def _write_freeze(freeze: Freeze) -> Data:
    return {"at": _time(freeze.at), "step": freeze.step, "version": freeze.version}


def _write_frozen_standings(frozen: FrozenStandings) -> Data:
    return {
        "board": frozen.board,
        "cards": frozen.cards,
        "contest": str(frozen.contest_id),
        "position": frozen.position,
        "result_board": frozen.result_board,
        "result_cards": frozen.result_cards,
        "revealed_from": frozen.revealed_from,
    }


def _list_standings(contests: Iterable[Contest]) -> Iterator[Data]:
    """Return the current standings by the log, whether or not they are published."""
    for contest in contests:
        for index, row in enumerate(get_live_leaderboard(contest).rows):
            yield {"contest": str(contest.pk), "index": index, "row": row.to_data()}
