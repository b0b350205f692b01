"""The luck of a contest and of each card, as a table and as a chart of the expected total after every throw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from games.core.luck import Luck, Step, StepKind
from scorekeeper.coach.odds_presenter import format_amount, format_cost, format_figure
from scorekeeper.common.game_adapter import translate
from scorekeeper.events.models import Contest
from scorekeeper.players.selectors import format_entrant
from scorekeeper.scorecards.action_wording import describe_action, describe_choice
from scorekeeper.standings.card_luck import CardLuck
from scorekeeper.standings.luck_rows import LuckRow
from scorekeeper.stops.models import Slot

# In the units of the chart, which are CSS pixels.
STEP = 20
LEFT, RIGHT, TOP, HEIGHT, BOTTOM = 64, 72, 40, 200, 24


class LuckLabels(NamedTuple):
    """What the figures of a contest are: totals, unless the game says otherwise (`Game.odds_label`)."""

    total: str
    without_luck: str
    expected: str
    expected_now: str
    heading: str
    chart: str


def get_luck_labels(contest: Contest) -> LuckLabels:
    """Return the labels of a contest, in the reader's language."""
    label = contest.game.odds_label(contest.ruleset.setup)
    if label is None:
        return LuckLabels(
            total=_("Total"),
            without_luck=_("Total without luck"),
            expected=_("Expected total"),
            expected_now=_("Expected total, not finished"),
            heading=_("What the total is made of"),
            chart=_("The expected total, step by step"),
        )
    what = {"what": translate(label)}
    return LuckLabels(
        total=what["what"],
        without_luck=_("%(what)s, without luck") % what,
        expected=_("%(what)s, expected") % what,
        expected_now=_("%(what)s, expected, not finished") % what,
        heading=_("%(what)s: what it is made of") % what,
        chart=_("%(what)s, expected, step by step") % what,
    )


class LuckMark(NamedTuple):
    """A label or a dot."""

    x: float
    y: float
    text: str = ""


@dataclass(frozen=True, slots=True)
class LuckChart:
    """A chart of one card.

    Attributes:
        points: for the SVG element `polyline`.
        turns: the number of each turn, where it begins.
        start, end: the first and the last value.
        summary: what the chart shows, for those who cannot see it.
    """

    width: int
    height: int
    top: float
    bottom: float
    points: str
    dots: tuple[LuckMark, ...]
    turns: tuple[LuckMark, ...]
    start: LuckMark
    end: LuckMark
    summary: str


def make_luck_chart(luck: Luck) -> LuckChart | None:
    """Return the chart of a card; None if nothing is recorded on it."""
    if not luck.steps:
        return None
    values = [luck.start, *(step.value for step in luck.steps)]
    low, high = min(values), max(values)
    scale = HEIGHT / (high - low or 1)
    dots = tuple(
        LuckMark(LEFT + STEP * at, round(TOP + (high - value) * scale, 1), format_figure(value))
        for at, value in enumerate(values)
    )
    firsts = {step.turn: at for at, step in reversed(list(enumerate(luck.steps)))}
    numbers = sorted(firsts)
    summary = _("From %(start)s before the first roll to %(end)s at the end. The table below says the same.")
    return LuckChart(
        width=LEFT + STEP * (len(values) - 1) + RIGHT,
        height=TOP + HEIGHT + BOTTOM,
        top=TOP - 12,
        bottom=TOP + HEIGHT + 12,
        points=" ".join(f"{dot.x},{dot.y}" for dot in dots),
        dots=dots,
        turns=tuple(LuckMark(dots[firsts[turn]].x, TOP - 24, str(turn + 1)) for turn in numbers)
        if len(numbers) > 1
        else (),
        start=LuckMark(dots[0].x - 10, dots[0].y, dots[0].text),
        end=LuckMark(dots[-1].x + 10, dots[-1].y, dots[-1].text),
        summary=summary % {"start": dots[0].text, "end": dots[-1].text},
    )


class LuckLine(NamedTuple):
    """An action of a card.

    Attributes:
        throw, choice: what each brought or cost; "" if it was none.
        other: what something brought that is neither; "" for throws and choices.
        best: the best choice in words, if another one was made.
        value: the value after it; "" where nothing was thrown and nothing was to be decided.
    """

    text: str
    choice: str
    throw: str
    other: str
    best: str
    value: str


class LuckTurn(NamedTuple):
    """A turn of a card.

    Attributes:
        heading: its number and stop; "" where a card has no turns.
        luck, cost: of its throws and choices.
    """

    heading: str
    luck: str
    cost: str
    is_unsplit: bool
    lines: tuple[LuckLine, ...]


class LuckCardPresenter(NamedTuple):
    """A card.

    Attributes:
        sums: what adds up to the total, each with its label; the last one is the total.
        adjusted: the total less the luck; "" where not enough is recorded.
    """

    sums: tuple[tuple[str, str], ...]
    adjusted: str
    turns: tuple[LuckTurn, ...]
    chart: LuckChart | None


def present_card(contest: Contest, card: CardLuck) -> LuckCardPresenter:
    """Return a card turn by turn, replayed by the rules for the words of its actions."""
    luck = card.luck
    balance = luck.balance()
    is_high = luck.aim == "high"
    parts: list[tuple[str, str]] = [
        (_("Expected before the first roll"), format_figure(balance.start)),
        (_("Luck of the throws"), _sign(balance.luck, is_high=is_high)),
        (_("Cost of the choices"), _sign(-balance.loss, is_high=is_high)),
    ]
    if luck.unsplit_turns:
        parts.append((_("Not recorded roll by roll"), _sign(balance.unsplit, is_high=is_high)))
    if any(step.kind == "missed" for step in luck.steps):
        parts.append((_("Missed turns and retiring"), _sign(balance.missed, is_high=is_high)))
    labels = get_luck_labels(contest)
    parts.append((labels.total if luck.is_finished else labels.expected_now, format_figure(balance.total)))
    adjusted = format_figure(balance.adjusted) if luck.is_recorded else ""
    return LuckCardPresenter(tuple(parts), adjusted, tuple(_list_turns(contest, card)), make_luck_chart(luck))


def _sign(amount: object, *, is_high: bool) -> str:
    """Return an amount as it is added to the total; where a low total is good, good luck lowers it."""
    figure = float(str(amount))
    return format_amount(figure if is_high else -figure)


def _list_turns(contest: Contest, card: CardLuck) -> list[LuckTurn]:
    ruleset = contest.ruleset
    game = ruleset.game
    stops = dict(Slot.objects.filter(contest=contest).values_list("ordinal", "stop__name"))
    state = game.start(ruleset, 1)
    turns = []
    for number, (ordinal, actions) in enumerate(zip(card.ordinals, card.turns, strict=True)):
        lines = []
        for index, action in enumerate(actions):
            steps = {step.kind: step for step in card.luck.steps if (step.turn, step.action_index) == (number, index)}
            choice = steps.get("choice")
            best = "" if choice is None or choice.best is None else describe_choice(game, state, choice.best)
            text = describe_action(game, state, action, [""])
            lines.append(_make_line(text, best, steps))
            state = game.apply(state, ruleset.read_action({**action, "seat": 0}, 1))
        turns.append(
            LuckTurn(
                _describe_turn(ordinal, stops),
                _add_up(card.luck, "throw", number),
                format_cost(card.luck.add_up("choice", number)),
                number in card.luck.unsplit_turns,
                tuple(lines),
            )
        )
    return turns


def _add_up(luck: Luck, kind: StepKind, turn: int) -> str:
    return "" if turn in luck.unsplit_turns else format_amount(luck.add_up(kind, turn))


def _make_line(text: str, best: str, steps: Mapping[StepKind, Step]) -> LuckLine:
    choice, throw = steps.get("choice"), steps.get("throw")
    other = steps.get("unsplit") or steps.get("missed")
    last = other or throw or choice
    return LuckLine(
        text,
        "" if choice is None else format_cost(choice.amount),
        "" if throw is None else format_amount(throw.amount),
        "" if other is None else format_amount(other.amount),
        best,
        "" if last is None else format_figure(last.value),
    )


def _describe_turn(ordinal: int, stops: Mapping[int, str]) -> str:
    if ordinal not in stops:
        return ""
    return _("Turn %(number)s, %(stop)s") % {"number": ordinal, "stop": stops[ordinal]}


class LuckTableRow(NamedTuple):
    """A row of the luck-adjusted table.

    Attributes:
        place: in the standings.
        adjusted: "" where not enough is recorded.
    """

    place: str
    entrant: str
    url: str
    total: str
    luck: str
    cost: str
    adjusted: str


def present_table(contest: Contest, rows: Sequence[LuckRow], people: Mapping[UUID, str]) -> list[LuckTableRow]:
    """Return the rows as the page shows them."""
    return [
        LuckTableRow(
            one.row.rank_label,
            format_entrant(one.row.number, people.get(one.row.entrant_id, "")),
            reverse("results:luck_card", args=[contest.event.slug, contest.slug, one.row.entrant_id]),
            str(one.row.total)
            if contest.game.odds_label(contest.ruleset.setup) is None
            else format_figure(one.balance.total),
            format_amount(one.balance.luck),
            format_figure(one.balance.loss),
            "" if one.adjusted is None else format_figure(one.adjusted),
        )
        for one in rows
    ]
