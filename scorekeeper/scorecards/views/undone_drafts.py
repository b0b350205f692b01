"""The dice that Undo brought back, in the session: they stay with their bike until something is recorded for it.

Nothing is deleted: a draft counts only while the card's log has the length that it had. So recording, which is measured
in statements, does not read the session.
"""

from __future__ import annotations

from uuid import UUID

from games.core.problems import Malformed
from scorekeeper.crew.session_choices import DRAFTS_KEY, Session
from scorekeeper.scorecards.turn_draft import TurnDraft, dump_actions_field, parse_draft
from scorekeeper.scorecards.views.card_context import CardContext

MAX_DRAFTS = 5


def save_draft(session: Session, card_context: CardContext, slot_id: UUID, draft: TurnDraft) -> None:
    """Save the draft of a slot; the oldest ones make room for it."""
    key = _make_key(card_context, slot_id)
    fields = {
        "mode": draft.mode,
        "actions": dump_actions_field(draft.actions),
        "held": list(map(str, draft.held)),
        "dice": list(map(str, draft.dice)),
        "length": card_context.card.length,
    }
    others = [(other, saved) for other, saved in session.get(DRAFTS_KEY, {}).items() if other != key]
    session[DRAFTS_KEY] = dict([*others, (key, fields)][-MAX_DRAFTS:])


def update_draft(session: Session, card_context: CardContext, slot_id: UUID, draft: TurnDraft | None) -> None:
    """Replace the draft of a slot that Undo brought back by what it has become; None if it was cleared."""
    if _make_key(card_context, slot_id) not in session.get(DRAFTS_KEY, {}):
        return
    if draft is None or not (draft.visible_dice or draft.actions):
        kept = {key: saved for key, saved in session[DRAFTS_KEY].items() if key != _make_key(card_context, slot_id)}
        session[DRAFTS_KEY] = kept
    else:
        save_draft(session, card_context, slot_id, draft)


def load_draft(session: Session, card_context: CardContext, slot_id: UUID) -> TurnDraft | None:
    """Return the draft of a slot; None if there is none, or something was recorded since."""
    fields = session.get(DRAFTS_KEY, {}).get(_make_key(card_context, slot_id))
    if fields is None or fields["length"] != card_context.card.length:
        return None
    try:
        return parse_draft(fields["mode"], fields["actions"], fields["held"], fields["dice"])
    except Malformed:
        return None


def _make_key(card_context: CardContext, slot_id: UUID) -> str:
    return f"{card_context.card.id} {slot_id}"
