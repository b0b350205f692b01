"""The tests that show each clause of the rule books. The conformance suite checks this table against both."""

from __future__ import annotations

TESTS_BY_CLAUSE: dict[str, tuple[str, ...]] = {
    "PIG-1": ("test_a_throw_takes_one_die_or_two_and_a_1_loses_what_was_thrown",),
    "PIG-2": ("test_what_was_thrown_is_banked_and_the_goal_ends_it",),
    "PIG-3": ("test_fewer_throws_rank_higher_and_tied_seats_stay_tied",),
    "PIG-4": ("test_an_even_sum_is_banked_twice_over_once",),
    "TABLE-1": ("test_independent_seats_may_be_interleaved_in_any_order",),
    "TABLE-2": ("test_what_was_thrown_is_banked_and_the_goal_ends_it",),
    "TABLE-3": ("test_a_seat_may_retire_at_any_moment_before_its_end_and_then_does_nothing_more",),
    "TABLE-4": ("test_an_even_sum_is_banked_twice_over_once",),
}
