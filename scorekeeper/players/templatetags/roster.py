"""The names of the people on a bike, for organisers and crew: `{{ bike|riders }}`."""

from django import template

from scorekeeper.players.selectors import format_riders

register = template.Library()
register.filter("riders", format_riders)
