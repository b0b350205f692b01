"""The script of the prize giving: what is said at the microphone, item by item, with what the screens show meanwhile.

- Every step of the reveal is an item. A prize for a place is announced with its place.
- Any other prize is an item of its own. It comes once every prize for a place that precedes it in the order of
  announcing has been announced; meanwhile the screens stay as they are.
- Names are full names: the page is for organisers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from scorekeeper.audience.reveals import RevealStep, RevealSteps, get_reveal_steps, list_reveal_steps
from scorekeeper.events.models import Contest, Event
from scorekeeper.live.selectors.screen import iterate_public_contests
from scorekeeper.players.selectors import format_entrant, get_full_names
from scorekeeper.prizes.selectors.awards import AwardNames, AwardPresenter, get_award_names, list_awards
from scorekeeper.standings.column_headings import get_standings_headings
from scorekeeper.standings.leaderboard import Leaderboard, LeaderboardRow
from scorekeeper.standings.wording import format_row_status

MANY_PEOPLE = 2
LONG_NAME = 36  # characters


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
        remark: how a tie for it was decided, or that it still has to be; "" where there is nothing to say.
    """

    title: str
    sponsor: str
    remark: str


@dataclass(frozen=True, slots=True)
class ScriptItem:
    """What is said until the next tap.

    Attributes:
        step: the step of the reveal that the screens show meanwhile.
        subject: what the heading belongs to: the contest, or what the prize is for.
        remark: one more sentence; "" for none.
    """

    step: int
    heading: str
    subject: str
    people: tuple[ScriptPerson, ...] = ()
    prizes: tuple[ScriptPrize, ...] = ()
    remark: str = ""

    @property
    def is_long(self) -> bool:
        """Whether it needs smaller letters to fit a tablet."""
        return len(self.people) > MANY_PEOPLE or any(len(person.people) > LONG_NAME for person in self.people)

    @property
    def summary(self) -> str:
        """The item in one line: "2nd place, Late run: Bike 57 (Ann, Bo)"."""
        title = ", ".join(filter(None, (self.heading, self.subject)))
        if not self.people:
            return title
        who = get_text_list([person.name for person in self.people], _("and"))
        return _("%(title)s: %(who)s") % {"title": title, "who": who}


@dataclass(frozen=True, slots=True)
class Script:
    """The script of a prize giving.

    Attributes:
        reveal: the reveal whose steps the items name.
        undecided: how many prizes still have no winner.
        open_contests: contests of the script whose standings can still change.
    """

    event: Event
    reveal: RevealSteps
    items: tuple[ScriptItem, ...]
    undecided: int
    open_contests: tuple[Contest, ...]

    def find_current(self, wanted: int | None = None) -> int:
        """Return the position of the item that is on the screens now, 0 for an empty script.

        Args:
            wanted: the position of the item to be shown, where several belong to the current step.
        """
        step = self.reveal.step or 0
        if wanted is not None and 0 <= wanted < len(self.items) and self.items[wanted].step == step:
            return wanted
        return next((position for position, item in enumerate(self.items) if item.step == step), 0)


def get_script(event: Event) -> Script:
    """Return the script of the reveal that is under way, or of one that would start now."""
    reveal, awards = get_reveal_steps(event, iterate_public_contests(event)), list_awards(event)
    steps, names = list_reveal_steps(reveal.results), get_award_names(event, get_full_names(event))
    at_steps: dict[int, list[AwardPresenter]] = {}
    after: dict[int, list[AwardPresenter]] = {}  # by the step after which they are announced; -1 for before the first
    last = -1
    for award in awards:
        number = _find_step(award, steps)
        if number is None:
            after.setdefault(last, []).append(award)
        else:
            at_steps.setdefault(number, []).append(award)
            last = max(last, number)
    items = [_present_award(award, 0) for award in after.get(-1, ())]
    for step in steps:
        items.append(_present_step(step, at_steps.get(step.number, ()), names))
        items += [_present_award(award, step.number) for award in after.get(step.number, ())]
    contests = [contest for contest, _board in reveal.results]
    return Script(
        event,
        reveal,
        tuple(items),
        undecided=sum(not award.is_decided for award in awards),
        open_contests=tuple(contest for contest in contests if contest.status == Contest.Status.OPEN),
    )


def _find_step(award: AwardPresenter, steps: Sequence[RevealStep]) -> int | None:
    """Return at which step a prize for a place is announced; None for any other prize, and outside of the reveal."""
    of_contest = [step for step in steps if step.contest == award.contest]
    place = award.award.prize.terms.place
    if not award.is_for_place or place is None or not of_contest:
        return None
    for step in of_contest:
        for row in step.rows:
            if row.rank is not None and row.rank <= place < row.rank + _count_tied(row, step.board):
                return step.number
    return of_contest[0].number  # nobody has the place


def _count_tied(row: LeaderboardRow, board: Leaderboard) -> int:
    return sum(other.rank == row.rank for other in board.rows)


def _present_step(step: RevealStep, awards: Iterable[AwardPresenter], names: AwardNames) -> ScriptItem:
    entrants = {row.entrant_id for row in step.rows}
    if step.is_first:
        # The rows below the first page are read out only if there is a prize among them.
        winners = {winner.id for award in awards for winner in award.winners}
        people = tuple(_present_row(row, step, names) for row in step.rows if row.entrant_id in winners)
        prizes = tuple(_present_prize(award, ()) for award in awards)
        return ScriptItem(step.number, step.contest.name, "", people, prizes, _describe_first_step(step))
    rank = ordinal(step.rows[0].rank)
    is_tied = step.rows[0].is_tied
    return ScriptItem(
        step.number,
        (_("%(ordinal)s place, tied") if is_tied else _("%(ordinal)s place")) % {"ordinal": rank},
        step.contest.name,
        tuple(_present_row(row, step, names) for row in step.rows),
        tuple(_present_prize(award, entrants) for award in awards if _needs_mention(award, entrants)),
    )


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


def _present_row(row: LeaderboardRow, step: RevealStep, names: AwardNames) -> ScriptPerson:
    contest, board = step.contest, step.board
    how = [_name_opponents(row, board, names.people), format_row_status(replace(row, chance=""), contest.game)]
    return ScriptPerson(
        row.number,
        names.people.get(row.entrant_id, ""),
        names.machines.get(row.entrant_id, ""),
        _format_total(row.total, contest, board),
        ". ".join(filter(None, how)),
    )


def _name_opponents(row: LeaderboardRow, board: Leaderboard, people: Mapping[UUID, str]) -> str:
    """Return against whom a place was decided by cutting cards; "" if it was not."""
    if row.decided_by != "cut":
        return ""
    figures = (row.total, row.margin)
    others = [
        format_entrant(other.number, people.get(other.entrant_id, ""))
        for other in board.rows
        if other.decided_by == "cut" and (other.total, other.margin) == figures and other.entrant_id != row.entrant_id
    ]
    return _("Tied with %(who)s") % {"who": get_text_list(others, _("and"))} if others else ""


def _format_total(total: int | None, contest: Contest, board: Leaderboard | None = None) -> str:
    if total is None:
        return ""
    return f"{get_standings_headings(contest, board).total}: {total}"


def _needs_mention(award: AwardPresenter, entrants: Collection[UUID]) -> bool:
    """Whether there is more to say about a prize than the place that it is for."""
    prize = award.award.prize
    return bool(prize.name or prize.sponsor or award.outcome_text) or not _is_won_by(award, entrants)


def _is_won_by(award: AwardPresenter, entrants: Collection[UUID]) -> bool:
    return {winner.id for winner in award.winners} == set(entrants)


def _present_prize(award: AwardPresenter, entrants: Collection[UUID]) -> ScriptPrize:
    """Return a prize for a place, with its winners unless they are those who have the place."""
    winners = "" if _is_won_by(award, entrants) else get_text_list([one.name for one in award.winners], _("and"))
    if entrants and not {winner.id for winner in award.winners} <= set(entrants):
        winners = _("By the current standings: %(who)s") % {"who": winners}
    return ScriptPrize(award.title, award.sponsor, ". ".join(filter(None, (winners, award.outcome_text))))


def _present_award(award: AwardPresenter, step: int) -> ScriptItem:
    people = tuple(
        ScriptPerson(one.number, one.people, one.machine, _format_total(one.total, award.contest), one.how)
        for one in award.winners
    )
    subject = [award.contest.name] if award.title == award.what_for else [award.what_for, award.contest.name]
    given = [_("Given by %(sponsor)s") % {"sponsor": award.sponsor}] if award.sponsor else []
    remark = ". ".join([*given, *filter(None, [award.outcome_text])])
    return ScriptItem(step, award.title, ", ".join(subject), people, (), remark)
