"""The CopilotRuntime routes, so that CopilotKit's React side needs no Node server.

``runtimeUrl`` is the address of this module. A run is AG-UI's (:mod:`agentui.protocols.ag_ui`); here
are what a runtime has around it: which agents there are, joining a thread, stopping it, the list of
threads, and the form in which all of it is posted to one address.
"""
