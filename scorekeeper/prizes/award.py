"""An award: a prize with those who win it, as plain data without names.

- It is worked out from the log each time, except in a revision, which stores it for good.
- It has a copy of the prize, since the prize may be changed or deleted later.
- `outcome` says how it was decided, or that it is not decided yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple, Self
from uuid import UUID

from django.utils.translation import gettext as _

from scorekeeper.prizes.rules.award_rule import AwardCandidate, AwardResult, AwardRule
from scorekeeper.prizes.rules.facts import AwardFacts, AwardTerms
from scorekeeper.prizes.rules.rule_book import RULES


class Outcome(StrEnum):
    """How an award was decided. The values are stored in revisions."""

    NOBODY = "nobody"  # nobody qualifies, or the organiser has not chosen yet
    FIGURES = "figures"
    CUT = "cut"  # by cutting cards for the place
    CHOICE = "choice"  # by the organiser
    FIRST = "first"  # tied, and the one recorded first gets it
    SHARED = "shared"  # tied, and the rules of the game or the club leave it so
    TO_CUT = "to_cut"  # tied: cards have to be cut for the place
    TIED = "tied"  # tied: the organiser has to decide


@dataclass(frozen=True, slots=True)
class Decision:
    """What the organiser decided about a prize.

    Attributes:
        tied: those who were tied at that moment; empty for a prize that is given by hand.
        winners: those who get it; empty for a decision that was taken back.
        operation_id: the operation with the reason.
        is_reason_public: whether whoever wrote the reason was told that everyone will read it.
    """

    tied: frozenset[UUID]
    winners: tuple[UUID, ...]
    operation_id: UUID
    is_reason_public: bool = False


class PrizeClass(NamedTuple):
    """The class that a prize is for, with its members in the contest, in the order of their ids."""

    id: UUID
    name: str
    members: Sequence[UUID]

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {"id": str(self.id), "name": self.name, "members": [str(member) for member in self.members]}

    @classmethod
    def from_data(cls, data: Mapping[str, Any] | None) -> Self | None:
        """Return it from plain data; None for a prize that is for everyone."""
        return None if data is None else cls(UUID(data["id"]), data["name"], tuple(map(UUID, data["members"])))


@dataclass(frozen=True, slots=True)
class PrizeTerms:
    """What a revision keeps of a prize.

    Attributes:
        name: "" for a prize that is called by what it is for.
        rule: the key of its rule.
        logo_id: the picture of its sponsor.
        groups: for a rule for groups, the members of each; in other prizes none.
        event_class: the class whose members can win it; None for everyone.
    """

    prize_id: UUID
    name: str
    sponsor: str
    rule: str
    terms: AwardTerms
    logo_id: UUID | None = None
    groups: Mapping[UUID, Sequence[UUID]] = field(default_factory=dict)
    event_class: PrizeClass | None = None

    @property
    def is_for_place(self) -> bool:
        """Whether it is for a place in the whole contest."""
        return self.rule == "place" and self.event_class is None

    @property
    def what_for(self) -> str:
        """What it is for: "Best roll at Parks", "1st place, Ladies"."""
        described = RULES[self.rule].describe(self.terms)
        if self.event_class is None:
            return described
        return _("%(what)s, %(class)s") % {"what": described, "class": self.event_class.name}


@dataclass(frozen=True, slots=True)
class Award:
    """A prize with those who win it.

    Attributes:
        winners: those who get it; while it is not decided, those who are tied for it.
        tied: everyone who was tied, if one of them was chosen. A revision keeps only the winners.
    """

    prize: PrizeTerms
    outcome: Outcome
    winners: tuple[AwardCandidate, ...]
    tied: tuple[AwardCandidate, ...] = field(default=(), compare=False)

    @property
    def is_decided(self) -> bool:
        """Whether it is clear who gets it."""
        return self.outcome not in (Outcome.NOBODY, Outcome.TO_CUT, Outcome.TIED)

    @property
    def open_to(self) -> tuple[AwardCandidate, ...]:
        """Among whom the organiser can choose: those who are tied, also where it is decided or shared."""
        return self.winners if self.outcome in (Outcome.TIED, Outcome.SHARED) else self.tied

    def to_data(self) -> dict[str, Any]:
        """Return the award as plain data, which a revision stores."""
        prize = self.prize
        return {
            "prize": str(prize.prize_id),
            "name": prize.name,
            "sponsor": prize.sponsor,
            "logo": None if prize.logo_id is None else str(prize.logo_id),
            "rule": prize.rule,
            "terms": prize.terms.to_data(),
            "groups": {str(group): [str(member) for member in members] for group, members in prize.groups.items()},
            # Only where it is set: revisions that were published before there were classes keep their digest.
            **({} if prize.event_class is None else {"class": prize.event_class.to_data()}),
            "outcome": self.outcome.value,
            "winners": [
                {"id": str(one.id), "number": one.number, "total": one.total, "figures": dict(one.figures)}
                for one in self.winners
            ],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the award from plain data."""
        groups = {UUID(group): tuple(map(UUID, members)) for group, members in data["groups"].items()}
        terms = AwardTerms.from_data(data["terms"])
        prize = PrizeTerms(
            UUID(data["prize"]),
            data["name"],
            data["sponsor"],
            data["rule"],
            terms,
            UUID(data["logo"]) if data["logo"] else None,
            groups,
            PrizeClass.from_data(data.get("class")),
        )
        winners = (
            AwardCandidate(UUID(one["id"]), one["number"], one["total"], one["figures"]) for one in data["winners"]
        )
        return cls(prize, Outcome(data["outcome"]), tuple(winners))


def make_award(prize: PrizeTerms, facts: AwardFacts, decision: Decision | None, numbers: Mapping[UUID, str]) -> Award:
    """Work out who wins a prize.

    Args:
        facts: of those who can win it: of everyone, or of its class. For a rule for groups, `prize.groups` are used.
        decision: the organiser's last decision about it. It counts only while exactly those are tied whom it names.
        numbers: the numbers of bikes that may have been chosen by hand without being in the ranking.
    """
    rule = RULES[prize.rule]
    result = rule.judge(replace(facts, groups=prize.groups) if rule.is_for_groups else facts, prize.terms)
    if prize.rule == "by_hand":
        return _make_chosen(prize, facts, decision, numbers)
    tied = {one.id for one in result.candidates}
    if len(tied) > 1 and not result.waits_for_cards and decision and decision.winners and decision.tied == tied:
        winners = tuple(one for one in result.candidates if one.id in decision.winners)
        return Award(prize, Outcome.CHOICE, winners, tied=result.candidates)
    outcome = _get_outcome(result)
    if outcome == Outcome.TIED and prize.terms.ties == "share":
        outcome = Outcome.SHARED
    if outcome == Outcome.TIED and prize.terms.ties == "first":
        first = _list_first(rule, facts, result.candidates)
        if len(first) == 1:
            return Award(prize, Outcome.FIRST, first, tied=result.candidates)
    return Award(prize, outcome, result.candidates)


def _list_first(rule: AwardRule, facts: AwardFacts, candidates: Sequence[AwardCandidate]) -> tuple[AwardCandidate, ...]:
    """Return whose win was recorded first; several at the same moment, nobody where nothing has a time."""
    entrants = {entrant.entrant_id: entrant for entrant in facts.entrants}
    times = {
        one.id: time
        for one in candidates
        if one.id in entrants and (time := rule.get_recording_time(entrants[one.id], one.figures)) is not None
    }
    return tuple(one for one in candidates if one.id in times and times[one.id] == min(times.values()))


def _get_outcome(result: AwardResult) -> Outcome:
    if not result.candidates:
        return Outcome.NOBODY
    if len(result.candidates) == 1:
        return Outcome.CUT if result.is_cut else Outcome.FIGURES
    if result.waits_for_cards:
        return Outcome.TO_CUT
    return Outcome.SHARED if result.is_shared else Outcome.TIED


def _make_chosen(prize: PrizeTerms, facts: AwardFacts, decision: Decision | None, numbers: Mapping[UUID, str]) -> Award:
    if decision is None or not decision.winners:
        return Award(prize, Outcome.NOBODY, ())
    entrants = {entrant.entrant_id: entrant for entrant in facts.entrants}
    winners = tuple(
        AwardCandidate.from_entrant(entrants[chosen])
        if chosen in entrants
        else AwardCandidate(chosen, numbers.get(chosen, ""), None, {})
        for chosen in decision.winners
    )
    return Award(prize, Outcome.CHOICE, winners)
