"""The documentation under /docs/: pages that `make docs` has built, as they stand in their folder."""

import re
from pathlib import PurePosixPath

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views import static
from django.views.decorators.http import require_safe

from armybuilder.web.documentation import INDEX, is_built
from armybuilder.web.problems import Problem, problem_page

ALWAYS = "public, max-age=31536000, immutable"
"""Of files whose address names what is in them."""


@require_safe
def documentation(request: HttpRequest, path: str = "") -> HttpResponse | FileResponse:
    """A page or file of the documentation; asked for again once it may have changed.

    Raises:
        Http404: there is no such page.
    """
    folder = settings.DOCS_DIR
    if not is_built():
        return problem_page(request, _not_built())
    is_hidden = any(part.startswith((".", "/")) for part in PurePosixPath(path).parts)
    if is_hidden and not re.fullmatch(r"_downloads/\w+/\.\w[\w.]*", path):  # the example of settings is called so
        raise Http404
    shown = f"{path}{INDEX}" if not path or path.endswith("/") else path
    try:
        if shown == path and (folder / path / INDEX).is_file():
            return HttpResponseRedirect(f"{request.path}/")
        response: HttpResponse | FileResponse = static.serve(request, shown, document_root=str(folder))
    except OSError as error:  # a name that no file can have
        raise Http404 from error
    is_named_by_content = shown.startswith("_static/") and "v" in request.GET
    response["Cache-Control"] = ALWAYS if is_named_by_content else "no-cache"
    return response


def _not_built() -> Problem:
    return Problem(
        404,
        _("The documentation has not been built"),
        _("Its pages are made of the files under docs/ of the sources, which can be read there as they are."),
        _("Whoever runs this site builds it with: make docs"),
    )
