"""Makes the database and the people, says who they are, and serves until it is ended."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
from typing import Any


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="agentui-site-") as folder:
        os.environ["AGENTUI_SITE_FOLDER"] = folder
        # A database of its own, whichever the tests themselves use.
        os.environ["AGENTUI_TEST_DATABASE"] = "sqlite"
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.clients_ai.site.settings"
        serve()


def serve() -> None:
    import django

    django.setup()
    import uvicorn
    from django.core.management import call_command

    call_command("migrate", run_syncdb=True, verbosity=0)
    from tests.asgi import application
    from tests.clients_ai.site import agents  # noqa: F401  registers the agent

    people = {name: sign_in(name) for name in ("ada", "bob", "grace")}
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    print(json.dumps({"url": url, "people": people}), flush=True)
    config = uvicorn.Config(application, log_level="warning", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listener])


def sign_in(name: str) -> dict[str, str]:
    """The headers that a browser of this person sends along."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.auth.models import User
    from django.contrib.sessions.backends.db import SessionStore

    user: Any = User.objects.create_user(
        name, is_staff=name == "grace", is_superuser=name == "grace"
    )
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    token = "t" * 32
    return {
        "cookie": f"sessionid={session.session_key}; csrftoken={token}",
        "x-csrftoken": token,
    }


if __name__ == "__main__":
    sys.exit(main())
