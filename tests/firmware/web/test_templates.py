"""Templates: values are escaped, a missing value is an error, indentation adds nothing; no module holds HTML."""

import ast
import re
from pathlib import Path

import pytest
from jinja2 import DictLoader, UndefinedError

from firmware.web import template_rendering

ROOT = Path(__file__).parent.parent.parent.parent
TAGS = """
a abbr b body br button caption dd div dl dt em figure form g h1 h2 h3 h4 head hr html i img input label li link main
meta nav ol option p path polygon polyline pre script section select small span strong style svg table tbody td text th
thead title tr ul use
""".split()
HTML = re.compile(rf"</?({'|'.join(TAGS)})(\s[^<>]*)?/?>|<({'|'.join(TAGS)}) [a-z-]+=|&(lt|gt|amp|quot|#\d+);")
INLINE = re.compile(r"<script(?![^>]* src=)|<style|\sstyle=|\son[a-z]+=|javascript:|\|\s*safe")
MODULES = [path for folder in ("engine", "vision", "hw", "firmware") for path in sorted((ROOT / folder).rglob("*.py"))]


@pytest.fixture
def render(monkeypatch):
    def render(source, **values):
        monkeypatch.setattr(template_rendering.ENVIRONMENT, "loader", DictLoader({"tried.html": source}))
        monkeypatch.setattr(template_rendering.ENVIRONMENT, "cache", {})
        return template_rendering.render_template("tried.html", "de", **values)

    return render


def test_a_value_is_escaped(render):
    assert render('<i title="{{ name }}">{{ name }}</i>', name="\"<'&") == (
        '<i title="&#34;&lt;&#39;&amp;">&#34;&lt;&#39;&amp;</i>'
    )


def test_a_text_comes_in_the_language_of_the_template_and_is_escaped(render):
    assert render("{{ text('row', row=3) }} {{ text('<b>') }}") == "Reihe 3 &lt;b&gt;"


def test_a_missing_value_is_an_error(render):
    with pytest.raises(UndefinedError, match="'name' is undefined"):
        render("<i>{{ name }}</i>")


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        pytest.param("<ul>\n  <li>\n    a\n  </li>\n</ul>\n", "<ul><li>a</li></ul>", id="between-tags"),
        pytest.param("<p>\n  {{ 1 }}\n  {% if 1 %}\n    <b>2</b>\n  {% endif %}\n</p>", "<p>1<b>2</b></p>", id="code"),
        pytest.param("<p>{{ 1 }} <b>2</b> {{ 3 }}</p>", "<p>1 <b>2</b> 3</p>", id="a-space-within-a-line-stays"),
        pytest.param("<p>a\n  b</p>", "<p>a\n  b</p>", id="within-a-sentence-it-stays"),
        pytest.param('<p id="a"\n  class="b">', '<p id="a"\n  class="b">', id="within-a-tag-it-stays"),
        pytest.param("<p>{{ name }}</p>", "<p> a\n b </p>", id="a-value-is-never-changed"),
    ],
)
def test_indentation_adds_no_white_space(render, source, shown):
    assert render(source, name=" a\n b ") == shown


def test_no_template_holds_a_script_or_a_style():
    for path in template_rendering.FOLDER.rglob("*.html"):
        assert not INLINE.search(path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_holds_html(path):
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in docstrings]
    assert [text.value for text in texts if isinstance(text.value, str) and HTML.search(text.value)] == []
