"""The games' texts in a page, in the reader's language: `{{ text|say }}`."""

from __future__ import annotations

from django import template

from scorekeeper.common.rules import say

register = template.Library()
register.filter("say", say)
