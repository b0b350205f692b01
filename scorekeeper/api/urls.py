"""Addresses of the room."""

from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView

from scorekeeper.api.views.carried import Carried
from scorekeeper.api.views.key import Key
from scorekeeper.api.views.operations import Operations

app_name = "api"

urlpatterns = [
    path("api/v1/operations", Operations.as_view(), name="operations"),
    path("api/v1/key", Key.as_view(), name="key"),
    path("api/v1/carried", Carried.as_view(), name="carried"),
    path("api/v1/schema", SpectacularJSONAPIView.as_view(), name="schema"),
]
