"""The WSGI application that gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application

from armybuilder.database_patience import limit_waiting

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")

application = get_wsgi_application()
limit_waiting()
