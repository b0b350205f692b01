"""The items of the prize giving: what is said at the microphone, one by one, and what the screens show with it.

- An item is an announcement: a place with its prizes, or a prize that is for no place.
- The page at the microphone, which is for organisers, has full names, and make and model of the bikes; the screens have
  names as the event shows people, and make and model only if it shows full names.
- An item says nothing that a later one announces: of a prize no total, place or figure that tells the result of someone
  whose place is still to come, and of a place not against whom it was decided before that place was announced too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.audience.reveals import (
    AnnouncedAward,
    Announcement,
    Reveal,
    RevealStep,
    RevealSteps,
    list_reveal_steps,
)
from scorekeeper.common.game_adapter import show_total
from scorekeeper.common.labels import label_value
from scorekeeper.common.number_wording import format_ordinal_place
from scorekeeper.common.word_lists import join_and
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.selectors import format_entrant
from scorekeeper.prizes.award import Award
from scorekeeper.prizes.rules.rule_book import RULES
from scorekeeper.prizes.selectors.awards import (
    AwardNames,
    AwardPresenter,
    WinnerPresenter,
    get_award_names,
    present_award,
)
from scorekeeper.prizes.selectors.decisions import get_public_reasons
from scorekeeper.standings.column_headings import get_standings_headings
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow
from scorekeeper.standings.reveal import WHOLE_RESULT, list_revealed_from
from scorekeeper.standings.wording import format_row_status

MANY_PEOPLE = 2
LONG_NAME = 36  # characters
SHORT_NAME = 18  # characters


@dataclass(frozen=True, slots=True)
class ScriptPerson:
    """Someone who is called up: a bike, a player or a group.

    Attributes:
        number: of the bike; "" for others.
        people: who rides it, or the name of the player or group.
        machine: make and model of the bike; "" if they are not known.
        total: with what it counts, "Points: 250"; "" for a group, and for someone who is not in the ranking.
        how: how it was decided, in one line; "" where the total says it.
    """

    number: str
    people: str
    machine: str
    total: str
    how: str

    @property
    def name(self) -> str:
        """ "Bike 57 (Ann, Bo)", or the name of a player or group."""
        return format_entrant(self.number, self.people)


@dataclass(frozen=True, slots=True)
class ScriptPrize:
    """A prize that is handed over.

    Attributes:
        title: "" if it is called by the place that the heading names.
        remark: how a tie for it was decided, or that it still has to be; "" where there is nothing to say.
    """

    title: str
    sponsor: str
    remark: str
    logo_url: str = ""


@dataclass(frozen=True, slots=True)
class ScriptItem:
    """What is said until the next tap.

    Attributes:
        step: its position, which is the step of the reveal that the screens show meanwhile.
        subject: what the heading belongs to: the contest, or what the prize is for.
        remark: one more sentence, such as the reason of the organisers; "" for none.
        sponsor: who gives a prize that is for no place; "" if nobody is named.
        logo_url: of that sponsor's picture; "" if there is none.
        opens_contest: whether it shows a contest with its lower places, before the first place is announced.
    """

    step: int
    heading: str
    subject: str
    people: tuple[ScriptPerson, ...] = ()
    prizes: tuple[ScriptPrize, ...] = ()
    remark: str = ""
    sponsor: str = ""
    logo_url: str = ""
    opens_contest: bool = False

    @property
    def is_long(self) -> bool:
        """Whether it needs smaller letters to fit a tablet."""
        return len(self.people) > MANY_PEOPLE or any(len(person.people) > LONG_NAME for person in self.people)

    @property
    def is_short(self) -> bool:
        """Whether it is one short name, which can be as large as a wall."""
        return len(self.people) == 1 and len(self.people[0].people) <= SHORT_NAME

    @property
    def summary(self) -> str:
        """The item in one line: "2nd place, Late run: Bike 57 (Ann, Bo)"."""
        title = ", ".join(filter(None, (self.heading, self.subject)))
        if not self.people:
            return title
        who = join_and([person.name for person in self.people])
        return _("%(title)s: %(who)s") % {"title": title, "who": who}


def get_current_item(event: Event, reveal: Reveal, people: Mapping[UUID, str]) -> ScriptItem | None:
    """Return what the screens show of the reveal; None if there is nothing to announce.

    Args:
        people: the names of each bike or player, as the audience may see them.
    """
    if reveal.announcement is None:
        return None
    item = ScriptWriter(event, reveal.steps, people).write(reveal.step)
    if event.people_shown == Event.PeopleShown.NAMES:
        return item
    return replace(item, people=tuple(replace(person, machine="") for person in item.people))


class ScriptWriter:
    """Writes the items of a reveal.

    Args:
        people: the names of each bike and player.
    """

    def __init__(self, event: Event, reveal: RevealSteps, people: Mapping[UUID, str]) -> None:
        self._reveal = reveal
        self._steps = list_reveal_steps(reveal.results)
        self._names: AwardNames = get_award_names(event, people)
        awards = [award for one in reveal.announcements for award in one.awards]
        self._contests = {contest.pk: contest for contest in event.contests.all()} if awards else {}
        for contest in self._contests.values():
            contest.event = event
        has_decisions = any(award.decision_id for award in awards)
        self._reasons = get_public_reasons(event.pk) if has_decisions else {}

    def write(self, position: int) -> ScriptItem:
        """Return the item at a position."""
        announcement = self._reveal.announcements[position]
        if announcement.is_place and announcement.places is not None and announcement.places < len(self._steps):
            return self._write_place(position, self._steps[announcement.places], announcement)
        if announcement.is_place:  # the results are gone: the reveal has just ended
            return ScriptItem(position, _("Prize giving"), "")
        return self._write_award(position, announcement)

    def _present(self, announced: AnnouncedAward) -> AwardPresenter | None:
        """Return an award with its texts; None if its contest was deleted."""
        contest = self._contests.get(announced.contest_id)
        if contest is None:
            return None
        is_official = contest.status == Contest.Status.OFFICIAL
        reason = self._reasons.get(announced.decision_id, "") if announced.decision_id else ""
        data = Award.from_data(announced.award)
        return present_award(contest, data, self._names, is_published=is_official, reason=reason)

    def _write_place(self, position: int, step: RevealStep, announcement: Announcement) -> ScriptItem:
        entrants = {row.entrant_id for row in step.rows}
        awards = [award for one in announcement.awards if (award := self._present(one)) is not None]
        if step.is_first:
            # The rows below the first page are read out only if there is a prize among them.
            winners = {winner.id for award in awards for winner in award.winners}
            people = tuple(self._write_row(row, step) for row in step.rows if row.entrant_id in winners)
            prizes = tuple(_write_prize(award, ()) for award in awards)
            remark = _describe_first_step(step)
            return ScriptItem(position, step.contest.name, "", people, prizes, remark, opens_contest=True)
        rank, is_tied = step.rows[0].rank, step.rows[0].is_tied
        place = _("%(ordinal)s place, tied") if is_tied else _("%(ordinal)s place")
        return ScriptItem(
            position,
            place % {"ordinal": format_ordinal_place(rank or 0)},
            step.contest.name,
            tuple(self._write_row(row, step) for row in step.rows),
            tuple(_write_prize(award, entrants, rank) for award in awards if _needs_mention(award, entrants)),
        )

    def _write_row(self, row: LeaderboardRow, step: RevealStep) -> ScriptPerson:
        contest, board = step.contest, step.board
        people = self._names.people
        how = [_name_opponents(row, board, people), format_row_status(replace(row, chance=""), contest.ruleset)]
        return ScriptPerson(
            row.number,
            people.get(row.entrant_id, ""),
            self._names.machines.get(row.entrant_id, ""),
            _format_total(row.total, contest, board),
            ". ".join(filter(None, how)),
        )

    def _write_award(self, position: int, announcement: Announcement) -> ScriptItem:
        (announced,) = announcement.awards
        award = self._present(announced)
        if award is None:
            return ScriptItem(position, _("Prize giving"), "")
        subject = filter(None, (award.subtitle, award.contest.name))
        return ScriptItem(
            position,
            award.title,
            ", ".join(subject),
            tuple(self._write_winner(award, winner, announcement.places) for winner in award.winners),
            remark=award.decision_text,
            sponsor=award.sponsor,
            logo_url=award.logo_url,
        )

    def _write_winner(self, award: AwardPresenter, winner: WinnerPresenter, places: int | None) -> ScriptPerson:
        is_announced = award.is_for_place or self._is_announced(award, winner.id, places)
        tells_result = RULES[award.award.prize.rule].tells_result or winner.figures.get("points") == winner.total
        total = _format_total(winner.total, award.contest) if is_announced else ""
        how = "" if tells_result and not is_announced else winner.how
        return ScriptPerson(winner.number, winner.people, winner.machine, total, how)

    def _is_announced(self, award: AwardPresenter, winner: UUID, places: int | None) -> bool:
        """Return whether the audience knows the result of a winner; that of a group once it knows all results."""
        if places is None:
            return False
        revealed = list_revealed_from([board for _contest, board in self._reveal.results], places)
        for (contest, board), revealed_from in zip(self._reveal.results, revealed, strict=True):
            if contest != award.contest or revealed_from is None:
                continue
            if revealed_from == WHOLE_RESULT:
                return True
            return any(row.entrant_id == winner and (row.rank or 0) >= revealed_from for row in board.rows)
        return False


def _write_prize(award: AwardPresenter, entrants: Collection[UUID], rank: int | None = None) -> ScriptPrize:
    """Return a prize for a place, with its winners if they are only some of those who have the place.

    Args:
        rank: the place in the heading; None if there is none.
    """
    title = "" if award.place == rank and not award.subtitle else award.title
    is_for_some = not _is_won_by(award, entrants) and {winner.id for winner in award.winners} <= set(entrants)
    winners = join_and([one.name for one in award.winners]) if is_for_some else ""
    remark = ". ".join(filter(None, (winners, award.decision_text)))
    return ScriptPrize(title, award.sponsor, remark, award.logo_url)


def _describe_first_step(step: RevealStep) -> str:
    """Return what the screens show before the first place is announced."""
    if not any(row.is_ranked for row in step.board.rows):
        return _("Nobody is in the ranking.")
    if not step.rows:
        return _("The screens show the name of the contest.")
    first, last = step.rows[0].rank, step.rows[-1].rank
    if first == last:
        return _("The screens show place %(first)s.") % {"first": first}
    return _("The screens show places %(first)s to %(last)s.") % {"first": first, "last": last}


def _name_opponents(row: LeaderboardRow, board: Leaderboard, people: Mapping[UUID, str]) -> str:
    """Return against whom a place was decided by cutting cards; "" if it was not.

    Opponents who did better are left out: their places are announced later.
    """
    if row.decided_by != "cut":
        return ""
    figures = (row.total, row.margin)
    others = [
        format_entrant(other.number, people.get(other.entrant_id, ""))
        for other in board.rows
        if other.decided_by == "cut"
        and (other.total, other.margin) == figures
        and other.entrant_id != row.entrant_id
        and (other.rank or 0) >= (row.rank or 0)
    ]
    return _("Tied with %(who)s") % {"who": join_and(others)} if others else ""


def _format_total(total: int | None, contest: Contest, board: Leaderboard | None = None) -> str:
    if total is None:
        return ""
    return label_value(get_standings_headings(contest, board).total, show_total(contest.game, total))


def _needs_mention(award: AwardPresenter, entrants: Collection[UUID]) -> bool:
    """Whether there is more to say about a prize than the place that it is for."""
    prize = award.award.prize
    return bool(prize.name or prize.sponsor or prize.logo_id or award.outcome_text) or not _is_won_by(award, entrants)


def _is_won_by(award: AwardPresenter, entrants: Collection[UUID]) -> bool:
    return {winner.id for winner in award.winners} == set(entrants)
