"""One folder a game. PACKS finds the rule pack of a system id and imports it when first asked."""

from collections.abc import Iterator, Mapping
from importlib import import_module

from armybuilder.engine.systems.list_rules import ListRules


class _Packs(Mapping[str, ListRules]):
    """Rule packs by system id."""

    _modules = {
        "horus-heresy": "horus_heresy",
        "epic": "epic",
        "fantasy-8th": "fantasy_8th",
        "relic": "relic",
        "wh40k-6th": "wh40k_6th",
    }

    def __init__(self) -> None:
        self._loaded: dict[str, ListRules] = {}

    def __getitem__(self, system: str) -> ListRules:
        if system not in self._loaded:
            self._loaded[system] = import_module(f"{__name__}.{self._modules[system]}").PACK
        return self._loaded[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


PACKS: Mapping[str, ListRules] = _Packs()
