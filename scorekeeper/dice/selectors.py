"""Reads how often each face was thrown, from the scorecards of an event.

Terms: a *sample* is the throws of one set of dice of one kind (`games.core.fairness`). At the stops, the set is the
dice set that the turn names, or else the dice at that stop; at the tables, it is the dice of a table.

Invariants:
- A sample's number, which decides its share of false alarms, follows from the set-up of the event and the order in
  which its tables were created, never from what was thrown.
- A card whose log is damaged is not counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Sum
from django.utils.translation import gettext as _

from games.core.fairness import get_share, judge_sample
from games.core.game import IllegalAction
from games.core.problems import Malformed
from games.core.reading import Face
from scorekeeper.crew.models import DiceSet
from scorekeeper.dice.die_data import EventDie, list_dice
from scorekeeper.dice.models import DiceAudit
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.ledger.models import Chain
from scorekeeper.scorecards.card_kinds import FoldedCard, get_kind
from scorekeeper.scorecards.contest_rules import ContestRules, get_contest_rules
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.models import Turn
from scorekeeper.stops.models import Stop

Thrown = Counter[tuple[str, Face]]  # by the key of the kind, and the face
SET, STOP, TABLE = "set", "stop", "table"
Source = tuple[str, UUID]  # one of the three, and the id of the dice set, the stop or the table's card
Signature = tuple[object, ...]


def list_thrown_dice(card: FoldedCard) -> Iterator[tuple[RecordedTurn, Thrown]]:
    """Yield the current turns of a card with the dice that were thrown in each, in the order of play.

    Corrected and voided turns count as they are now. A turn that cannot be played is left out.
    """
    state = card.contest.ruleset.game.start(card.contest.ruleset, len(card.entrants))
    for turn in card.list_played_turns():
        try:
            state, thrown = _play(card, state, turn)
        except (IllegalAction, Malformed):
            continue
        yield turn, thrown


def _play(card: FoldedCard, state: Any, turn: RecordedTurn) -> tuple[Any, Thrown]:
    """Return the state after a turn, and the dice thrown in it.

    Raises:
        IllegalAction, Malformed: the turn cannot be played.
    """
    ruleset = card.contest.ruleset
    thrown: Thrown = Counter()
    for data in turn.actions:
        action = ruleset.read_action(data, len(card.entrants))
        before, state = state, ruleset.game.play(state, action)
        for key, faces in ruleset.game.thrown_dice(before, action).items():
            thrown.update((key, face) for face in faces)
    return state, thrown


@dataclass
class _Samples:
    """The possible samples of an event in the order of their numbers, and what was counted for each."""

    order: list[tuple[Source, EventDie]] = field(default_factory=list)
    counts: dict[tuple[Source, Signature], Counter[Face]] = field(default_factory=lambda: defaultdict(Counter))


def get_log_length(event: Event) -> int:
    """Return how many entries the cards of an event have: what a count depends on."""
    chains = Chain.objects.filter(event=event, kind=Chain.Kind.CARD)
    return chains.aggregate(length=Sum("length"))["length"] or 0


def count_unsplit_turns(event: Event) -> int:
    """Return how many turns at stops were recorded without their rolls."""
    how = (Turn.How.FINAL, Turn.How.PAPER)
    return Turn.objects.filter(card__contest__event=event, how__in=how).count()


def judge_event_dice(event: Event) -> list[dict[str, Any]]:
    """Return the samples in which something was thrown, as JSON values. Takes as long as folding all cards."""
    samples = _Samples()
    contests = list(list_contests(event))
    at_stops = [contest for contest in contests if get_contest_rules(contest.pk).slots]
    _add_stops(samples, event, at_stops)
    known = {source for source, _die in samples.order}
    for contest in contests:
        _count_contest(samples, contest, get_contest_rules(contest.pk), known)
    return list(_judge(samples))


def _add_stops(samples: _Samples, event: Event, contests: Sequence[Contest]) -> None:
    """Add the samples of the dice sets, then those of the stops."""
    dice = list_dice(contests)
    sets = DiceSet.objects.filter(group__event=event).order_by("group__ordinal", "group__name", "ordinal", "name")
    stops = Stop.objects.filter(event=event).order_by("ordinal", "name")
    sources = [*((SET, pk) for pk in sets.values_list("pk", flat=True))]
    sources += [(STOP, pk) for pk in stops.values_list("pk", flat=True)]
    samples.order += [(source, die) for source in sources for die in dice]


def _count_contest(samples: _Samples, contest: Contest, rules: ContestRules, known: set[Source]) -> None:
    """Count the throws of a contest, and add the samples of its tables."""
    kind = get_kind(contest.game)
    dice = list_dice([contest])
    numbers = sorted(kind.number_cards(contest.pk).items(), key=lambda pair: pair[1])
    samples.order += [((TABLE, card), die) for card, _number in numbers for die in dice]
    if not dice:
        return
    signatures = {die.kind.key: die.signature for die in dice}
    for card in kind.fold_cards(rules):
        if card.damaged_from is None:
            for turn, thrown in list_thrown_dice(card):
                source = _find_source(rules, card, turn, known)
                for (key, face), count in thrown.items():
                    samples.counts[source, signatures[key]][face] += count


def _find_source(rules: ContestRules, card: FoldedCard, turn: RecordedTurn, known: set[Source]) -> Source:
    if not rules.slots:
        return TABLE, card.id
    if turn.origin is not None and turn.origin.dice_set_id is not None:
        dice_set = (SET, turn.origin.dice_set_id)
        if dice_set in known:
            return dice_set
    stop_id = rules.get_stop_id(turn.slot_id)
    # A retirement names no stop; what was rolled before it belongs to none of the sets that are looked at.
    return STOP, UUID(int=0) if stop_id is None else stop_id


def _judge(samples: _Samples) -> Iterator[dict[str, Any]]:
    for number, (source, die) in enumerate(samples.order):
        found: Mapping[Face, int] = samples.counts.get((source, die.signature), {})
        if found:
            counts = [found.get(face.face, 0) for face in die.kind.faces]
            yield {
                "source": source[0],
                "id": str(source[1]),
                "number": number,
                **write_judgement(die, counts, get_share(number)),
            }


def write_judgement(die: EventDie, counts: Sequence[int], share: float) -> dict[str, Any]:
    """Return the judgement of a sample as JSON values."""
    fairness = judge_sample(counts, die.kind.weights, share)
    return {
        "die": die.to_data(),
        "counts": list(counts),
        "level": fairness.level,
        "one_in": fairness.one_in,
        "visible": list(fairness.visible_share),
    }


def label_tables(event: Event, audit: DiceAudit) -> Mapping[tuple[str, str], str]:
    """Return the name of every table, if the count has any, by its source and id."""
    if not any(sample["source"] == TABLE for sample in audit.samples):
        return {}
    return {
        (TABLE, str(card)): _("%(contest)s, table %(number)s") % {"contest": contest.name, "number": number}
        for contest in list_contests(event)
        for card, number in get_kind(contest.game).number_cards(contest.pk).items()
    }
