"""Cards that are recorded action by action, at tables: the organiser creates them, and each has one seat or more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.core.game import Ruleset
from games.core.problems import Problem
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import ReviewItem
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.scorecards.bike_merge import BikeMerge
from scorekeeper.scorecards.card_checks import check_tables
from scorekeeper.scorecards.card_kinds import CardKind, CardLink, ExportColumns, KindWording, MissedTurn
from scorekeeper.scorecards.contest_rules import ContestRules
from scorekeeper.scorecards.log_damage import LogDamage
from scorekeeper.scorecards.open_table import OpenTable, TableWithEntrants
from scorekeeper.scorecards.review_presenter import ReviewItemPresenter
from scorekeeper.scorecards.selectors.review_actions import present_actions
from scorekeeper.scorecards.selectors.table_summaries import format_table_count, list_tables
from scorekeeper.scorecards.selectors.tables import (
    fold_tables,
    list_card_ids,
    list_entrant_ids,
    list_tables_by_entrant,
    number_tables,
)
from scorekeeper.scorecards.services.actions import lock_table
from scorekeeper.scorecards.services.seat_reassignment import list_seat_problems, reassign_seats, restore_seats


class ByAction(CardKind):
    """Tables, with the actions of all seats in one log."""

    recorded_by = "action"
    enters_roster = False
    is_shared_by_crew = True
    is_agreed_to = False
    entrant_route = "results:seats"
    checklist_template = "scorecards/_tables_checklist.html"
    wording = KindWording(
        not_started=gettext_lazy("not yet played"),
        nobody_started=gettext_lazy("Nobody has played yet"),
        updating=gettext_lazy("The leaderboard updates by itself as games are recorded at the tables."),
        closing=gettext_lazy(
            "Closing keeps every game as it is, finished or not. After that only your own entries count, each with a "
            "reason. Entries that arrive later go to your review list."
        ),
        closing_reason=gettext_lazy("The games are over."),
        setup=gettext_lazy("Tables"),
        cards=gettext_lazy("Tables"),
    )
    export = ExportColumns(
        count_key="tables", count=gettext_lazy("Tables"), is_always_counted=False, card=gettext_lazy("Table")
    )

    def get_setup_url(self, contest: Contest) -> str:
        """Return the URL of the organiser's list of tables."""
        return reverse("tables:desk_list", args=[contest.event.slug, contest.slug])

    def format_card_count(self, contest: Contest) -> str:
        """Return the number of tables in words: "3 tables, 1 finished"."""
        return format_table_count(list_tables(contest))

    def list_cards(self, contest: Contest, entrant_ids: Collection[UUID]) -> Mapping[UUID, Sequence[CardLink]]:
        """Return the tables of each bike or player, by number."""
        tables, slug = list_tables_by_entrant(contest.pk), contest.event.slug
        return {
            entrant: [
                CardLink(number, reverse("tables:desk_table", args=[slug, card_id]))
                for number, card_id in tables.get(entrant, ())
            ]
            for entrant in entrant_ids
        }

    def get_history_url(self, event: Event, card_id: UUID) -> str:
        """Return the URL of the organiser's history of a table."""
        return reverse("tables:desk_history", args=[event.slug, card_id])

    def describe_closing(self, ruleset: Ruleset, unfinished_count: int, *, counts_sheets: bool = False) -> str:
        """Return how many tables are not finished, and what becomes of them."""
        if not unfinished_count:
            return _("Every table is finished. Entries that arrive later go to your review list.")
        text = ngettext(
            "%(count)s table is not finished. What has been recorded there counts. Entries that arrive later go to "
            "your review list.",
            "%(count)s tables are not finished. What has been recorded there counts. Entries that arrive later go to "
            "your review list.",
            unfinished_count,
        )
        return text % {"count": unfinished_count}

    def fold_cards(
        self,
        contest: ContestRules,
        card_ids: Iterable[UUID] | None = None,
        lengths: Mapping[UUID, int] | None = None,
    ) -> Sequence[TableWithEntrants]:
        """Return the tables in the order they were created, with damaged ones, as far as they can be played."""
        if card_ids is not None:
            card_ids = list_card_ids(contest.id, list_entrant_ids(contest.id, card_ids))
        return fold_tables(contest, card_ids, lengths)

    def number_cards(self, contest_id: UUID) -> Mapping[UUID, int]:
        """Return the number of every table. A withdrawn table keeps its number."""
        return number_tables(contest_id)

    def check_cards(self, contest: Contest) -> Iterator[LogDamage]:
        """Compare snapshots with the logs."""
        return check_tables(contest)

    def insert_projections(self, contest: ContestRules) -> None:
        """Insert nothing: what a table's log folds to is only cached, with its next action."""

    def lock_card(self, context: OperationContext, card_id: UUID) -> OpenTable:
        """Lock a table."""
        return lock_table(context, card_id)

    def close_cards(self, context: OperationContext, contest: ContestRules) -> None:
        """Write nothing: every game is kept as it is, finished or not."""

    def list_missed_turns(self, contest: ContestRules) -> Sequence[MissedTurn]:
        """Return nothing: closing writes nothing to tables."""
        return ()

    def clear_missed_turns(self, context: OperationContext, contest: ContestRules, closing_id: UUID) -> int:
        """Void nothing."""
        return 0

    def list_merge_problems(self, contests: Sequence[Contest], bike: Bike, into: Bike) -> Iterator[Problem]:
        """Return what prevents the bike's seats from becoming the other's."""
        return list_seat_problems(contests, bike, into)

    def merge_bikes(self, context: OperationContext, contests: Sequence[Contest], bike: Bike, into: Bike) -> None:
        """Give the seats of a bike to another."""
        reassign_seats(context, contests, bike, into)

    def unmerge_bikes(self, context: OperationContext, contests: Sequence[Contest], merge: BikeMerge) -> None:
        """Give the seats back that a merge moved."""
        restore_seats(context, merge)

    def present_review_items(self, event: Event, items: Sequence[ReviewItem]) -> list[ReviewItemPresenter]:
        """Return actions and corrections of actions, with both sides."""
        return present_actions(event, items)
