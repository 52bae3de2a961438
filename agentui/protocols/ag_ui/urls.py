"""``protocols/ag-ui/<agent>``; with or without a slash at the end, as clients like."""

from __future__ import annotations

from django.urls import re_path

from . import views

_AGENT = r"(?P<agent>[^/]+)"

urlpatterns = [
    re_path(rf"^{_AGENT}/?$", views.run, name="ag_ui_run"),
    re_path(rf"^{_AGENT}/connect/?$", views.connect, name="ag_ui_connect"),
    re_path(rf"^{_AGENT}/stop/?$", views.stop, name="ag_ui_stop"),
]
