"""Every doubtful reading that a rule names is explained by its pack, and every one explained is named by a rule."""

import re

import msgspec
import pytest

from armybuilder.engine.systems.game import LIST_RULES


@pytest.mark.parametrize("system", LIST_RULES)
def test_settings_and_rules_name_each_other(system: str) -> None:
    pack = LIST_RULES[system]
    assert {name for rule in pack.rules.rules.values() for name in rule.settings} == set(pack.settings)


@pytest.mark.parametrize(
    ("system", "name"), [(system, name) for system in LIST_RULES for name in LIST_RULES[system].settings]
)
def test_a_setting_speaks_both_languages_and_has_a_default(system: str, name: str) -> None:
    setting = LIST_RULES[system].settings[name]
    assert re.search("[А-Яа-я]", setting.asks.ru) and not re.search("[А-Яа-я]", setting.asks.en)
    assert setting.values
    if setting.of_the_site:
        return
    members = {field.name: field.type for field in msgspec.structs.fields(LIST_RULES[system].army_type)}
    options = {field.name: field.default for field in msgspec.structs.fields(members["options"])}
    assert options[name] == setting.values[0]
