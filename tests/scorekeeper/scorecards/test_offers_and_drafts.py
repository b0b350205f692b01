"""How the form at a table is presented and parsed, for every kind of field that a game may have."""

from __future__ import annotations

from typing import Any

import pytest
from django.template.loader import render_to_string

from games.core.reading import Face
from games.core.specs import (
    ActionSpec,
    CardsField,
    Choice,
    ChoiceField,
    Count,
    DiceField,
    FaceSpec,
    Field,
    FlagField,
    NumberField,
    Pick,
    PickField,
)
from games.core.text import Text
from scorekeeper.scorecards.action_draft import (
    ActionDraft,
    ButtonPress,
    draft_from_action,
    parse_action,
    read_button_press,
    read_draft,
)
from scorekeeper.scorecards.action_wording import describe_offer_action
from scorekeeper.scorecards.offer_presenter import ActionFormState, list_errors, present_offers
from scorekeeper.scorecards.offers import Offer, find_offer, make_offers
from tests.games.toy import GAME


def _faces(*faces: Face) -> tuple[FaceSpec, ...]:
    return tuple(FaceSpec(face, Text(str(face))) for face in faces)


NUMBERS = _faces(1, 2, 3, 4, 5, 6)
DICE = DiceField("dice", Text("Dice"), NUMBERS, Count(3, 3))
SKY = DiceField("sky", Text("Sky die"), _faces("sun", "moon"), Count(1, 1), single=True, colour="yellow")
HOLD = PickField("hold", Text("Hold"), (6, 2, 6), (Pick((6,)), Pick((6, 6))), required=False)
REST = DiceField("dice", Text("The rest"), NUMBERS, Count(3, 3, less_pick="hold"))
SWAP = PickField("swap", Text("Swap"), (6, 2, 6), (Pick((2,)), Pick((2, 6))))
SAME = DiceField("dice", Text("As these"), NUMBERS, Count(1, 3, like_pick="swap"))
GEAR = ChoiceField(
    "gear",
    Text("Gear"),
    (
        Choice(1, Text("1st"), 5),
        Choice(2, Text("2nd"), None, False, Text("Too far from %(gear)s."), {"gear": 4}, "TOY-9"),
        Choice(3, Text("3rd"), 20),
    ),
)
LAPS = NumberField("laps", Text("Laps"), 0, 5)
MILES = NumberField("miles", Text("Miles"), 0, 500)
BEGINS = ChoiceField("begins", Text("Begins"), tuple(Choice(n, Text("This seat"), seat=n) for n in range(3)))
TWICE = FlagField("twice", Text("Twice over"))
SHIFT = FlagField("shift", Text("Shift"), required=True)
CUT = CardsField("cards", Text("Cards"), (0, 2))
NAMES = ("Ann", "Ben", "Cleo")


def _offer(*fields: Field, one_of: tuple[str, ...] = ()) -> Offer:
    return make_offers([ActionSpec("act", 0, Text("Act"), fields, one_of)])[0]


def _show(offer: Offer, draft: ActionDraft | None = None, **more: Any) -> dict[str, Any]:
    return present_offers(ActionFormState(GAME, NAMES, draft or ActionDraft(), **more), [offer])[0]


@pytest.mark.parametrize(
    ("fields", "words", "action"),
    [
        ((DICE,), {"dice": ("2", "2", "6")}, {"dice": [2, 2, 6]}),
        ((DICE, SKY), {"dice": ("1", "2", "3"), "sky": ("moon",)}, {"dice": [1, 2, 3], "sky": "moon"}),
        ((HOLD, REST), {"hold": ("0", "2"), "dice": ("5",)}, {"hold": [6, 6], "dice": [5]}),
        ((HOLD, REST), {"dice": ("5", "5", "5")}, {"dice": [5, 5, 5]}),
        ((SWAP, SAME), {"swap": ("0", "1"), "dice": ("5", "4")}, {"swap": [6, 2], "dice": [5, 4]}),
        ((GEAR, TWICE), {"gear": ("3",), "twice": ("1",)}, {"gear": 3, "twice": True}),
        ((SHIFT, GEAR), {"gear": ("1",)}, {"shift": True, "gear": 1}),
        ((LAPS, MILES), {"laps": ("0",), "miles": ("499",)}, {"laps": 0, "miles": 499}),
        ((CUT,), {"cards": ("10H", "-")}, {"cards": {"0": "10H", "2": None}}),
        ((), {}, {}),
    ],
)
def test_a_draft_parses_to_the_action_and_the_action_fills_the_draft(
    fields: tuple[Field, ...], words: dict[str, tuple[str, ...]], action: dict[str, Any]
) -> None:
    offer = _offer(*fields)
    draft = ActionDraft({f"act:{name}": given for name, given in words.items()})
    whole = {"seat": 0, "type": "act", **action}

    assert parse_action(offer, draft) == (whole, ())
    assert find_offer([offer], whole) is offer
    assert parse_action(offer, draft_from_action(offer, whole)) == (whole, ())


@pytest.mark.parametrize(
    ("fields", "words", "messages"),
    [
        ((DICE, SKY), {"dice": ("2",)}, ["1 of 3 dice tapped.", "Sky die: choose one."]),
        ((DICE,), {"dice": ("2", "3", "4", "5")}, ["At most 3 dice are allowed here."]),
        (
            (DICE,),
            {"dice": ("2", "3", "9")},
            ["No die here has the face “9”. Tap it again.", "2 of 3 dice tapped."],
        ),
        ((HOLD, REST), {"hold": ("0",), "dice": ("5",)}, ["1 of 2 dice tapped."]),
        ((SWAP, SAME), {"dice": ("5",)}, ["Choose the dice."]),
        ((SWAP, SAME), {"swap": ("0",), "dice": ("5", "5")}, ["At most 1 die is allowed here."]),
        ((GEAR, DICE), {"gear": ("7",)}, ["Gear: choose one.", "0 of 3 dice tapped."]),
        ((LAPS, MILES), {"miles": ("far",)}, ["Laps: choose one.", "Enter a whole number, such as 0."]),
        ((MILES,), {"miles": ("501",)}, ["Enter a whole number from 0 to 500."]),
        ((CUT,), {"cards": ("10H",)}, ["Choose a card for each seat, or “Not there”."]),
    ],
)
def test_missing_and_unreadable_values_are_all_reported_at_their_fields(
    fields: tuple[Field, ...], words: dict[str, tuple[str, ...]], messages: list[str]
) -> None:
    offer = _offer(*fields)
    problems = parse_action(offer, ActionDraft({f"act:{name}": given for name, given in words.items()})).problems

    errors = list_errors(ActionFormState(GAME, NAMES, key="act", problems=problems), [offer])

    assert [error["text"] for error in errors] == messages
    assert {error["field_id"] for error in errors} <= {f"act-{field.name}" for field in fields}


def test_choosing_no_dice_is_possible_where_it_is_an_option() -> None:
    picks = PickField("dice", Text("Keep"), (1, 5), (Pick((1,)), Pick(())))
    none = ActionDraft().apply_press(ButtonPress("note", "act", "dice", ""))

    assert parse_action(_offer(picks), none) == ({"seat": 0, "type": "act", "dice": []}, ())
    assert parse_action(_offer(SWAP), none).problems


def test_a_spec_that_wants_one_of_several_fields_is_an_offer_for_each() -> None:
    one, more = make_offers([ActionSpec("act", 0, Text("Act"), (SKY, DICE, TWICE), ("sky", "dice"))])

    assert [offer.key for offer in (one, more)] == ["act", "act.2"]
    assert [field.name for field in one.fields] == ["sky", "twice"]
    assert find_offer([one, more], {"type": "act", "dice": [1, 2, 3]}) is more
    assert _show(more)["alternative_label"] == "Dice"


def test_of_two_specs_of_one_type_the_one_with_the_given_fields_is_found() -> None:
    plain, shifted = make_offers(
        [ActionSpec("gear", 0, Text("Gear"), (GEAR,)), ActionSpec("gear", 0, Text("Shift"), (SHIFT, GEAR))]
    )

    assert find_offer([plain, shifted], {"type": "gear", "gear": 3}) is plain
    assert find_offer([plain, shifted], {"type": "gear", "gear": 3, "shift": True}) is shifted
    assert find_offer([plain, shifted], {"type": "gear"}) is None


def test_retiring_is_not_an_offer() -> None:
    assert make_offers([ActionSpec("retire", 0, Text("Retire"))]) == ()


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ((), "button"),
        ((TWICE,), "button"),
        ((SHIFT,), "button"),
        ((GEAR,), "options"),
        ((SHIFT, GEAR, TWICE), "options"),
        ((SWAP,), "options"),
        ((GEAR, DICE), "form"),
        ((DICE,), "form"),
        ((HOLD, REST), "form"),
        ((LAPS,), "form"),
    ],
)
def test_one_field_to_choose_from_needs_one_tap_and_none_needs_a_button(fields: tuple[Field, ...], kind: str) -> None:
    assert _show(_offer(*fields))["kind"] == kind


def test_choices_are_listed_best_first_and_closed_ones_have_a_reason() -> None:
    shown = _show(_offer(GEAR))

    assert [(option["label"], option["points"]) for option in shown["options"]] == [("3rd", 20), ("1st", 5)]
    (closed,) = shown["closed"]
    assert closed["label"] == "2nd"
    assert "Too far from 4." in str(closed["why"])
    assert "TOY-9" in str(closed["why"])


def test_selections_are_listed_best_first_with_their_dice() -> None:
    picks = PickField("dice", Text("Keep"), (1, 5, 5), (Pick((1,), 10), Pick((5, 5), 50), Pick(())))

    options = _show(_offer(picks))["options"]

    assert [("".join(die["face"] for die in option["dice"]), option["points"]) for option in options] == [
        ("55", 50),
        ("1", 10),
        ("", None),
    ]
    assert [option["value"] for option in options] == ["1 2", "0", ""]


def test_many_options_are_shown_in_part_and_the_rest_on_demand() -> None:
    shown = _show(_offer(ChoiceField("gear", Text("Gear"), tuple(Choice(n, Text(str(n))) for n in range(20)))))

    assert (len(shown["options"]), len(shown["more"])) == (12, 8)
    assert shown["more_count"] == "8 more"


def test_a_button_is_enabled_when_the_dice_are_entered_or_if_their_number_depends_on_a_pick() -> None:
    assert not _show(_offer(DICE))["is_ready"]
    assert _show(_offer(DICE), ActionDraft({"act:dice": ("1", "2", "3")}))["is_ready"]
    assert _show(_offer(HOLD, REST))["is_ready"]


@pytest.mark.parametrize(
    ("field", "words", "least", "most"),
    [(REST, {}, 3, 3), (REST, {"hold": ("0", "2")}, 1, 1), (SAME, {}, 1, 3), (SAME, {"swap": ("0", "1")}, 2, 2)],
)
def test_the_places_for_dice_follow_the_pick(field: DiceField, words: Any, least: int, most: int) -> None:
    pick = HOLD if field is REST else SWAP
    shown = _show(_offer(pick, field), ActionDraft({f"act:{name}": given for name, given in words.items()}))

    dice = shown["fields"][1]
    assert (dice["least"], dice["most"]) == (least, most)


def test_a_tap_adds_a_die_a_tap_on_a_die_removes_it_and_a_choice_replaces() -> None:
    draft = (
        ActionDraft()
        .apply_press(ButtonPress("tap", "act", "dice", "2"))
        .apply_press(ButtonPress("tap", "act", "dice", "5"))
    )
    assert draft.get_values("act", "dice") == ("2", "5")
    assert draft.apply_press(ButtonPress("back", "act", "dice", "0")).get_values("act", "dice") == ("5",)
    assert draft.apply_press(ButtonPress("back", "act", "dice", "9")).get_values("act", "dice") == ("2", "5")
    assert draft.apply_press(ButtonPress("note", "act", "dice", "6")).get_values("act", "dice") == ("6",)
    assert draft.apply_press(ButtonPress("note", "act", "", "1")) == draft


def test_the_form_is_parsed_by_the_names_of_its_fields() -> None:
    sent = {"seen": ["3"], "act:dice": ["2", "", "5"], "act.2:sky": ["moon"], "tap:act:dice": ["6"]}

    assert read_draft(sent) == ActionDraft({"act:dice": ("2", "5"), "act.2:sky": ("moon",)})
    assert read_button_press(sent) == ButtonPress("tap", "act", "dice", "6")
    assert read_button_press({"look": ["1"]}) is None


def test_in_a_correction_an_option_is_chosen_before_the_form_is_sent() -> None:
    offer = _offer(GEAR)

    shown = _show(offer, draft_from_action(offer, {"gear": 3}), is_correction=True)

    assert shown["kind"] == "form"
    assert [choice["value"] for choice in shown["fields"][0]["choices"] if choice["is_chosen"]] == ["3"]


def test_an_action_is_described_with_the_labels_of_its_fields() -> None:
    assert describe_offer_action(_offer(DICE), {"dice": [2, 2, 6]}) == "Act 2 2 6"
    assert describe_offer_action(_offer(GEAR, TWICE), {"gear": 3, "twice": True}) == "Act 3rd, Twice over"
    assert describe_offer_action(_offer(LAPS, MILES), {"laps": 1, "miles": 20}) == "Act, Laps 1, Miles 20"
    assert describe_offer_action(_offer(SHIFT, GEAR), {"shift": True, "gear": 1}) == "Act 1st"
    assert describe_offer_action(_offer(CUT), {"cards": {"0": "10H", "2": None}}) == "Act 10H –"


def test_a_choice_that_stands_for_a_seat_has_the_seats_name() -> None:
    assert [option["label"] for option in _show(_offer(BEGINS))["options"]] == ["Ann", "Ben", "Cleo"]
    assert describe_offer_action(_offer(BEGINS), {"begins": 2}, NAMES) == "Act Cleo"
    assert describe_offer_action(_offer(BEGINS), {"begins": 2}) == "Act This seat", (
        "without names, the reader must not know who it is"
    )


def test_only_dice_numbered_one_to_six_have_pips() -> None:
    tens = DiceField("dice", Text("Tens"), _faces(5, 10), Count(1, 1), single=True)

    assert {face["is_plain"] for face in _show(_offer(tens))["fields"][0]["faces"]} == {True}
    assert {face["is_plain"] for face in _show(_offer(DICE))["fields"][0]["faces"]} == {False}


@pytest.mark.parametrize(
    "fields", [(DICE,), (DICE, SKY), (HOLD, REST), (SWAP,), (GEAR,), (GEAR, DICE), (LAPS, MILES), (TWICE,), (CUT,), ()]
)
@pytest.mark.parametrize("is_correction", [False, True])
def test_every_kind_of_field_is_plain_data(fields: tuple[Field, ...], is_correction: bool) -> None:
    shown = present_offers(ActionFormState(GAME, NAMES, is_correction=is_correction), [_offer(*fields)])

    page = render_to_string("scorecards/_offers.html", {"offers": shown})

    assert 'name="note:act:' in page
    assert all(f'id="act-{field.name}"' in page for field in fields)
