"""Standings, scorecards, prizes and results of a contest, as the caller may see them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from rest_framework.exceptions import NotFound

from scorekeeper.api.card_reading import can_read_card, group_by_card, make_scorecard, read_scorecard
from scorekeeper.api.contest_results import (
    ContestResults,
    get_names,
    narrow_to_class,
    read_names,
    read_results,
    read_standings,
)
from scorekeeper.api.examples import (
    list_card_luck_examples,
    list_luck_examples,
    list_play_examples,
    list_standings_examples,
)
from scorekeeper.api.luck_reading import LuckTable, ScorecardLuck, add_up, read_luck
from scorekeeper.api.pagination import paginate_list
from scorekeeper.api.query_parameters import (
    CardParameters,
    PrizeParameters,
    RevisionParameters,
    StandingsParameters,
)
from scorekeeper.api.serializers.luck import LuckTableSerializer, ScorecardLuckSerializer
from scorekeeper.api.serializers.play import ScorecardDetailSerializer
from scorekeeper.api.serializers.results import (
    AwardSerializer,
    ResultsSerializer,
    RevisionSerializer,
    ScorecardSerializer,
    StandingsSerializer,
)
from scorekeeper.api.views.read_view import ContestReadView, ReadView
from scorekeeper.audience.group_presenter import get_group_names
from scorekeeper.audience.visible_standings import get_audience_view, get_organiser_view
from scorekeeper.prizes.selectors.awards import list_audience_awards, list_organiser_awards
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.selectors.revision_history import get_revision_report, list_revision_history


class ContestStandingsView(ContestReadView):
    """Read the standings, with the standings of groups where they are compared: the same as the leaderboard's page.

    All rows are in one answer, since a page of them would be out of date when the next one is read. To learn at once
    that they have changed, listen to the server-sent events of the leaderboard, /events/{slug}/{contest}/stream.
    """

    route = "standings"
    serializer_class = StandingsSerializer
    query_class = StandingsParameters
    list_examples = staticmethod(list_standings_examples)

    def get_data(self) -> Any:
        results = read_standings(self.contest, is_for_organisers=self.reader.is_organiser)
        if "class" in self.query:
            if not self._is_known_class(results, self.query["class"]):
                raise NotFound
            results = narrow_to_class(results, self.query["class"])
        rows = tuple(filter(self._is_wanted, results.report.rows))
        return self.serialize(replace(results, report=replace(results.report, rows=rows)))

    def _is_known_class(self, results: ContestResults, class_id: UUID) -> bool:
        """Return whether the standings have a class, or only the event, as while places are announced."""
        is_shown = results.board.find_class(class_id) is not None
        return is_shown or self.contest.event.classes.filter(pk=class_id).exists()

    def _is_wanted(self, row: LeaderboardRow) -> bool:
        top, entrant = self.query.get("top"), self.query.get("holder")
        return (top is None or (row.rank is not None and row.rank <= top)) and entrant in (None, row.entrant_id)


class ScorecardsView(ContestReadView):
    """List the scorecards on which something is recorded."""

    route = "scorecards"
    serializer_class = ScorecardSerializer
    query_class = CardParameters
    is_list = True

    def get_data(self) -> Any:
        is_organiser = self.reader.is_organiser
        view = get_organiser_view(self.contest) if is_organiser else get_audience_view(self.contest)
        cards = group_by_card(view.get_report()[1].cards)
        entrant = self.query.get("holder")
        if entrant is not None:
            cards = [seats for seats in cards if any(seat.entrant_id == entrant for seat in seats)]
        if "table" in self.query:
            cards = [seats for seats in cards if seats[0].table == self.query["table"]]
        page, cursor = paginate_list(cards, lambda seats: (f"{seats[0].table:09}", str(seats[0].card_id)), self.query)
        names = read_names(self.contest, is_for_organisers=is_organiser)
        return self.make_page([make_scorecard(names, seats) for seats in page], cursor)


class ScorecardView(ContestReadView):
    """Read a scorecard. An organiser’s token also gets what can be recorded on it now, as data (“play”).

    So does a device’s token, for the cards on which its crew member records; it sees others as the audience does.

    The id of a bike’s card follows from the contest and the bike, so a card can be read before anything is recorded:
    it is the UUID of version 5 with the contest’s id as namespace and the bike’s id as name.
    """

    route = "scorecard"
    serializer_class = ScorecardDetailSerializer
    list_examples = staticmethod(list_play_examples)

    def get_version(self) -> str | None:
        # The crew's own cards change while the audience's standings are frozen.
        return super().get_version() if self.reader.device is None else None

    def get_data(self) -> Any:
        device, card_id = self.reader.device, self.kwargs["card_id"]
        is_own = self.reader.is_organiser or (device is not None and can_read_card(device, self.contest, card_id))
        return self.serialize(read_scorecard(self.contest, card_id, is_for_audience=not is_own))


class LuckView(ContestReadView):
    """Read the luck-adjusted table of a closed contest, in games with odds. It decides nothing.

    It is empty before the contest is closed, while the result is withheld (“state” none), and until the worker has
    computed it (pending): ask again after some seconds.
    """

    route = "luck"
    has_luck = True
    serializer_class = LuckTableSerializer
    list_examples = staticmethod(list_luck_examples)

    def get_data(self) -> Any:
        is_organiser = self.reader.is_organiser
        state, _luck = read_luck(self.contest, is_for_organisers=is_organiser)
        luck = read_results(self.contest, is_for_organisers=is_organiser).luck if state == "ready" else None
        return self.serialize(LuckTable(self.contest, state, luck or ()))


class ScorecardLuckView(ContestReadView):
    """Read what every throw on a scorecard brought and every choice cost, once the contest is closed.

    It is empty before, while the result is withheld (“state” none), and until the worker has computed it (pending).
    """

    route = "scorecard_luck"
    has_luck = True
    serializer_class = ScorecardLuckSerializer
    list_examples = staticmethod(list_card_luck_examples)

    def get_data(self) -> Any:
        is_organiser, card_id = self.reader.is_organiser, self.kwargs["card_id"]
        # There must be such a card.
        read_scorecard(self.contest, card_id, is_for_audience=not is_organiser)
        state, cards = read_luck(self.contest, is_for_organisers=is_organiser)
        return self.serialize(ScorecardLuck(state, [add_up(card) for card in cards if card.card_id == card_id]))


class PrizesView(ReadView):
    """List the prizes with their winners, in the order of announcing: published ones, and for organisers those of now.

    Who won a prize is not public before the result is official and nothing is frozen.
    """

    route = "prizes"
    serializer_class = AwardSerializer
    query_class = PrizeParameters
    is_list = True
    tag = "Contests"

    def get_data(self) -> Any:
        is_organiser = self.reader.is_organiser
        people = get_names(self.contest, is_for_organisers=is_organiser)
        awards = (list_organiser_awards if is_organiser else list_audience_awards)(self.contest, people)
        positions = {award.prize_id: f"{position:09}" for position, award in enumerate(awards)}
        if "holder" in self.query:
            awards = [award for award in awards if any(one.id == self.query["holder"] for one in award.award.winners)]
        page, cursor = paginate_list(awards, lambda award: (positions[award.prize_id],), self.query)
        return self.make_page(page, cursor)


class ResultsView(ContestReadView):
    """Read everything at once: standings, scorecards and published prizes, as in the contest’s JSON file."""

    route = "results"
    has_luck = True
    serializer_class = ResultsSerializer

    def get_data(self) -> Any:
        return self.serialize(read_results(self.contest, is_for_organisers=self.reader.is_organiser))


class RevisionsView(ReadView):
    """List the official results of a contest, also those that were replaced, the last one first."""

    route = "revisions"
    serializer_class = RevisionSerializer
    query_class = RevisionParameters
    is_list = True
    tag = "Log"

    def get_data(self) -> Any:
        found = list_revision_history(self.contest)
        if "current" in self.query:
            found = [one for one in found if one.is_current == self.query["current"]]
        page, cursor = paginate_list(found, lambda one: (f"{10**9 - one.number:010}",), self.query)
        return self.make_page(page, cursor)


class RevisionView(ReadView):
    """Read an official result as it was published. The names are those of today, since names can be erased."""

    route = "revision"
    serializer_class = ResultsSerializer
    tag = "Log"

    def get_data(self) -> Any:
        found = get_revision_report(self.contest, self.kwargs["number"])
        if found is None:
            raise NotFound("This contest has no such revision.", "revision_not_found")
        people = get_names(self.contest, is_for_organisers=True)
        results = ContestResults(self.contest, *found, people, get_group_names(self.reader.event), {})
        return self.serialize(results)
