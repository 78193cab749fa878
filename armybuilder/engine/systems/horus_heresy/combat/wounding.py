"""From a hit to an unsaved wound: the roll to wound, Instant Death, saves and damage mitigation as a tree of dice."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from armybuilder.engine.combat.dice import Dice, Reroll
from armybuilder.engine.combat.sequence import NOTHING, Both, End, Mark, Node, Several, d6
from armybuilder.engine.combat.steps.saves import armour_save, best_save, save_chance, saved
from armybuilder.engine.combat.steps.to_wound import wound_roll
from armybuilder.engine.errors import BadDocument
from armybuilder.engine.systems.horus_heresy.combat.special_rules import SpecialRules
from armybuilder.engine.systems.horus_heresy.matchup import MatchupOptions

WOUND = "wound"
SLAY = "slay"
D3 = Dice(1, 3)
HOPELESS_GAP = 4
"""Toughness four above the Strength is a dash in the chart (L715-L749)."""


@dataclass(frozen=True, slots=True)
class Hit:
    """What one hit brings with it: the weapon's profile, its rules, and those of the model that matter here.

    Attributes:
        strength: None for a dash.
        ap: None for a dash.
        kind: of the weapon: Destroyer, Ordnance; empty for any other.
        rules: in force for this hit, by their names (`rules_of_hit`).
        wielder_strength: Strength of the bearer, which a poisoned blow compares with the Toughness.
        breaching: wounds of this roll or more have AP2; brutal: wounds that each wound becomes (both [carried]).
        wounds_on: roll that replaces the chart; wounds_itself: no roll to wound at all.
        zones: of an Apocalyptic Mega-blast: share of the marker, Strength and AP of each.
    """

    strength: int | None
    ap: int | None = None
    melee: bool = False
    blast: bool = False
    template: bool = False
    kind: str = ""
    rules: frozenset[str] = frozenset()
    wielder_strength: int | None = None
    poisoned: int | None = None
    rending: int | None = None
    breaching: int | None = None
    brutal: int = 1
    murderous: int | None = None
    exoshock: int | None = None
    wounds_on: int | None = None
    wounds_itself: bool = False
    zones: tuple[tuple[int, int | None, int | None], ...] = ()

    @property
    def is_psychic(self) -> bool:
        """Whether Adamantium Will saves against it."""
        return "force" in self.rules or "psychic focus" in self.rules

    @property
    def ignores_cover(self) -> bool:
        """Whether cover is no help against it."""
        return self.template or "ignores cover" in self.rules


BY_NAME = (
    "deflagrate", "fleshbane", "force", "graviton pulse", "haywire", "ignores cover", "instant death", "lance",
    "psychic focus", "sanctic", "shock pulse", "shred", "sunder",
)  # fmt: skip
"""Rules of weapons that count by being there."""

OF_MODELS_TOO = ("instant death", "lance", "shock pulse", "sunder")
"""Those of them that count on the model as well, for shots and blows."""


def rules_of_hit(
    weapon: SpecialRules, model: SpecialRules, *, of_models: tuple[str, ...], further: Mapping[str, bool]
) -> frozenset[str]:
    """The names of the rules that are in force for a hit.

    Args:
        of_models: rules by name that count on the model too.
        further: rules that ask for more than their name, and whether they are in force: "armourbane", against
            vehicles and machines; "monster hunter"; "night vision", which sees through Shrouded; "preferred enemy",
            which wounds again on natural 1s; "shred" and "twin-linked" where templates roll again to wound and to
            penetrate.
    """
    named = [name for name in BY_NAME if name in weapon] + [name for name in of_models if name in model]
    return frozenset(named).union(name for name, counts in further.items() if counts)


@dataclass(frozen=True, slots=True)
class Defence:
    """How one kind of model of the target takes a hit.

    Attributes:
        toughness: the one that the roll to wound uses (the majority of the unit).
        own_toughness: the model's own, which decides about Instant Death.
        hardness: added to own_toughness for that check (Battle-hardened).
        machine: Automata or Dreadnought; prey: what Monster Hunter hunts.
        rerolls_blast_saves: the unit is wholly Heavy.
        place: JSON pointer to the group, for messages.
    """

    toughness: int | None
    own_toughness: int | None
    strength: int | None
    wounds: int
    armour: int | None = None
    invulnerable: int | None = None
    cover: int | None = None
    feel_no_pain: int | None = None
    shrouded: int | None = None
    adamantium_will: int | None = None
    eternal_warrior: bool = False
    hardness: int = 0
    machine: bool = False
    prey: bool = False
    daemon: bool = False
    rerolls_blast_saves: bool = False
    swarm: bool = False
    blast_shield: bool = False
    place: str = ""


def to_wound(hit: Hit, target: Defence, options: MatchupOptions) -> Node:
    """What follows a hit on a model with Toughness; ends in the effects WOUND and SLAY.

    The mark "wounds" counts successful rolls to wound.

    Raises:
        BadDocument: a characteristic that the roll needs is missing.
    """
    return _to_wound(hit, replace(target, place=""), options, target.place)


def wounded(hit: Hit, target: Defence, *, ap: int | None, slays: bool) -> Node:
    """What follows a wound: the best save, then one roll of damage mitigation, then the loss.

    Source: HH L779-L860, L122 [text]; the best of several rolls is taken, E49 [decision].
    """
    return _unsaved_unless(hit, target, slays, saves=(armour_save(target.armour, ap), _cover(hit, target)))


def lost(hit: Hit, target: Defence, slays: bool) -> Node:
    """The loss itself. Source: HH L783, L2971, L2983, L3349 [text]."""
    deadly = slays and not target.eternal_warrior and target.wounds > 1
    loss: Node = End(SLAY) if deadly else End(WOUND)
    if target.swarm and (hit.blast or hit.template) and not slays:
        loss = Several(Dice(0, 0, 2), loss)
    if "deflagrate" in hit.rules:
        loss = Both(loss, _deflagration(hit, target))
    return loss


def is_slaying(hit: Hit, target: Defence) -> bool:
    """Whether every wound of this hit has Instant Death. Source: HH L783, L2857, L1600 [text]."""
    doubled = (
        hit.strength is not None
        and target.own_toughness is not None
        and hit.strength >= 2 * (target.own_toughness + target.hardness)
    )
    return "instant death" in hit.rules or doubled or ("force" in hit.rules and target.daemon)


@lru_cache(maxsize=65536)
def _to_wound(hit: Hit, target: Defence, options: MatchupOptions, place: str) -> Node:
    always = is_slaying(hit, target)
    if hit.wounds_itself:
        return _marked(hit, wounded(hit, target, ap=hit.ap, slays=always))
    if "haywire" in hit.rules and target.machine and options.haywire_vs_dreadnought == "replaces_to_wound":
        return _haywire(hit, target, always)
    if "graviton pulse" in hit.rules:
        return _graviton(hit, target, always, options, place)
    need = _need(hit, target, options, place)
    memory: dict[tuple[int | None, bool], Node] = {}

    def result(face: int) -> Node:
        if not success(face):
            return NOTHING
        rends = hit.rending is not None and face >= hit.rending
        pierces = rends or (hit.breaching is not None and face >= hit.breaching)
        ap = 2 if pierces and (hit.ap is None or hit.ap > 2) else hit.ap
        slays = always or (hit.murderous is not None and face >= hit.murderous)
        if (ap, slays) not in memory:
            memory[ap, slays] = _marked(hit, wounded(hit, target, ap=ap, slays=slays))
        return memory[ap, slays]

    def success(face: int) -> bool:
        return face > 1 and ((need is not None and face >= need) or (hit.rending is not None and face >= hit.rending))

    again = _reroll(hit, target)
    second = d6(result)
    return d6(lambda face: second if again(face, success(face)) else result(face))


def _need(hit: Hit, target: Defence, options: MatchupOptions, place: str) -> int | None:
    """The roll to wound. Source: HH L715-L749, L3025, L3213, L4532 [text]; a dash stays a dash, E36 [decision]."""
    if hit.wounds_on is not None:
        return hit.wounds_on
    offers = [2] if "fleshbane" in hit.rules or ("sanctic" in hit.rules and target.daemon) else []
    if hit.poisoned is not None:
        offers.append(hit.poisoned)
    strength = 1 if hit.strength is None and hit.poisoned is not None else hit.strength
    if strength is not None:
        if target.toughness is None:
            raise BadDocument("The roll to wound needs the target's Toughness.", f"{place}/profile/T")
        gap = None if options.natural_six_wounds_dash else HOPELESS_GAP
        chart = wound_roll(strength, target.toughness, hopeless_gap=gap) if strength > 0 else None
        if chart is not None:
            offers.append(chart)
    return min(offers, default=None)


def _reroll(hit: Hit, target: Defence) -> Callable[[int, bool], bool]:
    """Which first rolls to wound are rolled again; demands for all failures and all successes cancel (L202)."""
    strength = hit.strength if hit.wielder_strength is None else max(hit.strength or 1, hit.wielder_strength)
    stronger = hit.melee and hit.poisoned is not None and (strength or 1) > (target.toughness or 0)
    bane, hunts = "armourbane" in hit.rules and target.machine, "monster hunter" in hit.rules and target.prey
    failures = "shred" in hit.rules or bane or hunts or stronger
    venom = hit.poisoned is not None or "fleshbane" in hit.rules
    successes = (target.machine and venom) or (hit.blast and target.blast_shield)
    if failures and successes:
        return lambda face, succeeds: False
    return lambda face, succeeds: (
        (failures and not succeeds) or (successes and succeeds) or ("preferred enemy" in hit.rules and face == 1)
    )


def _haywire(hit: Hit, target: Defence, slays: bool) -> Node:
    """The Haywire die against Automata and Dreadnoughts. Source: HH L3079-L3085 [text]."""
    glancing = _marked(hit, _unsaved_unless(hit, target, slays, saves=()))
    penetrating = Mark("wounds", lost(hit, target, slays))
    return d6(lambda face: NOTHING if face == 1 else glancing if face < 6 else penetrating)


def _graviton(hit: Hit, target: Defence, slays: bool, options: MatchupOptions, place: str) -> Node:
    """The target rolls against its own Strength; a 6 always fails. Source: HH L3059 [text]."""
    if target.strength is None:
        raise BadDocument("Graviton Pulse needs the target's Strength.", f"{place}/profile/S")
    safe = min(5, target.strength - (options.graviton_pulse == "below_strength"))
    hurt = _marked(hit, wounded(hit, target, ap=hit.ap, slays=slays))
    return d6(lambda face: NOTHING if face <= safe else hurt)


def _deflagration(hit: Hit, target: Defence) -> Node:
    """The automatic hit that an unsaved wound causes: the profile without any rule (E47).

    Source: HH L2971 [text].
    """
    bare = Hit(strength=hit.strength, ap=hit.ap, melee=hit.melee, blast=hit.blast, template=hit.template)
    return Mark("hits", _to_wound(bare, target, MatchupOptions(), target.place))


def _marked(hit: Hit, node: Node) -> Node:
    """One success on the roll to wound; a Destroyer weapon makes D3 wounds of it, saved one by one (E40)."""
    if hit.brutal > 1:
        node = Several(Dice(0, 0, hit.brutal), node)
    return Mark("wounds", Several(D3, node) if hit.kind == "Destroyer" else node)


def _cover(hit: Hit, target: Defence) -> int | None:
    return None if hit.melee or hit.ignores_cover else target.cover


def _unsaved_unless(hit: Hit, target: Defence, slays: bool, *, saves: tuple[int | None, ...]) -> Node:
    """Saves besides the invulnerable one, that one, then damage mitigation, then the loss."""
    feel_no_pain = None if slays else target.feel_no_pain
    hidden = None if hit.melee or hit.ignores_cover or "night vision" in hit.rules else target.shrouded
    unsaved = saved(best_save((feel_no_pain, hidden)), lost(hit, target, slays))
    field = best_save((target.invulnerable, target.adamantium_will if hit.is_psychic else None))
    failures = target.rerolls_blast_saves and (hit.blast or hit.template)
    successes = "sanctic" in hit.rules and target.daemon
    ordinary = Reroll.FAILURES if failures else Reroll.NONE
    energetic = ordinary if not successes else Reroll.NONE if failures else Reroll.SUCCESSES
    other = best_save(saves)
    if save_chance(field, reroll=energetic) > save_chance(other, reroll=ordinary):
        return saved(field, unsaved, reroll=energetic)
    return saved(other, unsaved, reroll=ordinary)
