"""The odds against every completion of small cases, and what holds in all of them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from games.core.cards import JOKER
from games.core.odds_question import answer
from games.core.time_limit import TimeLimit
from games.poker_run import GAME
from games.poker_run.cards import PACK
from games.poker_run.hands import WORDS
from games.poker_run.odds.answer import MAX_COMPLETIONS, compute_chances
from games.poker_run.odds.counting import add_up_categories, count_completions, count_hands, find_number
from games.poker_run.odds.future import Future, Slot, get_future
from games.poker_run.odds.make_table import count_stops
from games.poker_run.odds.sampling import sample_completions
from games.poker_run.odds.table_data import COUNTS
from games.poker_run.state import Hand
from tests.games.poker_run import plain_hands
from tests.games.poker_run.table import FORFEIT, RETIRE, STAND, draw, draws, extra

HOURS = 3600.0


def ask(*actions: dict[str, Any], seconds: int = 60, **options: Any) -> dict[str, Any]:
    """Return the answer to a question about one hand."""
    transcript = {"ruleset": GAME.key, "options": options, "seats": ["Ann"], "actions": list(actions)}
    return answer({"transcript": transcript, "seconds": seconds}, {GAME.key: GAME})


def count_plainly(future: Future) -> list[int]:
    """Return how many completions end in each category: list them all, and evaluate each by trying everything."""
    found: Counter[int] = Counter()
    for drawn in product(*(combinations(slot.pack, slot.size) for slot in future.slots)):
        cards = [*future.held, *(card for some in drawn for card in some)]
        found[plain_hands.number(cards, low=future.is_low) >> 20] += 1
    return [found[category] for category in range(len(WORDS))]


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_counts_from_one_deck_are_those_of_every_completion(seed: int, low: bool) -> None:
    """POKER-4, POKER-14"""
    random = Random(seed)
    jokers = (0, 0, 1)[seed % 3]
    held = random.sample(random.choice((PACK, PACK[:16], PACK[::4])), random.choice((3, 4, 5, 6)) - jokers)
    left = random.sample([card for card in PACK if card not in held], 14)
    future = Future(tuple(sorted(held)), (Slot((*left, *[JOKER] * jokers), 2),), low)

    assert count_completions(future, TimeLimit(HOURS)) == count_plainly(future)


@pytest.mark.parametrize("low", [False, True])
def test_counts_where_all_cards_are_of_few_suits_are_those_of_every_completion(low: bool) -> None:
    """POKER-10, POKER-13"""
    suited = [card for card in PACK if card[-1] == "S"]
    for held in (suited[:4], suited[5:8], [*suited[:2], "AH"]):
        left = [card for card in PACK if card[-1] in "SH" and card not in held][:13]
        future = Future(tuple(sorted(held)), (Slot(tuple(left), 6 - len(held)),), low)
        assert count_completions(future, TimeLimit(HOURS)) == count_plainly(future)


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("held", ["2S 3S 4S 5S", "2S 3S 4S 5S 7S", "2S 4S", "2S 3S 4S 5S KH", ""])
def test_every_hand_comes_as_often_as_in_every_completion_of_few_suits(held: str, low: bool) -> None:
    """POKER-10, POKER-13: the lowest ranks may be of one suit, while a card of another suit makes a hand that is lower.

    Of 2S 3S 4S 5S 7S KH the lowest hand is K-5-4-3-2, since 7-5-4-3-2 would be a flush.
    """
    pack = [*[card for card in PACK if card[-1] == "S"][:9], "7H", "KH", "9D", "9C"]
    left = [card for card in pack if card not in held.split()]
    future = Future(tuple(sorted(held.split())), (Slot(tuple(left), 6 - len(held.split())),), low)
    drawn = combinations(left, future.slots[0].size)
    plainly = Counter(plain_hands.number([*future.held, *more], low=low) for more in drawn)

    found = count_hands(future, TimeLimit(HOURS))

    assert {number: ways for number, ways in found.items() if ways} == plainly


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_the_number_of_any_cards_is_that_of_trying_everything(seed: int, low: bool) -> None:
    """POKER-5, POKER-7, POKER-14"""
    random = Random(seed)
    pack = random.choice((PACK, [card for card in PACK if card[-1] == "S"]))
    cards = [*random.choices(pack, k=random.randint(1, 7)), *[JOKER] * (seed % 2)]
    assert find_number(tuple(cards), low) == plain_hands.number(cards, low=low)


def test_two_suits_can_both_become_a_flush() -> None:
    """POKER-10"""
    held = ("2S", "3S", "5S", "8H", "9H", "JH", JOKER)
    left = ("4S", "6S", "AS", "10H", "QH", "2D", "3C")
    future = Future(held, (Slot(left, 2),), False)
    assert count_completions(future, TimeLimit(HOURS)) == count_plainly(future)


@pytest.mark.parametrize("low", [False, True])
def test_counts_from_a_deck_at_each_stop_are_those_of_every_completion(low: bool) -> None:
    """POKER-5"""
    pack = ("9S", "9H", "KS", "4S", JOKER)
    future = Future(("4S", "9S", "KS"), (Slot(pack, 2), Slot(pack, 1)), low)
    assert count_completions(future, TimeLimit(HOURS)) == count_plainly(future)
    one = Future(("4S", "9S", "9S", "KS"), (Slot(PACK, 1),), low)
    assert count_completions(one, TimeLimit(HOURS)) == count_plainly(one)


def test_a_future_has_the_cards_of_all_turns_and_those_on_sale() -> None:
    """POKER-2, POKER-4, POKER-5, POKER-6"""
    one = GAME.ruleset({"turns": 3, "cards": 2, "extra": 1, "jokers": 2}).setup
    each = GAME.ruleset({"turns": 3, "cards": 2, "extra": 2, "jokers": 2, "deck": "each_stop"}).setup
    hand = Hand((("AS", JOKER),))

    (slot,) = get_future(one, hand).slots
    assert (slot.size, len(slot.pack), slot.pack.count(JOKER), "AS" in slot.pack) == (5, 52, 1, False)
    assert [(slot.size, len(slot.pack)) for slot in get_future(each, hand).slots] == [(2, 54), (2, 54), (2, 54)]
    bought = Hand((("AS", JOKER), (), ()), ("KS",))
    assert [(slot.size, len(slot.pack)) for slot in get_future(each, bought).slots] == [(1, 53)]


def test_the_table_of_an_empty_hand_has_the_hands_of_five_and_seven_cards_that_everybody_knows() -> None:
    """POKER-9"""
    five = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40, 0)
    seven = (23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584, 0)
    assert COUNTS[(5,), 0, False] == COUNTS[(5,), 0, True] == five
    assert COUNTS[(7,), 0, False] == seven


def test_the_table_agrees_with_counting_and_sampling() -> None:
    """POKER-22"""
    for (sizes, jokers, is_low), counts in COUNTS.items():
        deck = (*PACK, *[JOKER] * jokers)
        future = Future((), tuple(Slot(deck, size) for size in sizes), is_low)
        assert sum(counts) == future.completions
    full = Slot((*PACK, JOKER), 1)
    future = Future((), (full,) * 2, False)
    assert count_completions(future, TimeLimit(HOURS)) == count_stops(2, 1, False)
    future = Future((), (full,) * 5, True)
    counts, sampled = COUNTS[(1,) * 5, 1, True], add_up_categories(sample_completions(future, TimeLimit(HOURS)))
    for exact, found in zip(counts, sampled, strict=True):
        share = exact / sum(counts)
        assert abs(found / sum(sampled) - share) <= 5 * (share * (1 - share) / sum(sampled)) ** 0.5 + 1e-9
    assert counts[9] > counts[8]


def test_before_a_draw_nothing_is_to_be_decided() -> None:
    found = ask(*draws("AS KS"))
    assert (found["node"], found["measure"], found["aim"], found["method"]) == ("chance", "hand", "high", "exact")
    assert (found["value"], found["best"]) == (None, [])
    (option,) = found["options"]
    assert option["action"] == {"type": "draw"}
    assert option["categories"] == found["categories"]
    assert len(found["categories"]) == len(WORDS)
    assert sum(found["categories"]) == pytest.approx(1.0)


def test_a_missed_turn_leaves_fewer_cards_to_come() -> None:
    """POKER-17"""
    assert ask(*draws("AS KS - - -"), turns=6)["categories"] == ask(*draws("AS KS"), turns=3)["categories"]


def test_after_the_last_turn_a_card_may_be_bought_or_not() -> None:
    """POKER-6"""
    found = ask(*draws("AS KS QS"), turns=3, extra=2)
    assert found["node"] == "choice"
    bought, stood = found["options"]
    assert (bought["action"], stood["action"]) == ({"type": "extra"}, {"type": "stand"})
    assert stood["categories"] == [1.0, *[0.0] * 9]
    assert bought["categories"] == found["categories"]
    assert bought["categories"] == ask(*draws("AS KS QS"), turns=5)["categories"]


def test_a_hand_to_which_nothing_is_added_is_what_it_is() -> None:
    for actions in ([*draws("AS AH"), STAND], [*draws("AS AH"), RETIRE], [*draws("AS AH"), extra("KS")]):
        found = ask(*actions, turns=2, extra=1)
        assert (found["node"], found["options"], found["value"]) == ("done", [], None)
        assert found["categories"] == [0.0, 1.0, *[0.0] * 8]
    assert ask(FORFEIT, turns=1)["categories"] == [0.0] * 10


def test_chances_do_not_depend_on_the_order_of_the_cards_or_on_other_seats() -> None:
    assert ask(*draws("AS KS QD"))["categories"] == ask(*draws("QD AS KS"))["categories"]
    alone = {"ruleset": GAME.key, "seats": ["Ann"], "actions": draws("AS KS QD")}
    other = {"seat": 1, "type": "draw", "cards": ["2S"]}
    together = [other, *({"seat": 0, **action} for action in draws("AS KS QD"))]
    found = [
        answer(question, {GAME.key: GAME})
        for question in (
            {"transcript": alone},
            {"transcript": {**alone, "seats": ["Ann", "Bob"], "actions": together}, "seat": 0},
        )
    ]
    assert found[0] == found[1]


def test_of_more_than_two_million_completions_some_are_sampled_with_margins_and_always_the_same() -> None:
    found = ask(*draws("AS KS"), turns=7)
    assert found["method"] == "sampled"
    assert found == ask(*draws("AS KS"), turns=7)
    (option,) = found["options"]
    assert option["categories_margin"] == found["categories_margin"]
    setup = GAME.ruleset({"turns": 7}).setup
    future = get_future(setup, Hand((("AS",), ("KS",))))
    assert future.completions > MAX_COMPLETIONS
    counts = count_completions(future, TimeLimit(HOURS))
    for exact, sampled, margin in zip(counts, found["categories"], found["categories_margin"], strict=True):
        assert 0 < margin < 0.01
        assert abs(exact / sum(counts) - sampled) < 2.5 * margin


def test_the_time_decides_only_whether_there_is_an_answer() -> None:
    future = get_future(GAME.ruleset({"turns": 5, "jokers": 2}).setup, Hand((("AS",),)))
    assert compute_chances(future, TimeLimit(HOURS)).method == "exact"
    found = answer(
        {"transcript": {"ruleset": GAME.key, "seats": ["A"], "actions": draws("AS"), "options": {"jokers": 2}}},
        {GAME.key: GAME},
        most_seconds=0,
    )
    assert (found["method"], found["why"], found["options"]) == ("none", "seconds", [{"action": {"type": "draw"}}])


def test_totals_cannot_be_asked_for() -> None:
    transcript = {"ruleset": GAME.key, "seats": ["Ann"], "actions": [draw("AS")]}
    found = answer({"transcript": transcript, "targets": [100]}, {GAME.key: GAME})
    assert (found["code"], found["field"]) == ("malformed", "targets")


@pytest.mark.parametrize("low", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_hands_are_beaten_as_often_as_in_every_completion(seed: int, low: bool) -> None:
    """POKER-11, POKER-12, POKER-13: the place of a hand is more than its category."""
    random = Random(seed)
    held = random.sample(random.choice((PACK, PACK[::4])), 4)
    left = random.sample([card for card in PACK if card not in held], 12)
    future = Future(tuple(sorted(held)), (Slot((*left, JOKER), 2),), low)
    drawn = combinations(future.slots[0].pack, 2)
    ends = [plain_hands.number([*held, *more], low=low) for more in drawn]
    others = sorted(ends)[:: len(ends) // 10]

    found = compute_chances(future, TimeLimit(HOURS), others).beat

    plain = [sum(end < other if low else end > other for end in ends) / len(ends) for other in others]
    assert found == pytest.approx(plain)


def test_the_chance_to_beat_a_hand_is_asked_by_its_number() -> None:
    """POKER-25: a pair of aces with a nine; POKER-6: the card on sale is bought, unless the seat stands."""
    turns = draws("KS QS 9D")
    pair = 2025728
    transcript = {"ruleset": GAME.key, "options": {"turns": 3, "extra": 1}, "seats": ["Ann"], "actions": turns}
    found = answer({"transcript": transcript, "beat": [0, pair, 0xFFFFFF]}, {GAME.key: GAME})
    assert found["beat"] == [1.0, 0.0, 0.0]
    assert [option["beat"] for option in found["options"]] == [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]

    king = pack_hand("KH QH")
    found = answer({"transcript": transcript, "beat": [king]}, {GAME.key: GAME})
    assert found["options"][1]["beat"] == [1.0], "three cards beat two"
    assert "beat" not in ask(*turns, turns=3, extra=1)


def pack_hand(cards: str) -> int:
    return plain_hands.number(cards.split(), low=False)


def test_under_lowest_wins_more_cards_beat_fewer() -> None:
    """POKER-16"""
    transcript = {"ruleset": GAME.key, "options": {"goal": "low"}, "seats": ["A"], "actions": draws("AS AH AD KS KH")}
    found = answer({"transcript": transcript, "beat": [pack_hand("2S"), pack_hand("7S 5H 4H 3H 2H")]}, {GAME.key: GAME})
    assert found["node"] == "done"
    assert found["beat"] == [1.0, 0.0]


@pytest.mark.parametrize(
    ("beat", "field"), [([True], "beat[0]"), (7, "beat"), ([1] * 21, "beat"), (["pair"], "beat[0]")]
)
def test_a_malformed_hand_to_beat_is_named(beat: Any, field: str) -> None:
    transcript = {"ruleset": GAME.key, "seats": ["Ann"], "actions": []}
    found = answer({"transcript": transcript, "beat": beat}, {GAME.key: GAME})
    assert (found["code"], found["field"]) == ("malformed", field)
