"""Cutting cards: the organiser enters what tied holders showed, and the contest's own chain keeps it.

A cut names exactly the holders of one tied group, as the log stands at that moment. A later correction, of a turn or of
an earlier cut, may take the group apart; then the cut is stale and ranks nobody, and counts again if the group returns
(ROCK-27).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from games.core.cards import CARDS, cut_problems
from games.core.problems import Problem
from games.core.text import gettext_noop
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.problem_messages import problems_to_data
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.operation_context import OperationContext
from scorekeeper.scorecards.services.recording import RECORDED, OperationResult, check_reason, record
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.selectors.cuts import Cut, list_cuts
from scorekeeper.standings.selectors.entrants import fold_contest
from scorekeeper.standings.selectors.reports import make_report
from scorekeeper.standings.services.contest_chain import InvalidCut, lock_contest

NO_TIE_BREAK_CARDS = gettext_noop("This game does not break ties with cards.")
UNKNOWN_CARD = gettext_noop("“%(card)s” is not a card.")
CUT_CHANGED = gettext_noop("Someone else has already corrected the cards of this cut.")


def record_cut(actor: Actor, operation_id: UUID, contest_id: UUID, cards: Mapping[UUID, str | None]) -> Receipt:
    """Keep the cards that one level group showed.

    Args:
        cards: by bike, such as "10H"; None for one that was not there.

    Raises:
        CannotCut: the cards do not fit the level groups as they are now.
        WrongStatus: the contest is not closed.
        NotYours, OtherBody: as for every operation.
    """
    named = {str(holder): card for holder, card in cards.items()}

    def handle(book: OperationContext) -> OperationResult:
        contest, chain = lock_contest(book, contest_id, Contest.Status.CLOSED, Contest.Status.OFFICIAL)
        problems = list_cut_problems(contest, cards)
        if problems:
            raise InvalidCut(problems_to_data(problems))
        book.append(chain, "cut", data={"cards": named})
        book.mark_stale(contest_id)
        return RECORDED

    return record(operation_id, "cut", actor, {"contest": str(contest_id), "cards": named}, handle)


def correct_cut(
    actor: Actor, operation_id: UUID, contest_id: UUID, seq: int, cards: Mapping[UUID, str | None], reason: str
) -> Receipt:
    """Put the right cards in the place of those entered for a cut; what was entered before stays in the chain.

    Args:
        seq: the entry of the current cut.
        cards: as for `cut_cards`, of the same holders.

    Raises:
        CannotCut: the cut was corrected meanwhile, or its holders are not tied any more.
        WrongStatus: the contest is not closed; a published one has to be opened again first.
        NoReason, NotYours, OtherBody: as for every correction.
    """
    check_reason(reason)
    named = {str(holder): card for holder, card in cards.items()}

    def handle(book: OperationContext) -> OperationResult:
        contest, chain = lock_contest(book, contest_id, Contest.Status.CLOSED)
        problems = list_correction_problems(contest, seq, cards)
        if problems:
            raise InvalidCut(problems_to_data(problems))
        book.append(chain, "cut", data={"cards": named, "corrects": seq})
        book.mark_stale(contest_id)
        return RECORDED

    body = {"contest": str(contest_id), "cards": named, "corrects": seq, "reason": reason}
    return record(operation_id, "cut", actor, body, handle, reason)


def list_cut_problems(contest: Contest, cards: Mapping[UUID, str | None]) -> tuple[Problem, ...]:
    """Return what the rules say against a cut, as the log stands now."""
    return _list_problems(contest, list_cuts(contest.pk), cards)


def list_correction_problems(contest: Contest, seq: int, cards: Mapping[UUID, str | None]) -> tuple[Problem, ...]:
    """Return what the rules say against correcting a cut: it is judged by the ties before it was made."""
    cuts = list_cuts(contest.pk)
    place = next((place for place, cut in enumerate(cuts) if cut.seq == seq and cut.cards.keys() == cards.keys()), None)
    if place is None:
        return (Problem("cut_changed", contest.game.tie_rule, CUT_CHANGED),)
    return _list_problems(contest, cuts[:place], cards)


def _list_problems(contest: Contest, before: Sequence[Cut], cards: Mapping[UUID, str | None]) -> tuple[Problem, ...]:
    game = contest.game
    if game.tie_procedure != "cut_cards":
        return (Problem("no_cards", game.tie_rule, NO_TIE_BREAK_CARDS),)
    for card in cards.values():
        if card is not None and card not in CARDS:
            return (Problem("unknown_card", game.tie_rule, UNKNOWN_CARD, "cards", params={"card": card}),)
    rows = make_report(fold_contest(get_contest_rules(contest.pk)), before).rows
    retired = frozenset(row.holder_id for row in rows if row.status == "retired")
    shown = {holder: None if card is None else CARDS[card] for holder, card in cards.items()}
    return cut_problems(shown, _list_tied_groups(rows), retired, game.tie_rule)


def _list_tied_groups(rows: tuple[LeaderboardRow, ...]) -> list[frozenset[UUID]]:
    groups: dict[int | None, set[UUID]] = {}
    for row in rows:
        if row.is_tied:
            groups.setdefault(row.rank, set()).add(row.holder_id)
    return [frozenset(group) for group in groups.values()]
