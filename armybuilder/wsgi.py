"""The WSGI application that gunicorn serves."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from armybuilder.database_patience import limit_waiting
from armybuilder.operations.safety import refuse_unsafe_settings
from armybuilder.whole_bodies import WholeBodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")

application = WholeBodies(get_wsgi_application(), most_bytes=settings.GAMEDATA_MAX_FILE_BYTES)
refuse_unsafe_settings()
limit_waiting()
