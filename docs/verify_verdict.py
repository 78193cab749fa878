"""Checks a signed verdict offline: python verify_verdict.py verdict.json public.pem (needs `cryptography` alone)."""

import base64
import json
import sys
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import load_pem_public_key

signed = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
key = load_pem_public_key(Path(sys.argv[2]).read_bytes())
try:
    key.verify(base64.b64decode(signed["signature"]), signed["payload"].encode())
except InvalidSignature:
    sys.exit("NOT GENUINE: the text was changed, or another key signed it")
facts = json.loads(signed["payload"])
print(facts["verdict"], facts["points"], facts["system"], facts["issued_at"])
