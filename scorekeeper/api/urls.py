"""Addresses of the room."""

from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView

from scorekeeper.api.views.operations import Operations

app_name = "api"

urlpatterns = [
    path("api/v1/operations", Operations.as_view(), name="operations"),
    path("api/v1/schema", SpectacularJSONAPIView.as_view(), name="schema"),
]
