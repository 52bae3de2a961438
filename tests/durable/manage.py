"""``manage.py`` of the test site, with the agents of these tests. For workers."""

from __future__ import annotations

import sys

import django
from django.core.management import execute_from_command_line

if __name__ == "__main__":
    django.setup()
    import tests.durable.agents  # noqa: F401

    execute_from_command_line(sys.argv)
