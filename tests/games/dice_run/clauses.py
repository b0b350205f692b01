"""The tests that show each clause of the rule books. `test_clause_table.py` checks this table against both."""

from __future__ import annotations

TESTS_BY_CLAUSE: dict[str, tuple[str, ...]] = {
    "DICE-1": ("test_a_seat_is_one_sheet_and_sheets_do_not_affect_each_other",),
    "DICE-2": (
        "test_a_sheet_has_five_turns_unless_the_contest_says_otherwise",
        "test_the_turns_fill_the_sheet_in_order",
    ),
    "DICE-3": (
        "test_a_throw_takes_exactly_all_the_dice",
        "test_how_many_dice_with_how_many_faces_are_thrown_is_the_contests_to_choose",
        "test_a_face_that_the_die_does_not_have_cannot_be_read",
    ),
    "DICE-4": (
        "test_a_turn_has_as_many_throws_as_the_contest_allows_each_with_all_dice",
        "test_a_throw_says_which_of_how_many_it_is",
    ),
    "DICE-5": (
        "test_a_turn_ends_with_its_last_throw_or_when_the_player_stops",
        "test_nobody_stops_before_the_first_throw",
    ),
    "DICE-6": ("test_a_turn_is_worth_its_last_throw_or_its_best_one",),
    "DICE-7": (
        "test_the_total_is_the_sum_of_all_turns_or_of_the_best",
        "test_the_totals_are_those_of_the_turns_that_count",
        "test_best_and_worst_match_every_possible_continuation",
        "test_the_reach_of_the_usual_sheet",
    ),
    "DICE-8": ("test_the_highest_total_wins",),
    "DICE-9": ("test_the_lowest_total_wins",),
    "DICE-10": (
        "test_the_total_closest_to_the_target_wins_on_either_side",
        "test_a_target_that_no_sheet_can_hit_is_named",
    ),
    "DICE-11": (
        "test_a_missed_turn_is_worth_0_and_under_goal_low_the_most_that_the_dice_show",
        "test_a_miss_is_never_better_than_the_worst_throw",
        "test_it_is_said_what_a_missed_turn_is_worth",
        "test_best_and_worst_match_every_possible_continuation",
    ),
    "DICE-12": (
        "test_with_a_target_fewer_missed_turns_rank_first",
        "test_it_is_said_what_a_missed_turn_is_worth",
        "test_nothing_is_said_about_a_target_where_totals_alone_do_not_rank",
        "test_what_a_sheet_may_end_as_is_in_the_order_of_the_ranking",
    ),
    "DICE-13": ("test_with_goals_low_and_target_more_ended_turns_rank_first",),
    "DICE-14": (
        "test_a_turn_can_be_recorded_by_a_sum_that_the_dice_can_show",
        "test_a_sum_that_is_no_whole_number_cannot_be_read",
    ),
    "DICE-15": (
        "test_tied_sheets_cut_cards_and_the_highest_card_is_best_under_every_goal",
        "test_all_tied_in_the_first_place_have_won_until_they_cut",
        "test_equal_cards_are_cut_again_and_a_cut_is_for_one_tied_group",
        "test_nobody_cuts_before_the_end",
        "test_nobody_cuts_where_ties_stay",
        "test_a_card_or_a_seat_that_is_not_there_cannot_be_read",
    ),
    "DICE-16": ("test_patterns_earn_nothing",),
    "DICE-17": ("test_a_running_turn_counts_nothing_and_is_lost_by_retiring",),
    "DICE-18": (
        "test_retired_seats_rank_below_all_others_and_by_score_among_themselves",
        "test_retired_seats_do_not_cut",
    ),
    "DICE-19": (
        "test_the_order_of_the_seats",
        "test_what_a_sheet_may_end_as_is_in_the_order_of_the_ranking",
    ),
    "DICE-20": (
        "test_options_that_contradict_each_other_cannot_be_read",
        "test_an_option_out_of_its_range_cannot_be_read",
        "test_options_that_say_nothing_are_allowed",
        "test_the_presets_are_possible",
    ),
    "DICE-21": ("test_the_zero_of_a_ten_sided_die_is_recorded_as_10",),
    "DICE-22": (
        "test_a_turn_that_has_begun_is_neither_missed_nor_recorded_by_its_sum",
        "test_best_and_worst_match_every_possible_continuation",
    ),
    "DICE-23": ("test_side_prizes_change_nothing",),
    "DICE-24": (
        "test_the_worked_sheet_has_the_totals_of_the_rule_book",
        "test_the_example_with_usual_options_is_the_worked_sheet",
    ),
    "TABLE-1": (
        "test_there_is_no_order_among_the_sheets_and_nobody_is_to_act",
        "test_independent_seats_may_be_interleaved_in_any_order",
    ),
    "TABLE-2": (
        "test_a_sheet_has_five_turns_unless_the_contest_says_otherwise",
        "test_a_finished_sheet_accepts_no_action_not_even_retiring",
        "test_a_seat_may_retire_at_any_moment_before_its_end_and_then_does_nothing_more",
    ),
    "TABLE-3": (
        "test_a_running_turn_counts_nothing_and_is_lost_by_retiring",
        "test_retired_seats_rank_below_all_others_and_by_score_among_themselves",
        "test_retired_seats_do_not_cut",
        "test_when_everybody_has_retired_the_first_of_them_has_won",
        "test_a_seat_may_retire_at_any_moment_before_its_end_and_then_does_nothing_more",
    ),
    "TABLE-4": (
        "test_a_turn_that_has_begun_is_neither_missed_nor_recorded_by_its_sum",
        "test_of_one_action_what_cannot_be_read_comes_before_what_is_forbidden",
        "test_an_action_that_is_not_offered_is_rejected_with_a_clause_and_a_sentence",
    ),
}
