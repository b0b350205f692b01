"""Texts about the standings: cards, how a place was decided, the next step, and how official the figures are."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from uuid import UUID

from django.contrib.humanize.templatetags.humanize import apnumber
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.core.game import Game, Ruleset
from scorekeeper.common.game_adapter import show_total, translate
from scorekeeper.common.labels import label_value
from scorekeeper.common.number_wording import format_ordinal_place, format_percentage
from scorekeeper.common.playing_cards import format_card
from scorekeeper.events.event_times import format_freeze_notice, format_time, format_when
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_freeze
from scorekeeper.players.selectors import format_entrant
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.chances import ContestChances, ShownChances
from scorekeeper.standings.group_scores import GroupRule, GroupScore
from scorekeeper.standings.leaderboard import ABSENT_STATUS, Leaderboard, LeaderboardRow
from scorekeeper.standings.outlook import Outlook

NO_BREAK = "\u00a0"  # a space at which no line breaks

STATUS_NAMES = {
    "playing": gettext_lazy("In play"),
    "done": gettext_lazy("Finished"),
    "retired": gettext_lazy("Retired"),
    ABSENT_STATUS: gettext_lazy("Did not take part"),
}

CHANCE_NAMES = {
    "first_safe": gettext_lazy("Nobody who has started can catch up"),
    "prize_safe": gettext_lazy("A prize is safe from everyone who has started"),
    "first_gone": gettext_lazy("Can no longer win"),
    "prizes_gone": gettext_lazy("Can no longer win a prize"),
}


def format_playing_card(code: str | None) -> str:
    """Return the name of a card such as "QS"; None is an entrant who was not there."""
    if code is None:
        return _("was not there")
    return format_card(code)


def format_cut_cards(row: LeaderboardRow) -> str:
    """Return the cards that an entrant showed in the cuts that count, in order."""
    return _(", then ").join(format_playing_card(card) for card in row.cards)


def label_total(game: Game[Any], version: int | None = None) -> str:
    """Return what the totals of standings count.

    Args:
        version: of the game's `combine` that they come from; None for the current one. Results of an older version show
            the sums of what the cards count.
    """
    is_current = version in (None, game.standings_version)
    return translate(game.combined_label if game.combined_label is not None and is_current else game.total_label)


def describe_decided_by(row: LeaderboardRow, game: Game[Any]) -> str:
    """Return how the place was decided; "" for an entrant that has not rolled."""
    if row.decided_by == "cut":
        return _("Cut cards: %(cards)s") % {"cards": format_cut_cards(row)}
    if row.decided_by == "level":
        return _("Tied")
    if row.decided_by != "points":
        return ""
    if game.margin_label is None or row.margin is None:
        return _("Points") if game.compares_totals else label_total(game)
    params = {"total": label_total(game), "margin": translate(game.margin_label)}
    return _("%(total)s, then %(margin)s") % params


def format_signed(number: int) -> str:
    """Return the number with a sign, "+2" or "−2", or "0"."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def format_row_status(row: LeaderboardRow, ruleset: Ruleset) -> str:
    """Return the text beside a row of the leaderboard; "" where there is nothing to say."""
    if row.status == ABSENT_STATUS:
        return str(STATUS_NAMES[ABSENT_STATUS])
    game = ruleset.game
    if not row.is_ranked:
        return str(get_kind(game).wording.not_started)
    parts = [_("Place not announced yet")] if row.is_withheld else []
    result = game.describe_result(ruleset.setup, row.total)
    if result is not None:
        parts.append(translate(*result))
    if row.status == "retired":
        parts.append(_("Retired"))
    # Where cards are cut, the next step says that a place is shared; in other games, nothing else would say so.
    if row.decided_by == "cut" or (row.decided_by == "level" and ruleset.tie_procedure != "cut_cards"):
        parts.append(describe_decided_by(row, game))
    if game.margin_label is not None and row.margin is not None:
        parts.append(label_value(translate(game.margin_label), format_signed(row.margin)))
    if row.chance:
        parts.append(str(CHANCE_NAMES[row.chance]))
    if row.next_step == "cut":
        parts.append(_("Tied: cards to be cut"))
    elif row.next_step == "cut_again":
        parts.append(_("Tied again: cut again"))
    return ". ".join(parts)


def explain_outlook(game: Game[Any], outlook: Outlook, prizes: int) -> list[str]:
    """Return sentences about what is still possible for an entrant, and what it takes to come first.

    Args:
        prizes: the number of prize places.
    """
    sentences = [_explain_limits(game, outlook), _explain_first_place(game, outlook)]
    if outlook.chance == "prize_safe":
        sentences.append(
            _("One of the first %(count)s places is safe from everyone who has started.") % {"count": prizes}
        )
    elif outlook.chance == "prizes_gone":
        sentences.append(_("The first %(count)s places are out of reach.") % {"count": prizes})
    return [sentence for sentence in sentences if sentence]


def _explain_limits(game: Game[Any], outlook: Outlook) -> str:
    params = {"best": _show_limit(game, outlook.best), "worst": _show_limit(game, outlook.worst)}
    if outlook.best is None:
        return _("At worst: %(worst)s. There is no limit to the best.") % params
    if outlook.best != outlook.worst:
        return _("At best: %(best)s. At worst: %(worst)s.") % params
    return ""


def _show_limit(game: Game[Any], total: int | None) -> int | str:
    return "" if total is None else show_total(game, total)


def _explain_first_place(game: Game[Any], outlook: Outlook) -> str:
    ceiling = {"ceiling": _show_limit(game, outlook.ceiling)}
    certain = {"certain": _show_limit(game, outlook.guaranteed)}
    if outlook.chance == "first_safe":
        return _("Nobody who has started can catch up: the best that anyone else can reach is %(ceiling)s.") % ceiling
    if not outlook.can_lead:
        return _("First place is out of reach: someone else is certain of %(certain)s.") % certain
    if not outlook.can_lead_alone:
        return _("First place can only be shared: someone else is certain of %(certain)s.") % certain
    if outlook.leads and outlook.ceiling is None:
        return _("In the lead. There is no limit to what others can still reach.")
    if outlook.leads:
        return _("In the lead. Nobody else can do better than %(ceiling)s.") % ceiling
    if outlook.to_beat is None:
        return ""
    return _("To lead alone, it takes something better than %(to_beat)s.") % {
        "to_beat": _show_limit(game, outlook.to_beat)
    }


def format_chance(chance: float) -> str:
    """Return a chance as a whole or, near 0 and 1, with one decimal: "12%", "0.4%", "< 0.1%"."""
    if 0 < chance < 0.001:
        return f"<{NO_BREAK}{format_percentage(0.1, 1)}"
    if 0.999 < chance < 1:
        return f">{NO_BREAK}{format_percentage(99.9, 1)}"
    decimals = 1 if 0 < chance < 0.0095 or 0.9905 < chance < 1 else 0
    return format_percentage(100 * chance, decimals)


def describe_chances(shown: ShownChances) -> str:
    """Return an entrant's chances in words; "" where all is certain, which the outlook says."""
    win, among, places = shown
    if among in (0, 1) or places == 1:
        return "" if win in (0, 1) else _("Chance to win: %(win)s") % {"win": format_chance(win)}
    params = {"win": format_chance(win), "places": apnumber(places), "among": format_chance(among)}
    if win == 0:
        return _("Chance to be among the first %(places)s: %(among)s") % params
    return _("Chance to win: %(win)s, among the first %(places)s: %(among)s") % params


def describe_chances_source(contest: Contest, chances: ContestChances) -> str:
    """Return what the chances are computed from, in a sentence; "" until they are."""
    if not chances.is_known:
        return _("The chances to win are not known for these rules.")
    if chances.as_of is None:
        return ""
    params = {"time": format_time(chances.as_of, contest.event)}
    if contest.game.has_hands:
        return _("Chances as of %(time)s, if every hand gets all its cards.") % params
    return _("Chances as of %(time)s, from ended turns, if everyone plays for a high average.") % params


def explain_chances(
    contest: Contest, chances: ContestChances | None, entrant_id: UUID, status: str = "", outlook: Outlook | None = None
) -> list[str]:
    """Return sentences about the chances of an entrant who has started; none where there are none to tell.

    Args:
        status: of the entrant, as in a row of the standings; "" if it is not known.
        outlook: what the entrant can still reach, if that is known.
    """
    shown = None if chances is None else chances.show(entrant_id, status, outlook, contest.prizes)
    text = "" if shown is None else describe_chances(shown)
    if chances is None or not text:
        return []
    return [f"{text}.", describe_chances_source(contest, chances)]


def format_place(row: LeaderboardRow, people: str) -> str:
    """Return the place in a sentence, "Bike 12 is now 3rd"; "" without a place, or with one that is not announced yet.

    Args:
        people: the player's name; a bike is called by its number alone.
    """
    if row.rank is None or row.is_withheld:
        return ""
    who = format_entrant(row.number, "") if row.number else people
    params = {"who": who, "place": format_ordinal_place(row.rank)}
    return _("%(who)s is now tied for %(place)s") % params if row.is_tied else _("%(who)s is now %(place)s") % params


def describe_group_rule(rule: GroupRule) -> str:
    """Return how groups are compared, in one or two sentences."""
    if rule.best:
        text = ngettext(
            "The best total of each group counts.",
            "The sum of the %(count)s best totals of each group. A group with fewer has no place.",
            rule.best,
        ) % {"count": rule.best}
    else:
        text = _("The mean of all totals of each group.")
    return _("%(rule)s The lowest wins.") % {"rule": text} if rule.lowest_wins else text


def get_group_score_heading(rule: GroupRule) -> str:
    """Return what the score of a group is."""
    return _("Sum") if rule.best else _("Mean")


def round_mean(points: int, counted: int) -> Decimal:
    """Return the mean of a group's totals with two decimals, as every page and file shows it; 0 of none."""
    if not counted:
        return Decimal("0.00")
    return (Decimal(points) / counted).quantize(Decimal("0.01"), ROUND_HALF_UP)


def format_group_score(rule: GroupRule, score: GroupScore[Any]) -> str:
    """Return a group's score: "184", or for a mean "61.33"; a dash for a group without a place."""
    if score.rank is None:
        return "–"
    return str(score.points) if rule.best else number_format(round_mean(score.points, score.counted), 2)


def format_member_count(score: GroupScore[Any]) -> str:
    """Return how many totals count, and of how many where not all do: "4", "3 of 5"."""
    if score.counted == score.size:
        return str(score.size)
    return _("%(counted)s of %(size)s") % {"counted": score.counted, "size": score.size}


def format_official_status(board: Leaderboard, event: Event) -> str:
    """Return "Unofficial, 17:42", "Official, revision 1, 17:42" or "Unofficial, frozen at 15:20"."""
    if board.frozen_at is not None:
        params = {"number": board.revision, "when": format_when(board.frozen_at, event)}
        if board.revision is None:
            return _("Unofficial, frozen %(when)s") % params
        return _("Official, revision %(number)s, frozen %(when)s") % params
    if board.revision is None:
        if board.as_of is None:
            return _("Unofficial")
        return _("Unofficial, %(time)s") % {"time": format_time(board.as_of, event)}
    assert board.as_of is not None, "a revision was published at some time"
    params = {"number": board.revision, "time": format_time(board.as_of, event)}
    return _("Official, revision %(number)s, %(time)s") % params


def format_frozen(board: Leaderboard, event: Event) -> str:
    """Return a notice that the figures are those of a freeze; "" where none are."""
    if board.frozen_at is None:
        return ""
    if board.is_being_revealed:
        text = _("The places are being announced. Those still to come are frozen %(when)s.")
        return text % {"when": format_when(board.frozen_at, event)}
    return format_freeze_notice(board.frozen_at, event)


def format_public_revision_notice(board: Leaderboard) -> str:
    """Return for the audience a notice that another revision may follow; "" where none may."""
    if not board.needs_revision:
        return ""
    if board.revision is None:
        params = {"last": board.last_revision}
        return _("The results are being corrected. Revision %(last)s was official before.") % params
    return _("The organiser is checking a correction. These results are official until a new revision is published.")


def format_revision_notice(board: Leaderboard) -> str:
    """Return for organisers a notice that another revision is not published yet; "" where none is."""
    if not board.needs_revision:
        return ""
    params = {"last": board.last_revision, "next": board.last_revision + 1}
    if board.revision is None:
        return _("Revision %(last)s was published before. Revision %(next)s has not been published yet.") % params
    return _("Something has changed since revision %(last)s. Revision %(next)s is ready to publish.") % params


def format_audience_notice(event: Event) -> str:
    """Return for the organisers since when the audience sees frozen standings; "" while it sees current ones."""
    freeze = get_freeze(event)
    if freeze is None or freeze.at is None:
        return ""
    text = _("The audience sees the standings frozen %(when)s. You see current ones.")
    return text % {"when": format_when(freeze.at, event)}
