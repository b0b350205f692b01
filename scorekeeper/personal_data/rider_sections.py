"""What is stored about someone who rides or plays: the roster, sign-ups, check-in, results, prizes, seasons."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from scorekeeper.agreements.models import Agreement
from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.models import BikeCheck
from scorekeeper.common.game_adapter import show_total
from scorekeeper.crew.models import CrewMember
from scorekeeper.events.models import Contest
from scorekeeper.events.selectors import has_dice
from scorekeeper.ledger.models import Entry, UncheckedPeople
from scorekeeper.personal_data.person_record import DataSubject, PersonSection, RecordKind, Row
from scorekeeper.personal_data.redaction import OtherNames
from scorekeeper.players.models import ClassMember, Player, SignUp
from scorekeeper.prints.models import PrintJob
from scorekeeper.prizes.selectors.awards import list_awards
from scorekeeper.scorecards.models import Scorecard, Seat, Turn
from scorekeeper.seasons.models import SeasonLink
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.leaderboard import get_live_leaderboard
from scorekeeper.standings.selectors.revisions import get_frozen_report
from scorekeeper.standings.wording import STATUS_NAMES


@dataclass(frozen=True)
class Holdings:
    """The bikes, seats and scorecards of a person.

    Attributes:
        bikes: those that the person rides, and all that were merged into them or that they were merged into.
    """

    subject: DataSubject

    @cached_property
    def players(self) -> list[Player]:
        """The entries of the roster."""
        ids = self.subject.list_ids(RecordKind.PLAYER)
        return list(Player.objects.filter(pk__in=ids).select_related("bike__group").order_by("pk"))

    @cached_property
    def unchecked(self) -> list[UncheckedPeople]:
        """The walk-ups with a name of the person that an organiser has yet to check."""
        ids = self.subject.list_ids(RecordKind.WALK_UP_RIDER, RecordKind.WALK_UP_PASSENGER)
        return list(UncheckedPeople.objects.filter(pk__in=ids).select_related("bike", "operation"))

    @cached_property
    def bikes(self) -> list[Bike]:
        """The bikes, by number."""
        first = {player.bike_id for player in self.players} | {row.bike_id for row in self.unchecked}
        wanted = {pk for pk in first if pk is not None}
        found = Bike.objects.none()
        while True:  # along the merges, in both directions
            found = Bike.entrants.filter(
                Q(pk__in=wanted) | Q(merged_into__in=wanted) | Q(sheet_of__in=wanted)
            ).select_related("group")
            reached = {bike.pk for bike in found} | {bike.merged_into_id for bike in found if bike.merged_into_id}
            if reached == wanted:
                return list(found.order_by("number", "suffix", "sheet", "pk"))
            wanted = reached

    @cached_property
    def seats(self) -> list[Seat]:
        """The seats on scorecards."""
        own = Q(bike__in=self.bikes) | Q(player__in=self.players)
        seats = Seat.objects.filter(own).select_related("contest", "bike", "player", "card__chain")
        return list(seats.order_by("contest__ordinal", "contest__name", "card_id", "index"))

    @cached_property
    def entrants(self) -> frozenset[UUID]:
        """The ids that stand for the person in the log."""
        return frozenset({bike.pk for bike in self.bikes} | {player.pk for player in self.players})

    @cached_property
    def other_ids(self) -> frozenset[str]:
        """The ids of all other people, bikes and scorecards of the event."""
        event = self.subject.event
        sheets = Bike.entrants.filter(event=event)
        everyone = {*sheets.values_list("pk", flat=True), *event.players.values_list("pk", flat=True)}
        cards = set(Scorecard.objects.filter(contest__event=event).values_list("pk", flat=True))
        own_cards = {seat.card_id for seat in self.seats}
        crew = set(CrewMember.objects.filter(group__event=event).values_list("pk", flat=True))
        organisers = {
            *event.organisers.values_list("pk", flat=True),
            *event.former_organisers.values_list("pk", flat=True),
        }
        actors = (crew | organisers) - {record.key.id for record in self.subject.records}
        return frozenset(str(pk) for pk in (everyone - self.entrants) | (cards - own_cards) | actors)

    @cached_property
    def classes(self) -> Mapping[UUID, Sequence[str]]:
        """The names of the classes that people and bikes were given."""
        given: dict[UUID, list[str]] = {}
        members = ClassMember.objects.filter(event_class__event=self.subject.event).select_related("event_class")
        for member in members.order_by("event_class__ordinal"):
            subject_id = member.bike_id or member.player_id
            assert subject_id is not None, "every row is of a bike or a person"
            given.setdefault(subject_id, []).append(member.event_class.name)
        return given

    @cached_property
    def other_names(self) -> OtherNames:
        """The names that are taken out of texts."""
        return OtherNames(self.subject.others, self.subject.names)


def list_rider_sections(own: Holdings) -> Iterator[PersonSection]:
    """Return the sections, in the order of a ride."""
    yield _list_people(own)
    yield _list_bikes(own)
    yield _list_sign_ups(own)
    yield _list_unchecked(own)
    yield _list_checks(own)
    yield _list_cards(own)
    yield _list_turns(own)
    yield _list_agreements(own)
    yield _list_results(own)
    yield _list_prizes(own)
    yield _list_seasons(own)
    yield _list_print_jobs(own)


def _list_people(own: Holdings) -> PersonSection:
    headings = {
        "name": _("Name"),
        "role": _("Role"),
        "bike": _("Bike"),
        "classes": _("Classes"),
        "id": _("Id in the log"),
    }
    rows = [
        {
            "name": player.name,
            "role": str(player.get_role_display()),
            "bike": player.bike and player.bike.label,
            "classes": _name_classes(own, player.pk),
            "id": str(player.pk),
        }
        for player in own.players
    ]
    about = _("The entry on the roster. The log has only the id.")
    return PersonSection("roster", _("Roster"), about, headings, rows)


def _name_classes(own: Holdings, subject_id: UUID) -> str:
    """Return the classes that a person or a bike was given."""
    return ", ".join(own.classes.get(subject_id, ()))


def _list_bikes(own: Holdings) -> PersonSection:
    headings = {
        "number": _("Number"),
        "make": _("Make"),
        "model": _("Model"),
        "group": _("Group"),
        "classes": _("Classes"),
        "is_walk_up": _("Registered at the ride"),
        "did_not_start": _("Did not start"),
        "merged_into": _("Merged into"),
        "id": _("Id in the log"),
    }
    labels = {bike.pk: bike.label for bike in own.bikes}
    rows = [
        {
            "number": bike.label,
            "make": bike.make,
            "model": bike.model,
            "group": bike.group and bike.group.name,
            "classes": _name_classes(own, bike.pk),
            "is_walk_up": bike.is_walk_up,
            "did_not_start": bike.did_not_start,
            "merged_into": bike.merged_into_id and labels.get(bike.merged_into_id),
            "id": str(bike.pk),
        }
        for bike in own.bikes
    ]
    about = _("The bike that the person rides, and numbers that turned out to be the same bike.")
    return PersonSection("bikes", _("Bikes"), about, headings, rows)


def _list_sign_ups(own: Holdings) -> PersonSection:
    headings = {
        "name": _("Name"),
        "as": _("As"),
        "make": _("Make"),
        "model": _("Model"),
        "number": _("Number asked for"),
        "group": _("Group asked for"),
        "contact": _("Email or phone"),
        "created_at": _("Sent"),
        "decision": _("Decision"),
        "decided_at": _("Decided"),
        "told_at": _("Told"),
        "bike": _("Bike that was added"),
    }
    subject = own.subject
    kinds = {"rider": RecordKind.SIGN_UP_RIDER, "passenger": RecordKind.SIGN_UP_PASSENGER}
    rows: list[Row] = []
    for part, kind in kinds.items():
        for row in SignUp.objects.filter(pk__in=subject.list_ids(kind)).select_related("bike", "group"):
            is_rider = part == "rider"  # the rider sends the form, so how to reach them is the rider's
            rows.append(
                {
                    "name": row.rider if is_rider else row.passenger,
                    "as": part,
                    "make": row.make,
                    "model": row.model,
                    "number": row.number,
                    "group": row.group and row.group.name,
                    "contact": row.contact if is_rider else "",
                    "created_at": row.created_at,
                    "decision": str(row.get_decision_display()),
                    "decided_at": row.decided_at,
                    "told_at": row.told_at,
                    "bike": row.bike and row.bike.label,
                }
            )
    about = _(
        "Requests for a place. How to reach the rider is erased once they were told, at the latest 14 days after the"
        " ride."
    )
    return PersonSection("sign_ups", _("Sign-ups"), about, headings, rows)


def _list_unchecked(own: Holdings) -> PersonSection:
    headings = {
        "name": _("Name"),
        "as": _("As"),
        "bike": _("Bike"),
        "received_at": _("Received"),
        "is_left_out": _("Left out"),
    }
    riders = set(own.subject.list_ids(RecordKind.WALK_UP_RIDER))
    passengers = set(own.subject.list_ids(RecordKind.WALK_UP_PASSENGER))
    rows = [
        {
            "name": row.rider if part == "rider" else row.passenger,
            "as": part,
            "bike": row.bike.label,
            "received_at": row.operation.received_at,
            "is_left_out": row.is_left_out,
        }
        for row in own.unchecked
        for part, ids in (("rider", riders), ("passenger", passengers))
        if row.pk in ids
    ]
    about = _("Names sent with a bike that turned up at the ride, which an organiser has not added to the roster.")
    return PersonSection("names_to_check", _("Names to check"), about, headings, rows)


def _list_checks(own: Holdings) -> PersonSection:
    headings = {"bike": _("Bike"), "item": _("Item"), "at": _("Ticked")}
    checks = list(BikeCheck.objects.filter(bike__in=own.bikes).select_related("bike", "item"))
    times = _read_event_times(own, {check.seq for check in checks})
    rows = [{"bike": one.bike.label, "item": one.item.name, "at": times.get(one.seq)} for one in checks]
    about = _("What is ticked for the bike on the check-in list.")
    return PersonSection("check_in", _("Check-in"), about, headings, rows)


def _read_event_times(own: Holdings, numbers: Collection[int]) -> Mapping[int, object]:
    """Return when entries of the event's chain were written, by their number."""
    entries = Entry.objects.filter(chain_id=own.subject.event.pk, seq__in=numbers)
    return dict(entries.values_list("seq", "at"))


def _list_cards(own: Holdings) -> PersonSection:
    headings = {
        "contest": _("Contest"),
        "place": _("Place"),
        "total": _("Total"),
        "status": _("Status"),
        "turns": _("Turns that count"),
        "best_total": _("Best total within reach"),
        "worst_total": _("Worst total within reach"),
        "last_change": _("Last change"),
        "cards": _("Scorecards"),
    }
    rows = []
    for contest in own.subject.event.contests.all():
        cards = [str(seat.card_id) for seat in own.seats if seat.contest_id == contest.pk]
        limits = {
            pk: limit
            for row in contest.standings_rows.filter(Q(bike__in=own.bikes) | Q(player__in=own.players))
            for pk, limit in [(row.entrant_id, (row.best_total, row.worst_total))]
        }
        for row in get_live_leaderboard(contest).rows:
            if row.entrant_id not in own.entrants:
                continue
            best, worst = limits.get(row.entrant_id, (None, None))
            rows.append(
                {
                    "contest": contest.name,
                    "place": row.rank_label,
                    "total": show_total(contest.game, row.total),
                    "status": str(STATUS_NAMES[row.status]),
                    "turns": row.turn_count,
                    "best_total": None if best is None else show_total(contest.game, best),
                    "worst_total": None if worst is None else show_total(contest.game, worst),
                    "last_change": row.last_change,
                    "cards": cards,
                }
            )
    about = _("The current standings, worked out from the log. Frozen copies of them for the audience say no more.")
    return PersonSection("standings", _("Standings"), about, headings, rows)


def _list_turns(own: Holdings) -> PersonSection:
    contests = [contest for contest in own.subject.event.contests.all() if contest.game.slot_option]
    points = {"points": _("Points")} if not contests or any(each.game.points_of_turns for each in contests) else {}
    headings = {
        "contest": _("Contest"),
        "stop": _("Stop"),
        "turn": _("Turn"),
        "line": _("Line"),
        **points,
        "dice": _name_dice(contests),
        "how": _("How it was entered"),
        "dice_set": _("Dice set"),
        "recorded_at": _("Recorded"),
    }
    turns = Turn.objects.filter(card__in=[seat.card_id for seat in own.seats])
    turns = turns.select_related("card__contest", "slot__stop", "dice_set")
    every = (
        {
            "contest": turn.card.contest.name,
            "stop": turn.slot.stop.name,
            "turn": turn.slot.ordinal,
            "line": turn.line,
            "points": turn.points if turn.card.contest.game.points_of_turns else None,
            "dice": turn.dice,
            "how": str(turn.get_how_display()) if turn.card.contest.has_dice else "",
            "dice_set": turn.dice_set and turn.dice_set.name,
            "recorded_at": turn.recorded_at,
        }
        for turn in turns.order_by("card__contest__ordinal", "card_id", "slot__ordinal")
    )
    rows = [{key: row[key] for key in headings} for row in every]
    about = _("The turns that count now. Who recorded them is in the log below.")
    return PersonSection("turns", _("Turns"), about, headings, rows)


def _name_dice(contests: Sequence[Contest]) -> str:
    """Return what the turns of these contests are made of."""
    if all(contest.has_dice for contest in contests):
        return _("Dice")
    return _("Dice or cards") if has_dice(contests) else _("Cards")


def _list_agreements(own: Holdings) -> PersonSection:
    headings = {
        "contest": _("Contest"),
        "bike": _("Bike"),
        "by": _("Agreed by"),
        "at": _("Agreed"),
        "digest": _("Digest of the figures"),
    }
    rows = [
        {
            "contest": row.contest.name,
            "bike": row.bike.label,
            "by": str(row.get_by_display()),
            "at": row.at,
            "digest": row.digest,
        }
        for row in Agreement.objects.filter(bike__in=own.bikes).select_related("contest", "bike").order_by("at", "pk")
    ]
    about = _("That the rider or a road captain agreed to the figures of a scorecard.")
    return PersonSection("agreements", _("Agreements"), about, headings, rows)


def _list_results(own: Holdings) -> PersonSection:
    headings = {
        "contest": _("Contest"),
        "revision": _("Revision"),
        "published_at": _("Published"),
        "place": _("Place"),
        "total": _("Total"),
        "cut_cards": _("Cards cut"),
    }
    rows = []
    revisions = Revision.objects.filter(contest__event=own.subject.event).select_related("contest")
    for revision in revisions.order_by("contest__ordinal", "contest_id", "number").iterator(chunk_size=1):
        report = get_frozen_report(revision)
        rows += [
            {
                "contest": revision.contest.name,
                "revision": revision.number,
                "published_at": revision.published_at,
                "place": row.rank_label,
                "total": show_total(revision.contest.game, row.total),
                "cut_cards": list(row.cards),
            }
            for row in (*report.rows, *report.absent)
            if row.entrant_id in own.entrants
        ]
    about = _("Published results. They never change, and have the id and no name.")
    return PersonSection("published_results", _("Published results"), about, headings, rows)


def _list_prizes(own: Holdings) -> PersonSection:
    headings = {
        "contest": _("Contest"),
        "prize": _("Prize"),
        "sponsor": _("Sponsor"),
        "for": _("For"),
        "how": _("How"),
        "outcome": _("Outcome"),
        "is_published": _("Published"),
    }
    rows = [
        {
            "contest": award.contest.name,
            "prize": award.title,
            "sponsor": award.sponsor,
            "for": award.what_for,
            "how": winner.how,
            "outcome": award.outcome_text,
            "is_published": award.is_published,
        }
        for award in list_awards(own.subject.event)
        for winner in award.winners
        if winner.id in own.entrants
    ]
    about = _("Prizes that the person or the bike wins, or is tied for.")
    return PersonSection("prizes", _("Prizes"), about, headings, rows)


def _list_seasons(own: Holdings) -> PersonSection:
    headings = {"season": _("Season"), "event": _("Event"), "date": _("Date"), "contest": _("Contest")}
    riders = SeasonLink.objects.filter(holder_id__in=own.entrants).values("rider")
    links = SeasonLink.objects.filter(rider__in=riders).select_related("round__season", "round__contest__event")
    rows = [
        {
            "season": link.round.season.name,
            "event": link.round.contest.event.name,
            "date": link.round.contest.event.date.isoformat(),
            "contest": link.round.contest.name,
        }
        for link in links.order_by("round__season__name", "round__contest__event__date", "pk")
    ]
    about = _("Events that organisers linked to this one in a season, as events of the same person.")
    return PersonSection("seasons", _("Seasons"), about, headings, rows)


def _list_print_jobs(own: Holdings) -> PersonSection:
    headings = {"kind": _("Kind"), "contest": _("Contest"), "asked_at": _("Asked for")}
    jobs = PrintJob.objects.filter(event=own.subject.event, holder__in=own.entrants).select_related("contest")
    rows = [
        {"kind": job.kind, "contest": job.contest and job.contest.name, "asked_at": job.created_at}
        for job in jobs.order_by("created_at", "pk")
    ]
    about = _("Documents of this person alone that took longer to print. Files are deleted after a day.")
    return PersonSection("prints", _("Prints"), about, headings, rows)
