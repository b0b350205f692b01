"""The log of a contest, and the entries under review. For organisers only."""

from __future__ import annotations

from typing import Any

from scorekeeper.api.pagination import paginate_rows
from scorekeeper.api.query_parameters import EntryParameters, ReviewParameters
from scorekeeper.api.reviewed_entries import read_reviewed_entries
from scorekeeper.api.serializers.log import LogEntrySerializer, ReviewItemSerializer
from scorekeeper.api.views.read_view import ReadView
from scorekeeper.scorecards.selectors.log_entries import describe_log_entries, select_log_entries
from scorekeeper.scorecards.selectors.review_items import select_review_items


class EntriesView(ReadView):
    """List the log of a contest in the order of writing: the entries of its scorecards, its own and the event’s."""

    route = "entries"
    serializer_class = LogEntrySerializer
    query_class = EntryParameters
    is_list = True
    tag = "Log"

    def get_data(self) -> Any:
        rows = select_log_entries(self.contest)
        if "chain" in self.query:
            rows = rows.filter(chain_id=self.query["chain"])
        if "kind" in self.query:
            rows = rows.filter(kind=self.query["kind"])
        page, cursor = paginate_rows(rows, ("at", "chain_id", "seq"), self.query)
        entries = describe_log_entries(self.contest, page)
        return self.make_page(entries, cursor)


class ReviewItemsView(ReadView):
    """List the entries that need an organiser’s decision, or those that are decided, the oldest first."""

    route = "review_items"
    serializer_class = ReviewItemSerializer
    query_class = ReviewParameters
    is_list = True
    tag = "Log"

    def get_data(self) -> Any:
        event = self.reader.event
        items = select_review_items(event).filter(settled_at__isnull=self.query["state"] == "open")
        contest = self.find_wanted_contest()
        if contest is not None:
            items = items.filter(contest=contest)
        page, cursor = paginate_rows(items, ("opened_at", "id"), self.query)
        return self.make_page(read_reviewed_entries(event, page), cursor)
