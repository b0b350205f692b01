"""URLs of groups, crew members, their phones, messages to them, and joining and leaving the crew."""

from django.urls import path

from scorekeeper.crew.views import crew_imports, crew_sheet, device_switch, groups, joining, members, messages

app_name = "crew"

_EVENT = "desk/events/<slug:slug>/"

urlpatterns = [
    path(f"{_EVENT}groups/", groups.index, name="groups"),
    path(f"{_EVENT}groups/<uuid:group_id>/", groups.edit, name="group"),
    path(f"{_EVENT}groups/<uuid:group_id>/move/", groups.move, name="move_group"),
    path(f"{_EVENT}groups/<uuid:group_id>/delete/", groups.delete, name="delete_group"),
    path(f"{_EVENT}groups/<uuid:group_id>/crew/new/", members.create, name="new_member"),
    path(f"{_EVENT}crew/sheet/", crew_sheet.sheet, name="sheet"),
    path(f"{_EVENT}crew/import/", crew_imports.upload_crew, name="import"),
    path(f"{_EVENT}crew/import/sample.csv", crew_imports.download_crew_sample, name="sample"),
    path(f"{_EVENT}crew/<uuid:member_id>/", members.edit, name="member"),
    path(f"{_EVENT}crew/<uuid:member_id>/delete/", members.delete, name="delete_member"),
    path(f"{_EVENT}crew/<uuid:member_id>/invite/", members.invite, name="invite"),
    path(f"{_EVENT}phones/<uuid:device_id>/revoke/", members.revoke, name="revoke"),
    path(f"{_EVENT}messages/", messages.index, name="messages"),
    path(f"{_EVENT}messages/<uuid:message_id>/withdraw/", messages.withdraw, name="withdraw_message"),
    path("crew/messages/<uuid:message_id>/read/", messages.confirm_read, name="confirm_read"),
    path("crew/join/", joining.open_link, name="open_link"),
    path("crew/join/<str:token>/", joining.join, name="join"),
    path("crew/switch/", device_switch.switch, name="switch"),
    path("crew/sign-out/", joining.sign_out, name="sign_out"),
]
