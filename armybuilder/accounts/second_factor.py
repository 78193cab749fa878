"""The second factor of administrators: codes of a program, passkeys, and recovery codes for when both are lost.

What an administrator may do beyond a player hangs on it: a session that has only seen the password is a player's.
A program with an API token has shown a secret that was given out by a session with the second factor.
"""

import logging
import secrets

from django.conf import settings
from django.db import transaction
from django_otp import devices_for_user, match_token
from django_otp.models import Device
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp_webauthn.models import WebAuthnCredential

from armybuilder.accounts.models import User

RECOVERY_CODES = 10
RECOVERY_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without letters and digits that look alike."""
RECOVERY_LENGTH = 12

security = logging.getLogger("armybuilder.security")


def is_enrolled(user: User) -> bool:
    """Whether the user has a factor that may be asked for."""
    return any(True for _ in devices_for_user(user))


def is_missing(user: User) -> bool:
    """Whether this session of an administrator has yet to show the second factor.

    Args:
        user: as the session gives it; one that came by an API token has nothing to show.
    """
    if not user.is_staff or not hasattr(user, "is_verified") or user.is_verified():
        return False
    return settings.SECOND_FACTOR_REQUIRED or is_enrolled(user)


def codes_device(user: User) -> TOTPDevice:
    """The user's program for codes; one that nothing was confirmed of yet when there is none."""
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        device, _ = TOTPDevice.objects.get_or_create(user=user, defaults={"name": "codes", "confirmed": False})
    return device


def confirm_codes(user: User, code: str) -> TOTPDevice | None:
    """Take the program into use once it shows the right code; None when it does not."""
    device = codes_device(user)
    if not device.confirmed:  # whoever mistypes need not wait: the page shows the key, so there is nothing to guess
        device.throttle_reset(commit=False)
    if not device.verify_is_allowed()[0] or not device.verify_token(code):
        security.warning("second factor refused user=%s", user.pk)
        return None
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    security.info("second factor set up user=%s kind=codes", user.pk)
    return device


def new_recovery_codes(user: User) -> list[str]:
    """Ten codes, each good once; those given before are good no more. They are shown this once."""
    codes = ["".join(secrets.choice(RECOVERY_ALPHABET) for _ in range(RECOVERY_LENGTH)) for _ in range(RECOVERY_CODES)]
    with transaction.atomic():
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user, name="recovery")
        StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    security.info("recovery codes made user=%s", user.pk)
    return codes


def recovery_codes_left(user: User) -> int:
    """How many recovery codes are still good."""
    return StaticToken.objects.filter(device__user=user).count()


def accepted(user: User, code: str) -> Device | None:
    """The device a code is right for; None when it is for none, or came too soon after a wrong one."""
    device: Device | None = match_token(user, code)
    if device is None:
        security.warning("second factor refused user=%s", user.pk)
    else:
        security.info("second factor shown user=%s", user.pk)
    return device


def passkeys_of(user: User) -> list[WebAuthnCredential]:
    """Oldest first."""
    return list(WebAuthnCredential.objects.filter(user=user).order_by("created_at"))


def remove_passkey(user: User, passkey_id: int) -> None:
    """Forget a passkey; without another factor the recovery codes go too."""
    WebAuthnCredential.objects.filter(user=user, pk=passkey_id).delete()
    _forget_lonely_codes(user)
    security.info("passkey removed user=%s", user.pk)


def remove_codes(user: User) -> None:
    """Forget the program for codes; without another factor the recovery codes go too."""
    TOTPDevice.objects.filter(user=user).delete()
    _forget_lonely_codes(user)
    security.info("second factor removed user=%s kind=codes", user.pk)


def remove_all(user: User) -> None:
    """Forget every factor, for somebody who lost them all."""
    for model in (TOTPDevice, StaticDevice, WebAuthnCredential):
        model.objects.filter(user=user).delete()
    security.info("second factor removed user=%s kind=all", user.pk)


def _forget_lonely_codes(user: User) -> None:
    if all(isinstance(device, StaticDevice) for device in devices_for_user(user)):
        StaticDevice.objects.filter(user=user).delete()
