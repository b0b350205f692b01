"""The rules by which prizes are won: pure functions of what the log says.

Invariants:
- A rule returns everyone who is tied for the prize. Who of them gets it is decided afterwards.
- Retired seats and missed turns win nothing by being missed: where fewer points win, they do not count.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar
from uuid import UUID

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from scorekeeper.common.game_adapter import show_total
from scorekeeper.common.number_wording import format_ordinal_place
from scorekeeper.events.event_times import format_time
from scorekeeper.events.models import Contest
from scorekeeper.prizes.rules.award_rule import AwardCandidate, AwardResult, AwardRule, Figures, WonBy, pick_best
from scorekeeper.prizes.rules.facts import AwardEntrant, AwardFacts, AwardTerms
from scorekeeper.standings.group_ranking import make_group_ranking
from scorekeeper.standings.group_scores import GroupRule
from scorekeeper.standings.place_history import rank_after
from scorekeeper.standings.wording import format_playing_card, round_mean

SIX = 6


class Place(AwardRule):
    """Won by whoever has a place."""

    key = "place"
    tells_result = True

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
        return _("%(ordinal)s place") % {"ordinal": format_ordinal_place(terms.place or 1)}

    def explain(self, figures: Figures, contest: Contest) -> str:
        """Return the total, and the cards that were cut."""
        total = _name_total(figures["total"], contest)
        if not figures["cards"]:
            return total
        cards = _(", then ").join(format_playing_card(card) for card in figures["cards"])
        return _("%(total)s, cut cards: %(cards)s") % {"total": total, "cards": cards}


def _name_total(total: int, contest: Contest) -> str:
    """Return a total in words: "Total 87", or the name of a hand."""
    shown = show_total(contest.game, total)
    return _("Total %(total)s") % {"total": shown} if shown == total else str(shown)


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

    def explain(self, figures: Figures, contest: Contest) -> str:
        """Return when the last turn was recorded."""
        text = ngettext(
            "%(count)s turn recorded by %(time)s", "All %(count)s turns recorded by %(time)s", figures["turns"]
        )
        time = format_time(dt.datetime.fromisoformat(figures["at"]), contest.event)
        return text % {"count": figures["turns"], "time": time}


def _get_finish(entrant: AwardEntrant) -> dt.datetime:
    return max(turn.recorded_at for turn in entrant.turns)


class MostSixes(AwardRule):
    """Won by the most sixes; at least one is needed. New prizes have `MostOfFace`, of which this is a part."""

    key = "most_sixes"
    is_offered = False
    needs_turns = True
    counts_faces = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever has the most sixes."""
        return AwardResult(
            tuple(
                AwardCandidate.from_entrant(entrant, sixes=count, turns=_count_rolled(entrant))
                for count, entrant in _list_with_most(facts, SIX)
            )
        )

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return _("Most sixes")

    def explain(self, figures: Figures, contest: Contest) -> str:
        """Return how many sixes there were, and over how many turns."""
        sixes = ngettext("%(count)s six", "%(count)s sixes", figures["sixes"]) % {"count": figures["sixes"]}
        return _("%(sixes)s over %(turns)s") % {"sixes": sixes, "turns": _format_turns(figures["turns"])}


class MostOfFace(AwardRule):
    """Won by the most dice of one face; at least one is needed.

    The dice of the throw that a turn was worth count, not those of throws before it.
    """

    key = "most_of_face"
    needs_turns = True
    counts_faces = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever has the most."""
        face = terms.face or SIX
        return AwardResult(
            tuple(
                AwardCandidate.from_entrant(entrant, face=face, dice=count, turns=_count_rolled(entrant))
                for count, entrant in _list_with_most(facts, face)
            )
        )

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return _("Most dice showing %(face)s") % {"face": terms.face or SIX}

    def explain(self, figures: Figures, contest: Contest) -> str:
        """Return how many there were, and over how many turns."""
        text = ngettext("%(count)s die showing %(face)s", "%(count)s dice showing %(face)s", figures["dice"])
        dice = text % {"count": figures["dice"], "face": figures["face"]}
        return _("%(dice)s over %(turns)s") % {"dice": dice, "turns": _format_turns(figures["turns"])}


def _list_with_most(facts: AwardFacts, face: int) -> list[tuple[int, AwardEntrant]]:
    """Return those who rolled a face most often, each with how often; nobody if it was never rolled."""
    counts = [(sum(die == face for turn in entrant.turns for die in turn.dice), entrant) for entrant in facts.entrants]
    return pick_best([pair for pair in counts if pair[0]], lambda pair: pair[0])


def _count_rolled(entrant: AwardEntrant) -> int:
    return sum(not turn.is_missed for turn in entrant.turns)


def _format_turns(turns: int) -> str:
    return ngettext("%(count)s turn", "%(count)s turns", turns) % {"count": turns}


class BestRoll(AwardRule):
    """Won by the best single turn."""

    key = "best_roll"
    needs_turns = True
    compares_turns = True
    uses_stop = True
    is_worst: ClassVar[bool] = False

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever scored the most with one turn; turns that were missed do not count."""
        turns = [
            (entrant, turn)
            for entrant in facts.entrants
            for turn in entrant.turns
            if not turn.is_missed and (not terms.ordinals or turn.ordinal in terms.ordinals)
        ]
        sign = -1 if facts.lowest_wins != self.is_worst else 1
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
        return _("Best roll at %(stop)s") % {"stop": terms.stop} if terms.stop else _("Best roll at any stop")

    def explain(self, figures: Figures, contest: Contest) -> str:
        """Return the points, where they were rolled, and the dice."""
        text = ngettext("%(points)s point at %(stop)s", "%(points)s points at %(stop)s", figures["points"])
        roll = text % {"points": figures["points"], "stop": figures["stop"]}
        if not figures["dice"]:
            return roll
        return _("%(roll)s with %(dice)s") % {"roll": roll, "dice": " ".join(map(str, figures["dice"]))}

    def get_recording_time(self, entrant: AwardEntrant, figures: Figures) -> dt.datetime | None:
        """Return when the turn was recorded."""
        return next((turn.recorded_at for turn in entrant.turns if turn.ordinal == figures["turn"]), None)


class WorstRoll(BestRoll):
    """Won by the worst single turn; a missed one is none."""

    key = "worst_roll"
    is_worst = True

    def describe(self, terms: AwardTerms) -> str:
        """Return where the roll counts."""
        return _("Worst roll at %(stop)s") % {"stop": terms.stop} if terms.stop else _("Worst roll at any stop")


class HighestTotal(AwardRule):
    """Won by the highest total, whichever total wins the contest."""

    key = "highest_total"
    won_by = "highest"
    compares_totals = True
    tells_result = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever has the highest total. A card with a missed turn that is worth points does not take part."""
        return _compare_totals(_list_eligible(facts), lambda entrant: entrant.total)

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return _("Highest total")

    def explain(self, figures: Figures, contest: Contest) -> str:
        """Return the total, and how many it was compared with."""
        text = ngettext(
            "Total %(total)s, on the only scorecard", "Total %(total)s, the highest of %(count)s", figures["cards"]
        )
        return text % {"total": figures["total"], "count": figures["cards"]}


class LowestTotal(AwardRule):
    """Won by the lowest total of the finished scorecards, whichever total wins the contest."""

    key = "lowest_total"
    won_by: ClassVar[WonBy] = "lowest"
    compares_totals = True
    tells_result = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever has the lowest total and played every turn."""
        return _compare_totals(_list_finished(facts), lambda entrant: -entrant.total)

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return _("Lowest total")

    def explain(self, figures: Figures, contest: Contest) -> str:
        """Return the total, and how many finished scorecards it was compared with."""
        if figures["cards"] == 1:
            return _("Total %(total)s, on the only finished scorecard") % {"total": figures["total"]}
        return _("Total %(total)s, the lowest of %(count)s finished scorecards") % {
            "total": figures["total"],
            "count": figures["cards"],
        }


class LowestCard(LowestTotal):
    """Won by the worst finished scorecard: the highest total where the lowest wins.

    Events from before there was a choice of totals have it. New prizes have the highest or the lowest total instead.
    """

    key = "lowest_card"
    is_offered = False
    won_by = ""

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever has the worst total and played every turn."""
        if not facts.lowest_wins:
            return super().judge(facts, terms)
        return _compare_totals(_list_finished(facts), lambda entrant: entrant.total)

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return pgettext("the worst one, whichever total wins", "Lowest scorecard")


class BestHand(AwardRule):
    """Won by the best hand, whichever hand wins the contest. Hands are compared as the contest counts them."""

    key = "best_hand"
    won_by: ClassVar[WonBy] = "highest"
    compares_hands = True
    tells_result = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever has the best hand."""
        return _compare_totals(_list_eligible(facts), lambda entrant: entrant.total)

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return _("Best hand")

    def explain(self, figures: Figures, contest: Contest) -> str:
        """Return the name of the hand."""
        return _name_total(figures["total"], contest)


class WorstHand(BestHand):
    """Won by the worst hand with all its cards: missing turns would win it."""

    key = "worst_hand"
    won_by = "lowest"

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return whoever has the worst hand and missed no turn. Cards that can still be bought are not waited for."""
        complete = [
            entrant
            for entrant in facts.entrants
            if entrant.status != "retired"
            and len(entrant.turns) == facts.turns_per_card
            and not any(turn.is_missed for turn in entrant.turns)
        ]
        return _compare_totals(complete, lambda entrant: -entrant.total)

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return _("Worst hand")


class DrawnNumber(AwardRule):
    """Won by whoever has the number that the club draws as the total of the scorecard."""

    key = "drawn_number"
    compares_totals = True
    tells_result = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return everyone with exactly that total; nobody before the draw."""
        found = [one for one in facts.entrants if one.status != "retired" and one.total == terms.number_drawn]
        return AwardResult(tuple(AwardCandidate.from_entrant(one, number=one.total) for one in found))

    def describe(self, terms: AwardTerms) -> str:
        """Return which numbers are drawn from, or which one was."""
        if terms.number_drawn is not None:
            return _("Total of %(number)s, the number drawn") % {"number": terms.number_drawn}
        return _("A total that is drawn, from %(from)s to %(to)s") % {"from": terms.number_from, "to": terms.number_to}

    def explain(self, figures: Figures, contest: Contest) -> str:
        """Return the number."""
        return _("Total %(total)s, the number drawn") % {"total": figures["number"]}


def _list_eligible(facts: AwardFacts) -> list[AwardEntrant]:
    """Return whose totals can be the highest: not those of the retired, nor with points for a missed turn."""
    return [
        entrant
        for entrant in facts.entrants
        if entrant.status != "retired" and not any(turn.is_missed and turn.points for turn in entrant.turns)
    ]


def _list_finished(facts: AwardFacts) -> list[AwardEntrant]:
    """Return whose totals can be the lowest: those who played every turn."""
    return [
        entrant
        for entrant in facts.entrants
        if entrant.status == "done" and not any(turn.is_missed for turn in entrant.turns)
    ]


def _compare_totals(entrants: Sequence[AwardEntrant], get_score: Callable[[AwardEntrant], int]) -> AwardResult:
    best = pick_best(entrants, get_score)
    return AwardResult(
        tuple(AwardCandidate.from_entrant(entrant, total=entrant.total, cards=len(entrants)) for entrant in best)
    )


class MostImproved(AwardRule):
    """Won by whoever gained the most places; at least one."""

    key = "most_improved"
    needs_turns = True
    compares_turns = True
    uses_stop = True
    requires_stop = True
    tells_result = True

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

    def explain(self, figures: Figures, contest: Contest) -> str:
        """Return the places then and now."""
        gained = ngettext("Up %(count)s place", "Up %(count)s places", figures["gained"]) % {"count": figures["gained"]}
        params = {
            "gained": gained,
            "before": format_ordinal_place(figures["before"]),
            "stop": figures["stop"],
            "rank": format_ordinal_place(figures["rank"]),
        }
        return _("%(gained)s: %(before)s after %(stop)s, %(rank)s at the end") % params


def _rank_after(facts: AwardFacts, last: int) -> dict[UUID, int]:
    """Return the places by the turns up to this one, of everyone who had rolled one of them."""
    turns = {
        entrant.entrant_id: {turn.ordinal: turn.to_result() for turn in entrant.turns} for entrant in facts.entrants
    }
    places = rank_after(turns, last, facts.ruleset)
    return {entrant: place.rank for entrant, place in places.items()}


class BestGroup(AwardRule):
    """Won by a group."""

    key = "best_group"
    compares_totals = True
    is_for_groups = True
    tells_result = True

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return the groups in the first place, which is that of the group standings with the same rule.

        The sum of the best few ranks groups as their mean does.
        """
        if facts.ruleset.why_no_groups is not None:
            return AwardResult()
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

    def explain(self, figures: Figures, contest: Contest) -> str:
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
        text = ngettext(
            "Sum of the best %(counted)s of %(members)s totals: %(points)s, mean %(mean)s",
            "Sum of the best %(counted)s of %(members)s totals: %(points)s, mean %(mean)s",
            figures["counted"],
        )
        return text % params


class ByHand(AwardRule):
    """Won by whomever the organiser chooses, for a reason."""

    key = "by_hand"

    def judge(self, facts: AwardFacts, terms: AwardTerms) -> AwardResult:
        """Return nobody: no figure decides it."""
        return AwardResult()

    def describe(self, terms: AwardTerms) -> str:
        """Return what it is for."""
        return _("Chosen by the organisers")

    def explain(self, figures: Figures, contest: Contest) -> str:
        """Return nothing: the organisers’ reason says why."""
        return ""


RULES: Mapping[str, AwardRule] = {
    rule.key: rule
    for rule in (
        Place(),
        BestRoll(),
        WorstRoll(),
        MostSixes(),
        MostOfFace(),
        HighestTotal(),
        LowestTotal(),
        LowestCard(),
        BestHand(),
        WorstHand(),
        DrawnNumber(),
        MostImproved(),
        BestGroup(),
        FirstToFinish(),
        ByHand(),
    )
}


def fits_contest(rule: AwardRule, contest: Contest) -> bool:
    """Return whether prizes of a contest can be won by a rule, which is what the game's figures mean."""
    game = contest.game
    return not (
        (rule.needs_turns and game.slot_option is None)
        or (rule.compares_turns and not game.points_of_turns)
        or (rule.compares_totals and not game.compares_totals)
        or (rule.is_for_groups and contest.ruleset.why_no_groups is not None)
        or (rule.compares_hands and not game.has_hands)
        or (rule.counts_faces and not list_faces(contest))
    )


def names_winner(rule: AwardRule, contest: Contest) -> bool:
    """Return whether the winner of a prize by a rule has also won the contest, if all have played."""
    return rule.won_by == ("lowest" if contest.ruleset.lowest_wins else "highest")


def list_faces(contest: Contest) -> list[int]:
    """Return the numbers that the dice of a contest can show, in order; none without dice."""
    ruleset = contest.ruleset
    faces = {spec.face for kind in ruleset.game.dice_kinds(ruleset.setup) for spec in kind.faces}
    return sorted(face for face in faces if isinstance(face, int))
