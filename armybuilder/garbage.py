"""When Python's garbage collector looks at what a web process holds."""

import gc

YOUNG_OBJECTS = 10_000
"""New ones that are still held when it looks: more than an answer makes, whose own are gone when it is sent."""


def leave_alone_what_stays() -> None:
    """Spare it the 150,000 objects of the started program, and looking several times in the middle of every answer.

    A look at everything stopped a request for a tenth of a second; with documents of 11 KB the small ones took an
    eighth of a check. Memory that processes share stays shared, too: a look writes into each object it sees.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, 10, 10)
