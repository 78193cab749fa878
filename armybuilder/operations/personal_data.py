"""What the site holds of one user: everything in one file, and everything gone."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.db import transaction

from armybuilder.accounts import queries as accounts
from armybuilder.accounts import second_factor, services
from armybuilder.accounts.browser_sessions import sessions_of
from armybuilder.accounts.errors import AccountKept, NotFound
from armybuilder.accounts.models import User
from armybuilder.accounts.programs import allowed_by, programs_of
from armybuilder.accounts.viewers import Viewer
from armybuilder.armylists import backup, queries
from armybuilder.armylists.collection import units_owned_by
from armybuilder.armylists.exports.list_file import JSON
from armybuilder.armylists.layouts import layouts_of
from armybuilder.events import queries as events
from armybuilder.events.services import delete_event
from armybuilder.reference.data_reports import reports_of
from armybuilder.simulations.queries import runs_of
from armybuilder.simulations.targets import saved_targets_of
from armybuilder.webhooks.queries import webhooks_of

MEDIA_TYPE = "application/zip"
LISTS = "lists.zip"
"""All lists as one file that the site takes back."""


def everything_of(viewer: Viewer) -> bytes:
    """A zip file of JSON: all that `docs/security/data.md` names of an account, lists and the bin as files.

    Raises:
        NotFound: nobody is signed in.
        TooLarge: the lists are larger than what is taken back.
    """
    user = _user(viewer)
    tokens = ("name", "prefix", "scopes", "list_id", "created_at", "last_used_at", "expires_at", "revoked_at")
    parts: Mapping[str, Any] = {
        "account": {
            "name": user.get_username(),
            "email": user.email,
            "joined_at": user.date_joined,
            "signed_in_at": user.last_login,
        },
        "tokens": _rows(accounts.tokens_of(viewer), tokens),
        "sessions": _rows(sessions_of(viewer), ("browser", "address", "begun", "seen")),
        "simulations": _rows(runs_of(viewer), ("id", "title", "created", "asked")),
        "collection": _rows(units_owned_by(viewer), ("system_id", "name", "owned", "painted")),
        "targets": _rows(saved_targets_of(viewer), ("name", "rule_pack", "points", "side")),
        "layouts": _rows(layouts_of(viewer), ("name", "source", "created")),
        "webhooks": _rows(webhooks_of(viewer), ("url", "happenings", "paused", "created")),
        "programs_allowed": [
            {"name": one.program.name, "scopes": one.scopes, "since": one.since} for one in allowed_by(viewer)
        ],
        "programs_made": [{"name": one.name, "addresses": one.redirect_uris.split()} for one in programs_of(viewer)],
        "second_factor": {
            "codes": second_factor.is_enrolled(user),
            "passkeys": [one.name for one in second_factor.passkeys_of(user)],
        },
        "submissions": _rows(
            events.submissions_from(viewer), ("event__name", "player", "fields", "submitted", "accepted")
        ),
        "reported_mistakes": _rows(reports_of(user.get_username()), ("system_id", "unit", "text", "reported_at")),
        "events": [
            {
                "name": event.name,
                "system": event.system_id,
                "kind": event.kind,
                "pack": msgspec.json.decode(event.pack),
                "deadline": event.deadline,
                "reveal_at": event.reveal_at,
                "submissions": [
                    {"player": one.player, "fields": one.fields, "submitted_at": one.submitted}
                    for one in events.submissions_of(event)
                ],
            }
            for event in events.events_of(viewer)
        ],
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(f"{name}.json", msgspec.json.format(msgspec.json.encode(part)))
        archive.writestr(LISTS, backup.backup_of(viewer))
        for number, row in enumerate(queries.deleted_lists_of(viewer), start=1):
            archive.writestr(f"bin/{number:04}.json", JSON.write(row))
    return out.getvalue()


def delete_account(viewer: Viewer, *, password: str) -> None:
    """Delete an account with its lists, simulations, targets, events and tokens, for good.

    What was handed in to events of others stays with them, verdicts that were signed stay readable, and mistakes that
    were reported stay without the name.

    Raises:
        NotFound: nobody is signed in.
        PasswordNotConfirmed, TooManyAttempts: the password is not right.
        AccountKept: nobody else could look after the site.
    """
    user = _user(viewer)
    known_as = user.pk
    services.confirm_password(user, password, address=viewer.address)
    if user.is_superuser and not accounts.other_superusers(user):
        raise AccountKept
    with transaction.atomic():
        for event in events.events_of(viewer):
            delete_event(viewer, event.pk)
        reports_of(user.get_username()).update(reported_by="")
        user.delete()
    services.security.info("account deleted user=%s", known_as)


def _user(viewer: Viewer) -> User:
    if viewer.user is None:
        raise NotFound("Nobody is signed in.")
    return viewer.user


def _rows(rows: Any, names: Sequence[str]) -> list[dict[str, Any]]:
    return list(rows.values(*names))
