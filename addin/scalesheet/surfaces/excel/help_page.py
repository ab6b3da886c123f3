"""The function reference as one page for a browser, made from the registry."""

from collections.abc import Iterator
from html import escape

from scalesheet.registry import REGISTRY, Function, by_category
from scalesheet.surfaces.excel.vba import help_text

STYLE = (
    "body{font:15px/1.5 Calibri,Carlito,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
    "code{font-size:105%}table{border-collapse:collapse}td{border-top:1px solid #ccc;"
    "padding:.2em .8em .2em 0;vertical-align:top}h3{margin-bottom:.2em}"
)


def html() -> str:
    """The page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield '<!doctype html><html lang="en"><meta charset="utf-8">'
    yield f"<title>scalesheet functions</title><style>{STYLE}</style>"
    yield "<h1>scalesheet functions</h1>"
    yield "<p>Fractions are 0-1: type 80% or 0.8. =LAST_ERRORS() says why a cell is in error.</p>"
    for category, records in by_category(REGISTRY.values()):
        yield f"<h2>{escape(category)}</h2>"
        for record in records:
            yield from _function(record)


def _function(record: Function) -> Iterator[str]:
    yield f'<h3 id="{record.name}"><code>={record.signature}</code></h3>'
    yield f"<p>{escape(record.summary)}</p><table>"
    for parameter in record.parameters:
        words = escape(help_text(parameter.domain))
        yield f"<tr><td><code>{parameter.name}</code></td><td>{words}</td></tr>"
    yield f"</table><p>Gives {escape(record.result.words)} [{escape(record.result.unit)}].</p>"
