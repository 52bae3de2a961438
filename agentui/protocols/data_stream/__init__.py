"""assistant-ui's data stream: one line a unit, for ``useDataStreamRuntime``."""
