from __future__ import annotations

from django.urls import include, path, re_path

from . import views

urlpatterns = [
    path("pages/form/", views.form_page, name="form"),
    path("pages/sent/", views.sent_page, name="sent"),
    path("pages/away/", views.away_page, name="away"),
    path("pages/panel/<str:mode>/", views.panel_page, name="panel"),
    path("pages/work/", views.work_page, name="work"),
    path("pages/full/", views.full_page, name="full"),
    re_path(r"^static/(?P<path>.*)$", views.hashed_file),
    path("", include("project.urls")),
]
