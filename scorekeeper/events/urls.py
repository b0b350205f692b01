"""URLs of events, their contests and organisers, and signing in."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from scorekeeper.common.secret_links import protect_secret_url
from scorekeeper.events.views import (
    access_tokens,
    account,
    account_links,
    contests,
    events,
    language,
    organisers,
    passkey_sign_in,
    passkeys,
    received_invitations,
    sign_in,
)

app_name = "events"

_EVENT = "desk/events/<slug:slug>/"

urlpatterns = [
    path("sign-in/", sign_in.SignInView.as_view(), name="sign_in"),
    path("sign-in/passkey/", passkey_sign_in.sign_in_passkey, name="sign_in_passkey"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
    path("sign-out/everywhere/", account.sign_out_everywhere, name="sign_out_everywhere"),
    path("language/", language.choose_language, name="language"),
    path("account/", account.account, name="account"),
    path("account/sessions/<uuid:session_id>/end/", account.end_one_session, name="end_session"),
    path("account/tokens/", access_tokens.index, name="access_tokens"),
    path("account/tokens/<uuid:token_id>/revoke/", access_tokens.revoke, name="revoke_access_token"),
    path("account/passkeys/", passkeys.index, name="passkeys"),
    path("account/passkeys/add/", passkeys.add, name="add_passkey"),
    path("account/passkeys/create/", passkeys.create, name="create_passkey"),
    path("account/passkeys/<uuid:passkey_id>/rename/", passkeys.rename, name="rename_passkey"),
    path("account/passkeys/<uuid:passkey_id>/remove/", passkeys.remove, name="remove_passkey"),
    path("welcome/<str:token>/", account_links.welcome, name="welcome"),
    path("invited/<str:token>/", account_links.invited, name="invited"),
    path(
        "invited/<str:token>/sign-in/",
        protect_secret_url(account_links.InvitedSignInView.as_view()),
        name="invited_sign_in",
    ),
    path("new-password/<str:token>/", account_links.new_password, name="new_password"),
    path("desk/", events.index, name="list"),
    path("desk/invitations/<uuid:invitation_id>/accept/", received_invitations.accept, name="accept_invitation"),
    path("desk/invitations/<uuid:invitation_id>/decline/", received_invitations.decline, name="decline_invitation"),
    path("desk/organising/confirm/", received_invitations.confirm, name="confirm_organising"),
    path("desk/events/new/", events.create, name="create"),
    path(f"{_EVENT}settings/", events.edit, name="edit"),
    path(f"{_EVENT}open/", events.open_event, name="open"),
    path(f"{_EVENT}archive/", events.archive, name="archive"),
    path(f"{_EVENT}unarchive/", events.unarchive, name="unarchive"),
    path(f"{_EVENT}organisers/", organisers.index, name="organisers"),
    path(f"{_EVENT}organisers/<uuid:organiser_id>/remove/", organisers.remove, name="remove_organiser"),
    path(f"{_EVENT}organisers/<uuid:organiser_id>/reset-password/", organisers.reset_password, name="reset_password"),
    path(f"{_EVENT}organisers/invite/", organisers.invite, name="invite_organiser"),
    path(
        f"{_EVENT}organisers/invitations/<uuid:link_id>/withdraw/", organisers.withdraw_invite, name="withdraw_invite"
    ),
    path(
        f"{_EVENT}organisers/named/<uuid:invitation_id>/withdraw/",
        organisers.withdraw_invitation,
        name="withdraw_invitation",
    ),
    path(f"{_EVENT}contests/", contests.index, name="contests"),
    path(f"{_EVENT}contests/new/", contests.choose_game, name="choose_game"),
    path(f"{_EVENT}contests/new/<slug:game_key>/", contests.create, name="create_contest"),
    path(f"{_EVENT}contests/<slug:contest_slug>/settings/", contests.edit, name="edit_contest"),
    path(f"{_EVENT}contests/<slug:contest_slug>/delete/", contests.delete, name="delete_contest"),
]
