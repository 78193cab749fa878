"""A receiver that takes its time with everything holds a sender no longer than it may."""

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from armybuilder import outbound
from armybuilder.accounts.models import User
from armybuilder.accounts.viewers import Viewer
from armybuilder.webhooks import delivering, services
from armybuilder.webhooks.models import Delivery, DeliveryState

pytestmark = pytest.mark.django_db

HANDSHAKE_SECONDS = 1.0
DRIPPING_SECONDS = 12.0


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """Key and certificate of this machine in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / "machine.pem"
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return path


@pytest.fixture
def dripping(certificate: Path) -> Iterator[int]:
    """The port of a receiver that is slow to agree on how to encrypt, and then answers a letter at a time."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listener = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        with suppress(OSError):
            connection, _ = listener.accept()
            time.sleep(HANDSHAKE_SECONDS)
            with context.wrap_socket(connection, server_side=True) as encrypted:
                until = time.monotonic() + DRIPPING_SECONDS
                encrypted.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
                while time.monotonic() < until:
                    encrypted.sendall(b"x")
                    time.sleep(0.1)

    thread = Thread(target=answer, daemon=True)
    thread.start()
    yield int(listener.getsockname()[1])
    listener.close()
    thread.join(timeout=30)


def test_one_that_is_slow_to_encrypt_and_answers_by_drops_is_left(
    owner: User, dripping: int, certificate: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of the time came while both agreed on how to encrypt, did nothing then, and never came again."""
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    trusting = ssl.create_default_context(cafile=str(certificate))
    monkeypatch.setattr(outbound.ssl, "create_default_context", lambda: trusting)

    def far_away(*args: Any) -> socket.socket:
        time.sleep(1.0)
        return socket.create_connection(*args)

    monkeypatch.setattr(outbound, "create_connection", far_away)
    monkeypatch.setattr(delivering, "ANSWER_SECONDS", 1.5)
    hook = services.create_webhook(
        Viewer(user=owner), url=f"https://127.0.0.1:{dripping}/", happenings=["list.changed"]
    )
    services.test_webhook(Viewer(user=owner), hook.webhook.pk)
    ((delivery_id, _),) = delivering.due()
    began = time.monotonic()
    assert not delivering.deliver(delivery_id)
    assert time.monotonic() - began < DRIPPING_SECONDS / 2
    row = Delivery.objects.get()
    assert (row.state, row.status, row.said) == (
        DeliveryState.WAITING,
        None,
        "No answer: It took too long to connect.",
    )
