"""Text layouts that organisers write and hand on by address; `exports.organiser_layout` fills them in."""

from uuid import UUID

from django.db.models import QuerySet

from armybuilder.accounts.models import User
from armybuilder.accounts.queries import owned_by, owner_of_new
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import limits
from armybuilder.armylists.errors import EditRefused, NotFound, TooLarge
from armybuilder.armylists.limits import validated_text
from armybuilder.armylists.models import TextLayout
from armybuilder.engine.findings import Text


def layout_at(layout_id: str) -> TextLayout:
    """A layout by its id; whoever has that may read it and lay lists out by it. Raises NotFound."""
    try:
        key = UUID(layout_id)
    except ValueError:
        key = None
    found = TextLayout.objects.filter(pk=key).first() if key is not None else None
    if found is None:
        raise NotFound("There is no such layout: say which with layout=… and the id in its address.")
    return found


def layouts_of(viewer: Viewer) -> QuerySet[TextLayout]:
    """The viewer's own layouts, by name."""
    return TextLayout.objects.filter(owned_by(viewer)).order_by("name", "pk")


def keep_layout(viewer: Viewer, *, name: str, source: str, layout_id: UUID | None = None) -> TextLayout:
    """Store a new layout, or change one of the viewer's.

    Raises:
        NotFound: not the viewer's own layout, or nobody asks.
        EditRefused: it has no name or no text.
        TooLarge: a text is too long, or the viewer has as many layouts as one may have.
    """
    name = validated_text(name, limits.NAME_LENGTH, "/name")
    source = validated_text(source, limits.LAYOUT_LENGTH, "/source")
    if not name or not source:
        raise EditRefused(Text(en="A layout has a name and a text.", ru="У макета есть название и текст."), "/name")
    owner = owner_of_new(viewer)
    if layout_id is not None:
        own = own_layout(viewer, layout_id)
        own.name, own.source = name, source
        own.save(update_fields=["name", "source"])
        return own
    if layouts_of(viewer).count() >= limits.LAYOUTS_OF_A_USER:
        raise TooLarge(
            Text(
                en=f"You have {limits.LAYOUTS_OF_A_USER} layouts; delete one first.",
                ru=f"У вас уже {limits.LAYOUTS_OF_A_USER} макетов; сначала удалите один.",
            )
        )
    return TextLayout.objects.create(name=name, source=source, **owner)


def own_layout(viewer: Viewer, layout_id: UUID) -> TextLayout:
    """A layout of the viewer's. Raises NotFound for every other."""
    found = layouts_of(viewer).filter(pk=layout_id).first()
    if found is None:
        raise NotFound("There is no such layout of yours.")
    return found


def claim_guest_layouts(user: User, guest_key: UUID) -> None:
    """Give a guest's layouts to the account he has signed up for; their addresses stay."""
    TextLayout.objects.filter(guest_key=guest_key).update(owner=user, guest_key=None)


def delete_layout(viewer: Viewer, layout_id: UUID) -> None:
    """Delete a layout of the viewer's; its address leads nowhere any more. Raises NotFound."""
    own_layout(viewer, layout_id).delete()
