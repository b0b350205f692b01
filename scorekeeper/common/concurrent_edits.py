"""Two people change the same thing at once: what both changed is merged, and neither overwrites the other unseen.

Terms:
- A *unit* is what is merged as a whole: a field, or several that only make sense together, whose form says so in
  `edit_units`, a mapping from fields to units. An option of a game is a unit with everything inside it.
- The *base* is what the page showed when it was opened. The page sends it back as a digest of each unit, in a hidden
  field, so that it contains nothing that the person cannot see.
- *Saved* is what is in the database now, *entered* what the person sent.


Of each unit,
- what was entered is stored if the saved value is still the base;
- the saved value stays if what was entered is the base, and the person is told (`Edit.merged`);
- if both differ from the base and from each other, that is a conflict: nothing at all is stored, and the page shows
  both (`Edit.conflicts`).

Invariants:
- Without a base (an old page, or a program) every unit that would change is a conflict.
- A form of a row fills in a copy. The caller's row is as it is saved, so what is refused is in no heading.
- What is shown again has what is saved now as its base. So a conflict is over once the person has seen it.
- The caller keeps others from changing the rows from before the `Edit` is made until it is saved
  (`scorekeeper.events.edit_lock`), or finds out that they did and makes the `Edit` again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.common.labels import label_value
from scorekeeper.common.ordered_choice import OrderedChoiceField

BASE = "edit_base"  # the name of the hidden field
KEEP = "keep."  # how the names of the choices between two versions begin; the unit follows
SAVED = "saved"  # the value of such a choice
CONFLICT, INVALID = 409, 422

DIGEST_LENGTH = 16  # hexadecimal digits; whoever makes two values collide deceives only themselves

F = TypeVar("F", bound=forms.BaseForm)
Raw = Mapping[str, list[str]]  # the values of a unit by the names of its inputs, as a browser sends them


@dataclass(frozen=True, slots=True)
class Difference:
    """A unit that somebody else has changed.

    Attributes:
        name: of the unit.
        label: of its fields.
        saved: what is saved now, as text.
        entered: what was entered, as text.
        field: the first of its fields, for the message; None if it is not on the page any more.
        is_choosable: whether the page offers both versions. It cannot fill in a file.
        has_labels: whether `saved` has the labels of its fields.
    """

    name: str
    label: str
    saved: str
    entered: str
    field: str | None
    is_choosable: bool = True
    has_labels: bool = False

    @property
    def choice_name(self) -> str:
        """The name of the input that chooses between the two."""
        return KEEP + self.name

    @property
    def summary(self) -> str:
        """What is saved now, with the labels of its fields."""
        return self.saved if self.has_labels else label_value(self.label, self.saved)


class Edit(Generic[F]):
    """A form about rows that are stored, merged with what others have stored since its page was opened.

    Attributes:
        form: the form to show, or to save if `is_valid()`.
        conflicts: the units that both have changed. Nothing may be saved.
        merged: the units that only somebody else has changed; the form has their values.
    """

    def __init__(
        self,
        request: HttpRequest,
        make_form: Callable[[Any, Any], F],
        *,
        data: QueryDict | None = None,
        is_draft: bool = False,
    ) -> None:
        """Make the form, and merge what was sent with what is saved.

        Args:
            request: what was sent is its `POST` and `FILES`. If there is nothing, the form shows what is saved.
            make_form: makes the form from the data and the files, or from None and None for what is saved.
            data: what was sent, if not all of it is to be used.
            is_draft: whether what was sent is only shown again, as after a button that adds a row: nothing is merged,
                and the base stays.
        """
        saved_form = make_form(None, None)
        self._saved = _SavedValues(saved_form)
        self.conflicts: list[Difference] = []
        self.merged: list[Difference] = []
        self.form = saved_form
        self.base = self._saved.dump_base()
        if not request.POST:
            return
        if is_draft:
            self.base = request.POST.get(BASE, "")
            self.form = make_form(request.POST, request.FILES)
            return
        data, files = (data or request.POST).copy(), request.FILES.copy()
        self._merge(data, files)
        self.form = make_form(data, files)
        if isinstance(self.form, forms.BaseModelForm):
            self.form.instance = copy(self.form.instance)  # validating fills it in, and the page names the row
        if self.conflicts:
            self.form.is_valid()  # errors are added to those of the fields
            for conflict in self.conflicts:
                field = conflict.field if conflict.field in self.form.fields else None
                self.form.add_error(field, _explain(conflict))

    def is_valid(self) -> bool:
        """Return whether the form can be saved."""
        return not self.conflicts and self.form.is_valid()

    @property
    def status(self) -> int:
        """The status of the response that shows the form."""
        return CONFLICT if self.conflicts else INVALID if self.form.is_bound else 200

    @property
    def choices(self) -> list[Difference]:
        """The conflicts in which one of the two versions can be chosen."""
        return [one for one in self.conflicts if one.is_choosable]

    def announce(self, request: HttpRequest, saved: str) -> None:
        """Say that the form is saved, and what somebody else had changed.

        Args:
            saved: the sentence that says what is saved.
        """
        messages.success(request, saved)
        if self.merged:
            text = _("Someone else changed this while you had it open, and that is kept: %(changes)s.")
            messages.info(request, text % {"changes": "; ".join(one.summary for one in self.merged)})

    def _merge(self, data: QueryDict, files: MultiValueDict[str, Any]) -> None:
        base, saved = _parse_base(data.get(BASE, "")), self._saved
        for name in saved.units:
            entered = saved.read_entered(name, data, files)
            before, now = base.get(name), saved.digests[name]
            if entered is None:  # nothing is sent for it, so it is not touched
                saved.fill_in(name, data, files)
                sent = now if before is None else before
            else:
                sent = saved.digest(entered)
            chosen = data.get(KEEP + name)
            if sent == now or (before == now and chosen != SAVED):
                continue
            if chosen != SAVED and sent != before:
                self.conflicts.append(saved.describe(name, entered or {}))
            elif before != now:
                self.merged.append(saved.describe(name, entered or {}))
            if chosen == SAVED or sent == before or saved.is_file(name):  # a page cannot fill in a file again
                saved.fill_in(name, data, files)
        self._find_removed(base, data)

    def _find_removed(self, base: Mapping[str, str], data: QueryDict) -> None:
        """Add the units that were changed on the page and cannot be changed any more to the conflicts."""
        removed = base.keys() - self._saved.units.keys()
        sent_for: dict[str, dict[str, list[str]]] = {}
        for key in data:
            for name in _list_units_around(key) & removed:
                sent_for.setdefault(name, {})[key] = data.getlist(key)
        for name, raw in sent_for.items():
            if _digest({key: _normalize_all(values) for key, values in raw.items()}) != base[name]:
                self.conflicts.append(self._saved.describe_removed(name, raw))


class _SavedValues:
    """The values of a form that shows what is saved, by unit."""

    def __init__(self, form: forms.BaseForm) -> None:
        self.form = form
        self.units: dict[str, list[str]] = {}
        for name, field in form.fields.items():
            if not field.disabled and not field.widget.is_hidden:
                self.units.setdefault(_get_unit(form, name), []).append(name)
        # Rows of options are inputs without a field of their own. The draft of a form with options has all inputs.
        self._draft: QueryDict = getattr(form, "draft", None) or QueryDict()
        self.digests = {name: self.digest(self._get_raw(name)) for name in self.units}

    def dump_base(self) -> str:
        """Return the digests as they are sent with the page."""
        return json.dumps(self.digests, separators=(",", ":"))

    def digest(self, raw: Raw) -> str:
        """Return the digest of these values; equal values have one, however they are written."""
        return _digest({name: self._normalize(name, values) for name, values in raw.items() if values})

    def is_file(self, unit: str) -> bool:
        """Return whether the unit is a file, with the box that removes it."""
        return any(isinstance(self.form.fields[name], forms.FileField) for name in self.units[unit])

    def read_entered(self, unit: str, data: QueryDict, files: MultiValueDict[str, Any]) -> Raw | None:
        """Return what was entered; None if nothing was sent for the unit."""
        if _is_nested(unit):
            root = unit.partition(".")[0]
            is_sent = any(_is_inside(key, root) for key in data)
            return {key: data.getlist(key) for key in data if _is_inside(key, unit)} if is_sent else None
        names = self.units[unit]
        if self.is_file(unit):
            return {name: ["sent"] for name in names if files.get(name) or data.get(name)} or None
        if all(self.form.fields[name].widget.value_omitted_from_data(data, files, name) for name in names):
            return None
        return {name: self._read_field(name, data) for name in names}

    def fill_in(self, unit: str, data: QueryDict, files: MultiValueDict[str, Any]) -> None:
        """Replace what was entered by what is saved."""
        for key in [key for key in data if key in self.units[unit] or (_is_nested(unit) and _is_inside(key, unit))]:
            del data[key]
        if self.is_file(unit):
            for name in self.units[unit]:
                files.pop(name, None)
            return
        for key, values in self._get_raw(unit).items():
            if values:
                data.setlist(key, values)

    def describe(self, unit: str, entered: Raw) -> Difference:
        """Return the unit for people, with what is saved and what was entered."""
        names = self.units[unit]
        if self.is_file(unit):
            saved = _("a picture") if any(self._get_raw(unit)[names[0]]) else _("no picture")
            return Difference(unit, self._get_label(names[0]), saved, "", names[0], is_choosable=False)
        label = ", ".join(self._get_label(name) for name in names)
        if _is_nested(unit):
            label = self.form.get_unit_label(unit)  # type: ignore[attr-defined]
        texts = self._format(self._get_raw(unit)), self._format(entered)
        return Difference(unit, label, *texts, names[0], has_labels=len(names) > 1 and not _is_nested(unit))

    def describe_removed(self, unit: str, raw: Raw) -> Difference:
        """Return a unit that was on the page and cannot be changed any more."""
        label = self._get_label(unit) if unit in self.form.fields else ""
        entered = ", ".join(value for values in raw.values() for value in values if value)
        return Difference(unit, label, "", entered, None, is_choosable=False)

    def _get_label(self, name: str) -> str:
        return str(self.form[name].label)

    def _get_raw(self, unit: str) -> dict[str, list[str]]:
        if _is_nested(unit):
            return {key: self._draft.getlist(key) for key in self._draft if _is_inside(key, unit)}
        return {name: self._get_raw_field(name) for name in self.units[unit]}

    def _get_raw_field(self, name: str) -> list[str]:
        """Return what a browser sends for the field if it is not touched."""
        bound = self.form[name]
        widget, value = bound.field.widget, bound.field.prepare_value(bound.initial)
        if isinstance(bound.field, forms.FileField):
            return [str(bound.initial or "")]
        if isinstance(widget, forms.CheckboxInput):
            return ["on"] if value else []
        shown: Any = widget.format_value(value)
        if isinstance(shown, list):
            return [str(each) for each in shown]
        return ["" if shown is None else str(shown)]

    def _read_field(self, name: str, data: QueryDict) -> list[str]:
        widget = self.form.fields[name].widget
        if isinstance(widget, forms.CheckboxInput):
            return ["on"] if widget.value_from_datadict(data, MultiValueDict(), name) else []
        return data.getlist(name) if getattr(widget, "allow_multiple_selected", False) else [data.get(name, "")]

    def _normalize(self, name: str, values: list[str]) -> list[str]:
        field = self.form.fields.get(name)
        if field is None:
            return _normalize_all(values)
        if isinstance(field, OrderedChoiceField):
            return _normalize_all(values)
        if isinstance(field, forms.ChoiceField | forms.BooleanField | forms.FileField):
            return sorted(_normalize_all(values))
        return _normalize_all([_respell(field, value) for value in values])

    def _format(self, raw: Raw) -> str:
        """Return the values as text, each after its label if there are several fields."""
        shown = [(name, self._format_field(name, raw[name])) for name in raw if name in self.form.fields]
        if len(shown) == 1:
            return shown[0][1]
        # A list of rows has the number of its rows, which needs no label.
        texts = [
            label_value(self._get_label(name), text) if self.form.fields[name].label else text for name, text in shown
        ]
        return "; ".join(texts) or _("nothing")

    def _format_field(self, name: str, values: list[str]) -> str:
        field = self.form.fields[name]
        if isinstance(field, forms.BooleanField):
            return _("yes") if values else _("no")
        if not field.label and _is_nested(name):
            return ngettext("%(count)s row", "%(count)s rows", len(values)) % {"count": len(values)}
        return _format_values(field, values) or _("nothing")


def show_deleted(request: HttpRequest, form: forms.BaseForm, context: Mapping[str, Any], back: str) -> HttpResponse:
    """Return the page that says that the row was deleted, with what was entered.

    The status is 404, as for an id that never existed: so it says nothing about ids of others.

    Args:
        form: one for a new row, with what was sent.
        back: the address to go on to.

    Raises:
        Http404: nothing was sent.
    """
    if request.method != "POST":
        raise Http404
    entered = [
        (field.label, text)
        for field in form.visible_fields()
        if not isinstance(field.field, forms.FileField) and (text := _format_bound(field))
    ]
    page = {**context, "entered": entered, "back": back}
    return render(request, "common/edited_row_deleted.html", page, status=404)


def _explain(conflict: Difference) -> str:
    values = {"label": conflict.label, "saved": conflict.saved, "entered": conflict.entered}
    if conflict.field is None:
        text = _("%(label)s can no longer be changed here. You entered “%(entered)s”, which is not saved.")
        return text % {**values, "label": conflict.label or _("Something that you changed")}
    if not conflict.is_choosable:
        text = _("%(label)s: someone else changed it (now: %(saved)s). Choose your file again if you still want it.")
        return text % values
    if conflict.has_labels:
        return _("Someone else has saved “%(saved)s” here while you had this page open.") % values
    return _("%(label)s: someone else has saved “%(saved)s” here while you had this page open.") % values


def _get_unit(form: forms.BaseForm, name: str) -> str:
    """Return the unit of a field: what the form says, the option around it, or the field itself."""
    if _is_nested(name):
        return ".".join(name.split(".")[:2])
    units: Mapping[str, str] = getattr(form, "edit_units", {})
    return units.get(name, name)


def _is_nested(name: str) -> bool:
    return "." in name


def _list_units_around(key: str) -> set[str]:
    """Return the units that an input may belong to: the field itself, the option that it is in, or all options."""
    outer, *inner = key.split(".", 2)[:2]
    return {key, outer, ".".join((outer, *inner))}


def _is_inside(key: str, unit: str) -> bool:
    return key == unit or key.startswith(f"{unit}.")


def _format_bound(field: forms.BoundField) -> str:
    value = field.data
    if isinstance(value, bool):
        return _("yes") if value else ""
    return _format_values(field.field, [str(each) for each in (value if isinstance(value, list) else [value or ""])])


def _format_values(field: forms.Field, values: list[str]) -> str:
    if isinstance(field, forms.ChoiceField):
        labels = {str(key): str(label) for key, label in _flatten(field.choices)}
        values = [labels.get(value, value) for value in values]
    return ", ".join(value for value in values if value)


def _flatten(choices: Any) -> Iterable[tuple[Any, Any]]:
    for key, label in choices:
        if isinstance(label, list | tuple):
            yield from label
        else:
            yield key, label


def _normalize_all(values: list[str]) -> list[str]:
    return [value.replace("\r\n", "\n").strip() for value in values]


def _respell(field: forms.Field, value: str) -> str:
    """Return one spelling for "9:30" and "09:30"."""
    try:
        parsed = field.to_python(value)
    except ValidationError:
        return value
    return "" if parsed is None else str(parsed)


def _digest(values: Mapping[str, list[str]]) -> str:
    text = json.dumps(sorted(values.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]


def _parse_base(text: str) -> dict[str, str]:
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return {str(name): str(digest) for name, digest in parsed.items()} if isinstance(parsed, dict) else {}
