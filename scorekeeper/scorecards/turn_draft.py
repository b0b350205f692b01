"""A turn that is being entered, before it is recorded.

What is said of dice here holds for drawn cards too: a card is a face, which the field of the action says.

- A *draft* is the content of the form: the turn's actions so far (`actions`) and the dice of the next action, tapped
  (`dice`) or set aside for it (`held`).
- The visible dice at the indexes in `pinned` will be set aside if the turn goes on.
- The *mode* is the key of the offer that the dice belong to. If a game has several such offers, the last one asks for
  the least and is the default.

A draft does not know the game. What it asks for comes from the offers, whose fields it fills in one after the other;
what is wrong with it, from the rules. `evaluate_draft` computes everything else anew on every request, from the card's
state before the turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from games.core.cards import CARDS, JOKER
from games.core.game import Ruleset
from games.core.problems import Malformed, Problem
from games.core.reading import Face
from games.core.replay import replay_from
from games.core.specs import ChoiceField, DiceField, DrawField, NumberField
from games.core.text import Text, gettext_noop
from scorekeeper.scorecards.action_draft import (
    ActionDraft,
    ParsedAction,
    format_positions,
    get_dice_range,
    parse_action,
)
from scorekeeper.scorecards.offers import Offer, find_offer, list_offers, merge_offers

MAX_ACTIONS = 20  # of one turn; the form accepts no longer lists
UNREADABLE_MESSAGE = gettext_noop("The page sent something that cannot be read. Enter this turn again.")

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TurnDraft:
    """The content of the form.

    Attributes:
        pinned: None until the person has had the choice; meanwhile dice that were set aside stay set aside.
    """

    mode: str = ""
    actions: tuple[Data, ...] = ()
    held: tuple[Face, ...] = ()
    dice: tuple[Face, ...] = ()
    pinned: frozenset[int] | None = None

    @property
    def visible_dice(self) -> tuple[Face, ...]:
        """The visible dice: those set aside, then those tapped."""
        return self.held + self.dice

    def is_pinned(self, position: int) -> bool:
        """Whether the die at this position will be set aside if the turn goes on."""
        return position < len(self.held) if self.pinned is None else position in self.pinned

    def with_mode(self, mode: str) -> TurnDraft:
        """Return the draft for another offer, with the same visible dice."""
        return TurnDraft(mode, self.actions, (), self.visible_dice)

    def with_die(self, face: Face) -> TurnDraft:
        """Return the draft with one more die."""
        return replace(self, dice=(*self.dice, face), pinned=None)

    def without_die(self, index: int) -> TurnDraft:
        """Return the draft without one of the tapped dice; the index counts all visible dice."""
        position = index - len(self.held)
        if not 0 <= position < len(self.dice):
            return self
        return replace(self, dice=self.dice[:position] + self.dice[position + 1 :], pinned=None)


class TurnEnd(NamedTuple):
    """A way to end the turn as it is, without a choice.

    Attributes:
        action: what ends it, such as stopping before the last throw; None if its dice alone do.
        label: what the action is called; None for none.
        points: what the turn is then worth.
        total: the total of the card with the turn.
    """

    action: Data | None
    label: Text | None
    points: int
    total: int


@dataclass(frozen=True)
class TurnDraftEvaluation:
    """A draft, evaluated on its card.

    Attributes:
        offers: what is possible after the draft's actions, without the visible dice.
        dice_offer: the action that the visible dice belong to; None if no dice are needed now.
        next_offers: what is possible in the turn once all dice are in; empty until then.
        ends: how the turn can end without a choice, once all dice are in.
        problems: what is wrong with the draft.
    """

    draft: TurnDraft
    offers: tuple[Offer, ...] = ()
    dice_offer: Offer | None = None
    next_offers: tuple[Offer, ...] = ()
    ends: tuple[TurnEnd, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def dice_offers(self) -> tuple[Offer, ...]:
        """The actions that take dice: the modes to choose from."""
        return tuple(offer for offer in self.offers if offer.entry_field is not None)

    @property
    def dice_needed(self) -> int:
        """How many dice have to be tapped in total, not counting those set aside."""
        if self.dice_offer is None:
            return 0
        return get_dice_range(
            self.dice_offer, get_dice_field(self.dice_offer), fill_offer(self.dice_offer, self.draft)
        )[1]

    @property
    def is_complete(self) -> bool:
        """Whether all dice are in."""
        return self.dice_offer is not None and len(self.draft.dice) == self.dice_needed

    @property
    def actions(self) -> tuple[Data, ...]:
        """The turn's actions, with the visible dice as the last one."""
        if self.dice_offer is None or not self.draft.visible_dice:
            return self.draft.actions
        return (*self.draft.actions, _parse_dice(self.dice_offer, self.draft).action)

    @property
    def can_roll_again(self) -> bool:
        """Whether dice may be rolled again."""
        return self.can_keep_dice or self.rolls_all_again

    @property
    def can_keep_dice(self) -> bool:
        """Whether some of the visible dice may be set aside and the others rolled again."""
        return any(offer.pick_field is not None for offer in self.next_offers)

    @property
    def rolls_all_again(self) -> bool:
        """Whether the same action may follow with new dice, and none of the visible ones can be set aside."""
        return not self.can_keep_dice and any(
            self.dice_offer is not None and offer.spec.type == self.dice_offer.spec.type for offer in self.next_offers
        )

    @property
    def choice_offers(self) -> tuple[Offer, ...]:
        """The actions that consist of one choice and end the turn: the boxes."""
        return tuple(offer for offer in self.next_offers if offer.only_choice is not None)

    @property
    def whole_turn_offers(self) -> tuple[Offer, ...]:
        """The actions that record a whole turn without dice, one of each type: a missed turn, a paper card."""
        return merge_offers(
            offer
            for offer in self.offers
            if all(isinstance(field, ChoiceField | NumberField) for field in offer.fields)
        )

    @property
    def number_offers(self) -> tuple[Offer, ...]:
        """Those of them that take one number and nothing else, such as the sum of the dice."""
        return tuple(
            offer
            for offer in self.whole_turn_offers
            if len(offer.fields) == 1 and isinstance(offer.fields[0], NumberField) and not offer.fields[0].values
        )

    def start_next_roll(self) -> TurnDraft:
        """Return the draft of the next roll, with the pinned dice set aside."""
        held = tuple(face for position, face in enumerate(self.draft.visible_dice) if self.draft.is_pinned(position))
        return TurnDraft(self.draft.mode, self.actions, held, ())


def get_dice_field(offer: Offer) -> DiceField | DrawField:
    """Return the field of an offer that takes dice or cards."""
    assert offer.entry_field is not None, "only offers with dice are filled with dice"
    return offer.entry_field


def list_faces(field: DiceField | DrawField) -> list[Face]:
    """Return the faces of the dice, or every card that there is: which of them may come is for the rules to say."""
    return [face.face for face in field.faces] if isinstance(field, DiceField) else [*CARDS, JOKER]


def fill_offer(offer: Offer, draft: TurnDraft) -> ActionDraft:
    """Return the fields of an offer with the visible dice. An offer without a pick takes them all."""
    pick = offer.pick_field
    faces = draft.visible_dice if pick is None else draft.dice
    filled = ActionDraft().with_values(offer.key, get_dice_field(offer).name, tuple(map(str, faces)))
    if pick is None or not draft.held:
        return filled
    return filled.with_values(offer.key, pick.name, tuple(format_positions(pick, draft.held).split()))


def evaluate_draft(ruleset: Ruleset, state: Any, draft: TurnDraft) -> TurnDraftEvaluation:
    """Evaluate a draft on one seat's card. It never raises, whatever the draft holds.

    Args:
        state: the card's state before the turn.
    """
    replayed = replay_from(ruleset, state, draft.actions)
    offers = list_offers(ruleset.game, replayed.state)
    if replayed.failure:
        return TurnDraftEvaluation(replace(draft, actions=()), offers, problems=replayed.problems)
    evaluation = TurnDraftEvaluation(draft, offers)
    if not evaluation.dice_offers:
        return evaluation
    offer = next((offer for offer in evaluation.dice_offers if offer.key == draft.mode), evaluation.dice_offers[-1])
    draft, problems = _drop_unknown_faces(offer, replace(draft, mode=offer.key))
    evaluation = replace(evaluation, draft=draft, dice_offer=offer, problems=problems)
    if len(draft.dice) < evaluation.dice_needed:
        return evaluation
    replayed = replay_from(ruleset, replayed.state, [_parse_dice(offer, draft).action])
    complete = replace(draft, dice=draft.dice[: evaluation.dice_needed])
    evaluation = replace(evaluation, draft=complete, problems=(*evaluation.problems, *replayed.problems))
    if replayed.failure:
        return evaluation
    turns = ruleset.game.turns(replayed.state, 0)
    if len(turns) > len(ruleset.game.turns(state, 0)):
        total = ruleset.game.standing(replayed.state, 0).total
        return replace(evaluation, ends=(TurnEnd(None, None, turns[-1].points, total),))
    next_offers = list_offers(ruleset.game, replayed.state)
    return replace(evaluation, next_offers=next_offers, ends=tuple(_list_ends(ruleset, replayed.state, next_offers)))


def _list_ends(ruleset: Ruleset, state: Any, offers: Iterable[Offer]) -> Iterator[TurnEnd]:
    """Yield the actions that end the turn and need nothing to be entered."""
    for offer in offers:
        if not offer.fields:
            ended = replay_from(ruleset, state, [{"type": offer.spec.type}])
            turns = ruleset.game.turns(ended.state, 0)
            if not ended.failure and len(turns) > len(ruleset.game.turns(state, 0)):
                total = ruleset.game.standing(ended.state, 0).total
                yield TurnEnd({"type": offer.spec.type}, offer.spec.label, turns[-1].points, total)


def undo_last_tap(ruleset: Ruleset, state: Any, draft: TurnDraft) -> TurnDraft:
    """Return the draft before its last tap: without the last die, or at the end of the previous roll."""
    if draft.dice:
        return replace(draft, dice=draft.dice[:-1], pinned=None)
    if not draft.actions:
        return draft
    *before, last = draft.actions
    replayed = replay_from(ruleset, state, before)
    offer = find_offer(list_offers(ruleset.game, replayed.state), last)
    if replayed.failure or offer is None or offer.entry_field is None:
        return TurnDraft(draft.mode)
    held = () if offer.pick_field is None else last.get(offer.pick_field.name, ())
    entered = last[offer.entry_field.name]
    dice = (entered,) if offer.entry_field.single else tuple(entered)
    previous = TurnDraft(offer.key, tuple(before), tuple(held), dice)
    return replace(previous, pinned=_find_positions(previous.visible_dice, draft.held)) if draft.held else previous


def reopen_turn(ruleset: Ruleset, state: Any, actions: Sequence[Data]) -> TurnDraft:
    """Return the draft of a recorded turn as it was before its last tap: with its last dice, without what ended it.

    Args:
        state: the card's state before the turn.
    """
    replayed = replay_from(ruleset, state, actions[:-1])
    last = find_offer(list_offers(ruleset.game, replayed.state), actions[-1])
    is_end = last is None or last.entry_field is None
    return undo_last_tap(ruleset, state, TurnDraft(actions=tuple(actions[:-1] if is_end else actions)))


def is_tapped(ruleset: Ruleset, actions: Sequence[Data]) -> bool:
    """Return whether a recorded turn can be entered again on the pad: it has dice or cards, and nothing closes it."""
    types = {str(action["type"]) for action in actions}
    if types & ruleset.game.closing_types:
        return False
    start = make_initial_state(ruleset)
    return any(offer.entry_field is not None and offer.spec.type in types for offer in list_offers(ruleset.game, start))


def _find_positions(visible: Sequence[Face], held: Sequence[Face]) -> frozenset[int]:
    """Return where the dice that were set aside are among the visible ones."""
    positions: list[int] = []
    for face in held:
        free = (index for index, shown in enumerate(visible) if shown == face and index not in positions)
        positions += [position for position in [next(free, None)] if position is not None]
    return frozenset(positions)


def make_initial_state(ruleset: Ruleset) -> Any:
    """Return the state of an empty card with one seat."""
    return ruleset.game.start(ruleset, 1)


def parse_draft(
    mode: str, actions: str, held: Sequence[str], dice: Sequence[str], pinned: Sequence[str] | None = None
) -> TurnDraft:
    """Return the draft that a form sent.

    Raises:
        Malformed: the actions are not a short list of objects, as our own pages send them.
    """
    pinned_indexes = None if pinned is None else frozenset(map(parse_die_index, pinned))
    return TurnDraft(
        mode, parse_actions_field(actions), tuple(map(parse_face, held)), tuple(map(parse_face, dice)), pinned_indexes
    )


def parse_actions_field(text: str) -> tuple[Data, ...]:
    """Return the actions of a hidden field, or raise `Malformed`."""
    try:
        actions = json.loads(text or "[]")
    except (ValueError, RecursionError):
        raise Malformed("actions", UNREADABLE_MESSAGE) from None
    if not isinstance(actions, list) or len(actions) > MAX_ACTIONS:
        raise Malformed("actions", UNREADABLE_MESSAGE)
    if not all(isinstance(action, dict) for action in actions):
        raise Malformed("actions", UNREADABLE_MESSAGE)
    return tuple(actions)


def dump_actions_field(actions: Sequence[Data]) -> str:
    """Return actions as the text of a hidden field."""
    return json.dumps(list(actions), separators=(",", ":"))


def parse_face(text: str) -> Face:
    """Return a face as actions have it, a number if it is one. Whether a die has this face is checked later."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else text


def parse_die_index(text: str) -> int:
    """Return a die's index in the row; -1 if the text is not one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else -1


def _drop_unknown_faces(offer: Offer, draft: TurnDraft) -> tuple[TurnDraft, tuple[Problem, ...]]:
    """Return the draft without faces that no die has, and a problem for each of them."""
    problems = tuple(problem for problem in _parse_dice(offer, draft).problems if problem.code == "no_such_face")
    faces = {str(face): face for face in list_faces(get_dice_field(offer))}
    held, dice = (tuple(faces[str(face)] for face in row if str(face) in faces) for row in (draft.held, draft.dice))
    return replace(draft, held=held, dice=dice), problems


def _parse_dice(offer: Offer, draft: TurnDraft) -> ParsedAction:
    return parse_action(offer, fill_offer(offer, draft))
