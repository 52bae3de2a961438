"""How the property tests of the core run: no deadline, a busy machine is no fault of a function."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "agentui", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("agentui")
