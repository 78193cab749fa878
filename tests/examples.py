"""How many examples Hypothesis tries: what the test says, and in the profile `long` many times as many."""

from hypothesis import settings

TIMES = {"long": 50}


def examples(count: int) -> int:
    """For `max_examples`, by the profile of this run (`--hypothesis-profile`)."""
    return count * TIMES.get(settings.get_current_profile_name(), 1)
