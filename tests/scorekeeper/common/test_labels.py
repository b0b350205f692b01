"""Labels before what they label."""

from __future__ import annotations

from django.template import Context, Template

from scorekeeper.common.labels import label_value


def test_a_label_has_a_colon_before_the_value() -> None:
    assert label_value("Rider", "Ann") == "Rider: Ann"
    assert label_value("Total", 87) == "Total: 87"


def test_what_somebody_typed_is_escaped_once() -> None:
    template = Template("{% load labels %}{{ name|with_colon }} {{ name }}")

    assert template.render(Context({"name": "<b>&"})) == "&lt;b&gt;&amp;: &lt;b&gt;&amp;"
