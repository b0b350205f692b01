"""The crew's page with the standings within their group, from the group's own cards."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.scorecards.selectors.group_standings import list_group_standings


@crew_required
def group_standings(request: CrewRequest) -> HttpResponse:
    """Show the group's bikes by place, in each contest recorded at the stops."""
    group = request.device.member.group
    context = {"event": group.event, "group": group, "standings": list_group_standings(group)}
    return render(request, "scorecards/group_standings.html", context)
