"""The awards of an event: as they are now, for organisers, and as they were published.

`list_awards` is what is announced: the published award of every contest that is official, and the current one of the
others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scorekeeper.audience.group_presenter import format_group_name, get_group_names
from scorekeeper.audience.visible_standings import is_result_public
from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import list_sheets
from scorekeeper.common.word_lists import join_and
from scorekeeper.events.models import Contest, Event
from scorekeeper.players.class_members import list_class_members
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import format_entrant, get_full_names
from scorekeeper.prizes.award import Award, Outcome
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.rules.award_rule import AwardCandidate
from scorekeeper.prizes.rules.rule_book import RULES
from scorekeeper.prizes.selectors.decisions import get_published_reasons
from scorekeeper.prizes.selectors.prize_lists import list_in_announced_order, list_prizes
from scorekeeper.prizes.selectors.revision_awards import compute_awards
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.standings.entrants import fold_contest
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.cuts import list_cuts
from scorekeeper.standings.selectors.reports import make_report


@dataclass(frozen=True, slots=True)
class AwardNames:
    """The names of everyone who can win, by id.

    Attributes:
        people: of each bike and player.
        machines: make and model of each bike.
        groups: the name of each group.
    """

    people: Mapping[UUID, str]
    machines: Mapping[UUID, str]
    groups: Mapping[UUID, str]


@dataclass(frozen=True, slots=True)
class WinnerPresenter:
    """A winner.

    Attributes:
        name: "Bike 57 (Ann, Bo)", the name of a player or of a group.
        number: of the bike; "" for others.
        people: who rides it, or the name of the player or group.
        machine: make and model of the bike; "" if they are not known.
        total: in the contest; None for a group, and for someone who is not in the ranking.
        how: how it was worked out, in one line; "" for a prize given by hand.
        figures: the same as plain data.
    """

    id: UUID
    name: str
    number: str
    people: str
    machine: str
    total: int | None
    how: str
    figures: Mapping[str, Any]


@dataclass(frozen=True)
class AwardPresenter:
    """An award with all its texts.

    Attributes:
        contest: the contest it belongs to, and with which it is published.
        winners: those who get it; while it is not decided, those who are tied for it.
        tied: among whom the organiser can choose.
        is_published: whether it comes from a revision.
        reason: why the organisers decided so, for everyone; "" where they did not, and if it is not public.
    """

    contest: Contest
    award: Award
    winners: tuple[WinnerPresenter, ...]
    tied: tuple[WinnerPresenter, ...]
    is_published: bool
    reason: str = ""

    @property
    def prize_id(self) -> UUID:
        """The id of the prize."""
        return self.award.prize.prize_id

    @property
    def sponsor(self) -> str:
        """Who gives the prize; "" if nobody is named."""
        return self.award.prize.sponsor

    @property
    def logo_url(self) -> str:
        """The URL of the sponsor's logo; "" if there is none, or if the event is a draft, which shows nothing."""
        logo_id, event = self.award.prize.logo_id, self.contest.event
        return reverse("prizes:logo", args=[event.slug, logo_id]) if logo_id and event.is_open else ""

    @cached_property
    def what_for(self) -> str:
        """What the prize is for: "Best roll at Parks"."""
        return self.award.prize.what_for

    @property
    def title(self) -> str:
        """The name of the prize, or what it is for if it has none."""
        return self.award.prize.name or self.what_for

    @property
    def subtitle(self) -> str:
        """What it is for, where it has another name; "" if the title says it."""
        return "" if self.title == self.what_for else self.what_for

    @property
    def outcome(self) -> str:
        """How it was decided, a value of `Outcome`."""
        return self.award.outcome.value

    @property
    def is_decided(self) -> bool:
        """Whether it is clear who gets it."""
        return self.award.is_decided

    @property
    def is_tied(self) -> bool:
        """Whether several are tied for it and somebody has to do something about it."""
        return self.award.outcome in (Outcome.TO_CUT, Outcome.TIED)

    @property
    def is_by_hand(self) -> bool:
        """Whether the organiser chooses who wins."""
        return self.award.prize.rule == "by_hand"

    @property
    def is_cut_by_hand(self) -> bool:
        """Whether those who are tied cut cards, and the organiser records who won."""
        return self.award.prize.terms.ties == Prize.Ties.CUT

    @property
    def needs_number(self) -> bool:
        """Whether the number that decides it is still to be drawn."""
        return self.award.prize.rule == "drawn_number" and self.award.prize.terms.number_drawn is None

    @property
    def is_for_place(self) -> bool:
        """Whether it is for a place in the whole contest."""
        return self.award.prize.is_for_place

    @property
    def class_id(self) -> UUID | None:
        """The class that it is for; None for everyone."""
        return None if self.award.prize.event_class is None else self.award.prize.event_class.id

    @property
    def place(self) -> float:
        """The place that it is for; infinity for a special prize, which comes after all places."""
        place = self.award.prize.terms.place if self.is_for_place else None
        return math.inf if place is None else place

    @property
    def outcome_text(self) -> str:
        """How it was decided, in words; "" where the figures say it."""
        if self.award.outcome == Outcome.CHOICE and len(self.winners) > 1:
            return _("Shared, as decided by the organisers")
        if self.award.outcome == Outcome.NOBODY and self.is_published:
            return pgettext("winner of a prize", "Nobody")
        if self.award.outcome == Outcome.TIED and self.award.prize.terms.ties == Prize.Ties.CUT:
            who = join_and([winner.number or winner.people for winner in self.winners])
            return _("To be decided: cut cards between %(who)s") % {"who": who}
        return {
            Outcome.NOBODY: pgettext("winner of a prize", "Nobody yet"),
            Outcome.CHOICE: _("Decided by the organisers"),
            Outcome.FIRST: _("Tied, and recorded first"),
            Outcome.SHARED: _("Tied, so it is shared"),
            Outcome.TO_CUT: _("Tied: cards to be cut"),
            Outcome.TIED: _("Tied: not decided yet"),
        }.get(self.award.outcome, "")

    @property
    def decision_text(self) -> str:
        """The same with the reason of the organisers."""
        if not self.reason:
            return self.outcome_text
        return _("%(decided)s: %(reason)s") % {"decided": self.outcome_text, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class AwardTie:
    """Several who are tied, with all prizes that they are tied for: three in the first place are for three places.

    Attributes:
        awards: one or more, of one contest; for a prize that is for no place always one.
    """

    awards: tuple[AwardPresenter, ...]

    @property
    def contest(self) -> Contest:
        """The contest of the prizes."""
        return self.awards[0].contest

    @property
    def winners(self) -> tuple[WinnerPresenter, ...]:
        """Those who are tied."""
        return self.awards[0].winners

    @property
    def is_for_place(self) -> bool:
        """Whether cutting cards for the place decides it, in the contest or in a class."""
        return self.awards[0].award.prize.rule == "place"

    @property
    def title(self) -> str:
        """The titles of the prizes."""
        return ", ".join(award.title for award in self.awards)


def list_award_ties(awards: Iterable[AwardPresenter]) -> list[AwardTie]:
    """Return the ties that somebody has to do something about: those for places as the page of the ties has them."""
    found: dict[object, list[AwardPresenter]] = {}
    for award in awards:
        if award.is_tied:
            tied = frozenset(winner.id for winner in award.winners)
            is_for_place = award.award.prize.rule == "place"
            key = (award.contest.pk, award.class_id, tied) if is_for_place else award.prize_id
            found.setdefault(key, []).append(award)
    return [AwardTie(tuple(of_one)) for of_one in found.values()]


def count_undecided_prizes(contest: Contest) -> int:
    """Return for how many prizes that are for no place several are tied, until the organiser decides."""
    if not contest.prize_list.exists():
        return 0
    return sum(award.outcome == Outcome.TIED for award in compute_current_awards(contest))


def list_awards(event: Event) -> list[AwardPresenter]:
    """Return the prizes of an event in the order of announcing, the last announced last, with full names.

    Those of official contests are as published; a prize that was added later is missing until the next revision. Those
    of other contests are as they are now.
    """
    return _list_awards(event, get_award_names(event, get_full_names(event)), prefers_published=True)


def preview_awards(event: Event) -> list[AwardPresenter]:
    """Return the same from the current log, whatever was published, for organisers.

    They come as they are announced: from the last place to the first, and the others at their positions among them.
    """
    awards = _list_awards(event, get_award_names(event, get_full_names(event)), prefers_published=False)
    found = {award.prize_id: award for award in awards}
    return [found[prize.pk] for prize in list_in_announced_order(event) if prize.pk in found]


def list_published_awards(contest: Contest, people: Mapping[UUID, str]) -> list[AwardPresenter]:
    """Return the awards of an official contest as its last revision froze them; nothing before.

    Args:
        people: the names of each bike or player.
    """
    awards = _read_published([contest]).get(contest.pk, []) if contest.status == Contest.Status.OFFICIAL else []
    if not awards:
        return []
    names = get_award_names(contest.event, people)
    return [present_award(contest, award, names, is_published=True, reason=reason) for award, reason in awards]


def list_audience_awards(contest: Contest, people: Mapping[UUID, str]) -> list[AwardPresenter]:
    """Return the published awards that the audience may see: nothing while the event's standings are frozen.

    Who won a prize by a rule is in no leaderboard, so the reveal of places does not announce it.

    Args:
        people: the names of each bike or player.
    """
    return list_published_awards(contest, people) if is_result_public(contest) else []


def list_organiser_awards(contest: Contest, people: Mapping[UUID, str]) -> list[AwardPresenter]:
    """Return the awards of a contest as its organisers see them: published ones, or else those of now.

    Args:
        people: the full names of each bike or player.
    """
    if contest.status == Contest.Status.OFFICIAL:
        return list_published_awards(contest, people)
    names = get_award_names(contest.event, people)
    return [present_award(contest, award, names, is_published=False) for award in compute_current_awards(contest)]


def list_published_awards_of(
    event: Event, contests: Sequence[Contest], people: Mapping[UUID, str]
) -> list[tuple[Contest, list[AwardPresenter]]]:
    """Return what was published of several official contests of an event, in a fixed number of statements.

    Contests without prizes are left out.

    Args:
        people: the names of each bike or player.
    """
    published = _read_published(contests)
    if not any(published.values()):
        return []
    names = get_award_names(event, people)
    return [
        (
            contest,
            [
                present_award(contest, award, names, is_published=True, reason=reason)
                for award, reason in published[contest.pk]
            ],
        )
        for contest in contests
        if published.get(contest.pk)
    ]


def get_award_names(event: Event, people: Mapping[UUID, str]) -> AwardNames:
    """Return the names of everyone at an event who can win."""
    bikes = Bike.entrants.filter(event=event).values_list("pk", "sheet_of", "make", "model")
    described = {pk: " ".join(filter(None, (make, model))) for pk, _sheet_of, make, model in bikes}
    machines = {pk: described[sheet_of or pk] for pk, sheet_of, _make, _model in bikes}
    return AwardNames(people, machines, get_group_names(event))


def present_award(
    contest: Contest, award: Award, names: AwardNames, *, is_published: bool, reason: str = ""
) -> AwardPresenter:
    """Return an award with its texts."""
    winners, tied = (
        tuple(_present_winner(contest, award, winner, names) for winner in found)
        for found in (award.winners, award.open_to)
    )
    return AwardPresenter(contest, award, winners, tied, is_published, reason)


def _present_winner(contest: Contest, award: Award, winner: AwardCandidate, names: AwardNames) -> WinnerPresenter:
    rule = RULES[award.prize.rule]
    how = rule.explain(winner.figures, contest) if winner.figures else ""
    if rule.is_for_groups:
        group = format_group_name(names.groups, winner.id)
        return WinnerPresenter(winner.id, group, "", group, "", winner.total, how, winner.figures)
    people = names.people.get(winner.id, "")
    return WinnerPresenter(
        winner.id,
        format_entrant(winner.number, people),
        winner.number,
        people,
        names.machines.get(winner.id, ""),
        winner.total,
        how,
        winner.figures,
    )


def _list_awards(event: Event, names: AwardNames, *, prefers_published: bool) -> list[AwardPresenter]:
    prizes = list(list_prizes(event))
    contests = {contest.pk: contest for contest in event.contests.filter(prize_list__in=prizes).distinct()}
    official = [contest for contest in contests.values() if contest.status == Contest.Status.OFFICIAL]
    published = _read_published(official) if prefers_published else {}
    found: dict[UUID, AwardPresenter] = {}
    for contest in contests.values():
        contest.event = event
        is_published = prefers_published and contest in official
        awards = published.get(contest.pk, ()) if is_published else _list_current(contest)
        for award, reason in awards:
            shown = present_award(contest, award, names, is_published=is_published, reason=reason)
            found[award.prize.prize_id] = shown
    return [found[prize.pk] for prize in prizes if prize.pk in found]


def compute_current_awards(contest: Contest) -> Sequence[Award]:
    """Return the awards of a contest from its current log, in the order of announcing."""
    folded = fold_contest(get_contest_rules(contest.pk))
    cuts = [] if contest.status == Contest.Status.OPEN else list_cuts(contest.pk)
    return compute_awards(contest, folded, make_report(folded, cuts))


def _list_current(contest: Contest) -> Sequence[tuple[Award, str]]:
    """Return the awards from the current log without reasons: nothing is public yet."""
    return [(award, "") for award in compute_current_awards(contest)]


def _read_published(contests: Sequence[Contest]) -> Mapping[UUID, Sequence[tuple[Award, str]]]:
    """Return the awards of each contest’s last revision with their public reasons, in at most two statements."""
    if not contests:
        return {}
    revisions = Revision.objects.filter(contest__in=contests).order_by("contest", "number")
    awards: dict[UUID, list[Award]] = {}
    lengths: dict[UUID, int] = {}
    for contest_id, data, chains in revisions.values_list("contest_id", "awards", "chains"):
        awards[contest_id] = [Award.from_data(award) for award in data or ()]
        # The chain may have later decisions by now, which belong to the next revision.
        lengths[contest_id] = next(length for chain, length, _head in chains if chain == str(contest_id))
    has_decisions = any(award.outcome == Outcome.CHOICE for found in awards.values() for award in found)
    reasons = get_published_reasons(lengths) if has_decisions else {}

    def get_reason(award: Award) -> str:
        return reasons.get(award.prize.prize_id, "") if award.outcome == Outcome.CHOICE else ""

    return {contest_id: [(award, get_reason(award)) for award in found] for contest_id, found in awards.items()}


def sort_by_importance(awards: Iterable[AwardPresenter]) -> list[AwardPresenter]:
    """Return awards as people read them, the first place first: the reverse of the order in which they are announced.

    The prizes for places come first, the best place on top. The others follow, the last announced first.
    """
    last_first = list(awards)[::-1]
    return sorted(last_first, key=lambda award: award.place)


def list_possible_winners(contest: Contest, class_id: UUID | None = None) -> list[tuple[UUID, str]]:
    """Return who can be given a prize of a contest by hand, with full names: its bikes by number, or its players.

    Args:
        class_id: the class that the prize is for; None for everyone.
    """
    people = get_full_names(contest.event, contest)
    if contest.seats_are == Contest.SeatsAre.BIKES:
        sheets = list_sheets(contest)
        found = [(sheet.pk, format_entrant(sheet.label, people.get(sheet.pk, ""))) for sheet in sheets]
    else:
        players = Player.objects.filter(event_id=contest.event_id).order_by("name")
        found = [(player.pk, player.name) for player in players]
    members = None if class_id is None else frozenset(list_class_members(contest).get(class_id, ()))
    return [one for one in found if members is None or one[0] in members]
