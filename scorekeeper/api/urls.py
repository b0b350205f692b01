"""URLs of the API. The route of a view is also the name of its operation in the schema."""

from django.urls import path

from scorekeeper.api.views import apps, log, results, ride, setup
from scorekeeper.api.views.crew_phones import KeyView, MessagesReadView, OperationsView, RelayedOperationsView
from scorekeeper.api.views.reference import send_schema, show_reference

app_name = "api"

_EVENT = "api/v1/events/<slug:slug>"
_CONTEST = f"{_EVENT}/contests/<slug:contest_slug>"

urlpatterns = [
    path("api/v1/operations", OperationsView.as_view(), name="operations"),
    path("api/v1/key", KeyView.as_view(), name="key"),
    path("api/v1/messages-read", MessagesReadView.as_view(), name="messages_read"),
    path("api/v1/carried", RelayedOperationsView.as_view(), name="carried"),
    path("api/v1/devices", apps.DevicesView.as_view(), name="devices"),
    path("api/v1/ride/progress", ride.RideProgressView.as_view(), name="ride_progress"),
    path("api/v1/ride/sheets", ride.SheetsView.as_view(), name="sheets"),
    path("api/v1/ride/scorecards/<uuid:card_id>", apps.CrewScorecardView.as_view(), name="crew_scorecard"),
    path("api/v1/", show_reference, name="reference"),
    path("api/v1/schema", send_schema, name="schema"),
    path("api/v1/events", setup.EventsView.as_view(), name="events"),
    path(_EVENT, setup.EventView.as_view(), name="event"),
    path(f"{_EVENT}/operations", apps.OrganiserOperationsView.as_view(), name="organiser_operations"),
    path(f"{_EVENT}/stops", setup.StopsView.as_view(), name="stops"),
    path(f"{_EVENT}/groups", setup.GroupsView.as_view(), name="groups"),
    path(f"{_EVENT}/classes", setup.ClassesView.as_view(), name="classes"),
    path(f"{_EVENT}/bikes", setup.BikesView.as_view(), name="bikes"),
    path(f"{_EVENT}/players", setup.PlayersView.as_view(), name="players"),
    path(f"{_EVENT}/review-items", log.ReviewItemsView.as_view(), name="review_items"),
    path(f"{_EVENT}/contests", setup.ContestsView.as_view(), name="contests"),
    path(_CONTEST, setup.ContestView.as_view(), name="contest"),
    path(f"{_CONTEST}/standings", results.ContestStandingsView.as_view(), name="standings"),
    path(f"{_CONTEST}/scorecards", results.ScorecardsView.as_view(), name="scorecards"),
    path(f"{_CONTEST}/scorecards/<uuid:card_id>", results.ScorecardView.as_view(), name="scorecard"),
    path(f"{_CONTEST}/scorecards/<uuid:card_id>/luck", results.ScorecardLuckView.as_view(), name="scorecard_luck"),
    path(f"{_CONTEST}/luck", results.LuckView.as_view(), name="luck"),
    path(f"{_CONTEST}/entries", log.EntriesView.as_view(), name="entries"),
    path(f"{_CONTEST}/prizes", results.PrizesView.as_view(), name="prizes"),
    path(f"{_CONTEST}/revisions", results.RevisionsView.as_view(), name="revisions"),
    path(f"{_CONTEST}/revisions/<int:number>", results.RevisionView.as_view(), name="revision"),
    path(f"{_CONTEST}/results", results.ResultsView.as_view(), name="results"),
]
