"""The class of the game poker run, which joins the modules of this package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.core.actions import Action, ActionType
from games.core.cards import CUT
from games.core.game import ALL_STOPS, TieProcedure
from games.core.handouts import Handout
from games.core.independent import IndependentGame, Table
from games.core.odds import Aim, Endings, Odds, Wanted
from games.core.problems import Problem
from games.core.sheet import Line, Turn
from games.core.specs import ActionSpec
from games.core.standing import Reach
from games.core.text import Params, Text, gettext_noop
from games.core.time_limit import TimeLimit
from games.poker_run.actions import Draw, Extra, Stand, list_action_types
from games.poker_run.hands import LABELS, WORDS, get_category
from games.poker_run.offers import BUY_A_CARD, DRAW_CARDS, PLAIN_TURN, list_offers
from games.poker_run.options import OPTIONS, PRESETS
from games.poker_run.reach import get_reach
from games.poker_run.rules import APPLY, PROBLEMS
from games.poker_run.sheet import describe_number, list_lines, list_turns
from games.poker_run.state import Hand, Setup, get_hand_key, get_hand_number, is_done, list_cards

NO_CARD = gettext_noop("A missed turn brings no card.")
NO_GROUPS = gettext_noop("Hands cannot be added up. Leave groups uncompared.")


class PokerRun(IndependentGame[Hand]):
    """A card at every stop of a ride: the best five make the hand, and cards break ties."""

    key = "poker-run"
    name = gettext_noop("Poker run")
    summary = gettext_noop("A card is drawn at every stop, and the best five make the hand.")
    who_plays = gettext_noop("All bikes, each with one hand.")
    takes = ALL_STOPS
    recorded_by = "turn"
    closing_types = frozenset({Extra.type, Stand.type})
    points_of_turns = False  # they are its number of cards
    compares_totals = False
    tie_rule = "POKER-18"
    slot_option = "turns"
    total_label = gettext_noop("Hand")
    odds_measure = "hand"
    hand_labels = LABELS
    declared_options = OPTIONS
    presets = PRESETS
    plain_turn = PLAIN_TURN

    def set_up(self, options: Mapping[str, Any]) -> Setup:
        return Setup(
            turns=options["turns"],
            cards=options["cards"],
            is_one_deck=options["deck"] == "one",
            jokers=options["jokers"],
            extra=options["extra"],
            is_low=options["goal"] == "low",
            cuts_cards=options["ties"] == "cut",
        )

    def tie_procedure(self, setup: Setup) -> TieProcedure:
        return "cut_cards" if setup.cuts_cards else "stay_level"

    def lowest_wins(self, setup: Setup) -> bool:
        return setup.is_low

    def why_no_groups(self, setup: Setup) -> Text | None:
        return NO_GROUPS

    def describe_missed_turn(self, setup: Setup) -> tuple[Text, Params]:
        return NO_CARD, {}

    def seat_action_types(self, setup: Setup) -> Sequence[ActionType]:
        # A cut can be read with any options: with some of them, POKER-18 forbids it.
        return (*list_action_types(setup.jokers > 0), CUT)

    def start_seat(self, setup: Setup) -> Hand:
        return Hand()

    def seat_problems(self, setup: Setup, seat: Hand, action: Action) -> tuple[Problem, ...]:
        return PROBLEMS[type(action)](setup, seat, action)

    def seat_apply(self, setup: Setup, seat: Hand, action: Action) -> Hand:
        return APPLY[type(action)](setup, seat, action)

    def seat_specs(self, setup: Setup, seat: Hand, number: int) -> tuple[ActionSpec, ...]:
        return list_offers(setup, seat, number)

    def seat_lines(self, setup: Setup, seat: Hand) -> tuple[Line, ...]:
        return list_lines(setup, seat)

    def is_seat_done(self, setup: Setup, seat: Hand) -> bool:
        return is_done(setup, seat)

    def seat_total(self, setup: Setup, seat: Hand) -> int:
        return get_hand_number(setup, seat)

    def seat_key(self, setup: Setup, seat: Hand) -> tuple[int, ...]:
        return get_hand_key(setup, seat)

    def seat_after_turns(self, setup: Setup, turns: Sequence[Turn]) -> Hand:
        return Hand(tuple(tuple(map(str, turn.dice)) for turn in turns))

    def seat_reach(self, setup: Setup, seat: Hand) -> Reach | None:
        return get_reach(setup, seat)

    def describe_total(self, total: int) -> tuple[Text, Params]:
        return describe_number(total)

    def seat_odds(self, setup: Setup, seat: Hand, wanted: Wanted) -> Odds | None:
        # Scoring never needs these modules, so they are loaded when somebody asks.
        from games.poker_run.odds.answer import get_odds

        return get_odds(setup, seat, wanted)

    def odds(self, state: Table[Hand], seat: int, wanted: Wanted) -> Odds | None:
        from games.poker_run.odds.answer import get_odds_of_done

        if self.standing(state, seat).status != "playing":
            return get_odds_of_done(state.ruleset.setup, state.seats[seat], wanted)
        return super().odds(state, seat, wanted)

    def endings(self, state: Table[Hand], seat: int, limit: TimeLimit) -> Endings | None:
        from games.poker_run.odds.endings import list_endings

        return list_endings(state.ruleset.setup, state.seats[seat], limit)

    def is_seat_between_turns(self, setup: Setup, seat: Hand) -> bool:
        """Return True: a turn is a single action, and nothing is decided in it."""
        return True

    def choice_label(self, choice: Mapping[str, Any]) -> Text | None:
        return {Draw.type: DRAW_CARDS, Extra.type: BUY_A_CARD}.get(choice["type"])

    def odds_aim(self, setup: Setup) -> Aim:
        return "low" if setup.is_low else "high"

    def extra_results(self, state: Table[Hand]) -> Mapping[str, Any]:
        """Return the word for the hand of each seat, None for a seat without cards."""
        setup = state.ruleset.setup
        return {
            "hands": [
                WORDS[get_category(get_hand_number(setup, seat))] if list_cards(seat) else None for seat in state.seats
            ]
        }

    def turns(self, state: Table[Hand], seat: int) -> tuple[Turn, ...]:
        return list_turns(state.ruleset.setup, state.seats[seat])

    def preview(self, setup: Setup) -> Mapping[str, Any]:
        # Only the form of the options shows it.
        from games.poker_run.preview import make_preview

        return make_preview(setup)

    def example(self, setup: Setup) -> Sequence[Mapping[str, Any]]:
        # Only the form of the options shows it.
        from games.poker_run.example import make_example

        return make_example(setup)

    def handouts(self, setup: Setup) -> tuple[Handout, ...]:
        # Only the server prints, so phones need not load this.
        from games.poker_run.handouts import list_handouts

        return list_handouts(setup)


GAME = PokerRun()
