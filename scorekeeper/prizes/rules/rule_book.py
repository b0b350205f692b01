"""The rules by which prizes are won: pure functions of what the log says.

Invariants:
- A rule returns everyone who is tied for the prize. Who of them gets it is decided afterwards.
- Retired seats and missed turns win nothing by being missed: where fewer points win, they do not count.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from uuid import UUID

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.events.event_times import format_time
from scorekeeper.events.models import Contest, Event
from scorekeeper.prizes.rules.award_rule import AwardCandidate, AwardResult, AwardRule, Figures, pick_best
from scorekeeper.prizes.rules.facts import AwardEntrant, AwardFacts, AwardTerms
from scorekeeper.standings.group_ranking import make_group_ranking
from scorekeeper.standings.group_scores import GroupRule
from scorekeeper.standings.place_history import rank_after
from scorekeeper.standings.wording import format_playing_card, round_mean

SIX = 6


class Place(AwardRule):
    """Won by whoever has a place."""

    key = "place"

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return those who have the place, or share it."""
        place = terms.place or 1
        taken = max((entrant.rank for entrant in facts.entrants if entrant.rank <= place), default=0)
        there = [entrant for entrant in facts.entrants if entrant.rank == taken]
        if place >= taken + len(there):  # fewer are in the ranking
            return AwardResult()
        is_tied = len(there) > 1
        can_cut = facts.cuts_cards and not any(entrant.status == "retired" for entrant in there)
        return AwardResult(
            tuple(
                AwardCandidate.from_entrant(entrant, total=entrant.total, cards=list(entrant.cards))
                for entrant in there
            ),
            is_cut=not is_tied and bool(there[0].cards),
            waits_for_cards=is_tied and can_cut,
            is_shared=is_tied and not can_cut,
        )

    def describe(self, terms: AwardTerms) -> str:
        """Return the place: "1st place"."""
        return _("%(ordinal)s place") % {"ordinal": ordinal(terms.place or 1)}

    def explain(self, figures: Figures, event: Event) -> str:
        """Return the total, and the cards that were cut."""
        if not figures["cards"]:
            return _("Total %(total)s") % {"total": figures["total"]}
        cards = _(", then ").join(format_playing_card(card) for card in figures["cards"])
        return _("Total %(total)s, cut cards: %(cards)s") % {"total": figures["total"], "cards": cards}


class FirstToFinish(AwardRule):
    """Won by whoever had every turn recorded first."""

    key = "first_to_finish"
    needs_turns = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever finished first; who missed a turn or retired did not finish."""
        finished = [
            (_get_finish(entrant), entrant)
            for entrant in facts.entrants
            if facts.turns_per_card
            and entrant.status != "retired"
            and sum(not turn.is_missed for turn in entrant.turns) == facts.turns_per_card
        ]
        earliest = min((finish for finish, _entrant in finished), default=None)
        return AwardResult(
            tuple(
                AwardCandidate.from_entrant(
                    entrant, at=finish.astimezone(dt.UTC).isoformat(), turns=facts.turns_per_card
                )
                for finish, entrant in finished
                if finish == earliest
            )
        )

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return _("First to finish")

    def explain(self, figures: Figures, event: Event) -> str:
        """Return when the last turn was recorded."""
        text = ngettext(
            "%(count)s turn recorded by %(time)s", "All %(count)s turns recorded by %(time)s", figures["turns"]
        )
        time = format_time(dt.datetime.fromisoformat(figures["at"]), event)
        return text % {"count": figures["turns"], "time": time}


def _get_finish(entrant: AwardEntrant) -> dt.datetime:
    return max(turn.recorded_at for turn in entrant.turns)


class MostSixes(AwardRule):
    """Won by the most sixes; at least one is needed."""

    key = "most_sixes"
    needs_turns = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever has the most sixes."""
        best = pick_best([entrant for entrant in facts.entrants if _count_sixes(entrant)], _count_sixes)
        return AwardResult(
            tuple(
                AwardCandidate.from_entrant(entrant, sixes=_count_sixes(entrant), turns=_count_rolled(entrant))
                for entrant in best
            )
        )

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return _("Most sixes")

    def explain(self, figures: Figures, event: Event) -> str:
        """Return how many sixes there were, and over how many turns."""
        sixes = ngettext("%(count)s six", "%(count)s sixes", figures["sixes"]) % {"count": figures["sixes"]}
        turns = ngettext("%(count)s turn", "%(count)s turns", figures["turns"]) % {"count": figures["turns"]}
        return _("%(sixes)s over %(turns)s") % {"sixes": sixes, "turns": turns}


def _count_sixes(entrant: AwardEntrant) -> int:
    return sum(die == SIX for turn in entrant.turns for die in turn.dice)


def _count_rolled(entrant: AwardEntrant) -> int:
    return sum(not turn.is_missed for turn in entrant.turns)


class BestRoll(AwardRule):
    """Won by the best single turn."""

    key = "best_roll"
    needs_turns = True
    uses_stop = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever scored the most with one turn; turns that were missed do not count."""
        turns = [
            (entrant, turn)
            for entrant in facts.entrants
            for turn in entrant.turns
            if not turn.is_missed and (not terms.ordinals or turn.ordinal in terms.ordinals)
        ]
        sign = -1 if facts.lowest_wins else 1
        best = pick_best(turns, lambda pair: sign * pair[1].points)
        found: dict[UUID, AwardCandidate] = {}
        for entrant, turn in best:
            found.setdefault(
                entrant.entrant_id,
                AwardCandidate.from_entrant(
                    entrant, points=turn.points, stop=turn.stop, turn=turn.ordinal, dice=list(turn.dice)
                ),
            )
        return AwardResult(tuple(found.values()))

    def describe(self, terms: AwardTerms) -> str:
        """Return where the roll counts."""
        return _("Best roll at %(stop)s") % {"stop": terms.stop} if terms.stop else _("Best roll of the ride")

    def explain(self, figures: Figures, event: Event) -> str:
        """Return the points, where they were rolled, and the dice."""
        text = ngettext("%(points)s point at %(stop)s", "%(points)s points at %(stop)s", figures["points"])
        roll = text % {"points": figures["points"], "stop": figures["stop"]}
        if not figures["dice"]:
            return roll
        return _("%(roll)s with %(dice)s") % {"roll": roll, "dice": " ".join(map(str, figures["dice"]))}


class LowestCard(AwardRule):
    """Won by the worst finished scorecard."""

    key = "lowest_card"

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever has the worst total and played every turn."""
        sign = 1 if facts.lowest_wins else -1
        finished = [
            entrant
            for entrant in facts.entrants
            if entrant.status == "done" and not any(turn.is_missed for turn in entrant.turns)
        ]
        worst = pick_best(finished, lambda entrant: sign * entrant.total)
        return AwardResult(
            tuple(AwardCandidate.from_entrant(entrant, total=entrant.total, cards=len(finished)) for entrant in worst)
        )

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return _("Lowest scorecard")

    def explain(self, figures: Figures, event: Event) -> str:
        """Return the total, and how many scorecards it was compared with."""
        if figures["cards"] == 1:
            return _("Total %(total)s, on the only finished scorecard") % {"total": figures["total"]}
        return _("Total %(total)s, the lowest of %(count)s finished scorecards") % {
            "total": figures["total"],
            "count": figures["cards"],
        }


class MostImproved(AwardRule):
    """Won by whoever gained the most places; at least one."""

    key = "most_improved"
    needs_turns = True
    uses_stop = True
    requires_stop = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever gained the most places since the stop."""
        if not terms.ordinals:
            return AwardResult()
        before = _rank_after(facts, max(terms.ordinals))
        improved = [
            (before[entrant.entrant_id] - entrant.rank, entrant)
            for entrant in facts.entrants
            if before.get(entrant.entrant_id, 0) > entrant.rank
        ]
        return AwardResult(
            tuple(
                AwardCandidate.from_entrant(
                    entrant,
                    gained=gained,
                    before=before[entrant.entrant_id],
                    rank=entrant.rank,
                    stop=terms.stop,
                )
                for gained, entrant in pick_best(improved, lambda pair: pair[0])
            )
        )

    def describe(self, terms: AwardTerms) -> str:
        """Return since when places count."""
        return _("Most places gained since %(stop)s") % {"stop": terms.stop}

    def explain(self, figures: Figures, event: Event) -> str:
        """Return the places then and now."""
        gained = ngettext("Up %(count)s place", "Up %(count)s places", figures["gained"]) % {"count": figures["gained"]}
        params = {
            "gained": gained,
            "before": ordinal(figures["before"]),
            "stop": figures["stop"],
            "rank": ordinal(figures["rank"]),
        }
        return _("%(gained)s: %(before)s after %(stop)s, %(rank)s at the end") % params


def _rank_after(facts: AwardFacts, last: int) -> dict[UUID, int]:
    """Return the places by the points of the turns up to this one, of everyone who had rolled one of them."""
    rolled = {
        entrant.entrant_id: {turn.ordinal: turn.points for turn in entrant.turns if not turn.is_missed}
        for entrant in facts.entrants
    }
    places = rank_after(rolled, last, lowest_wins=facts.lowest_wins)
    return {entrant: place.rank for entrant, place in places.items()}


class BestGroup(AwardRule):
    """Won by a group."""

    key = "best_group"
    is_for_groups = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return the groups in the first place, which is that of the group standings with the same rule.

        The sum of the best few ranks groups as their mean does.
        """
        board = make_group_ranking(GroupRule(terms.best_of or 0, facts.lowest_wins), facts.entrants, facts.groups)
        return AwardResult(
            tuple(
                AwardCandidate(
                    row.group_id,
                    "",
                    None,
                    {"points": row.score.points, "counted": row.score.counted, "members": row.score.size},
                )
                for row in board.rows
                if row.score.rank == 1
            )
        )

    def describe(self, terms: AwardTerms) -> str:
        """Return what is compared."""
        if terms.best_of is None:
            return _("Best group, by the mean of all totals")
        text = ngettext("Best group, by its best total", "Best group, by its best %(count)s totals", terms.best_of)
        return text % {"count": terms.best_of}

    def explain(self, figures: Figures, event: Event) -> str:
        """Return the sum and the mean, as the group standings show one of them, and what they are made of."""
        mean = number_format(round_mean(figures["points"], figures["counted"]), 2)
        params = {"mean": mean, **figures}
        if figures["counted"] == figures["members"]:
            return (
                ngettext(
                    "Sum of %(counted)s total: %(points)s, mean %(mean)s",
                    "Sum of %(counted)s totals: %(points)s, mean %(mean)s",
                    figures["counted"],
                )
                % params
            )
        return _("Sum of the best %(counted)s of %(members)s totals: %(points)s, mean %(mean)s") % params


class ByHand(AwardRule):
    """Won by whomever the organiser chooses, for a reason."""

    key = "by_hand"

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return nobody: no figure decides it."""
        return AwardResult()

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return _("Chosen by the organisers")

    def explain(self, figures: Figures, event: Event) -> str:
        """Return nothing: the reason is in the log, for organisers."""
        return ""


RULES: Mapping[str, AwardRule] = {
    rule.key: rule
    for rule in (
        Place(),
        BestRoll(),
        MostSixes(),
        LowestCard(),
        MostImproved(),
        BestGroup(),
        FirstToFinish(),
        ByHand(),
    )
}


def fits_contest(rule: AwardRule, contest: Contest) -> bool:
    """Return whether prizes of a contest can be won by a rule."""
    return not rule.needs_turns or contest.game.slot_option is not None
