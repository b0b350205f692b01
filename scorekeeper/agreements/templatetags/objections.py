"""How many riders say that something is wrong: `{% count_open_objections event as objections %}`."""

from __future__ import annotations

from django import template

from scorekeeper.agreements.selectors import count_open_objections

register = template.Library()
register.simple_tag(count_open_objections)
