"""OpenAI's chat completions over agents: the name of a model is the name of an agent.

A client of this protocol keeps the history itself and sends all of it every time. Here the rows are
the truth, so what it sends is only ever compared with them:

- New is what stands behind the last assistant message: the user's messages, and results of calls.
- ``thread`` (a field of the request, or of its ``metadata``) names the thread to go on in. Without it,
  the thread is found whose own messages say what the client says was said before
  (:mod:`.matching`); a new one is begun when there is none. What the client says was said before then
  stands in the new thread as a quotation in the user's message, and as nothing else.
- System and developer messages are not taken: an agent's instructions are the site's.
- A ``tool`` message answers the open call with its id, if that is a call of this user's for a page or
  a person, and once.
- The client's ``tools`` are offered as browser tools; none replaces a tool of the agent's.
"""
