"""A draw of cards on the big screen: the tied bikes or players side by side, with the cards that they cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from games.core.cards import CARDS, RANKS
from scorekeeper.audience.cut_presenter import get_public_witnesses
from scorekeeper.audience.draws import DrawBoard, PublicDraw, list_public_draws
from scorekeeper.common.word_lists import join_and
from scorekeeper.events.models import Event
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.players.selectors import format_entrant, get_public_names
from scorekeeper.standings.class_ranking import make_class_board
from scorekeeper.standings.draw import Draw, DrawnCard, DrawRound
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.wording import format_official_status, format_playing_card

MAX_ROUNDS = 3  # that fit on a page


class DrawCardPresenter(NamedTuple):
    """One entrant's card in a round.

    Attributes:
        number: of a bike; "" for a player.
        people: the public names; "" where the event shows none.
        rank, suit: "Q" and "S", as printed on the card; "" for none.
        name: of the card, "queen of spades", or that the entrant was not there; "" while it is face down.
        result: what the entrant gets from the round, "Place 2" or another card; "" while it is face down.
        is_best: whether the entrant has won the place, or cuts on for it.
    """

    number: str
    people: str
    rank: str
    suit: str
    name: str
    result: str
    is_best: bool


@dataclass(frozen=True)
class DrawRoundPresenter:
    """One round.

    Attributes:
        key: identifies the round in its draw, before and after its cards are turned over.
        heading: which round it is; "" where there is only one.
        is_open: whether its cards are still face down.
        witness: who watched, as the event shows people; "" where it shows none.
    """

    key: str
    heading: str
    is_open: bool
    is_corrected: bool
    witness: str
    cards: tuple[DrawCardPresenter, ...]


@dataclass(frozen=True)
class DrawPresenter:
    """A draw.

    Attributes:
        id: of its element on the page.
        contest: the name of the contest, with that of the class that the cards are for.
        is_now: whether it happens now, so that the screen shows nothing else.
        outcome: what the cards have decided so far, and who cuts next; "" before the first cards.
        rounds: the last ones, the latest at the end.
        skipped: how many earlier rounds there were.
        official_status: how official the places are.
    """

    id: str
    contest: str
    title: str
    is_now: bool
    outcome: str
    rounds: tuple[DrawRoundPresenter, ...]
    skipped: int
    is_official: bool
    official_status: str

    @property
    def template(self) -> str:
        """The template of its element on a screen."""
        return "live/_draw.html"

    @property
    def row_count(self) -> int:
        """A draw has one page, and no rows."""
        return 0

    def get_digest(self) -> str:
        """Return a digest of everything that it shows."""
        return sha256(canonical_json([self.id, repr(self)]))


def present_draws(event: Event, boards: Sequence[DrawBoard]) -> tuple[DrawPresenter, ...]:
    """Return the draws that an event's screen shows now; see `list_public_draws`.

    Args:
        boards: the contests and classes of the screen.
    """
    draws = list_public_draws(event, boards, timezone.now())
    people = get_public_names(event) if draws else {}
    return tuple(_present_draw(event, public, people) for public in draws)


def _present_draw(event: Event, public: PublicDraw, people: Mapping[UUID, str]) -> DrawPresenter:
    contest, board, board_class, draw = public.contest, public.board, public.board_class, public.draw
    witnesses = get_public_witnesses(contest, board if board_class is None else make_class_board(board, board_class))
    rounds = draw.rounds[-MAX_ROUNDS:]
    key = str(contest.pk) if board_class is None else f"{contest.pk}-{board_class.id}"
    return DrawPresenter(
        id=f"draw-{key}-{draw.rank}",
        contest=contest.name if board_class is None else f"{contest.name} · {board_class.name}",
        title=_("Cards for place %(rank)s") % {"rank": draw.rank},
        is_now=public.is_now,
        outcome=_describe_outcome(draw, people),
        rounds=tuple(_present_round(one, draw, witnesses.get(one.seq, ""), people) for one in rounds),
        skipped=len(draw.rounds) - len(rounds),
        is_official=board.is_official,
        # The time of the last change may be later than a freeze.
        official_status=format_official_status(board if board.is_official else replace(board, as_of=None), event),
    )


def _describe_outcome(draw: Draw, people: Mapping[UUID, str]) -> str:
    """Return who has won the place, or who cuts again; "" while the first cards are face down."""
    if draw.rounds[0].is_open:
        return ""
    again = [one for one in draw.rounds if one.is_open]
    if again:
        who = [_format_rows([card.row for card in one.cards], people) for one in again]
        return " ".join(_("Equal cards: %(who)s cut again.") % {"who": names} for names in who)
    first = draw.list_first()
    params = {"who": _format_rows(first, people), "rank": draw.rank}
    if len(first) == 1:
        return _("%(who)s wins place %(rank)s.") % params
    return _("%(who)s share place %(rank)s.") % params


def _format_rows(rows: Sequence[LeaderboardRow], people: Mapping[UUID, str]) -> str:
    names = [format_entrant(row.number, people.get(row.entrant_id, "")) for row in rows]
    return join_and(names)


def _present_round(one: DrawRound, draw: Draw, witness: str, people: Mapping[UUID, str]) -> DrawRoundPresenter:
    heading = ""
    if len(draw.rounds) > 1:
        is_only = sum(other.depth == one.depth for other in draw.rounds) == 1
        text = _("Round %(number)s") if is_only else _("Round %(number)s, for place %(rank)s")
        heading = text % {"number": one.depth, "rank": one.rank}
    return DrawRoundPresenter(
        key=f"{one.depth}-{one.rank}",
        heading=heading,
        is_open=one.is_open,
        is_corrected=one.is_corrected,
        witness=witness,
        cards=tuple(
            _present_card(card, one, people.get(card.row.entrant_id, ""), is_best=_is_best(card, one, draw))
            for card in one.cards
        ),
    )


def _is_best(card: DrawnCard, one: DrawRound, draw: Draw) -> bool:
    """Return whether the entrant has won the place of a round, or cut on for it."""
    later = [other for other in draw.rounds if other.depth == one.depth + 1 and other.rank == one.rank]
    return card.row.rank == one.rank or any(card.row.entrant_id in other.entrants for other in later)


def _present_card(card: DrawnCard, one: DrawRound, people: str, *, is_best: bool) -> DrawCardPresenter:
    number = card.row.number
    if one.is_open:
        return DrawCardPresenter(number, people, "", "", "", "", is_best=False)
    rank, suit = ("", "") if card.card is None else (RANKS[CARDS[card.card].rank], CARDS[card.card].suit)
    result = _("Cuts again") if card.cuts_again else _("Place %(rank)s") % {"rank": card.row.rank_label}
    return DrawCardPresenter(number, people, rank, suit, format_playing_card(card.card), result, is_best=is_best)
