"""Webhooks: addresses that are told of what happens, signed, again and again until they have it.

`happenings` finds what has happened in the tables of the other apps, `collecting` writes a delivery for each hook that
wants it, `delivering` sends what is due. Nothing else knows of hooks, so no edit and no simulation waits for one.
"""
