"""What the audience sees now of whatever a topic follows, in a form that can be compared and put into words.

Invariant: all of it comes from the app `audience`. A topic of an event that is hidden or frozen has no figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from scorekeeper.audience.visible_standings import StandingsView, get_audience_view, get_public_revision
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_freeze
from scorekeeper.push.models import PushTopic
from scorekeeper.scorecards.card_kinds import get_kind

MISSED = "missed"  # closing records it for turns that nobody played, which is no news of anybody
OFFICIAL = "official"  # the key in `PushTopic.seen`


@dataclass(frozen=True, slots=True)
class FollowedTurn:
    """A turn that counts, or at tables the result of a finished one.

    Attributes:
        stop: where it was played; "" at tables.
        table: the number of the table; 0 at stops.
        points: None where turns have no points of their own.
        value: what is compared: points, or else the dice or cards.
    """

    stop: str
    table: int
    points: int | None
    value: int | str


@dataclass(frozen=True, slots=True)
class SeenFigures:
    """What the audience sees.

    Attributes:
        turns: by a key that stays with the turn, in the order they were played.
        total: of the scorecard; None for results, and at tables.
        official: the number of the last official result of each contest that has one, by the contest's id.
    """

    turns: Mapping[str, FollowedTurn]
    total: int | None
    official: Mapping[str, int]

    def to_data(self) -> dict[str, Any]:
        """Return what `PushTopic.seen` stores."""
        return {**{key: turn.value for key, turn in self.turns.items()}, OFFICIAL: dict(self.official)}


def are_figures_visible(event: Event) -> bool:
    """Return whether anything may be told about an event: it is open to the public, and nothing is frozen."""
    return event.state == Event.State.OPEN and get_freeze(event) is None


def read_figures(topic: PushTopic) -> SeenFigures | None:
    """Return what the audience sees now; None if the log of the scorecard is damaged.

    Args:
        topic: with its event and contest loaded.
    """
    contest = topic.contest
    if contest is None:
        contests = list(topic.event.contests.select_related("event").order_by("ordinal", "pk"))
        return SeenFigures({}, None, dict(_list_official(contests)))
    contest.event = topic.event
    official = dict(_list_official([contest]))
    entrant_id = get_entrant_id(topic)
    view = get_audience_view(contest)
    if get_kind(contest.game).entrant_route == "results:bike":
        _head, card = view.get_card(entrant_id, "")
        if card.damaged_from is not None:
            return None
        has_points = contest.game.points_of_turns
        turns = {
            str(turn.ordinal): FollowedTurn(
                turn.stop, 0, turn.points if has_points else None, turn.points if has_points else repr(turn.dice)
            )
            for turn in card.turns
            if turn.how != MISSED
        }
        return SeenFigures(turns, card.total, official)
    return SeenFigures(dict(_list_finished_tables(view, entrant_id)), None, official)


def get_entrant_id(topic: PushTopic) -> UUID:
    """Return whose scorecards a topic follows: a bike, the one that it was merged into, or a player."""
    if topic.bike is not None:
        return topic.bike.merged_into_id or topic.bike.pk
    assert topic.player_id is not None, "only a topic about results has neither"
    return topic.player_id


def _list_official(contests: list[Contest]) -> Iterator[tuple[str, int]]:
    for contest in contests:
        revision = get_public_revision(contest)
        if revision is not None:
            yield str(contest.pk), revision.number


def _list_finished_tables(view: StandingsView, entrant_id: UUID) -> Iterator[tuple[str, FollowedTurn]]:
    for table in view.list_tables(entrant_id):
        live = table.live_table
        if live is not None and (live.damaged_from is not None or not live.is_finished):
            continue
        for report in table.seat_reports:
            if report.entrant_id == entrant_id:
                yield f"table {table.number}", FollowedTurn("", table.number, report.total, report.total)
