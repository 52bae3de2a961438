"""``protocols/copilotkit``; with or without a slash at the end, as clients like."""

from __future__ import annotations

from django.urls import re_path

from . import views

_AGENT = r"agent/(?P<agent>[^/]+)"
_THREAD = r"(?P<thread>[^/]+)"

urlpatterns = [
    re_path(r"^$", views.single, name="copilot_single"),
    re_path(r"^info/?$", views.info, name="copilot_info"),
    re_path(rf"^{_AGENT}/run/?$", views.run, name="copilot_run"),
    re_path(rf"^{_AGENT}/connect/?$", views.connect, name="copilot_connect"),
    re_path(rf"^{_AGENT}/suggest/?$", views.suggest, name="copilot_suggest"),
    re_path(rf"^{_AGENT}/stop/{_THREAD}/?$", views.stop, name="copilot_stop"),
    re_path(r"^threads/?$", views.thread_list, name="copilot_threads"),
    re_path(rf"^threads/{_THREAD}/?$", views.thread, name="copilot_thread"),
    re_path(rf"^threads/{_THREAD}/archive/?$", views.archive, name="copilot_archive"),
    re_path(
        rf"^threads/{_THREAD}/(?P<part>messages|state|events)/?$",
        views.thread_part,
        name="copilot_thread_part",
    ),
]
