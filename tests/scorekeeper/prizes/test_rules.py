"""The rules at their edges, on facts made by hand; `test_rules_property.py` compares them with random rides."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.events.models import Event
from scorekeeper.prizes.award import Award, Decision, Outcome, PrizeTerms, make_award
from scorekeeper.prizes.rules.facts import AwardEntrant, AwardFacts, AwardTerms, AwardTurn
from scorekeeper.prizes.rules.rule_book import RULES
from scorekeeper.standings.group_ranking import make_group_ranking
from scorekeeper.standings.group_scores import GroupRule
from scorekeeper.standings.leaderboard import LeaderboardRow

NO_TERMS = AwardTerms()
NOON = dt.datetime(2026, 6, 20, 18, tzinfo=dt.UTC)
GROUPS = {UUID(int=100): [UUID(int=1), UUID(int=2)], UUID(int=200): [UUID(int=3)]}


def make_turn(
    ordinal: int, points: int, dice: tuple[int, ...] = (), *, is_missed: bool = False, minute: int = 0
) -> AwardTurn:
    return AwardTurn(ordinal, f"Stop {ordinal}", points, dice, is_missed, NOON + dt.timedelta(minutes=minute))


def make_entrant(number: int, rank: int, total: int, *turns: AwardTurn, status: str = "done") -> AwardEntrant:
    return AwardEntrant(UUID(int=number), str(number), rank, False, total, status, turns=turns)


def make_facts(*entrants: AwardEntrant, lowest_wins: bool = False, cuts_cards: bool = False) -> AwardFacts:
    return AwardFacts(entrants, 2, lowest_wins, cuts_cards, GROUPS)


def judge(rule: str, facts: AwardFacts, terms: AwardTerms = NO_TERMS) -> list[int]:
    return [candidate.id.int for candidate in RULES[rule].judge(facts, terms).candidates]


def explain(rule: str, facts: AwardFacts, terms: AwardTerms = NO_TERMS) -> str:
    event = Event(name="Ride", date=NOON.date(), time_zone="America/Edmonton")
    return RULES[rule].explain(RULES[rule].judge(facts, terms).candidates[0].figures, event)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_nobody_wins_where_nobody_has_rolled(rule: str) -> None:
    assert judge(rule, make_facts(), AwardTerms(place=1, stop="Stop 1", ordinals=(1,))) == []


def test_where_the_lowest_wins_the_worst_card_is_the_highest() -> None:
    facts = make_facts(make_entrant(1, 1, 10), make_entrant(2, 2, 30), lowest_wins=True)
    assert (judge("lowest_card", facts), judge("best_group", facts)) == ([2], [100])
    assert judge("lowest_card", make_facts(*facts.entrants)) == [1]


def test_places_shared_by_two_are_both_theirs() -> None:
    facts = make_facts(
        make_entrant(1, 1, 9),
        make_entrant(2, 2, 5),
        make_entrant(3, 2, 5),
        make_entrant(4, 4, 1),
    )
    assert [judge("place", facts, AwardTerms(place=place)) for place in range(1, 6)] == [[1], [2, 3], [2, 3], [4], []]
    assert RULES["place"].judge(facts, AwardTerms(place=2)).is_shared
    assert RULES["place"].judge(make_facts(*facts.entrants, cuts_cards=True), AwardTerms(place=2)).waits_for_cards


def test_two_best_rolls_of_one_bike_are_no_tie() -> None:
    facts = make_facts(make_entrant(1, 1, 50, make_turn(1, 25, (5, 5)), make_turn(2, 25)))
    assert judge("best_roll", facts) == [1]
    assert explain("best_roll", facts) == "25 points at Stop 1 with 5 5"


def test_the_sentence_beside_each_winner_says_how() -> None:
    entrant = make_entrant(1, 1, 31, make_turn(1, 30, (6, 6, 1), minute=1), make_turn(2, 1, (6, 2), minute=45))
    ahead = make_entrant(2, 2, 40, make_turn(1, 40), make_turn(2, 0, is_missed=True))
    facts = make_facts(entrant, ahead)

    assert explain("most_sixes", facts) == "3 sixes over 2 turns"
    assert explain("first_to_finish", facts) == "All 2 turns recorded by 12:45"
    assert explain("lowest_card", facts) == "Total 31, on the only finished scorecard"
    after_first = AwardTerms(stop="Stop 1", ordinals=(1,))
    assert explain("most_improved", facts, after_first) == "Up 1 place: 2nd after Stop 1, 1st at the end"
    assert explain("best_group", facts) == "Sum of 2 totals: 71, mean 35.50"
    assert explain("best_group", facts, AwardTerms(best_of=1)) == "Sum of the best 1 of 2 totals: 40, mean 40.00"
    assert explain("place", facts, AwardTerms(place=1)) == "Total 31"


def test_a_prize_says_what_it_is_for() -> None:
    parks = AwardTerms(place=3, stop="Parks", ordinals=(2,), best_of=5)
    assert {rule: RULES[rule].describe(parks) for rule in RULES} == {
        "place": "3rd place",
        "best_roll": "Best roll at Parks",
        "most_sixes": "Most sixes",
        "lowest_card": "Lowest scorecard",
        "most_improved": "Most places gained since Parks",
        "best_group": "Best group, by its best 5 totals",
        "first_to_finish": "First to finish",
        "by_hand": "Chosen by the organisers",
    }
    assert RULES["best_roll"].describe(AwardTerms()) == "Best roll of the ride"
    assert RULES["best_group"].describe(AwardTerms()) == "Best group, by the mean of all totals"


@given(
    st.lists(st.tuples(st.integers(-3, 12), st.sampled_from(["playing", "done", "retired"])), max_size=8),
    st.lists(st.integers(0, 3), min_size=8, max_size=8),
    st.none() | st.integers(1, 4),
    st.booleans(),
)
def test_the_best_group_is_first_in_the_group_standings(
    played: list[tuple[int, str]], group_of: list[int], best_of: int | None, lowest_wins: bool
) -> None:
    """Worked out from the totals, not by the code that both use."""
    entrants = [make_entrant(number, 1, total, status=status) for number, (total, status) in enumerate(played)]
    ids = [UUID(int=number) for number in range(8)]
    groups = {UUID(int=100 + one): [ids[n] for n in range(8) if group_of[n] == one] for one in range(1, 4)}
    rows = [
        LeaderboardRow(
            entrant.entrant_id,
            entrant.number,
            1,
            False,
            entrant.total,
            1,
            entrant.status,
            None,
        )
        for entrant in entrants
    ]
    means = {}
    for group, members in groups.items():
        counting = [
            entrant.total
            for entrant in entrants
            if entrant.entrant_id in members and (entrant.status == "done" or not lowest_wins)
        ]
        counted = sorted(counting, reverse=not lowest_wins)[:best_of]
        if counted and (best_of is None or len(counted) == best_of):
            means[group] = Fraction(sum(counted), len(counted))
    best = (min if lowest_wins else max)(means.values(), default=None)
    expected = {group for group, mean in means.items() if mean == best}

    facts = AwardFacts(entrants, 2, lowest_wins, False, groups)
    result = RULES["best_group"].judge(facts, AwardTerms(best_of=best_of))
    board = make_group_ranking(GroupRule(best_of or 0, lowest_wins), rows, groups)

    assert {candidate.id for candidate in result.candidates} == expected
    assert {row.group_id for row in board.rows if row.score.rank == 1} == expected
    for candidate in result.candidates:
        score = next(row.score for row in board.rows if row.group_id == candidate.id)
        assert candidate.figures == {"points": score.points, "counted": score.counted, "members": score.size}


def test_an_award_is_the_same_after_it_was_stored() -> None:
    prize = PrizeTerms(UUID(int=7), "Keg", "Brewery", "best_group", AwardTerms(best_of=1), UUID(int=9), GROUPS)
    facts = make_facts(make_entrant(1, 1, 9), make_entrant(3, 1, 9))
    tied = make_award(prize, facts, None, {})
    decision = Decision(frozenset(GROUPS), (UUID(int=200),), UUID(int=8))
    decided = make_award(prize, facts, decision, {})

    assert (tied.outcome, decided.outcome) == (Outcome.TIED, Outcome.CHOICE)
    assert [one.id.int for one in decided.winners] == [200]
    for award in (tied, decided):
        assert Award.from_data(award.to_data()).to_data() == award.to_data()
