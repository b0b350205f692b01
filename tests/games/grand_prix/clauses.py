"""The tests that show each clause of the rule books. `test_clause_table.py` checks this table against both."""

from __future__ import annotations

TESTS_BY_CLAUSE: dict[str, tuple[str, ...]] = {
    "GP-1": (
        "test_the_four_circuits_are_driven_in_order_and_their_places_make_the_score",
        "test_the_lowest_sum_wins_and_tied_seats_stay_tied",
        "test_a_drive_matches_what_a_finger_on_the_sheet_counts",
        "test_a_drive_that_is_over_has_its_sum_of_places",
    ),
    "GP-2": (
        "test_each_turn_marks_one_space_of_time_and_the_last_space_is_the_last_turn",
        "test_the_house_sheet_has_the_printed_time_tracks",
        "test_a_drive_matches_what_a_finger_on_the_sheet_counts",
    ),
    "GP-3": (
        "test_the_next_gear_is_one_above_or_below",
        "test_a_gear_further_away_needs_a_shift",
        "test_the_same_gear_never_comes_twice_in_a_row",
        "test_the_first_turn_of_every_circuit_takes_any_gear",
        "test_a_turn_has_one_gear_and_it_comes_before_the_roll",
        "test_every_possible_end_is_within_the_limits",
    ),
    "GP-4": (
        "test_each_die_below_the_gear_moves_the_car_one_space",
        "test_a_roll_has_six_dice",
        "test_a_turn_has_one_roll_and_moves_with_it",
        "test_a_drive_matches_what_a_finger_on_the_sheet_counts",
        "test_a_car_moves_six_spaces_a_turn_at_most",
        "test_dice_that_cannot_be_rolled_again_are_certain",
        "test_gear_1_moves_only_with_include",
    ),
    "GP-5": (
        "test_every_section_must_be_landed_in_except_those_beside_the_flag",
        "test_no_section_of_a_circuit_of_two_can_be_missed",
    ),
    "GP-6": (
        "test_every_section_must_be_landed_in_except_those_beside_the_flag",
        "test_each_section_missed_costs_the_gear",
        "test_a_drive_matches_what_a_finger_on_the_sheet_counts",
        "test_a_car_that_can_still_miss_a_section_may_not_finish",
    ),
    "GP-7": (
        "test_damage_that_does_not_fit_is_place_20",
        "test_what_is_paid_leaves_less_room_for_damage",
        "test_a_drive_matches_what_a_finger_on_the_sheet_counts",
        "test_a_car_that_can_still_miss_a_section_may_not_finish",
    ),
    "GP-8": (
        "test_when_time_is_up_the_place_is_the_distance_even_above_20",
        "test_a_drive_matches_what_a_finger_on_the_sheet_counts",
        "test_a_car_moves_six_spaces_a_turn_at_most",
        "test_not_finishing_may_be_the_best_that_is_left",
    ),
    "GP-9": (
        "test_the_flag_in_time_or_on_the_last_turn_is_place_0",
        "test_a_drive_matches_what_a_finger_on_the_sheet_counts",
        "test_a_car_moves_six_spaces_a_turn_at_most",
    ),
    "GP-10": (
        "test_a_reroll_takes_all_six_dice_again",
        "test_include_counts_dice_equal_to_the_gear",
        "test_a_select_rolls_some_of_the_dice_again",
        "test_a_select_takes_at_least_one_die_and_as_many_are_rolled",
        "test_free_uses_are_for_the_whole_game",
        "test_every_possible_end_is_within_the_limits",
        "test_dice_that_cannot_be_rolled_again_are_certain",
        "test_gear_1_moves_only_with_include",
    ),
    "GP-11": (
        "test_without_free_uses_a_special_action_is_paid_with_unused_damage",
        "test_what_is_paid_leaves_less_room_for_damage",
        "test_a_price_is_taken_from_the_earliest_circuits_first_and_the_running_circuit_last",
        "test_a_drive_matches_what_a_finger_on_the_sheet_counts",
        "test_dice_that_cannot_be_rolled_again_are_certain",
    ),
    "GP-12": ("test_reroll_and_select_follow_each_other_in_a_turn_also_with_include",),
    "GP-13": (
        "test_free_uses_are_for_the_whole_game",
        "test_the_sheet_is_the_contests_to_choose_and_the_house_sheet_is_the_default",
        "test_a_sheet_may_have_two_gears_or_seven",
        "test_a_sheet_within_its_ranges_is_read_and_reads_back_to_itself",
    ),
    "GP-14": (
        "test_when_time_is_up_the_place_is_the_distance_even_above_20",
        "test_the_flag_lies_right_behind_the_last_space",
        "test_a_drive_matches_what_a_finger_on_the_sheet_counts",
        "test_the_longest_circuit_there_can_be_is_driven_like_any_other",
    ),
    "GP-15": (
        "test_the_turn_that_reaches_the_flag_takes_its_damage_and_may_not_finish_for_it",
        "test_a_drive_matches_what_a_finger_on_the_sheet_counts",
    ),
    "GP-16": (
        "test_damage_that_just_fills_the_track_does_no_harm",
        "test_a_car_that_does_not_finish_is_20th_even_if_it_was_further_away_on_the_last_turn",
        "test_a_section_is_missed_once_the_car_is_behind_its_last_space_and_paid_for_once",
        "test_a_car_that_does_not_move_misses_nothing",
        "test_a_drive_matches_what_a_finger_on_the_sheet_counts",
        "test_not_finishing_may_be_the_best_that_is_left",
    ),
    "GP-17": (
        "test_a_price_is_taken_from_the_earliest_circuits_first_and_the_running_circuit_last",
        "test_a_circuit_not_finished_because_of_damage_has_none_left_to_pay_with",
        "test_a_special_action_needs_enough_damage_to_pay_for_it",
        "test_include_and_the_reroll_it_comes_with_are_paid_together",
        "test_a_drive_matches_what_a_finger_on_the_sheet_counts",
    ),
    "GP-18": (
        "test_include_is_declared_once_in_a_turn_with_any_of_its_rolls",
        "test_include_applies_only_to_the_rest_of_its_turn",
        "test_select_takes_any_of_the_dice_showing_and_all_six_if_wished",
    ),
    "GP-19": (
        "test_a_gear_further_away_needs_a_shift",
        "test_a_shift_is_not_declared_where_none_is_needed",
        "test_a_shift_does_not_allow_the_same_gear_again",
        "test_a_shift_is_paid_when_the_gear_is_selected",
    ),
    "GP-20": ("test_the_gears_begin_at_1_and_end_at_the_last_of_the_sheet", "test_a_sheet_may_have_two_gears_or_seven"),
    "TABLE-1": (
        "test_there_is_no_order_among_the_seats_and_nobody_is_to_act",
        "test_independent_seats_may_be_interleaved_in_any_order",
    ),
    "TABLE-2": (
        "test_after_its_last_circuit_a_seat_accepts_no_action_not_even_retiring",
        "test_a_seat_may_retire_at_any_moment_before_its_end_and_then_does_nothing_more",
    ),
    "TABLE-3": (
        "test_those_still_driving_rank_below_the_finished_by_circuits_and_then_by_total",
        "test_when_everybody_has_retired_the_first_of_them_has_won",
        "test_a_seat_may_retire_at_any_moment_before_its_end_and_then_does_nothing_more",
        "test_a_drive_that_is_over_has_its_sum_of_places",
    ),
    "TABLE-4": (
        "test_the_most_specific_clause_comes_first_and_every_problem_is_reported",
        "test_an_action_that_is_not_offered_is_rejected_with_a_clause_and_a_sentence",
    ),
}
