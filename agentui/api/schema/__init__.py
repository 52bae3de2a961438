"""The OpenAPI description of the REST API, by drf-spectacular, where the site has that installed.

What is sent is described by the forms that check it, what is answered by the models in
:mod:`.rows`, whose fields a test compares with real rows. :func:`describe` tells drf-spectacular, so
our endpoints stand in the site's own schema too; without it nothing of this is imported.
"""
