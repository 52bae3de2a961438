"""``protocols/openai/v1/``: give a client this as its ``base_url``."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("v1/chat/completions", views.completions, name="openai_completions"),
    path("v1/models", views.models, name="openai_models"),
    path("v1/models/<str:name>", views.model, name="openai_model"),
]
