"""A site of its own process for the clients to talk to: real ASGI server, real database file."""
