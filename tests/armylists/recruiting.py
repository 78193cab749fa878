"""A stored list put together by names, as players read the data."""

from collections.abc import Iterator

from armybuilder.armylists import edits as e
from armybuilder.engine.roster.available_options import Offer, OfferGroup, offers
from tests.armylists.conftest import Muster


class Recruiter(Muster):
    """A muster that finds what it takes by name."""

    def offer(self, parent_id: str, name: str) -> Offer:
        """What is offered there under this name and may be taken."""
        report = self.report
        found = flat(offers(report.library, report.state, node_id=parent_id))
        return next(offer for offer in found if offer.name == name and not offer.hidden)

    def take(self, parent_id: str, *names: str) -> str:
        """Take options one below the other; the last one's node."""
        for name in names:
            result = self.edit(e.Select(parent_id=parent_id, entry_id=self.offer(parent_id, name).entry_id))
            assert result.node_id is not None
            parent_id = result.node_id
        return parent_id

    def recruit(self, name: str, *options: str, **models: int) -> str:
        """Add a unit to the open detachment, with so many models of a kind (words joined by _) and these options."""
        unit = self.unit(self.offer(self.force_id, name).entry_id)
        for model, number in models.items():
            self.size(unit, model.replace("_", " "), number)
        for option in options:
            self.take(unit, option)
        return unit

    def size(self, unit: str, model: str, number: int) -> None:
        """Set how many models a unit has; unit and models often bear the same name."""
        node = self.document.places[unit].node
        found = next(part for part in node.walk() if part.name == model and part.id != unit)  # type: ignore[union-attr]
        self.edit(e.SetAmount(selection_id=found.id, amount=number))

    def open_detachment(self, force_name: str, catalogue_name: str) -> None:
        """Start a detachment of that name from the catalogue whose name begins so."""
        library = self.report.library
        catalogue = next(found for found in library.catalogues if found.name.startswith(catalogue_name))
        entry = next(found for found in library.force_entries(catalogue.id) if found.name == force_name)
        self.force_id = self.detachment(entry.id, catalogue.id)


def flat(found: tuple[Offer | OfferGroup, ...]) -> Iterator[Offer]:
    """The offers of a list, those in groups too."""
    for item in found:
        if isinstance(item, Offer):
            yield item
        else:
            yield from flat(item.offers)
