"""The rule books, open to everyone."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page

from scorekeeper.common.game_adapter import get_game, list_games, translate
from scorekeeper.rulebooks.books import get_book


def index(request: HttpRequest) -> HttpResponse:
    """List the games."""
    games = [(key, translate(game.name)) for key, game in list_games().items()]
    return render(request, "rulebooks/list.html", {"games": games})


@conditional_page
@cache_control(no_cache=True)
def book(request: HttpRequest, key: str) -> HttpResponse:
    """Show a game's rule book, and the clauses of every game at its end."""
    try:
        game = get_game(key)
    except KeyError:
        raise Http404 from None
    name = translate(game.name)
    crumbs = [{"href": reverse("rulebooks:list"), "text": _("The rules of the games")}, {"href": "", "text": name}]
    return render(request, "rulebooks/book.html", {"name": name, "book": get_book(game), "crumbs": crumbs})
