"""One folder a game. PACKS finds the rule pack of a system id and imports it when first asked."""

from collections.abc import Iterator, Mapping
from importlib import import_module

from armybuilder.engine.systems.rulepack import RulePack


class _Packs(Mapping[str, RulePack]):
    """Rule packs by system id."""

    _modules = {
        "horus-heresy": "horus_heresy",
        "relic": "relic",
    }

    def __getitem__(self, system: str) -> RulePack:
        pack: RulePack = import_module(f"{__name__}.{self._modules[system]}").PACK
        return pack

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


PACKS: Mapping[str, RulePack] = _Packs()
