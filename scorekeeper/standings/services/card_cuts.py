"""Cutting cards: the organiser enters the cards that tied entrants showed, and the contest's own chain records them.

- A cut names exactly the entrants of one tied group, according to the log at that moment.
- A later correction, of a turn or of an earlier cut, may split the group. Then the cut is stale and no longer counts.
  It counts again if the same group is tied again (ROCK-27).
- A cut for a class is an entry of its own kind, beside the cuts of the contest: it names the class and one group that
  is tied in it, and decides nothing else. Cards rank as in every cut (ROCK-27).
- A cut has a witness. The chain has a salted digest of the name, which is stored where it can be erased. Cuts recorded
  by older versions have none.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from games.core.cards import CARDS, cut_problems
from games.core.problems import Problem
from games.core.text import gettext_noop
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, CutWitness
from scorekeeper.ledger.problem_messages import problems_to_data
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext, compute_reason_digest
from scorekeeper.ledger.services.recording import RECORDED, OperationResult, check_reason, record
from scorekeeper.players.class_members import list_class_members
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.standings.class_ranking import rank_class
from scorekeeper.standings.entrants import fold_contest
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.selectors.cuts import CLASS_CUT, CUT, Cut, describe_counted_cuts, list_class_cuts, list_cuts
from scorekeeper.standings.selectors.reports import make_report
from scorekeeper.standings.services.contest_chain import InvalidCut, WitnessRequired, lock_contest

NO_TIE_BREAK_CARDS = gettext_noop("This game does not break ties with cards.")
UNKNOWN_CARD = gettext_noop("“%(card)s” is not a card.")
CUT_CHANGED = gettext_noop("Someone else has already corrected the cards of this cut.")


def record_cut(
    actor: Actor, operation_id: UUID, contest_id: UUID, cards: Mapping[UUID, str | None], witness: str
) -> Receipt:
    """Record the cards that one tied group showed.

    Args:
        cards: by bike, such as "10H"; None for a bike that was not there.
        witness: the name of a person who watched.

    Raises:
        WitnessRequired: there is no name.
        InvalidCut: the cards do not fit the currently tied groups.
        WrongContestStatus: the contest is not closed.
        NotAllowed, IdReused: as for every operation.
    """
    witness = _check_witness(witness)
    cards_by_id = {str(entrant): card for entrant, card in cards.items()}

    def handle(context: OperationContext) -> OperationResult:
        contest, chain = lock_contest(context, contest_id, Contest.Status.CLOSED, Contest.Status.OFFICIAL)
        problems = list_cut_problems(contest, cards)
        if problems:
            raise InvalidCut(problems_to_data(problems))
        _append_cut(context, chain, witness, {"cards": cards_by_id})
        context.mark_stale(contest_id)
        return RECORDED

    body = {"contest": str(contest_id), "cards": cards_by_id, "witness": witness}
    return record(operation_id, "cut", actor, body, handle)


def record_class_cut(
    actor: Actor,
    operation_id: UUID,
    contest_id: UUID,
    class_id: UUID,
    cards: Mapping[UUID, str | None],
    witness: str,
) -> Receipt:
    """Record the cards that one group showed which is tied in a class.

    Args:
        cards: as for `record_cut`.
        witness: likewise.

    Raises as `record_cut` does.
    """
    witness = _check_witness(witness)
    cards_by_id = {str(entrant): card for entrant, card in cards.items()}

    def handle(context: OperationContext) -> OperationResult:
        contest, chain = lock_contest(context, contest_id, Contest.Status.CLOSED, Contest.Status.OFFICIAL)
        if problems := list_cut_problems(contest, cards, class_id):
            raise InvalidCut(problems_to_data(problems))
        _append_cut(context, chain, witness, {"class": str(class_id), "cards": cards_by_id}, CLASS_CUT)
        context.mark_stale(contest_id)
        return RECORDED

    body = {"contest": str(contest_id), "class": str(class_id), "cards": cards_by_id, "witness": witness}
    return record(operation_id, "class_cut", actor, body, handle)


def correct_class_cut(
    actor: Actor,
    operation_id: UUID,
    contest_id: UUID,
    class_id: UUID,
    seq: int,
    cards: Mapping[UUID, str | None],
    witness: str,
    reason: str,
) -> Receipt:
    """Replace the cards entered for a cut of a class. The arguments and exceptions are those of `correct_cut`."""
    check_reason(reason)
    witness = _check_witness(witness)
    cards_by_id = {str(entrant): card for entrant, card in cards.items()}

    def handle(context: OperationContext) -> OperationResult:
        contest, chain = lock_contest(context, contest_id, Contest.Status.CLOSED)
        if problems := list_correction_problems(contest, seq, cards, class_id):
            raise InvalidCut(problems_to_data(problems))
        data = {"class": str(class_id), "cards": cards_by_id, "corrects": seq}
        _append_cut(context, chain, witness, data, CLASS_CUT)
        context.mark_stale(contest_id)
        return RECORDED

    body = {
        "contest": str(contest_id),
        "class": str(class_id),
        "cards": cards_by_id,
        "corrects": seq,
        "witness": witness,
        "reason": reason,
    }
    return record(operation_id, "class_cut", actor, body, handle, reason)


def correct_cut(
    actor: Actor,
    operation_id: UUID,
    contest_id: UUID,
    seq: int,
    cards: Mapping[UUID, str | None],
    witness: str,
    reason: str,
) -> Receipt:
    """Replace the cards entered for a cut with the right ones. The earlier entry stays in the chain.

    Args:
        seq: the entry of the current cut.
        cards: as for `record_cut`, of the same entrants.
        witness: as for `record_cut`; usually the same person as before.

    Raises:
        WitnessRequired: there is no name.
        InvalidCut: the cut has been corrected in the meantime, or its entrants are no longer tied.
        WrongContestStatus: the contest is not closed; a published one has to be reopened first.
        ReasonRequired, NotAllowed, IdReused: as for every correction.
    """
    check_reason(reason)
    witness = _check_witness(witness)
    cards_by_id = {str(entrant): card for entrant, card in cards.items()}

    def handle(context: OperationContext) -> OperationResult:
        contest, chain = lock_contest(context, contest_id, Contest.Status.CLOSED)
        problems = list_correction_problems(contest, seq, cards)
        if problems:
            raise InvalidCut(problems_to_data(problems))
        _append_cut(context, chain, witness, {"cards": cards_by_id, "corrects": seq})
        context.mark_stale(contest_id)
        return RECORDED

    body = {
        "contest": str(contest_id),
        "cards": cards_by_id,
        "corrects": seq,
        "witness": witness,
        "reason": reason,
    }
    return record(operation_id, "cut", actor, body, handle, reason)


def _check_witness(name: str) -> str:
    if not name.strip():
        raise WitnessRequired
    return name.strip()


def _append_cut(
    context: OperationContext, chain: Chain, witness: str, data: Mapping[str, Any], kind: str = CUT
) -> None:
    """Append a cut with the digest of its witness's name, and store the name."""
    salt = secrets.token_hex(16)
    context.append(chain, kind, data={**data, "witness": compute_reason_digest(salt, witness)})
    named = CutWitness(operation_id=context.operation_id, salt=salt, name=witness)
    context.after_insert(lambda: named.save(force_insert=True))


def list_cut_problems(
    contest: Contest, cards: Mapping[UUID, str | None], class_id: UUID | None = None
) -> tuple[Problem, ...]:
    """Return the problems that the rules find with a cut, according to the current log.

    Args:
        class_id: the class that it is for; None for the contest.
    """
    return _list_problems(contest, list_cuts(contest.pk), cards, class_id, _list_cuts_of(contest, class_id))


def list_correction_problems(
    contest: Contest, seq: int, cards: Mapping[UUID, str | None], class_id: UUID | None = None
) -> tuple[Problem, ...]:
    """Return the problems with correcting a cut. It is checked against the ties as they were before the cut."""
    cuts = list_cuts(contest.pk) if class_id is None else _list_cuts_of(contest, class_id)
    position = next((i for i, cut in enumerate(cuts) if cut.seq == seq and cut.cards.keys() == cards.keys()), None)
    if position is None:
        return (Problem("cut_changed", contest.game.tie_rule, CUT_CHANGED),)
    if class_id is None:
        return _list_problems(contest, cuts[:position], cards)
    return _list_problems(contest, list_cuts(contest.pk), cards, class_id, cuts[:position])


def _list_cuts_of(contest: Contest, class_id: UUID | None) -> Sequence[Cut]:
    return () if class_id is None else list_class_cuts(contest.pk).get(class_id, ())


def _list_problems(
    contest: Contest,
    before: Sequence[Cut],
    cards: Mapping[UUID, str | None],
    class_id: UUID | None = None,
    class_cuts: Sequence[Cut] = (),
) -> tuple[Problem, ...]:
    """Return the problems of a cut after others of the contest and, for a class, of the class."""
    game = contest.game
    if contest.ruleset.tie_procedure != "cut_cards":
        return (Problem("no_cards", game.tie_rule, NO_TIE_BREAK_CARDS),)
    for card in cards.values():
        if card is not None and card not in CARDS:
            return (Problem("unknown_card", game.tie_rule, UNKNOWN_CARD, "cards", params={"card": card}),)
    rows: Sequence[LeaderboardRow] = make_report(fold_contest(get_contest_rules(contest.pk)), before).rows
    if class_id is not None:
        members = list_class_members(contest).get(class_id, ())
        rows = rank_class(rows, members, describe_counted_cuts(class_cuts, (), {}))
    retired = frozenset(row.entrant_id for row in rows if row.status == "retired")
    cards_shown = {entrant: None if card is None else CARDS[card] for entrant, card in cards.items()}
    return cut_problems(cards_shown, _list_tied_groups(rows), retired, game.tie_rule)


def _list_tied_groups(rows: Sequence[LeaderboardRow]) -> list[frozenset[UUID]]:
    groups: dict[int | None, set[UUID]] = {}
    for row in rows:
        if row.is_tied:
            groups.setdefault(row.rank, set()).add(row.entrant_id)
    return [frozenset(group) for group in groups.values()]
