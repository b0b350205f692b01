"""The standings of a contest as a document: the same rows, groups, cuts and prizes as on its page."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from scorekeeper.prints.print_document import PrintDocument
from scorekeeper.prints.selectors.print_source import PrintSource
from scorekeeper.prizes.selectors.awards import AwardPresenter
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.selectors.cut_presenter import CountedCutPresenter
from scorekeeper.standings.selectors.group_presenter import GroupsPresenter
from scorekeeper.standings.selectors.leaderboard_presenter import (
    LeaderboardPresenter,
    LeaderboardRowPresenter,
    present_board,
)


def make_standings(source: PrintSource) -> PrintDocument:
    """Return the standings."""
    board = source.view.get_leaderboard()
    shown = present_board(source.the_contest, board, source.people)
    return PrintDocument(
        "standings",
        source.paper,
        source.make_frame(_("Standings"), board),
        _describe(shown, source),
        f"{source.the_contest.slug}-standings",
    )


def _describe(shown: LeaderboardPresenter, source: PrintSource) -> dict[str, Any]:
    headings = shown.headings
    return {
        "has_numbers": headings.has_numbers,
        "headings": [
            _("Place"),
            *([_("Bike")] if headings.has_numbers else []),
            headings.people,
            headings.progress,
            headings.total,
        ],
        "hint": headings.ranking_hint,
        "empty": str(get_kind(shown.contest.game).wording.nobody_started),
        "rows": [_describe_row(row) for row in shown.rows],
        "groups": None if shown.groups is None else _describe_groups(shown.groups),
        "cuts_title": _("How ties were decided"),
        "cuts": [_describe_cut(cut) for cut in shown.cuts],
        "prizes_title": _("Prizes"),
        "prize_headings": [_("Prize"), _("For"), _("Winner")],
        "prizes": [_describe_award(award) for award in source.list_awards()],
    }


def _describe_row(shown: LeaderboardRowPresenter) -> dict[str, str]:
    row = shown.row
    return {
        "place": row.rank_label,
        "number": row.number,
        "people": shown.people,
        "status": shown.status_text,
        "progress": shown.progress,
        "total": str(row.total) if row.is_ranked else "–",
    }


def _describe_groups(groups: GroupsPresenter) -> dict[str, Any]:
    return {
        "title": _("Groups"),
        "rule": groups.rule_text,
        "headings": [_("Place"), _("Group"), groups.count_heading, groups.score_heading],
        "rows": [
            {
                "place": row.row.rank_label,
                "name": row.name,
                "status": row.status_text,
                "count": row.count_text,
                "score": row.score_text,
            }
            for row in groups.rows
        ],
    }


def _describe_cut(cut: CountedCutPresenter) -> str:
    cards = "; ".join(f"{who}: {card}" for who, card in cut.cards)
    return f"{cards}. {_('Witness: %(name)s') % {'name': cut.witness}}" if cut.witness else cards


def _describe_award(award: AwardPresenter) -> dict[str, Any]:
    return {
        "title": award.title,
        "sponsor": _("Given by %(sponsor)s") % {"sponsor": award.sponsor} if award.sponsor else "",
        "what_for": award.what_for,
        "winners": [{"name": winner.name, "how": winner.how} for winner in award.winners],
        "outcome": award.outcome_text,
    }
