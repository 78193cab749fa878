"""A machine whose clock is wrong: Python runs this first where this folder is on PYTHONPATH.

OTHER_CLOCK names a file with the seconds by which it is wrong; they may be changed while the process runs. The clock
that only ever goes on (`monotonic`) is right, as it is on a machine whose time is set.
"""

import os
import time
from datetime import datetime, timedelta
from pathlib import Path

from django.utils import timezone

_wrong_by = Path(os.environ["OTHER_CLOCK"])
_time, _now = time.time, timezone.now


def _shifted_time() -> float:
    return _time() + float(_wrong_by.read_text())


def _shifted_now() -> datetime:
    return _now() + timedelta(seconds=float(_wrong_by.read_text()))


time.time = _shifted_time
timezone.now = _shifted_now
