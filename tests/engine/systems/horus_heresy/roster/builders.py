"""What tests of the army document look for."""

from armybuilder.engine.systems.horus_heresy.army import Army, Unit


def unit_named(army: Army, name: str) -> Unit:
    return next(unit for detachment in army.detachments for unit in detachment.units if unit.name == name)
