"""Putting what was entered back into a form of one of our own pages.

A page is rendered as for a first visit, and the fields of the form that was sent get the values that were sent. So a
form shows again with its labels and hints, whatever view it belongs to.

Invariants:
- Values are escaped as every template does it; nothing that was sent becomes markup.
- Passwords and files are never filled in, and neither is the form token: the page has its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from django.utils.html import escape

FORM_TOKEN = "csrfmiddlewaretoken"  # noqa: S105 - the name of the field
_NEVER_FILLED = {"password", "file", "submit", "button", "image", "reset"}
_VOID = "input"

Fields = Sequence[tuple[str, str]]
Attributes = Mapping[str, str | None]


@dataclass(frozen=True)
class RefilledPage:
    """A page whose form has been filled in.

    Attributes:
        html: the page.
        is_found: whether the page has the form.
        left_over: what was entered in fields that the form does not have now.
    """

    html: str
    is_found: bool
    left_over: Fields


@dataclass
class _Form:
    """A form of the page: its number, and the names of its controls."""

    number: int
    form_id: str
    is_target: bool
    names: set[str] = field(default_factory=set)


class _Reader(HTMLParser):
    """Goes through a page, and knows in which form it is."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.form: int | None = None
        self.form_count = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "form":
            self.form_count += 1
            self.form = self.form_count
        self.see_start(tag, dict(attrs))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        self.see_end(tag)
        if tag == "form":
            self.form = None

    def see_start(self, tag: str, attributes: Attributes) -> None:
        raise NotImplementedError

    def see_end(self, tag: str) -> None:
        raise NotImplementedError


class _FormFinder(_Reader):
    """Finds the form of a page that has most of the fields."""

    def __init__(self, page: str, action: str) -> None:
        super().__init__()
        self.page, self.action = page, action
        self.forms: list[_Form] = []
        self.names_by_id: dict[str, set[str]] = {}

    def see_start(self, tag: str, attributes: Attributes) -> None:
        if tag == "form":
            is_post = (attributes.get("method") or "").lower() == "post"
            target = attributes.get("action") or attributes.get("hx-post") or self.page
            is_target = is_post and urlsplit(urljoin(self.page, target)).path == urlsplit(self.action).path
            self.forms.append(_Form(self.form_count, attributes.get("id") or "", is_target))
        name = attributes.get("name")
        if tag in ("input", "select", "textarea", "button") and name:
            if owner := attributes.get("form"):
                self.names_by_id.setdefault(owner, set()).add(name)
            elif self.form is not None:
                self.forms[-1].names.add(name)

    def see_end(self, tag: str) -> None:
        pass

    def find(self, names: set[str]) -> _Form | None:
        """Return the form with most of these names, of those that are sent to the address."""

        def count(form: _Form) -> int:
            return len(names & (form.names | self.names_by_id.get(form.form_id, set())))

        return max((form for form in self.forms if form.is_target), key=count, default=None)


class _Filler(_Reader):
    """Writes the page again, with the values in the form."""

    def __init__(self, form: _Form, fields: Fields) -> None:
        super().__init__()
        self.target = form
        self.values: dict[str, list[str]] = {}
        for name, value in fields:
            self.values.setdefault(name, []).append(value)
        self.used: set[str] = set()
        self.out: list[str] = []
        self.select: list[str] | None = None  # what is chosen in the list that is being written
        self.is_in_textarea = False

    def see_start(self, tag: str, attributes: Attributes) -> None:
        raw = self.get_starttag_text() or ""
        owner = attributes.get("form")
        is_ours = owner == self.target.form_id if owner else self.form == self.target.number
        self.out.append(self._fill(tag, dict(attributes), raw) if is_ours else raw)

    def _fill(self, tag: str, attributes: dict[str, str | None], raw: str) -> str:
        name = attributes.get("name") or ""
        kind = (attributes.get("type") or "text").lower() if tag == "input" else tag
        if tag == "option" and self.select is not None:
            _set_flag(attributes, "selected", is_on=(attributes.get("value") or "") in self.select)
            return _write_tag(tag, attributes)
        if tag not in ("input", "select", "textarea", "button") or not name or name == FORM_TOKEN:
            return raw
        self.used.add(name)
        if kind in _NEVER_FILLED:
            return raw
        sent = self.values.get(name)
        if kind in ("checkbox", "radio"):
            if kind == "radio" and sent is None:
                return raw
            _set_flag(attributes, "checked", is_on=(attributes.get("value") or "on") in (sent or []))
            return _write_tag(tag, attributes)
        if not sent:
            return raw
        if tag == "select":
            self.select = sent
            return raw
        value = sent.pop(0) if len(sent) > 1 else sent[0]
        if tag == "textarea":
            self.is_in_textarea = True
            return f"{raw}\n{escape(value)}"
        return _write_tag(tag, {**attributes, "value": value})

    def see_end(self, tag: str) -> None:
        if tag == "select":
            self.select = None
        if tag == "textarea":
            self.is_in_textarea = False
        if tag != _VOID:
            self.out.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self.is_in_textarea:
            self.out.append(data)

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")

    def handle_comment(self, data: str) -> None:
        self.out.append(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self.out.append(f"<!{decl}>")

    def list_left_over(self, fields: Fields) -> Fields:
        return [(name, value) for name, value in fields if name not in self.used and name != FORM_TOKEN]


def refill_form(html: str, page: str, action: str, fields: Fields) -> RefilledPage:
    """Return the page with what was entered in its form.

    Args:
        html: one of our own pages.
        page: its path, where forms without an address of their own are sent.
        action: the path to which the form was sent.
        fields: the names and values that were sent.
    """
    finder = _FormFinder(page, action)
    finder.feed(html)
    form = finder.find({name for name, _value in fields})
    if form is None:
        return RefilledPage(html, is_found=False, left_over=fields)
    filler = _Filler(form, fields)
    filler.feed(html)
    filler.close()
    return RefilledPage("".join(filler.out), is_found=True, left_over=filler.list_left_over(fields))


def _set_flag(attributes: dict[str, str | None], name: str, *, is_on: bool) -> None:
    attributes.pop(name, None)
    if is_on:
        attributes[name] = None


def _write_tag(tag: str, attributes: Attributes) -> str:
    written = (name if value is None else f'{name}="{escape(value)}"' for name, value in attributes.items())
    return f"<{' '.join((tag, *written))}>"
