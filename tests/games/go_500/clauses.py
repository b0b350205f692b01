"""The tests that show each clause of the rule books. `test_clause_table.py` checks this table against both."""

from __future__ import annotations

TESTS_BY_CLAUSE: dict[str, tuple[str, ...]] = {
    "GO-1": (
        "test_each_segment_has_its_own_limit_in_each_weather",
        "test_one_limit_holds_in_both_weathers",
        "test_a_course_is_read_into_limits_for_both_weathers_however_it_was_written",
        "test_the_course_of_the_house",
    ),
    "GO-2": ("test_there_are_two_rerolls_for_the_whole_race_unless_agreed_otherwise",),
    "GO-3": (
        "test_all_seats_race_the_segments_in_order_and_the_highest_total_wins",
        "test_tied_players_stay_tied",
    ),
    "GO-4": (
        "test_a_segment_begins_with_0_to_5_black_dice_and_0_or_1_green",
        "test_dice_are_chosen_at_the_start_of_a_segment_alone",
        "test_nothing_is_rolled_or_accepted_before_dice_are_chosen",
        "test_dice_not_chosen_are_out_for_the_segment_and_back_in_the_next",
    ),
    "GO-5": (
        "test_all_dice_in_play_are_rolled",
        "test_a_segment_scores_the_dice_rolled_and_the_dice_locked",
        "test_no_dice_show_before_they_are_rolled",
    ),
    "GO-6": (
        "test_no_dice_show_before_they_are_rolled",
        "test_a_reroll_rolls_everything_just_rolled_again",
        "test_the_flag_is_rolled_again_too",
        "test_a_reroll_is_spent_straight_after_its_roll",
    ),
    "GO-7": (
        "test_six_circled_dice_at_once_give_175_and_an_extra_turn_whatever_the_flag",
        "test_it_takes_all_six_and_all_circled",
        "test_circles_are_the_kits_and_the_175_is_the_rule_books",
    ),
    "GO-8": (
        "test_a_flat_tyre_counts_0_and_takes_the_green_die_out",
        "test_a_flat_tyre_is_no_die_that_was_locked",
    ),
    "GO-9": (
        "test_the_black_flag_ends_the_segment_with_0",
        "test_a_roll_that_ends_the_segment_can_only_be_accepted_or_rerolled",
    ),
    "GO-10": (
        "test_the_yellow_flag_ends_the_segment_and_adds_the_yellow_die",
        "test_dice_locked_before_count_under_a_yellow_or_a_red_flag_too",
        "test_a_roll_that_ends_the_segment_can_only_be_accepted_or_rerolled",
        "test_a_penalty_that_is_due_is_rolled_before_anything_else",
        "test_a_face_of_the_other_penalty_die_is_rejected_and_an_unknown_face_is_malformed",
    ),
    "GO-11": (
        "test_dice_locked_before_count_under_a_yellow_or_a_red_flag_too",
        "test_the_red_flag_ends_the_segment_and_adds_the_red_die",
        "test_a_crash_or_a_circled_x_calls_for_a_second_roll",
        "test_a_roll_that_ends_the_segment_can_only_be_accepted_or_rerolled",
        "test_a_penalty_that_is_due_is_rolled_before_anything_else",
        "test_a_face_of_the_other_penalty_die_is_rejected_and_an_unknown_face_is_malformed",
        "test_each_red_roll_above_the_limit_may_call_for_a_second",
    ),
    "GO-12": (
        "test_rerolls_may_be_spent_on_the_yellow_and_the_red_die",
        "test_with_the_penalty_die_nothing_else_is_rolled_again",
    ),
    "GO-13": (
        "test_a_roll_that_ends_the_segment_can_only_be_accepted_or_rerolled",
        "test_a_penalty_that_is_due_is_rolled_before_anything_else",
        "test_a_face_of_the_other_penalty_die_is_rejected_and_an_unknown_face_is_malformed",
        "test_above_the_limit_the_segment_is_over_and_the_red_die_is_rolled",
        "test_a_total_of_exactly_the_limit_is_within_it",
        "test_each_red_roll_above_the_limit_may_call_for_a_second",
    ),
    "GO-14": (
        "test_no_dice_show_before_they_are_rolled",
        "test_under_a_green_flag_at_least_one_die_is_locked_and_the_others_are_rolled_again",
        "test_only_dice_that_are_showing_are_locked_each_once",
        "test_once_all_dice_are_locked_the_segment_is_complete",
    ),
    "GO-15": ("test_a_segment_and_a_race_may_end_below_0",),
    "GO-16": (
        "test_a_contest_may_say_what_is_on_the_dice",
        "test_circles_are_the_kits_and_the_175_is_the_rule_books",
        "test_a_colour_left_out_of_the_kit_and_a_circle_left_out_of_a_face_keep_their_defaults",
        "test_a_whole_number_means_the_label_in_its_usual_notation_and_no_other",
        "test_a_label_may_be_any_text_and_values_any_size",
    ),
    "GO-17": ("test_the_kit_of_the_house",),
    "GO-18": ("test_above_the_limit_the_segment_is_over_and_the_red_die_is_rolled",),
    "GO-19": ("test_the_limit_is_a_matter_of_the_green_flag_alone",),
    "GO-20": (
        "test_175_cannot_be_turned_down_by_locking_but_rerolled",
        "test_the_extra_turn_races_the_same_segment_once_more_and_may_earn_another",
        "test_an_accepted_175_is_kept_after_retiring_and_after_the_race_has_ended",
    ),
    "GO-21": ("test_175_may_also_be_the_first_rolls_reroll_but_not_of_dice_locked_before",),
    "GO-22": ("test_a_reroll_after_a_flat_tyre_brings_the_green_die_back",),
    "GO-23": ("test_with_no_die_left_to_lock_the_segment_is_complete",),
    "GO-24": ("test_all_penalty_rolls_are_made_even_after_the_race_has_ended",),
    "GO-25": ("test_who_is_out_skips_the_segments_that_are_left",),
    "GO-26": (
        "test_above_its_limit_a_segment_scores_its_total_and_the_penalties",
        "test_all_dice_locked_does_not_wait_for_a_flat_green_die",
        "test_a_reroll_may_be_rerolled_and_a_second_red_roll_stays_the_second",
    ),
    "GO-27": (
        "test_penalty_dice_thrown_together_count_as_thrown",
        "test_they_are_one_or_more_and_no_more_than_are_due",
        "test_a_second_roll_that_the_last_of_them_called_for_may_follow_later",
    ),
    "TABLE-1": (
        "test_all_seats_race_the_segments_in_order_and_the_highest_total_wins",
        "test_independent_seats_may_be_interleaved_in_any_order",
    ),
    "TABLE-2": (
        "test_who_is_out_skips_the_segments_that_are_left",
        "test_after_the_last_segment_a_seat_accepts_no_action_not_even_retiring",
        "test_a_seat_may_retire_at_any_moment_before_its_end_and_then_does_nothing_more",
    ),
    "TABLE-3": (
        "test_a_player_can_retire_at_any_moment_and_keeps_the_score",
        "test_an_accepted_175_is_kept_after_retiring_and_after_the_race_has_ended",
        "test_when_everybody_has_retired_the_first_of_them_has_won",
        "test_a_seat_may_retire_at_any_moment_before_its_end_and_then_does_nothing_more",
    ),
    "TABLE-4": (
        "test_the_more_specific_clause_comes_first",
        "test_an_action_that_is_not_offered_is_rejected_with_a_clause_and_a_sentence",
    ),
}
