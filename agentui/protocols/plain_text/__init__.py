"""Plain text: the words of the answer and nothing else, for ``TextStreamChatTransport`` and curl."""
