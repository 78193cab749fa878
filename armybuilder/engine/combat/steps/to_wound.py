"""To wound: Strength against Toughness."""


def wound_roll(strength: int, toughness: int, *, hopeless_gap: int | None) -> int | None:
    """Return the D6 result needed to wound, or None when no roll is enough.

    Args:
        strength: of the attack, after modifiers, at least 1.
        toughness: of the target, after modifiers, at least 1.
        hopeless_gap: smallest Toughness lead that cannot be wounded at all;
            None in games where a 6 always wounds.

    Source: HH L715-749 (gap 4) [text]; WF L241 (None) [carried].
    """
    lead = toughness - strength
    if hopeless_gap is not None and lead >= hopeless_gap:
        return None
    return min(6, max(2, 4 + lead))
