"""The tests that show each clause of the rule books. `test_clause_table.py` checks this table against both."""

from __future__ import annotations

TESTS_BY_CLAUSE: dict[str, tuple[str, ...]] = {
    "ROCK-1": ("test_a_seat_is_one_card_and_cards_do_not_affect_each_other",),
    "ROCK-2": (
        "test_a_card_has_five_turns_unless_the_contest_says_otherwise",
        "test_best_and_worst_match_every_possible_continuation",
        "test_the_best_of_a_new_card_is_three_yahtzees_a_large_straight_and_thirty",
        "test_a_finished_card_can_reach_only_its_total",
    ),
    "ROCK-3": (
        "test_the_first_roll_takes_all_five_dice_and_keeps_none",
        "test_a_turn_has_three_rolls_and_no_fourth",
        "test_final_dice_can_follow_one_two_or_three_rolls",
    ),
    "ROCK-4": (
        "test_a_further_roll_keeps_dice_that_are_showing_and_rolls_the_others",
        "test_a_further_roll_makes_five_dice_again",
        "test_a_further_roll_rolls_at_least_one_die",
        "test_every_problem_of_a_further_roll_is_reported_at_once",
    ),
    "ROCK-5": ("test_a_turn_may_stop_after_the_first_or_the_second_roll",),
    "ROCK-6": ("test_a_box_is_scored_with_dice_and_ends_the_turn",),
    "ROCK-7": (
        "test_an_upper_box_counts_its_own_number",
        "test_a_box_gives_what_counting_gives_on_all_7776_rolls",
    ),
    "ROCK-8": (
        "test_83_in_the_upper_section_earns_35_at_once_and_82_nothing",
        "test_the_bonus_is_the_contests_to_choose",
        "test_best_and_worst_match_every_possible_continuation",
        "test_the_bonus_counts_where_it_can_still_be_reached",
    ),
    "ROCK-9": (
        "test_three_of_a_kind_is_the_sum_of_all_dice",
        "test_a_box_gives_what_counting_gives_on_all_7776_rolls",
    ),
    "ROCK-10": (
        "test_four_of_a_kind_is_the_sum_of_all_dice",
        "test_a_box_gives_what_counting_gives_on_all_7776_rolls",
    ),
    "ROCK-11": (
        "test_a_full_house_is_25",
        "test_a_box_gives_what_counting_gives_on_all_7776_rolls",
    ),
    "ROCK-12": (
        "test_a_small_straight_is_30",
        "test_a_box_gives_what_counting_gives_on_all_7776_rolls",
    ),
    "ROCK-13": (
        "test_a_large_straight_is_40",
        "test_a_box_gives_what_counting_gives_on_all_7776_rolls",
    ),
    "ROCK-14": (
        "test_yahtzees_are_50_then_50_then_100_and_there_is_no_fourth",
        "test_the_entries_of_the_yahtzee_box_are_the_contests_to_choose",
        "test_paper_gives_yahtzee_the_next_of_its_entries",
        "test_best_and_worst_match_every_possible_continuation",
        "test_the_best_of_a_new_card_is_three_yahtzees_a_large_straight_and_thirty",
    ),
    "ROCK-15": (
        "test_chance_is_the_sum_of_any_dice",
        "test_a_box_gives_what_counting_gives_on_all_7776_rolls",
    ),
    "ROCK-16": (
        "test_every_other_box_is_used_once",
        "test_best_and_worst_match_every_possible_continuation",
    ),
    "ROCK-17": (
        "test_a_full_house_is_25",
        "test_a_small_straight_is_30",
        "test_a_large_straight_is_40",
        "test_yahtzees_are_50_then_50_then_100_and_there_is_no_fourth",
        "test_a_box_gives_what_counting_gives_on_all_7776_rolls",
    ),
    "ROCK-18": (
        "test_the_total_is_both_sections_and_the_bonus_and_the_highest_wins",
        "test_the_sheet_is_the_printed_card_and_says_which_turns_filled_a_line",
    ),
    "ROCK-19": ("test_tied_cards_share_their_place_until_they_cut_and_the_highest_card_is_best",),
    "ROCK-20": ("test_a_die_set_aside_may_be_picked_up_again",),
    "ROCK-21": ("test_any_open_box_may_be_chosen_and_gives_0_without_its_pattern",),
    "ROCK-22": (
        "test_a_zero_closes_the_yahtzee_box_and_its_points_are_kept",
        "test_best_and_worst_match_every_possible_continuation",
        "test_a_zero_closes_the_yahtzee_box_for_good",
    ),
    "ROCK-23": (
        "test_five_alike_are_no_full_house_and_no_joker",
        "test_a_box_gives_what_counting_gives_on_all_7776_rolls",
    ),
    "ROCK-24": (
        "test_a_small_straight_is_30",
        "test_a_large_straight_also_counts_as_a_small_one",
        "test_a_box_gives_what_counting_gives_on_all_7776_rolls",
    ),
    "ROCK-25": ("test_yahtzees_are_50_then_50_then_100_and_there_is_no_fourth",),
    "ROCK-26": (
        "test_a_missed_turn_uses_no_box_and_scores_0",
        "test_a_turn_with_dice_is_not_missed",
        "test_best_and_worst_match_every_possible_continuation",
        "test_recorded_dice_must_be_scored",
    ),
    "ROCK-27": (
        "test_cards_rank_from_two_to_ace_whatever_the_suit",
        "test_equal_cards_are_cut_again_and_an_absent_seat_ranks_below",
        "test_a_cut_ranks_only_the_tied_seats",
        "test_one_card_is_not_shown_twice_and_at_least_one_seat_must_cut",
        "test_no_cards_are_cut_before_the_game_is_finished",
        "test_retired_seats_do_not_cut",
        "test_what_is_no_card_cannot_be_read",
        "test_a_cut_of_a_seat_that_is_not_there_cannot_be_read",
    ),
    "ROCK-28": ("test_the_worked_turns_give_what_the_rules_say",),
    "ROCK-29": (
        "test_paper_gives_a_box_points_that_it_can_give",
        "test_paper_gives_yahtzee_the_next_of_its_entries",
        "test_a_paper_card_replaces_a_whole_turn",
        "test_paper_can_give_nothing_but_0_and_what_some_dice_give",
        "test_best_and_worst_match_every_possible_continuation",
    ),
    "ROCK-30": ("test_a_card_without_an_open_box_is_done_even_with_turns_left",),
    "ROCK-31": (
        "test_final_dice_replace_what_was_rolled_and_are_given_once_with_no_roll_after_them",
        "test_final_dice_are_five",
        "test_best_and_worst_match_every_possible_continuation",
        "test_recorded_dice_must_be_scored",
    ),
    "TABLE-1": (
        "test_there_is_no_order_among_the_cards_and_nobody_is_to_act",
        "test_independent_seats_may_be_interleaved_in_any_order",
    ),
    "TABLE-2": (
        "test_a_card_has_five_turns_unless_the_contest_says_otherwise",
        "test_no_cards_are_cut_before_the_game_is_finished",
        "test_a_card_without_an_open_box_is_done_even_with_turns_left",
        "test_a_finished_card_accepts_no_action_not_even_retiring",
        "test_a_seat_may_retire_at_any_moment_before_its_end_and_then_does_nothing_more",
    ),
    "TABLE-3": (
        "test_retired_seats_do_not_cut",
        "test_a_bike_may_go_home_in_the_middle_of_a_turn",
        "test_when_everybody_has_retired_the_first_of_them_has_won",
        "test_a_seat_may_retire_at_any_moment_before_its_end_and_then_does_nothing_more",
        "test_a_finished_card_can_reach_only_its_total",
    ),
    "TABLE-4": (
        "test_the_clause_of_the_box_comes_before_that_of_the_moment",
        "test_an_action_that_is_not_offered_is_rejected_with_a_clause_and_a_sentence",
    ),
}
