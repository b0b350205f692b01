"""Every form that creates something creates it once, however often it is sent: a route without that fails here."""

from __future__ import annotations

from scorekeeper.common.rights_check import list_routes
from scorekeeper.rights import ROUTES

# Their forms have the id of the row or operation that they make, and the service returns what there is with that id.
WITH_AN_ID_OF_THEIR_OWN = {
    *("agreements:object", "crew:sheet", "players:sign_up", "prints:crew_links"),
    *("desk:register_bike", "scorecards:walk_up", "tables:deal", "tables:desk_deal", "tables:desk_plan"),
    # Operations
    *("agreements:card", "agreements:confirm", "agreements:desk_card", "check_in:crew_list", "check_in:desk_list"),
    *(
        "desk:clear_missed",
        "desk:close",
        "desk:merge",
        "desk:publish",
        "desk:renumber",
        "desk:reopen",
        "desk:settle",
        "desk:take_back",
    ),
    *("desk:ties", "desk:unmerge", "prizes:decide"),
    *(f"scorecards:{name}" for name in ("card", "did_not_start", "other_turn", "undo", "withdraw")),
    *(
        f"scorecards:{prefix}{name}"
        for prefix in ("", "desk_")
        for name in ("buy", "correct", "move", "retire", "void")
    ),
    *("scorecards:desk_did_not_start", "scorecards:desk_note"),
    *(f"tables:{prefix}{name}" for prefix in ("", "desk_") for name in ("correct", "retire", "table", "undo", "void")),
    "tables:desk_withdraw",
    *(f"scorecards:{prefix}{name}_sheet" for prefix in ("", "desk_") for name in ("sell", "withdraw")),
    "desk:passenger_sheets",  # the id of a further sheet follows from its bike, contest and number
    # A subscription is found by the address of its browser.
    "push:follow",
    # Programs and the phone's app send operations with ids.
    *("api:carried", "api:operations", "api:organiser_operations"),
}
# Their link, challenge or invitation can be used once, so a second time finds it used.
WITH_ONE_USE = {
    *("api:devices", "crew:join", "events:accept_invitation", "events:decline_invitation", "events:invited"),
    *("events:invited_sign_in", "events:new_password", "events:sign_in_passkey", "events:welcome"),
}
# They change, end or delete what there is, or choose among it: the second time changes nothing more, or finds it gone.
WITHOUT_A_NEW_ROW = {
    *("agreements:settle_objection", "api:key", "api:messages_read", "check_in:delete_item", "check_in:move_item"),
    *("check_in:rename_item", "crew:confirm_read", "crew:delete_group", "crew:delete_member", "crew:group"),
    *(
        "desk:confirm_lost_phone",
        "crew:member",
        "crew:move_group",
        "crew:open_link",
        "crew:revoke",
        "crew:sign_out",
        "crew:switch",
        "crew:withdraw_message",
    ),
    *("push:told", "push:stop", "push:move"),
    *("desk:delete", "desk:restore_warning", "desk:steer_draw", "desk:walk_up_names", "desk:warnings", "dice:test"),
    *("events:account", "events:add_passkey", "events:archive", "events:confirm_organising", "events:delete_contest"),
    *("event_page:delete_sponsor", "event_page:delete_track", "event_page:edit", "event_page:edit_sponsor"),
    *("event_page:move_sponsor", "event_page:poster", "event_page:route"),
    *("events:edit", "events:edit_contest", "events:end_session", "events:open", "events:remove_organiser"),
    "events:language",
    *("events:remove_passkey", "events:rename_passkey", "events:revoke_access_token", "events:sign_in"),
    *("events:sign_out", "events:sign_out_everywhere", "events:unarchive", "events:withdraw_invitation"),
    *("events:withdraw_invite", "live:edit_screen", "live:microphone_step", "live:settings", "live:start_announcing"),
    *("live:steer", "live:unpair", "offline:ride_parts", "personal_data:person", "players:delete_bike"),
    *("players:delete_player", "players:edit_bike", "players:edit_player", "players:mark_as_told"),
    *("players:delete_class", "players:edit_class", "players:move_class"),
    *("desk:bike_classes", "desk:class_members", "desk:person_classes"),  # what is recorded has an id of the page
    *("prints:certificate", "prizes:delete"),
    *("prizes:edit", "prizes:move", "scorecards:dice_set", "seasons:delete", "seasons:edit", "seasons:link"),
    *("seasons:merge", "seasons:remove_round", "stops:delete", "stops:edit", "stops:move", "stops:slots"),
    "webhooks:delete",
}


def test_every_form_creates_once_or_creates_nothing() -> None:
    posted = {name for name in list_routes() if "POST" in ROUTES[name]}
    once = {name for name in posted if getattr(list_routes()[name].callback, "is_sent_once", False)}
    others = (WITH_AN_ID_OF_THEIR_OWN, WITH_ONE_USE, WITHOUT_A_NEW_ROW)

    # Decorate the view of a new route with `sent_once` and put {% form_id %} into its form, unless it creates nothing.
    assert posted - once - set().union(*others) == set()
    assert set().union(*others) - posted == set()
    assert len(once) + sum(map(len, others)) == len(posted), "each is in one of the lists"
    assert {"events:create", "desk:copy", "desk:practice", "players:import", "crew:import", "crew:invite"} <= once
