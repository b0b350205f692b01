"""The forms of a page as a browser sends them: what is filled in, chosen and ticked."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

from django.test import Client

from scorekeeper.common.concurrent_edits import BASE

Fields = dict[str, Any]  # a value, or a list of several with one name


class _Forms(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[list[tuple[str, str]]] = []
        self.filled: list[set[str]] = []  # which fields that people see have a value
        self._select, self._textarea = "", ""
        self._is_menu = False
        self._options: list[tuple[str, bool]] = []
        self._text: list[str] | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        name, value, kind = given.get("name", ""), given.get("value", ""), given.get("type", "text")
        if tag == "form":
            self._is_menu = given.get("class") == "languages"  # below each page
        if self._is_menu:
            return
        if tag == "form":
            self.forms.append([])
            self.filled.append(set())
        elif tag == "select":
            self._select, self._options = name, []
        elif tag == "option":
            self._options.append((value, "selected" in given))
        elif tag == "textarea" and "disabled" not in given:
            self._textarea, self._text = name, []
        elif tag == "input" and name and self.forms and "disabled" not in given and kind not in ("submit", "file"):
            if kind in ("radio", "checkbox"):
                if "checked" in given:
                    self._add(name, given.get("value", "on"))
            else:
                self._add(name, value, is_visible=kind != "hidden")

    def _add(self, name: str, value: str, *, is_visible: bool = True) -> None:
        self.forms[-1].append((name, value))
        if is_visible and value:
            self.filled[-1].add(name)

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "select" and self._select:
            chosen = [value for value, is_selected in self._options if is_selected]
            chosen = chosen or [value for value, _is_selected in self._options[:1]]
            for value in chosen:
                self._add(self._select, value)
            self._select = ""
        elif tag == "textarea" and self._text is not None:
            self._add(self._textarea, "".join(self._text).removeprefix("\n"))
            self._text = None


def read_forms(html: str) -> list[Fields]:
    """Return the fields of every form on the page."""
    return [_collect(fields) for fields in _Forms(html).forms]


def list_filled_fields(html: str) -> list[tuple[Fields, set[str]]]:
    """Return every form's fields, and the names of those that people see and that have a value."""
    page = _Forms(html)
    return list(zip(map(_collect, page.forms), page.filled, strict=True))


def read_edit_form(response: Any) -> Fields:
    """Return the fields of the page's form that changes something stored."""
    [form] = [form for form in read_forms(response.content.decode()) if BASE in form]
    form.pop("csrfmiddlewaretoken")  # another one each time, and the test client needs none
    return form


def change(client: Client, address: str, values: Fields | None = None, **options: Any) -> Any:
    """Open a page, change fields of its form, and send it. A value of None unticks a box, or leaves a field out."""
    return client.post(address, fill_in(read_edit_form(client.get(address)), values or {}), **options)


def save(client: Client, address: str, values: Fields, **options: Any) -> Any:
    """Send only these fields, and what the page says that it shows now."""
    return client.post(address, {BASE: read_edit_form(client.get(address))[BASE], **values}, **options)


def fill_in(form: Fields, values: Fields) -> Fields:
    """Return the fields with these values."""
    return {name: value for name, value in {**form, **values}.items() if value is not None}


def _collect(fields: list[tuple[str, str]]) -> Fields:
    names = [name for name, _value in fields]
    collected: Fields = {}
    for name, value in fields:
        if names.count(name) > 1:
            collected.setdefault(name, []).append(value)
        else:
            collected[name] = value
    return collected
