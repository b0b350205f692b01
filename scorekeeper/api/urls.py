"""URLs of the API."""

from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView

from scorekeeper.api.views import KeyView, MessagesReadView, OperationsView, RelayedOperationsView

app_name = "api"

urlpatterns = [
    path("api/v1/operations", OperationsView.as_view(), name="operations"),
    path("api/v1/key", KeyView.as_view(), name="key"),
    path("api/v1/messages-read", MessagesReadView.as_view(), name="messages_read"),
    path("api/v1/carried", RelayedOperationsView.as_view(), name="carried"),
    path("api/v1/schema", SpectacularJSONAPIView.as_view(), name="schema"),
]
