"""The form for a game's options. It is built from what the game declares, so it works for any game.

Terms:
- The *draft* is the content of the form as a browser sends it: texts by field name.
- A *part* of the form is one declared option at its location.
- A field is named after its location, `options.course.segments.3.name`.
- A row of a list has a *key* (3), which it keeps when it moves. The list's own name, `options.course.segments`, repeats
  the keys in their order.

    form_data    how the values of declared options look in a form
    fields       the field of an option that is not made of other options
    layout       declared options and a draft, laid out as parts
    row_buttons  the buttons that add, remove and move rows
    presets      the buttons that fill in options
    form         the fields, and their errors in the words of the rule book

Invariant: the declared options validate. Bounds of fields are only hints for the browser, and every message about a
range comes from the game.
"""
