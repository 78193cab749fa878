"""To hit: charts of skill and the roll they ask for."""


def ballistic_roll(skill: int) -> int | None:
    """The D6 result a shot needs, or None for skill 0, which cannot shoot.

    Source: HH L683-687 [text]; W6 uses the same table; WF "7 minus BS" [carried].
    """
    return None if skill <= 0 else max(2, 7 - skill)


def ballistic_second_roll(skill: int) -> int | None:
    """What the re-roll of a natural 1 needs at skill 6 and more; None below, where a 1 is not re-rolled.

    Source: HH L690-699 [text].
    """
    return None if skill < 6 else max(2, 12 - skill)


def weapon_skill_roll(attacker: int, target: int, *, double_needs: int) -> int | None:
    """The D6 result a blow needs, 1 when it hits by itself, None when the attacker cannot strike.

    Args:
        double_needs: result at exactly twice the attacker's skill, where table (6) and prose (5) differ.

    Source: HH L1208-1231 [text], skill 0 L108 [text].
    """
    if attacker <= 0 or target <= 0:
        return None if attacker <= 0 else 1
    if target <= attacker:
        return 2 if 2 * target <= attacker else 3 if target < attacker else 4
    if target == 2 * attacker:
        return double_needs
    return 6 if target > 2 * attacker else 5
