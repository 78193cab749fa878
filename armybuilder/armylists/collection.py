"""What somebody has at home: models by unit and game, and what lists need beyond it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from armybuilder.accounts.models import User
from armybuilder.accounts.queries import owned_by, owner_of_new
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import limits
from armybuilder.armylists.errors import EditRefused, TooLarge
from armybuilder.armylists.exports.files import plain_sheet_of
from armybuilder.armylists.limits import validated_text
from armybuilder.armylists.models import ArmyList, OwnedUnit
from armybuilder.armylists.services import check_army_list
from armybuilder.engine.findings import Text


@dataclass(frozen=True, slots=True)
class Need:
    """A unit that lists need.

    Attributes:
        name: of the unit, as the game data writes it.
        needed, owned, painted: models.
    """

    name: str
    needed: int
    owned: int
    painted: int

    @property
    def missing(self) -> int:
        """Models that are not owned."""
        return max(self.needed - self.owned, 0)

    @property
    def unpainted(self) -> int:
        """Models that are owned and needed, and not painted."""
        return max(min(self.needed, self.owned) - self.painted, 0)


def units_owned_by(viewer: Viewer) -> QuerySet[OwnedUnit]:
    """The viewer's units of all games, by name."""
    return OwnedUnit.objects.filter(owned_by(viewer)).order_by("name")


def collection_of(viewer: Viewer, game: str) -> QuerySet[OwnedUnit]:
    """The viewer's units of a game, by name.

    Args:
        game: id of the game, not of one of its data sets.
    """
    return units_owned_by(viewer).filter(system=game)


def owned_models(viewer: Viewer, game: str) -> dict[str, int]:
    """Models of the viewer by the unit's name."""
    return dict(collection_of(viewer, game).values_list("name", "owned"))


def keep_units(viewer: Viewer, game: str, units: Mapping[str, tuple[int, int]]) -> None:
    """Set how many models of some units the viewer owns, and how many of them are painted; 0 models forget a unit.

    Raises:
        EditRefused: a unit without a name, or more painted than owned; nothing is changed.
        TooLarge: a name is too long, a number too large, or there are too many units; nothing is changed.
    """
    owner = owner_of_new(viewer)
    wanted = {validated_text(name, limits.UNIT_NAME_LENGTH, "/name"): counts for name, counts in units.items()}
    for name, (owned, painted) in wanted.items():
        _validate(name, owned, painted)
    with transaction.atomic():
        for name, (owned, painted) in wanted.items():
            rows = collection_of(viewer, game).filter(name=name)
            if owned:
                rows.update_or_create({"owned": owned, "painted": painted}, system_id=game, name=name, **owner)
            else:
                rows.delete()
        if collection_of(viewer, game).count() > limits.UNITS_OF_A_COLLECTION:
            most = limits.UNITS_OF_A_COLLECTION
            raise TooLarge(
                Text(
                    en=f"A collection has up to {most} units of a game; nothing was changed.",
                    ru=f"В коллекции до {most} отрядов одной игры; ничего не изменено.",
                )
            )


def own_what_it_needs(viewer: Viewer, army_list: ArmyList) -> int:
    """Add to the viewer's collection what a list has beyond it; how many models. What was painted stays painted."""
    game = army_list.system.home_id
    short = [need for need in needs(viewer, game, [army_list]) if need.missing]
    keep_units(viewer, game, {need.name: (need.needed, need.painted) for need in short})
    return sum(need.missing for need in short)


def needs(viewer: Viewer, game: str, lists: Iterable[ArmyList], *, at_once: bool = True) -> tuple[Need, ...]:
    """What lists of a game need beside what is owned, by name.

    Args:
        at_once: the lists stand on the table together; else one after the other, with the same models.
    """
    needed: Counter[str] = Counter()
    for army_list in lists:
        models = models_of(army_list)
        needed = needed + models if at_once else needed | models
    have = {row.name: row for row in collection_of(viewer, game).filter(name__in=needed)}
    return tuple(
        Need(name, number, row.owned if row else 0, row.painted if row else 0)
        for name, number in sorted(needed.items())
        for row in [have.get(name)]
    )


def models_of(army_list: ArmyList) -> Counter[str]:
    """Models of a list by their unit's name in the game data; none of a hero."""
    state = check_army_list(army_list).state
    names = {unit.id: unit.name for unit in state.all_selections()} if state is not None else {}
    found: Counter[str] = Counter()
    for unit in plain_sheet_of(army_list).units:
        if unit.id in names and not unit.is_card:
            found[names[unit.id]] += unit.model_count
    return found


def unknown_unit(name: str) -> Text:
    """What is said of a unit that no data of the game has."""
    return Text(
        en=f"No unit of this game is called “{name[:80]}”: write it as on the Units page, or add it from a list.",
        ru=f"В этой игре нет отряда «{name[:80]}»: напишите его, как на странице отрядов, или добавьте из ростера.",
    )


def claim_guest_collection(user: User, guest_key: UUID) -> None:
    """Give a guest's collection to the account he has signed up for; of a unit that both have the greater number."""
    for row in OwnedUnit.objects.filter(guest_key=guest_key):
        own = OwnedUnit.objects.filter(owner=user, system=row.system_id, name=row.name).first()
        if own is None:
            row.owner, row.guest_key = user, None
            row.save(update_fields=["owner", "guest_key"])
        else:
            own.owned, own.painted = max(own.owned, row.owned), max(own.painted, row.painted)
            own.save(update_fields=["owned", "painted"])
            row.delete()


def _validate(name: str, owned: int, painted: int) -> None:
    if not name:
        raise EditRefused(Text(en="Say which unit it is.", ru="Напишите, что это за отряд."), "/name")
    if not 0 <= painted <= owned:
        raise EditRefused(
            Text(
                en=f"“{name}”: {painted} painted of {owned} models cannot be.",
                ru=f"«{name}»: {painted} покрашенных из {owned} моделей не бывает.",
            ),
            "/painted",
        )
    if owned > limits.OWNED_MODELS:
        raise TooLarge(
            Text(
                en=f"“{name}”: up to {limits.OWNED_MODELS} models are kept.",
                ru=f"«{name}»: хранится до {limits.OWNED_MODELS} моделей.",
            ),
            "/models",
        )
