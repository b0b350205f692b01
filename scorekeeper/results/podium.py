"""The podium of a contest on the page of its event: the first three of the public revision, with the prizes they won.

Only what `audience.visible_standings` makes public is here, so there is no podium before the result is published, nor
while a freeze or a reveal withholds it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from scorekeeper.audience.visible_standings import get_public_revision
from scorekeeper.common.game_adapter import show_total
from scorekeeper.events.models import Contest
from scorekeeper.players.selectors import format_entrant
from scorekeeper.prizes.selectors.awards import AwardPresenter
from scorekeeper.results.preview import PreviewImage, get_first_places, get_preview, get_preview_image
from scorekeeper.standings.wording import describe_decided_by, label_total


@dataclass(frozen=True, slots=True)
class WinnerStep:
    """Somebody on the podium.

    Attributes:
        rank: the place as a number, which several can share.
        label: the same in words.
        entrant: the bike with its riders, or the player.
        decided_by: what was cut for the place; "" where nothing was.
        prizes: for places, that they won.
    """

    rank: int
    label: str
    entrant: str
    total: str
    decided_by: str
    prizes: tuple[AwardPresenter, ...]


@dataclass(frozen=True, slots=True)
class Podium:
    """The first three of a contest.

    Attributes:
        more: how many more share the last place shown.
        image: to share; None if there is none.
    """

    contest: Contest
    total_label: str
    steps: tuple[WinnerStep, ...]
    more: int
    image: PreviewImage | None


def get_podium(contest: Contest, people: Mapping[UUID, str], awards: Sequence[AwardPresenter]) -> Podium | None:
    """Return the podium of a contest; None if its result is not public, or nobody is in it.

    Args:
        people: the public names of each bike or player.
        awards: those that were published with the result.
    """
    revision = get_public_revision(contest)
    if revision is None:
        return None
    first = get_first_places(revision)
    steps = tuple(
        WinnerStep(
            row.rank or 0,
            row.rank_label,
            format_entrant(row.number, people.get(row.entrant_id, "")),
            str(show_total(contest.game, row.total)),
            describe_decided_by(row, contest.game) if row.decided_by == "cut" else "",
            tuple(award for award in awards if award.is_for_place and _is_won_by(award, row.entrant_id)),
        )
        for row in first.rows
    )
    if not steps:
        return None
    image = get_preview_image(contest, get_preview(contest, people))
    return Podium(contest, label_total(contest.game, first.standings_version), steps, first.more, image)


def _is_won_by(award: AwardPresenter, entrant_id: UUID) -> bool:
    return award.is_decided and any(winner.id == entrant_id for winner in award.winners)
