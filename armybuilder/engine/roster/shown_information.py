"""Profiles and rules as an evaluated roster shows them, after all modifiers of the data (§8, §13)."""

from armybuilder.engine.gamedata.info import InfoSource, InfoSpec
from armybuilder.engine.gamedata.model import of_field
from armybuilder.engine.roster.evaluation import Evaluation, annotated
from armybuilder.engine.roster.modifiers import changed_flag, changed_text
from armybuilder.engine.roster.nodes import ForceNode, Owner, SelectionNode
from armybuilder.engine.roster.state import Info, ProfileState, RuleState


class ShownInformation:
    """Reads what the nodes of an evaluation show beside their own name and price."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._counting = evaluation.counting
        self._library = evaluation.library

    def of_selection(self, node: SelectionNode) -> Info:
        """What a selection shows, or a would-be one: that of its categories, then its own."""
        profiles: list[ProfileState] = []
        rules: list[RuleState] = []
        for category_id, _ in self._evaluation.categories(node):
            entry = self._library.category_node(node.force.catalogue_id, category_id)
            if entry is not None:
                self._collect(self._library.info_source(entry), node, "", profiles, rules)
        self._collect(node.place.spec.info, node, node.place.prefix_inside, profiles, rules)
        return tuple(profiles), tuple(rules)

    def of_groups(self, node: SelectionNode) -> Info:
        """What is written on the groups around a selection, the innermost first; no selection shows it itself."""
        profiles: list[ProfileState] = []
        rules: list[RuleState] = []
        for group in reversed(node.place.groups):
            self._collect(group.spec.info, node, group.prefix_inside, profiles, rules)
        return tuple(profiles), tuple(rules)

    def of_force(self, force: ForceNode) -> Info:
        """What a force shows: its own, then that of its catalogue and of the game system."""
        profiles: list[ProfileState] = []
        rules: list[RuleState] = []
        self._collect(force.spec.info, force, "", profiles, rules)
        for file_id in dict.fromkeys((force.catalogue_id, self._library.system_id)):
            self._collect(self._library.info_source(self._library.head(file_id).root), force, "", profiles, rules)
        return tuple(profiles), tuple(rules)

    def _collect(
        self, source: InfoSource, owner: Owner, prefix: str, profiles: list[ProfileState], rules: list[RuleState]
    ) -> None:
        for item in source.items:
            if item.hidden_modifiers:
                if changed_flag(item.hidden, item.hidden_modifiers, owner, self._counting):
                    continue
            elif item.hidden:
                continue
            if item.members is not None:
                inner = prefix + "".join(f"{part}::" for part in item.ids[:-1])
                self._collect(item.members, owner, inner, profiles, rules)
            elif item.is_profile:
                profiles.append(self._profile(item, owner, prefix))
            else:
                rules.append(self._rule(item, owner, prefix))

    def _changed(self, item: InfoSpec, field: str, base: str, owner: Owner) -> str:
        modifiers = item.field_modifiers.get(field)
        return changed_text(base, modifiers, owner, self._counting) if modifiers else base

    def _seen(self, item: InfoSpec, field: str, base: str, owner: Owner) -> str:
        """A field of a profile after its own modifiers, and those of other nodes."""
        text = self._changed(item, field, base, owner)
        if self._counting.reaching is not None:
            names = (item.type_id, item.type_name)
            for modifier, source in self._counting.reaching.on_profile(owner, names, field):
                text = changed_text(text, of_field((modifier,), field), source, self._counting)
        return text

    def _info_name(self, item: InfoSpec, owner: Owner) -> str:
        if item.is_profile and self._counting.reaching is not None:
            return annotated(self._seen(item, "name", item.name, owner), self._seen(item, "annotation", "", owner))
        if not item.modified:
            return item.name
        return annotated(self._changed(item, "name", item.name, owner), self._changed(item, "annotation", "", owner))

    def _profile(self, item: InfoSpec, owner: Owner, prefix: str) -> ProfileState:
        return ProfileState(
            id=prefix + "::".join(item.ids),
            name=self._info_name(item, owner),
            type_id=item.type_id,
            type_name=item.type_name,
            characteristics=tuple(
                (name, self._seen(item, type_id, value, owner)) for type_id, name, value in item.characteristics
            ),
            characteristic_ids=tuple(type_id for type_id, _, _ in item.characteristics),
            page=self._changed(item, "page", item.page or "", owner) or None,
            publication_id=item.publication_id,
            publication_name=self._library.publications.get(item.publication_id or ""),
        )

    def _rule(self, item: InfoSpec, owner: Owner, prefix: str) -> RuleState:
        return RuleState(
            id=prefix + "::".join(item.ids),
            name=self._info_name(item, owner),
            description=self._changed(item, "description", item.description, owner),
            page=self._changed(item, "page", item.page or "", owner) or None,
            publication_id=item.publication_id,
            publication_name=self._library.publications.get(item.publication_id or ""),
        )
