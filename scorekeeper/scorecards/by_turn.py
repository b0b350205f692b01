"""Cards that are recorded turn by turn, at the stops of a ride: every bike of the roster has one in each contest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.core.game import Ruleset
from games.core.problems import Problem
from scorekeeper.bikes.models import Bike
from scorekeeper.common.game_adapter import translate
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.scorecards.bike_card import BikeCard, FoldedBikeCard
from scorekeeper.scorecards.bike_merge import BikeMerge
from scorekeeper.scorecards.card_checks import check_turn_cards
from scorekeeper.scorecards.card_kinds import CardKind, CardLink, ExportColumns, KindWording, MissedTurn
from scorekeeper.scorecards.contest_rules import ContestRules, derive_card_id
from scorekeeper.scorecards.log_damage import LogDamage
from scorekeeper.scorecards.review_presenter import ReviewItemPresenter
from scorekeeper.scorecards.selectors.cards import fold_bike_cards
from scorekeeper.scorecards.selectors.missed_turns import list_missed_turns
from scorekeeper.scorecards.selectors.review_turns import present_turns
from scorekeeper.scorecards.services.bike_operations import merge_turn_cards
from scorekeeper.scorecards.services.bike_unmerge import unmerge_turn_cards
from scorekeeper.scorecards.services.cards import load_cards_for_update
from scorekeeper.scorecards.services.missed_turns import clear_missed_turns, record_missed_turns
from scorekeeper.scorecards.services.turn_projection import insert_turns


class ByTurn(CardKind):
    """Cards of bikes, with a turn for each slot of the contest."""

    recorded_by = "turn"
    enters_roster = True
    is_shared_by_crew = False
    is_agreed_to = True
    entrant_route = "results:bike"
    checklist_template = "scorecards/_checklist.html"
    wording = KindWording(
        not_started=gettext_lazy("not yet played"),
        nobody_started=gettext_lazy("Nobody has played yet"),
        updating=gettext_lazy("The leaderboard updates by itself as the crews record turns."),
        closing=gettext_lazy(
            "Closing records every missing turn as missed. After that only your own entries count, each with a reason. "
            "Entries that arrive later go to your review list."
        ),
        closing_reason=gettext_lazy("The ride is over."),
        setup=gettext_lazy("Turns at the stops"),
    )
    export = ExportColumns(count_key="turns", count=gettext_lazy("Turns"), is_always_counted=True)

    def get_setup_url(self, contest: Contest) -> str:
        """Return the URL of the page that assigns turns to stops."""
        return reverse("stops:slots", args=[contest.event.slug, contest.slug]) if contest.game.slot_option else ""

    def format_card_count(self, contest: Contest) -> str:
        """Return "": a card is created with its first turn."""
        return ""

    def list_cards(self, contest: Contest, entrant_ids: Collection[UUID]) -> Mapping[UUID, Sequence[CardLink]]:
        """Return the card of each bike, even if nothing is recorded on it yet."""
        return {
            entrant: [CardLink(0, self.get_history_url(contest.event, derive_card_id(contest.pk, entrant)))]
            for entrant in entrant_ids
        }

    def get_history_url(self, event: Event, card_id: UUID) -> str:
        """Return the URL of the organiser's page of a card."""
        return reverse("scorecards:desk_card", args=[event.slug, card_id])

    def describe_closing(self, ruleset: Ruleset, unfinished_count: int, *, counts_sheets: bool = False) -> str:
        """Return how many bikes, or sheets, have turns missing, and what becomes of them."""
        if not unfinished_count:
            return _("No turn is missing. Entries that arrive later go to your review list.")
        if counts_sheets:
            missing = ngettext(
                "%(count)s sheet has turns missing.", "%(count)s sheets have turns missing.", unfinished_count
            )
        else:
            missing = ngettext(
                "%(count)s bike has turns missing.", "%(count)s bikes have turns missing.", unfinished_count
            )
        text = _(
            "%(missing)s They will be recorded as missed. %(worth)s Entries that arrive later go to your review list."
        )
        worth = translate(*ruleset.game.describe_missed_turn(ruleset.setup))
        return text % {"missing": missing % {"count": unfinished_count}, "worth": worth}

    def fold_cards(
        self,
        contest: ContestRules,
        card_ids: Iterable[UUID] | None = None,
        lengths: Mapping[UUID, int] | None = None,
    ) -> Sequence[FoldedBikeCard]:
        """Return the cards with entries, in the order of their ids; damaged ones are left out."""
        return fold_bike_cards(contest, card_ids, lengths)

    def number_cards(self, contest_id: UUID) -> Mapping[UUID, int]:
        """Return nothing: a card goes by the number of its bike."""
        return {}

    def check_cards(self, contest: Contest) -> Iterator[LogDamage]:
        """Compare turns and snapshots with the logs."""
        return check_turn_cards(contest)

    def insert_projections(self, contest: ContestRules) -> None:
        """Insert the current turns."""
        insert_turns(contest)

    def lock_card(self, context: OperationContext, card_id: UUID) -> BikeCard:
        """Lock the card of a bike."""
        return load_cards_for_update(context, [card_id])[card_id]

    def close_cards(self, context: OperationContext, contest: ContestRules) -> None:
        """Record every missing turn as missed."""
        record_missed_turns(context, contest)

    def list_missed_turns(self, contest: ContestRules) -> Sequence[MissedTurn]:
        """Return the turns that closings recorded as missed."""
        return list_missed_turns(contest)

    def clear_missed_turns(self, context: OperationContext, contest: ContestRules, closing_id: UUID) -> int:
        """Void the missed turns that a closing recorded."""
        return clear_missed_turns(context, contest, closing_id)

    def list_merge_problems(self, contests: Sequence[Contest], bike: Bike, into: Bike) -> Iterator[Problem]:
        """Return nothing: whether the turns fit on one card is judged while they move."""
        return iter(())

    def merge_bikes(self, context: OperationContext, contests: Sequence[Contest], bike: Bike, into: Bike) -> None:
        """Move the turns of a bike to the cards of another."""
        merge_turn_cards(context, contests, bike, into)

    def unmerge_bikes(self, context: OperationContext, contests: Sequence[Contest], merge: BikeMerge) -> None:
        """Move the turns back that a merge moved."""
        unmerge_turn_cards(context, contests, merge)

    def present_review_items(self, event: Event, items: Sequence[ReviewItem]) -> list[ReviewItemPresenter]:
        """Return turns and corrections of turns, with both sides."""
        return present_turns(event, items)
