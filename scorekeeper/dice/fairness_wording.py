"""What pages say about the dice: levels, shares, and what has been too little to see, in words and as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.fairness import get_fair_shares
from games.core.specs import Count, DiceField
from scorekeeper.common.game_adapter import list_games, translate
from scorekeeper.common.number_wording import format_percentage
from scorekeeper.dice.die_data import EventDie
from scorekeeper.scorecards.dice_faces import present_faces

MOST_ODDS = 1_000_000
DIGITS = 2  # of the odds in words


class FaceRow(NamedTuple):
    """A line of the table of faces. Widths are those of a bar that is 100 wide.

    Attributes:
        face: the picture of the face, for `components/die.html`.
        visible: the share from which an alarm was likely; "" if none was.
    """

    face: Mapping[str, Any]
    throws: int
    share: str
    fair: str
    visible: str
    width: float
    fair_width: float


class SampleWording(NamedTuple):
    """What a page says about a sample.

    Attributes:
        level: "nothing", "worth_a_look" or "alarm".
        power: what would have been seen by now, and what not.
        has_limits: whether that differs between the faces.
    """

    label: str
    level: str
    verdict: str
    advice: str
    throws: int
    power: tuple[str, ...]
    has_limits: bool
    rows: tuple[FaceRow, ...]


def describe_sample(data: Mapping[str, Any], *, is_test: bool = False) -> SampleWording:
    """Return what to say about a sample.

    Args:
        data: as `selectors.samples.write_judgement` makes it.
        is_test: whether the dice were thrown only to test them.
    """
    die = EventDie.from_data(data["die"])
    throws = sum(data["counts"])
    level = data["level"] if throws else "nothing"
    return SampleWording(
        translate(die.kind.label),
        level,
        _describe_level(level, data["one_in"], throws),
        _advise(level, is_test=is_test),
        throws,
        _describe_power(die, data["visible"], throws),
        len(set(data["visible"])) > 1,
        _list_rows(die, data, throws),
    )


def present_die_faces(die: EventDie) -> list[dict[str, Any]]:
    """Return the faces of a die for `components/die.html`, with the pictures of the game if it is still there."""
    game = list_games().get(die.game_key)
    field = DiceField("face", die.kind.label, die.kind.faces, Count(1, 1), colour=die.kind.colour)
    if game is None:
        return [{"value": str(face.face), "face": str(face.face), "word": translate(face.word)} for face in field.faces]
    return present_faces(game, field)


def format_percent(share: float) -> str:
    """Return a share as a whole or, below ten per cent, with one decimal: "17%"."""
    return format_percentage(100 * share, 1 if 0 < share < 0.1 else 0)


def format_odds(one_in: float) -> str:
    """Return the chance of a sample with fair dice in words, never smaller than it is known to be."""
    if one_in >= MOST_ODDS:
        return _("less than 1 in a million by chance")
    size = 10 ** max(len(str(int(one_in))) - DIGITS, 0)
    number = number_format(int(one_in) // size * size, force_grouping=True)
    return _("at most 1 in %(number)s by chance") % {"number": number}


def _describe_level(level: str, one_in: float, throws: int) -> str:
    if not throws:
        return _("No throws yet.")
    if level == "alarm":
        return _("These throws fit fair dice badly (%(odds)s).") % {"odds": format_odds(one_in)}
    if level == "worth_a_look":
        return _("These throws do not fit fair dice well (%(odds)s).") % {"odds": format_odds(one_in)}
    return _("These throws fit fair dice.")


def _advise(level: str, *, is_test: bool) -> str:
    if level == "nothing":
        return ""
    if level == "worth_a_look":
        return _("This can still be chance. Roll more and check again.")
    if is_test:
        return _("Use other dice.")
    return _(
        "Throw this set on the page “Test these dice” until it has 500 faces. "
        "Wrong entries and chance can look like this too."
    )


def _describe_power(die: EventDie, visible: list[float | None], throws: int) -> tuple[str, ...]:
    """Return what would have been seen of the rarest face, if all the dice were loaded, or only one of them."""
    rarest = min(range(len(visible)), key=lambda face: die.kind.weights[face])
    fair, seen = get_fair_shares(die.kind.weights)[rarest], visible[rarest]
    if seen is None or not throws:
        return (_("So far there are too few throws to find even badly loaded dice."),)
    params = {"seen": format_percent(seen), "fair": format_percent(fair)}
    text = _(
        "By now, dice that show one face in %(seen)s of all throws instead of %(fair)s would probably have been found."
    )
    found = [text % params]
    if die.kind.dice > 1:
        alone = fair + die.kind.dice * (seen - fair)
        one = {"count": die.kind.dice, "alone": format_percent(alone)}
        if alone < 1:
            text = ngettext(
                "If only one die of %(count)s is loaded, it would have to show that face in %(alone)s of its throws.",
                "If only one die of %(count)s is loaded, it would have to show that face in %(alone)s of its throws.",
                die.kind.dice,
            )
        else:
            text = ngettext(
                "If only one die of %(count)s is loaded, so few throws cannot show it.",
                "If only one die of %(count)s is loaded, so few throws cannot show it.",
                die.kind.dice,
            )
        found.append(text % one)
    return tuple(found)


def _list_rows(die: EventDie, data: Mapping[str, Any], throws: int) -> tuple[FaceRow, ...]:
    fair_shares = get_fair_shares(die.kind.weights)
    shares = [count / throws if throws else 0.0 for count in data["counts"]]
    longest = max(*shares, *(1.5 * share for share in fair_shares))
    return tuple(
        FaceRow(
            face,
            count,
            format_percent(share) if throws else "",
            format_percent(fair),
            "" if seen is None else format_percent(seen),
            round(100 * share / longest, 1),
            round(100 * fair / longest, 1),
        )
        for face, count, share, fair, seen in zip(
            present_die_faces(die), data["counts"], shares, fair_shares, data["visible"], strict=True
        )
    )
