"""The template tag and the full page: who gets them, and what is written."""

from __future__ import annotations

import json
import re
import sys
import uuid
from html import unescape
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.template import Context, Template
from django.test import AsyncRequestFactory, Client, RequestFactory, override_settings
from django.urls import set_script_prefix

import agentui.routing
from agentui import Agent, actions
from agentui.adapters import ScriptedAdapter
from agentui.agents import registry
from agentui.exceptions import UnknownAgent

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _agent() -> Any:
    clerk = Agent("clerk", model=ScriptedAdapter([]), suggestions=['Say "hi" <b>', "Bye"])
    with registry.temporary(clerk):
        yield
    registry.unregister(clerk)


def written(user: Any, tag: str = 'agentui_chat agent="clerk"', **context: Any) -> str:
    request = RequestFactory().get("/help/?a=1")
    request.user = user
    template = Template("{% load agentui %}{% " + tag + " %}")
    return template.render(Context({"request": request, **context}))


def attributes(html: str) -> dict[str, str]:
    found = re.search(r"<agentui-chat([^>]*)>", html)
    assert found is not None
    return {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', found[1])}


def test_the_tag_writes_scripts_and_element(user: Any) -> None:
    html = written(user)
    assert html.count('<script type="module"') == 1
    given = attributes(html)
    assert given["ws"] == "/ws/agentui/"
    assert given["api"] == "/agentui/api/"
    assert given["agent"] == "clerk"
    assert given["user"] == "ada"
    assert json.loads(given["suggestions"]) == ['Say "hi" <b>', "Bye"]
    assert len(given["csrf"]) >= 32


def test_arguments_become_attributes_and_cannot_break_out(user: Any) -> None:
    tag = 'agentui_chat agent="clerk" heading=words list="none" images=paths data_place="x"'
    html = written(user, tag, words='"><script>alert(1)</script>', paths=["/media/"])
    assert "<script>alert" not in html
    given = attributes(html)
    assert given["heading"] == '"><script>alert(1)</script>'
    assert given["list"] == "none"
    assert json.loads(given["images"]) == ["/media/"]
    assert given["data-place"] == "x"


@pytest.mark.parametrize(
    ("is_asgi", "has_routing", "advice"),
    [
        (False, True, 'Put "daphne" first in INSTALLED_APPS'),
        (True, False, "agentui.routing.get_application()"),
        (True, True, ""),
    ],
)
def test_while_debugging_a_page_whose_socket_nobody_serves_says_why(
    user: Any, is_asgi: bool, has_routing: bool, advice: str, monkeypatch: Any, caplog: Any
) -> None:
    request = (AsyncRequestFactory() if is_asgi else RequestFactory()).get("/help/")
    request.user = user
    monkeypatch.setitem(sys.modules, "agentui.routing", agentui.routing)
    if not has_routing:
        monkeypatch.delitem(sys.modules, "agentui.routing")
    page = Template('{% load agentui %}{% agentui_chat agent="clerk" %}')
    page.render(Context({"request": request}))
    assert not caplog.messages  # the site is at work: its sockets may be another server's
    with override_settings(DEBUG=True):
        page.render(Context({"request": request}))
    assert [advice in message for message in caplog.messages] == ([True] if advice else [])


def test_without_a_user_it_leads_to_signing_in() -> None:
    from django.contrib.auth.models import AnonymousUser

    html = written(AnonymousUser())
    assert "<agentui-chat" not in html
    assert "next=/help/%3Fa%3D1" in html


def test_below_a_path_prefix_the_addresses_have_it(user: Any) -> None:
    set_script_prefix("/shop/")
    try:
        given = attributes(written(user))
    finally:
        set_script_prefix("/")
    assert given["ws"] == "/shop/ws/agentui/"
    assert given["api"] == "/shop/agentui/api/"


def test_the_nonce_is_on_every_script(user: Any) -> None:
    assert written(user, csp_nonce="abc").count('nonce="abc"') == 1


def test_the_only_agent_needs_no_name(user: Any) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"clerk"):
        written(user, "agentui_chat")  # the test site has others
    with pytest.raises(UnknownAgent):
        written(user, 'agentui_chat agent="nobody"')


def test_a_site_without_agents_is_told_where_they_are_made(client: Client, user: Any) -> None:
    client.force_login(user)
    with registry.temporary(), override_settings(DEBUG=True):
        for agent in registry.everything():
            registry.unregister(agent)
        with pytest.raises(ImproperlyConfigured, match=r"agents\.py"):
            written(user, "agentui_chat")
        response = client.get("/agentui/")
    assert response.status_code == 404
    assert "no app in INSTALLED_APPS has an agents.py" in response.content.decode()


@override_settings(ROOT_URLCONF="django.contrib.auth.urls")
def test_without_the_urls_the_error_says_what_to_add(user: Any) -> None:
    with pytest.raises(ImproperlyConfigured, match=r'include\("agentui.urls"\)'):
        written(user)


def test_the_page_needs_signing_in(client: Client) -> None:
    response = client.get("/agentui/")
    assert response.status_code == 302
    assert "next=/agentui/" in response["Location"]


def test_the_page_is_the_chat_with_its_route(client: Client, user: Any) -> None:
    client.force_login(user)
    given = attributes(client.get("/agentui/?agent=clerk").content.decode())
    assert given["agent"] == "clerk"
    assert given["route"] == "/agentui/t/{thread}/"
    assert given["home"] == "/agentui/?agent=clerk"
    assert "thread" not in given


def test_a_thread_has_a_page_of_its_own_for_its_owner_only(
    client: Client, user: Any, other_user: Any
) -> None:
    thread = actions.create_thread(user, agent="clerk")
    client.force_login(user)
    given = attributes(client.get(f"/agentui/t/{thread.pk}/").content.decode())
    assert given["thread"] == str(thread.pk)
    assert given["agent"] == "clerk"
    client.force_login(other_user)
    assert client.get(f"/agentui/t/{thread.pk}/").status_code == 404
    assert client.get(f"/agentui/t/{uuid.uuid4()}/").status_code == 404


def test_an_agent_that_is_not_there_is_not_found(client: Client, user: Any) -> None:
    client.force_login(user)
    assert client.get("/agentui/?agent=nobody").status_code == 404
