from tests.story import fresh_layer, immediate, running, script, send

__all__ = ["fresh_layer", "immediate", "running", "script", "send"]
