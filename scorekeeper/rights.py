"""Who may do what: a table of the roles for every route and for every kind of operation.

Terms: a *route* is a URL pattern, by its name; a *kind* is what an operation does.

Invariants:
- Whatever has no row is refused to everyone. `scorekeeper.common.access_control` checks requests against `ROUTES`, and
  `scorekeeper.ledger.services.recording` checks operations against `OPERATIONS`. Tests check both tables against
  the URL resolver and the code.
- A row only gives access to a route or kind. Beyond that, people see only what belongs to their own event, and crews
  record only for bikes of their own group, and for others at stops assigned to them
  (`scorekeeper.scorecards.services.cards.check_can_record`).
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from enum import StrEnum


class Role(StrEnum):
    """The role that a caller must have. The settings name a guard for each role of a route, except for `ANYBODY`."""

    ANYBODY = "anybody"
    CREW = "crew"  # a phone that is neither revoked nor expired
    FORMER_CREW = "former crew"  # a phone of the crew, revoked and expired ones too
    ROAD_CAPTAIN = "road captain"  # of the crew, with more kinds of operation
    SIGNED_IN = "signed in"  # has an account
    RIDE = "ride"  # a phone of the crew of the event that the address names, or one of its organisers
    ORGANISER = "organiser"  # runs the event that the address names
    SEASON_ORGANISER = "season organiser"  # runs the season that the address names
    MONITOR = "monitor"  # a program that has METRICS_TOKEN
    READER = "reader"  # a program with an organiser's token that may read what the organiser sees
    ROSTER_READER = "roster reader"  # the same, or an app of the crew, which finds every bike of its ride
    RECORDER = "recorder"  # a program with an organiser's token that may record in the organiser's name


(
    ANYBODY,
    CREW,
    FORMER_CREW,
    ROAD_CAPTAIN,
    SIGNED_IN,
    RIDE,
    ORGANISER,
    SEASON_ORGANISER,
    MONITOR,
    READER,
    ROSTER_READER,
    RECORDER,
) = Role

RouteRoles = Mapping[str, Role]


def _page(role: Role) -> RouteRoles:
    return {"GET": role, "HEAD": role}


def _form(role: Role) -> RouteRoles:
    return {"GET": role, "HEAD": role, "POST": role}


def _button(role: Role) -> RouteRoles:
    return {"POST": role}


ROUTES: Mapping[str, RouteRoles] = {
    # Monitors, and phones that do not trust the server's certificate yet
    "healthz": _page(ANYBODY),
    "readyz": _page(ANYBODY),
    "metrics": _page(MONITOR),
    "robots": _page(ANYBODY),  # search engines
    "trust": _page(ANYBODY),
    "authority": _page(ANYBODY),
    # Everyone: pages of events that are not drafts
    "results:home": _page(ANYBODY),
    "results:event": _page(ANYBODY),
    "results:route": _page(ANYBODY),
    "results:leaderboard": _page(ANYBODY),
    "results:class_board": _page(ANYBODY),
    "results:bike": _page(ANYBODY),
    "results:seats": _page(ANYBODY),
    "results:revision": _page(ANYBODY),  # of every official result, while nothing is frozen
    "results:luck": _page(ANYBODY),
    "results:luck_card": _page(ANYBODY),
    "results:odds": _page(ANYBODY),  # of coached contests, while they are open and not frozen
    "results:export": _page(ANYBODY),
    "agreements:object": _form(ANYBODY),
    "prizes:logo": _page(ANYBODY),
    "event_page:poster_image": _page(ANYBODY),
    "event_page:gpx": _page(ANYBODY),
    "bundles:public": _page(ANYBODY),  # of events whose whole result is official and not frozen
    "results:preview": _page(ANYBODY),
    "prints:public_file": _page(ANYBODY),  # what the pages of results show
    "prints:public_job": _page(ANYBODY),
    "prints:public_job_file": _page(ANYBODY),
    "live:screen": _page(ANYBODY),
    "live:screen_stream": _page(ANYBODY),
    "live:event": _page(ANYBODY),
    "live:board": _page(ANYBODY),
    "live:class_board": _page(ANYBODY),
    "live:changes": _page(RIDE),  # says only that something changed; during a freeze, that is for nobody else
    "seasons:season": _page(ANYBODY),
    "seasons:rider": _page(ANYBODY),
    "seasons:export": _page(ANYBODY),
    # Other people's sites and programs: what the public pages show
    "embeds:board": _page(ANYBODY),
    "embeds:class_board": _page(ANYBODY),
    "embeds:prizes": _page(ANYBODY),
    "embeds:season": _page(ANYBODY),
    "embeds:frame_style": _page(ANYBODY),
    "embeds:frame_script": _page(ANYBODY),
    "embeds:script": _page(ANYBODY),  # for the page around a frame
    "embeds:oembed": _page(ANYBODY),
    "embeds:feed": _page(ANYBODY),  # of listed events only; so for the next three
    "embeds:season_feed": _page(ANYBODY),
    "embeds:calendar": _page(ANYBODY),
    "embeds:season_calendar": _page(ANYBODY),
    "embeds:ride": _page(ANYBODY),
    # A television, with its own secret; without one, or once it is unpaired, it gets a code
    "live:television": _page(ANYBODY),
    "live:television_check": _page(ANYBODY),
    "live:paired_stream": _page(ANYBODY),  # by the screen's id, which only its television and organisers know
    "players:sign_up": _form(ANYBODY),  # of events whose organiser has opened it, drafts too
    # Notifications that a spectator asked for: by the address of their browser, which nobody else knows
    "push:worker": _page(ANYBODY),
    "push:key": _page(ANYBODY),
    "push:manifest": _page(ANYBODY),
    "push:told": _button(ANYBODY),
    "push:follow": _button(ANYBODY),
    "push:stop": _button(ANYBODY),
    "push:move": _button(ANYBODY),
    "rulebooks:list": _page(ANYBODY),
    "rulebooks:book": _page(ANYBODY),
    # The phone app: the same files for everyone; the phone fills in the data
    "offline:service_worker": _page(ANYBODY),
    "offline:engine_worker": _page(ANYBODY),
    "offline:manifest": _page(ANYBODY),
    "offline:language": _page(ANYBODY),
    "offline:shell": _page(ANYBODY),
    "offline:ready": _page(ANYBODY),
    "offline:swap": _page(ANYBODY),
    "offline:plain": _page(ANYBODY),
    # The crew's phones
    "crew:open_link": _form(ANYBODY),  # leads to the next one
    "crew:join": _form(ANYBODY),  # anyone who has the link
    "crew:switch": _form(ANYBODY),  # a phone of a deleted practice too; asks for the token of either device
    "crew:sign_out": _form(CREW),
    "crew:confirm_read": _button(CREW),
    "scorecards:scanned": _page(ANYBODY),  # redirects to the page that fits the caller
    "scorecards:group": _page(CREW),
    "scorecards:dice_set": _form(CREW),
    "scorecards:standing": _page(CREW),
    "scorecards:walk_up": _form(CREW),
    "scorecards:withdraw": _button(CREW),
    "scorecards:sell_sheet": _form(CREW),
    "scorecards:withdraw_sheet": _button(CREW),
    "check_in:crew_list": _form(CREW),
    "agreements:group": _page(CREW),
    "agreements:confirm": _form(ROAD_CAPTAIN),
    "agreements:card": _form(CREW),
    "scorecards:card": _form(CREW),
    "coach:bike": _page(CREW),  # of coached contests, while they are open; so for all parts that show values
    "coach:table": _page(CREW),
    "scorecards:undo": _button(CREW),
    "scorecards:other_turn": _form(CREW),
    "scorecards:history": _page(CREW),
    "scorecards:buy": _form(CREW),
    "scorecards:correct": _form(CREW),
    "scorecards:void": _form(CREW),
    "scorecards:move": _form(CREW),
    "scorecards:retire": _form(ROAD_CAPTAIN),
    "scorecards:did_not_start": _form(ROAD_CAPTAIN),
    "tables:list": _page(CREW),
    "tables:deal": _form(CREW),
    "tables:table": _form(CREW),
    "tables:undo": _button(CREW),
    "tables:retire": _form(CREW),
    "tables:history": _page(CREW),
    "tables:correct": _form(CREW),
    "tables:void": _form(CREW),
    "offline:ride": _page(CREW),
    "offline:ride_parts": _form(CREW),
    "api:operations": _button(CREW),
    "api:key": _form(CREW),
    "api:messages_read": _button(CREW),
    "api:carried": _button(FORMER_CREW),  # authenticated by signatures; entries of revoked phones go to review
    "api:crew_scorecard": _page(CREW),
    "api:schema": _page(ANYBODY),
    "api:reference": _page(ANYBODY),
    "api:devices": _button(ANYBODY),  # anyone who has an invitation of the crew
    "api:ride_progress": _page(CREW),
    "api:sheets": _page(CREW),
    # Programs: what the audience sees, with an organiser's token what the organiser sees, and with a device's token
    # what its crew sees
    "api:events": _page(ANYBODY),
    "api:event": _page(ANYBODY),
    "api:stops": _page(ANYBODY),
    "api:contests": _page(ANYBODY),
    "api:contest": _page(ANYBODY),
    "api:standings": _page(ANYBODY),
    "api:scorecards": _page(ANYBODY),
    "api:scorecard": _page(ANYBODY),
    "api:prizes": _page(ANYBODY),
    "api:luck": _page(ANYBODY),
    "api:scorecard_luck": _page(ANYBODY),
    "api:results": _page(ANYBODY),
    "api:groups": _page(ROSTER_READER),
    "api:classes": _page(ROSTER_READER),
    "api:bikes": _page(ROSTER_READER),
    "api:players": _page(ROSTER_READER),
    "api:entries": _page(READER),
    "api:revisions": _page(READER),
    "api:revision": _page(READER),
    "api:review_items": _page(READER),
    "api:organiser_operations": _button(RECORDER),
    # Signing in, and the events of the signed-in user
    "events:language": _button(ANYBODY),  # of the caller's own pages, and account
    "events:sign_in": _form(ANYBODY),
    "events:sign_out": _button(ANYBODY),
    "events:sign_out_everywhere": _form(SIGNED_IN),
    "events:sign_in_passkey": _form(ANYBODY),  # asks whose password was right in this browser session
    "events:account": _form(SIGNED_IN),
    "events:passkeys": _page(SIGNED_IN),
    "events:add_passkey": _form(SIGNED_IN),
    "events:create_passkey": _form(SIGNED_IN),
    "events:rename_passkey": _form(SIGNED_IN),  # of the caller's own account
    "events:remove_passkey": _form(SIGNED_IN),
    "events:end_session": _button(SIGNED_IN),  # of the caller's own account
    "events:access_tokens": _form(SIGNED_IN),
    "events:revoke_access_token": _form(SIGNED_IN),  # of the caller's own account
    "events:welcome": _form(ANYBODY),  # anyone who has the link, while nobody has an account
    "events:invited": _form(ANYBODY),  # anyone who has the link; so for the next two
    "events:invited_sign_in": _form(ANYBODY),
    "events:new_password": _form(ANYBODY),
    "events:list": _page(SIGNED_IN),
    "events:accept_invitation": _button(SIGNED_IN),  # to the caller's own account; so for the next two
    "events:decline_invitation": _button(SIGNED_IN),
    "events:confirm_organising": _button(SIGNED_IN),
    "events:create": _form(SIGNED_IN),
    "desk:copy": _form(SIGNED_IN),  # copies only events that the caller organises
    # Seasons
    "seasons:list": _page(SIGNED_IN),
    "seasons:create": _form(SIGNED_IN),
    "seasons:overview": _form(SEASON_ORGANISER),
    "seasons:edit": _form(SEASON_ORGANISER),
    "seasons:delete": _form(SEASON_ORGANISER),
    "seasons:merge": _form(SEASON_ORGANISER),
    "seasons:link": _form(SEASON_ORGANISER),
    "seasons:remove_round": _form(SEASON_ORGANISER),
    "embeds:season_snippets": _page(SEASON_ORGANISER),
    # Organisers: setting up
    "events:edit": _form(ORGANISER),
    "events:open": _form(ORGANISER),
    "events:archive": _form(ORGANISER),
    "events:unarchive": _button(ORGANISER),
    "desk:copied": _page(ORGANISER),
    "desk:delete": _form(ORGANISER),
    "desk:practice": _button(ORGANISER),
    "desk:practice_play": _form(ORGANISER),  # only of a practice event; so for the next two
    "desk:practice_progress": _page(ORGANISER),
    "desk:practice_restart": _form(ORGANISER),
    "webhooks:list": _form(ORGANISER),
    "webhooks:webhook": _page(ORGANISER),
    "webhooks:steer": _button(ORGANISER),
    "webhooks:send_again": _button(ORGANISER),
    "webhooks:rotate": _form(ORGANISER),
    "webhooks:delete": _form(ORGANISER),
    "events:organisers": _form(ORGANISER),
    "events:remove_organiser": _form(ORGANISER),
    "events:reset_password": _form(ORGANISER),  # of one who agreed to organise, and only what the caller does too
    "events:invite_organiser": _button(ORGANISER),
    "events:withdraw_invite": _button(ORGANISER),
    "events:withdraw_invitation": _button(ORGANISER),
    "events:contests": _page(ORGANISER),
    "events:choose_game": _page(ORGANISER),
    "events:create_contest": _form(ORGANISER),
    "events:edit_contest": _form(ORGANISER),
    "events:delete_contest": _form(ORGANISER),
    "event_page:edit": _form(ORGANISER),
    "event_page:poster": _form(ORGANISER),
    "event_page:desk_poster": _page(ORGANISER),
    "event_page:programme": _form(ORGANISER),
    "event_page:route": _form(ORGANISER),
    "event_page:import_gpx": _form(ORGANISER),
    "event_page:delete_track": _form(ORGANISER),
    "event_page:sponsors": _form(ORGANISER),
    "event_page:edit_sponsor": _form(ORGANISER),
    "event_page:move_sponsor": _button(ORGANISER),
    "event_page:delete_sponsor": _form(ORGANISER),
    "results:event_preview": _page(ORGANISER),
    "stops:list": _form(ORGANISER),
    "stops:edit": _form(ORGANISER),
    "stops:move": _button(ORGANISER),
    "stops:delete": _form(ORGANISER),
    "stops:slots": _form(ORGANISER),
    "crew:groups": _form(ORGANISER),
    "crew:group": _form(ORGANISER),
    "crew:move_group": _button(ORGANISER),
    "crew:delete_group": _form(ORGANISER),
    "crew:new_member": _form(ORGANISER),
    "crew:sheet": _form(ORGANISER),
    "crew:import": _form(ORGANISER),
    "crew:sample": _page(ORGANISER),
    "crew:member": _form(ORGANISER),
    "crew:delete_member": _form(ORGANISER),
    "crew:invite": _button(ORGANISER),
    "crew:revoke": _form(ORGANISER),
    "players:roster": _page(ORGANISER),
    "players:sign_ups": _page(ORGANISER),
    "players:decide_sign_up": _button(ORGANISER),
    "players:mark_as_told": _button(ORGANISER),
    "players:add_bike": _form(ORGANISER),
    "players:codes": _page(ORGANISER),
    "personal_data:person": _form(ORGANISER),
    "personal_data:file": _page(ORGANISER),
    "players:import": _form(ORGANISER),
    "players:sample": _page(ORGANISER),
    "players:edit_bike": _form(ORGANISER),
    "players:delete_bike": _form(ORGANISER),
    "players:add_player": _form(ORGANISER),
    "players:edit_player": _form(ORGANISER),
    "players:delete_player": _form(ORGANISER),
    "players:classes": _form(ORGANISER),
    "players:edit_class": _form(ORGANISER),
    "players:move_class": _button(ORGANISER),
    "players:delete_class": _form(ORGANISER),
    "desk:class_members": _form(ORGANISER),
    "desk:bike_classes": _form(ORGANISER),
    "desk:person_classes": _form(ORGANISER),
    "desk:class_corrections": _page(ORGANISER),
    "check_in:items": _form(ORGANISER),
    "check_in:rename_item": _form(ORGANISER),
    "check_in:move_item": _button(ORGANISER),
    "check_in:delete_item": _form(ORGANISER),
    # Organisers: during the ride
    "check_in:desk_list": _form(ORGANISER),
    "desk:event": _page(ORGANISER),
    "desk:live": _page(ORGANISER),
    "desk:live_changes": _page(ORGANISER),
    "desk:warnings": _form(ORGANISER),
    "desk:restore_warning": _button(ORGANISER),
    "dice:audit": _page(ORGANISER),
    "dice:start_test": _form(ORGANISER),
    "dice:test": _form(ORGANISER),
    "crew:messages": _form(ORGANISER),
    "crew:withdraw_message": _button(ORGANISER),
    "desk:cards": _page(ORGANISER),
    "desk:phones": _page(ORGANISER),
    "desk:confirm_lost_phone": _button(ORGANISER),
    "desk:review": _page(ORGANISER),
    "desk:settle": _button(ORGANISER),
    "agreements:objections": _page(ORGANISER),
    "agreements:settle_objection": _button(ORGANISER),
    "desk:take_back": _form(ORGANISER),
    "desk:register_bike": _form(ORGANISER),
    "desk:walk_up_names": _button(ORGANISER),
    "desk:duplicates": _page(ORGANISER),
    "desk:merge": _form(ORGANISER),
    "desk:unmerge": _form(ORGANISER),
    "desk:renumber": _form(ORGANISER),
    "scorecards:desk_card": _page(ORGANISER),
    "agreements:desk_card": _form(ORGANISER),
    "scorecards:desk_note": _form(ORGANISER),
    "scorecards:desk_buy": _form(ORGANISER),
    "scorecards:desk_correct": _form(ORGANISER),
    "scorecards:desk_void": _form(ORGANISER),
    "scorecards:desk_move": _form(ORGANISER),
    "scorecards:desk_retire": _form(ORGANISER),
    "scorecards:desk_sell_sheet": _form(ORGANISER),
    "scorecards:desk_withdraw_sheet": _button(ORGANISER),
    "desk:sheets": _page(ORGANISER),
    "desk:passenger_sheets": _button(ORGANISER),
    "scorecards:desk_did_not_start": _form(ORGANISER),
    "tables:desk_list": _page(ORGANISER),
    "tables:desk_deal": _form(ORGANISER),
    "tables:desk_plan": _form(ORGANISER),
    "tables:desk_table": _form(ORGANISER),
    "coach:desk_table": _page(ORGANISER),
    "tables:desk_undo": _button(ORGANISER),
    "tables:desk_retire": _form(ORGANISER),
    "tables:desk_history": _page(ORGANISER),
    "tables:desk_correct": _form(ORGANISER),
    "tables:desk_void": _form(ORGANISER),
    "tables:desk_withdraw": _form(ORGANISER),
    "prizes:list": _form(ORGANISER),
    "prizes:edit": _form(ORGANISER),
    "prizes:move": _button(ORGANISER),
    "prizes:delete": _form(ORGANISER),
    "prizes:decide": _form(ORGANISER),
    "live:settings": _form(ORGANISER),
    "live:preview": _page(ORGANISER),
    "live:pair": _form(ORGANISER),
    "live:edit_screen": _form(ORGANISER),
    "live:unpair": _form(ORGANISER),
    "live:steer": _button(ORGANISER),
    "live:microphone": _page(ORGANISER),
    "live:start_announcing": _button(ORGANISER),
    "live:microphone_step": _form(ORGANISER),
    "embeds:event_snippets": _page(ORGANISER),
    # Organisers: at the end
    "desk:finish": _page(ORGANISER),
    "desk:close": _form(ORGANISER),
    "desk:reopen": _form(ORGANISER),
    "desk:clear_missed": _form(ORGANISER),
    "desk:ties": _form(ORGANISER),
    "desk:steer_draw": _button(ORGANISER),
    "desk:publish": _form(ORGANISER),
    "desk:revision": _page(ORGANISER),
    "results:desk_export": _page(ORGANISER),
    "bundles:page": _page(ORGANISER),
    "bundles:file": _page(ORGANISER),
    "prints:list": _page(ORGANISER),
    "prints:crew_links": _button(ORGANISER),
    "prints:certificate": _form(ORGANISER),
    "prints:contest_file": _page(ORGANISER),
    "prints:event_file": _page(ORGANISER),
    "prints:job": _page(ORGANISER),
    "prints:job_file": _page(ORGANISER),
}

_ALL = {CREW, ROAD_CAPTAIN, ORGANISER}

OPERATIONS: Mapping[str, Set[Role]] = {
    "turn": _ALL,
    "amend": _ALL,
    "move": _ALL,
    "register_bike": _ALL,
    "withdraw_bike": _ALL,
    "sell_sheet": _ALL,
    "withdraw_sheet": _ALL,
    "check": _ALL,
    "agree": _ALL,  # as a road captain: road captains and organisers (`agreements.services`)
    "did_not_start": {ROAD_CAPTAIN, ORGANISER},
    "retire": {ROAD_CAPTAIN, ORGANISER},
    "deal": _ALL,
    "action": _ALL,
    "correct": _ALL,
    "withdraw": {ORGANISER},
    "settle": {ORGANISER},
    "unsettle": {ORGANISER},
    "renumber_bike": {ORGANISER},
    "set_classes": {ORGANISER},
    "class_cut": {ORGANISER},
    "merge_bikes": {ORGANISER},
    "unmerge_bikes": {ORGANISER},
    "cut": {ORGANISER},
    "prizes": {ORGANISER},
    "award": {ORGANISER},
    "close": {ORGANISER},
    "reopen": {ORGANISER},
    "clear_missed": {ORGANISER},
    "publish": {ORGANISER},
}
