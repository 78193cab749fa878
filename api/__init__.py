"""The JSON door under /api/v1/: parse and authenticate, load from `queries`, call `services`, render.

| to find | look in |
|---|---|
| addresses | `urls.py` |
| exception to HTTP status | `problems.py` |
| who asks: session, token, guest, share link | `authentication.py`, `permissions.py` |
| bytes in and out | `parsers.py`, `renderers.py` |
| rows in pages, their order and members | `pages.py` |
| what will go, and how it is told | `deprecations.py` |
| the OpenAPI description and its pages | `schema.py` |
"""
