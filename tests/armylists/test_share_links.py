"""A share link's secret: 128 random bits, found again in what a player pastes, drawn as a QR code."""

import pytest

from armybuilder.armylists.share_links import is_token, new_token, qr_svg, share_url, token_in

TOKEN = "9c0KMu31dT8Hd4dSnFmPDQ"


def test_tokens_are_long_different_and_stand_in_an_address() -> None:
    tokens = {new_token() for _ in range(1000)}
    assert len(tokens) == 1000
    assert all(is_token(token) for token in tokens)


@pytest.mark.parametrize(
    ("pasted", "found"),
    [
        (TOKEN, TOKEN),
        (f"  {TOKEN}\n", TOKEN),
        (f"https://lists.example.org/s/{TOKEN}/", TOKEN),
        (f"http://127.0.0.1:8000/s/{TOKEN}/print/?x=1", TOKEN),
        (f"/s/{TOKEN}", TOKEN),
        (f"https://lists.example.org/s/{TOKEN}x/", None),
        ("https://lists.example.org/s/short/", None),
        (f"https://lists.example.org/lists/{TOKEN}/", None),
        ("' OR 1=1 --", None),
        ("", None),
    ],
)
def test_a_token_is_found_in_what_was_pasted(pasted: str, found: str | None) -> None:
    assert token_in(pasted) == found


def test_the_address_is_made_of_site_and_token() -> None:
    assert share_url(TOKEN, site="https://lists.example.org/") == f"https://lists.example.org/s/{TOKEN}/"


def test_the_code_is_a_drawing_without_script_and_style() -> None:
    drawing = qr_svg(share_url(TOKEN, site="https://lists.example.org"))
    assert drawing.startswith("<svg")
    assert "viewBox" in drawing
    assert not any(word in drawing for word in ("<script", "style=", "<?xml", "width="))
    assert drawing != qr_svg(share_url("A" * 22, site="https://lists.example.org"))
