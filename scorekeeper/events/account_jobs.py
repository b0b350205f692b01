"""The sweeper's jobs about accounts. Phones have neither accounts nor a sweeper, so the app does not register them."""

from __future__ import annotations

from scorekeeper.common.periodic_jobs import PeriodicJob
from scorekeeper.events.services.accounts import end_access_of_inactive_accounts
from scorekeeper.events.services.organiser_invitations import delete_expired_invitations
from scorekeeper.events.services.sessions import delete_ended_sessions

INACTIVE_SECONDS, CLEAN_SECONDS = 60, 3600

ACCOUNT_JOBS = (
    PeriodicJob("end_access_of_inactive_accounts", INACTIVE_SECONDS, end_access_of_inactive_accounts),
    PeriodicJob("delete_ended_sessions", CLEAN_SECONDS, delete_ended_sessions),
    PeriodicJob("delete_expired_invitations", CLEAN_SECONDS, delete_expired_invitations),
)
