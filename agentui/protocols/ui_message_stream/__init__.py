"""The AI SDK's UI message stream: ``useChat``, and assistant-ui's chat runtime on top of it.

An approval, the page's own calls and what comes after them continue one message, under the id of its
row. Decided elsewhere, a run goes on without the page; ``GET .../stream`` picks it up.
"""
