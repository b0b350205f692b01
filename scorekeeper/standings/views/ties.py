"""Ties at prize places: the organiser enters and corrects the cut cards here, and puts the draw on the screens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from games.core.problems import Problem
from scorekeeper.common.game_adapter import ACTIVE_TRANSLATIONS
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_freeze
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import IdReused
from scorekeeper.players.selectors import get_full_names
from scorekeeper.rulebooks.citations import cite
from scorekeeper.standings.forms import CutCorrectionForm, CutForm, make_entrants_key
from scorekeeper.standings.leaderboard import LeaderboardRow
from scorekeeper.standings.selectors.checklist import Checklist, Tie, get_checklist
from scorekeeper.standings.selectors.cuts import (
    Cut,
    get_correction_reasons,
    get_cut_witnesses,
    list_class_cuts,
    list_cuts,
)
from scorekeeper.standings.services.card_cuts import (
    correct_class_cut,
    correct_cut,
    list_correction_problems,
    list_cut_problems,
    record_class_cut,
    record_cut,
)
from scorekeeper.standings.services.contest_chain import InvalidCut, WrongContestStatus
from scorekeeper.standings.wording import format_cut_cards, format_playing_card


@organiser_required
def index(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
    """Show the ties, and record the cards cut for one of them or the corrected cards of a cut."""
    contest = get_object_or_404(Contest.objects.select_related("event"), event=event, slug=contest_slug)
    if contest.ruleset.tie_procedure != "cut_cards":
        raise Http404
    riders = get_full_names(event, contest)
    if request.method != "POST":
        return _render_page(request, contest, riders)
    if any(name.startswith("correct-") for name in request.POST):
        return _correct(request, contest, riders)
    checklist = get_checklist(contest)
    tie = _find_sent_tie(request, [*checklist.ties, *checklist.class_ties])
    if tie is None or contest.status == Contest.Status.OPEN:
        return _render_page(request, contest, riders, is_conflict=True)
    form = _make_cut_form(tie, riders, request.POST)
    class_id = None if tie.board_class is None else tie.board_class.id
    if form.is_valid():
        _add_problems(form, contest, list_cut_problems(contest, form.cleaned_data["cards"], class_id))
    if not form.is_valid():
        return _render_page(request, contest, riders, form)
    actor = Actor.from_organiser(request.organiser)
    try:
        data = form.cleaned_data
        if class_id is None:
            record_cut(actor, data["operation"], contest.pk, data["cards"], data["witness"])
        else:
            record_class_cut(actor, data["operation"], contest.pk, class_id, data["cards"], data["witness"])
    except (InvalidCut, WrongContestStatus, IdReused):
        return _render_page(request, contest, riders, is_conflict=True)
    messages.success(request, _("The cut cards have been recorded."))
    return redirect("desk:ties", event.slug, contest.slug)


def _correct(request: OrganiserRequest, contest: Contest, riders: Mapping[UUID, str]) -> HttpResponse:
    """Record the right cards of a cut, if it is still the current one."""
    submitted_prefixes = {name.partition("-group")[0] for name in request.POST}
    found = next((one for one in _list_all_cuts(contest) if f"correct-{one[1].seq}" in submitted_prefixes), None)
    if found is None:
        return _render_page(request, contest, riders, is_conflict=True)
    class_id, cut = found
    witness = get_cut_witnesses(contest.pk).get(cut.seq, "")
    form = _make_correction_form(cut, get_checklist(contest), riders, witness, request.POST)
    if form.is_valid():
        _add_problems(form, contest, list_correction_problems(contest, cut.seq, form.cleaned_data["cards"], class_id))
    if not form.is_valid():
        return _render_page(request, contest, riders, form)
    actor, data = Actor.from_organiser(request.organiser), form.cleaned_data
    try:
        entered = (cut.seq, data["cards"], data["witness"], data["reason"])
        if class_id is None:
            correct_cut(actor, data["operation"], contest.pk, *entered)
        else:
            correct_class_cut(actor, data["operation"], contest.pk, class_id, *entered)
    except (InvalidCut, WrongContestStatus, IdReused):
        return _render_page(request, contest, riders, is_conflict=True)
    messages.success(request, _("The cut cards have been corrected."))
    return redirect("desk:ties", contest.event.slug, contest.slug)


def _list_all_cuts(contest: Contest) -> list[tuple[UUID | None, Cut]]:
    """Return the current cuts of the contest, then those of its classes, each with the class."""
    of_classes = list_class_cuts(contest.pk).items()
    return [
        *((None, cut) for cut in list_cuts(contest.pk)),
        *((class_id, cut) for class_id, cuts in of_classes for cut in cuts),
    ]


def _make_cut_form(tie: Tie, riders: Mapping[UUID, str], data: QueryDict | None = None) -> CutForm:
    """Return the form of a tie; the prefix tells ties of a class from those of the contest at the same place."""
    prefix = "" if tie.board_class is None else f"class-{tie.board_class.id}-{tie.rank}"
    return CutForm(data, rows=tie.rows, riders=riders, prefix=prefix)


def _add_problems(form: CutForm, contest: Contest, problems: Sequence[Problem]) -> None:
    for problem in problems:
        form.add_error(None, cite(contest.game_key, problem.rule, problem.message(ACTIVE_TRANSLATIONS)).to_error())


def _make_correction_form(
    cut: Cut, checklist: Checklist, riders: Mapping[UUID, str], witness: str, data: QueryDict | None = None
) -> CutCorrectionForm:
    rows = [row for row in checklist.report.rows if row.entrant_id in cut.cards]
    return CutCorrectionForm.for_cut(cut, rows, riders, witness, data)


def _find_sent_tie(request: OrganiserRequest, ties: Sequence[Tie]) -> Tie | None:
    """Return the tie of a submitted form, if it is still a tie."""
    submitted = {(name, value) for name, value in request.POST.items() if name.endswith("-group")}
    for tie in ties:
        form = _make_cut_form(tie, {})
        is_class = tie.board_class is not None
        # The place of a tie of the contest may have changed while the page was open.
        if any(form.key == value and (name == form.add_prefix("group") or not is_class) for name, value in submitted):
            return tie
    return None


def _render_page(
    request: OrganiserRequest,
    contest: Contest,
    riders: Mapping[UUID, str],
    bound: CutForm | None = None,
    *,
    is_conflict: bool = False,
) -> HttpResponse:
    checklist = get_checklist(contest)
    correction = bound if isinstance(bound, CutCorrectionForm) else None
    forms = []
    for tie in (*checklist.ties, *checklist.class_ties):
        form = _make_cut_form(tie, riders)
        is_bound = bound is not None and correction is None and (bound.key, bound.prefix) == (form.key, form.prefix)
        forms.append((tie, bound if is_bound and bound is not None else form))
    context = {
        "event": contest.event,
        "contest": contest,
        "is_frozen": get_freeze(contest.event) is not None,
        "forms": forms,
        "bound": bound,
        "cuts": _list_cuts(contest, checklist, riders, correction),
        "decided": _list_decided(checklist.report.rows, riders),
        "stale": _list_stale(contest, checklist),
        "is_conflict": is_conflict,
    }
    return render(request, "standings/ties.html", context, status=409 if is_conflict else 422 if bound else 200)


def _list_decided(rows: Sequence[LeaderboardRow], riders: Mapping[UUID, str]) -> list[tuple[LeaderboardRow, str, str]]:
    return [(row, riders.get(row.entrant_id, ""), format_cut_cards(row)) for row in rows if row.decided_by == "cut"]


class CutCards(NamedTuple):
    """The cards entered for a cut, as one entry of the log has them.

    Attributes:
        cards: the number and the card of each bike.
        witness: the name of who watched; "" for a cut of an older version, or once the name was erased.
    """

    cut: Cut
    cards: list[tuple[str, str]]
    witness: str


class CutPresenter(NamedTuple):
    """A cut that counts.

    Attributes:
        earlier: what was entered before each correction, newest first, with the reason for the correction.
        form: the form to correct it; None once the result is published.
        class_id, class_name: of the class that it is for; None and "" for the whole contest.
    """

    entered: CutCards
    earlier: list[tuple[CutCards, str]]
    form: CutCorrectionForm | None
    class_id: UUID | None = None
    class_name: str = ""

    @property
    def cut(self) -> Cut:
        """The cut with its current cards."""
        return self.entered.cut

    @property
    def key(self) -> str:
        """The key of those who cut."""
        return make_entrants_key(self.cut.cards)


def _list_cuts(
    contest: Contest, checklist: Checklist, riders: Mapping[UUID, str], bound: CutCorrectionForm | None
) -> list[CutPresenter]:
    numbers = {row.entrant_id: row.number for row in checklist.report.rows}
    reasons, witnesses = get_correction_reasons(contest.pk), get_cut_witnesses(contest.pk)
    stale = set(checklist.report.stale_cuts)
    presenters = []
    classes = {one.id: one.name for one in checklist.report.classes}
    stale |= {cut.seq for cut in checklist.stale_cuts}
    for class_id, cut in _list_all_cuts(contest) if contest.status != Contest.Status.OPEN else ():
        if cut.seq in stale:
            continue
        earlier, current = [], cut
        while current.corrects is not None:
            earlier.append((_format_cut(current.corrects, numbers, witnesses), reasons.get(current.seq, "")))
            current = current.corrects
        form = None
        if contest.status == Contest.Status.CLOSED:
            new_form = _make_correction_form(cut, checklist, riders, witnesses.get(cut.seq, ""))
            form = bound if bound is not None and bound.prefix == new_form.prefix else new_form
        class_name = "" if class_id is None else classes.get(class_id, "")
        presenters.append(CutPresenter(_format_cut(cut, numbers, witnesses), earlier, form, class_id, class_name))
    return presenters


def _list_stale(contest: Contest, checklist: Checklist) -> list[CutCards]:
    """Return the cuts that no longer count."""
    numbers = {row.entrant_id: row.number for row in checklist.report.rows}
    witnesses = get_cut_witnesses(contest.pk) if checklist.stale_cuts else {}
    return [_format_cut(cut, numbers, witnesses) for cut in checklist.stale_cuts]


def _format_cut(cut: Cut, numbers: Mapping[UUID, str], witnesses: Mapping[int, str]) -> CutCards:
    cards = [
        (numbers.get(entrant, "?"), format_playing_card(None if card is None else str(card)))
        for entrant, card in cut.cards.items()
    ]
    return CutCards(cut, cards, witnesses.get(cut.seq, ""))
