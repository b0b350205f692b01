"""The rules at their edges, on facts made by hand; `test_rules_property.py` compares them with random rides."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.common.game_adapter import get_game
from scorekeeper.events.models import Contest, Event
from scorekeeper.prizes.award import Award, Decision, Outcome, PrizeTerms, make_award
from scorekeeper.prizes.rules.facts import AwardEntrant, AwardFacts, AwardTerms, AwardTurn
from scorekeeper.prizes.rules.rule_book import RULES
from scorekeeper.standings.group_ranking import make_group_ranking
from scorekeeper.standings.group_scores import GroupRule
from scorekeeper.standings.leaderboard import LeaderboardRow

NO_TERMS = AwardTerms()
NOON = dt.datetime(2026, 6, 20, 18, tzinfo=dt.UTC)
RULESET = get_game("rock-yahtzee").ruleset()
GROUPS = {UUID(int=100): [UUID(int=1), UUID(int=2)], UUID(int=200): [UUID(int=3)]}


def make_turn(
    ordinal: int, points: int, dice: tuple[int, ...] = (), *, is_missed: bool = False, minute: int = 0
) -> AwardTurn:
    return AwardTurn(ordinal, f"Stop {ordinal}", points, dice, is_missed, NOON + dt.timedelta(minutes=minute))


def make_entrant(number: int, rank: int, total: int, *turns: AwardTurn, status: str = "done") -> AwardEntrant:
    return AwardEntrant(UUID(int=number), str(number), rank, False, total, status, turns=turns)


def make_facts(*entrants: AwardEntrant, lowest_wins: bool = False, cuts_cards: bool = False) -> AwardFacts:
    return AwardFacts(entrants, 2, lowest_wins, cuts_cards, GROUPS, RULESET)


def judge(rule: str, facts: AwardFacts, terms: AwardTerms = NO_TERMS) -> list[int]:
    return [candidate.id.int for candidate in RULES[rule].judge(facts, terms).candidates]


def explain(rule: str, facts: AwardFacts, terms: AwardTerms = NO_TERMS) -> str:
    event = Event(name="Ride", date=NOON.date(), time_zone="America/Edmonton")
    contest = Contest(event=event, game_key="dice-run")
    return RULES[rule].explain(RULES[rule].judge(facts, terms).candidates[0].figures, contest)


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


def test_the_worst_roll_of_a_stop_is_the_other_end_and_never_a_missed_one() -> None:
    facts = make_facts(
        make_entrant(1, 1, 50, make_turn(1, 25), make_turn(2, 25)),
        make_entrant(2, 2, 30, make_turn(1, 12), make_turn(2, 18)),
        make_entrant(3, 3, 9, make_turn(1, 9), make_turn(2, 0, is_missed=True)),
    )
    at_second = AwardTerms(stop="Stop 2", ordinals=(2,))
    assert (judge("worst_roll", facts), judge("worst_roll", facts, at_second)) == ([3], [2])
    assert explain("worst_roll", facts, at_second) == "18 points at Stop 2"
    low = make_facts(*facts.entrants, lowest_wins=True)
    assert (judge("best_roll", low), judge("worst_roll", low)) == ([3], [1])


def test_highest_and_lowest_totals_are_those_whichever_total_wins() -> None:
    """A missed turn is worth the most where the lowest wins (DICE-11): it must not win the highest total."""
    played = make_entrant(1, 2, 40, make_turn(1, 20), make_turn(2, 20))
    lower = make_entrant(2, 1, 30, make_turn(1, 10), make_turn(2, 20))
    missed = make_entrant(3, 3, 50, make_turn(1, 20), make_turn(2, 30, is_missed=True))
    nothing = make_entrant(4, 4, 20, make_turn(1, 20), make_turn(2, 0, is_missed=True))
    retired = make_entrant(5, 5, 60, make_turn(1, 60), status="retired")
    for lowest_wins in (True, False):
        facts = make_facts(played, lower, missed, nothing, retired, lowest_wins=lowest_wins)
        assert judge("highest_total", facts) == judge("best_hand", facts) == [1]
        assert judge("lowest_total", facts) == judge("worst_hand", facts) == [2]
    assert explain("highest_total", facts) == "Total 40, the highest of 3"
    assert explain("lowest_total", facts) == "Total 30, the lowest of 2 finished scorecards"


def test_a_hand_that_can_still_buy_a_card_can_be_the_worst() -> None:
    """Whoever bought the last card is done first, and would win with the best hand."""
    turns = make_turn(1, 0), make_turn(2, 0)
    bought = make_entrant(1, 1, 40, *turns)
    not_done = make_entrant(2, 2, 20, *turns, status="playing")
    on_the_way = make_entrant(3, 3, 10, turns[0], status="playing")
    retired = make_entrant(4, 4, 10, *turns, status="retired")
    assert judge("worst_hand", make_facts(bought, not_done, on_the_way, retired)) == [2]


def test_a_hand_is_called_by_its_name() -> None:
    pair = make_facts(make_entrant(1, 1, 2025728))
    figures = RULES["best_hand"].judge(pair, NO_TERMS).candidates[0].figures
    assert RULES["best_hand"].explain(figures, Contest(game_key="poker-run")) == "Pair, A-A-9"


def test_a_drawn_number_is_won_by_everyone_who_has_it_as_total() -> None:
    facts = make_facts(make_entrant(1, 1, 30), make_entrant(2, 2, 17), make_entrant(3, 2, 17, status="retired"))
    found = [judge("drawn_number", facts, AwardTerms(number_drawn=drawn)) for drawn in (None, 17, 18)]
    assert found == [[], [2], []]
    assert explain("drawn_number", facts, AwardTerms(number_drawn=17)) == "Total 17, the number drawn"


def test_the_most_dice_of_any_face() -> None:
    facts = make_facts(
        make_entrant(1, 1, 9, make_turn(1, 5, (1, 1, 3)), make_turn(2, 4, (1, 3))),
        make_entrant(2, 2, 9, make_turn(1, 9, (3, 3, 3))),
    )
    assert [judge("most_of_face", facts, AwardTerms(face=face)) for face in (1, 3, 6)] == [[1], [2], []]
    assert explain("most_of_face", facts, AwardTerms(face=1)) == "3 dice showing 1 over 2 turns"


@pytest.mark.parametrize(
    ("ties", "outcome", "winners"),
    [
        ("decide", Outcome.TIED, [1, 2]),
        ("share", Outcome.SHARED, [1, 2]),
        ("cut", Outcome.TIED, [1, 2]),
        ("first", Outcome.FIRST, [2]),
    ],
)
def test_a_tie_goes_as_the_club_says(ties: str, outcome: Outcome, winners: list[int]) -> None:
    facts = make_facts(
        make_entrant(1, 1, 50, make_turn(1, 25, minute=30), make_turn(2, 25, minute=40)),
        make_entrant(2, 1, 50, make_turn(1, 25, minute=10), make_turn(2, 25, minute=50)),
    )
    prize = PrizeTerms(UUID(int=7), "", "", "best_roll", AwardTerms(ties=ties))
    award = make_award(prize, facts, None, {})
    assert (award.outcome, [one.id.int for one in award.winners]) == (outcome, winners)
    assert [one.id.int for one in award.open_to] == [1, 2]
    assert Award.from_data(award.to_data()).to_data() == award.to_data()


def test_the_first_sheet_is_the_one_that_was_finished_first_where_no_turn_decides() -> None:
    facts = make_facts(
        make_entrant(1, 1, 50, make_turn(1, 25, minute=10), make_turn(2, 25, minute=40)),
        make_entrant(2, 1, 50, make_turn(1, 25, minute=30), make_turn(2, 25, minute=35)),
        make_entrant(3, 1, 50, make_turn(1, 25, minute=30), make_turn(2, 25, minute=35)),
    )

    def award(*numbers: int) -> Award:
        entrants = [entrant for entrant in facts.entrants if int(entrant.number) in numbers]
        prize = PrizeTerms(UUID(int=7), "", "", "highest_total", AwardTerms(ties="first"))
        return make_award(prize, make_facts(*entrants), None, {})

    assert [one.number for one in award(1, 2).winners] == ["2"]
    assert award(2, 3).outcome == Outcome.TIED, "finished at the same moment"


def test_terms_of_revisions_from_before_keep_their_form() -> None:
    old = {"place": 1, "stop": "", "ordinals": [], "best_of": None}
    assert AwardTerms.from_data(old).to_data() == old
    new = AwardTerms(ties="first", face=3, number_from=1, number_to=9, number_drawn=4)
    assert AwardTerms.from_data(new.to_data()) == new


def test_a_prize_says_what_it_is_for() -> None:
    parks = AwardTerms(place=3, stop="Parks", ordinals=(2,), best_of=5, face=1, number_drawn=17)
    assert {rule: RULES[rule].describe(parks) for rule in RULES} == {
        "place": "3rd place",
        "best_roll": "Best roll at Parks",
        "worst_roll": "Worst roll at Parks",
        "most_sixes": "Most sixes",
        "most_of_face": "Most dice showing 1",
        "highest_total": "Highest total",
        "lowest_total": "Lowest total",
        "lowest_card": "Lowest scorecard",
        "best_hand": "Best hand",
        "worst_hand": "Worst hand",
        "drawn_number": "Total of 17, the number drawn",
        "most_improved": "Most places gained since Parks",
        "best_group": "Best group, by its best 5 totals",
        "first_to_finish": "First to finish",
        "by_hand": "Chosen by the organisers",
    }
    assert RULES["best_roll"].describe(AwardTerms()) == "Best roll at any stop"
    assert RULES["worst_roll"].describe(AwardTerms()) == "Worst roll at any stop"
    assert RULES["drawn_number"].describe(AwardTerms(number_from=5, number_to=30)) == (
        "A total that is drawn, from 5 to 30"
    )
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

    facts = AwardFacts(entrants, 2, lowest_wins, False, groups, RULESET)
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
