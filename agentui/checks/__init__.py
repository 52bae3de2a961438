"""What settings and agents can get wrong, said before anybody meets it. No check asks the database.

====  ============================================================================
E001  two agents of one name
E002  two tools of one name in one agent
W003  a model that cannot be asked as it is named
E004  an approval policy whose ``who`` function does not exist
W005  an approval policy with a permission that no model of the site has
W006  a docstring that describes an argument the tool does not have
E010  ``AGENTUI`` is no dict, or a value in it cannot be read
W011  a name in ``AGENTUI`` that no setting has
E012  the launcher does not exist
W013  no channel layer
E014  a channel layer inside one process, and a launcher outside of it
W015  SQLite without write-ahead log, or with transactions that begin too late
W016  database connections that stay open, which does not go with ASGI
W017  several server processes, and a channel layer inside each
W018  a middleware that compresses, in front of event streams
W019  PostgreSQL under ASGI without a pool (only with ``check --deploy``)
W020  a pool that is smaller than what a process uses (only with ``check --deploy``)
W021  no place for the files that people upload
W022  an agent in ``MCP_AGENTS`` that does not exist
E023  an entry of ``NOTIFIERS`` that does not exist, or is no notifier
E024  two notifiers of one name
W025  notifiers, and no ``SITE_URL`` for their links
====  ============================================================================
"""

from __future__ import annotations

from .agents import check_agents, check_shared_agents
from .attachments import check_attachments
from .deployment import check_pool, check_processes, check_streams
from .notices import check_notifiers
from .settings import check_channel_layer, check_database, check_launcher, check_settings

__all__ = [
    "check_agents",
    "check_attachments",
    "check_channel_layer",
    "check_database",
    "check_launcher",
    "check_notifiers",
    "check_pool",
    "check_processes",
    "check_settings",
    "check_shared_agents",
    "check_streams",
]
