"""Results as plain data: the same in the JSON export and in the API."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from scorekeeper.api.contest_results import ContestResults
from scorekeeper.api.luck_data import make_balance_data
from scorekeeper.api.stop_results import list_stop_results
from scorekeeper.audience.group_presenter import format_group_name
from scorekeeper.events.odds_setting import get_odds_data
from scorekeeper.prizes.selectors.awards import AwardPresenter
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.standings.contest_report import CardReport
from scorekeeper.standings.group_ranking import GroupRanking, GroupRankingRow
from scorekeeper.standings.leaderboard import CountedCut, LeaderboardRow
from scorekeeper.standings.luck_rows import LuckRow
from scorekeeper.standings.wording import round_mean

CHANCE_DECIMALS = 6


def make_results_data(results: ContestResults) -> dict[str, Any]:
    """Return standings, scorecards and published prizes."""
    board = results.board
    return {
        **make_head_data(results),
        "standings": make_rows_data(results),
        "cards": [make_card_data(results, card) for card in results.report.cards],
        **_make_cuts(results),
        **({} if board.groups is None else {"groups": _make_groups(results, board.groups)}),
        **({"stops": [one.to_data() for one in list_stop_results(results)]} if results.slots else {}),
        **({} if results.luck_rows is None else {"luck": make_luck_rows(results, results.luck_rows)}),
        "prizes": [make_award_data(award) for award in results.awards],
    }


def make_standings_data(results: ContestResults) -> dict[str, Any]:
    """Return only the standings, with the cuts of cards and the groups that belong to them."""
    groups = results.board.groups
    return {
        **make_head_data(results),
        "standings": make_rows_data(results),
        **_mark_chances(results),
        **_make_cuts(results),
        **({} if groups is None else {"groups": _make_groups(results, groups)}),
    }


def make_head_data(results: ContestResults) -> dict[str, Any]:
    """Return what the results are of, and how official they are."""
    contest, board = results.contest, results.board
    return {
        "event": {"name": contest.event.name, "date": contest.event.date.isoformat(), **_mark_practice(results)},
        "contest": {
            "name": contest.name,
            "ruleset": contest.game_key,
            "rules_version": contest.rules_version,
            "lowest_wins": contest.game.lowest_wins,
            **get_odds_data(contest),
        },
        "official": board.is_official,
        "revision": board.revision,
        "revision_pending": board.needs_revision,
        "as_of": None if board.as_of is None else board.as_of.astimezone(dt.UTC).isoformat(),
        **_mark_freeze(results),
    }


def make_rows_data(results: ContestResults) -> list[dict[str, Any]]:
    """Return the rows of the standings, those without a place at the end."""
    return [_make_row(results, row) for row in results.rows]


def _mark_practice(results: ContestResults) -> dict[str, bool]:
    """Return a field that only the files of practice events have."""
    return {"practice": True} if results.contest.event.is_practice else {}


def _mark_freeze(results: ContestResults) -> dict[str, str]:
    """Return a field that only frozen standings have."""
    frozen_at = results.board.frozen_at
    return {} if frozen_at is None else {"frozen_at": frozen_at.astimezone(dt.UTC).isoformat()}


def _mark_chances(results: ContestResults) -> dict[str, Any]:
    """Return a field that only standings with known chances have, in a contest that shows them."""
    chances = results.chances
    if chances is None or not chances.is_known or chances.as_of is None:
        return {}
    return {"chances": {"as_of": chances.as_of.astimezone(dt.UTC).isoformat(), "places": chances.places}}


def _make_row_chances(results: ContestResults, row: LeaderboardRow) -> dict[str, Any]:
    """Return a field that only those have who have started and whose chances are known: the same as the page's."""
    if results.chances is None or not row.is_ranked:
        return {}
    shown = results.chances.show(row.entrant_id, row.status, row.outlook, results.contest.prizes)
    if shown is None:
        return {}
    return {"chances": {"win": round_chance(shown.win), "among_first": round_chance(shown.among_first)}}


def round_chance(chance: float) -> float:
    """Return a chance with six decimals. Only what is certain is 0 or 1."""
    rounded = round(chance, CHANCE_DECIMALS)
    least = 10**-CHANCE_DECIMALS
    return rounded if chance in (0.0, 1.0) else min(max(rounded, least), 1 - least)


def _make_row(results: ContestResults, row: LeaderboardRow) -> dict[str, Any]:
    data = {**row.to_data(), "place": row.rank_label, **_make_name(results, row), **_make_row_chances(results, row)}
    if results.board.is_being_revealed:
        data["announced"] = not row.is_withheld
    count_key = get_kind(results.contest.game).export.count_key
    if count_key not in data:
        data[count_key] = data.pop("turns")
    return data


def make_card_data(results: ContestResults, card: CardReport) -> dict[str, Any]:
    """Return one entrant's part of a card."""
    agreement = results.get_agreement(card)
    agreed = {} if agreement is None else {"agreed": agreement.current is not None}
    return {**card.to_data(), **_make_name(results, card), **agreed}


def _make_cuts(results: ContestResults) -> dict[str, Any]:
    """Return a field that only games have in which cards are cut."""
    return {"cuts": [_make_cut(results, cut) for cut in results.board.cuts]} if results.cuts_cards else {}


def _make_cut(results: ContestResults, cut: CountedCut) -> dict[str, Any]:
    cards = [{"holder": str(entrant), "number": number, "card": card} for entrant, number, card in cut.cards]
    return {"cards": cards, "witness": results.witnesses.get(cut.seq, "")}


def get_group_score(groups: GroupRanking, row: GroupRankingRow) -> int | float | None:
    """Return a group's score as a number, a mean with two decimals; None for a group without a place."""
    if row.score.rank is None:
        return None
    return row.score.points if groups.rule.best else float(round_mean(row.score.points, row.score.counted))


def _make_groups(results: ContestResults, groups: GroupRanking) -> dict[str, Any]:
    rows = [
        {
            **row.to_data(),
            "place": row.rank_label,
            "name": format_group_name(results.group_names, row.group_id),
            "score": get_group_score(groups, row),
        }
        for row in groups.rows
    ]
    return {**groups.to_data(), "rows": rows}


def make_luck_head(results: ContestResults) -> dict[str, Any]:
    """Return what the luck is of."""
    head = make_head_data(results)
    return {name: head[name] for name in ("event", "contest")}


def make_luck_rows(results: ContestResults, rows: Iterable[LuckRow]) -> list[dict[str, Any]]:
    """Return the luck-adjusted table, the best adjusted total first."""
    return [
        {
            "card": str(one.card.card_id),
            "holder": str(one.row.entrant_id),
            "number": one.row.number,
            "place": one.row.rank_label,
            **make_balance_data(one.card.luck),
            **_make_name(results, one.row),
        }
        for one in rows
    ]


def make_award_data(award: AwardPresenter) -> dict[str, Any]:
    """Return a prize with those who win it; the figures of a winner are those from which "how" was written."""
    data = award.award.to_data()
    del data["groups"]
    texts = [{"name": winner.name, "how": winner.how} for winner in award.winners]
    winners = [{**winner, **text} for winner, text in zip(data["winners"], texts, strict=True)]
    return {**data, "for": award.what_for, "winners": winners}


def _make_name(results: ContestResults, row: LeaderboardRow | CardReport) -> dict[str, str]:
    key = "riders" if results.headings.has_numbers else "name"
    return {key: results.people.get(row.entrant_id, "")}
