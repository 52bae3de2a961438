"""The REST that assistant-ui's ``AssistantCloud`` client expects, answered from our rows.

Threads, titles, history and attachments for a page that says ``new AssistantCloud({baseUrl, authToken})``.
The client believes that it writes the history; here it only learns it. A message it posts is one that
the server has, and gets that row's id; one that the server does not have is refused. What it posts
about the content of a message changes nothing.
"""
