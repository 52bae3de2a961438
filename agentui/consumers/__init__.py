"""The socket. Translates frames to actions, and the feed to frames; decides nothing."""

from .socket import AgentConsumer

__all__ = ["AgentConsumer"]
