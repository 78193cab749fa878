"""How many examples Hypothesis tries: what the test says, a third of it in the profile `dev` of the quick run, and in
the profile `long` many times as many."""

from hypothesis import settings

TIMES = {"dev": 1 / 3, "long": 50}


def examples(count: int) -> int:
    """For `max_examples`, by the profile of this run (`--hypothesis-profile`)."""
    return round(count * TIMES.get(settings.get_current_profile_name(), 1))
