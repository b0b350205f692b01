"""A form made of what a game declares, whatever game it is.

Terms: a *draft* is what stands in the form, as a browser sends it: texts by field name. A *part* of the form stands
for one declared option at its place. A field is named by its place, `options.course.segments.3.name`; a row of a list
goes by a *key* (3) that it keeps when it moves, and the list's own name, `options.course.segments`, repeats the keys in
their order.

    form_data    what a declaration's values look like in a form
    fields   the field of an option that is not made of others
    layout    declarations and a draft, laid out
    row_buttons     the buttons that add, remove and move rows
    presets  the buttons that fill options in
    form     the fields, and their faults by the rule book's own words

Invariant: the declaration judges. Bounds in fields are hints for the browser, and no message about a range is ours.
"""
