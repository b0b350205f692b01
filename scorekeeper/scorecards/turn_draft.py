"""A turn that is being noted, before it is recorded.

Terms: a *draft* is what stands in the form: the actions of the running turn so far (`actions`) and the dice of the
next one, as far as they are tapped (`dice`) or were set aside for it (`held`). The dice in sight at the places `pinned`
are to be set aside if the turn goes on. The *mode* is the type of the action that the dice belong to. Where a game
offers several such actions, the last offered asks for the least and is taken unless a person chooses another.

A draft knows no game: what it asks for comes from the action specs, and what is wrong with it from the rules. A card
is opened at the turn's place (`open_draft`), so everything that follows is worked out anew on every request.
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

MAX_ACTIONS = 20  # of one turn; the form holds no longer lists
UNREADABLE_MESSAGE = gettext_noop("The page sent something that cannot be read. Enter this turn again.")

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TurnDraft:
    """What stands in the form.

    Attributes:
        pinned: None until somebody has had the choice; then whatever was set aside before stays so.
    """

    mode: str = ""
    actions: tuple[Data, ...] = ()
    held: tuple[Face, ...] = ()
    dice: tuple[Face, ...] = ()
    pinned: frozenset[int] | None = None

    @property
    def visible_dice(self) -> tuple[Face, ...]:
        """The dice in sight: those set aside, then those tapped."""
        return self.held + self.dice

    def is_pinned(self, place: int) -> bool:
        """Whether the die at this place is to be set aside if the turn goes on."""
        return place < len(self.held) if self.pinned is None else place in self.pinned

    def with_mode(self, mode: str) -> TurnDraft:
        """Return the draft for another kind of action; the dice in sight stay."""
        return TurnDraft(mode, self.actions, (), self.visible_dice)

    def with_die(self, face: Face) -> TurnDraft:
        """Return the draft with one more die."""
        return replace(self, dice=(*self.dice, face), pinned=None)

    def without_die(self, index: int) -> TurnDraft:
        """Return the draft without one of the tapped dice, counted over all in sight."""
        place = index - len(self.held)
        if not 0 <= place < len(self.dice):
            return self
        return replace(self, dice=self.dice[:place] + self.dice[place + 1 :], pinned=None)


@dataclass(frozen=True)
class TurnDraftEvaluation:
    """A draft on its card.

    Attributes:
        specs: what may be done with what is noted so far, the dice in sight left out.
        dice_spec: the action the dice in sight belong to; None when the moment asks for no dice.
        after: what may be done once those dice are in; empty until all are.
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
        """How many dice are to be tapped in all; those set aside do not count."""
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
        """The turn's actions with the dice in sight as the last one."""
        if self.dice_spec is None or not self.draft.visible_dice:
            return self.draft.actions
        return (*self.draft.actions, _make_pending_action(self.dice_spec, self.draft))

    @property
    def can_roll_again(self) -> bool:
        """Whether some of the dice in sight may be rolled again."""
        return any(_list_field_names(spec, PickField) for spec in self.next_specs)

    def list_choices(self) -> list[tuple[ActionSpec, ChoiceField]]:
        """Return the actions that are one choice, which end the turn: the boxes."""
        return [
            (spec, spec.fields[0])
            for spec in self.next_specs
            if len(spec.fields) == 1 and isinstance(spec.fields[0], ChoiceField)
        ]

    def start_next_roll(self) -> TurnDraft:
        """Return the draft of a further roll, with the dice that are pinned set aside."""
        held = tuple(face for place, face in enumerate(self.draft.visible_dice) if self.draft.is_pinned(place))
        return TurnDraft(self.draft.mode, self.actions, held, ())


def get_dice_field(spec: ActionSpec) -> DiceField:
    """Return the field of the spec that takes dice."""
    return next(field for field in spec.fields if isinstance(field, DiceField))


def evaluate_draft(ruleset: Ruleset, state: Any, draft: TurnDraft) -> TurnDraftEvaluation:
    """Put a draft on one seat's card.

    Args:
        state: the card's state before the turn. Never raises, whatever the draft holds.
    """
    game = ruleset.game
    played = replay_from(ruleset, state, draft.actions)
    specs = game.legal_actions(played.state, 0)
    if played.failure:
        return TurnDraftEvaluation(replace(draft, actions=()), specs, problems=played.problems)
    opened = TurnDraftEvaluation(draft, specs)
    if not opened.dice_specs:
        return opened
    spec = next((spec for spec in opened.dice_specs if spec.type == draft.mode), opened.dice_specs[-1])
    draft, problems = _drop_unknown_faces(spec, replace(draft, mode=spec.type))
    opened = replace(opened, draft=draft, dice_spec=spec, problems=problems)
    if len(draft.dice) < opened.dice_needed:
        return opened
    played = replay_from(ruleset, played.state, [_make_pending_action(spec, draft)])
    fitting = replace(draft, dice=draft.dice[: opened.dice_needed])
    after = () if played.failure else game.legal_actions(played.state, 0)
    return replace(opened, draft=fitting, next_specs=after, problems=(*opened.problems, *played.problems))


def undo_last_tap(ruleset: Ruleset, state: Any, draft: TurnDraft) -> TurnDraft:
    """Return the draft before its last tap: without the last die, else at the end of the roll before."""
    if draft.dice:
        return replace(draft, dice=draft.dice[:-1], pinned=None)
    if not draft.actions:
        return draft
    *before, last = draft.actions
    played = replay_from(ruleset, state, before)
    specs = ruleset.game.legal_actions(played.state, 0)
    spec = next((spec for spec in specs if spec.type == last.get("type")), None)
    if played.failure or spec is None or not _list_field_names(spec, DiceField):
        return TurnDraft(draft.mode)
    held = tuple(face for name in _list_field_names(spec, PickField) for face in last.get(name, ()))
    return TurnDraft(spec.type, tuple(before), held, tuple(last.get(get_dice_field(spec).name, ())))


def make_initial_state(ruleset: Ruleset) -> Any:
    """Return the state of a fresh card of one seat."""
    return ruleset.game.start(ruleset, 1)


def parse_draft(
    mode: str, actions: str, held: Sequence[str], dice: Sequence[str], pinned: Sequence[str] | None = None
) -> TurnDraft:
    """Return the draft that a form sent.

    Raises:
        Malformed: the actions are not a short list of objects; only a page of our own making sends them.
    """
    places = None if pinned is None else frozenset(map(parse_die_index, pinned))
    return TurnDraft(
        mode, parse_actions_field(actions), tuple(map(parse_face, held)), tuple(map(parse_face, dice)), places
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
    """Return actions as a hidden field holds them."""
    return json.dumps(list(actions), separators=(",", ":"))


def parse_face(text: str) -> Face:
    """Return a face as an action writes it: a number where it is one. Whether a die has it is seen later."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else text


def parse_die_index(text: str) -> int:
    """Return a die's place in the row; -1 for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else -1


def _drop_unknown_faces(spec: ActionSpec, draft: TurnDraft) -> tuple[TurnDraft, tuple[Problem, ...]]:
    """Leave out faces that no die has, and say so."""
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
    # A spec without a pick takes all dice in sight as its own.
    dice = draft.dice if _list_field_names(spec, PickField) else draft.visible_dice
    action[get_dice_field(spec).name] = list(dice)
    return action


def _list_field_names(spec: ActionSpec, kind: type[DiceField] | type[PickField]) -> list[str]:
    return [field.name for field in spec.fields if isinstance(field, kind)]
