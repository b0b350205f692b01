"""Addresses of the room."""

from django.urls import path

from scorekeeper.offline.views.ride import ride

app_name = "offline"

urlpatterns = [path("api/v1/ride", ride, name="ride")]
