"""The tests that show each clause of the rule books. `test_clause_table.py` checks this table against both."""

from __future__ import annotations

TESTS_BY_CLAUSE: dict[str, tuple[str, ...]] = {
    "ROGUE-1": (
        "test_the_dice_show_2_to_6_and_a_critter",
        "test_at_least_two_play_and_the_turn_goes_round_from_seat_0",
    ),
    "ROGUE-2": (
        "test_a_turn_begins_by_rolling_all_six_dice",
        "test_a_further_roll_takes_all_the_dice_that_are_left",
        "test_after_each_roll_dice_are_set_aside_before_anything_else",
        "test_at_least_one_die_is_set_aside",
        "test_dice_are_set_aside_once_a_roll_and_only_after_one",
    ),
    "ROGUE-3": (
        "test_a_roll_without_a_set_or_a_rogue_ends_the_turn_and_loses_nothing",
        "test_six_dice_always_have_something_to_set_aside",
        "test_a_sure_winner_wins_in_every_continuation_and_only_then",
        "test_a_player_needs_the_target_and_points_set_aside_count",
        "test_the_last_player_in_the_lead_cannot_be_caught",
    ),
    "ROGUE-4": (
        "test_a_set_gives_what_the_chart_says",
        "test_each_roll_is_scored_by_itself",
        "test_what_may_be_set_aside_and_what_it_gives_is_what_the_words_say_on_every_roll",
    ),
    "ROGUE-5": (
        "test_scoring_dice_may_be_left_and_are_rolled_again",
        "test_what_may_be_set_aside_and_what_it_gives_is_what_the_words_say_on_every_roll",
    ),
    "ROGUE-6": ("test_only_dice_showing_on_the_last_roll_can_be_set_aside",),
    "ROGUE-7": (
        "test_a_rogue_doubles_what_is_set_aside_with_it",
        "test_what_may_be_set_aside_and_what_it_gives_is_what_the_words_say_on_every_roll",
        "test_a_sure_winner_wins_in_every_continuation_and_only_then",
    ),
    "ROGUE-8": (
        "test_a_rogue_on_the_last_die_doubles_the_whole_turn",
        "test_a_sure_winner_wins_in_every_continuation_and_only_then",
        "test_the_last_player_with_too_few_dice_left_cannot_win_any_more",
    ),
    "ROGUE-9": (
        "test_a_rogue_may_be_set_aside_alone_and_scores_nothing",
        "test_what_may_be_set_aside_and_what_it_gives_is_what_the_words_say_on_every_roll",
    ),
    "ROGUE-10": (
        "test_two_critters_or_more_are_a_set_and_no_rogue",
        "test_what_may_be_set_aside_and_what_it_gives_is_what_the_words_say_on_every_roll",
    ),
    "ROGUE-11": (
        "test_a_run_gives_250",
        "test_what_may_be_set_aside_and_what_it_gives_is_what_the_words_say_on_every_roll",
    ),
    "ROGUE-12": (
        "test_in_the_war_all_six_dice_earn_an_additional_turn_and_again",
        "test_the_war_applies_to_all_players",
        "test_before_the_war_six_dice_earn_nothing_more",
        "test_five_dice_earn_no_additional_turn",
        "test_a_rogue_set_aside_alone_costs_the_additional_turn",
        "test_a_rogue_that_doubles_is_part_of_the_score_and_does_not_cost_the_additional_turn",
        "test_the_points_of_a_retired_seat_still_start_the_war_and_the_last_round",
        "test_a_seat_that_retires_gets_no_additional_turn",
        "test_a_sure_winner_wins_in_every_continuation_and_only_then",
        "test_the_last_player_with_too_few_dice_left_cannot_win_any_more",
    ),
    "ROGUE-13": (
        "test_with_2000_points_the_others_finish_the_round",
        "test_one_point_less_plays_on",
        "test_the_most_points_of_the_last_round_win_not_the_first_to_get_there",
        "test_the_points_of_a_retired_seat_still_start_the_war_and_the_last_round",
        "test_a_seat_that_retires_ends_the_round_when_it_was_the_last_in_it",
        "test_what_is_said_holds_at_the_end",
        "test_a_player_needs_the_target_and_points_set_aside_count",
        "test_in_the_last_round_a_player_needs_the_lead",
        "test_the_last_player_in_the_lead_cannot_be_caught",
    ),
    "ROGUE-14": (
        "test_a_shared_lead_plays_another_round_for_all_until_one_leads",
        "test_a_tie_behind_the_leader_ends_the_game_and_stays",
        "test_every_rule_applies_in_the_rounds_after_a_shared_lead",
        "test_a_retiring_seat_does_not_create_a_sole_leader_before_the_round_is_over",
    ),
    "ROGUE-15": (
        "test_six_rogues_in_a_row_win_at_once",
        "test_a_sure_winner_wins_in_every_continuation_and_only_then",
        "test_whoever_has_a_turn_left_can_win_by_rogue_out",
    ),
    "ROGUE-16": (
        "test_dice_of_one_number_from_one_roll_are_one_set_and_never_one_die",
        "test_a_message_about_a_lone_number_says_what_could_be_set_aside",
        "test_what_may_be_set_aside_and_what_it_gives_is_what_the_words_say_on_every_roll",
    ),
    "ROGUE-17": (
        "test_of_two_critters_or_more_never_one_alone_is_set_aside",
        "test_what_may_be_set_aside_and_what_it_gives_is_what_the_words_say_on_every_roll",
    ),
    "ROGUE-18": (
        "test_a_rogue_that_doubles_is_part_of_the_score_and_does_not_cost_the_additional_turn",
        "test_a_rogue_doubles_every_set_of_its_roll",
        "test_what_may_be_set_aside_and_what_it_gives_is_what_the_words_say_on_every_roll",
    ),
    "ROGUE-19": (
        "test_a_run_is_scored_only_whole_and_not_doubled",
        "test_what_may_be_set_aside_and_what_it_gives_is_what_the_words_say_on_every_roll",
    ),
    "ROGUE-20": (
        "test_the_critter_of_a_run_may_be_set_aside_alone_instead",
        "test_what_may_be_set_aside_and_what_it_gives_is_what_the_words_say_on_every_roll",
    ),
    "ROGUE-21": (
        "test_a_rogue_on_the_last_die_doubles_the_whole_turn",
        "test_a_rogue_on_the_last_die_is_set_aside_like_any_other",
        "test_a_rogue_that_doubles_is_part_of_the_score_and_does_not_cost_the_additional_turn",
    ),
    "ROGUE-22": (
        "test_five_dice_earn_no_additional_turn",
        "test_a_turn_ends_with_the_last_die_or_by_banking_after_dice_are_set_aside",
    ),
    "ROGUE-23": (
        "test_points_are_added_when_the_turn_ends",
        "test_the_turn_that_reaches_1812_with_all_six_dice_earns_an_additional_turn_itself",
        "test_points_doubled_by_the_last_rogue_count_for_the_war",
    ),
    "ROGUE-24": (
        "test_six_rogues_in_a_row_win_at_once",
        "test_rogue_out_takes_six_rolls_with_a_rogue_alone_each",
        "test_rogues_are_in_a_row_only_within_one_turn",
        "test_rogue_out_counts_in_an_additional_turn_and_when_others_have_2000",
        "test_a_sure_winner_wins_in_every_continuation_and_only_then",
    ),
    "ROGUE-25": (
        "test_reaching_2000_does_not_cut_additional_turns_short",
        "test_additional_turns_belong_to_the_same_turn_of_the_round",
        "test_a_sure_winner_wins_in_every_continuation_and_only_then",
    ),
    "ROGUE-26": (
        "test_rogue_out_counts_in_an_additional_turn_and_when_others_have_2000",
        "test_an_additional_turn_is_taken_without_being_offered",
        "test_every_rule_applies_in_the_rounds_after_a_shared_lead",
    ),
    "TABLE-1": (
        "test_only_the_seat_whose_turn_it_is_plays",
        "test_in_turn_order_only_the_seat_to_act_is_offered_anything_but_retiring",
    ),
    "TABLE-2": (
        "test_after_the_end_nothing_is_possible",
        "test_the_last_seat_left_has_won_without_its_running_turn_and_cannot_retire",
        "test_a_seat_may_retire_at_any_moment_before_its_end_and_then_does_nothing_more",
    ),
    "TABLE-3": (
        "test_a_seat_that_retires_in_its_turn_keeps_the_points_set_aside_and_is_skipped",
        "test_a_seat_may_retire_while_another_plays",
        "test_retired_seats_are_ranked_among_themselves_by_score",
        "test_the_last_seat_left_has_won_without_its_running_turn_and_cannot_retire",
        "test_the_points_of_a_retired_seat_still_start_the_war_and_the_last_round",
        "test_a_seat_that_retires_ends_the_round_when_it_was_the_last_in_it",
        "test_a_retiring_seat_does_not_create_a_sole_leader_before_the_round_is_over",
        "test_a_seat_that_retires_gets_no_additional_turn",
        "test_a_seat_may_retire_at_any_moment_before_its_end_and_then_does_nothing_more",
        "test_what_is_said_holds_at_the_end",
    ),
    "TABLE-4": (
        "test_the_most_specific_clause_is_named_first",
        "test_an_action_that_is_not_offered_is_rejected_with_a_clause_and_a_sentence",
    ),
}
