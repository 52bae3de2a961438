"""``protocols/mcp/<agent>``: a streamable HTTP server for each agent that the site shares."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [path("<str:agent>", views.endpoint, name="mcp")]
