"""Makes the database and the people, says who they are, and serves until it is ended."""

from __future__ import annotations

import json
import os
import socket
import tempfile
from typing import Any


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="agentui-live-") as folder:
        os.environ["AGENTUI_SITE_FOLDER"] = folder
        # A database of its own, whichever the tests themselves use.
        os.environ["AGENTUI_TEST_DATABASE"] = "sqlite"
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.protocols.live.settings"
        serve()


def serve() -> None:
    import django

    if os.environ.get("AGENTUI_SITE_SERVER") == "daphne":
        import daphne.server  # noqa: F401  installs its reactor, which agentui looks for
    django.setup()
    from django.core.management import call_command

    call_command("migrate", run_syncdb=True, verbosity=0)
    from django.contrib.auth.models import User

    from agentui.protocols.tokens import make_token
    from tests.asgi import application
    from tests.clients_ai.site.__main__ import sign_in
    from tests.protocols.live import agents  # noqa: F401  registers the agents

    people = {name: {"headers": sign_in(name)} for name in ("ada", "bob", "grace")}
    for name, person in people.items():
        person["token"] = make_token(User.objects.get(username=name), seconds=3600)[0]
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    print(json.dumps({"url": url, "people": people}), flush=True)
    run_server(application, listener)


def run_server(application: Any, listener: socket.socket) -> None:
    """Serve with the server that the tests ask for, until the process is ended."""
    if os.environ.get("AGENTUI_SITE_SERVER") == "daphne":
        from daphne.server import Server

        Server(application, endpoints=[f"fd:fileno={listener.fileno()}"]).run()
        return
    import uvicorn

    config = uvicorn.Config(application, log_level="warning", timeout_graceful_shutdown=1)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
