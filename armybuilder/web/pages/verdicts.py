"""The signed verdict on paper: its code, its address and a QR code of it."""

from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from armybuilder.armylists.models import ArmyList
from armybuilder.armylists.reports import ListReport
from armybuilder.armylists.share_links import qr_svg
from armybuilder.armylists.signed_verdicts import issue, printed, verdict_path


@dataclass(frozen=True, slots=True)
class SignedMark:
    """What a print shows of the verdict."""

    code: str
    path: str
    qr: SafeString


def signed_mark(army_list: ArmyList, report: ListReport, site: str) -> SignedMark:
    """The signed verdict of a list as it is.

    Args:
        site: scheme and host under which players reach the site.
    """
    code = issue(army_list, report).code
    qr = mark_safe(qr_svg(f"{site.rstrip('/')}{verdict_path(code)}"))  # noqa: S308 - made by segno from our own address
    return SignedMark(printed(code), verdict_path(code), qr)
