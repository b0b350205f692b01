"""A turn that is being entered, before it is recorded.

- A *draft* is the content of the form: the turn's actions so far (`actions`) and the dice of the next action, tapped
  (`dice`) or set aside for it (`held`).
- The visible dice at the indexes in `pinned` will be set aside if the turn goes on.
- The *mode* is the type of the action that the dice belong to. If a game offers several such actions, the last one
  asks for the least and is the default.

A draft does not know the game. What it asks for comes from the action specs; what is wrong with it, from the rules.
`evaluate_draft` computes everything else anew on every request, from the card's state before the turn.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.core.game import Ruleset
from games.core.problems import Malformed, Problem
from games.core.reading import Face, OneFace
from games.core.replay import replay_from
from games.core.specs import ActionSpec, ChoiceField, DiceField, PickField
from games.core.text import gettext_noop

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
        """Return the draft for another type of action, with the same visible dice."""
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


@dataclass(frozen=True)
class TurnDraftEvaluation:
    """A draft, evaluated on its card.

    Attributes:
        specs: the actions possible after the draft's actions, without the visible dice.
        dice_spec: the action that the visible dice belong to; None if no dice are needed now.
        next_specs: the actions possible once all dice are in; empty until then.
        problems: what is wrong with the draft.
    """

    draft: TurnDraft
    specs: tuple[ActionSpec, ...] = ()
    dice_spec: ActionSpec | None = None
    next_specs: tuple[ActionSpec, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def dice_specs(self) -> tuple[ActionSpec, ...]:
        """The actions that take dice: the modes to choose from."""
        return tuple(spec for spec in self.specs if _list_field_names(spec, DiceField))

    @property
    def dice_needed(self) -> int:
        """How many dice have to be tapped in total, not counting those set aside."""
        if self.dice_spec is None:
            return 0
        count = get_dice_field(self.dice_spec).count
        return max(0, count.high - (len(self.draft.held) if count.less_pick else 0))

    @property
    def is_complete(self) -> bool:
        """Whether all dice are in."""
        return self.dice_spec is not None and len(self.draft.dice) == self.dice_needed

    @property
    def actions(self) -> tuple[Data, ...]:
        """The turn's actions, with the visible dice as the last one."""
        if self.dice_spec is None or not self.draft.visible_dice:
            return self.draft.actions
        return (*self.draft.actions, _make_pending_action(self.dice_spec, self.draft))

    @property
    def can_roll_again(self) -> bool:
        """Whether some of the visible dice may be rolled again."""
        return any(_list_field_names(spec, PickField) for spec in self.next_specs)

    def list_choices(self) -> list[tuple[ActionSpec, ChoiceField]]:
        """Return the actions that consist of one choice and end the turn: the boxes."""
        return [
            (spec, spec.fields[0])
            for spec in self.next_specs
            if len(spec.fields) == 1 and isinstance(spec.fields[0], ChoiceField)
        ]

    def start_next_roll(self) -> TurnDraft:
        """Return the draft of the next roll, with the pinned dice set aside."""
        held = tuple(face for position, face in enumerate(self.draft.visible_dice) if self.draft.is_pinned(position))
        return TurnDraft(self.draft.mode, self.actions, held, ())


def get_dice_field(spec: ActionSpec) -> DiceField:
    """Return the field of the spec that takes dice."""
    return next(field for field in spec.fields if isinstance(field, DiceField))


def evaluate_draft(ruleset: Ruleset, state: Any, draft: TurnDraft) -> TurnDraftEvaluation:
    """Evaluate a draft on one seat's card. It never raises, whatever the draft holds.

    Args:
        state: the card's state before the turn.
    """
    game = ruleset.game
    replayed = replay_from(ruleset, state, draft.actions)
    specs = game.legal_actions(replayed.state, 0)
    if replayed.failure:
        return TurnDraftEvaluation(replace(draft, actions=()), specs, problems=replayed.problems)
    evaluation = TurnDraftEvaluation(draft, specs)
    if not evaluation.dice_specs:
        return evaluation
    spec = next((spec for spec in evaluation.dice_specs if spec.type == draft.mode), evaluation.dice_specs[-1])
    draft, problems = _drop_unknown_faces(spec, replace(draft, mode=spec.type))
    evaluation = replace(evaluation, draft=draft, dice_spec=spec, problems=problems)
    if len(draft.dice) < evaluation.dice_needed:
        return evaluation
    replayed = replay_from(ruleset, replayed.state, [_make_pending_action(spec, draft)])
    complete = replace(draft, dice=draft.dice[: evaluation.dice_needed])
    next_specs = () if replayed.failure else game.legal_actions(replayed.state, 0)
    return replace(
        evaluation, draft=complete, next_specs=next_specs, problems=(*evaluation.problems, *replayed.problems)
    )


def undo_last_tap(ruleset: Ruleset, state: Any, draft: TurnDraft) -> TurnDraft:
    """Return the draft before its last tap: without the last die, or at the end of the previous roll."""
    if draft.dice:
        return replace(draft, dice=draft.dice[:-1], pinned=None)
    if not draft.actions:
        return draft
    *before, last = draft.actions
    replayed = replay_from(ruleset, state, before)
    specs = ruleset.game.legal_actions(replayed.state, 0)
    spec = next((spec for spec in specs if spec.type == last.get("type")), None)
    if replayed.failure or spec is None or not _list_field_names(spec, DiceField):
        return TurnDraft(draft.mode)
    held = tuple(face for name in _list_field_names(spec, PickField) for face in last.get(name, ()))
    return TurnDraft(spec.type, tuple(before), held, tuple(last.get(get_dice_field(spec).name, ())))


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


def _drop_unknown_faces(spec: ActionSpec, draft: TurnDraft) -> tuple[TurnDraft, tuple[Problem, ...]]:
    """Return the draft without faces that no die has, and a problem for each of them."""
    faces = tuple(face.face for face in get_dice_field(spec).faces)
    reader = OneFace(faces)
    problems = []
    for face in draft.visible_dice:
        try:
            reader.read(face, "dice")
        except Malformed as malformed:
            problems.append(malformed.as_problem())
    held = tuple(face for face in draft.held if face in faces)
    return replace(draft, held=held, dice=tuple(face for face in draft.dice if face in faces)), tuple(problems)


def _make_pending_action(spec: ActionSpec, draft: TurnDraft) -> dict[str, Any]:
    action: dict[str, Any] = {"type": spec.type}
    action.update({name: list(draft.held) for name in _list_field_names(spec, PickField) if draft.held})
    # A spec without a pick takes all visible dice.
    dice = draft.dice if _list_field_names(spec, PickField) else draft.visible_dice
    action[get_dice_field(spec).name] = list(dice)
    return action


def _list_field_names(spec: ActionSpec, kind: type[DiceField] | type[PickField]) -> list[str]:
    return [field.name for field in spec.fields if isinstance(field, kind)]
