"""The WSGI application that gunicorn serves."""

import os

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application

from armybuilder import late_packages
from armybuilder.between_requests import tidy_once
from armybuilder.database_patience import limit_waiting
from armybuilder.garbage import leave_alone_what_stays
from armybuilder.operations.safety import refuse_unsafe_settings
from armybuilder.whole_bodies import WholeBodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")

django.setup(set_prefix=False)
late_packages.load_framework(
    postgresql=any(database["ENGINE"] == "django.db.backends.postgresql" for database in settings.DATABASES.values())
)
application = WholeBodies(get_wsgi_application(), most_bytes=settings.GAMEDATA_MAX_FILE_BYTES)
refuse_unsafe_settings()
limit_waiting()
tidy_once()
leave_alone_what_stays()
