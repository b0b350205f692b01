"""Who is on a bike, for organisers and crew: `{{ bike|riders }}`."""

from django import template

from scorekeeper.players.selectors.names import list_riders

register = template.Library()
register.filter("riders", list_riders)
