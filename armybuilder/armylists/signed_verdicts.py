"""Verdicts that can be checked anywhere: what was judged, by what, with which outcome, signed by this site (Ed25519).

A verdict is a text of JSON, and the signature is of its bytes: whoever has both and the public key needs nothing else.
Keys are kept in the database, the private half sealed with the site's secret; a new one takes over by `rotate_key`, and
what older ones signed stays good.
"""

import inspect
import secrets
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from armybuilder.armylists.errors import NotFound
from armybuilder.armylists.models import ArmyList, SignedVerdict, VerdictKey
from armybuilder.armylists.reports import ListReport
from armybuilder.engine.late_modules import LateModule
from armybuilder.engine.systems.game import LIST_RULES
from armybuilder.engine.systems.list_rules import SHIPPED

if TYPE_CHECKING:
    from cryptography import exceptions, fernet
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ed25519
else:
    exceptions = LateModule("cryptography.exceptions")
    fernet = LateModule("cryptography.fernet")
    serialization = LateModule("cryptography.hazmat.primitives.serialization")
    ed25519 = LateModule("cryptography.hazmat.primitives.asymmetric.ed25519")

FORMAT = "army-builder/verdict"
LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without those that are taken for each other when read from paper."""

CODE_LENGTH = 10

Present = Literal["unchanged", "changed", "gone"]
"""How the list stands to what was judged."""


@dataclass(frozen=True, slots=True)
class PublicVerdict:
    """A verdict as the public reads it.

    Attributes:
        facts: what was signed, parsed.
        present: whether the list still is what was judged.
    """

    verdict: SignedVerdict
    facts: dict[str, Any]
    present: Present


def issue(army_list: ArmyList, report: ListReport) -> SignedVerdict:
    """The signed verdict on a list as it is; the one there is where nothing has changed since."""
    facts = _facts(army_list, report)
    content = sha256(msgspec.json.encode(facts, order="sorted")).hexdigest()
    known = SignedVerdict.objects.filter(army_list=army_list, content=content).first()
    if known is not None:
        return known
    key, private = _signing_key()
    now = timezone.now().replace(microsecond=0)
    code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
    payload = msgspec.json.encode({**facts, "code": code, "issued_at": now, "key": key.id}, order="sorted").decode()
    signature = b64encode(private.sign(payload.encode())).decode()
    try:
        with transaction.atomic():
            return SignedVerdict.objects.create(
                code=code,
                army_list=army_list,
                key=key,
                content=content,
                payload=payload,
                signature=signature,
                created=now,
            )
    except IntegrityError:  # asked for twice at once
        return SignedVerdict.objects.get(army_list=army_list, content=content)


def judged(code: str) -> PublicVerdict:
    """A verdict by its code, as it is printed or typed. Raises NotFound."""
    plain = "".join(letter for letter in code.upper() if letter.isalnum())
    found = SignedVerdict.objects.select_related("army_list", "key").filter(code=plain).first()
    if found is None:
        raise NotFound("There is no verdict with this code.")
    return PublicVerdict(found, msgspec.json.decode(found.payload), _present(found))


def known_keys() -> list[VerdictKey]:
    """Every key that ever signed, the one in use first."""
    return list(VerdictKey.objects.order_by("-created"))


def rotate_key() -> VerdictKey:
    """Let a new key sign from now on; what older keys signed stays good."""
    with transaction.atomic():
        VerdictKey.objects.filter(retired_at=None).update(retired_at=timezone.now())
        return _new_key()[0]


def pem_of(key: VerdictKey) -> str:
    """The public half as the text file that other programs read."""
    public = ed25519.Ed25519PublicKey.from_public_bytes(b64decode(key.public))
    return public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()


def is_genuine(payload: str, signature: str, pem: str) -> bool:
    """Whether the holder of the key signed exactly these bytes; needs nothing but the public key."""
    public = serialization.load_pem_public_key(pem.encode())
    if not isinstance(public, ed25519.Ed25519PublicKey):
        return False
    try:
        public.verify(b64decode(signature), payload.encode())
    except (exceptions.InvalidSignature, ValueError):
        return False
    return True


def printed(code: str) -> str:
    """A code in two groups, as paper shows it."""
    return f"{code[:5]}-{code[5:]}"


def verdict_path(code: str) -> str:
    """The public page of a verdict, below the site's address."""
    return f"/v/{printed(code)}/"


_asked_at: ContextVar[str] = ContextVar("asked_at", default="")


@contextmanager
def handed_out_at(site: str) -> Iterator[None]:
    """What is made inside is handed out by a site at this address, which stands in texts that leave it."""
    token = _asked_at.set(site)
    try:
        yield
    finally:
        _asked_at.reset(token)


def verdict_url(code: str) -> str:
    """Its address to hand on; without the site where neither its operator nor a request says where that is."""
    return f"{(settings.PUBLIC_URL or _asked_at.get()).rstrip('/')}{verdict_path(code)}"


@cache
def rules_version(system: str) -> str:
    """A short hash of a game's list rules as they are programmed and worded; empty without any."""
    if system not in LIST_RULES:
        return ""
    folder = Path(inspect.getfile(LIST_RULES[system].checks[0])).parent
    digest = sha256()
    for path in sorted([*folder.glob("*.py"), *folder.glob("*.toml")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _facts(army_list: ArmyList, report: ListReport) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": 1,
        "system": army_list.system_id,
        "rule_pack": report.rule_pack,
        "rules_version": rules_version(report.rule_pack or ""),
        "settings": {"conventions": SHIPPED.conventions},
        "release": {"number": army_list.release.number, "content_hash": army_list.release.content_hash},
        "roster_sha256": _roster_hash(army_list),
        "revision": army_list.revision,
        "points": report.points.total,
        "points_limit": army_list.points_limit,
        "verdict": report.verdict,
        "unchecked": sorted({part.code for part in report.unchecked}),
        "findings": [{"rule": one.rule, "severity": one.severity, "at": one.at} for one in report.findings],
    }


def _roster_hash(army_list: ArmyList) -> str:
    return sha256(army_list.document.encode()).hexdigest()


def _present(verdict: SignedVerdict) -> Present:
    army_list = verdict.army_list
    if army_list is None or army_list.deleted is not None:
        return "gone"
    facts = msgspec.json.decode(verdict.payload)
    now = (_roster_hash(army_list), army_list.points_limit)
    return "unchanged" if now == (facts["roster_sha256"], facts["points_limit"]) else "changed"


def _signing_key() -> "tuple[VerdictKey, ed25519.Ed25519PrivateKey]":
    """The key in use; a new one where there is none, or the site's secret is no longer the one that sealed it."""
    key = VerdictKey.objects.filter(retired_at=None).order_by("-created").first()
    if key is not None:
        try:
            return key, ed25519.Ed25519PrivateKey.from_private_bytes(_seal().decrypt(key.sealed.encode()))
        except fernet.InvalidToken:
            VerdictKey.objects.filter(pk=key.pk).update(retired_at=timezone.now())
    return _new_key()


def _new_key() -> "tuple[VerdictKey, ed25519.Ed25519PrivateKey]":
    private = ed25519.Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
    sealed = _seal().encrypt(
        private.private_bytes(serialization.Encoding.Raw, serialization.PrivateFormat.Raw, serialization.NoEncryption())
    )
    key = VerdictKey.objects.create(
        id=sha256(public).hexdigest()[:16], public=b64encode(public).decode(), sealed=sealed.decode()
    )
    return key, private


def _seal() -> "fernet.Fernet":
    return fernet.Fernet(urlsafe_b64encode(sha256(b"verdict keys\0" + settings.SECRET_KEY.encode()).digest()))
