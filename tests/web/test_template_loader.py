"""Layout of template sources that does not reach the page."""

from pathlib import Path

import pytest
from django.template import Context, TemplateDoesNotExist, TemplateSyntaxError
from django.template.engine import Engine

from armybuilder.web.template_loader import Loader, TemplateWithoutLayout

ENGINE = Engine(libraries={"i18n": "django.templatetags.i18n"}, builtins=["django.templatetags.i18n"])


@pytest.mark.parametrize(
    ("case", "source", "page"),
    [
        ("between HTML tags", "<ul>\n  <li>a</li>\n  <li>b</li>\n</ul>\n", "<ul><li>a</li><li>b</li></ul>"),
        ("a space on the line stays", "<b>a</b> <i>b</i>", "<b>a</b> <i>b</i>"),
        ("between words", "<p>\n  one\n  two {{ n }}\n  three\n</p>", "<p>one two 7 three</p>"),
        ("beside tags of Django", "{% if n %}\n  x\n{% else %}\n  y\n{% endif %}", "x"),
        ("beside a value", "<p>\n  {{ n }}\n</p>", "<p>7</p>"),
        ("between attributes", '<a href="x"\n   class="y">z</a>', '<a href="x" class="y">z</a>'),
        ("a tag inside a tag", "<a{% if n %}\n  class=y{% endif %}\n>z</a>", "<a class=y>z</a>"),
        ("a value inside a tag", '<a id="{{ n }}"\n  b>z</a>', '<a id="7" b>z</a>'),
        ("an attribute with a sign", '<a b="{{ n }} → x"\n  c>\n z</a>', '<a b="7 → x" c>z</a>'),
        ("texts to be translated", "{% blocktrans %}a\n  b{% endblocktrans %}\n", "a\n  b"),
        ("preformatted", "<pre>\n a\n  b</pre>\n<p>", "<pre>\n a\n  b</pre><p>"),
        ("after a comment", "{# what it is #}\n<p>\n", "<p>"),
        ("a sign that is no tag", "<p>1 < 2\n  or 3 > 2</p>", "<p>1 < 2 or 3 > 2</p>"),
    ],
)
def test_layout(case: str, source: str, page: str) -> None:
    assert TemplateWithoutLayout(source, engine=ENGINE).render(Context({"n": 7})) == page, case


def engine_of(folder: Path, *, debug: bool = False) -> Engine:
    return Engine(dirs=[str(folder)], loaders=["armybuilder.web.template_loader.Loader"], debug=debug)


def test_templates_are_kept_until_a_file_changes(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>\n  one\n</p>", encoding="utf-8")
    engine = engine_of(tmp_path)
    first = engine.get_template("a.html")
    (tmp_path / "a.html").write_text("<p>\n  two\n</p>", encoding="utf-8")
    assert engine.get_template("a.html") is first
    for loader in engine.template_loaders:
        assert isinstance(loader, Loader)
        loader.reset()
    assert "two" in engine.get_template("a.html").source


def test_a_template_may_extend_another_and_one_that_is_not_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "base.html").write_text("<main>\n  {% block a %}{% endblock %}\n</main>\n", encoding="utf-8")
    (tmp_path / "page.html").write_text(
        '{% extends "base.html" %}\n{% block a %}\n  x\n{% endblock %}', encoding="utf-8"
    )
    engine = engine_of(tmp_path)
    assert engine.render_to_string("page.html") == "<main>x</main>"
    with pytest.raises(TemplateDoesNotExist) as refused:
        engine.get_template("nothing.html")
    assert [reason for _, reason in refused.value.tried] == ["Source does not exist"]


def test_a_mistake_is_shown_where_it_stands_in_the_source(tmp_path: Path) -> None:
    (tmp_path / "wrong.html").write_text("<p>\n\n  {% nonsense %}\n</p>", encoding="utf-8")
    with pytest.raises(TemplateSyntaxError) as mistake:
        engine_of(tmp_path, debug=True).get_template("wrong.html")
    assert mistake.value.template_debug["line"] == 3  # type: ignore[attr-defined]


def test_every_page_is_compiled_without_its_layout() -> None:
    loader = Engine.get_default().template_loaders[0]
    assert isinstance(loader, Loader)
    template = loader.get_template("site/frame.html")
    assert isinstance(template, TemplateWithoutLayout)
    assert template.source.count("\n") > 20
