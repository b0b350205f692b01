"""The tests that show each clause of the rule books. `test_clause_table.py` checks this table against both."""

from __future__ import annotations

TESTS_BY_CLAUSE: dict[str, tuple[str, ...]] = {
    "DRAG-1": (
        "test_two_cars_start_on_space_1_and_cross_on_23",
        "test_the_sheet_shows_the_latest_heat_and_the_heats_won",
    ),
    "DRAG-2": (
        "test_a_counter_is_used_once_a_heat_by_either_player",
        "test_a_heat_starts_with_all_counters_and_both_nitro_dice",
        "test_what_is_no_counter_cannot_be_read",
        "test_random_heats_match_the_reference_rules",
    ),
    "DRAG-3": (
        "test_on_a_turn_a_player_advances_or_challenges_and_does_not_pass",
        "test_the_results_that_a_heat_can_still_have_match_every_continuation",
    ),
    "DRAG-4": ("test_a_car_moves_by_its_counter_and_the_turn_passes",),
    "DRAG-5": (
        "test_a_challenged_player_rolls_two_dice_or_three_with_the_nitro_die",
        "test_the_nitro_die_is_used_once_a_heat",
        "test_only_a_challenged_player_rolls",
        "test_the_sheet_shows_the_latest_heat_and_the_heats_won",
    ),
    "DRAG-6": (
        "test_a_total_below_the_counter_spins_the_car_out_and_the_challenger_may_advance",
        "test_a_search_that_is_too_long_says_nothing",
    ),
    "DRAG-7": (
        "test_the_nitro_die_is_used_once_a_heat",
        "test_a_total_of_the_counter_or_more_holds",
        "test_without_a_nitro_die_a_failed_challenger_can_only_pass",
    ),
    "DRAG-8": (
        "test_after_a_failed_challenge_and_a_pass_the_opponent_can_only_advance",
        "test_the_results_that_a_heat_can_still_have_match_every_continuation",
    ),
    "DRAG-9": (
        "test_a_total_below_the_counter_spins_the_car_out_and_the_challenger_may_advance",
        "test_a_counter_lost_to_a_spin_out_counts_and_stays_used",
        "test_the_sheet_shows_the_latest_heat_and_the_heats_won",
        "test_random_heats_match_the_reference_rules",
    ),
    "DRAG-10": (
        "test_fewer_counters_win_in_any_order_and_on_any_space",
        "test_random_heats_match_the_reference_rules",
        "test_the_results_that_a_heat_can_still_have_match_every_continuation",
        "test_what_is_said_about_a_heat_holds_at_its_end",
    ),
    "DRAG-11": (
        "test_with_as_many_counters_the_space_nearest_to_23_wins_and_the_same_is_a_dead_heat",
        "test_random_heats_match_the_reference_rules",
    ),
    "DRAG-12": (
        "test_a_crossing_lets_the_other_drive_on_alone_up_to_as_many_counters",
        "test_random_heats_match_the_reference_rules",
        "test_a_crossing_that_cannot_be_matched_any_more_is_safe",
    ),
    "DRAG-13": (
        "test_no_counter_may_lead_beyond_26_while_another_does_not",
        "test_when_every_counter_leads_beyond_26_any_may_be_played_and_breaks_the_chute",
    ),
    "DRAG-14": (
        "test_a_broken_chute_wins_when_the_other_never_crosses",
        "test_a_broken_chute_loses_to_a_car_that_crossed_before_it",
        "test_two_broken_chutes_are_a_dead_heat",
        "test_a_broken_chute_wins_over_a_blown_engine_once_its_roll_holds",
        "test_random_heats_match_the_reference_rules",
    ),
    "DRAG-15": (
        "test_a_blown_engine_cannot_win_and_two_are_a_dead_heat",
        "test_random_heats_match_the_reference_rules",
        "test_the_results_that_a_heat_can_still_have_match_every_continuation",
        "test_what_is_said_about_a_heat_holds_at_its_end",
        "test_a_blown_engine_cannot_win_the_heat",
    ),
    "DRAG-16": (
        "test_a_heat_starts_with_all_counters_and_both_nitro_dice",
        "test_a_dead_heat_is_run_again_and_two_heats_win_the_race",
        "test_a_dead_heat_is_run_again_under_its_number_as_on_the_sheet",
        "test_the_sheet_shows_the_latest_heat_and_the_heats_won",
        "test_the_picture_and_the_sheet_count_the_same_heats",
        "test_a_player_needs_two_heats",
        "test_each_choice_has_the_chance_to_win_the_race_of_a_plain_search",
    ),
    "DRAG-17": (
        "test_the_beginner_is_recorded_for_every_heat_before_anything_else",
        "test_what_is_no_action_of_the_race_cannot_be_read",
        "test_each_choice_has_the_chance_to_win_the_race_of_a_plain_search",
    ),
    "DRAG-18": (
        "test_only_the_move_of_the_turn_just_before_is_challenged",
        "test_a_move_is_challenged_only_once",
        "test_a_move_made_after_a_challenge_is_challenged_like_any_other",
        "test_the_results_that_a_heat_can_still_have_match_every_continuation",
    ),
    "DRAG-19": (
        "test_a_crossing_that_spins_out_has_not_crossed",
        "test_moves_of_a_player_who_drives_on_alone_are_not_challenged",
        "test_a_crossing_that_can_be_challenged_or_matched_decides_nothing",
    ),
    "DRAG-20": ("test_after_a_crossing_that_holds_and_a_pass_the_challenger_must_advance",),
    "DRAG-21": (
        "test_an_intact_crossing_with_equal_counters_ends_the_heat_at_once",
        "test_a_broken_chute_never_ends_a_heat_by_the_number_of_counters",
        "test_the_results_that_a_heat_can_still_have_match_every_continuation",
    ),
    "DRAG-22": ("test_when_every_counter_leads_beyond_26_any_may_be_played_and_breaks_the_chute",),
    "DRAG-23": (
        "test_a_blown_engine_cannot_win_and_two_are_a_dead_heat",
        "test_an_engine_is_blown_below_23_and_not_at_23",
        "test_two_engines_blown_by_a_spin_out_end_the_heat_before_the_challenger_advances",
        "test_a_player_with_a_blown_engine_takes_turns_as_before",
        "test_random_heats_match_the_reference_rules",
        "test_the_results_that_a_heat_can_still_have_match_every_continuation",
        "test_a_blown_engine_cannot_win_the_heat",
    ),
    "DRAG-24": (
        "test_a_broken_chute_wins_when_the_other_never_crosses",
        "test_two_broken_chutes_are_a_dead_heat",
        "test_moves_of_a_player_who_drives_on_alone_are_not_challenged",
        "test_a_broken_chute_never_ends_a_heat_by_the_number_of_counters",
        "test_behind_a_broken_chute_an_intact_crossing_wins_whatever_the_counters",
        "test_random_heats_match_the_reference_rules",
        "test_a_crossing_that_can_be_challenged_or_matched_decides_nothing",
    ),
    "DRAG-25": (
        "test_a_crossing_lets_the_other_drive_on_alone_up_to_as_many_counters",
        "test_a_blown_engine_loses_when_the_right_to_challenge_is_gone",
        "test_a_broken_chute_wins_over_a_blown_engine_once_its_roll_holds",
        "test_random_heats_match_the_reference_rules",
        "test_a_crossing_that_cannot_be_matched_any_more_is_safe",
    ),
    "DRAG-26": ("test_when_every_counter_leads_beyond_26_any_may_be_played_and_breaks_the_chute",),
    "DRAG-27": (
        "test_without_a_counter_a_player_challenges_or_passes",
        "test_random_heats_match_the_reference_rules",
        "test_the_results_that_a_heat_can_still_have_match_every_continuation",
    ),
    "DRAG-28": ("test_when_every_counter_leads_beyond_26_any_may_be_played_and_breaks_the_chute",),
    "DRAG-29": (
        "test_several_races_are_ranked_by_races_won_and_then_by_the_difference_of_heats",
        "test_a_race_that_the_other_left_is_a_race_won",
        "test_random_races_are_combined_as_the_clause_says",
        "test_a_player_needs_two_heats",
    ),
    "TABLE-1": (
        "test_while_a_roll_is_due_nothing_else_is_possible",
        "test_the_seats_take_turns",
        "test_in_turn_order_only_the_seat_to_act_is_offered_anything_but_retiring",
    ),
    "TABLE-2": (
        "test_a_dead_heat_is_run_again_and_two_heats_win_the_race",
        "test_a_seat_may_retire_at_any_moment_before_its_end_and_then_does_nothing_more",
    ),
    "TABLE-3": (
        "test_when_a_seat_retires_the_other_has_won_the_race",
        "test_a_retired_seat_ranks_below_one_that_won_fewer_heats",
        "test_a_race_that_the_other_left_is_a_race_won",
        "test_a_driver_who_left_some_races_has_not_retired",
        "test_a_seat_may_retire_at_any_moment_before_its_end_and_then_does_nothing_more",
    ),
    "TABLE-4": (
        "test_without_a_nitro_die_a_failed_challenger_can_only_pass",
        "test_without_a_counter_a_player_challenges_or_passes",
        "test_an_action_that_is_not_offered_is_rejected_with_a_clause_and_a_sentence",
    ),
}
